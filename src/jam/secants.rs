//! Secants of L-BFGS.

use super::{
    constants::{FIRST_STEP, SECANT_SPHERES, SECANTS},
    vectors::{Part, combine, multiply, zeros},
};

/// The last directions, and the changes of the forces along them.
pub(super) struct Secants {
    /// Directions, the next one among them, and as many changes by a share of 1.
    vectors: Vec<Vec<Part>>,
    /// Most secants.
    most: usize,
    /// Numbers of the secants, the oldest one first.
    order: Vec<usize>,
    /// Number of the next one.
    next: usize,
    /// Products of the vectors with one another, and with the forces.
    products: Vec<f64>,
}

impl Secants {
    pub fn new(spheres: usize) -> Self {
        let most = (SECANT_SPHERES / spheres).clamp(SECANTS[0], SECANTS[1]);
        let numbers = 2 * (most + 1);
        Self {
            vectors: vec![zeros(3 * spheres + 1); numbers],
            most,
            order: Vec::with_capacity(most),
            next: 0,
            products: vec![0.0; (numbers + 1) * (numbers + 1)],
        }
    }

    /// Returns the number of the forces among the vectors.
    fn forces(&self) -> usize {
        self.vectors.len()
    }

    /// Returns the number of the change along a direction.
    fn change(&self, direction: usize) -> usize {
        self.most + 1 + direction
    }

    /// Returns the numbers of all vectors in use.
    fn used(&self) -> impl Iterator<Item = usize> {
        self.order.iter().flat_map(|&k| [k, self.change(k)])
    }

    fn product(&self, a: usize, b: usize) -> f64 {
        self.products[a * (self.forces() + 1) + b]
    }

    fn set(&mut self, a: usize, b: usize, product: f64) {
        let side = self.forces() + 1;
        self.products[a * side + b] = product;
        self.products[b * side + a] = product;
    }

    /// Removes all secants.
    pub fn clear(&mut self) {
        self.order.clear();
    }

    /// Goes on at other forces.
    pub fn restart(&mut self, forces: &[Part]) {
        self.multiply([self.forces()], forces);
    }

    /// Updates the products of vectors that have these numbers, with one another and with those in use.
    fn multiply<const N: usize>(&mut self, numbers: [usize; N], forces: &[Part]) {
        let others: Vec<usize> = self.used().chain([self.forces()]).collect();
        let vector = |k: usize| self.vectors.get(k).map_or(forces, |vector| vector);
        let vectors: Vec<&[Part]> = others.iter().map(|&k| vector(k)).collect();
        let mut products = vec![[0.0; N]; others.len()];
        multiply(numbers.map(vector), &vectors, &mut products);
        for (other, products) in others.into_iter().zip(products) {
            for (number, product) in numbers.into_iter().zip(products) {
                self.set(number, other, product);
            }
        }
    }

    /// Returns the length of the vector of forces.
    pub fn residual(&self) -> f64 {
        self.product(self.forces(), self.forces()).sqrt()
    }

    /// Returns the direction of the next step.
    pub fn direction(&self) -> &[Part] {
        &self.vectors[self.next]
    }

    /// Remembers the change of the forces by a share of the direction.
    pub fn remember(&mut self, share: f64, before: &[Part], after: &[Part]) {
        let (next, change) = (self.next, self.change(self.next));
        let factor = share.recip() as f32;
        combine(
            &[(factor, before), (-factor, after)],
            &mut self.vectors[change],
        );
        if self.order.len() == self.most {
            self.order.remove(0);
        }
        // Products of a direction with older vectors are not used.
        self.order.push(next);
        self.multiply([change, self.forces()], after);
        if self.product(next, change) > 0.0 {
            let unused = (0..=self.most).find(|k| !self.order.contains(k));
            self.next = unused.expect("one direction more than secants");
        } else {
            self.order.pop();
        }
    }

    /// Finds the direction of the next step.
    pub fn direct(&mut self, forces: &[Part]) {
        let factors = self.factors();
        let mut direction = std::mem::take(&mut self.vectors[self.next]);
        let used = self
            .used()
            .map(|k| (factors[k] as f32, &self.vectors[k][..]));
        let of_forces = (factors[self.forces()] as f32, forces);
        let terms: Vec<(f32, &[Part])> = used.chain([of_forces]).collect();
        combine(&terms, &mut direction);
        self.vectors[self.next] = direction;
    }

    /// Returns the factors of all vectors in the direction.
    fn factors(&self) -> Vec<f64> {
        let forces = self.forces();
        let mut factors = vec![0.0; forces + 1];
        factors[forces] = 1.0;
        let Some(&last) = self.order.last() else {
            factors[forces] = FIRST_STEP;
            return factors;
        };
        let times = |factors: &[f64], vector: usize| {
            let used = self.used().chain([forces]);
            used.map(|other| factors[other] * self.product(vector, other))
                .sum::<f64>()
        };
        let mut shares = vec![0.0; self.most + 1];
        for &k in self.order.iter().rev() {
            shares[k] = times(&factors, k) / self.product(k, self.change(k));
            factors[self.change(k)] -= shares[k];
        }
        let change = self.change(last);
        let scale = self.product(last, change) / self.product(change, change);
        factors.iter_mut().for_each(|factor| *factor *= scale);
        for &k in &self.order {
            let other = times(&factors, self.change(k)) / self.product(k, self.change(k));
            factors[k] += shares[k] - other;
        }
        factors
    }
}
