//! Contacts: pairs of spheres that touch within a stated tolerance.

use std::ops::Range;

use super::{
    adjacency::{Adjacency, by_task},
    cells::levels,
    constants::MAX_TOLERANCE,
    error::AnalysisError,
    scene::Scene,
};
use crate::{container::Container, dimension::Dimension, machine::ranks::Ranks, spheres::Spheres};

/// All pairs of spheres that touch within a tolerance, and the spheres that touch a wall.
///
/// Two spheres touch if their gap, `distance − (r_i + r_j)`, is at most the tolerance times the smaller of the two
/// diameters. The distance is the minimum-image distance. In a container of fewer than two diameters along a periodic axis,
/// a sphere may touch two images of another sphere: that counts as one contact. A sphere's contact with its own image is
/// ignored. Spheres that overlap touch.
///
/// # Cost
/// O(N) time and memory for spheres that overlap little, at any size ratio; the search runs on rayon's threads.
///
/// # Example
/// ```
/// use jostle::{Container, Spheres, analysis::Contacts, glam::DVec3};
///
/// let container = Container::cuboid(DVec3::splat(10.0), "ppp".parse()?)?;
/// let centers = [0.5, 1.5, 4.0, 9.5].map(|x| DVec3::new(x, 5.0, 5.0)).to_vec();
/// let contacts = Contacts::new(&Spheres::new(centers, vec![0.5; 4]), &container, 1e-4)?;
/// // Spheres 0 and 3 touch across the periodic face.
/// assert_eq!(contacts.pairs(), [[0, 1], [0, 3]]);
/// assert_eq!(contacts.mean(), 1.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Contacts {
    adjacency: Adjacency,
    pairs: Vec<[u32; 2]>,
    walls: Vec<u32>,
    tolerance: f64,
    dimension: Dimension,
}

impl Contacts {
    /// Finds all contacts. `tolerance` is in units of the smaller diameter, from 0 to 1. `docs/guide/analysis.md` shows how contact numbers
    /// depend on it.
    ///
    /// # Errors
    /// [`AnalysisError`] if a center, a radius or the tolerance is not accepted, or if very many spheres overlap at one place.
    pub fn new(
        spheres: &Spheres,
        container: &Container,
        tolerance: f64,
    ) -> Result<Self, AnalysisError> {
        check_tolerance(tolerance)?;
        let (scene, near) = near_pairs(spheres, container, tolerance)?;
        Ok(Self::unlisted(&scene, near, tolerance).renumbered(&scene))
    }

    /// Collects the contacts from all pairs within the tolerance. Ids count the spheres of the scene. The pairs are those of the spheres
    /// of this process, each with a sphere of this process or of a later rank.
    pub(super) fn of_pairs(scene: &Scene, adjacency: Adjacency, tolerance: f64) -> Self {
        Self::unlisted(scene, adjacency, tolerance).listed(scene)
    }

    /// Collects the contacts of each sphere, without the list of pairs.
    pub(super) fn unlisted(scene: &Scene, adjacency: Adjacency, tolerance: f64) -> Self {
        let touches_wall = |id: usize| {
            let (center, radius) = (scene.centers[id], scene.radii[id]);
            u32::from(scene.container.wall_gap(center, radius) <= tolerance * 2.0 * radius)
        };
        let walls = by_task(0..scene.len(), |spheres| {
            spheres.map(touches_wall).collect::<Vec<u32>>()
        });
        Self {
            pairs: Vec::new(),
            adjacency,
            walls: walls.concat(),
            tolerance,
            dimension: scene.container.dimension(),
        }
    }

    /// Adds the list of pairs.
    pub(super) fn listed(self, scene: &Scene) -> Self {
        Self {
            pairs: self.adjacency.pairs(scene.own.clone()),
            ..self
        }
    }

    /// Returns the contacts of the spheres of [`near_pairs`] with the ids of the caller, and the list of pairs.
    pub(super) fn renumbered(self, scene: &Scene) -> Self {
        let ids = &scene.groups;
        let mut walls = vec![0; self.len()];
        for (&id, touches) in ids.iter().zip(self.walls) {
            walls[id as usize] = touches;
        }
        let adjacency = self.adjacency.renumbered(ids);
        Self {
            pairs: adjacency.pairs(0..adjacency.len()),
            adjacency,
            walls,
            ..self
        }
    }

