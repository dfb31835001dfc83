//! The state of a packing in the making, and the sweep that moves every sphere once.

use std::{
    ops::Range,
    sync::atomic::{AtomicBool, Ordering::Relaxed},
    time::{Duration, Instant},
};

use glam::DVec3;
use rayon::prelude::*;

use super::{
    insertion::Waiting,
    order::VisitOrder,
    phases::visit_blocks,
    relocate::{Scene, push},
};
use crate::{
    container::Container,
    container::frame::{Frame, Point, Steps, difference},
    index::IndexKind,
    machine::instructions::Instructions,
    machine::prefetch::{prefetch, prefetch_line},
    verlet::{Block, Shortlists, VerletLists},
};

/// A relocation moves a sphere by at most this share of its radius: what goes farther only meets new neighbours.
const LONGEST_STEP: f32 = 0.7;

/// A push of this many radii or more throws a small sphere out of a large one, just so far. Without, 400 000 spheres of diameters 1 and
/// 100 (0.3 of the volume small) packed to 0.678 in place of 0.682.
const LEAP: f32 = 3.0;

/// Below this share of relocated spheres, spheres with nothing to do are no longer visited.
const SLEEP_SHARE: f64 = 0.5;

/// Lists are fetched into the cache so many visits ahead, and so many cache lines of them at most.
const LISTS_AHEAD: usize = 10;
const LINES: usize = 6;

/// The points that a list names are fetched so many visits ahead, but only from this number of spheres on, which no core's own
/// cache holds, and where there is more than one size: points then lie between those of other levels, that are not visited.
const POINTS_AHEAD: usize = 4;
const MANY: usize = 1 << 17;

/// Spheres in a container that has a fixed size, while all radii shrink by a common `scale`.
///
/// This is the growing container seen from inside: positions are fractions of the container, so that growth
/// moves nothing. Invariant between sweeps: every sphere lies inside its inflated sphere, which the
/// lists know.
pub(super) struct Rearrangement {
    pub(super) frame: Frame,
    /// Spheres, radii at scale 1; one more point pads the lists.
    pub(super) points: Vec<Point>,
    /// Radius of a sphere of their mean volume, at scale 1.
    pub(super) mean_radius: f32,
    /// The sweep of each sphere's last refresh.
    pub(super) refreshed: Vec<u32>,
    /// The caller's number of each sphere: here they are numbered along a space-filling curve.
    pub(super) original: Vec<u32>,
    /// Spheres that come in later.
    pub(super) waiting: Waiting,
    pub(super) lists: VerletLists,
    pub(super) shortlists: Option<Shortlists>,
    /// Sweeps on end after which few spheres needed new lists.
    pub(super) calm_sweeps: u32,
    pub(super) order: VisitOrder,
    instructions: Instructions,
    /// Spheres that the next sweep must visit: all of them, until relocations have become few. A sphere falls asleep when
    /// it overlaps nothing, and wakes when a neighbour is relocated. As radii only shrink, sleepers would not move anyway.
    awake: Option<Vec<AtomicBool>>,
    scale: f64,
    sweeps: u64,
    work: Work,
    parallel: bool,
}

/// What the sweeps of a packing have done so far, and the time it took.
#[derive(Clone, Copy, Debug, Default)]
pub struct Work {
    /// Spheres moved, each once a sweep at most.
    pub relocations: u64,
    /// Time for the visits of all spheres, from which relocations come.
    pub relocating: Duration,
    /// Lists made anew.
    pub refreshes: u64,
    /// Time to make them, with all that this changes in the index and in other lists.
    pub refreshing: Duration,
}

/// What a sweep found, before its own relocations mended it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Overlaps {
    /// Sum of the relative overlaps over all spheres and their neighbours.
    pub total: f64,
    /// Largest relative overlap.
    pub largest: f64,
}

/// The part of a sweep that one block did.
#[derive(Default)]
struct BlockOutcome {
    overlaps: Overlaps,
    relocations: u64,
    /// Spheres that left their inflated spheres.
    stale: Vec<u32>,
}

