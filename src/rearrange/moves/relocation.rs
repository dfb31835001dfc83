//! One sweep: every sphere is visited once and moves away from the spheres that it overlaps.

use std::sync::atomic::Ordering::Relaxed;

use bytemuck::{Pod, Zeroable};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use rayon::prelude::*;

use super::{
    displacement::{Displacement, Neighborhood},
    interface::{Arrangement, Move},
};
use crate::{
    container::frame::{Point, difference},
    machine::{
        clock::Instant,
        lanes::{Kernel, Lanes, run},
        prefetch::{prefetch, prefetch_line},
        trace::{part, shared},
    },
    rearrange::{
        constants::{
            INACTIVE_SHARE, LEAP, LIST_LINES, LISTS_AHEAD, LONGEST_STEP, POINTS_AHEAD,
            PREFETCHED_SPHERES, SPHERES_PER_THREAD,
        },
        shuffled::shuffled,
        state::State,
        visits::visit_blocks,
    },
    verlet::{Octet, SymmetricLists},
};

/// The move that visits every sphere once and moves it away from the spheres that it overlaps: a sweep.
#[derive(Debug)]
pub(in crate::rearrange) struct Relocation {
    /// Factor on the displacement that would clear a sphere's share of its overlaps.
    pub relaxation: f32,
    /// The overlaps that the last sweep found.
    pub overlaps: Overlaps,
}

impl Move for Relocation {
    fn name(&self) -> &'static str {
        "sweeps"
    }

    fn is_due(&self, _: &Arrangement) -> bool {
        true
    }

    fn round(&mut self, Arrangement(state): &mut Arrangement) {
        self.overlaps = state.sweep(self.relaxation);
    }
}

/// The overlaps that a sweep found, before its own relocations reduced them.
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
#[repr(C)]
pub(in crate::rearrange) struct Overlaps {
    /// Sum of the relative overlaps over all spheres and their neighbors.
    pub total: f64,
    /// Largest relative overlap.
    pub largest: f64,
}

impl Overlaps {
    pub fn add(&mut self, other: Self) {
        self.total += other.total;
        self.largest = self.largest.max(other.largest);
    }
}

/// The contribution of one block to a sweep.
#[derive(Default)]
pub(in crate::rearrange) struct BlockOutcome {
    pub overlaps: Overlaps,
    pub relocations: u64,
    /// Spheres that left their inflated spheres.
    pub stale: Vec<u32>,
}

impl BlockOutcome {
    fn add(&mut self, other: Self) {
        self.overlaps.add(other.overlaps);
        self.relocations += other.relocations;
        self.stale.extend(other.stale);
    }
}

/// The points during a sweep: each sphere is written by the one thread that visits its block.
#[derive(Clone, Copy)]
struct SharedPoints(*mut Point);

// SAFETY: blocks are visited at the same time only if neither waits for the other. A thread writes only members of its block, and reads
// only these and their neighbors. A block waits for all blocks with neighbors of its members that are visited first: `VisitOrder` keeps
// them within the reach for which `BlockGraph` is made.
unsafe impl Send for SharedPoints {}
// SAFETY: as for `Send`.
unsafe impl Sync for SharedPoints {}

impl State {
    /// Visits every sphere once and moves it away from the spheres that it overlaps, by `relaxation` times its share of the
    /// overlaps. Then refreshes the spheres that left their inflated spheres.
    pub fn sweep(&mut self, relaxation: f32) -> Overlaps {
        self.sweeps += 1;
        let clock = Instant::now();
        let outcome = self.visit(relaxation, |block, visit| visit.block(block));
        self.work.relocations += outcome.relocations;
        let few = (outcome.relocations as f64) < INACTIVE_SHARE * self.len() as f64;
        if self.activity.is_all() && few {
            self.activity.begin(self.len(), Some(&self.halo.own));
        }
        self.refresh_stale(outcome.stale, clock);
        outcome.overlaps
    }

    /// Visits all blocks by `visit_block`, which moves members of one block.
    pub(super) fn visit(
        &mut self,
        factor: f32,
        visit_block: impl Fn(u32, SweepVisit) -> BlockOutcome + Sync,
    ) -> BlockOutcome {
        // Alone, blocks follow each other by their dependencies. On ranks, messages separate colors, in which threads wait for each other.
        if self.halo.ranks.is_alone() {
            self.visit_all(factor, visit_block)
        } else {
            self.visit_colors(factor, visit_block)
        }
    }

    /// Refreshes the spheres that left their inflated spheres during the visits that `clock` started with.
    pub(super) fn refresh_stale(&mut self, mut stale: Vec<u32>, clock: Instant) {
        let relocating = clock.elapsed();
        // In the order in which spheres, lists and index lie in memory.
        shared("order of refreshes", || stale.par_sort_unstable());
        self.work.refreshes += part("refreshes", || self.refresh(&stale)) as u64;
        self.work.relocating += relocating;
        self.work.refreshing += clock.elapsed() - relocating;
    }

