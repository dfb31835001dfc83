//! Bond order: how crystalline the neighborhood of each sphere is.

use std::f64::consts::PI;

use glam::{DVec2, DVec3};
use rayon::prelude::*;

use super::{
    adjacency::Adjacency,
    cells::levels,
    constants::{CRYSTAL_BOND, FEWEST_CRYSTAL_BONDS, NEIGHBOR_GAP},
    error::AnalysisError,
    scene::Scene,
};
use crate::{container::Container, dimension::Dimension, spheres::Spheres};

/// Steinhardt's bond order parameters q₄ and q₆ of each sphere, and the crystal-like spheres.
///
/// Two spheres are neighbors if their gap is at most 0.4 of the smaller diameter. For equal spheres this is the distance
/// 1.4 d. Since the gap is compared with the smaller diameter, a large sphere among small ones has only its first layer as
/// neighbors, at any size ratio.
///
/// `q_lm` is the mean of the spherical harmonic `Y_lm` over the directions of the neighbors, and
/// `q_l = sqrt(4π / (2l + 1) · Σ_m |q_lm|²)`, from 0 to 1 and the same in any rotated frame. A sphere without neighbors has
/// 0. A neighbor with an equal center has no direction and is skipped.
///
/// | lattice of touching spheres | neighbors | q₄ | q₆ |
/// |---|---|---|---|
/// | face-centered cubic | 12 | 0.1909 | 0.5745 |
/// | hexagonal close-packed | 12 | 0.0972 | 0.4848 |
/// | body-centered cubic | 14 | 0.0364 | 0.5107 |
/// | simple cubic | 6 | 0.7638 | 0.3536 |
///
/// A bond is crystalline if the normalized product `Re Σ_m q₆m(i) conj(q₆m(j)) / (|q₆(i)| |q₆(j)|)` of the two spheres
/// exceeds 0.7. A sphere is crystal-like if at least 7 of its bonds and more than half of them are crystalline. The second
/// condition is ours: among hundreds of neighbors of a large sphere, 7 products exceed 0.7 by chance.
///
/// # References
/// P. J. Steinhardt, D. R. Nelson & M. Ronchetti, Bond-orientational order in liquids and glasses, Phys. Rev. B 28 (1983)
/// 784, [doi:10.1103/PhysRevB.28.784](https://doi.org/10.1103/PhysRevB.28.784), equations 1.2 and 1.3: q_l.
/// P. R. ten Wolde, M. J. Ruiz-Montero & D. Frenkel, Numerical calculation of the rate of crystal nucleation in a
/// Lennard-Jones system at moderate undercooling, J. Chem. Phys. 104 (1996) 9932,
/// [doi:10.1063/1.471721](https://doi.org/10.1063/1.471721): the products, and 7 bonds.
/// L. Filion, M. Hermes, R. Ni & M. Dijkstra, Crystal nucleation of hard spheres using molecular dynamics, umbrella
/// sampling, and forward flux sampling, J. Chem. Phys. 133 (2010) 244115,
/// [doi:10.1063/1.3506838](https://doi.org/10.1063/1.3506838): the threshold 0.7 for hard spheres.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct BondOrder {
    /// q₄ of each sphere.
    pub q4: Vec<f64>,
    /// q₆ of each sphere.
    pub q6: Vec<f64>,
    /// Number of neighbors of each sphere.
    pub neighbors: Vec<u32>,
    /// Whether each sphere is crystal-like.
    pub is_crystal_like: Vec<bool>,
}

impl BondOrder {
    /// Computes the bond order of every sphere.
    ///
    /// # Cost
    /// O(N + neighbors) time, 112 bytes for each sphere and 4 bytes for each neighbor, on rayon's threads.
    ///
    /// # Errors
    /// [`AnalysisError`] if a center or a radius is not accepted, if very many spheres overlap at one place, or in the plane, where
    /// [`HexaticOrder`](super::HexaticOrder) is known.
    pub fn new(spheres: &Spheres, container: &Container) -> Result<Self, AnalysisError> {
        let scene = Scene::of_dimension(Dimension::Three, "the bond order", spheres, container)?;
        let near = Adjacency::new(&scene, &levels(&scene), NEIGHBOR_GAP)?;
        Ok(Self::of_neighbors(&scene, &near))
    }

