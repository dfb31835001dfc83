//! The minimizer: the balance of the forces of soft spheres under a pressure, by L-BFGS.
//!
//! # Reference
//! D. C. Liu & J. Nocedal, On the limited memory BFGS method for large scale optimization, Math. Program. 45 (1989) 503,
//! [doi:10.1007/BF01589116](https://doi.org/10.1007/BF01589116).

use std::{collections::VecDeque, ops::ControlFlow};

use super::{
    constants::{
        ENOUGH, FIRST_STEP, FLATTENING, LONGEST_GROWTH, LONGEST_MOVE, MOST_TRIALS, SECANT_SPHERES,
        SECANTS,
    },
    contact::Motion,
    system::{Forces, System},
};

/// A step, and the change of the forces with it.
struct Secant {
    step: Motion,
    change: Motion,
    /// The inverse of the scalar product of both.
    inverse: f64,
}

/// When forces count as balanced, in mean forces.
#[derive(Clone, Copy, Debug)]
pub(super) struct Balance {
    /// Root mean square of the sums of the forces on the spheres.
    pub mean: f64,
    /// The largest sum.
    pub largest: f64,
}

impl Balance {
    /// A balance in the mean.
    pub fn of_mean(mean: f64) -> Self {
        let largest = f64::INFINITY;
        Self { mean, largest }
    }
}

/// How a minimization ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    Balanced,
    Unbalanced,
    /// By the observer.
    Stopped,
}

/// A minimization of energy and pressure times volume, which goes on at other pressures.
#[derive(Default)]
pub(super) struct Minimizer {
    /// The last steps.
    secants: VecDeque<Secant>,
    /// Length by which relative growth of the container counts as a displacement.
    length: f64,
    /// Number of evaluations of the forces.
    pub evaluations: u64,
}

impl Forces {
    /// Returns whether these forces are balanced. `virial` is that of the pressure.
    fn are(&self, balance: Balance, virial: f64) -> bool {
        let squares = self.sums.centers.iter().map(|force| force.length_squared());
        let (sum, largest) = squares.fold((0.0, 0.0), |(sum, largest), square| {
            (sum + square, f64::max(largest, square))
        });
        let mean = (sum / self.sums.centers.len() as f64).sqrt();
        self.mean > 0.0
            && mean < balance.mean * self.mean
            && largest.sqrt() < balance.largest * self.mean
            && self.sums.growth.abs() < balance.mean * virial
    }
}

impl Minimizer {
    /// Balances the forces under a pressure of this virial, or nearly so after `most` evaluations. `observe` is called after each step, and may
    /// end the run.
    pub fn run(
        &mut self,
        system: &mut System,
        virial: f64,
        balance: Balance,
        most: u64,
        observe: &mut dyn FnMut(&System, u64) -> ControlFlow<()>,
    ) -> Ending {
        self.length = (6.0 * system.radii.len() as f64).sqrt();
        let end = self.evaluations + most;
        // The stiffness at another pressure is that of other contacts.
        self.secants.clear();
        let mut forces = self.forces(system, virial);
        while self.evaluations < end {
            if forces.are(balance, virial) {
                return Ending::Balanced;
            }
            forces = self.step(system, virial, forces);
            if observe(system, self.evaluations).is_break() {
                return Ending::Stopped;
            }
        }
        if forces.are(Balance::of_mean(ENOUGH), virial) {
            Ending::Balanced
        } else {
            Ending::Unbalanced
        }
    }

    /// Returns the forces. Their growth is scaled to displacements of the length of this minimizer.
    fn forces(&mut self, system: &System, virial: f64) -> Forces {
        self.evaluations += 1;
        system.forces(virial)
    }

    /// Makes a step along the direction of the secants, and returns the forces there.
    fn step(&mut self, system: &mut System, virial: f64, before: Forces) -> Forces {
        let before = self.scaled(before);
        let mut direction = self.direction(&before.sums);
        if before.sums.dot(&direction) <= 0.0 {
            self.secants.clear();
            direction = self.direction(&before.sums);
        }
        let (share, after) = self.advance(system, virial, &before, &direction);
        self.remember(direction, share, &before.sums, &after.sums);
        self.unscaled(after)
    }

    /// Moves along a direction to about the minimum of the energy. Returns the share of the direction, and the forces there.
    fn advance(
        &mut self,
        system: &mut System,
        virial: f64,
        before: &Forces,
        direction: &Motion,
    ) -> (f64, Forces) {
        let slope = before.sums.dot(direction);
        let steps = direction.centers.iter().zip(&system.radii);
        let longest = steps.map(|(step, radius)| step.length_squared() / (radius * radius));
        let longest = longest.fold(0.0, f64::max).sqrt();
        let mut motion = direction.clone();
        motion.growth /= self.length;
        // Nothing but the growth resists while no spheres overlap.
        let of_growth = LONGEST_GROWTH / motion.growth.abs();
        let mut share = (LONGEST_MOVE / longest).min(of_growth).min(1.0);
        let start = system.place();
        for trial in 1.. {
            system.advance(&motion, share);
            let forces = self.forces(system, virial);
            let after = self.scaled(forces);
            let next = after.sums.dot(direction);
            // Beyond the minimum, and steeper than allowed.
            if next >= -FLATTENING * slope || trial == MOST_TRIALS {
                return (share, after);
            }
            system.restore(&start);
            share *= (slope / (slope - next)).clamp(0.1, 0.8);
        }
        unreachable!("the last trial is accepted")
    }

    /// Adds a step with its change of the forces.
    fn remember(&mut self, mut step: Motion, share: f64, before: &Motion, after: &Motion) {
        step.scale(share);
        let change = before.since(after);
        let product = step.dot(&change);
        if product > 0.0 {
            if self.secants.len() == memory(before.centers.len()) {
                self.secants.pop_front();
            }
            let inverse = 1.0 / product;
            self.secants.push_back(Secant {
                step,
                change,
                inverse,
            });
        }
    }

    /// Returns the direction of the next step.
    fn direction(&self, forces: &Motion) -> Motion {
        let mut direction = forces.clone();
        let mut factors = Vec::with_capacity(self.secants.len());
        for secant in self.secants.iter().rev() {
            let factor = secant.inverse * secant.step.dot(&direction);
            direction.add(-factor, &secant.change);
            factors.push(factor);
        }
        let scale = self.secants.back().map_or(FIRST_STEP, |last| {
            1.0 / (last.inverse * last.change.dot(&last.change))
        });
        direction.scale(scale);
        for (secant, factor) in self.secants.iter().zip(factors.into_iter().rev()) {
            let other = secant.inverse * secant.change.dot(&direction);
            direction.add(factor - other, &secant.step);
        }
        direction
    }

    fn scaled(&self, mut forces: Forces) -> Forces {
        forces.sums.growth /= self.length;
        forces
    }

    fn unscaled(&self, mut forces: Forces) -> Forces {
        forces.sums.growth *= self.length;
        forces
    }
}

/// Returns the number of secants for a number of spheres.
fn memory(spheres: usize) -> usize {
    (SECANT_SPHERES / spheres).clamp(SECANTS[0], SECANTS[1])
}
