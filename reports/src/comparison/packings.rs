//! The packings for Table 1 and Fig. 9 of Raschdorf & Kolonko 2011, and everything counted on them.

use jostle::{
    Boundaries, Effort, IndexKind, PackOptions, Packing, SizeSpec,
    laboratory::compare::{
        AcrossFaces, IndexMeasurement, adjoining_cell_candidates, measure_index,
        published_octree_candidates, published_octree_levels,
    },
    pack,
};
use strum::VariantArray;

use super::outcome::Outcome;

/// Number of packings in each series, as in the paper.
pub const RUNS: u64 = 10;
/// Verlet distance over the mean diameter.
const RELATIVE_VERLET_DISTANCE: f64 = 0.1;
/// Expansion factors of the strict and of the loose octree.
const EXPANSIONS: [f64; 2] = [1.0, 2.0];

/// Counts on one packing.
pub struct Counts {
    /// Side of the container in the smallest diameter.
    pub side: f64,
    /// Packing fraction.
    pub packing_fraction: f64,
    /// Candidates in the published grid.
    pub grid: f64,
    /// Candidates in the published strict and loose octree, by images and around.
    pub octrees: [[f64; 2]; 2],
    /// Number of spheres on each level of the published strict and loose octree.
    pub levels: [Vec<usize>; 2],
    /// Measurements of the indexes of this crate, in the order of `IndexKind::VARIANTS`.
    pub measured: Vec<IndexMeasurement>,
}

/// The packings of one size distribution with one boundary.
pub struct Series {
    /// Name of the size distribution.
    pub sizes: &'static str,
    /// Whether the container is periodic; otherwise it has walls.
    pub periodic: bool,
    /// Number of spheres.
    pub spheres: usize,
    /// Counts of each packing.
    pub runs: Vec<Counts>,
}

impl Series {
    /// Returns one value of each packing.
    pub fn values(&self, value: impl Fn(&Counts) -> f64) -> Vec<f64> {
        self.runs.iter().map(value).collect()
    }
}

/// Makes the series of equal spheres between walls, of equal periodic ones, of Fuller sizes between walls, and of
/// periodic Fuller sizes.
pub fn all(spheres: usize) -> Outcome<Vec<Series>> {
    let law = SizeSpec::load("fuller:d_min=1,d_max=684.75")?.distribution;
    let middle = |i| (i as f64 + 0.5) / spheres as f64;
    let fuller: Vec<f64> = (0..spheres)
        .map(|i| law.number_quantile(middle(i)))
        .collect();
    let equal = vec![1.0; spheres];
    let mut all = Vec::new();
    for (sizes, diameters) in [("equal spheres", equal), ("Fuller", fuller)] {
        for periodic in [false, true] {
            all.push(series(sizes, &diameters, periodic)?);
        }
    }
    Ok(all)
}

fn series(sizes: &'static str, diameters: &[f64], periodic: bool) -> Outcome<Series> {
    let radii: Vec<f64> = diameters.iter().map(|d| 0.5 * d).collect();
    let spheres = diameters.len();
    let verlet_distance = RELATIVE_VERLET_DISTANCE * diameters.iter().sum::<f64>() / spheres as f64;
    let boundary = if periodic {
        Boundaries::PERIODIC
    } else {
        Boundaries::WALLS
    };
    let mut runs = Vec::new();
    for seed in 1..=RUNS {
        eprintln!("{sizes}, boundary {boundary}, run {seed}");
        let options = PackOptions::default()
            .container(boundary)
            .seed(seed)
            .effort(Effort::QUICK);
        let packing = pack(&radii, &options)?.packing;
        runs.push(counts(&packing, verlet_distance));
    }
    Ok(Series {
        sizes,
        periodic,
        spheres,
        runs,
    })
}

fn counts(packing: &Packing, verlet_distance: f64) -> Counts {
    let (spheres, container) = (&packing.spheres(), &packing.container());
    let octree = |k| {
        [AcrossFaces::Images, AcrossFaces::Around].map(|across| {
            published_octree_candidates(k, spheres, container, verlet_distance, across)
        })
    };
    Counts {
        side: container.lengths().x,
        packing_fraction: packing.packing_fraction(),
        grid: adjoining_cell_candidates(spheres, container),
        octrees: EXPANSIONS.map(octree),
        levels: EXPANSIONS.map(|k| published_octree_levels(k, spheres, container)),
        measured: IndexKind::VARIANTS
            .iter()
            .map(|&kind| measure_index(kind, spheres, container, verlet_distance))
            .collect(),
    }
}
