//! All quantities of a packing at once.

use glam::DVec2;
use serde::Serialize;

use super::{
    adjacency::Adjacency,
    bed::BedSummary,
    bond_order::BondOrder,
    cells::levels,
    classes::{ClassSummary, Classes},
    components::{ComponentSummary, groups, summaries},
    constants::{
        HOMOGENEITY_CELLS, LARGEST_DEFAULT_TOLERANCE, LISTED_CONTACTS, MOST_POINTS, NEIGHBOR_GAP,
        POINTS,
    },
    contacts::{Contacts, check_tolerance},
    coordinate::ProfileAlong,
    error::AnalysisError,
    fabric::Fabric,
    force_network::ForceNetwork,
    gaps::GapDistribution,
    group_profile::GroupProfile,
    groups::Groups,
    hexatic_order::HexaticOrder,
    homogeneity::mixing,
    pair_distribution::PairDistribution,
    pores::PoreSizes,
    profile::Profiles,
    rattlers::{backbone, mean_of, rattlers_of},
    scene::Scene,
    sizes::SizeSummary,
    sorted::Sorted,
    structure_factor::StructureFactor,
    surface::surface_of,
    tolerance::suitable,
    void::probes,
};
use crate::{
    container::Container,
    dimension::Dimension,
    distribution::prediction_with_gap,
    machine::{divided::Divided, ranks::Ranks},
    macros::setters,
    packing::Packing,
};

/// Settings of an [`Analysis`].
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct AnalysisOptions {
    /// Tolerance of a contact in units of the smaller diameter, from 0 to 1. Default: the tolerance that suits the packing (see
    /// [`suitable_contacts`](super::suitable_contacts)).
    pub tolerance: Option<f64>,
    /// Axis of the profile of the packing fraction: 0, 1 or 2 for x, y or z. Default: 2, and 1 in the plane.
    pub axis: Option<usize>,
    /// Number of random points in the bounding box of the container, for pore sizes and sampled profiles. Default: 500 000, for
    /// which the standard error of the share of the void is below 0.001. At most 100 000 000.
    pub points: usize,
    /// Groups of spheres whose profiles are computed, in the order of the spheres of the packing. Default: none.
    pub groups: Option<Groups>,
    /// The ranks that analyze the packing together. Each one passes a packing with any part of the spheres, and the same container, sizes and
    /// provenance. All ranks call, and get the result for all spheres in the order of the ranks.
    ///
    /// The spheres are divided among the ranks by their positions. A rank takes memory for its share of the spheres, and for copies of
    /// those spheres of other ranks that are near its own. Each rank also holds all random points, and up to 100 000 reference spheres.
    pub ranks: Ranks,
}

impl Default for AnalysisOptions {
    fn default() -> Self {
        Self {
            tolerance: None,
            axis: None,
            points: POINTS,
            groups: None,
            ranks: Ranks::default(),
        }
    }
}

impl AnalysisOptions {
    setters! {
        /// Sets the tolerance of a contact, in units of the smaller diameter.
        tolerance: f64;
        /// Sets the axis of the profile: 0, 1 or 2 for x, y or z.
        axis: impl Into<Option<usize>>;
        /// Sets the number of random points.
        points: usize;
        /// Sets the groups of spheres whose profiles are computed.
        groups: impl Into<Option<Groups>>;
        /// Sets the ranks that analyze the packing together.
        ranks: impl Into<Ranks>;
    }
}

