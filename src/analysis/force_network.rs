//! The network of the contacts that bear force in a jammed packing.

use serde::Serialize;

use super::{
    classes::Classes, constants::LISTED_CONTACTS, contact_profile::ContactProfile,
    error::AnalysisError, force_contacts::ForceContacts, force_distribution::ForceDistribution,
    small_gaps::SmallGaps, stress::Stress,
};
use crate::{
    container::{Container, Solid},
    packing::{ContactForces, Packing},
};

/// The network of the contacts that bear force in a jammed packing. Its backbone are the spheres that bear force.
///
/// # Example
/// ```
/// use jostle::{Container, Packing, Spheres, analysis::ForceNetwork, glam::DVec3, packing::{ContactForces, WallForce}};
///
/// // Two spheres in a row between the ends of a tight box, which presses with 1 on each unit of area.
/// let container = Container::cuboid(DVec3::new(1.0, 1.0, 2.0), "www".parse()?)?;
/// let centers = vec![DVec3::new(0.5, 0.5, 0.5), DVec3::new(0.5, 0.5, 1.5)];
/// let wall = |sphere: u32, normal, force| WallForce { sphere, normal, force };
/// let ends = [wall(0, [0.0, 0.0, -1.0], 1.0), wall(1, [0.0, 0.0, 1.0], 1.0)];
/// let sides = [[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]];
/// let sides = (0..2).flat_map(|sphere| sides.map(|[x, y]| wall(sphere, [x, y, 0.0], 2.0)));
/// let mut walls: Vec<WallForce> = ends.into_iter().chain(sides).collect();
/// walls.sort_by_key(|wall| wall.sphere);
/// let forces = ContactForces::new(vec![[0, 1]], vec![1.0], walls)?;
/// let packing = Packing::new(Spheres::new(centers, vec![0.5; 2]), container).with_forces(forces)?;
///
/// let network = ForceNetwork::new(&packing)?.unwrap();
/// assert_eq!((network.backbone, network.pairs, network.walls), (2, 1, 10));
/// assert_eq!(network.stress.tensor, [[2.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 1.0]]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ForceNetwork {
    /// Number of spheres that bear force.
    pub backbone: usize,
    /// Number of spheres that bear no force and are not fixed.
    pub rattlers: usize,
    /// Number of such spheres in each size class of [`SizeSummary::classes`](super::SizeSummary::classes).
    pub rattlers_by_class: Vec<usize>,
    /// Number of contacts between spheres that bear force.
    pub pairs: usize,
    /// Number of contacts with walls and bodies that bear force.
    pub walls: usize,
    /// Mean number of contacts of a sphere of the backbone with spheres; 0 without a backbone.
    pub mean: f64,
    /// Mean number of contacts that a sphere of the backbone in the class of the row has with spheres of the class of the column.
    pub by_class: Vec<Vec<f64>>,
    /// Shares of the spheres of the backbone with 0, 1, 2 … contacts, with walls. The last share, of 24, includes all larger numbers.
    pub distribution: Vec<f64>,
    /// Contacts against degrees of freedom.
    pub maxwell: MaxwellCount,
    /// The mean stress.
    pub stress: Stress,
    /// Distribution of the forces between spheres.
    pub forces: ForceDistribution,
    /// Gaps between spheres of the backbone that do not bear force.
    pub gaps: SmallGaps,
    /// Contacts against the distance from the walls; absent without walls and bodies.
    pub depth: Option<ContactProfile>,
}

/// Contacts against degrees of freedom in a jammed packing.
///
/// # Reference
/// A. Donev, S. Torquato & F. H. Stillinger, Pair correlation function characteristics of nearly jammed disordered and ordered hard-sphere
/// packings, Phys. Rev. E 71 (2005) 011105, [doi:10.1103/PhysRevE.71.011105](https://doi.org/10.1103/PhysRevE.71.011105).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct MaxwellCount {
    /// Number of contacts that bear force, with walls and bodies.
    pub contacts: usize,
    /// Three for each free sphere, two for each free disk of the backbone, and one for the size of the container under a pressure. Motions of all
    /// spheres together that change no distance do not count: translations along periodic axes, and rotations in a cylinder, a cone, a sphere or a
    /// circle. Bodies and fixed spheres that bear force prevent these motions.
    pub degrees_of_freedom: usize,
    /// Contacts minus degrees of freedom: 0 in an isostatic packing, above 0 in crystals. In a bed, spheres that only lie on the floor lack two contacts each.
    pub excess: i64,
}