impl BlockOutcome {
    fn add(&mut self, other: Self) {
        self.overlaps.total += other.overlaps.total;
        self.overlaps.largest = self.overlaps.largest.max(other.overlaps.largest);
        self.relocations += other.relocations;
        self.stale.extend(other.stale);
    }
}

/// The points while the blocks of one colour are swept: each sphere is written by the one thread that has its block.
#[derive(Clone, Copy)]
struct SharedPoints(*mut Point);

// SAFETY: blocks of one colour are swept at the same time. A thread writes only members of its block, and
// reads only those and their neighbours, which `VisitOrder` keeps out of all other blocks of that colour.
unsafe impl Send for SharedPoints {}
unsafe impl Sync for SharedPoints {}

impl Rearrangement {
    /// An empty container.
    pub fn empty(frame: Frame, kind: IndexKind, waiting: Waiting, parallel: bool) -> Self {
        Self {
            points: vec![Point::NOTHING],
            mean_radius: 0.0,
            refreshed: Vec::new(),
            original: Vec::new(),
            waiting,
            lists: VerletLists::of_points(kind, frame.clone(), Vec::new()),
            shortlists: None,
            calm_sweeps: 0,
            order: VisitOrder::new(&frame, &[], &[]),
            instructions: Instructions::detect(),
            awake: None,
            scale: 1.0,
            sweeps: 0,
            work: Work::default(),
            frame,
            parallel,
        }
    }

    /// Replaces all spheres: `points` are they with radii at scale 1, `original` tells their numbers.
    pub fn replace_all(&mut self, points: Vec<Point>, original: Vec<u32>, outer: Vec<Point>) {
        let radii = points.iter().map(|point| f64::from(point.radius));
        let cubes: f64 = radii.map(|r| r * r * r).sum();
        self.mean_radius = libm::cbrt(cubes / points.len() as f64) as f32;
        self.points = points;
        self.points.push(Point::NOTHING);
        self.original = original;
        let reach: Vec<f32> = (0..self.len() as u32)
            .map(|id| {
                self.points[id as usize]
                    .inflated(self.largest_allowance(id))
                    .radius
            })
            .collect();
        self.order = VisitOrder::new(&self.frame, &reach, &outer);
        self.refreshed = vec![self.sweeps as u32; self.len()];
        self.shortlists = None;
        self.calm_sweeps = 0;
        self.awake = None;
        self.lists.replace_all(outer);
    }

    pub fn len(&self) -> usize {
        self.original.len()
    }

    /// The container, which keeps its size while the radii shrink.
    pub fn container(&self) -> &Container {
        self.frame.container()
    }

    pub fn sweeps(&self) -> u64 {
        self.sweeps
    }

    pub fn work(&self) -> Work {
        self.work
    }

    /// The common factor of all radii.
    pub fn scale(&self) -> f64 {
        self.scale
    }

    /// Shrinks all radii by `1 / growth`, which is to say: lets the container grow by `growth ≥ 1`.
    pub fn grow(&mut self, growth: f64) {
        debug_assert!(growth >= 1.0);
        self.scale /= growth;
    }

    /// The centres as fractions of the container's lengths, in the order of the radii at [`Self::place`]; nobody may wait.
    pub fn into_fractions(self) -> Vec<DVec3> {
        let Self {
            points,
            original,
            frame,
            lists,
            shortlists,
            ..
        } = self;
        drop((lists, shortlists));
        let mut fractions = vec![DVec3::ZERO; original.len()];
        for (point, original) in points.iter().zip(original) {
            fractions[original as usize] = frame.fraction(point.at);
        }
        fractions
    }

    /// The container of this shape in which the spheres, with radii as they were given, just do not overlap.
    pub fn smallest_container(&self, radius: &(impl Fn(usize) -> f64 + Sync)) -> Container {
        self.container()
            .scaled(self.missing_growth(radius) / self.scale)
    }

