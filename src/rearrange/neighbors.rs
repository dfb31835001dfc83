//! The neighbors of all spheres, and the skins of their lists.

use std::{ops::RangeInclusive, sync::Arc};

use super::{
    constants::{
        INNER_SKIN_BY_SPEED, LARGEST_INNER_SKIN, SKIN_BY_SPEED, SKIN_GROWTH, SMALLEST_SKIN,
    },
    points::Points,
};
use crate::{
    container::{Container, frame::Point},
    index::IndexBuilder,
    machine::{ids::Ids, sorted::write_sorted},
    verlet::{Shortlists, SymmetricLists, VerletLists},
};

/// The Verlet lists of all spheres with their inflated spheres, and shortlists among them once few spheres need new lists.
pub(super) struct Neighbors {
    pub lists: VerletLists,
    shortlists: Option<Shortlists>,
    /// The sweep of each sphere's last refresh.
    pub refreshed: Vec<u32>,
    /// Number of successive sweeps after which few spheres needed new lists.
    pub calm_sweeps: u32,
}

impl Neighbors {
    /// Creates lists without spheres.
    pub fn new(index: Arc<dyn IndexBuilder>, container: &Container) -> Self {
        Self {
            lists: VerletLists::of_points(index, container.clone(), Vec::new()),
            shortlists: None,
            refreshed: Vec::new(),
            calm_sweeps: 0,
        }
    }

    /// Returns the neighbors of a sphere, sorted.
    pub fn of(&self, id: u32) -> &[u32] {
        self.lists.neighbors(id)
    }

    /// Returns the inflated spheres of the Verlet lists.
    pub fn outer(&self) -> &[Point] {
        &self.lists.inflated
    }

    /// Returns the inflated spheres of the Verlet lists. [`Self::rebuild`] must follow a change.
    pub fn outer_mut(&mut self) -> &mut [Point] {
        &mut self.lists.inflated
    }

    /// Returns the lists that visits use, with their inflated spheres: the shortlists, or the Verlet lists where there are none.
    #[inline(always)]
    pub fn visited(&self) -> (&[Point], &SymmetricLists) {
        match &self.shortlists {
            Some(shortlists) => (shortlists.inner(), shortlists.lists()),
            None => (&self.lists.inflated, &self.lists.lists),
        }
    }

    pub fn has_shortlists(&self) -> bool {
        self.shortlists.is_some()
    }

    /// Notes that the spheres `ids`, which must be sorted, are refreshed after this sweep.
    pub fn note_refresh(&mut self, ids: &[u32], sweep: u32) {
        write_sorted(&mut self.refreshed, ids, |refreshed, _| *refreshed = sweep);
    }

    /// Frees the memory of all lists. [`Self::reset`] must follow.
    pub fn clear(&mut self) {
        self.shortlists = None;
        self.lists.reset(0);
    }

    /// Begins with `n` spheres, none of which has an inflated sphere. [`Self::rebuild`] must follow.
    pub fn reset(&mut self, n: usize) {
        self.fill(vec![0; n]);
        self.lists.reset(n);
    }

    /// Begins with spheres that were refreshed at these sweeps. Returns the place of their inflated spheres. [`Self::rebuild`] must follow.
    pub fn fill(&mut self, refreshed: Vec<u32>) -> &mut Vec<Point> {
        self.shortlists = None;
        let n = refreshed.len();
        self.refreshed = refreshed;
        self.lists.reset(n)
    }

    /// Rebuilds all lists of the held spheres. Shortlists begin with the inflated spheres `inner`, if there are any.
    pub fn rebuild(&mut self, held: &Ids, inner: Option<Vec<Point>>) {
        self.lists.rebuild(held);
        if let Some(inner) = inner {
            self.shortlists = Some(Shortlists::new(&self.lists, inner, held));
        }
    }

    /// Gives some spheres new shortlists for new inflated spheres, if there are shortlists. Must follow the change of the Verlet lists.
    pub fn refresh_inner(&mut self, ids: &[u32], spheres: &[Point]) {
        if let Some(shortlists) = &mut self.shortlists {
            shortlists.refresh(ids, spheres, &self.lists);
        }
    }

    /// Returns a sphere with its mean speed since its last refresh, when it was at its reference position, the center of its
    /// sphere among the `inflated` ones.
    pub fn motion(&self, points: &Points, id: u32, inflated: &[Point], sweeps: u64) -> Motion {
        let sphere = points.sphere(id);
        let distance = points.frame.distance(inflated[id as usize].at, sphere.at);
        let age = (sweeps as u32 - self.refreshed[id as usize]).max(1);
        Motion {
            id,
            sphere,
            speed: distance / (sphere.radius * age as f32),
        }
    }

    /// Returns the distance that a sphere may still move inside its outer inflated sphere, in radii.
    pub fn room(&self, points: &Points, motion: &Motion) -> f32 {
        let Point { at, radius } = self.outer()[motion.id as usize];
        let Motion { sphere, .. } = motion;
        (radius - points.frame.distance(at, sphere.at)) / sphere.radius - 1.0
    }

    /// Returns a new outer inflated sphere with a skin within `bounds`.
    pub fn outer_sphere(
        &self,
        points: &Points,
        motion: &Motion,
        bounds: RangeInclusive<f32>,
    ) -> Point {
        let inflated = self.outer()[motion.id as usize];
        let before = inflated.radius / motion.sphere.radius - 1.0;
        let largest = points.largest_skin(motion.id);
        let skin = motion
            .outer_skin()
            .min(SKIN_GROWTH * before)
            .clamp(*bounds.start(), bounds.end().min(largest));
        motion.sphere.inflated(skin)
    }
}

/// A sphere and its speed.
pub(super) struct Motion {
    pub id: u32,
    pub sphere: Point,
    /// Mean speed since the last refresh, in radii per sweep.
    pub speed: f32,
}

impl Motion {
    /// Returns the skin of the outer inflated sphere, without bounds.
    pub fn outer_skin(&self) -> f32 {
        SKIN_BY_SPEED * self.speed.sqrt()
    }

    /// Returns the skin of the inner inflated sphere.
    pub fn inner_skin(&self) -> f32 {
        (INNER_SKIN_BY_SPEED * self.speed.sqrt()).clamp(SMALLEST_SKIN, LARGEST_INNER_SKIN)
    }
}
