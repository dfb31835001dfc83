//! Collective rearrangement of a bed.

use std::time::Duration;

use glam::DVec3;

use super::{bed::Bed, options::PourOptions, vessel::of_height};
use crate::rearrange::{PackOptions, Start, Target, pack};

/// Returns whether the cross-section of a vessel is the same at all heights. Bodies and fixed spheres vary it.
pub(super) fn can_rearrange(options: &PourOptions) -> bool {
    let height = options.container.lengths()[options.gravity.axis().number()];
    options.fixed.is_none()
        && options.container.bodies().is_empty()
        && of_height(options, height).is_some()
}

/// Returns centers of the spheres of a bed, in the coordinates of the vessel, at which the bed has a packing fraction, without contacts:
/// the bed is compressed along gravity, and the packing loop removes the overlaps.
///
/// `None` if the loop finds no such centers.
pub(super) fn rearranged(
    bed: &Bed,
    options: &PourOptions,
    radii: &[f64],
    fraction: f64,
    time_limit: Option<Duration>,
) -> Option<Vec<DVec3>> {
    let height = bed.filled(radii, options) / fraction;
    let (container, turn) = of_height(options, height)?;
    let compressed = |center: &DVec3| turn.back(center.with_z(center.z * height / bed.top));
    let centers: Vec<DVec3> = bed.lying.centers.iter().map(compressed).collect();
    let inflated = |&id: &u32| bed.inflated(radii[id as usize]);
    let inflated: Vec<f64> = bed.lying.ids.iter().map(inflated).collect();
    let pack_options = PackOptions {
        time_limit,
        interrupt: options.interrupt.clone(),
        ..PackOptions::default()
    };
    let pack_options = pack_options
        .container(container.clone())
        .target(Target::Exact)
        .start(Start::new("bed", centers))
        .seed(options.seed)
        .threads(1);
    let packing = pack(inflated, &pack_options).ok()?.packing;
    let is_reached = packing.container().lengths() == container.lengths();
    let centers = packing.spheres().centers().iter();
    is_reached.then(|| centers.map(|&center| turn.point(center)).collect())
}