impl ForceNetwork {
    /// Analyzes the forces of a packing; `None` if they are not known.
    ///
    /// # Cost
    /// O(N + contacts), and a search for pairs whose gaps are small.
    ///
    /// # Errors
    /// [`AnalysisError`] if a center or a radius is not accepted, or if very many spheres overlap at one place.
    pub fn new(packing: &Packing) -> Result<Option<Self>, AnalysisError> {
        let Some(forces) = packing.forces() else {
            return Ok(None);
        };
        let Some(contacts) = ForceContacts::new(packing) else {
            return Ok(None);
        };
        let count = packing.spheres().len();
        let backbone: Vec<usize> = (0..count).filter(|&id| contacts.of(id) > 0).collect();
        let mut rattlers_by_class = Vec::new();
        let classes = Classes::alone(packing.spheres().radii(), packing.container().dimension());
        let of: Vec<usize> = (packing.spheres().radii().iter())
            .map(|&radius| classes.of(radius))
            .collect();
        rattlers_by_class.resize(classes.len(), 0);
        for (&class, &is_rattler) in of.iter().zip(&contacts.is_rattler) {
            rattlers_by_class[class] += usize::from(is_rattler);
        }
        let pairs = forces.of_pairs.iter().filter(|&&force| force > 0.0).count();
        let walls = forces.walls.iter().filter(|wall| wall.force > 0.0).count();
        let share = |number: usize| number as f64 / backbone.len().max(1) as f64;
        let mut numbers = [0; LISTED_CONTACTS + 1];
        for &id in &backbone {
            numbers[(contacts.of(id) as usize).min(LISTED_CONTACTS)] += 1;
        }
        Ok(Some(Self {
            backbone: backbone.len(),
            rattlers: rattlers_by_class.iter().sum(),
            rattlers_by_class,
            pairs,
            walls,
            mean: share(2 * pairs),
            by_class: by_class(forces, &of, classes.len(), &backbone),
            distribution: numbers.into_iter().map(share).collect(),
            maxwell: MaxwellCount::new(packing, forces, &backbone, pairs + walls),
            stress: Stress::new(packing, forces),
            forces: ForceDistribution::new(forces),
            gaps: SmallGaps::new(packing, forces, &contacts, backbone.len())?,
            depth: ContactProfile::new(packing, &contacts, &backbone),
        }))
    }
}

/// Returns the mean numbers of contacts between size classes of the backbone.
fn by_class(
    forces: &ContactForces,
    class_of: &[usize],
    classes: usize,
    backbone: &[usize],
) -> Vec<Vec<f64>> {
    let mut counts = vec![vec![0_usize; classes]; classes];
    for (pair, &force) in forces.pairs.iter().zip(&forces.of_pairs) {
        if force > 0.0 {
            let [a, b] = pair.map(|id| class_of[id as usize]);
            counts[a][b] += 1;
            counts[b][a] += 1;
        }
    }
    let mut spheres = vec![0_usize; classes];
    backbone.iter().for_each(|&id| spheres[class_of[id]] += 1);
    let mean = |(row, number): (Vec<usize>, &usize)| {
        let number = (*number).max(1) as f64;
        row.into_iter().map(|count| count as f64 / number).collect()
    };
    counts.into_iter().zip(&spheres).map(mean).collect()
}

impl MaxwellCount {
    fn new(packing: &Packing, forces: &ContactForces, backbone: &[usize], contacts: usize) -> Self {
        let free = backbone.iter().filter(|&&id| !packing.is_fixed(id)).count();
        let is_held = free < backbone.len() || !packing.container().bodies().is_empty();
        let motions = if is_held || forces.is_empty() {
            0
        } else {
            common_motions(packing.container())
        };
        let dimension = packing.container().dimension();
        let size = usize::from(forces.gravity.is_none());
        let degrees_of_freedom = (dimension.number() * free + size).saturating_sub(motions);
        Self {
            contacts,
            degrees_of_freedom,
            excess: contacts as i64 - degrees_of_freedom as i64,
        }
    }
}

/// Returns the number of motions of all spheres together that change no distance, in a container without bodies.
fn common_motions(container: &Container) -> usize {
    let translations = (0..3).filter(|&axis| container.is_periodic(axis)).count();
    let rotations = match container.solid() {
        Solid::Cylinder(_) | Solid::Cone(_) | Solid::Circle(_) => 1,
        Solid::Sphere(_) => 3,
        _ => 0,
    };
    translations + rotations
}
