//! Structure factor, and its limit for small wave numbers.

use std::f64::consts::TAU;

use glam::{DVec2, DVec3};
use rayon::prelude::*;
use serde::Serialize;

use super::{
    constants::{
        DIRECTION_STEPS, FEWEST_VECTORS, FIT_WAVE_NUMBER, LARGEST_WAVE_NUMBER, MOST_WAVES,
        SAME_LENGTH, SMALL_ORDER, WAVE_BINS, WAVE_TASK,
    },
    scene::Scene,
};
use crate::machine::parallel::Erase;

/// The structure factor S(k) of the centers, along the periodic axes of the container.
///
/// `S(k) = |Σ_j exp(−i k·r_j)|² / N`, for wave vectors `k = 2π (n_x / L_x, n_y / L_y, n_z / L_z)` with whole numbers n, which
/// are 0 along axes with walls. It is 1 on average for random points, and it vanishes for k → 0 if density fluctuations do
/// (hyperuniformity). Spheres of all sizes count alike.
///
/// All wave vectors with `|n| ≤ 6` along each axis are included. Beyond, the vectors have up to 49 directions, those of the vectors
/// with `|n| ≤ 2`, and about 50 lengths in each direction. The functions hold means over at least 12 vectors of nearly equal
/// length, up to `k = 4 · 2π / d` with the number mean d of the diameters. A value from m vectors has a relative standard error of about
/// `1 / sqrt(m)`.
///
/// # Cost
/// O(N) with about 3 500 wave vectors, on rayon's threads.
///
/// # References
/// J.-P. Hansen & I. R. McDonald, Theory of Simple Liquids, 4th ed. (2013), section 3.6: definition.
/// A. Donev, F. H. Stillinger & S. Torquato, Unexpected density fluctuations in jammed disordered sphere packings, Phys. Rev.
/// Lett. 95 (2005) 090604, [doi:10.1103/PhysRevLett.95.090604](https://doi.org/10.1103/PhysRevLett.95.090604): S(k) is
/// linear in k for small k.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct StructureFactor {
    /// Mean length of the wave vectors of each bin, in 1 / unit of length.
    pub k: Vec<f64>,
    /// Mean S(k) of each bin, without unit.
    pub s: Vec<f64>,
    /// Number of wave vectors of each bin.
    pub vectors: Vec<usize>,
    /// S(k → 0): the value at k = 0 of the straight line through S(k), by least squares, for k below `0.4 · 2π / d`. Absent if
    /// the container is too small for three such wave numbers.
    pub limit: Option<f64>,
}

impl StructureFactor {
    /// Computes the structure factor; absent without spheres or without a periodic axis.
    pub(super) fn of_scene(scene: &Scene) -> Option<Self> {
        let periodic = [0, 1, 2].map(|axis| scene.container.is_periodic(axis));
        if scene.total == 0 || periodic == [false; 3] {
            return None;
        }
        let own = &scene.radii[scene.own.clone()];
        let mean = 2.0 * scene.sum(own.iter().copied()) / scene.total as f64;
        let unit = TAU / mean;
        let lengths = scene.container.lengths();
        // No wave has a component along an axis without length.
        let lengths = DVec3::select(lengths.cmpgt(DVec3::ZERO), lengths, DVec3::INFINITY);
        let waves = Waves::new(lengths, periodic, unit);
        let mut values = waves.values(scene);
        values.retain(|value| value.0 <= LARGEST_WAVE_NUMBER * TAU / mean);
        values.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        let limit = fit(&values, FIT_WAVE_NUMBER * unit);
        let width = LARGEST_WAVE_NUMBER * unit / WAVE_BINS as f64;
        let (mut k, mut s, mut vectors) = (Vec::new(), Vec::new(), Vec::new());
        for bin in bins(&values, width) {
            let count = bin.len() as f64;
            k.push(bin.iter().map(|value| value.0).sum::<f64>() / count);
            s.push(bin.iter().map(|value| value.1).sum::<f64>() / count);
            vectors.push(bin.len());
        }
        Some(Self {
            k,
            s,
            vectors,
            limit,
        })
    }
}