    fn center(&self, id: u32) -> DVec3 {
        self.frame.center(self.points[id as usize].at)
    }

    /// Visits every sphere once and moves it away from what it overlaps, `relaxation` times its share.
    pub fn sweep(&mut self, relaxation: f32) -> Overlaps {
        self.sweeps += 1;
        let clock = Instant::now();
        let mut outcome = BlockOutcome::default();
        let shared = SharedPoints(self.points.as_mut_ptr());
        let this = &*self;
        let visit = |block| this.visit_block(shared, block, relaxation);
        if self.parallel {
            let phases: Vec<Range<u32>> = self.order.phases().collect();
            let parts = visit_blocks(&phases, visit);
            parts.into_iter().for_each(|part| outcome.add(part));
        } else {
            let blocks = self.order.phases().flatten();
            blocks.for_each(|block| outcome.add(visit(block)));
        }
        self.work.relocations += outcome.relocations;
        if self.awake.is_none() && (outcome.relocations as f64) < SLEEP_SHARE * self.len() as f64 {
            let all = self.points.iter().map(|_| AtomicBool::new(true));
            self.awake = Some(all.collect());
        }
        let relocating = clock.elapsed();
        // In the order in which spheres, lists and index lie in memory.
        outcome.stale.par_sort_unstable();
        self.work.refreshes += self.refresh(&outcome.stale) as u64;
        self.work.relocating += relocating;
        self.work.refreshing += clock.elapsed() - relocating;
        outcome.overlaps
    }

    fn visit_block(&self, shared: SharedPoints, block: u32, relaxation: f32) -> BlockOutcome {
        match self.instructions {
            // SAFETY: the machine has them.
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2 => unsafe { self.visit_block_avx2(shared, block, relaxation) },
            portable => self.visit_block_with(portable, shared, block, relaxation),
        }
    }