    /// Returns the visit of the blocks of one sweep.
    pub(in crate::rearrange) fn sweep_visit(&mut self, factor: f32) -> SweepVisit<'_> {
        SweepVisit {
            shared: SharedPoints(self.points.as_mut_ptr()),
            state: self,
            factor,
            scale: self.points.scale as f32,
            wall_offset: self.points.wall_offset() as f32,
            prefetches_points: self.len() >= PREFETCHED_SPHERES && self.order.levels().len() > 1,
        }
    }

    /// Visits all blocks on the threads of one process.
    fn visit_all(
        &mut self,
        factor: f32,
        visit_block: impl Fn(u32, SweepVisit) -> BlockOutcome + Sync,
    ) -> BlockOutcome {
        let mut outcome = BlockOutcome::default();
        let visit = self.sweep_visit(factor);
        // Sums are formed in the order of the blocks, whatever the order of the visits.
        let order = &visit.state.order;
        let threads = visit.state.len() / SPHERES_PER_THREAD;
        let parts = visit_blocks(order.graph(), threads, |block| visit_block(block, visit));
        parts.into_iter().for_each(|part| outcome.add(part));
        outcome
    }

    /// Lets the next sweep visit the neighbors of a sphere.
    pub(in crate::rearrange) fn activate_neighbors(&self, id: u32) {
        let (_, lists) = self.neighbors.visited();
        self.activity.activate(lists.list(id).iter().copied());
    }
}

/// The visit of all blocks of one sweep.
#[derive(Clone, Copy)]
pub(in crate::rearrange) struct SweepVisit<'a> {
    pub state: &'a State,
    shared: SharedPoints,
    /// Factor on each displacement.
    pub(super) factor: f32,
    /// Common factor of all radii.
    pub(super) scale: f32,
    /// Distance that a sphere keeps from walls beyond its radius.
    wall_offset: f32,
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
        let sweep = self.sweep;
        let state = sweep.state;
        // Local copies: after a store to a point, the compiler reloads data behind references.
        let (inflated, lists) = state.neighbors.visited();
        let neighborhood = Neighborhood {
            points: sweep.shared.0,
            unit: state.points.frame().unit,
            scale: sweep.scale,
        };
        let (mut overlaps, mut relocations, mut stale) = (Overlaps::default(), 0, Vec::new());
        let seed = state.seed ^ u64::from(self.block);
        let members = shuffled(state.order.members(self.block), seed);
        for (k, &id) in members.iter().enumerate() {
            sweep.prefetch(lists, &members, k);
            if !sweep.is_active(id) {
                continue;
            }
            let neighbors = lists.octets(id);
            // SAFETY: see `SharedPoints`. The lists hold numbers of points, or of the padding, which is a point too.
            let (sphere, found) = unsafe {
                let sphere = *sweep.shared.0.add(id as usize);
                (sphere, neighborhood.displacement(lanes, sphere, neighbors))
            };
            sweep.activate(id, found.is_some(), neighbors);
            let Some(found) = found else {
                continue;
            };
            overlaps.total += f64::from(found.total);
            overlaps.largest = overlaps.largest.max(f64::from(found.largest));
            relocations += 1;
            let leaves = if sweep.is_short(sphere, found.steps) {
                // SAFETY: a short displacement is finite, and far below 2⁶³ steps, as no sphere is 2³⁰ times as large as the
                // container.
                let step = found.steps.map(|component| unsafe {
                    (sweep.factor * component).to_int_unchecked::<i64>()
                });
                sweep.place(id, sphere, step, inflated)
            } else {
                sweep.place_far(id, sphere, found, inflated)
            };
            if leaves {
                stale.push(id);
            }
        }
        BlockOutcome {
            overlaps,
            relocations,
            stale,
        }
    }
}

