//! Bridges: cylinders between the centers of spheres that nearly touch.

use glam::DVec3;

use crate::{
    analysis::Contacts,
    container::{Boundaries, Container},
    io::export::Scene,
    spheres::Spheres,
};

/// Largest gap that is bridged, in units of the smaller diameter: wide enough for all contacts of a dense packing.
const WIDEST_GAP: f64 = 0.02;

/// A cylinder.
pub(in crate::io) struct Bridge {
    pub from: DVec3,
    pub to: DVec3,
    pub radius: f64,
}

/// Returns a bridge for each pair of spheres that nearly touch, images included. `share` is the radius of the bridge in units
/// of the smaller radius; 0 makes no bridges.
pub(in crate::io) fn bridges(scene: &Scene, share: f64) -> Vec<Bridge> {
    if share == 0.0 {
        return Vec::new();
    }
    let (centers, radii) = (scene.spheres.centers(), scene.spheres.radii());
    // Images lie outside of the container, so the search needs a larger one.
    let margin = 2.0 * radii.iter().copied().fold(0.0, f64::max);
    let moved = centers
        .iter()
        .map(|&center| center - scene.low + margin)
        .collect();
    let spheres = Spheres::new(moved, radii.to_vec());
    let lengths = scene.container.lengths() + 2.0 * margin;
    let Ok(container) = Container::cuboid(lengths, Boundaries::WALLS) else {
        return Vec::new();
    };
    let Ok(contacts) = Contacts::new(&spheres, &container, WIDEST_GAP) else {
        return Vec::new();
    };
    let bridge = |pair: &[u32; 2]| {
        let [a, b] = pair.map(|id| id as usize);
        Bridge {
            from: centers[a],
            to: centers[b],
            radius: share * radii[a].min(radii[b]),
        }
    };
    contacts.pairs().iter().map(bridge).collect()
}
