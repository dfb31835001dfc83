//! The stress tensor of a jammed packing.

use glam::{DMat3, DVec3};
use serde::Serialize;

use crate::{
    dimension::Dimension,
    packing::{ContactForces, Packing},
};

/// The mean stress of a jammed packing, in units of the pressure on its container.
///
/// It is the sum of force times branch vector over all contacts, divided by the volume of the container. A branch vector leads from the center
/// of a sphere to the center of the other one, or to the wall.
///
/// # Reference
/// J. Christoffersen, M. M. Mehrabadi & S. Nemat-Nasser, A micromechanical description of granular material behavior, J. Appl. Mech. 48 (1981)
/// 339; K. Bagi, Stress and strain in granular assemblies, Mech. Mater. 22 (1996) 165.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Stress {
    /// The tensor, symmetric; compression is positive. It is the identity under an isotropic pressure.
    pub tensor: [[f64; 3]; 3],
    /// A third of the trace; half of it in the plane.
    pub pressure: f64,
    /// Deviator over mean: `sqrt(3/2 · D:D) / pressure` of `D = tensor − pressure · identity`, with the factor 2 in the plane; 0 without
    /// forces.
    pub anisotropy: f64,
}

impl Stress {
    /// Returns the stress that these forces cause.
    pub(super) fn new(packing: &Packing, forces: &ContactForces) -> Self {
        let (spheres, container) = (packing.spheres(), packing.container());
        let dimension = container.dimension();
        let branches = forces.branches(spheres, container);
        let of_pairs = branches.into_iter().zip(&forces.of_pairs);
        let of_walls = forces.walls.iter().map(|wall| {
            let radius = spheres.radii()[wall.sphere as usize];
            (radius * DVec3::from_array(wall.normal), &wall.force)
        });
        let mut sum = DMat3::ZERO;
        for (branch, force) in of_pairs.chain(of_walls) {
            sum += parallel(branch.normalize_or_zero(), force * branch.length());
        }
        let tensor = sum / container.volume();
        let pressure = tensor.diagonal().element_sum() / dimension.exponent();
        let deviator = equivalent_deviator(dimension, tensor, pressure);
        Self {
            tensor: tensor.to_cols_array_2d(),
            pressure,
            anisotropy: if pressure > 0.0 {
                deviator / pressure
            } else {
                0.0
            },
        }
    }
}

/// Returns `factor · n ⊗ n`.
pub(super) fn parallel(n: DVec3, factor: f64) -> DMat3 {
    DMat3::from_cols(n * n.x, n * n.y, n * n.z) * factor
}

/// Returns `sqrt(d / (d − 1) · D:D)` of the deviator `D = tensor − mean · identity` in d dimensions, which is the norm of `n ⊗ n` for
/// a unit vector n.
pub(super) fn equivalent_deviator(dimension: Dimension, tensor: DMat3, mean: f64) -> f64 {
    let (identity, factor) = match dimension {
        Dimension::Two => (DVec3::new(mean, mean, 0.0), 2.0),
        Dimension::Three => (DVec3::splat(mean), 1.5),
    };
    let deviator = tensor - DMat3::from_diagonal(identity);
    let squares: f64 = deviator.to_cols_array().iter().map(|d| d * d).sum();
    (factor * squares).sqrt()
}
