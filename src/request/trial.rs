//! The estimated time of a run, from a trial with few spheres.

use std::{thread, time::Duration};

use super::{RequestError, ResolvedRequest, constants::TRIAL};
use crate::{
    container::{Boundaries, Container},
    rearrange::{PackOptions, PackRun, Target, pack},
};

impl ResolvedRequest {
    /// Estimates the wall time of the run: packs 1000 spheres of the same sizes in a periodic cube or square, or 10 000 if the largest does not fit,
    /// with the same effort, on one thread. The time of a run is about proportional to the number of spheres, and to the inverse of the number of threads.
    ///
    /// # Cost
    /// That of packing these spheres: a few seconds at most at normal effort.
    ///
    /// # Errors
    /// [`RequestError`] if the spheres of the trial cannot be packed.
    pub fn estimated_time(&self) -> Result<Duration, RequestError> {
        // The largest sphere of a wide mixture may not fit into a cube of few.
        let run = (self.trial(TRIAL)).or_else(|_| self.trial(10.0 * TRIAL))?;
        let threads = match self.options.threads {
            0 => thread::available_parallelism().map_or(1, usize::from),
            threads => threads,
        };
        let times = self.expected_spheres() / run.spheres as f64;
        let seconds = run.elapsed.as_secs_f64() * times / threads as f64;
        let time = Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX);
        Ok(self
            .options
            .time_limit
            .map_or(time, |limit| limit.min(time)))
    }

    /// Packs at most `most` spheres of the request in a periodic cube or square, on one thread.
    fn trial(&self, most: f64) -> Result<PackRun, RequestError> {
        let count = self.expected_spheres().min(most) as usize;
        let radii = self.sizes.trial(count, self.sampling, self.options.seed);
        let options = PackOptions {
            container: Container::unit(self.options.container.dimension(), Boundaries::PERIODIC),
            target: match self.requested_fraction() {
                Some(fraction) if fraction < 1.0 => Target::Fraction(fraction),
                _ => Target::Densest,
            },
            fixed: None,
            start: None,
            sizes: None,
            threads: 1,
            ..self.options.clone()
        };
        Ok(pack(radii, &options)?)
    }
}
