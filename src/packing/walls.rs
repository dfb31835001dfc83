//! The gaps between spheres and the walls of a container, and the bodies in it, for the certificate.
//!
//! Nothing here is shared with the packing loop: every image of a body is a body of its own, and distances are those of the closest
//! points.

#[cfg(feature = "mesh")]
use std::sync::Arc;

#[cfg(feature = "mesh")]
use glam::DVec3;

#[cfg(feature = "mesh")]
use super::mesh_walls::{MeshWalls, closest_mesh_wall};
use super::{
    closest::{Closest, ClosestPair},
    solids::{Placed, beyond_side, is_flat},
};
use crate::{
    container::{Body, Container, Solid},
    dimension::Dimension,
    spheres::Spheres,
};

/// Returns the smallest gap of a sphere to a wall or a body.
pub(super) fn closest_wall_or_body(spheres: &Spheres, container: &Container) -> Closest {
    closest_wall(spheres, container).min(closest_body(spheres, container))
}

/// Returns the smallest gap of a sphere to a wall.
fn closest_wall(spheres: &Spheres, container: &Container) -> Closest {
    #[cfg(feature = "mesh")]
    if let Solid::Mesh(mesh) = container.solid() {
        return closest_mesh_wall(spheres, mesh);
    }
    let (solid, lengths) = (container.solid(), container.lengths());
    let (middle, own) = (0.5 * lengths, container.axis().number());
    let flat: Vec<usize> = (0..3)
        .filter(|&axis| is_flat(solid, axis, own) && !container.is_periodic(axis))
        .collect();
    let of_sphere = |best: Closest, i: usize| {
        let (center, radius) = (spheres.centers()[i], spheres.radii()[i]);
        let best = flat.iter().fold(best, |best, &axis| {
            let gap = center[axis].min(lengths[axis] - center[axis]) - radius;
            best.or(gap, ClosestPair::Wall(i, axis))
        });
        let away = (center - middle).to_array();
        match beyond_side(solid, away, own, center[own], lengths[own]) {
            Some(beyond) => best.or(-beyond - radius, ClosestPair::Side(i)),
            None => best,
        }
    };
    Closest::of_all(spheres.len(), of_sphere)
}

/// Returns the smallest gap of a sphere to a body in the container.
fn closest_body(spheres: &Spheres, container: &Container) -> Closest {
    let images: Vec<(usize, Placed)> = (container.bodies().iter().enumerate())
        .flat_map(|(number, body)| {
            let images = images(body, container).into_iter();
            images.map(move |image| (number, image))
        })
        .collect();
    if images.is_empty() {
        return Closest::NOTHING;
    }
    let of_sphere = |best: Closest, i: usize| {
        let center = container.wrap(spheres.centers()[i]).to_array();
        let radius = spheres.radii()[i];
        images.iter().fold(best, |best, (number, image)| {
            if image.is_beyond(center, radius + best.gap) {
                return best;
            }
            let distance = image.distance(center, radius + best.gap);
            best.or(distance - radius, ClosestPair::Body(i, *number))
        })
    };
    Closest::of_all(spheres.len(), of_sphere)
}

/// Returns the images of a body that may be closest to a point in the container.
fn images<'a>(body: &'a Body, container: &Container) -> Vec<Placed<'a>> {
    let own = body.axis.number();
    let mut of_body = body.solid.lengths().to_array();
    if matches!(body.solid, Solid::Cylinder(_) | Solid::Cone(_)) {
        of_body.swap(2, own);
    }
    let mut half = of_body.map(|length| 0.5 * length);
    if body.solid.dimension() == Dimension::Two {
        // Nothing in the plane is beside a flat body.
        half[2] = f64::INFINITY;
    }
    let center = match &body.solid {
        #[cfg(feature = "mesh")]
        Solid::Mesh(_) => body.position + DVec3::from_array(half),
        Solid::Outline(_) => body.position + 0.5 * body.solid.lengths(),
        _ => body.position,
    };
    #[cfg(feature = "mesh")]
    let mesh = match &body.solid {
        Solid::Mesh(mesh) => Some(Arc::new(MeshWalls::new(mesh))),
        _ => None,
    };
    let lengths = container.lengths();
    let positions = |axis: usize| -> Vec<f64> {
        let (x, length) = (center[axis], lengths[axis]);
        if !container.is_periodic(axis) || half[axis].is_infinite() {
            return vec![x];
        }
        // A body is at most as long as a period, so that no image farther away is closest to a point inside.
        let inside = x - length * (x / length).floor();
        [-1.0, 0.0, 1.0].map(|k| inside + k * length).to_vec()
    };
    let mut images = Vec::new();
    for x in positions(0) {
        for &y in &positions(1) {
            for &z in &positions(2) {
                let at = [x, y, z];
                images.push(Placed {
                    solid: &body.solid,
                    #[cfg(feature = "mesh")]
                    mesh: mesh.clone(),
                    low: [0, 1, 2].map(|axis| at[axis] - half[axis]),
                    high: [0, 1, 2].map(|axis| at[axis] + half[axis]),
                    own,
                });
            }
        }
    }
    images
}