/// All quantities of a packing.
///
/// The JSON form has the names of the fields as keys. `docs/guide/analysis.md` lists definition, unit, cost and source of each
/// quantity.
///
/// # Example
/// ```
/// use jostle::{Effort, PackOptions, pack, analysis::{Analysis, AnalysisOptions}};
///
/// let packing = pack(&[0.5; 500], &PackOptions::default().effort(Effort::QUICK))?.packing;
/// let analysis = Analysis::new(&packing, &AnalysisOptions::default().tolerance(0.01))?;
/// assert_eq!(analysis.packing_fraction, packing.packing_fraction());
/// assert!(analysis.contacts.mean > 3.0 && analysis.contacts.mean < 8.0);
/// assert!(analysis.order.is_some_and(|order| order.crystal_share < 0.1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Analysis {
    /// Number of spheres.
    pub spheres: usize,
    /// Volume of the spheres divided by the volume of the container.
    pub packing_fraction: f64,
    /// Random close packing fraction that Farr & Groot predict for these radii and the requested smallest gap: see
    /// [`predicted_packing_fraction_with_gap`](crate::distribution::predicted_packing_fraction_with_gap).
    pub predicted_packing_fraction: f64,
    /// Surface of the spheres divided by the volume of the container, in 1 / unit of length.
    pub specific_surface: f64,
    /// Requested and achieved mass curve, and the size classes of this analysis.
    pub sizes: SizeSummary,
    /// Contacts, in total and by size class.
    pub contacts: ContactSummary,
    /// The components of a blend; none of other packings.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub components: Vec<ComponentSummary>,
    /// Spheres that their contacts cannot hold.
    pub rattlers: RattlerSummary,
    /// Mean number of neighbors within a gap.
    pub gaps: GapDistribution,
    /// Radial distribution function; absent if the container is too small for it.
    pub rdf: Option<PairDistribution>,
    /// Structure factor; absent without a periodic axis.
    pub structure_factor: Option<StructureFactor>,
    /// Local crystalline order; absent in the plane.
    pub order: Option<OrderSummary>,
    /// Hexatic order of disks; absent in space.
    pub hexatic: Option<HexaticSummary>,
    /// Fabric tensor of the contacts; absent without contacts.
    pub fabric: Option<Fabric>,
    /// The contacts that bear force; absent if the forces are not known, and on several ranks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub force_network: Option<ForceNetwork>,
    /// Spatial mixing of the sizes, for several numbers of cells.
    pub homogeneity: Vec<Homogeneity>,
    /// Pore size distribution; absent if no random point is in the void.
    pub pores: Option<PoreSizes>,
    /// Local packing fractions.
    pub profile: Profiles,
    /// Height, free surface and packing fractions of a bed at rest under gravity; absent of other packings, and on ranks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bed: Option<BedSummary>,
    /// Local packing fractions of [groups](AnalysisOptions::groups) along the axis, from the walls and along the radius; empty without
    /// groups.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub profiles: Vec<GroupProfile>,
}

/// Contacts of a packing.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ContactSummary {
    /// Tolerance in units of the smaller diameter.
    pub tolerance: f64,
    /// A sentence about contacts that hold no sphere; absent otherwise.
    pub note: Option<String>,
    /// Mean contact number of all spheres, without walls.
    pub mean: f64,
    /// Mean contact number of the spheres that are no rattlers, with each other.
    pub mean_backbone: f64,
    /// Mean number of contacts that a sphere of the class of the row has with spheres of the class of the column. The classes
    /// are those of [`SizeSummary::classes`].
    pub by_class: Vec<Vec<f64>>,
    /// Shares of the spheres with 0, 1, 2 … contacts. The last share, of 24, includes all larger numbers.
    pub distribution: Vec<f64>,
    /// Correlation of the sizes of touching spheres: see [`Contacts::size_correlation`].
    pub size_correlation: Option<f64>,
    /// Number of spheres that touch a wall.
    pub at_walls: usize,
}

/// Rattlers of a packing: see [`rattlers`](fn@super::rattlers).
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct RattlerSummary {
    /// Number of rattlers.
    pub number: usize,
    /// Share of all spheres; 0 without spheres.
    pub share: f64,
}

/// Crystalline order of a packing: see [`BondOrder`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct OrderSummary {
    /// Mean q₄ of all spheres; 0 without spheres.
    pub q4_mean: f64,
    /// Mean q₆ of all spheres; 0 without spheres.
    pub q6_mean: f64,
    /// Share of crystal-like spheres; 0 without spheres.
    pub crystal_share: f64,
}

/// Hexatic order of a packing of disks: see [`HexaticOrder`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct HexaticSummary {
    /// Mean of |ψ₆|: local order; 0 without disks.
    pub psi6_mean: f64,
    /// Modulus of the mean of ψ₆: 1 in one triangular lattice, and near 0 in many crystals of different orientation.
    pub psi6_global: f64,
}

/// Spatial mixing of the sizes: see [`homogeneity`](fn@super::homogeneity).
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Homogeneity {
    /// Number of cells along each axis.
    pub cells_per_axis: usize,
    /// Root mean square of the z-scores of the mean logarithm of the radius; absent for equal spheres.
    pub sizes: Option<f64>,
    /// Root mean square of the z-scores of the share of spheres in each size class; absent for a class that contains all spheres.
    pub classes: Vec<Option<f64>>,
}

