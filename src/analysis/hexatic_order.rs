//! Hexatic order: how much the neighborhood of each disk resembles a triangular lattice.

use glam::DVec2;
use rayon::prelude::*;

use super::{
    adjacency::Adjacency, cells::levels, constants::NEIGHBOR_GAP, error::AnalysisError,
    scene::Scene,
};
use crate::{container::Container, dimension::Dimension, spheres::Spheres};

/// The hexatic order parameter ψ₆ of each disk.
///
/// ψ₆ of a disk is the complex mean of `exp(6iθ)` over the angles θ of the directions to its neighbors. Its modulus is 1 in a triangular
/// lattice, and its argument is six times the angle of the lattice. Neighbors are those of [`BondOrder`](super::BondOrder): disks whose gap is
/// at most 0.4 of the smaller diameter. A disk without neighbors has 0, and a neighbor with an equal center is skipped.
///
/// # Reference
/// D. R. Nelson & B. I. Halperin, Dislocation-mediated melting in two dimensions, Phys. Rev. B 19 (1979) 2457,
/// [doi:10.1103/PhysRevB.19.2457](https://doi.org/10.1103/PhysRevB.19.2457).
///
/// # Example
/// ```
/// use jostle::{Container, Spheres, analysis::HexaticOrder, glam::{DVec2, DVec3}};
///
/// // A triangular lattice, with rows along x.
/// let height = 0.75_f64.sqrt();
/// let place = |k| DVec3::new(f64::from(k % 6) + 0.5 * f64::from(k / 6 % 2), height * f64::from(k / 6), 0.0);
/// let disks = Spheres::new((0..36).map(place).collect(), vec![0.5; 36]);
/// let container = Container::rectangle(DVec2::new(6.0, 6.0 * height), "ppw".parse()?)?;
/// let order = HexaticOrder::new(&disks, &container)?;
/// assert!(order.psi6.iter().all(|psi6| psi6.distance(DVec2::X) < 1e-12));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct HexaticOrder {
    /// ψ₆ of each disk: its real and its imaginary part.
    pub psi6: Vec<DVec2>,
    /// Number of neighbors of each disk.
    pub neighbors: Vec<u32>,
}

impl HexaticOrder {
    /// Computes the hexatic order of every disk.
    ///
    /// # Cost
    /// O(N + neighbors) time, on rayon's threads.
    ///
    /// # Errors
    /// [`AnalysisError`] if a center or a radius is not accepted, if very many disks overlap at one place, or if the container is not flat.
    pub fn new(disks: &Spheres, container: &Container) -> Result<Self, AnalysisError> {
        let quantity = "the hexatic order";
        let scene = Scene::of_dimension(Dimension::Two, quantity, disks, container)?;
        let near = Adjacency::new(&scene, &levels(&scene), NEIGHBOR_GAP)?;
        Ok(Self::of_neighbors(&scene, &near))
    }

    /// Computes the hexatic order from the neighbors of each disk.
    pub(super) fn of_neighbors(scene: &Scene, adjacency: &Adjacency) -> Self {
        let psi6 = |id: usize| {
            let (mut sum, mut count) = (DVec2::ZERO, 0.0);
            for direction in adjacency.directions(scene, id) {
                sum += sixth_power(direction.truncate());
                count += 1.0;
            }
            sum / f64::max(count, 1.0)
        };
        Self {
            psi6: scene.ids().map(psi6).collect(),
            neighbors: adjacency.numbers(scene),
        }
    }
}

/// Returns the sixth power of a complex number.
fn sixth_power(z: DVec2) -> DVec2 {
    let cube = z.rotate(z).rotate(z);
    cube.rotate(cube)
}
