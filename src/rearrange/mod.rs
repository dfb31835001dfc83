//! The packing loop: collective rearrangement by relocating one sphere at a time.
//!
//! After Jodrey & Tory (1985) and Raschdorf & Kolonko (2011): spheres are placed at random in a container that is
//! too small; where sizes differ much, the small ones come in later. In every sweep each sphere is visited once and moves away
//! from the neighbours it overlaps; the container grows a little after each sweep, slower as the overlaps vanish, until a last
//! exact step makes it just large enough for no overlap at all.
//!
//! A sphere that overlaps nothing stays where it is. Raschdorf & Kolonko move it towards its nearest neighbour; by a tenth
//! or half of the gap, that changes the packing fraction by less than 0.001 either way, for equal spheres and for size
//! ratios of 10 and 50 (10 000 spheres, three seeds).

mod finish;
mod insertion;
mod options;
mod order;
mod phases;
mod placement;
mod refresh;
mod relocate;
mod schedule;
mod state;

use std::{
    ops::ControlFlow,
    time::{Duration, Instant},
};

use rand::SeedableRng;
use rand_pcg::Pcg64;

use crate::{
    container::Container,
    packing::{Packing, Provenance, StopReason},
    spheres::{Spheres, total_volume},
};
use finish::Finished;
pub use options::{PackError, PackOptions, Target, estimated_bytes};
use options::{coat, coated};
use schedule::Schedule;
pub use schedule::{Effort, EffortError};
pub use state::Work;
use state::{Overlaps, Rearrangement};

/// The random number generator of all placements and samples, as files name it.
pub const GENERATOR: &str = "PCG-XSL-RR-128/64 (rand_pcg 0.10 Pcg64)";

/// What the loop has come to after a sweep.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// Sweeps made.
    pub sweeps: u64,
    /// Spheres in the container: where sizes differ much, the small ones come in later.
    pub spheres: usize,
    /// Volume of all spheres, in or not, over that of the container as it is now, overlaps counted twice.
    pub packing_fraction: f64,
    /// Mean over the spheres in the container of the sum of their relative overlaps.
    pub mean_overlap: f64,
    /// Largest relative overlap.
    pub max_overlap: f64,
    /// What all sweeps have done.
    pub work: Work,
    /// Time since the loop began.
    pub elapsed: Duration,
}

/// Watches a packing being made, and may end it.
pub trait Observer {
    /// Called after every sweep; `Break` ends the loop with [`StopReason::Interrupted`].
    fn sweep(&mut self, progress: &Progress) -> ControlFlow<()> {
        let _ = progress;
        ControlFlow::Continue(())
    }

    /// Called when the loop is over and the exact last step and the certificate begin.
    fn finishing(&mut self) {}
}

/// Watches nothing.
impl Observer for () {}

/// A packing and what it took to make it.
#[derive(Clone, Debug)]
pub struct PackRun {
    /// The packing; its spheres are in the order of the radii given.
    pub packing: Packing,
    /// Time for placement, loop, last step and certificate.
    pub elapsed: Duration,
    /// Threads used.
    pub threads: usize,
}

/// Packs spheres of the given radii.
///
/// The same radii, options and seed give the same bits on any machine, with any number of threads and any index.
///
/// Cost: linear in the number of spheres for a given distribution and effort; memory [`estimated_bytes`].
///
/// # Errors
/// [`PackError`], before anything is allocated, when the request makes no sense.
///
/// # Example
/// ```
/// use jostle::{PackOptions, pack};
///
/// let run = pack(&[0.5; 200], &PackOptions::default(), &mut ())?;
/// assert_eq!(run.packing.certificate.max_overlap, 0.0);
/// assert!(run.packing.packing_fraction() > 0.6);
/// # Ok::<(), jostle::PackError>(())
/// ```
pub fn pack(
    radii: &[f64],
    options: &PackOptions,
    observer: &mut (dyn Observer + Send),
) -> Result<PackRun, PackError> {
    options.check(radii)?;
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(options.threads)
        .build()
        .map_err(|error| PackError::Threads(error.to_string()))?;
    let threads = pool.current_num_threads();
    let start = Instant::now();
    let packing = pool.install(|| run(radii, options, threads > 1, observer));
    Ok(PackRun {
        packing,
        elapsed: start.elapsed(),
        threads,
    })
}