/// Divides values sorted by wave number into bins of at least this width and at least [`FEWEST_VECTORS`] values. Vectors of equal
/// length are in one bin.
fn bins(sorted: &[(f64, f64)], width: f64) -> Vec<&[(f64, f64)]> {
    let (mut bins, mut start) = (Vec::new(), 0);
    for end in 1..sorted.len() {
        let is_full = end - start >= FEWEST_VECTORS && sorted[end].0 - sorted[start].0 >= width;
        if is_full && sorted[end].0 > sorted[end - 1].0 * (1.0 + SAME_LENGTH) {
            bins.push(&sorted[start..end]);
            start = end;
        }
    }
    if start < sorted.len() {
        bins.push(&sorted[start..]);
    }
    bins
}

/// Returns the value at k = 0 of the straight line through the values with wave numbers up to `largest`.
fn fit(sorted: &[(f64, f64)], largest: f64) -> Option<f64> {
    let values = &sorted[..sorted.partition_point(|value| value.0 <= largest)];
    let count = values.len() as f64;
    let mean_k = values.iter().map(|value| value.0).sum::<f64>() / count;
    let mean_s = values.iter().map(|value| value.1).sum::<f64>() / count;
    let (mut square, mut product, mut lengths) = (0.0, 0.0, 0);
    let mut last = 0.0;
    for &(k, s) in values {
        square += (k - mean_k) * (k - mean_k);
        product += (k - mean_k) * (s - mean_s);
        lengths += usize::from(k > last * (1.0 + SAME_LENGTH));
        last = k;
    }
    (lengths >= 3).then(|| mean_s - product / square * mean_k)
}

/// The wave vectors.
struct Waves {
    lengths: DVec3,
    /// Largest number n along each axis in the block of all vectors: 0 along axes with walls.
    orders: [i32; 3],
    /// Smallest vector of each direction, and the factors of the first vector and of the step to the next one.
    directions: Vec<([i32; 3], i32, i32)>,
}

/// Number of spheres whose phases are computed together, so that the compiler uses vector instructions.
const LANES: usize = 8;

/// Phases `exp(−i k·r)` of several spheres.
#[derive(Clone, Copy, Default)]
struct Phases {
    re: [f64; LANES],
    im: [f64; LANES],
}

impl Phases {
    const ONE: Self = Self {
        re: [1.0; LANES],
        im: [0.0; LANES],
    };

    #[inline(always)]
    fn times(&self, other: &Self) -> Self {
        let mut product = Self::ONE;
        for lane in 0..LANES {
            let (a, b) = (self.re[lane], self.im[lane]);
            let (c, d) = (other.re[lane], other.im[lane]);
            product.re[lane] = a * c - b * d;
            product.im[lane] = a * d + b * c;
        }
        product
    }

    #[inline(always)]
    fn add(&mut self, other: &Self) {
        for lane in 0..LANES {
            self.re[lane] += other.re[lane];
            self.im[lane] += other.im[lane];
        }
    }

    /// Returns the phases to a whole power, by repeated squaring.
    fn power(&self, exponent: i32) -> Self {
        let mut square = *self;
        if exponent < 0 {
            square.im = square.im.map(|im| -im);
        }
        let (mut power, mut rest) = (Self::ONE, exponent.unsigned_abs());
        while rest > 0 {
            if rest % 2 == 1 {
                power = power.times(&square);
            }
            square = square.times(&square);
            rest /= 2;
        }
        power
    }
}

impl Waves {
    /// Chooses the wave vectors up to four times `unit`.
    fn new(lengths: DVec3, periodic: [bool; 3], unit: f64) -> Self {
        let orders = periodic.map(|is_periodic| if is_periodic { SMALL_ORDER } else { 0 });
        let mut waves = Self {
            lengths,
            orders,
            directions: Vec::new(),
        };
        for number in 0..125 {
            let n = [number % 5 - 2, number / 5 % 5 - 2, number / 25 - 2];
            // The double of a shorter vector has the same direction.
            if n.iter().all(|n| n % 2 == 0) {
                continue;
            }
            let is_allowed = (0..3).all(|axis| periodic[axis] || n[axis] == 0);
            if is_allowed && is_positive(n) {
                // Spheres far smaller than the container have shorter waves than whole numbers can count.
                let most = (LARGEST_WAVE_NUMBER * unit / waves.length(n)).min(MOST_WAVES) as i32;
                let first = SMALL_ORDER + 1;
                let step = (most - SMALL_ORDER).max(0) / DIRECTION_STEPS + 1;
                if first <= most {
                    waves.directions.push((n, first, step));
                }
            }
        }
        waves
    }