    /// Checks the spheres for which the contacts were found, for a quantity that is not known in the plane.
    ///
    /// # Errors
    /// [`AnalysisError`] in a flat container, if a center or a radius is not accepted, or if the contacts are those of another number of spheres.
    pub(super) fn scene<'a>(
        &self,
        spheres: &Spheres,
        container: &'a Container,
    ) -> Result<Scene<'a>, AnalysisError> {
        let (contacts, count) = (self.len(), spheres.len());
        if contacts != count {
            return Err(AnalysisError::OtherSpheres {
                contacts,
                spheres: count,
            });
        }
        Scene::new(spheres, container)
    }

    /// Returns the number of spheres.
    pub fn len(&self) -> usize {
        self.walls.len()
    }

    /// Returns whether there are no spheres.
    pub fn is_empty(&self) -> bool {
        self.walls.is_empty()
    }

    /// Returns the least number of contacts that can hold a sphere: one more than there are dimensions.
    pub(super) fn fewest_supports(&self) -> u32 {
        self.dimension.number() as u32 + 1
    }

    /// Returns the tolerance in units of the smaller diameter.
    pub fn tolerance(&self) -> f64 {
        self.tolerance
    }

    /// Returns the contacts between spheres, each with the smaller id first, in increasing order.
    pub fn pairs(&self) -> &[[u32; 2]] {
        &self.pairs
    }

    /// Returns the ids of the spheres that touch sphere `id`, increasing; none if there is no such sphere.
    pub fn of(&self, id: u32) -> &[u32] {
        if (id as usize) < self.len() {
            self.adjacency.of(id as usize)
        } else {
            &[]
        }
    }

    /// Returns the contact number of each sphere: the number of spheres that touch it. Walls are not counted.
    pub fn numbers(&self) -> Vec<u32> {
        (0..self.len())
            .map(|id| self.adjacency.of(id).len() as u32)
            .collect()
    }

    /// Returns the mean contact number over all spheres, without walls; 0 if there are no spheres.
    ///
    /// [`mean_backbone`](super::mean_backbone) returns the mean without rattlers.
    pub fn mean(&self) -> f64 {
        if self.is_empty() {
            return 0.0;
        }
        self.directed(&(0..self.len())) as f64 / self.len() as f64
    }

    /// Returns the sum of the contact numbers of some spheres.
    pub(super) fn directed(&self, spheres: &Range<usize>) -> usize {
        self.adjacency.directed(spheres)
    }

    /// Returns the number of wall contacts of each sphere: 1 if the gap to the nearest wall is at most the tolerance times
    /// the diameter, otherwise 0. A sphere in a corner touches several walls and still counts 1.
    pub fn wall_contacts(&self) -> &[u32] {
        &self.walls
    }

    /// Returns the correlation of the sizes of two touching spheres, from −1 to 1.
    ///
    /// It is Pearson's correlation of `ln r` over all contacts, each counted in both directions. It is positive if spheres
    /// touch spheres of their own size more often than of other sizes, and negative if large spheres touch small ones. A
    /// large sphere has many contacts with small ones, so that a well mixed packing has a negative correlation too: compare
    /// packings of equal size distributions. `radii` are the radii of the spheres, in any unit.
    ///
    /// The result is absent if there are no contacts, if all touching spheres have one size, or if `radii` are not one
    /// positive, finite number for each sphere.
    ///
    /// # Cost
    /// O(N + contacts).
    ///
    /// # Reference
    /// M. E. J. Newman, Assortative mixing in networks, Phys. Rev. Lett. 89 (2002) 208701,
    /// [doi:10.1103/PhysRevLett.89.208701](https://doi.org/10.1103/PhysRevLett.89.208701), equation 4, with `ln r` in place
    /// of the degree.
    pub fn size_correlation(&self, radii: &[f64]) -> Option<f64> {
        let are_valid = radii.iter().all(|&r| r > 0.0 && r.is_finite());
        if radii.len() != self.len() || !are_valid {
            return None;
        }
        self.correlation(radii, 0..self.len(), &Ranks::default())
    }

    /// Returns the correlation of the sizes on all ranks. `own` are the spheres of this one.
    pub(super) fn correlation(
        &self,
        radii: &[f64],
        own: Range<usize>,
        ranks: &Ranks,
    ) -> Option<f64> {
        let ends = || self.pairs.iter().flatten().map(|&id| radii[id as usize]);
        let smallest = ends().fold(f64::INFINITY, f64::min);
        let largest = ranks.largest(ends().fold(0.0, f64::max));
        // Without contacts, the smallest one is infinite.
        if ranks.smallest(vec![smallest])[0] >= largest {
            return None;
        }
        let logs: Vec<f64> = radii.iter().map(|&radius| libm::log(radius)).collect();
        let count = ranks.total(self.directed(&own)) as f64;
        let degree = |id: usize| self.adjacency.of(id).len() as f64;
        let sum = ranks.sums_in_turn(1, |sum| {
            own.clone().for_each(|id| sum[0] += degree(id) * logs[id]);
        });
        let mean = sum[0] / count;
        let square = |id: usize| degree(id) * (logs[id] - mean) * (logs[id] - mean);
        let product = |&[i, j]: &[u32; 2]| (logs[i as usize] - mean) * (logs[j as usize] - mean);
        let sums = ranks.sums_in_turn(2, |sums| {
            own.for_each(|id| sums[0] += square(id));
            self.pairs.iter().for_each(|pair| sums[1] += product(pair));
        });
        let (variance, covariance) = (sums[0], 2.0 * sums[1]);
        (variance > 0.0).then(|| (covariance / variance).clamp(-1.0, 1.0))
    }
}

/// Returns the spheres along a space-filling curve, so that near ones are near in memory, and their pairs whose gap is at most `tolerance`
/// smaller diameters. The group of a sphere is its id.
pub(super) fn near_pairs<'a>(
    spheres: &Spheres,
    container: &'a Container,
    tolerance: f64,
) -> Result<(Scene<'a>, Adjacency), AnalysisError> {
    let scene = Scene::new(spheres, container)?;
    let ids = (0..scene.len() as u32).collect();
    let scene = scene.with_groups(ids).along_curve(tolerance);
    let near = Adjacency::new(&scene, &levels(&scene), tolerance)?;
    Ok((scene, near))
}

/// Rejects a tolerance out of range.
pub(super) fn check_tolerance(tolerance: f64) -> Result<(), AnalysisError> {
    if (0.0..=MAX_TOLERANCE).contains(&tolerance) {
        Ok(())
    } else {
        Err(AnalysisError::Tolerance { tolerance })
    }
}
