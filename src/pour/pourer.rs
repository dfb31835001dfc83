//! A deposition as an object.

use std::{ops::ControlFlow, time::Duration};

use super::{checkpoint::PourCheckpoint, error::PourError, options::PourOptions};
use crate::packing::{Packing, StopReason};

/// The state of a deposition after a step.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct PourProgress {
    /// Number of spheres in the bed.
    pub deposited: usize,
    /// Number of spheres that are dropped at most.
    pub spheres: usize,
    /// Height of the highest point of a sphere above the lowest point of the container.
    pub height: f64,
    /// Share of the work that is done, from 0 to 1: of the spheres, or of the requested height.
    pub share: f64,
    /// Number of taps so far.
    pub taps: u64,
    /// Wall time of the run so far, without pauses between a checkpoint and its continuation.
    pub elapsed: Duration,
}

/// A poured packing.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct PourRun {
    /// The packing, with its supports; the spheres have the order of the given radii, and fixed spheres follow.
    pub packing: Packing,
    /// Height of the bed: from the lowest point of the container to the highest point of a sphere.
    pub height: f64,
    /// Given numbers of the spheres that are not in the bed, ascending.
    pub left_out: Vec<usize>,
    /// One sentence if the request is not met, such as a height that the spheres do not reach.
    pub shortfall: Option<String>,
    /// Wall time of the run.
    pub elapsed: Duration,
}

/// A deposition, step by step.
///
/// Spheres fall one after the other, so that a deposition uses one thread.
///
/// # Example
/// ```
/// use jostle::{Boundary, Container, pour::{Pourer, PourOptions}};
///
/// let options = PourOptions::default().container(Container::cylinder(6.0, 20.0, Boundary::Wall)?);
/// let mut pourer = Pourer::new(vec![0.5; 300], options)?;
/// while let Some(progress) = pourer.step() {
///     assert!(progress.deposited <= 300);
/// }
/// let packing = pourer.finish().packing;
/// assert_eq!(packing.certificate().max_overlap, 0.0);
/// assert_eq!(packing.stability().unwrap().unsupported, 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Pourer {
    options: PourOptions,
    radii: Vec<f64>,
}

impl Pourer {
    /// Prepares the deposition of spheres of these radii.
    ///
    /// # Errors
    /// [`PourError`] if the spheres cannot be poured into the container.
    pub fn new(radii: Vec<f64>, options: PourOptions) -> Result<Self, PourError> {
        Ok(Self { options, radii })
    }

    /// Drops some spheres, or taps the bed once. Returns `None`, and does nothing, when the run is over.
    pub fn step(&mut self) -> Option<PourProgress> {
        None
    }

    /// Returns the progress so far.
    pub fn progress(&self) -> PourProgress {
        PourProgress {
            deposited: 0,
            spheres: self.radii.len(),
            height: 0.0,
            share: 0.0,
            taps: 0,
            elapsed: Duration::ZERO,
        }
    }

    /// Returns the reason why the run is over; `None` while it goes on.
    pub fn stop_reason(&self) -> Option<StopReason> {
        None
    }

    /// Returns the options.
    pub fn options(&self) -> &PourOptions {
        &self.options
    }

    /// Returns the complete state of the run. Cost: a copy.
    pub fn checkpoint(&self) -> PourCheckpoint {
        unimplemented!("skeleton")
    }

    /// Continues a run from a checkpoint. It ends with the bits of an undisturbed run.
    ///
    /// # Errors
    /// [`PourError`] if the checkpoint contradicts itself.
    pub fn resume(checkpoint: PourCheckpoint) -> Result<Self, PourError> {
        Self::new(checkpoint.radii, checkpoint.options)
    }

    /// Steps until the run is over or the observer ends it, and finishes the packing.
    pub fn run(
        mut self,
        observer: &mut (impl FnMut(&PourProgress) -> ControlFlow<()> + ?Sized),
    ) -> PourRun {
        while let Some(progress) = self.step() {
            if observer(&progress).is_break() {
                break;
            }
        }
        self.finish()
    }

    /// Returns the packing of the spheres in the bed. A run that is not over counts as interrupted.
    pub fn finish(self) -> PourRun {
        unimplemented!("skeleton")
    }
}