impl Analysis {
    /// Computes all quantities.
    ///
    /// # Cost
    /// O(N) beyond two sorts of the radii, on rayon's threads. The result has the same bits for any number of threads.
    ///
    /// # Errors
    /// [`AnalysisError`] if a center, a radius, the tolerance, the axis or the number of points is not accepted, or if very many spheres
    /// overlap at one place; on all ranks. Numbers of spheres count those of all ranks.
    pub fn new(packing: &Packing, options: &AnalysisOptions) -> Result<Self, AnalysisError> {
        options.check()?;
        let axis = options.axis_in(&packing.container)?;
        let (spheres, container) = (&packing.spheres, &packing.container);
        let ranks = &options.ranks;
        let radii = Divided::new(spheres.radii(), ranks);
        let packing_fraction = fraction_of(&radii, container)?;
        let scene = Scene::of_ranks(spheres, container, ranks)?.with_groups(groups(packing));
        let sorted = Sorted::new(&scene.radii, ranks);
        let classes = Classes::new(&sorted, container.dimension());
        let sizes = SizeSummary::of_packing(packing, &sorted, &classes);
        drop(sorted);
        // Sorting loses the groups.
        let profiles = match &options.groups {
            Some(groups) => GroupProfile::all(&scene, groups, axis)?,
            None => Vec::new(),
        };
        // One search finds the neighbors and the contacts.
        let widest = options
            .tolerance
            .map_or(NEIGHBOR_GAP, |tolerance| tolerance.max(NEIGHBOR_GAP));
        let scene = scene.along_curve(widest);
        let levels = levels(&scene);
        let found = Adjacency::new(&scene, &levels, widest)?;
        let (contacts, is_rattler) = contacts_at(&scene, &found, options.tolerance);
        let neighbors = if widest > NEIGHBOR_GAP {
            found.within(&scene, NEIGHBOR_GAP)
        } else {
            found
        };
        let gaps = GapDistribution::of_neighbors(&scene, &neighbors);
        let (order, hexatic) = order_of(&scene, &neighbors);
        drop(neighbors);
        let longest = scene.container.lengths().length();
        let probes = probes(&scene, &levels, options.points, longest);
        let min_gap = packing.provenance.as_ref().map_or(0.0, |run| run.min_gap);
        Ok(Self {
            spheres: radii.len(),
            packing_fraction,
            predicted_packing_fraction: prediction_with_gap(container.dimension(), &radii, min_gap),
            specific_surface: surface_of(&radii, container),
            sizes,
            rattlers: RattlerSummary::new(&scene, &is_rattler),
            fabric: Fabric::of_scene(&scene, &contacts).ok(),
            components: summaries(&scene, &packing.components, &contacts),
            contacts: ContactSummary::new(&scene, &contacts, &classes, &is_rattler),
            gaps,
            rdf: PairDistribution::of_classes(&scene, &classes),
            structure_factor: StructureFactor::of_scene(&scene),
            order,
            hexatic,
            force_network: ForceNetwork::new(packing)?,
            homogeneity: homogeneity_of(&scene, &classes),
            pores: PoreSizes::of_probes(&probes),
            profile: Profiles::of_scene(&scene, axis, &probes),
            bed: (packing.gravity().filter(|_| ranks.is_alone()))
                .map(|gravity| BedSummary::of_probes(packing, gravity, &probes)),
            profiles,
        })
    }
}

/// Returns the packing fraction, or rejects volumes beyond the range of numbers.
fn fraction_of(radii: &Divided, container: &Container) -> Result<f64, AnalysisError> {
    let fraction = container.fraction_of(radii);
    let longest = container.lengths().max_element();
    (fraction.is_finite().then_some(fraction)).ok_or(AnalysisError::Volume { longest })
}

/// Returns the order of spheres, or that of disks.
fn order_of(
    scene: &Scene,
    neighbors: &Adjacency,
) -> (Option<OrderSummary>, Option<HexaticSummary>) {
    match scene.dimension() {
        Dimension::Two => {
            let order = HexaticOrder::of_neighbors(scene, neighbors);
            (None, Some(HexaticSummary::new(scene, &order)))
        }
        Dimension::Three => {
            let order = BondOrder::of_neighbors(scene, neighbors);
            (Some(OrderSummary::new(scene, &order)), None)
        }
    }
}

/// Returns the contacts among near pairs at a tolerance, or at the one that suits the packing, and for each sphere whether it is a rattler.
fn contacts_at(scene: &Scene, near: &Adjacency, tolerance: Option<f64>) -> (Contacts, Vec<bool>) {
    let Some(tolerance) = tolerance else {
        let near = near.within(scene, LARGEST_DEFAULT_TOLERANCE);
        let (contacts, is_rattler) = suitable(scene, &near);
        return (contacts.listed(scene), is_rattler);
    };
    let contacts = Contacts::of_pairs(scene, near.within(scene, tolerance), tolerance);
    let is_rattler = rattlers_of(scene, &contacts);
    (contacts, is_rattler)
}

impl AnalysisOptions {
    /// Rejects options that no analysis can have.
    fn check(&self) -> Result<(), AnalysisError> {
        self.tolerance.map_or(Ok(()), check_tolerance)?;
        if let Some(axis) = self.axis.filter(|&axis| axis > 2) {
            return Err(AnalysisError::Axis { axis });
        }
        if self.points > MOST_POINTS {
            return Err(AnalysisError::Points {
                points: self.points,
            });
        }
        Ok(())
    }

