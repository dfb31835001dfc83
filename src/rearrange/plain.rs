//! Schedule and skins for a loop that visits one sphere after the other, with which the laboratory compares the packing loop.

use super::{
    constants::{FIRST_SKIN, SKIN_BY_SPEED, SMALLEST_SKIN},
    effort::Effort,
    mixture::Bounds,
    moves::{SingleRelocation, single_relocation},
    schedule::Schedule,
};
use crate::{
    container::frame::{Frame, Point},
    dimension::Dimension,
    distribution::estimated_fraction,
    machine::divided::Divided,
    verlet::Octet,
};

/// The schedule of the packing loop, for a run that places all spheres at the start.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlainSchedule(Schedule);

impl PlainSchedule {
    /// Returns the schedule for spheres of these radii.
    pub fn new(effort: Effort, radii: &[f64]) -> Self {
        let estimate = estimated_fraction(Dimension::Three, &Divided::alone(radii));
        Self(Schedule::new(effort, estimate, Bounds::NONE))
    }

    /// Returns the packing fraction of the random placement.
    pub fn start_fraction(&self) -> f64 {
        self.0.start_fraction
    }

    /// Returns the largest relative overlap at which the loop ends.
    pub fn tolerance(&self) -> f64 {
        self.0.tolerance
    }

    /// Returns the growth factor of the container after a sweep that found this mean relative overlap.
    pub fn growth(&self, mean_overlap: f64) -> f64 {
        self.0.growth(mean_overlap)
    }

    /// Returns the relocation of a sphere: see [`single_relocation`].
    pub fn relocation(
        &self,
        points: &[Point],
        sphere: Point,
        octets: &[Octet],
        frame: &Frame,
        scale: f32,
    ) -> Option<SingleRelocation> {
        single_relocation(points, sphere, octets, frame, scale, self.0.relaxation)
    }
}

/// Returns the skin of the packing loop for spheres of this speed, which is given in radii per sweep, as a share of the radius. An infinite
/// speed replaces the start.
pub(crate) fn skin_for(speed: f64) -> f64 {
    let skin = f64::from(SKIN_BY_SPEED) * speed.sqrt();
    skin.clamp(SMALLEST_SKIN.into(), FIRST_SKIN.into())
}
