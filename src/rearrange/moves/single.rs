//! The relocation of a single sphere, for a loop that visits one sphere after the other.

use super::{
    displacement::{Displacement, Neighborhood},
    relocation::shortened,
};
use crate::{
    container::frame::{Frame, Point},
    machine::lanes::{Kernel, Lanes, run},
    rearrange::constants::LONGEST_STEP,
    verlet::Octet,
};

/// The relocation of a sphere by its overlaps.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SingleRelocation {
    /// The displacement, without regard to walls.
    pub step: [i64; 3],
    /// Sum of the relative overlaps.
    pub total: f64,
    /// Largest relative overlap.
    pub largest: f64,
}

/// A sphere and its neighbors.
struct SingleVisit<'a> {
    neighborhood: Neighborhood,
    sphere: Point,
    octets: &'a [Octet],
}

impl Kernel for SingleVisit<'_> {
    type Output = Option<Displacement>;

    #[inline(always)]
    fn compute<L: Lanes>(self, lanes: L) -> Option<Displacement> {
        // SAFETY: `single_relocation` checks the ids, and the point that pads lists has a negative radius.
        unsafe { (self.neighborhood).displacement(lanes, self.sphere, self.octets) }
    }
}

/// Returns the relocation of a sphere by its overlaps with its neighbors in `octets`, which name `points`; `None` without overlap. The last
/// point pads lists. Radii are those at scale 1.
///
/// The step is that of the packing loop, but spheres with equal centers stay there.
///
/// # Panics
/// If the neighbors name a point that does not exist.
pub(crate) fn single_relocation(
    points: &[Point],
    sphere: Point,
    octets: &[Octet],
    frame: &Frame,
    scale: f32,
    relaxation: f32,
) -> Option<SingleRelocation> {
    let mut ids = octets.as_flattened().iter();
    assert!(ids.all(|&id| (id as usize) < points.len()));
    let found = run(SingleVisit {
        neighborhood: Neighborhood {
            points: points.as_ptr(),
            unit: frame.unit,
            scale,
        },
        sphere,
        octets,
    })?;
    let radius = sphere.radius * scale;
    let wanted = relaxation * relaxation * frame.length_squared(found.steps);
    let step = if wanted < LONGEST_STEP * LONGEST_STEP * radius * radius {
        found.steps.map(|component| (relaxation * component) as i64)
    } else {
        shortened(found.steps, relaxation, wanted, radius * radius)
    };
    Some(SingleRelocation {
        step,
        total: found.total.into(),
        largest: found.largest.into(),
    })
}
