//! One sweep: every sphere is visited once and moves away from the spheres that it overlaps.

use std::{
    ops::Range,
    sync::atomic::{AtomicBool, Ordering::Relaxed},
    time::Instant,
};

use rayon::prelude::*;

use super::{
    constants::{
        INACTIVE_SHARE, LEAP, LIST_LINES, LISTS_AHEAD, LONGEST_STEP, POINTS_AHEAD,
        PREFETCHED_SPHERES,
    },
    phases::visit_blocks,
    relocate::Neighbourhood,
    state::State,
};
use crate::{
    container::frame::{Point, Steps, difference},
    machine::{
        lanes::{Kernel, Lanes, run},
        prefetch::{prefetch, prefetch_line},
    },
    verlet::Octet,
};

/// The overlaps that a sweep found, before its own relocations reduced them.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Overlaps {
    /// Sum of the relative overlaps over all spheres and their neighbours.
    pub total: f64,
    /// Largest relative overlap.
    pub largest: f64,
}

/// The contribution of one block to a sweep.
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

/// The points during a phase: each sphere is written by the one thread that visits its block.
#[derive(Clone, Copy)]
struct SharedPoints(*mut Point);

// SAFETY: only the blocks of one colour are visited at the same time. A thread writes only members of its block, and reads
// only these and their neighbours. `VisitOrder` keeps the neighbours out of all other blocks of that colour.
unsafe impl Send for SharedPoints {}
// SAFETY: as for `Send`.
unsafe impl Sync for SharedPoints {}

impl State {
    /// Visits every sphere once and moves it away from the spheres that it overlaps, by `relaxation` times its share of the
    /// overlaps. Then refreshes the spheres that left their inflated spheres.
    pub fn sweep(&mut self, relaxation: f32) -> Overlaps {
        self.sweeps += 1;
        let clock = Instant::now();
        let mut outcome = BlockOutcome::default();
        let visit = SweepVisit {
            shared: SharedPoints(self.points.as_mut_ptr()),
            state: self,
            relaxation,
            scale: self.scale as f32,
            prefetches_points: self.len() >= PREFETCHED_SPHERES && self.order.levels() > 1,
        };
        if rayon::current_num_threads() > 1 {
            let phases: Vec<Range<u32>> = self.order.phases().collect();
            let parts = visit_blocks(&phases, |block| visit.block(block));
            parts.into_iter().for_each(|part| outcome.add(part));
        } else {
            let blocks = self.order.phases().flatten();
            blocks.for_each(|block| outcome.add(visit.block(block)));
        }
        self.work.relocations += outcome.relocations;
        let few = (outcome.relocations as f64) < INACTIVE_SHARE * self.len() as f64;
        if self.active.is_none() && few {
            let all = self.points.iter().map(|_| AtomicBool::new(true));
            self.active = Some(all.collect());
        }
        let relocating = clock.elapsed();
        // In the order in which spheres, lists and index lie in memory.
        outcome.stale.par_sort_unstable();
        self.work.refreshes += self.refresh(&outcome.stale) as u64;
        self.work.relocating += relocating;
        self.work.refreshing += clock.elapsed() - relocating;
        outcome.overlaps
    }
}

/// The visit of all blocks of one sweep.
#[derive(Clone, Copy)]
struct SweepVisit<'a> {
    state: &'a State,
    shared: SharedPoints,
    relaxation: f32,
    /// Common factor of all radii.
    scale: f32,
    prefetches_points: bool,
}

/// The visit of one block.
struct BlockVisit<'a> {
    sweep: SweepVisit<'a>,
    block: u32,
}

impl Kernel for BlockVisit<'_> {
    type Output = BlockOutcome;

    #[inline(always)]
    fn compute<L: Lanes>(self, lanes: L) -> BlockOutcome {
        let mut outcome = BlockOutcome::default();
        let state = self.sweep.state;
        let inflated = match &state.shortlists {
            Some(shortlists) => shortlists.inner(),
            None => state.lists.inflated(),
        };
        // A local copy: after a store to a point, the compiler reloads data behind references.
        let neighbourhood = Neighbourhood {
            points: self.sweep.shared.0,
            unit: state.frame.unit,
            scale: self.sweep.scale,
        };
        let members = state.order.members(self.block);
        for (k, &id) in members.iter().enumerate() {
            self.sweep.prefetch(members, k);
            if self.sweep.is_active(id) {
                let sweep = &self.sweep;
                sweep.relocate(lanes, neighbourhood, id, inflated, &mut outcome);
            }
        }
        outcome
    }
}

