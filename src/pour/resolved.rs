//! A request for a bed whose vessel and amount of spheres are known.

use std::{ops::ControlFlow, time::Duration};

use glam::DVec3;

use super::{
    compaction::Compaction,
    constants::{MOST_SPHERES, TRIAL, TRIAL_FRACTION},
    error::PourError,
    options::{Ceiling, PourOptions},
    order::Order,
    pourer::{PourProgress, Pourer},
    source::Source,
};
use crate::{
    container::{Boundaries, Boundary, Container, Direction},
    distribution::{Sampling, SizeReport, SizeSource},
    request::{Amount, RequestError, Sizes},
    spheres::total_volume,
};

/// A request for a bed whose vessel and amount of spheres are known.
#[derive(Clone, Debug)]
pub struct ResolvedPour {
    sizes: Sizes,
    sampling: Sampling,
    amount: Amount,
    options: PourOptions,
}

impl ResolvedPour {
    pub(super) fn new(
        sizes: Sizes,
        sampling: Sampling,
        amount: Amount,
        options: PourOptions,
    ) -> Self {
        Self {
            sizes,
            sampling,
            amount,
            options,
        }
    }

    /// Returns the options of the deposition, but for the origin of the radii.
    pub fn options(&self) -> &PourOptions {
        &self.options
    }

    /// Returns the sizes.
    pub fn sizes(&self) -> &Sizes {
        &self.sizes
    }

    /// Returns the number of spheres that are drawn, as far as it is known before; a height may need fewer.
    pub fn expected_spheres(&self) -> f64 {
        self.amount.expected_spheres(&self.sizes)
    }

    /// Returns the volume of the spheres, if their number follows from it.
    pub fn volume(&self) -> Option<f64> {
        self.amount.volume()
    }

    /// Estimates the wall time of the deposition: pours 5000 spheres of the same sizes onto a floor without side walls. The time of a
    /// deposition is about proportional to the number of spheres.
    ///
    /// # Cost
    /// That of pouring these spheres, with the same compaction.
    ///
    /// # Errors
    /// [`PourError`] if the spheres of the trial cannot be poured.
    pub fn estimated_time(&self) -> Result<Duration, PourError> {
        let count = self.expected_spheres().min(TRIAL);
        let radii = (self.sizes).trial(count as usize, self.sampling, self.options.seed);
        let largest = radii.iter().copied().fold(0.0, f64::max);
        let side = (total_volume(&radii) / TRIAL_FRACTION).cbrt();
        let side = side.max(4.0 * largest);
        let lengths = DVec3::splat(side);
        let layer = Boundaries::of_plane([Boundary::Periodic; 2]);
        let container = Container::cuboid(lengths, layer).map_err(RequestError::from)?;
        let options = PourOptions {
            container,
            ceiling: Ceiling::Free,
            gravity: Direction::default(),
            order: match self.options.order {
                Order::Layers => Order::Random,
                order => order,
            },
            source: Source::Rain,
            compaction: match self.options.compaction {
                // As many taps as equal spheres need for a large part of their range.
                Compaction::Fraction(_) => Compaction::Taps(3),
                compaction => compaction,
            },
            fixed: None,
            ..self.options.clone()
        };
        let run =
            Pourer::new(radii, options)?.run(&mut |_: &PourProgress| ControlFlow::Continue(()));
        let times = self.expected_spheres() / count;
        let seconds = run.elapsed.as_secs_f64() * times;
        let time = Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX);
        Ok((self.options.time_limit).map_or(time, |limit| limit.min(time)))
    }

    /// Draws the diameters, and prepares the deposition.
    ///
    /// # Errors
    /// [`PourError`] if the request cannot be poured.
    pub fn pourer(self) -> Result<Pourer, PourError> {
        let (radii, sizes) = self.draw()?;
        Pourer::new(radii, self.options.sizes(sizes))
    }

    /// Draws the diameters. Returns the radii and their origin.
    fn draw(&self) -> Result<(Vec<f64>, SizeSource), PourError> {
        let (sampling, seed) = (self.sampling, self.options.seed);
        let spec = match &self.sizes {
            Sizes::Law(spec) => spec,
            Sizes::Diameters(diameters) => {
                let dimension = self.options.container.dimension();
                let report = SizeReport::of_given(dimension, diameters);
                let source = SizeSource::new("", "", Sampling::Stratified, seed, report);
                let radii = diameters.iter().map(|diameter| 0.5 * diameter);
                return Ok((radii.collect(), source));
            }
        };
        let sample = match self.amount {
            Amount::Volume(volume) => spec
                .sample_volume(volume, sampling, seed)
                .map_err(RequestError::from)?,
            Amount::Number(count) => match usize::try_from(count) {
                Ok(number) if number <= MOST_SPHERES => spec.sample_number(number, sampling, seed),
                _ => return Err(PourError::TooMany { count }),
            },
        };
        Ok((sample.radii(), sample.source))
    }
}
