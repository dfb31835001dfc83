//! MR-S: MR on arrays.

use super::{
    algorithm::{BroadPhase, OperationCounts, vec_bytes},
    cell_list::{CellList, mr_search, mr_sort, quick_sorted, still_valid},
    extent::largest_diameter,
    lattice::{Cell, Lattice},
    tester::Tester,
};
use crate::spheres::Spheres;

/// MR-S (Munjiza–Rougier–Schiava): the list of [`Mr`](super::Mr) on five arrays of N + 1 elements: the sphere's number,
/// the three cell coordinates, and the pointer array `p` to the next element.
///
/// Quick sort orders the first four arrays once. From then on MR-Sort changes only `p` and the coordinates of spheres that
/// changed their cell, so there are no backward links. MR-Sort and MR-Search are the same as for MR. Cost as for MR, with less
/// memory.
///
/// Source: Schiava D'Albano, PhD thesis (2014); Schiava D'Albano et al., Section 6.
#[derive(Clone, Debug, Default)]
pub struct MrS {
    id: Vec<u32>,
    ix: Vec<i32>,
    iy: Vec<i32>,
    iz: Vec<i32>,
    p: Vec<u32>,
    lattice: Option<(Lattice, f64)>,
}

impl MrS {
    /// Creates an empty detector.
    pub fn new() -> Self {
        Self::default()
    }
}

impl CellList for MrS {
    fn len(&self) -> u32 {
        (self.p.len() - 1) as u32
    }
    #[inline]
    fn cell(&self, at: u32) -> Cell {
        let at = at as usize;
        [self.iz[at], self.iy[at], self.ix[at]]
    }
    fn set_cell(&mut self, at: u32, [z, y, x]: Cell) {
        let at = at as usize;
        (self.iz[at], self.iy[at], self.ix[at]) = (z, y, x);
    }
    #[inline]
    fn id(&self, at: u32) -> u32 {
        self.id[at as usize]
    }
    #[inline]
    fn next(&self, at: u32) -> u32 {
        self.p[at as usize]
    }
    fn set_next(&mut self, at: u32, next: u32) {
        self.p[at as usize] = next;
    }
}

impl BroadPhase for MrS {
    fn detect(&mut self, snapshot: &Spheres, report: &mut dyn FnMut(u32, u32)) -> OperationCounts {
        let mut tester = Tester::new(snapshot, report);
        let Some(size) = largest_diameter(snapshot) else {
            return tester.counts;
        };
        let listed = self.p.len().saturating_sub(1);
        if let Some(lattice) = still_valid(self.lattice, listed, snapshot, size) {
            mr_sort(self, &lattice, snapshot);
        } else {
            let lattice = Lattice::new(snapshot, size);
            let end = ([i32::MAX; 3], u32::MAX);
            let sorted = quick_sorted(snapshot, &lattice);
            let elements = || sorted.iter().chain(std::iter::once(&end));
            *self = Self {
                id: collect(elements().map(|&(_, id)| id), sorted.len() + 1),
                ix: collect(elements().map(|&(cell, _)| cell[2]), sorted.len() + 1),
                iy: collect(elements().map(|&(cell, _)| cell[1]), sorted.len() + 1),
                iz: collect(elements().map(|&(cell, _)| cell[0]), sorted.len() + 1),
                p: collect(
                    (1..=sorted.len() as u32).chain(std::iter::once(0)),
                    sorted.len() + 1,
                ),
                lattice: Some((lattice, size)),
            };
        }
        mr_search(self, &mut tester);
        tester.counts
    }

    fn bytes(&self) -> usize {
        [&self.ix, &self.iy, &self.iz]
            .into_iter()
            .map(vec_bytes)
            .sum::<usize>()
            + vec_bytes(&self.id)
            + vec_bytes(&self.p)
    }
}

/// Collects a vector with exactly the given capacity, so that its memory is that of the paper.
fn collect<T>(elements: impl Iterator<Item = T>, length: usize) -> Vec<T> {
    let mut vec = Vec::with_capacity(length);
    vec.extend(elements);
    vec
}
