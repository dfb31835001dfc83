//! The gaps between spheres and walls, for the certificate.

#[cfg(feature = "mesh")]
use super::mesh_walls::closest_mesh_wall;
use super::{
    closest::{Closest, ClosestPair},
    solids::Form,
};
#[cfg(feature = "mesh")]
use crate::container::Solid;
use crate::{container::Container, spheres::Spheres};

/// Returns the smallest gap of a sphere to a wall.
pub(super) fn closest_wall(spheres: &Spheres, container: &Container) -> Closest {
    #[cfg(feature = "mesh")]
    if let Solid::Mesh(mesh) = container.solid() {
        return closest_mesh_wall(spheres, mesh);
    }
    let form = Form::of(container.solid());
    let lengths = container.lengths();
    let middle = 0.5 * lengths;
    let flat: Vec<usize> = (0..3)
        .filter(|&axis| form.is_flat(axis, 2) && !container.is_periodic(axis))
        .collect();
    let of_sphere = |best: Closest, i: usize| {
        let (center, radius) = (spheres.centers()[i], spheres.radii()[i]);
        let best = flat.iter().fold(best, |best, &axis| {
            let gap = center[axis].min(lengths[axis] - center[axis]) - radius;
            best.or(gap, ClosestPair::Wall(i, axis))
        });
        let away = (center - middle).to_array();
        match form.beyond_side(away, 2, center.z, lengths.z) {
            Some(beyond) => best.or(-beyond - radius, ClosestPair::Side(i)),
            None => best,
        }
    };
    Closest::of_all(spheres.len(), of_sphere)
}
