//! The estimated time of a run, from a trial with few spheres.

use std::time::Duration;

use super::{
    RequestError, ResolvedRequest,
    constants::{MOST_CHECKED, SHORT_TRIAL, TRIALS},
    expected::Expectation,
    sizes::Sizes,
};
use crate::{
    container::{Boundaries, Container},
    jam::JamGap,
    machine::{divided::Divided, ranks::Ranks},
    rearrange::{Effort, PackOptions, PackRun, Target, pack},
};

impl ResolvedRequest {
    /// Draws the diameters, and rejects them as the run would, such as a sphere that is wider than its container.
    ///
    /// # Cost
    /// That of drawing the diameters. Of more than a million spheres, none is drawn.
    ///
    /// # Errors
    /// [`RequestError`] if the run would refuse the spheres.
    pub fn check_sizes(&self) -> Result<(), RequestError> {
        if self.expected_spheres() <= MOST_CHECKED {
            let (radii, options) = self.clone().draw(&Ranks::default())?;
            options.check(&Divided::alone(radii))?;
        }
        Ok(())
    }

    /// Estimates the wall time of the run: packs 1000 spheres of the same sizes in a periodic cube or square, and 10 000 if that takes less than
    /// 0.2 s or fails, with the same effort and threads, toward the same share of the expected packing fraction. The time of a run is about proportional
    /// to the number of spheres.
    ///
    /// # Cost
    /// That of packing these spheres: a few seconds at most at normal effort.
    ///
    /// # Errors
    /// [`RequestError`] if the spheres of the trial cannot be packed.
    pub fn estimated_time(&self) -> Result<Duration, RequestError> {
        let [few, many] = TRIALS;
        let mut run = self.trial(few);
        let is_short = |run: &PackRun| {
            run.elapsed.as_secs_f64() < SHORT_TRIAL
                && (run.spheres as f64) < self.expected_spheres()
        };
        // The largest sphere of a wide mixture may not fit into a cube of few.
        if run.as_ref().map_or(true, is_short) {
            run = self.trial(many).or(run);
        }
        let run = run?;
        let times = self.expected_spheres() / run.spheres as f64;
        let seconds = run.elapsed.as_secs_f64() * times;
        let time = Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX);
        Ok(self
            .options
            .time_limit
            .map_or(time, |limit| limit.min(time)))
    }

    /// Packs at most `most` spheres of the request in a periodic cube or square.
    fn trial(&self, most: f64) -> Result<PackRun, RequestError> {
        let count = self.expected_spheres().min(most) as usize;
        let radii = self.sizes.trial(count, self.sampling, self.options.seed);
        let dimension = self.options.container.dimension();
        let container = Container::unit(dimension, Boundaries::PERIODIC);
        let target = match self.requested_fraction() {
            Some(fraction) => {
                let own = Sizes::Diameters(radii.iter().map(|radius| 2.0 * radius).collect());
                let own = Expectation::new(dimension, &own, self.options.min_gap);
                let own = own.fraction(self.options.effort.unwrap_or(Effort::THOROUGH), &container);
                // Walls, and large spheres that the trial lacks, change the packing fraction that can be reached.
                let share = fraction / self.expected_fraction().unwrap_or(own);
                Some(share * own).filter(|&fraction| fraction < 1.0)
            }
            None => None,
        };
        let options = PackOptions {
            container,
            target: target.map_or(Target::Densest, Target::Fraction),
            fixed: None,
            start: None,
            sizes: None,
            // It has no bound on its time that would follow from few spheres.
            jam: JamGap::OFF,
            ..self.options.clone()
        };
        Ok(pack(radii, &options)?)
    }
}
