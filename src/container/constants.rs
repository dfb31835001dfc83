//! The constants of the containers.

/// Steps of the frame that a centre keeps from a curved wall beyond its radius. Each coordinate is rounded to a whole step, and
/// the diagonal of a step is shorter than two steps.
pub(super) const WALL_STEPS: f64 = 2.0;