    /// Returns the axis of the profile in a container.
    fn axis_in(&self, container: &Container) -> Result<usize, AnalysisError> {
        let axis = self.axis.unwrap_or(container.dimension().number() - 1);
        ProfileAlong::of_axis(axis).check(container)?;
        Ok(axis)
    }
}

impl ContactSummary {
    fn new(scene: &Scene, contacts: &Contacts, classes: &Classes, is_rattler: &[bool]) -> Self {
        let (own, ranks) = (scene.own.clone(), &scene.ranks);
        let mut counts = vec![0_u64; classes.len() * classes.len()];
        for pair in contacts.pairs() {
            let [a, b] = pair.map(|id| classes.of(scene.radii[id as usize]));
            counts[a * classes.len() + b] += 1;
            counts[b * classes.len() + a] += 1;
        }
        let counts = ranks.totals(counts);
        let row = |(class, summary): (usize, &ClassSummary)| {
            let row = &counts[class * classes.len()..(class + 1) * classes.len()];
            let share = |&count: &u64| count as f64 / summary.number as f64;
            row.iter().map(share).collect()
        };
        let touches_wall = |walls: &&u32| **walls > 0;
        let at_walls = contacts.wall_contacts()[own.clone()].iter();
        let mut numbers = vec![0_u64; LISTED_CONTACTS + 1];
        for &number in &contacts.numbers()[own.clone()] {
            numbers[(number as usize).min(LISTED_CONTACTS)] += 1;
        }
        let share = |number: u64| number as f64 / scene.total.max(1) as f64;
        let [spheres, pairs] = backbone(contacts, is_rattler, own.clone());
        let backbone = ranks.totals(vec![spheres, pairs]);
        let tolerance = contacts.tolerance();
        let note = || {
            format!(
                "at a tolerance of {tolerance} smaller diameters, no sphere is held by its contacts: the packing is loose, or its gaps are wider"
            )
        };
        Self {
            note: (backbone[0] == 0 && scene.total > 0).then(note),
            tolerance,
            distribution: ranks.totals(numbers).into_iter().map(share).collect(),
            mean: share(ranks.total(contacts.directed(&own)) as u64),
            mean_backbone: mean_of(backbone[0], backbone[1]),
            by_class: classes.summaries.iter().enumerate().map(row).collect(),
            at_walls: ranks.total(at_walls.filter(touches_wall).count()),
            size_correlation: contacts.correlation(&scene.radii, own, ranks),
        }
    }
}

impl RattlerSummary {
    fn new(scene: &Scene, is_rattler: &[bool]) -> Self {
        let own = is_rattler[scene.own.clone()].iter();
        let number = scene.ranks.total(own.filter(|&&is| is).count());
        Self {
            number,
            share: number as f64 / scene.total.max(1) as f64,
        }
    }
}

impl HexaticSummary {
    fn new(scene: &Scene, order: &HexaticOrder) -> Self {
        let count = scene.total.max(1) as f64;
        let mean = |part: fn(&DVec2) -> f64| scene.sum(order.psi6.iter().map(part)) / count;
        Self {
            psi6_mean: mean(|psi6| psi6.length()),
            psi6_global: DVec2::new(mean(|psi6| psi6.x), mean(|psi6| psi6.y)).length(),
        }
    }
}

impl OrderSummary {
    fn new(scene: &Scene, order: &BondOrder) -> Self {
        let count = scene.total.max(1) as f64;
        let mean = |values: &[f64]| scene.sum(values.iter().copied()) / count;
        let crystal_like = order.is_crystal_like.iter().filter(|&&is| is).count();
        Self {
            q4_mean: mean(&order.q4),
            q6_mean: mean(&order.q6),
            crystal_share: scene.ranks.total(crystal_like) as f64 / count,
        }
    }
}

fn homogeneity_of(scene: &Scene, classes: &Classes) -> Vec<Homogeneity> {
    let logs: Vec<f64> = scene.radii[scene.own.clone()]
        .iter()
        .map(|&radius| libm::log(radius))
        .collect();
    let membership = |class: usize| -> Vec<f64> {
        let is_member = |id| f64::from(u8::from(classes.of(scene.radii[id]) == class));
        scene.own.clone().map(is_member).collect()
    };
    let memberships: Vec<Vec<f64>> = (0..classes.len()).map(membership).collect();
    HOMOGENEITY_CELLS
        .iter()
        .map(|&cells_per_axis| Homogeneity {
            cells_per_axis,
            sizes: mixing(scene, cells_per_axis, &logs),
            classes: memberships
                .iter()
                .map(|values| mixing(scene, cells_per_axis, values))
                .collect(),
        })
        .collect()
}
