//! The packing loop as an object.

use std::{borrow::Cow, ops::ControlFlow, time::Duration};

use rayon::ThreadPool;

use super::{
    approach::Approach,
    effort::Effort,
    moves::{Arrangement, Moves},
    observer::{Observer, Progress},
    options::{PackError, PackOptions},
    phase::Phase,
    remaining::Remaining,
    schedule::Schedule,
    setup::{Radii, Setup},
    state::State,
};
use crate::{
    container::Container,
    jam::JamState,
    machine::{clock::Instant, divided::Divided, trace::part},
    packing::{Packing, StopReason},
};

/// The random number generator of all placements and samples, by name.
pub const GENERATOR: &str = "PCG-XSL-RR-128/64 (rand_pcg 0.10 Pcg64)";

/// A packing, and the time and threads of its run.
///
/// On several ranks, the packing of each one holds its share of the spheres: those with successive numbers, rank after rank.
/// [`Packing::on_first_rank`] brings the shares together.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct PackRun {
    /// The packing; its spheres have the order of the given radii, and fixed spheres follow.
    pub packing: Packing,
    /// Number of spheres, of all ranks.
    pub spheres: usize,
    /// Number of fixed spheres among them.
    pub fixed: usize,
    /// Packing fraction of the spheres of all ranks.
    pub packing_fraction: f64,
    /// Wall time from the placement to the certificate.
    pub elapsed: Duration,
    /// Number of threads.
    pub threads: usize,
    /// The given numbers of the spheres that found no room around fixed spheres, ascending, of all ranks; empty without fixed spheres.
    /// The packing holds the other spheres, and then the fixed ones.
    pub left_out: Vec<usize>,
}

/// Packs spheres of the given radii, a slice or a vector. A vector is not copied.
///
/// The same radii, options and seed give the same bits on any machine, with any number of threads and any index.
///
/// Inside a rayon pool, the run uses that pool.
///
/// # Cost
/// Linear in the number of spheres for a given distribution and effort; memory [`PackOptions::estimated_memory`].
///
/// # Errors
/// [`PackError`] if the request cannot be packed; no sphere is placed then.
///
/// # Example
/// ```
/// use jostle::{PackOptions, pack};
///
/// let run = pack(&[0.5; 200], &PackOptions::default())?;
/// assert_eq!(run.packing.certificate().max_overlap, 0.0);
/// assert!(run.packing.packing_fraction() > 0.6);
/// # Ok::<(), jostle::rearrange::PackError>(())
/// ```
pub fn pack<'a>(
    radii: impl Into<Cow<'a, [f64]>>,
    options: &PackOptions,
) -> Result<PackRun, PackError> {
    pack_observed(
        radii,
        options,
        &mut |_: &Progress| ControlFlow::Continue(()),
    )
}

/// Packs spheres of the given radii, like [`pack`], and reports the progress to an observer after every sweep.
///
/// # Errors
/// [`PackError`] if the request cannot be packed.
///
/// # Example
/// ```
/// use std::ops::ControlFlow;
///
/// use jostle::{PackOptions, packing::StopReason, rearrange::{Progress, pack_observed}};
///
/// let mut until_loose = |progress: &Progress| match progress.packing_fraction < 0.7 {
///     true => ControlFlow::Break(()),
///     false => ControlFlow::Continue(()),
/// };
/// let run = pack_observed(&[0.5; 200], &PackOptions::default(), &mut until_loose)?;
/// let provenance = run.packing.provenance.unwrap();
/// assert_eq!(provenance.stop, StopReason::Interrupted);
/// # Ok::<(), jostle::rearrange::PackError>(())
/// ```
pub fn pack_observed<'a>(
    radii: impl Into<Cow<'a, [f64]>>,
    options: &PackOptions,
    observer: &mut (impl Observer + Send + ?Sized),
) -> Result<PackRun, PackError> {
    Ok(Packer::new(radii, options)?.run(observer))
}

