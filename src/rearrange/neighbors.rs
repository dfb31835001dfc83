//! The neighbors of all spheres.

use std::sync::Arc;

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

    /// Frees the memory of all lists. [`Self::fill`] must follow.
    pub fn clear(&mut self) {
        self.shortlists = None;
        self.lists.reset(0);
    }

    /// Begins with spheres that were refreshed at these sweeps. Returns the place of their inflated spheres, of which there are none yet.
    /// [`Self::rebuild`] must follow.
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
}