impl SweepVisit<'_> {
    pub(in crate::rearrange) fn block(self, block: u32) -> BlockOutcome {
        run(BlockVisit { sweep: self, block })
    }

    /// Returns the present position of a sphere, and its radius at scale 1.
    ///
    /// # Safety
    /// The sphere must be a member of the visited block, or a neighbor of one: see [`SharedPoints`].
    #[inline(always)]
    pub(super) unsafe fn point(&self, id: u32) -> Point {
        // SAFETY: no other thread writes the sphere during the visit of this block.
        unsafe { *self.shared.0.add(id as usize) }
    }

    /// Starts to load the lists and points of the members that follow the `k`-th.
    #[inline(always)]
    fn prefetch(&self, lists: &SymmetricLists, members: &[u32], k: usize) {
        if let Some(&ahead) = members.get(k + LISTS_AHEAD)
            && self.is_active(ahead)
        {
            prefetch(lists.octets(ahead), LIST_LINES);
        }
        if self.prefetches_points
            && let Some(&ahead) = members.get(k + POINTS_AHEAD)
            && self.is_active(ahead)
        {
            for &other in lists.octets(ahead).as_flattened() {
                prefetch_line(self.shared.0.wrapping_add(other as usize));
            }
        }
    }

    /// Makes a sphere without overlap inactive, and the neighbors of a sphere with overlap active.
    #[inline(always)]
    fn activate(&self, id: u32, overlaps: bool, neighbors: &[Octet]) {
        let Some(active) = self.state.activity.marks() else {
            return;
        };
        active[id as usize].store(overlaps, Relaxed);
        if overlaps {
            for &other in neighbors.as_flattened() {
                let is_active = &active[other as usize];
                // Most neighbors are active, and a load is cheaper than a store.
                if !is_active.load(Relaxed) {
                    is_active.store(true, Relaxed);
                }
            }
        }
    }

    #[inline(always)]
    fn is_active(&self, id: u32) -> bool {
        self.state.activity.is_active(id)
    }

    /// Returns whether a displacement, times the factor, has a direction and is shorter than the longest step. It is then
    /// finite.
    #[inline(always)]
    fn is_short(&self, sphere: Point, displacement: [f32; 3]) -> bool {
        let wanted = self.wanted_squared(displacement);
        wanted > 0.0 && wanted < LONGEST_STEP * LONGEST_STEP * self.radius_squared(sphere)
    }

    /// Returns the square of the length of a displacement times the factor.
    #[inline(always)]
    fn wanted_squared(&self, displacement: [f32; 3]) -> f32 {
        self.factor * self.factor * self.state.points.frame().length_squared(displacement)
    }

    #[inline(always)]
    fn radius_squared(&self, sphere: Point) -> f32 {
        (sphere.radius * self.scale) * (sphere.radius * self.scale)
    }

    /// Moves a sphere by a step, inside the walls. Returns whether the sphere leaves its inflated sphere. Overlaps with
    /// spheres that are missing in its list are ignored until the refresh at the end of the sweep.
    #[inline(always)]
    pub(super) fn place(&self, id: u32, sphere: Point, step: [i64; 3], inflated: &[Point]) -> bool {
        let points = &self.state.points;
        let (container, frame) = (points.container(), points.frame());
        let inflated = inflated[id as usize];
        let radius = sphere.radius * self.scale;
        let at = container.confine(frame, sphere.at, step, radius + self.wall_offset);
        let moved = Point { at, ..sphere };
        // SAFETY: see `SharedPoints`.
        unsafe { moved.store(self.shared.0.add(id as usize)) };
        let distance = difference(inflated.at, at).map(|steps| steps as f32);
        let skin = inflated.radius - radius;
        frame.length_squared(distance) > skin * skin
    }

    /// Like [`Self::place`], for a displacement that is shortened to the longest step, or to a leap out of a large sphere, and for
    /// one without direction.
    #[inline(never)]
    fn place_far(&self, id: u32, sphere: Point, found: Displacement, inflated: &[Point]) -> bool {
        let wanted = self.wanted_squared(found.steps);
        // As for spheres with equal centers.
        if wanted == 0.0 {
            let step = if found.largest < 1.0 {
                [0; 3]
            } else {
                self.step_apart(id, sphere)
            };
            return self.place(id, sphere, step, inflated);
        }
        let radius_squared = self.radius_squared(sphere);
        let step = shortened(found.steps, self.factor, wanted, radius_squared);
        self.place(id, sphere, step, inflated)
    }

    /// Returns a step that separates a sphere from another one with the same center. Its direction depends on the number of the sphere
    /// and on the sweep, and its length is at most 1.8 radii.
    fn step_apart(&self, id: u32, sphere: Point) -> [i64; 3] {
        let mut rng = Pcg64::seed_from_u64(self.state.sweeps << 32 | u64::from(id));
        let radius = sphere.radius * self.scale;
        (self.state.points.frame().unit)
            .map(|unit| (rng.random_range(-1.0..1.0) * radius / unit) as i64)
    }
}

/// Returns a displacement times a factor, shortened to the longest step, or to a leap out of a large sphere. `wanted` is the square of the
/// length without the shortening.
pub(super) fn shortened(
    steps: [f32; 3],
    factor: f32,
    wanted: f32,
    radius_squared: f32,
) -> [i64; 3] {
    let longest = if wanted < LEAP * LEAP * radius_squared {
        LONGEST_STEP
    } else {
        LEAP
    };
    let factor = factor * longest * (radius_squared / wanted).sqrt();
    steps.map(|component| (factor * component) as i64)
}