fn run(
    radii: &[f64],
    options: &PackOptions,
    parallel: bool,
    observer: &mut (dyn Observer + Send),
) -> Packing {
    let asked = options.asked_container(radii);
    // The loop computes in single precision, whose range is not that of the user's unit. A power of two rounds nothing.
    let unit = power_of_two_near(coated(radii, options.min_gap).fold(0.0, f64::max));
    let goal = asked.map(|container| container.scaled(1.0 / unit));
    let scaled: Vec<f64> = coated(radii, options.min_gap).map(|r| r / unit).collect();
    let schedule = Schedule::new(options.effort, &scaled);
    let start = options.start_container(&scaled, goal, schedule.start_fraction);
    let mut rng = Pcg64::seed_from_u64(options.seed);
    let start_fraction = total_volume(&scaled) / start.volume();
    let mut state = Rearrangement::place(&scaled, start, options.index, &mut rng, parallel);
    drop(scaled);
    let radius = |sphere: usize| coat(radii[sphere], options.min_gap) / unit;
    let mut stop = rearrange(
        &mut state,
        &radius,
        start_fraction,
        goal,
        &schedule,
        options,
        observer,
    );
    if matches!(
        stop,
        StopReason::SweepLimit | StopReason::TimeLimit | StopReason::Interrupted
    ) {
        settle(&mut state, &schedule, options.max_sweeps);
    }
    observer.finishing();
    let (sweeps, relocations) = (state.sweeps(), state.work().relocations);
    let smallest = state.smallest_container(&radius).scaled(unit);
    let fractions = state.into_fractions();
    let Finished {
        centers,
        container,
        certificate,
        fits,
    } = finish::finish(fractions, smallest, radii, options.min_gap, asked);
    if stop == StopReason::FractionReached && !fits {
        stop = StopReason::Stalled;
    }
    Packing {
        spheres: Spheres::new(centers, radii.to_vec()),
        container,
        certificate,
        sizes: None,
        provenance: Some(Provenance {
            program: concat!("jostle ", env!("CARGO_PKG_VERSION")).to_owned(),
            generator: GENERATOR.to_owned(),
            seed: options.seed,
            sizes: String::new(),
            sampling: None,
            index: options.index,
            effort: options.effort.into(),
            fraction: asked.map(|container| total_volume(radii) / container.volume()),
            min_gap: options.min_gap,
            sweeps,
            relocations,
            stop,
        }),
        unit: String::new(),
    }
}

/// The power of two just below `x`, for positive, normal `x`.
fn power_of_two_near(x: f64) -> f64 {
    f64::from_bits(x.to_bits() & (0x7ff << 52))
}

