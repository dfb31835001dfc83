//! The minimizer: the balance of the forces of soft spheres under a pressure, by L-BFGS.
//!
//! # References
//! - D. C. Liu & J. Nocedal, On the limited memory BFGS method for large scale optimization, Math. Program. 45 (1989) 503,
//!   [doi:10.1007/BF01589116](https://doi.org/10.1007/BF01589116).
//! - W. Chen, Z. Wang & J. Zhou, Large-scale L-BFGS using MapReduce, Advances in Neural Information Processing Systems 27 (2014): the direction
//!   from products of vectors.

use std::ops::ControlFlow;

use super::{
    constants::{
        EACH, ENOUGH, FLATTENING, FREE_STEPS, LONGEST_GROWTH, LONGEST_MOVE, MOST_EVALUATIONS,
        MOST_STEPS, MOST_TRIALS, NEAR, PRECISION, RELAXED,
    },
    links::Node,
    model::{Model, Scales},
    secants::Secants,
    system::{Load, System},
    vectors::{Part, combine, longest, product},
};

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

    /// A balance in the mean, and nearly so for each sphere: under gravity, a sphere without support must roll down while overlaps, and with them its
    /// steps, are large.
    pub fn of_each(mean: f64) -> Self {
        let largest = EACH * mean;
        Self { mean, largest }
    }

    /// Returns whether the forces at the place of a model are balanced.
    fn holds(&self, model: &Model<'_>) -> bool {
        let [_, largest] = model.residuals;
        model.unbalance() < self.mean && largest < self.largest * model.mean
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
    /// Number of evaluations of the forces.
    pub evaluations: u64,
}

/// A motion from the place of a model, and the forces there.
struct Point {
    motion: Vec<Part>,
    sums: Vec<Part>,
}

impl Point {
    fn at_rest(model: &Model<'_>) -> Self {
        Self {
            motion: vec![Part::default(); model.sums.len()],
            sums: model.sums.clone(),
        }
    }
}

impl Minimizer {
    /// Balances the forces under a load with this mean overlap, or nearly so after `usual` evaluations. `observe` is called after each step, and may end the run.
    pub fn run(
        &mut self,
        system: &mut System,
        (load, overlap): (Load, f64),
        balance: Balance,
        usual: u64,
        observe: &mut dyn FnMut(&System, u64) -> ControlFlow<()>,
    ) -> Ending {
        let [end, last] = [usual, MOST_EVALUATIONS].map(|most| self.evaluations + most);
        let reach = NEAR * overlap.sqrt();
        let scales = Scales::new(system);
        let limit = |id| reach * system.counted(id) / overlap;
        let limits = scales.motions((0..system.radii.len()).map(limit));
        // The stiffness at another pressure is that of other contacts.
        let mut secants = Secants::new(system.radii.len());
        // Motions of many spheres that meet no resistance unbalance the forces for a while.
        let mut best = (f64::INFINITY, system.place());
        loop {
            let model = Model::new(system, &scales, load, (2.0 * reach, overlap));
            self.evaluations += 1;
            if balance.holds(&model) {
                return Ending::Balanced;
            }
            if model.unbalance() < best.0 {
                best = (model.unbalance(), system.place());
            }
            let is_enough = best.0 < ENOUGH;
            if self.evaluations >= end && is_enough || self.evaluations >= last {
                system.restore(best.1);
                return if is_enough {
                    Ending::Balanced
                } else {
                    Ending::Unbalanced
                };
            }
            if observe(system, self.evaluations).is_break() {
                return Ending::Stopped;
            }
            let observe = &mut |evaluations| observe(system, evaluations);
            let until = if self.evaluations < end { end } else { last };
            let motion = self.descend(&model, &mut secants, &limits, (balance, until), observe);
            let growth = model.growth(&motion);
            system.advance(model.displacements(&motion), growth, overlap);
        }
    }

    /// Returns a motion to balanced forces, as far as the model tells them: a center that moves beyond its limit ends it.
    fn descend(
        &mut self,
        model: &Model<'_>,
        secants: &mut Secants,
        limits: &[f32],
        (balance, end): (Balance, u64),
        observe: &mut dyn FnMut(u64) -> ControlFlow<()>,
    ) -> Vec<Part> {
        let (mut here, mut next) = (Point::at_rest(model), Point::at_rest(model));
        let mut nodes = vec![Node::default(); limits.len() + 1];
        // An upper bound of the displacements, in the limits.
        let mut moved = 0.0;
        secants.restart(&here.sums);
        let enough = (RELAXED * balance.mean / model.unbalance()).max(PRECISION);
        let enough = enough * secants.residual();
        let most_steps = if model.mean > 0.0 {
            MOST_STEPS
        } else {
            FREE_STEPS
        };
        for _ in 0..most_steps {
            secants.direct(&here.sums);
            let direction = secants.direction();
            let length = longest(direction, limits);
            let slope = product(&here.sums, direction);
            // Changes below the single precision tell no direction.
            if slope.is_nan() || slope <= 0.0 {
                secants.clear();
                continue;
            }
            let of_growth = LONGEST_GROWTH / model.growth(direction).abs();
            let most = (LONGEST_MOVE / f64::from(length)).min(of_growth).min(1.0);
            let to = (&mut next, &mut nodes[..]);
            let share = self.advance(model, &here, (direction, slope), most, to);
            secants.remember(share, &here.sums, &next.sums);
            std::mem::swap(&mut here, &mut next);
            let is_balanced = secants.residual() < enough;
            moved += share as f32 * length;
            let is_far = moved > 0.99 && longest(&here.motion, limits) > 1.0;
            if is_balanced
                || is_far
                || self.evaluations >= end
                || observe(self.evaluations).is_break()
            {
                break;
            }
        }
        here.motion
    }

    /// Moves along a direction to about the minimum of the energy. Returns the share of the direction.
    fn advance(
        &mut self,
        model: &Model<'_>,
        here: &Point,
        (direction, slope): (&[Part], f64),
        most: f64,
        (next, nodes): (&mut Point, &mut [Node]),
    ) -> f64 {
        let mut share = most;
        for trial in 1.. {
            let terms = [(1.0, &here.motion[..]), (share as f32, direction)];
            combine(&terms, &mut next.motion);
            model.forces(&next.motion, nodes, &mut next.sums);
            self.evaluations += 1;
            let after = product(&next.sums, direction);
            // Not beyond the minimum, or less steep than allowed.
            if after >= -FLATTENING * slope || trial == MOST_TRIALS {
                break;
            }
            share *= (slope / (slope - after)).clamp(0.1, 0.8);
        }
        share
    }
}
