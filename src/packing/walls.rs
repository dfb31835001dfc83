//! The gaps between spheres and walls, for the certificate.
//!
//! The distances are computed with other formulas than those of the packing loop.

use rayon::prelude::*;

use super::closest::{Closest, ClosestPair};
#[cfg(feature = "mesh")]
use super::mesh_walls::closest_mesh_wall;
use crate::{
    container::{Container, Solid},
    spheres::Spheres,
};

/// Returns the smallest gap of a sphere to a wall.
pub(super) fn closest_wall(spheres: &Spheres, container: &Container) -> Closest {
    #[cfg(feature = "mesh")]
    if let Solid::Mesh(mesh) = container.solid() {
        return closest_mesh_wall(spheres, mesh);
    }
    let flat = flat_axes(container);
    let side = Side::of(container.solid());
    let of_sphere = |best: Closest, i: usize| {
        let (center, radius) = (spheres.centers()[i], spheres.radii()[i]);
        let best = flat.iter().fold(best, |best, &(axis, length)| {
            let x = center[axis];
            let gap = x.min(length - x) - radius;
            best.or(gap, ClosestPair::Wall(i, axis))
        });
        match side {
            Some(side) => best.or(
                side.distance(center.to_array()) - radius,
                ClosestPair::Side(i),
            ),
            None => best,
        }
    };
    (0..spheres.len())
        .into_par_iter()
        .fold(|| Closest::NOTHING, of_sphere)
        .reduce(|| Closest::NOTHING, Closest::min)
}

/// Returns the axes that end at flat walls, each with the length of the bounding box.
fn flat_axes(container: &Container) -> Vec<(usize, f64)> {
    let axes = match container.solid() {
        Solid::Box(_) => 0..3,
        Solid::Cylinder(_) | Solid::Cone(_) => 2..3,
        Solid::Sphere(_) => 0..0,
        #[cfg(feature = "mesh")]
        Solid::Mesh(_) => 0..0,
    };
    axes.filter(|&axis| !container.is_periodic(axis))
        .map(|axis| (axis, container.lengths()[axis]))
        .collect()
}

/// A curved wall.
#[derive(Clone, Copy)]
enum Side {
    /// A wall at a distance from a straight line parallel to z through (radius, radius).
    Cylinder { radius: f64 },
    /// A wall at a distance from the point (radius, radius, radius).
    Sphere { radius: f64 },
    /// The wall that a line through two points (distance from the axis, z) makes when it rotates around the axis, which is
    /// parallel to z through (middle, middle).
    Cone {
        middle: f64,
        bottom: f64,
        /// From the point at z = 0 to the other point.
        across: f64,
        along: f64,
    },
}

impl Side {
    fn of(solid: &Solid) -> Option<Self> {
        match solid {
            Solid::Box(_) => None,
            #[cfg(feature = "mesh")]
            Solid::Mesh(_) => None,
            Solid::Cylinder(cylinder) => Some(Self::Cylinder {
                radius: 0.5 * cylinder.diameter,
            }),
            Solid::Sphere(ball) => Some(Self::Sphere {
                radius: 0.5 * ball.diameter,
            }),
            Solid::Cone(cone) => Some(Self::Cone {
                middle: 0.5 * cone.bottom.max(cone.top),
                bottom: 0.5 * cone.bottom,
                across: 0.5 * (cone.top - cone.bottom),
                along: cone.height,
            }),
        }
    }

    /// Returns the distance of a point from the wall, negative outside.
    fn distance(self, [x, y, z]: [f64; 3]) -> f64 {
        match self {
            Self::Cylinder { radius } => radius - libm::hypot(x - radius, y - radius),
            Self::Sphere { radius } => {
                radius - libm::hypot(libm::hypot(x - radius, y - radius), z - radius)
            }
            Self::Cone {
                middle,
                bottom,
                across,
                along,
            } => {
                let from_axis = libm::hypot(x - middle, y - middle);
                // The distance of a point from a line: a cross product divided by a length.
                let area = across * z - along * (from_axis - bottom);
                area / libm::hypot(across, along)
            }
        }
    }
}