/// A run of the packing loop, sweep by sweep.
///
/// The packer owns the complete state of the run. Dropping it at any time is safe. [`Packer::finish`] makes a packing
/// without overlap of the present state.
///
/// # Example
/// ```
/// use jostle::{PackOptions, Packer};
///
/// let mut packer = Packer::new(&[0.5; 200], &PackOptions::default())?;
/// while let Some(progress) = packer.sweep() {
///     if progress.mean_overlap < 0.01 {
///         break;
///     }
/// }
/// let packing = packer.finish().packing;
/// assert_eq!(packing.certificate().max_overlap, 0.0);
/// # Ok::<(), jostle::rearrange::PackError>(())
/// ```
pub struct Packer {
    pub(super) radii: Radii,
    pub(super) options: PackOptions,
    /// Name of the global index.
    pub(super) index: String,
    /// The pool of this run; absent if the run uses the pool of its caller.
    pool: Option<ThreadPool>,
    pub(super) threads: usize,
    pub(super) requested: Option<Container>,
    /// Packing fraction of the spheres that are not fixed, at scale 1.
    pub(super) start_fraction: f64,
    /// Packing fraction of the fixed spheres, which grow with the container.
    pub(super) fixed_fraction: f64,
    /// The requested effort, or the present one of a request without effort.
    pub(super) effort: Effort,
    pub(super) schedule: Schedule,
    pub(super) phase: Phase<Approach>,
    pub(super) moves: Moves,
    pub(super) state: State,
    remaining: Remaining,
    progress: Option<Progress>,
    /// The jamming that goes on when the loop is over, if it had begun.
    pub(super) jamming: Option<JamState>,
    /// Whether a sweep has begun and not ended: after a panic, the spheres are in no defined state.
    is_sweeping: bool,
    /// Wall time of the run until it was continued from a checkpoint.
    pub(super) before: Duration,
    /// The time when this process began or continued the run.
    pub(super) started: Instant,
}

impl Packer {
    /// Makes a packer in a pool of its own, or in the pool of the caller. `make` receives the time of its start.
    pub(super) fn in_pool<E: From<PackError> + Send>(
        threads: usize,
        make: impl FnOnce(Instant) -> Result<Self, E> + Send,
    ) -> Result<Self, E> {
        let started = Instant::now();
        let pool = own_pool(threads)?;
        let mut packer = installed(pool.as_ref(), || make(started))?;
        packer.pool = pool;
        packer.started = started;
        Ok(packer)
    }

    /// Makes a packer of spheres that are in the container or pending.
    pub(super) fn assemble(
        radii: Radii,
        options: PackOptions,
        index: String,
        setup: Setup,
        state: State,
        moves: Moves,
    ) -> Self {
        let (effort, schedule) = (setup.effort, setup.schedule);
        let approach = setup.goal.map(|goal| Approach::new(&state, &goal));
        let mut packer = Self {
            radii,
            index,
            pool: None,
            threads: rayon::current_num_threads(),
            requested: setup.requested,
            start_fraction: setup.start_fraction,
            fixed_fraction: setup.fixed_fraction,
            phase: Phase::first(state.is_complete(), approach),
            remaining: Remaining::new(
                options.container.dimension(),
                schedule,
                moves.insertion.schedule,
                options.max_sweeps,
            ),
            moves,
            state,
            effort,
            schedule,
            options,
            progress: None,
            jamming: None,
            is_sweeping: false,
            before: Duration::ZERO,
            started: Instant::now(),
        };
        packer.set_effort(effort);
        packer
    }

    /// Sets the effort of the next sweeps.
    pub(super) fn set_effort(&mut self, effort: Effort) {
        self.effort = effort;
        self.schedule = self.schedule.at_effort(effort);
        let slower_may_follow = self.slower_effort().is_some();
        if let Some(approach) = self.phase.approach_mut() {
            approach.at_effort(effort, slower_may_follow);
        }
        let insertion = self.moves.insertion.schedule;
        self.remaining = Remaining::new(
            self.state.dimension(),
            self.schedule,
            insertion,
            self.options.max_sweeps,
        );
    }

    /// Returns the effort that follows where the present one does not reach the request; `None` where none follows. Around fixed spheres,
    /// other remedies follow.
    pub(super) fn slower_effort(&self) -> Option<Effort> {
        let may_change = self.options.effort.is_none() && self.options.fixed.is_none();
        self.effort.slower().filter(|_| may_change)
    }

    /// Performs one sweep, with the growth, insertions and decisions that follow it. Returns `None`, and does nothing, when
    /// the run is over.
    ///
    /// # Panics
    /// If the index or a communicator panics. The packer cannot be used any more: sweeps, checkpoints and the finish then panic, too.
    pub fn sweep(&mut self) -> Option<Progress> {
        self.assert_whole();
        if self.stop_reason().is_some() {
            return None;
        }
        // The pool is lent to the call.
        let pool = self.pool.take();
        let progress = installed(pool.as_ref(), || self.sweep_here());
        self.pool = pool;
        Some(progress)
    }

    /// Returns the progress after the last sweep; `None` before the first.
    pub fn progress(&self) -> Option<Progress> {
        self.progress
    }

    /// Returns the reason why the run is over; `None` while it goes on.
    pub fn stop_reason(&self) -> Option<StopReason> {
        self.phase.stop_reason()
    }

    /// Returns the wall time of the run so far, without pauses between a checkpoint and its continuation.
    pub fn elapsed(&self) -> Duration {
        self.before + self.started.elapsed()
    }

