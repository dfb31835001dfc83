//! The state of the spheres between two sweeps, and the choice of the spheres that a sweep visits.

use std::{
    ops::Range,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
    time::Duration,
};

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::{
    halo::Halo,
    limit::Limit,
    neighbors::Neighbors,
    order::{LEVELS, VisitOrder},
    placement::Space,
    points::Points,
    setup::Radii,
};
use crate::{
    dimension::Dimension,
    index::IndexBuilder,
    machine::{
        divided::Divided,
        ids::Ids,
        parallel::Erase,
        trace::{shared, task},
    },
};

/// The spheres, their neighbors and the order of their visits. Between sweeps every sphere lies inside the inflated sphere from which its
/// list was built.
///
/// Spheres are numbered along a space-filling curve.
pub(super) struct State {
    pub points: Points,
    pub neighbors: Neighbors,
    pub order: VisitOrder,
    pub activity: Activity,
    /// The spheres of this rank, and the other ranks.
    pub halo: Halo,
    /// Number of spheres that the caller gave, in the container or not, on all ranks.
    pub given: usize,
    /// The caller's numbers of spheres that were removed, because they found no room around fixed spheres.
    pub left_out: Vec<u32>,
    /// Seed of all random choices after the start: positions of insertions, and the order of visits.
    pub seed: u64,
    /// Ends searches for free positions.
    pub limit: Limit,
    /// Number of sweeps so far.
    pub sweeps: u64,
    pub work: Work,
}

/// Relocations, refreshes and exchanges of a run so far, and the time they took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Work {
    /// Number of relocations: each sweep relocates a sphere at most once.
    pub relocations: u64,
    /// Time for the visits of all spheres, which include the relocations.
    pub relocating: Duration,
    /// Number of refreshed lists.
    pub refreshes: u64,
    /// Time for refreshes, with all changes of the index and of other lists.
    pub refreshing: Duration,
    /// Number of attempts to exchange two spheres.
    pub attempts: u64,
    /// Number of exchanges.
    pub exchanges: u64,
    /// Time for attempts and exchanges, with the refreshes that they cause.
    pub exchanging: Duration,
}

impl State {
    /// Creates an empty container for spheres of these radii.
    pub fn empty(
        points: Points,
        index: Arc<dyn IndexBuilder>,
        radii: &Divided,
        seed: u64,
        limit: Limit,
    ) -> Self {
        Self {
            neighbors: Neighbors::new(index, points.container()),
            order: VisitOrder::of_levels(points.frame(), seed, f32::MIN_POSITIVE, &[0; LEVELS]),
            points,
            activity: Activity::default(),
            halo: Halo::new(radii.ranks().clone()),
            given: radii.len(),
            left_out: Vec::new(),
            seed,
            limit: limit.on(radii.ranks()),
            sweeps: 0,
            work: Work::default(),
        }
    }

    /// Returns the number of spheres in the container.
    pub fn len(&self) -> usize {
        self.points.len()
    }

    /// Returns the dimension of space.
    pub fn dimension(&self) -> Dimension {
        self.points.container().dimension()
    }

