//! Secants of L-BFGS.

use glam::Vec4;

use super::constants::{FIRST_STEP, SECANT_SPHERES, SECANTS};

/// Vectors whose products are summed with single precision.
const BLOCK: usize = 256;

/// The last steps, and the changes of the forces by them.
pub(super) struct Secants {
    /// Steps, and then as many changes. Older ones are overwritten in turn.
    vectors: Vec<Vec<Vec4>>,
    /// Most secants.
    most: usize,
    /// Numbers of the secants, the oldest one first.
    order: Vec<usize>,
    /// Products of the vectors with one another, and with the forces.
    products: Vec<f64>,
}

impl Secants {
    pub fn new(spheres: usize) -> Self {
        let most = (SECANT_SPHERES / spheres).clamp(SECANTS[0], SECANTS[1]);
        let side = 2 * most + 1;
        Self {
            vectors: vec![vec![Vec4::ZERO; spheres + 1]; 2 * most],
            most,
            order: Vec::with_capacity(most),
            products: vec![0.0; side * side],
        }
    }

    fn product(&self, a: usize, b: usize) -> f64 {
        self.products[a * (2 * self.most + 1) + b]
    }

    fn set(&mut self, a: usize, b: usize, product: f64) {
        let side = 2 * self.most + 1;
        self.products[a * side + b] = product;
        self.products[b * side + a] = product;
    }

    /// Removes all secants.
    pub fn clear(&mut self) {
        self.order.clear();
    }

    /// Goes on at other forces.
    pub fn restart(&mut self, forces: &[Vec4]) {
        self.multiply([forces], [2 * self.most]);
    }

    /// Updates the products of vectors that have these numbers.
    fn multiply<const N: usize>(&mut self, vectors: [&[Vec4]; N], numbers: [usize; N]) {
        let used: Vec<usize> = self
            .order
            .iter()
            .flat_map(|&k| [k, self.most + k])
            .collect();
        for other in used {
            let products = dots(&self.vectors[other], vectors);
            for (number, product) in numbers.into_iter().zip(products) {
                self.set(number, other, product);
            }
        }
        let forces = vectors[N - 1];
        for (number, product) in numbers.into_iter().zip(dots(forces, vectors)) {
            self.set(number, 2 * self.most, product);
        }
    }

    /// Returns the length of the vector of forces.
    pub fn residual(&self) -> f64 {
        self.product(2 * self.most, 2 * self.most).sqrt()
    }

    /// Adds a share of a direction with its change of the forces.
    pub fn remember(&mut self, direction: &[Vec4], share: f64, before: &[Vec4], after: &[Vec4]) {
        let number = if self.order.len() == self.most {
            self.order.remove(0)
        } else {
            self.order.len()
        };
        let (steps, changes) = self.vectors.split_at_mut(self.most);
        let (step, change) = (&mut steps[number], &mut changes[number]);
        let factor = share as f32;
        let vectors = step.iter_mut().zip(change.iter_mut()).zip(direction);
        for (((step, change), direction), (before, after)) in vectors.zip(before.iter().zip(after))
        {
            *step = factor * *direction;
            *change = *before - *after;
        }
        let [a, b] = [number, self.most + number];
        let (step, change) = (
            std::mem::take(&mut self.vectors[a]),
            std::mem::take(&mut self.vectors[b]),
        );
        self.multiply([&step, &change, after], [a, b, 2 * self.most]);
        let [own, both] = dots(&step, [&step, &change]);
        let [squared] = dots(&change, [&change]);
        self.set(a, a, own);
        self.set(a, b, both);
        self.set(b, b, squared);
        (self.vectors[a], self.vectors[b]) = (step, change);
        if both > 0.0 {
            self.order.push(number);
        }
    }

    /// Writes the direction of the next step. Returns the longest displacement in it, in the limits.
    pub fn direct(&self, forces: &[Vec4], limits: &[f32], direction: &mut [Vec4]) -> f32 {
        let factors = self.factors();
        let of_forces = factors[2 * self.most] as f32;
        let used: Vec<(f32, &[Vec4])> = (self.order.iter())
            .flat_map(|&k| [k, self.most + k])
            .map(|k| (factors[k] as f32, &self.vectors[k][..]))
            .collect();
        for start in (0..forces.len()).step_by(BLOCK) {
            let block = start..(start + BLOCK).min(forces.len());
            let sums = &mut direction[block.clone()];
            for (sum, force) in sums.iter_mut().zip(&forces[block.clone()]) {
                *sum = of_forces * *force;
            }
            for (factor, vector) in &used {
                for (sum, value) in sums.iter_mut().zip(&vector[block.clone()]) {
                    *sum += *factor * *value;
                }
            }
        }
        let lengths = direction
            .iter()
            .zip(limits)
            .map(|(step, limit)| step.length_squared() / (limit * limit));
        lengths.fold(0.0, f32::max).sqrt()
    }

    /// Returns the factors of all vectors in the direction.
    fn factors(&self) -> Vec<f64> {
        let most = self.most;
        let side = 2 * most + 1;
        let mut factors = vec![0.0; side];
        factors[2 * most] = 1.0;
        let Some(&last) = self.order.last() else {
            factors[2 * most] = FIRST_STEP;
            return factors;
        };
        let times = |factors: &[f64], vector: usize, order: &[usize]| {
            let used = order.iter().flat_map(|&k| [k, most + k]).chain([2 * most]);
            used.map(|other| factors[other] * self.product(vector, other))
                .sum::<f64>()
        };
        let mut shares = vec![0.0; most];
        for &k in self.order.iter().rev() {
            shares[k] = times(&factors, k, &self.order) / self.product(k, most + k);
            factors[most + k] -= shares[k];
        }
        let scale = self.product(last, most + last) / self.product(most + last, most + last);
        factors.iter_mut().for_each(|factor| *factor *= scale);
        for &k in &self.order {
            let other = times(&factors, most + k, &self.order) / self.product(k, most + k);
            factors[k] += shares[k] - other;
        }
        factors
    }
}

/// Returns the products of a vector with others.
pub(super) fn dots<const N: usize>(own: &[Vec4], others: [&[Vec4]; N]) -> [f64; N] {
    let mut products = [0.0; N];
    for start in (0..own.len()).step_by(BLOCK) {
        let block = start..(start + BLOCK).min(own.len());
        let others = others.map(|other| &other[block.clone()]);
        let own = &own[block];
        let mut sums = [Vec4::ZERO; N];
        for (k, value) in own.iter().enumerate() {
            for (sum, other) in sums.iter_mut().zip(others) {
                *sum += *value * other[k];
            }
        }
        for (product, sum) in products.iter_mut().zip(sums) {
            *product += f64::from((sum.x + sum.y) + sum.z);
        }
    }
    products
}
