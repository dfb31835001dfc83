//! The state of the spheres between two sweeps.

use std::{
    ops::Range,
    sync::{Arc, atomic::AtomicBool},
    time::Duration,
};

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::{
    constants::{FIRST_SKIN, LARGEST_SKIN},
    halo::Halo,
    limit::Limit,
    order::{LEVELS, VisitOrder},
};
use crate::{
    container::{
        Container,
        frame::{Frame, Point},
    },
    index::IndexBuilder,
    machine::trace::{shared, task},
    verlet::{Shortlists, VerletLists},
};

/// Spheres in a container of fixed size, while all radii shrink by a common factor, the `scale`.
///
/// This is the growing container in relative coordinates: positions are fractions of the container, so that growth moves no
/// sphere. Between sweeps every sphere lies inside the inflated sphere from which its list was built.
///
/// Spheres are numbered along a space-filling curve.
pub(super) struct State {
    pub container: Container,
    /// Distance that a sphere keeps from walls beyond its radius, at scale 1.
    pub wall_offset: f64,
    pub frame: Frame,
    /// Spheres with radii at scale 1; one more point pads the lists.
    pub points: Vec<Point>,
    /// Radius of a sphere of mean volume, at scale 1.
    pub mean_radius: f32,
    /// The sweep of each sphere's last refresh.
    pub refreshed: Vec<u32>,
    /// The caller's number of each sphere.
    pub original: Vec<u32>,
    /// Number of spheres that the caller gave, in the container or not, on all ranks.
    pub given: usize,
    /// Seed of all random choices after the start: positions of insertions, and the order of visits.
    pub seed: u64,
    /// Ends searches for free positions.
    pub limit: Limit,
    /// The caller's numbers of spheres that were removed, because they found no room around fixed spheres.
    pub left_out: Vec<u32>,
    pub lists: VerletLists,
    pub shortlists: Option<Shortlists>,
    /// Number of successive sweeps after which few spheres needed new lists.
    pub calm_sweeps: u32,
    pub order: VisitOrder,
    /// Whether the next sweep must visit a sphere; absent until relocations have become few. A sphere without overlap becomes
    /// inactive, and active again when a neighbor is relocated. As radii only shrink, an inactive sphere would not move.
    pub active: Option<Vec<AtomicBool>>,
    /// Common factor of all radii.
    pub scale: f64,
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
    /// Creates an empty container.
    pub fn empty(
        container: Container,
        wall_offset: f64,
        index: Arc<dyn IndexBuilder>,
        given: usize,
        seed: u64,
    ) -> Self {
        let frame = container.frame();
        let order = VisitOrder::of_levels(&frame, seed, f32::MIN_POSITIVE, &[0; LEVELS]);
        Self {
            points: vec![Point::NOTHING],
            mean_radius: 0.0,
            refreshed: Vec::new(),
            original: Vec::new(),
            given,
            seed,
            limit: Limit::default(),
            left_out: Vec::new(),
            lists: VerletLists::of_points(index, container.clone(), Vec::new()),
            shortlists: None,
            calm_sweeps: 0,
            order,
            active: None,
            scale: 1.0,
            sweeps: 0,
            work: Work::default(),
            frame,
            wall_offset,
            container,
        }
    }

    /// Returns the upper bound of the inflated radius of a sphere.
    pub fn reach_of(&self, sphere: Point) -> f32 {
        sphere.inflated(self.largest_skin_of(sphere.radius)).radius
    }

    /// Returns the number of spheres in the container.
    pub fn len(&self) -> usize {
        self.original.len()
    }

    /// Returns a sphere with its radius at the present scale.
    pub fn sphere(&self, id: u32) -> Point {
        self.at_scale(self.points[id as usize])
    }

    /// Returns a sphere of scale 1 with its radius at the present scale.
    pub fn at_scale(&self, sphere: Point) -> Point {
        let radius = sphere.radius * self.scale as f32;
        Point { radius, ..sphere }
    }