    /// Returns the container, for random positions of spheres that keep this distance from walls beyond their radii.
    pub fn space(&self, wall_offset: f64) -> Space<'_> {
        Space {
            container: self.points.container(),
            frame: self.points.frame(),
            wall_offset: wall_offset as f32,
            limit: &self.limit,
        }
    }

    /// Lets the container shrink until the radii have a larger `scale`, at most 1. No sphere may be pending.
    ///
    /// Cost: new lists for all spheres.
    pub fn shrink_to(&mut self, scale: f64) {
        debug_assert!((self.points.scale..=1.0).contains(&scale));
        self.points.scale = scale;
        self.renew(&[]);
    }

    /// Returns whether no sphere is pending: each sphere is in the container or was removed.
    pub fn is_complete(&self) -> bool {
        self.len() + self.left_out.len() == self.given
    }

    /// Returns the exact radius of each held sphere at scale 1.
    pub fn exact_radius<'a>(&'a self, radii: &'a Radii) -> impl Fn(u32) -> f64 + Sync + 'a {
        let (halo, numbers) = (&self.halo, self.points.numbers());
        let held = halo.radii_of_held(numbers, self.given, radii);
        move |id: u32| match &held {
            None => radii.exact(self.points.number(id) as usize),
            Some(held) => held[id as usize],
        }
    }

    /// Returns the factor, at least 1, by which the container must still grow until no sphere overlaps another sphere or
    /// crosses a wall.
    ///
    /// Computed in f64 for the exact radii. Two spheres must be apart by `margin` times the sum of their radii.
    pub fn missing_growth(&self, radii: &Radii, margin: f64) -> f64 {
        let enlargement = 1.0 + margin;
        let exact = self.exact_radius(radii);
        let radius = |id: u32| exact(id) * self.points.scale;
        let center = |id: u32| self.points.center(id);
        let wall_offset = self.points.wall_offset();
        let container = self.points.container();
        let end = self.halo.own.len();
        let growth_for = |range: Range<usize>| {
            let mut factor = 1f64;
            for k in range {
                let id = self.halo.own.get(k);
                let (own_center, own_radius) = (center(id), radius(id));
                for &other in self.neighbors.of(id) {
                    if other < id {
                        continue;
                    }
                    let displacement = container.displacement(own_center, center(other));
                    let sum = (own_radius + radius(other)) * enlargement;
                    factor = factor.max(sum / displacement.length());
                }
                let wall_radius = own_radius + wall_offset;
                factor = factor.max(container.growth_to_keep(own_center, own_radius, wall_radius));
            }
            factor
        };
        const TASK: usize = 1 << 14;
        let growth = shared("missing growth", || {
            (0..end.div_ceil(TASK))
                .into_par_iter()
                .erased()
                .map(|k| task(|| growth_for(k * TASK..((k + 1) * TASK).min(end))))
                .reduce(|| 1.0, f64::max)
        });
        self.halo.ranks.largest(growth)
    }
}

/// Inflated spheres that one task computes at least.
const TASK: usize = 512;

/// Returns the result of `inflate` for each id, computed on all threads if there are many.
pub(super) fn each<T: Send>(
    ids: impl IndexedParallelIterator<Item = u32>,
    inflate: impl Fn(u32) -> T + Sync + Send,
) -> Vec<T> {
    shared("inflated spheres", || {
        ids.with_min_len(TASK).erased().map(inflate).collect()
    })
}

/// The spheres that the next sweep must visit; all, until relocations have become few.
///
/// A sphere without overlap becomes inactive, and active again when a neighbor is relocated. As radii only shrink, an inactive sphere would
/// not move.
#[derive(Default)]
pub(super) struct Activity(Option<Vec<AtomicBool>>);

impl Activity {
    /// Returns whether all spheres are active, because none is marked.
    pub fn is_all(&self) -> bool {
        self.0.is_none()
    }

    /// Lets the next sweep visit all spheres.
    pub fn activate_all(&mut self) {
        self.0 = None;
    }

    /// Begins with marks of the active ones among `n` spheres: `own`, or none. The point that pads lists has a mark, too.
    pub fn begin(&mut self, n: usize, own: Option<&Ids>) {
        let mut marks: Vec<AtomicBool> = bytemuck::zeroed_vec(n + 1);
        if let Some(own) = own {
            own.write(&mut marks, |_, mark| *mark.get_mut() = true);
        }
        self.0 = Some(marks);
    }

    #[inline(always)]
    pub fn is_active(&self, id: u32) -> bool {
        let marks = self.0.as_ref();
        marks.is_none_or(|marks| marks[id as usize].load(Relaxed))
    }

    /// Makes spheres active.
    pub fn activate(&self, ids: impl IntoIterator<Item = u32>) {
        if let Some(marks) = &self.0 {
            ids.into_iter()
                .for_each(|id| marks[id as usize].store(true, Relaxed));
        }
    }

    /// Returns the marks, for visits.
    #[inline(always)]
    pub fn marks(&self) -> Option<&[AtomicBool]> {
        self.0.as_deref()
    }

    /// Returns the marks, to set them.
    pub fn marks_mut(&mut self) -> Option<&mut [AtomicBool]> {
        self.0.as_deref_mut()
    }
}