impl SweepVisit<'_> {
    fn block(self, block: u32) -> BlockOutcome {
        run(BlockVisit { sweep: self, block })
    }

    /// Starts to load the lists and points of the members that follow the `k`-th.
    #[inline(always)]
    fn prefetch(&self, members: &[u32], k: usize) {
        if let Some(&ahead) = members.get(k + LISTS_AHEAD)
            && self.is_active(ahead)
        {
            prefetch(self.neighbours(ahead), LIST_LINES);
        }
        if self.prefetches_points
            && let Some(&ahead) = members.get(k + POINTS_AHEAD)
            && self.is_active(ahead)
        {
            for &other in self.neighbours(ahead).as_flattened() {
                prefetch_line(self.shared.0.wrapping_add(other as usize));
            }
        }
    }

    /// Moves a sphere away from the spheres that it overlaps.
    #[inline(always)]
    fn relocate<L: Lanes>(
        &self,
        lanes: L,
        neighbourhood: Neighbourhood,
        id: u32,
        inflated: &[Point],
        outcome: &mut BlockOutcome,
    ) {
        let i = id as usize;
        let neighbours = self.neighbours(id);
        // SAFETY: see `SharedPoints`. The lists hold numbers of points, or of the padding, which is a point too.
        let (mut sphere, found) = unsafe {
            let sphere = *self.shared.0.add(i);
            (
                sphere,
                neighbourhood.displacement(lanes, sphere, neighbours),
            )
        };
        if let Some(active) = &self.state.active {
            active[i].store(found.is_some(), Relaxed);
        }
        let Some(found) = found else {
            return;
        };
        if let Some(active) = &self.state.active {
            for &other in neighbours.as_flattened() {
                let is_active = &active[other as usize];
                // Most neighbours are active, and a load is cheaper than a store.
                if !is_active.load(Relaxed) {
                    is_active.store(true, Relaxed);
                }
            }
        }
        outcome.overlaps.total += f64::from(found.total);
        outcome.overlaps.largest = outcome.overlaps.largest.max(f64::from(found.largest));
        outcome.relocations += 1;
        let step = self.limited(sphere, found.steps);
        let (at, leaves) = self.target(inflated[i], sphere, step);
        sphere.at = at;
        if leaves {
            outcome.stale.push(id);
        }
        // SAFETY: see `SharedPoints`.
        unsafe { sphere.store(self.shared.0.add(i)) };
    }

    #[inline(always)]
    fn neighbours(&self, id: u32) -> &[Octet] {
        match &self.state.shortlists {
            Some(shortlists) => shortlists.octets(id),
            None => self.state.lists.octets(id),
        }
    }

    #[inline(always)]
    fn is_active(&self, id: u32) -> bool {
        let active = self.state.active.as_ref();
        active.is_none_or(|active| active[id as usize].load(Relaxed))
    }

    /// Returns `relaxation` times the displacement, shortened to the longest step, in whole steps.
    #[inline(always)]
    fn limited(&self, sphere: Point, displacement: [f32; 3]) -> [i64; 3] {
        let radius_squared = (sphere.radius * self.scale) * (sphere.radius * self.scale);
        let relaxation_squared = self.relaxation * self.relaxation;
        let wanted = relaxation_squared * self.state.frame.length_squared(displacement);
        let factor = if wanted < LONGEST_STEP * LONGEST_STEP * radius_squared {
            self.relaxation
        } else {
            shortening(self.relaxation, wanted, radius_squared)
        };
        displacement.map(|component| (factor * component) as i64)
    }

    /// Returns the position after a step, inside the walls, and whether the sphere leaves its inflated sphere there. Until the
    /// refresh at the end of the sweep, spheres that are missing in its list do not overlap it as far as the loop knows.
    #[inline(always)]
    fn target(&self, inflated: Point, sphere: Point, step: [i64; 3]) -> (Steps, bool) {
        let State {
            container, frame, ..
        } = self.state;
        let radius = sphere.radius * self.scale;
        let at = container.confine(frame, sphere.at, step, radius);
        let moved = difference(inflated.at, at).map(|steps| steps as f32);
        let skin = inflated.radius - radius;
        (at, frame.length_squared(moved) > skin * skin)
    }
}

/// Returns the factor that shortens a displacement to the longest step, or to a leap out of a large sphere. `wanted` is the
/// square of the displacement times the relaxation.
#[cold]
#[inline(never)]
fn shortening(relaxation: f32, wanted: f32, radius_squared: f32) -> f32 {
    let longest = if wanted < LEAP * LEAP * radius_squared {
        LONGEST_STEP
    } else {
        LEAP
    };
    relaxation * longest * (radius_squared / wanted).sqrt()
}