    /// Returns the length of a wave vector.
    fn length(&self, n: [i32; 3]) -> f64 {
        TAU * (DVec3::from_array(n.map(f64::from)) / self.lengths).length()
    }

    /// Returns all vectors, in the order in which [`Self::sums`] adds them.
    fn vectors(&self) -> Vec<[i32; 3]> {
        let [x, y, z] = self.orders;
        let mut vectors = Vec::new();
        for n_x in 0..=x {
            for n_y in -y..=y {
                vectors.extend((-z..=z).map(|n_z| [n_x, n_y, n_z]));
            }
        }
        for &(n, first, step) in &self.directions {
            let factors = (0..DIRECTION_STEPS).map(|number| first + number * step);
            vectors.extend(factors.map(|factor| n.map(|n| n * factor)));
        }
        vectors
    }

    /// Returns the length k and S(k) of each vector, without vectors that are opposite to others.
    fn values(&self, scene: &Scene) -> Vec<(f64, f64)> {
        let vectors = self.vectors();
        let parts: Vec<Vec<f64>> = scene.centers[scene.own.clone()]
            .par_chunks(WAVE_TASK)
            .erased()
            .map(|centers| self.sums(centers, vectors.len()))
            .collect();
        let sums = scene.ranks.sum_in_turn(2 * vectors.len(), &parts);
        let count = scene.total as f64;
        let mut values = Vec::with_capacity(vectors.len());
        for (number, &n) in vectors.iter().enumerate() {
            if is_positive(n) {
                let sum = DVec2::new(sums[2 * number], sums[2 * number + 1]);
                values.push((self.length(n), sum.length_squared() / count));
            }
        }
        values
    }

    /// Returns the sum of the phases of some spheres for each vector: its real and its imaginary part.
    fn sums(&self, centers: &[DVec3], vectors: usize) -> Vec<f64> {
        let mut sums = vec![Phases::default(); vectors];
        for group in centers.chunks(LANES) {
            // Lanes without a sphere have the weight 0.
            let mut weights = Phases::default();
            weights.re[..group.len()].fill(1.0);
            let bases = [0, 1, 2].map(|axis| {
                let mut phases = Phases::ONE;
                for (lane, center) in group.iter().enumerate() {
                    let (sin, cos) = libm::sincos(-TAU * (center[axis] / self.lengths[axis]));
                    (phases.re[lane], phases.im[lane]) = (cos, sin);
                }
                phases
            });
            self.add_group(&weights, &bases, &mut sums);
        }
        let sum = |sum: &Phases| [sum.re, sum.im].map(|lanes| lanes.iter().sum::<f64>());
        sums.iter().flat_map(sum).collect()
    }

    /// Adds the phases of a group of spheres, whose phases of the smallest vectors along the axes are `bases`.
    fn add_group(&self, weights: &Phases, bases: &[Phases; 3], sums: &mut [Phases]) {
        let [x, y, z] = self.orders;
        let mut sums = sums.iter_mut();
        let mut add = |phases: &Phases| {
            if let Some(sum) = sums.next() {
                sum.add(phases);
            }
        };
        let mut along_x = *weights;
        for _ in 0..=x {
            let mut along_y = along_x.times(&bases[1].power(-y));
            for _ in -y..=y {
                let mut along_z = along_y.times(&bases[2].power(-z));
                for _ in -z..=z {
                    add(&along_z);
                    along_z = along_z.times(&bases[2]);
                }
                along_y = along_y.times(&bases[1]);
            }
            along_x = along_x.times(&bases[0]);
        }
        for &(n, first, step) in &self.directions {
            let smallest = (0..3).fold(Phases::ONE, |product, axis| {
                product.times(&bases[axis].power(n[axis]))
            });
            let mut along = weights.times(&smallest.power(first));
            let step = smallest.power(step);
            for _ in 0..DIRECTION_STEPS {
                add(&along);
                along = along.times(&step);
            }
        }
    }
}

/// Returns whether the first number that is not 0 is positive: for one of two opposite vectors.
fn is_positive(n: [i32; 3]) -> bool {
    n.into_iter().find(|&n| n != 0).is_some_and(|n| n > 0)
}
