//! Pairs of spheres whose centers are within a cutoff.

use super::{adjacency::by_task, cells::CellGrid, error::AnalysisError, scene::Scene};
use crate::{container::Container, spheres::Spheres};

/// All pairs of spheres whose centers are at most a cutoff apart, with their distances.
///
/// The distance is the minimum-image distance between the centers, in the caller's unit. Each pair occurs once.
///
/// # Cost
/// O(N + pairs) time and memory; the search runs on rayon's threads. The number of pairs grows with the cube of the cutoff.
///
/// # Example
/// ```
/// use jostle::{Container, Spheres, analysis::Neighbors, glam::DVec3};
///
/// let container = Container::cuboid(DVec3::splat(10.0), "ppp".parse()?)?;
/// let centers = [0.5, 1.5, 4.0, 9.0].map(|x| DVec3::new(x, 5.0, 5.0)).to_vec();
/// let neighbors = Neighbors::new(&Spheres::new(centers, vec![0.5; 4]), &container, 1.75)?;
/// // Spheres 0 and 3 are neighbors across the periodic face.
/// assert_eq!(neighbors.pairs(), [[0, 1], [0, 3]]);
/// assert_eq!(neighbors.distances(), [1.0, 1.5]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Neighbors {
    pairs: Vec<[u32; 2]>,
    distances: Vec<f64>,
}

impl Neighbors {
    /// Finds all pairs. The cutoff is a length above 0, and at most half of the shortest periodic length of the container, so that no two
    /// spheres are neighbors twice.
    ///
    /// # Errors
    /// [`AnalysisError`] if a center, a radius or the cutoff is not accepted.
    pub fn new(
        spheres: &Spheres,
        container: &Container,
        cutoff: f64,
    ) -> Result<Self, AnalysisError> {
        let limit = 0.5 * container.shortest_period();
        if !(cutoff > 0.0 && cutoff.is_finite() && cutoff <= limit) {
            return Err(AnalysisError::Cutoff { cutoff, limit });
        }
        let scene = Scene::new(spheres, container)?;
        let ids: Vec<u32> = (0..scene.len() as u32).collect();
        let grid = CellGrid::new(&scene, &ids, cutoff);
        let parts = by_task(0..scene.len(), |ids| {
            let mut found = Self::empty();
            let mut later = Vec::new();
            for i in ids {
                later.clear();
                grid.visit(scene.centers[i], cutoff, |j, center| {
                    if j as usize > i {
                        let distance = scene.displacement(scene.centers[i], center).length();
                        later.push((j, distance));
                    }
                });
                later.retain(|&(_, distance)| distance <= cutoff);
                later.sort_unstable_by_key(|&(j, _)| j);
                found
                    .pairs
                    .extend(later.iter().map(|&(j, _)| [i as u32, j]));
                found.distances.extend(later.iter().map(|pair| pair.1));
            }
            found
        });
        let mut all = Self::empty();
        for part in parts {
            all.pairs.extend(part.pairs);
            all.distances.extend(part.distances);
        }
        Ok(all)
    }

    fn empty() -> Self {
        Self {
            pairs: Vec::new(),
            distances: Vec::new(),
        }
    }

    /// Returns the pairs, each with the smaller id first, in increasing order.
    pub fn pairs(&self) -> &[[u32; 2]] {
        &self.pairs
    }

    /// Returns the distance between the centers of each pair.
    pub fn distances(&self) -> &[f64] {
        &self.distances
    }
}