    /// Computes the bond order from the neighbors of each sphere.
    pub(super) fn of_neighbors(scene: &Scene, adjacency: &Adjacency) -> Self {
        let (fourth, sixth) = (Harmonics::<5>::new(), Harmonics::<7>::new());
        let (q4, vectors): (Vec<f64>, Vec<[DVec2; 7]>) = scene
            .ids()
            .map(|id| {
                let (mut q4, mut q6) = ([DVec2::ZERO; 5], [DVec2::ZERO; 7]);
                let mut count = 0.0;
                for direction in adjacency.directions(scene, id) {
                    add(&mut q4, fourth.of(direction));
                    add(&mut q6, sixth.of(direction));
                    count += 1.0;
                }
                let share = if count > 0.0 { 1.0 / count } else { 0.0 };
                (norm(&q4.map(|q| share * q)), q6.map(|q| share * q))
            })
            .unzip();
        let vectors = scene.with_copies(vectors);
        Self {
            q4,
            q6: scene.ids().map(|id| norm(&vectors[id])).collect(),
            neighbors: adjacency.numbers(scene),
            is_crystal_like: scene
                .ids()
                .map(|id| is_crystal_like(id, adjacency, &vectors))
                .collect(),
        }
    }

    /// Returns the number share of the crystal-like spheres; 0 if there are no spheres.
    pub fn crystal_share(&self) -> f64 {
        if self.is_crystal_like.is_empty() {
            return 0.0;
        }
        let count = self.is_crystal_like.iter().filter(|&&is| is).count();
        count as f64 / self.is_crystal_like.len() as f64
    }
}

fn add<const N: usize>(sums: &mut [DVec2; N], terms: [DVec2; N]) {
    for (sum, term) in sums.iter_mut().zip(terms) {
        *sum += term;
    }
}

/// Returns `Re Σ_m a_m conj(b_m)` over positive and negative orders.
fn product<const N: usize>(a: &[DVec2; N], b: &[DVec2; N]) -> f64 {
    let twice: f64 = (1..N).map(|m| a[m].dot(b[m])).sum();
    a[0].dot(b[0]) + 2.0 * twice
}

/// Returns q_l of the means q_lm, for the degree `N − 1`.
fn norm<const N: usize>(q: &[DVec2; N]) -> f64 {
    (4.0 * PI / (2 * N - 1) as f64 * product(q, q)).sqrt()
}

/// Returns whether enough bonds of a sphere are crystalline.
fn is_crystal_like(id: usize, adjacency: &Adjacency, vectors: &[[DVec2; 7]]) -> bool {
    let (own, neighbors) = (&vectors[id], adjacency.of(id));
    let square = product(own, own);
    let is_crystalline = |&&other: &&u32| {
        let other = &vectors[other as usize];
        product(own, other) > CRYSTAL_BOND * (square * product(other, other)).sqrt()
    };
    let bonds = neighbors.iter().filter(is_crystalline).count();
    bonds >= FEWEST_CRYSTAL_BONDS && 2 * bonds > neighbors.len()
}

/// The spherical harmonics Y_lm of one degree l, for the orders m from 0 to l. Those of negative order follow from
/// `Y_l(−m) = (−1)^m conj(Y_lm)`.
///
/// `Y_lm = K_lm · Π_lm(z) · (x + iy)^m` for the unit vector (x, y, z). Here `Π_lm` is the associated Legendre function
/// `P_l^m(cos θ)` divided by `sin^m θ`, a polynomial of z, so that no angle is needed. It follows from the recurrence in l
/// of Press et al., Numerical Recipes, 3rd ed. (2007), equations 6.7.7 to 6.7.9.
struct Harmonics<const ORDERS: usize> {
    /// K_lm · Π_mm by order.
    factors: [f64; ORDERS],
}

impl<const ORDERS: usize> Harmonics<ORDERS> {
    /// The degree l.
    const DEGREE: usize = ORDERS - 1;