    /// Compiled as a whole for machines that have AVX2.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    unsafe fn visit_block_avx2(
        &self,
        shared: SharedPoints,
        block: u32,
        relaxation: f32,
    ) -> BlockOutcome {
        self.visit_block_with(Instructions::Avx2, shared, block, relaxation)
    }

    #[inline(always)]
    fn visit_block_with(
        &self,
        instructions: Instructions,
        shared: SharedPoints,
        block: u32,
        relaxation: f32,
    ) -> BlockOutcome {
        let mut outcome = BlockOutcome::default();
        let scale = self.scale as f32;
        let points = shared.0;
        let scene = Scene {
            points,
            unit: self.frame.unit,
            scale,
        };
        let inflated = match &self.shortlists {
            Some(shortlists) => shortlists.inner(),
            None => self.lists.inflated(),
        };
        let members = self.order.members(block);
        let points_are_far = self.len() >= MANY && self.order.levels() > 1;
        for (k, &id) in members.iter().enumerate() {
            let i = id as usize;
            if let Some(&ahead) = members.get(k + LISTS_AHEAD)
                && self.is_awake(ahead)
            {
                prefetch(self.neighbours(ahead), LINES);
            }
            if points_are_far
                && let Some(&ahead) = members.get(k + POINTS_AHEAD)
                && self.is_awake(ahead)
            {
                for &other in self.neighbours(ahead).as_flattened() {
                    prefetch_line(points.wrapping_add(other as usize));
                }
            }
            if !self.is_awake(id) {
                continue;
            }
            let neighbours = self.neighbours(id);
            // SAFETY: see `SharedPoints`; the lists hold ids of points, or the padding, which is one too.
            let (mut me, push) = unsafe {
                let me = *points.add(i);
                (me, push(instructions, scene, me, neighbours))
            };
            if let Some(awake) = &self.awake {
                awake[i].store(push.largest > 0.0, Relaxed);
            }
            if push.largest <= 0.0 {
                continue;
            }
            if let Some(awake) = &self.awake {
                for &other in neighbours.as_flattened() {
                    awake[other as usize].store(true, Relaxed);
                }
            }
            outcome.overlaps.total += f64::from(push.total);
            outcome.overlaps.largest = outcome.overlaps.largest.max(f64::from(push.largest));
            outcome.relocations += 1;
            let step = self.step(me, push.steps, relaxation, scale);
            let (at, leaves) = self.land(inflated[i], me, step, scale);
            me.at = at;
            if leaves {
                outcome.stale.push(id);
            }
            // SAFETY: see `SharedPoints`.
            unsafe { me.store(points.add(i)) };
        }
        outcome
    }

    #[inline(always)]
    fn neighbours(&self, id: u32) -> &[Block] {
        match &self.shortlists {
            Some(shortlists) => shortlists.blocks(id),
            None => self.lists.blocks(id),
        }
    }

    #[inline(always)]
    fn is_awake(&self, id: u32) -> bool {
        let awake = self.awake.as_ref();
        awake.is_none_or(|awake| awake[id as usize].load(Relaxed))
    }

    /// The step of a sphere that is pushed, not longer than it may be.
    #[inline(always)]
    fn step(&self, me: Point, push: [f32; 3], relaxation: f32, scale: f32) -> [i64; 3] {
        let own = (me.radius * scale) * (me.radius * scale);
        let asked = (relaxation * relaxation) * self.frame.length_squared(push);
        let longest = if asked < LEAP * LEAP * own {
            LONGEST_STEP
        } else {
            LEAP
        };
        let factor = if asked < longest * longest * own {
            relaxation
        } else {
            relaxation * longest * (own / asked).sqrt()
        };
        push.map(|component| (factor * component) as i64)
    }

    /// Where a step leads, not through a wall, and whether out of the inflated sphere: until the refresh at the end of the sweep,
    /// those the sphere meets out there do not feel it.
    #[inline(always)]
    fn land(&self, inflated: Point, me: Point, step: [i64; 3], scale: f32) -> (Steps, bool) {
        let radius = me.radius * scale;
        let at: Steps = std::array::from_fn(|axis| {
            if self.frame.container().is_periodic(axis) {
                (i64::from(me.at[axis]) + step[axis]) as i32
            } else {
                let margin = (radius / self.frame.unit[axis]) as i64 + 1;
                let span = self.frame.span(axis);
                let low = margin.min(span / 2);
                (i64::from(me.at[axis]) + step[axis]).clamp(low, span - low) as i32
            }
        });
        let way = difference(inflated.at, at).map(|steps| steps as f32);
        let allowance = inflated.radius - radius;
        (at, self.frame.length_squared(way) > allowance * allowance)
    }

    /// The factor by which the container must still grow for no two spheres to overlap, and none a wall: at least 1.
    ///
    /// In f64, on the radii as they were given, which `radius` tells by their place at [`Self::place`].
    pub fn missing_growth(&self, radius: &(impl Fn(usize) -> f64 + Sync)) -> f64 {
        let radius = |id: u32| radius(self.original[id as usize] as usize) * self.scale;
        let container = self.frame.container();
        let lengths = container.lengths();
        let range = 0..self.len() as u32;
        let batch = |range: Range<u32>| {
            let mut factor = 1f64;
            for id in range {
                let center = self.center(id);
                let own = radius(id);
                for &other in self.lists.neighbours(id) {
                    if other < id {
                        continue;
                    }
                    let distance = container.displacement(center, self.center(other)).length();
                    let reach = own + radius(other);
                    factor = factor.max(reach / distance);
                }
                for axis in 0..3 {
                    factor = factor.max(if container.is_periodic(axis) {
                        2.0 * own / lengths[axis]
                    } else {
                        own / center[axis].min(lengths[axis] - center[axis])
                    });
                }
            }
            factor
        };
        const BATCH: u32 = 1 << 14;
        (0..range.end.div_ceil(BATCH))
            .into_par_iter()
            .map(|k| batch(k * BATCH..((k + 1) * BATCH).min(range.end)))
            .reduce(|| 1.0, f64::max)
    }
}
