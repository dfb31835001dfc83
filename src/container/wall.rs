//! The wall nearest to a point, and spheres that walls of any form stop.

use glam::DVec3;

use super::{
    constants::{PROJECTIONS, WALL_MARGIN, WALL_STEPS},
    frame::{Frame, Steps},
    shape::Surface,
};

/// The wall nearest to a point.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wall {
    /// Distance, negative beyond the wall.
    pub distance: f64,
    /// The closest point of the wall.
    pub point: DVec3,
    /// Unit vector from the wall into the solid, towards or away from the point.
    pub inwards: DVec3,
}

impl Wall {
    /// Returns the surface as seen from outside.
    pub fn seen_from_outside(self) -> Surface {
        Surface {
            distance: -self.distance,
            outwards: -self.inwards,
        }
    }
}

/// Moves a sphere that would cross the surface to the distance of its radius from the closest point, and again while another
/// part of the surface is closer. Where that does not end, as between two surfaces, the sphere takes the position that is
/// farthest from the surface. It never comes closer to the surface than it was, except to the distance of its radius.
///
/// `within` returns the wall nearest to a point if the point is beyond the wall or closer to it than a distance.
#[inline(always)]
pub(super) fn confine_by(
    frame: &Frame,
    at: Steps,
    displacement: [i64; 3],
    radius: f32,
    within: impl Fn(DVec3, f64) -> Option<Wall>,
) -> Steps {
    let target: Steps = std::array::from_fn(|axis| {
        let coordinate = i64::from(at[axis]) + displacement[axis];
        coordinate.clamp(0, frame.span(axis) - 1) as i32
    });
    let margin = f64::from(radius) * WALL_MARGIN + f64::from(frame.longest_step()) * WALL_STEPS;
    let reach = f64::from(radius) + margin;
    let Some(mut wall) = within(frame.center(target), reach) else {
        return target;
    };
    // A sphere at a wall moves on when the next sweep finds no other wall.
    let mut best = (wall.distance, target);
    for _ in 0..PROJECTIONS {
        let point = wall.point + wall.inwards * (reach + margin);
        let steps = frame.nearest_to(point);
        let Some(next) = within(frame.center(steps), reach) else {
            return steps;
        };
        wall = next;
        if wall.distance > best.0 {
            best = (wall.distance, steps);
        }
    }
    match within(frame.center(at), reach) {
        Some(wall) if wall.distance <= best.0 => best.1,
        _ => at,
    }
}
