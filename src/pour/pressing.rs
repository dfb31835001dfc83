//! A bed that the packing loop presses together.

use std::time::Duration;

use glam::DVec3;

use super::{
    bed::Bed,
    constants::{ROUNDING, SLACK},
    options::PourOptions,
    vessel::of_height,
};
use crate::rearrange::{PackOptions, Packer, Start, Target};

/// Returns the centers of the spheres of a bed, pressed by the packing loop to a packing fraction, in the coordinates of the vessel; `None` if
/// the loop does not reach it, or `time` is over.
pub(super) fn pressed(
    bed: &Bed,
    options: &PourOptions,
    radii: &[f64],
    fraction: f64,
    seed: u64,
    time: Option<Duration>,
) -> Option<Vec<DVec3>> {
    let lying: Vec<f64> = bed.lying.ids.iter().map(|&id| radii[id as usize]).collect();
    let surface = bed.surface(radii)?;
    let height = surface * bed.fraction(radii, options) / fraction;
    let (container, turn) = of_height(options, height)?;
    let factor = (height / bed.top).min(1.0);
    let start = bed.lying.centers.iter().map(|&center| {
        let center = DVec3::new(center.x, center.y, center.z * factor);
        turn.back(center)
    });
    let largest = lying.iter().copied().fold(0.0, f64::max);
    let gap = 4.0 * (SLACK * largest + ROUNDING * container.lengths().max_element());
    let mut request = PackOptions::default()
        .container(container.clone())
        .target(Target::Exact)
        .start(Start::new("bed", start.collect::<Vec<_>>()))
        .min_gap(gap)
        .seed(seed);
    request.fixed.clone_from(&options.fixed);
    request.time_limit = time;
    request.interrupt.clone_from(&options.interrupt);
    let mut packer = Packer::new(lying, &request).ok()?;
    while packer.sweep().is_some() {}
    let run = packer.finish();
    let is_met = run.packing.certificate().max_overlap == 0.0
        && run.left_out.is_empty()
        && run.packing.container() == &container;
    let centers = run.packing.spheres().centers().iter();
    is_met.then(|| {
        centers
            .take(bed.lying.ids.len())
            .map(|&center| turn.point(center))
            .collect()
    })
}