    /// Computes the factors `sqrt((2l + 1) / 4π · (l − m)! / (l + m)!) · (−1)^m (2m − 1)!!`.
    pub(super) fn new() -> Self {
        let l = Self::DEGREE;
        let factors = std::array::from_fn(|m| {
            let ratio: f64 = (l - m + 1..=l + m).map(|k| k as f64).product();
            let diagonal: f64 = (1..=m).map(|k| -((2 * k - 1) as f64)).product();
            ((2 * l + 1) as f64 / (4.0 * PI) / ratio).sqrt() * diagonal
        });
        Self { factors }
    }

    /// Returns the real and imaginary part of each harmonic in the direction of a unit vector.
    pub(super) fn of(&self, direction: DVec3) -> [DVec2; ORDERS] {
        let step = DVec2::new(direction.x, direction.y);
        let mut power = DVec2::X;
        std::array::from_fn(|m| {
            let harmonic = self.factors[m] * legendre(Self::DEGREE, m, direction.z) * power;
            power = power.rotate(step);
            harmonic
        })
    }
}

/// Returns `Π_lm(z) / Π_mm` for `l ≥ m`.
fn legendre(l: usize, m: usize, z: f64) -> f64 {
    let (mut before, mut last) = (0.0, 1.0);
    for k in m + 1..=l {
        let next = ((2 * k - 1) as f64 * z * last - (k + m - 1) as f64 * before) / (k - m) as f64;
        (before, last) = (last, next);
    }
    last
}

#[cfg(test)]
mod tests {
    use super::*;

    fn directions() -> impl Iterator<Item = DVec3> {
        (0..200).map(|i| {
            let z = 1.0 - 2.0 * (f64::from(i) + 0.5) / 200.0;
            let (sin, cos) = (2.4 * f64::from(i)).sin_cos();
            let r = (1.0 - z * z).sqrt();
            DVec3::new(r * cos, r * sin, z)
        })
    }

    #[track_caller]
    fn assert_equal(found: DVec2, expected: DVec2) {
        assert!(found.distance(expected) < 1e-13, "{found} {expected}");
    }

    #[test]
    fn harmonics_of_degree_two_agree_with_closed_forms() {
        for n in directions().chain([DVec3::Z, -DVec3::Z, DVec3::X]) {
            let y = Harmonics::<3>::new().of(n);
            let (xy, z) = (DVec2::new(n.x, n.y), n.z);
            assert_equal(
                y[0],
                DVec2::X * (5.0 / PI).sqrt() / 4.0 * (3.0 * z * z - 1.0),
            );
            assert_equal(y[1], -xy * z * (15.0 / (2.0 * PI)).sqrt() / 2.0);
            assert_equal(y[2], xy.rotate(xy) * (15.0 / (2.0 * PI)).sqrt() / 4.0);
        }
    }

    #[test]
    fn harmonics_of_degree_six_agree_with_closed_forms() {
        for n in directions() {
            let y = Harmonics::<7>::new().of(n);
            let (theta, phi) = (n.z.acos(), n.y.atan2(n.x));
            let (s, z) = (theta.sin(), n.z);
            let wave = |m: f64| DVec2::from_angle(m * phi);
            let z2 = z * z;
            let order_0 = (13.0 / PI).sqrt() / 32.0
                * (231.0 * z2.powi(3) - 315.0 * z2.powi(2) + 105.0 * z2 - 5.0);
            assert_equal(y[0], order_0 * DVec2::X);
            let order_3 = -(1365.0 / PI).sqrt() / 32.0 * s.powi(3) * (11.0 * z2 * z - 3.0 * z);
            assert_equal(y[3], order_3 * wave(3.0));
            let order_5 = -3.0 * (1001.0 / PI).sqrt() / 32.0 * s.powi(5) * z;
            assert_equal(y[5], order_5 * wave(5.0));
            let order_6 = (3003.0 / PI).sqrt() / 64.0 * s.powi(6);
            assert_equal(y[6], order_6 * wave(6.0));
        }
    }

    /// The sum of all |Y_lm|² is (2l + 1) / 4π in every direction.
    #[test]
    fn harmonics_fulfil_the_addition_theorem() {
        for n in directions() {
            let y = Harmonics::<5>::new().of(n);
            let twice: f64 = y[1..].iter().map(|y| y.length_squared()).sum();
            let sum = y[0].length_squared() + 2.0 * twice;
            assert!((sum - 9.0 / (4.0 * PI)).abs() < 1e-13, "{sum}");
        }
    }
}
