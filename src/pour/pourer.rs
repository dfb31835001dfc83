//! A deposition as an object, and the collective rearrangement of its bed.

use std::{ops::ControlFlow, time::Duration};

use glam::DVec3;
use rand::{SeedableRng, seq::SliceRandom};
use rand_pcg::Pcg64;

use super::{
    bed::{Bed, Lying},
    checkpoint::PourCheckpoint,
    checks::check,
    constants::{BATCH, HIGHER, LEAST_GAIN, LOOSE, MOST_DOUBLINGS, MOST_REFUSED, MOST_VAIN_TAPS},
    error::PourError,
    finish::packing_of,
    options::{Ceiling, Compaction, Order, PourOptions},
    vessel::of_height,
};
use crate::{
    jam::{JamObserver, JamProgress, JamState},
    machine::clock::Instant,
    packing::{Packing, StopReason, Support},
    rearrange::{Interrupt, PackOptions, Start, Target, pack},
};

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
    pub(super) options: PourOptions,
    pub(super) radii: Vec<f64>,
    /// The given numbers in the order of the drops.
    order: Vec<u32>,
    pub(super) bed: Bed,
    dropped: usize,
    refused: usize,
    taps: u64,
    vain_taps: u64,
    rearrangements: u64,
    /// Packing fraction up to which the goals of rearrangements make the present bed hardly denser; 0 before that.
    exhausted: f64,
    /// Packing fraction from which on goals of rearrangements count as out of reach; at least 1 before that.
    unreached: f64,
    stop: Option<StopReason>,
    /// The state from which the jamming is continued.
    pub(super) jamming: Option<JamState>,
    /// Wall time until the run was continued from a checkpoint.
    before: Duration,
    started: Instant,
}

impl Pourer {
    /// Prepares the deposition of spheres of these radii.
    ///
    /// # Errors
    /// [`PourError`] if the spheres cannot be poured into the container.
    pub fn new(radii: Vec<f64>, options: PourOptions) -> Result<Self, PourError> {
        let started = Instant::now();
        let largest = radii.iter().copied().fold(0.0, f64::max);
        let source = options.source.with_diameter(largest);
        let options = PourOptions { source, ..options };
        let bed = Bed::new(&options, &radii);
        check(&radii, &options, &bed)?;
        Ok(Self {
            order: order_of(&radii, &options),
            bed,
            options,
            radii,
            dropped: 0,
            refused: 0,
            taps: 0,
            vain_taps: 0,
            rearrangements: 0,
            exhausted: 0.0,
            unreached: 1.0,
            stop: None,
            jamming: None,
            before: Duration::ZERO,
            started,
        })
    }

    /// Drops some spheres, or taps the bed once. Returns `None`, and does nothing, when the run is over.
    pub fn step(&mut self) -> Option<PourProgress> {
        if self.stop.is_some() {
            return None;
        }
        if self.is_pouring() {
            for _ in 0..BATCH {
                if !self.is_pouring() {
                    break;
                }
                self.drop_next();
            }
        } else {
            match self.options.compaction {
                Compaction::Fraction(fraction) if self.may_rearrange() => self.rearrange(fraction),
                _ => self.tap(),
            }
        }
        self.decide();
        Some(self.progress())
    }

    /// Returns whether spheres are still dropped.
    fn is_pouring(&self) -> bool {
        self.dropped < self.order.len() && self.refused < MOST_REFUSED
    }

    /// Drops the next sphere.
    fn drop_next(&mut self) {
        let id = self.order[self.dropped];
        let mut random = self.random(self.dropped as u64);
        let share = self.dropped as f64 / self.order.len() as f64;
        let radius = self.radii[id as usize];
        self.dropped += 1;
        let start = self.bed.start(&self.options, radius, share, &mut random);
        let is_lying =
            start.is_some_and(|from| self.bed.drop(&self.options, id, radius, from, &mut random));
        self.refused = if is_lying { 0 } else { self.refused + 1 };
    }