    /// Sweeps until the run is over or the observer ends it, and finishes the packing.
    ///
    /// The observer is called on a thread of the pool.
    pub fn run(mut self, observer: &mut (impl Observer + Send + ?Sized)) -> PackRun {
        let pool = self.pool.take();
        installed(pool.as_ref(), || {
            while self.stop_reason().is_none() {
                let progress = self.sweep_here();
                let is_break = observer.sweep(&progress).is_break();
                if self.state.halo.ranks.any(is_break) {
                    self.phase.end(StopReason::Interrupted);
                }
                let wants_checkpoint = observer.wants_checkpoint(self.stop_reason());
                let wants_checkpoint = self.state.halo.ranks.any(wants_checkpoint);
                if wants_checkpoint && !self.state.limit.has_cut() {
                    observer.save(self.checkpoint());
                }
            }
            self.end(observer)
        })
    }

    /// Removes all overlap, jams the packing if that is requested, and returns it. A run that is not over counts as interrupted.
    ///
    /// # Panics
    /// If an earlier sweep panicked.
    pub fn finish(self) -> PackRun {
        self.finish_observed(&mut |_: &Progress| ControlFlow::Continue(()))
    }

    /// [`Self::finish`] with an observer, which may end the jamming.
    ///
    /// # Panics
    /// If an earlier sweep panicked.
    pub fn finish_observed(mut self, observer: &mut (impl Observer + Send + ?Sized)) -> PackRun {
        self.assert_whole();
        let pool = self.pool.take();
        installed(pool.as_ref(), || self.end(observer))
    }

    /// Finishes the packing on the present threads.
    fn end(self, observer: &mut (impl Observer + ?Sized)) -> PackRun {
        let is_wanted = self.jams() && observer.wants_checkpoints_of_jam();
        let checkpoint = is_wanted.then(|| self.checkpoint());
        checkpoint
            .iter()
            .cloned()
            .for_each(|made| observer.save(made));
        observer.finishing();
        self.finish_here(checkpoint, observer)
    }

    /// Panics if an earlier sweep panicked.
    pub(super) fn assert_whole(&self) {
        assert!(
            !self.is_sweeping,
            "an earlier sweep of this packer panicked, so that its spheres are in no defined state"
        );
    }

    /// [`Self::sweep`] on the present threads.
    fn sweep_here(&mut self) -> Progress {
        self.is_sweeping = true;
        self.moves.round(&mut Arrangement(&mut self.state));
        let overlaps = self.moves.relocation.overlaps;
        let dimension = self.state.dimension();
        let packing_fraction =
            self.fixed_fraction + self.start_fraction * dimension.power(self.state.points.scale);
        let mut progress = Progress {
            sweeps: self.state.sweeps,
            remaining_sweeps: 0.0,
            spheres: self.state.len(),
            packing_fraction,
            packing_fraction_without_overlap: packing_fraction
                * dimension.power((1.0 - overlaps.largest).max(0.0)),
            mean_overlap: overlaps.total / self.state.len() as f64,
            max_overlap: overlaps.largest,
            work: self.state.work,
            elapsed: self.elapsed(),
        };
        progress.remaining_sweeps = self.remaining.update(&progress);
        self.progress = Some(progress);
        part("growth", || self.decide(&overlaps, progress.mean_overlap));
        self.is_sweeping = false;
        progress
    }

    /// Returns the radii of all ranks.
    pub(super) fn divided_radii(&self) -> Divided<'_> {
        Divided::new(&self.radii.given[..], &self.state.halo.ranks)
    }
}

/// Returns the packing fraction of a few spheres alone in a container of the requested shape, found by packing them quickly.
pub(super) fn fraction_of_few(radii: &[f64], options: &PackOptions) -> f64 {
    let alone = PackOptions::default()
        .container(options.container.clone())
        .effort(Effort::QUICK)
        .seed(options.seed);
    Packer::new(radii, &alone).map_or(f64::INFINITY, |mut packer| {
        while packer.sweep().is_some() {}
        packer.finish().packing.packing_fraction()
    })
}

/// Returns a new pool, or none inside a pool, which then serves.
fn own_pool(threads: usize) -> Result<Option<ThreadPool>, PackError> {
    if rayon::current_thread_index().is_some() {
        return Ok(None);
    }
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .map(Some)
        .map_err(|error| PackError::Threads {
            threads,
            reason: error.to_string(),
        })
}

/// Calls `operation` in a pool, or on the present thread.
fn installed<T: Send>(pool: Option<&ThreadPool>, operation: impl FnOnce() -> T + Send) -> T {
    match pool {
        Some(pool) => pool.install(operation),
        None => operation(),
    }
}