/// Sweeps and grows until there is a reason to stop; `radius` tells each sphere's radius at scale 1, `start_fraction` the packing
/// fraction there.
fn rearrange(
    state: &mut Rearrangement,
    radius: &(impl Fn(usize) -> f64 + Sync),
    start_fraction: f64,
    goal: Option<Container>,
    schedule: &Schedule,
    options: &PackOptions,
    observer: &mut (dyn Observer + Send),
) -> StopReason {
    let clock = Instant::now();
    let mut hold = goal.map(|container| Hold::new(state, &container, options.effort));
    let mut stalled = false;
    let groups = state.waiting.groups();
    let admission = schedule.admission(groups);
    loop {
        let due = (state.sweeps() as f64 / admission.interval) as usize;
        while groups - state.waiting.groups() < due.min(groups) {
            state.admit();
        }
        let overlaps = state.sweep(schedule.relaxation);
        let mean_overlap = overlaps.total / state.len() as f64;
        let progress = Progress {
            sweeps: state.sweeps(),
            spheres: state.len(),
            packing_fraction: start_fraction * state.scale().powi(3),
            mean_overlap,
            max_overlap: overlaps.largest,
            work: state.work(),
            elapsed: clock.elapsed(),
        };
        if observer.sweep(&progress).is_break() {
            return StopReason::Interrupted;
        }
        let all_are_in = state.waiting.is_over();
        if overlaps.largest < schedule.tolerance && all_are_in && hold.is_none() {
            return if stalled {
                StopReason::Stalled
            } else {
                StopReason::Converged
            };
        }
        let growth = if all_are_in {
            schedule.growth(mean_overlap)
        } else {
            admission.growth
        };
        match &mut hold {
            None => state.grow(growth),
            Some(hold) if !all_are_in => hold.grow(state, growth),
            Some(hold) => match hold.advance(state, radius, &overlaps, growth) {
                HoldState::Going => {}
                HoldState::Reached => return StopReason::FractionReached,
                HoldState::OutOfReach => stalled = true,
            },
        }
        if stalled {
            hold = None;
        }
        if options
            .max_sweeps
            .is_some_and(|most| state.sweeps() + SETTLING_SWEEPS >= most)
        {
            return StopReason::SweepLimit;
        }
        if options
            .time_limit
            .is_some_and(|most| clock.elapsed() >= most)
        {
            return StopReason::TimeLimit;
        }
    }
}

/// Sweeps kept for [`settle`].
const SETTLING_SWEEPS: u64 = 40;

/// Makes the best of a loop that was ended early: a few sweeps of fast growth. Without them the worst overlap of all would
/// decide how far the container is blown up.
fn settle(state: &mut Rearrangement, schedule: &Schedule, max_sweeps: Option<u64>) {
    const GROWTH: f64 = 1.01;
    while !state.waiting.is_over() {
        state.admit();
    }
    let end = (state.sweeps() + SETTLING_SWEEPS).min(max_sweeps.unwrap_or(u64::MAX));
    while state.sweeps() < end && state.sweep(1.0).largest > schedule.tolerance {
        state.grow(GROWTH);
    }
}

/// How a run goes on that has been asked for a container of a given size: grow to that size, stay there while the
/// overlaps still shrink, give up when they do not.
struct Hold {
    /// The scale of the radii at which the container has the asked size.
    scale: f64,
    /// Sweeps without progress after which the size counts as out of reach.
    patience: u64,
    least: f64,
    least_at: u64,
}

enum HoldState {
    Going,
    Reached,
    OutOfReach,
}

impl Hold {
    /// Radii are held this much too large, so that spheres that just touch in single precision do not overlap.
    const MARGIN: f64 = 2e-6;

    fn new(state: &Rearrangement, asked: &Container, effort: Effort) -> Self {
        Self {
            scale: state.container().lengths().x / asked.lengths().x,
            patience: (100.0 * libm::pow(3.0, effort.into())) as u64,
            least: f64::INFINITY,
            least_at: 0,
        }
    }

    fn held(&self) -> f64 {
        self.scale * (1.0 + Self::MARGIN)
    }

    /// Not beyond the asked size.
    fn grow(&self, state: &mut Rearrangement, growth: f64) {
        state.grow(growth.min((state.scale() / self.held()).max(1.0)));
    }

    fn advance(
        &mut self,
        state: &mut Rearrangement,
        radius: &(impl Fn(usize) -> f64 + Sync),
        overlaps: &Overlaps,
        growth: f64,
    ) -> HoldState {
        if overlaps.largest < Self::MARGIN
            && state.scale() / state.missing_growth(radius) > self.scale * (1.0 + 1e-9)
        {
            return HoldState::Reached;
        }
        if state.scale() > self.held() {
            self.grow(state, growth);
            return HoldState::Going;
        }
        if overlaps.total < 0.9 * self.least {
            self.least = overlaps.total;
            self.least_at = state.sweeps();
        }
        if state.sweeps() - self.least_at > self.patience {
            HoldState::OutOfReach
        } else {
            HoldState::Going
        }
    }
}
