//! Quantities of radii and options alone: the unit, the container at the start and the schedule.

use super::{
    constants::{PREDICTION_EXCESS, RESOLUTION},
    effort::Effort,
    mixture::bounds,
    options::{PackError, PackOptions, enlarged},
    schedule::Schedule,
};
use crate::{
    container::Container,
    distribution::{estimated_fraction, prediction_with_gap},
    machine::divided::Divided,
};

/// The start of a run, in the unit of the loop.
pub(super) struct Setup {
    /// Length in the caller's unit that the loop takes as 1.
    pub unit: f64,
    /// The radii, each with half the minimum gap, by the caller's numbers.
    pub radii: Divided<'static>,
    /// The distance that a sphere keeps from walls beyond its radius, at scale 1.
    pub wall_offset: f64,
    /// The container at scale 1.
    pub start: Container,
    /// Packing fraction of the spheres that are not fixed, at scale 1.
    pub start_fraction: f64,
    /// Packing fraction of the fixed spheres, at any scale.
    pub fixed_fraction: f64,
    /// The requested container, with the fixed spheres.
    pub goal: Option<Container>,
    /// The requested container in the caller's unit.
    pub requested: Option<Container>,
    /// The requested effort, or the one at which a request without effort begins.
    pub effort: Effort,
    pub schedule: Schedule,
}

/// The exact radii of the share of this rank, by its positions in the share.
pub(super) struct Radii {
    /// The requested radii in the caller's unit.
    pub given: Vec<f64>,
    min_gap: f64,
    /// Length in the caller's unit that the loop takes as 1.
    pub unit: f64,
}

impl Radii {
    pub fn new(given: Vec<f64>, min_gap: f64, unit: f64) -> Self {
        Self {
            given,
            min_gap,
            unit,
        }
    }

    /// Returns a radius in the unit of the loop, with half the minimum gap.
    pub fn exact(&self, sphere: usize) -> f64 {
        enlarged(self.given[sphere], self.min_gap) / self.unit
    }
}

impl Setup {
    /// Prepares a run for accepted radii and options. `requested` is the container that the options name, in the caller's unit.
    /// `pack_few` packs a few spheres alone and returns their packing fraction.
    pub fn new(
        radii: &Divided,
        options: &PackOptions,
        requested: Option<Container>,
        pack_few: impl FnOnce(&[f64], &PackOptions) -> f64,
    ) -> Self {
        let largest = enlarged(radii.largest(), options.min_gap);
        // The loop computes in single precision, which has a smaller range than the caller's numbers. A power of two rounds
        // no number.
        let unit = power_of_two_below(largest);
        let wall_offset = options.wall_offset() / unit;
        let goal = requested
            .as_ref()
            .map(|goal| goal_around_fixed(goal, options).scaled(1.0 / unit));
        let radii = radii.map(|radius| enlarged(radius, options.min_gap) / unit);
        let dimension = options.container.dimension();
        let bounds = bounds(dimension, &radii, |few| pack_few(few, options));
        let effort = options
            .effort
            .unwrap_or_else(|| first_effort(&radii, goal.as_ref(), options));
        let schedule = Schedule::new(effort, estimated_fraction(dimension, &radii), bounds);
        let start =
            options.start_container(&radii, wall_offset, goal.as_ref(), schedule.start_fraction);
        let (volume, fixed_fraction) = match &requested {
            Some(requested) if options.fixed.is_some() => {
                let factor = start.lengths().x / requested.lengths().x;
                let fraction = options.fixed_volume() / requested.volume();
                (requested.volume() * dimension.power(factor), fraction)
            }
            _ => (start.volume(), 0.0),
        };
        Self {
            start_fraction: radii.volume(dimension) / volume,
            fixed_fraction,
            unit,
            radii,
            wall_offset,
            start,
            goal,
            requested,
            effort,
            schedule,
        }
    }

    /// Rejects a container in which positions do not resolve the smallest sphere, such as a very slender one.
    pub fn check_resolution(&self) -> Result<(), PackError> {
        let frame = self.start.frame();
        let diameter = 2.0 * self.radii.smallest();
        for axis in 0..3 {
            let length = frame.lengths()[axis];
            let longest = diameter / RESOLUTION * frame.span(axis) as f64;
            if length > longest {
                return Err(PackError::Resolution {
                    diameter: diameter * self.unit,
                    length: length * self.unit,
                    longest: longest * self.unit,
                });
            }
        }
        Ok(())
    }
}

/// Returns the effort at which a request begins that names none: normal effort where the result is the densest packing, or the least
/// effort that should reach the container `goal`.
fn first_effort(radii: &Divided, goal: Option<&Container>, options: &PackOptions) -> Effort {
    match goal {
        // No prediction includes the room around fixed spheres.
        Some(goal) if options.fixed.is_none() => {
            let normal = prediction_with_gap(goal.dimension(), radii, 0.0) - PREDICTION_EXCESS;
            Effort::expected_to_reach(goal.fraction_of(radii), normal)
        }
        _ => Effort::NORMAL,
    }
}

/// Returns the requested container with the fixed spheres as obstacles, in the caller's unit.
fn goal_around_fixed(goal: &Container, options: &PackOptions) -> Container {
    match &options.fixed {
        // The loop keeps the gap to walls from obstacles. Fixed spheres are enlarged, so that it becomes the gap between spheres.
        Some(fixed) if !fixed.spheres.is_empty() => goal.around(
            &fixed.spheres,
            0.5 * options.min_gap - options.wall_offset(),
        ),
        _ => goal.clone(),
    }
}

/// Returns the largest power of two that does not exceed the positive, normal number `x`.
pub(super) fn power_of_two_below(x: f64) -> f64 {
    f64::from_bits(x.to_bits() & (0x7ff << 52))
}