    /// Returns the upper bound of a sphere's skin, as a share of its radius.
    pub fn largest_skin(&self, id: u32) -> f32 {
        self.largest_skin_of(self.points[id as usize].radius)
    }

    /// Returns the upper bound of the skin of a sphere with this radius at scale 1.
    fn largest_skin_of(&self, radius: f32) -> f32 {
        (FIRST_SKIN * self.mean_radius / radius).clamp(FIRST_SKIN, LARGEST_SKIN)
    }

    /// Lets the container grow by the factor `growth ≥ 1`: divides all radii by it.
    pub fn grow(&mut self, growth: f64) {
        debug_assert!(growth >= 1.0);
        self.scale /= growth;
    }

    /// Lets the container shrink until the radii have a larger `scale`, at most 1. No sphere may be pending.
    ///
    /// Cost: new lists for all spheres.
    pub fn shrink_to(&mut self, halo: &mut Halo, scale: f64) {
        debug_assert!((self.scale..=1.0).contains(&scale));
        self.scale = scale;
        self.renew(halo, &[]);
    }

    /// Returns whether all spheres are in the container, but for those that were removed.
    pub fn is_complete(&self) -> bool {
        self.len() + self.left_out.len() == self.given
    }

    /// Returns the exact radius of each held sphere at scale 1. `radius` returns it by the position in the share of this rank.
    pub fn exact_radius<'a>(
        &'a self,
        halo: &Halo,
        radius: &'a (impl Fn(usize) -> f64 + Sync),
    ) -> impl Fn(u32) -> f64 + Sync + 'a {
        let held = halo.radii_of_held(&self.original, self.given, radius);
        move |id: u32| match &held {
            None => radius(self.original[id as usize] as usize),
            Some(held) => held[id as usize],
        }
    }

    /// Returns the smallest container of this shape in which the spheres do not overlap, for the exact radii that `radius`
    /// returns by the position in the share of this rank.
    pub fn smallest_container(
        &self,
        halo: &Halo,
        radius: &(impl Fn(usize) -> f64 + Sync),
    ) -> Container {
        let growth = self.missing_growth(halo, radius, 0.0);
        // No growth separates two spheres at one point.
        let growth = if growth.is_finite() { growth } else { 1.0 };
        self.container.scaled(growth / self.scale)
    }

    /// Returns the factor, at least 1, by which the container must still grow until no sphere overlaps another sphere or
    /// crosses a wall.
    ///
    /// Computed in f64 for the exact radii that `radius` returns by the position in the share of this rank. Two spheres must be apart by
    /// `margin` times the sum of their radii.
    pub fn missing_growth(
        &self,
        halo: &Halo,
        radius: &(impl Fn(usize) -> f64 + Sync),
        margin: f64,
    ) -> f64 {
        let enlargement = 1.0 + margin;
        let exact = self.exact_radius(halo, radius);
        let radius = |id: u32| exact(id) * self.scale;
        let center = |id: u32| self.frame.center(self.points[id as usize].at);
        let wall_offset = self.wall_offset * self.scale;
        let end = halo.own.len();
        let growth_for = |range: Range<usize>| {
            let mut factor = 1f64;
            for k in range {
                let id = halo.own.get(k);
                let (own_center, own_radius) = (center(id), radius(id));
                for &other in self.lists.neighbors(id) {
                    if other < id {
                        continue;
                    }
                    let displacement = self.container.displacement(own_center, center(other));
                    let sum = (own_radius + radius(other)) * enlargement;
                    factor = factor.max(sum / displacement.length());
                }
                let wall_radius = own_radius + wall_offset;
                let container = &self.container;
                factor = factor.max(container.growth_to_keep(own_center, own_radius, wall_radius));
            }
            factor
        };
        const TASK: usize = 1 << 14;
        let growth = shared("missing growth", || {
            (0..end.div_ceil(TASK))
                .into_par_iter()
                .map(|k| task(|| growth_for(k * TASK..((k + 1) * TASK).min(end))))
                .reduce(|| 1.0, f64::max)
        });
        halo.ranks.largest(growth)
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
        ids.with_min_len(TASK).map(inflate).collect()
    })
}