    /// Returns the random numbers of an event. They do not depend on earlier ones.
    fn random(&self, event: u64) -> Pcg64 {
        Pcg64::seed_from_u64(self.options.seed ^ event.wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    /// Taps the bed once. Towards a packing fraction, only a tap that makes the bed denser counts: with a stop angle, taps loosen a dense bed.
    fn tap(&mut self) {
        let mut random = self.random(u64::MAX - self.taps);
        self.taps += 1;
        let falls = 1 << self.taps.min(MOST_DOUBLINGS);
        let (bed, options, radii) = (&self.bed, &self.options, &self.radii);
        let settled = bed.settled(options, radii, &bed.lying.centers, falls, &mut random);
        let is_denser = |settled: &Bed| settled.fraction(radii, options) > self.fraction();
        let is_vain = !settled.as_ref().is_some_and(is_denser);
        let must_gain = matches!(options.compaction, Compaction::Fraction(_));
        self.vain_taps = if is_vain { self.vain_taps + 1 } else { 0 };
        if let Some(bed) = settled.filter(|_| !(is_vain && must_gain)) {
            self.bed = bed;
        }
    }

    /// Returns whether a rearrangement may make the bed denser. Without a stop angle, spheres roll back into a loose bed.
    fn may_rearrange(&self) -> bool {
        self.options.stop_angle > 0.0
            && can_rearrange(&self.options)
            && self.unreached - self.least_goal() >= HIGHER
    }

    /// Returns the packing fraction above which a goal of a rearrangement may make the bed denser. A rearrangement compresses from the
    /// highest sphere, and so it makes a bed with a rough surface denser even at a goal below the packing fraction under the mean surface.
    fn least_goal(&self) -> f64 {
        let of_vessel = self.bed.filled(&self.radii, &self.options) / self.bed.top;
        self.exhausted.max(of_vessel)
    }

    /// Rearranges the bed once: the packing loop brings it to the requested packing fraction or a higher one, and each sphere falls from the
    /// place that it then has.
    ///
    /// Where that is out of reach, the goal is bisected. A denser bed may reach higher goals than before, so that the interval grows again.
    fn rearrange(&mut self, fraction: f64) {
        let (present, raised) = (self.fraction(), HIGHER * self.rearrangements as f64);
        // The loop does not reach a dense state from a very loose one that is compressed at once.
        let mut goal = if present < LOOSE * fraction {
            0.5 * (present + fraction)
        } else {
            fraction + raised
        };
        if goal >= self.unreached {
            goal = 0.5 * (self.least_goal() + self.unreached);
        }
        let mut random = self.random(u64::MAX / 2 - self.rearrangements);
        self.rearrangements += 1;
        let (bed, options, radii) = (&self.bed, &self.options, &self.radii);
        let left = |limit: Duration| limit.saturating_sub(self.started.elapsed());
        let time_limit = options.time_limit.map(left);
        let centers = rearranged(bed, options, radii, goal, time_limit);
        let is_reached = centers.is_some();
        let denser = centers
            .and_then(|centers| bed.settled(options, radii, &centers, 1, &mut random))
            .filter(|settled| settled.fraction(radii, options) > present);
        if let Some(bed) = denser {
            self.bed = bed;
        }
        if self.fraction() >= present + LEAST_GAIN {
            self.exhausted = 0.0;
            self.unreached += self.unreached - goal;
        } else if is_reached {
            self.exhausted = goal;
        } else {
            self.unreached = goal;
        }
    }

    /// Returns the packing fraction of the bed.
    pub(super) fn fraction(&self) -> f64 {
        self.bed.fraction(&self.radii, &self.options)
    }

    /// Ends the run if its request is met, or cannot be met, or if a limit is reached.
    fn decide(&mut self) {
        let is_done = !self.is_pouring()
            && match self.options.compaction {
                Compaction::None => true,
                Compaction::Taps(taps) => self.taps >= taps,
                Compaction::Fraction(fraction) => {
                    self.fraction() >= fraction || self.vain_taps >= MOST_VAIN_TAPS
                }
            };
        self.stop = if is_done {
            Some(self.reason())
        } else {
            self.cut()
        };
    }

    /// Returns the limit that ends the run, if one is reached.
    pub(super) fn cut(&self) -> Option<StopReason> {
        let options = &self.options;
        if (options.interrupt.as_ref()).is_some_and(Interrupt::is_requested) {
            return Some(StopReason::Interrupted);
        }
        let is_over = |limit| self.started.elapsed() >= limit;
        (options.time_limit.is_some_and(is_over)).then_some(StopReason::TimeLimit)
    }

    /// Returns the reason why a run is over that no limit ended.
    fn reason(&self) -> StopReason {
        if self.shortfall().is_some() {
            return StopReason::Stalled;
        }
        match self.options.compaction {
            Compaction::Fraction(_) => StopReason::FractionReached,
            _ => StopReason::Converged,
        }
    }

    /// Returns one sentence if the request is not met when a run is cut short, by a limit or by its observer.
    fn unfinished(&self) -> Option<String> {
        match (self.options.ceiling, self.options.compaction) {
            (Ceiling::At(height), _) if self.is_pouring() => Some(format!(
                "the spheres reach the height {:.6}, and not {height}",
                self.bed.top
            )),
            _ if self.is_pouring() => Some(format!(
                "{} of {} spheres are poured",
                self.dropped,
                self.radii.len()
            )),
            (_, Compaction::Taps(taps)) if self.taps < taps => {
                Some(format!("{} of {taps} taps are done", self.taps))
            }
            (_, Compaction::Fraction(fraction)) if self.fraction() < fraction => Some(format!(
                "the bed has packing fraction {:.4} so far, and not {fraction}",
                self.fraction()
            )),
            _ => self.shortfall(),
        }
    }

    /// Returns one sentence if the request is not met at the end of a run.
    fn shortfall(&self) -> Option<String> {
        let is_full = self.refused >= MOST_REFUSED;
        let (top, left) = (self.bed.top, self.radii.len() - self.bed.lying.ids.len());
        if let Ceiling::At(height) = self.options.ceiling {
            let largest = self.radii.iter().copied().fold(0.0, f64::max);
            if self.refused > 0 && self.bed.lying.ids.is_empty() {
                return Some(format!(
                    "no sphere found a place below the height {height}; a higher bed, or smaller spheres, are needed"
                ));
            }
            if top < height - 2.0 * largest {
                let needed = if is_full {
                    "the last ones found no place, so that a higher source, a wider vessel, or a lower height is needed"
                } else {
                    "more spheres, or a lower height, are needed"
                };
                return Some(format!(
                    "the spheres reach the height {top:.6}, and not {height}; {needed}"
                ));
            }
        } else if left > 0 {
            let needed = if self.options.ceiling == Ceiling::Free {
                "found no place; fewer spheres, or a higher source, are needed"
            } else {
                "found no place below the top of the vessel; fewer spheres, or a higher vessel, are needed"
            };
            return Some(format!("{left} of {} spheres {needed}", self.radii.len()));
        }
        match self.options.compaction {
            Compaction::Fraction(fraction) if self.fraction() < fraction => Some(format!(
                "the bed has packing fraction {:.4} up to twice the height of its center of mass, and not {fraction}; taps do not make it denser, and spheres at rest may need a larger stop angle",
                self.fraction(),
            )),
            _ => None,
        }
    }

    /// Returns the progress so far.
    pub fn progress(&self) -> PourProgress {
        let poured = self.dropped as f64 / self.radii.len() as f64;
        let share = match self.options.ceiling {
            Ceiling::At(height) => poured.max((self.bed.top / height).min(1.0)),
            _ => poured,
        };
        PourProgress {
            deposited: self.bed.lying.ids.len(),
            spheres: self.radii.len(),
            height: self.bed.top,
            share,
            taps: self.taps,
            elapsed: self.elapsed(),
        }
    }

    fn elapsed(&self) -> Duration {
        self.before + self.started.elapsed()
    }

    /// Returns the reason why the run is over; `None` while it goes on.
    pub fn stop_reason(&self) -> Option<StopReason> {
        self.stop
    }

    /// Returns the options.
    pub fn options(&self) -> &PourOptions {
        &self.options
    }

    /// Returns the complete state of the run. Cost: a copy.
    pub fn checkpoint(&self) -> PourCheckpoint {
        PourCheckpoint {
            options: self.options.clone(),
            radii: self.radii.clone(),
            dropped: self.dropped,
            lying: self.bed.lying.clone(),
            refused: self.refused,
            taps: self.taps,
            vain_taps: self.vain_taps,
            rearrangements: self.rearrangements,
            exhausted: self.exhausted,
            unreached: self.unreached,
            jamming: self.jamming.clone(),
            elapsed: self.elapsed(),
        }
    }

    /// Continues a run from a checkpoint. It ends with the bits of an undisturbed run.
    ///
    /// # Errors
    /// [`PourError`] if the checkpoint contradicts itself.
    pub fn resume(checkpoint: PourCheckpoint) -> Result<Self, PourError> {
        let mut pourer = Self::new(checkpoint.radii, checkpoint.options)?;
        check_lying(&checkpoint.lying, &pourer, checkpoint.dropped)?;
        pourer.bed.restore(checkpoint.lying, &pourer.radii);
        pourer.dropped = checkpoint.dropped;
        pourer.refused = checkpoint.refused;
        pourer.taps = checkpoint.taps;
        pourer.vain_taps = checkpoint.vain_taps;
        pourer.rearrangements = checkpoint.rearrangements;
        pourer.exhausted = checkpoint.exhausted;
        pourer.unreached = checkpoint.unreached;
        pourer.jamming = checkpoint.jamming;
        pourer.before = checkpoint.elapsed;
        if !pourer.is_pouring() {
            pourer.decide();
        }
        Ok(pourer)
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
        self.finish_observed(&mut |_: &JamProgress| ControlFlow::Continue(()))
    }

    /// Returns the packing, like [`finish`](Self::finish), and reports the progress of the jamming to an observer, which may end it. The bed then
    /// stays as it was poured.
    pub fn finish_observed(mut self, observer: &mut dyn JamObserver) -> PourRun {
        let mut stop = self.stop.unwrap_or(StopReason::Interrupted);
        // A jammed bed is lower than the height up to which it was poured.
        let shortfall = match stop {
            StopReason::Interrupted | StopReason::TimeLimit => self.unfinished(),
            _ => self.shortfall(),
        };
        let has_bed = !self.options.jam.is_off() && !self.bed.lying.ids.is_empty();
        let jamming = has_bed.then(|| self.jam(&mut stop, observer));
        let unjammed = (jamming.as_ref()).and_then(|(account, _)| account.shortfall());
        let is_jammed = (jamming.as_ref()).is_some_and(|(_, forces)| forces.is_some());
        // A packing fraction that was out of reach may be reached now.
        let is_met = is_jammed && self.shortfall().is_none();
        if is_met {
            stop = self.reason();
        }
        let mut is_lying = vec![false; self.radii.len()];
        for &id in &self.bed.lying.ids {
            is_lying[id as usize] = true;
        }
        PourRun {
            height: self.bed.top,
            left_out: (0..is_lying.len()).filter(|&k| !is_lying[k]).collect(),
            shortfall: shortfall.filter(|_| !is_met).or(unjammed),
            elapsed: self.elapsed(),
            packing: packing_of(
                &self.bed,
                &self.radii,
                &self.options,
                [self.taps, self.rearrangements],
                stop,
                jamming,
            ),
        }
    }
}

/// Rejects spheres of a checkpoint that its request cannot have.
fn check_lying(lying: &Lying, pourer: &Pourer, dropped: usize) -> Result<(), PourError> {
    let require = |is_met: bool, what: &'static str| {
        if is_met {
            Ok(())
        } else {
            Err(PourError::Checkpoint(what))
        }
    };
    let (count, ends) = (lying.ids.len(), &lying.ends);
    let fits = lying.centers.len() == count
        && ends.len() == count
        && ends.is_sorted()
        && ends.last().map_or(0, |&end| end as usize) == lying.supports.len();
    require(fits, "its lists have different lengths")?;
    let fits = dropped <= pourer.radii.len() && count <= dropped;
    require(fits, "more spheres lie in the bed than were dropped")?;
    let mut is_new = vec![true; pourer.radii.len()];
    let mut are_known = lying
        .ids
        .iter()
        .all(|&id| (is_new.get_mut(id as usize)).is_some_and(std::mem::take));
    let most = pourer.radii.len()
        + pourer
            .options
            .fixed
            .as_ref()
            .map_or(0, |fixed| fixed.spheres.len());
    are_known &= lying.supports.iter().all(|support| match support {
        Support::Sphere(id) => *id < most,
        Support::Wall(normal) => normal.is_finite(),
    });
    require(
        are_known,
        "a number of a sphere occurs twice, or is unknown",
    )?;
    let is_inside = lying.centers.iter().all(|center| center.is_finite());
    require(is_inside, "a center is not finite")
}

/// Returns the given numbers in the order in which spheres are dropped.
fn order_of(radii: &[f64], options: &PourOptions) -> Vec<u32> {
    let mut random = Pcg64::seed_from_u64(options.seed);
    let mut order: Vec<u32> = (0..radii.len() as u32).collect();
    match options.order {
        Order::AsGiven => {}
        Order::Random => order.shuffle(&mut random),
        Order::LargeFirst => {
            order.shuffle(&mut random);
            order.sort_by(|&a, &b| radii[b as usize].total_cmp(&radii[a as usize]));
        }
        Order::Layers => {
            let mut start = 0;
            let components = options.sizes.iter().flat_map(|sizes| &sizes.components);
            for component in components {
                let end = (start + component.spheres as usize).min(order.len());
                order[start..end].shuffle(&mut random);
                start = end;
            }
        }
    }
    order
}

/// Returns whether the cross-section of a vessel is the same at all heights. Bodies and fixed spheres vary it.
fn can_rearrange(options: &PourOptions) -> bool {
    let height = options.container.lengths()[options.gravity.axis().number()];
    options.fixed.is_none()
        && options.container.bodies().is_empty()
        && of_height(options, height).is_some()
}

/// Returns centers of the spheres of a bed, in the coordinates of the vessel, at which the bed has a packing fraction, without contacts:
/// the bed is compressed along gravity, and the packing loop removes the overlaps.
///
/// `None` if the loop finds no such centers.
pub(super) fn rearranged(
    bed: &Bed,
    options: &PourOptions,
    radii: &[f64],
    fraction: f64,
    time_limit: Option<Duration>,
) -> Option<Vec<DVec3>> {
    let height = bed.filled(radii, options) / fraction;
    let (container, turn) = of_height(options, height)?;
    let compressed = |center: &DVec3| turn.back(center.with_z(center.z * height / bed.top));
    let centers: Vec<DVec3> = bed.lying.centers.iter().map(compressed).collect();
    let inflated = |&id: &u32| bed.inflated(radii[id as usize]);
    let inflated: Vec<f64> = bed.lying.ids.iter().map(inflated).collect();
    let pack_options = PackOptions {
        time_limit,
        interrupt: options.interrupt.clone(),
        ..PackOptions::default()
    };
    let pack_options = pack_options
        .container(container.clone())
        .target(Target::Exact)
        .start(Start::new("bed", centers))
        .seed(options.seed)
        .threads(1);
    let packing = pack(inflated, &pack_options).ok()?.packing;
    let is_reached = packing.container().lengths() == container.lengths();
    let centers = packing.spheres().centers().iter();
    is_reached.then(|| centers.map(|&center| turn.point(center)).collect())
}
