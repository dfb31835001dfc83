//! The packings on which the statements about indexes are checked.

use jostle::{
    Boundaries, Effort, PackOptions, Packing, SizeSpec, Spheres,
    glam::DVec3,
    laboratory::compare::{AcrossFaces, published_octree_candidates, published_octree_levels},
    pack,
};

use crate::outcome::Outcome;

/// Number of spheres, as in the paper.
pub const SPHERES: usize = 10_000;

/// Number of packings of Fuller sizes.
const FULLER_RUNS: u64 = 6;

/// Verlet distance over the mean diameter.
const RELATIVE_VERLET_DISTANCE: f64 = 0.1;

/// Periodic packings of effort `quick`: the boundary that reproduces Table 1.
pub struct Scenes {
    /// Equal spheres of diameter 1.
    pub equal: Packing,
    /// Fuller sizes by Eq. 6, with different seeds.
    pub fuller: Vec<Packing>,
}

impl Scenes {
    pub fn pack() -> Outcome<Self> {
        let fuller = fuller_radii()?;
        let runs = (1..=FULLER_RUNS).map(|seed| packed(&fuller, seed));
        Ok(Self {
            equal: packed(&[0.5; SPHERES], 1)?,
            fuller: runs.collect::<Outcome<_>>()?,
        })
    }
}

/// Returns the radii of Eq. 6: the quantiles by number at the middle of each ten-thousandth part.
pub fn fuller_radii() -> Outcome<Vec<f64>> {
    let law = SizeSpec::load("fuller:d_min=1,d_max=684.75")?.distribution;
    let middle = |i: usize| (i as f64 + 0.5) / SPHERES as f64;
    let radius = |i| 0.5 * law.number_quantile(middle(i));
    Ok((0..SPHERES).map(radius).collect())
}

fn packed(radii: &[f64], seed: u64) -> Outcome<Packing> {
    let options = PackOptions::default()
        .container(Boundaries::PERIODIC)
        .effort(Effort::QUICK)
        .seed(seed);
    Ok(pack(radii, &options)?.packing)
}

/// Returns the side of the cube.
pub fn side(packing: &Packing) -> f64 {
    packing.container().lengths().x
}

/// Returns a tenth of the mean diameter.
pub fn verlet_distance(packing: &Packing) -> f64 {
    let radii = packing.spheres().radii();
    2.0 * RELATIVE_VERLET_DISTANCE * radii.iter().sum::<f64>() / radii.len() as f64
}

/// Returns the candidates per sphere in the octree of the paper with expansion factor `k`, one query for each image. The corner of the cube is
/// moved by a share of its sides: a periodic packing remains the same packing.
pub fn candidates(k: f64, packing: &Packing, corner: f64) -> f64 {
    candidates_at(k, packing, DVec3::splat(corner))
}

/// Returns the mean of [`candidates`] over eight positions of the corner.
pub fn mean_candidates(k: f64, packing: &Packing) -> f64 {
    let octants = (0..8).map(|octant: u32| {
        let corner = [0, 1, 2].map(|axis| 0.25 + 0.5 * f64::from(octant >> axis & 1));
        candidates_at(k, packing, DVec3::from_array(corner))
    });
    octants.sum::<f64>() / 8.0
}

fn candidates_at(k: f64, packing: &Packing, corner: DVec3) -> f64 {
    let (container, spheres) = (packing.container(), packing.spheres());
    let moved = |&center: &DVec3| container.wrap(center + corner * container.lengths());
    let centers = spheres.centers().iter().map(moved).collect();
    let moved = Spheres::new(centers, spheres.radii().to_vec());
    let distance = verlet_distance(packing);
    published_octree_candidates(k, &moved, container, distance, AcrossFaces::Images)
}

/// Returns the number of spheres on each level of the octree of the paper with expansion factor `k`.
pub fn levels(k: f64, packing: &Packing) -> Vec<usize> {
    published_octree_levels(k, packing.spheres(), packing.container())
}
