//! MR-S: MR on arrays.

use super::{
    BroadPhase, Tester, Work, largest_diameter,
    lattice::{Cell, Lattice},
    mr::{CellList, mr_search, mr_sort, quick_sorted, still_valid},
    vec_bytes,
};
use crate::spheres::Spheres;

/// MR-S (Munjiza–Rougier–Schiava): the list of [`Mr`](super::Mr) on five arrays of N + 1 elements: the sphere's number,
/// the three cell coordinates, and the pointer array `p` to the next element.
///
/// Quick sort orders the first four once; from then on MR-Sort changes `p` alone (and the coordinates of spheres that
/// changed cell), so there is no link backwards. MR-Sort and MR-Search are those of MR. Cost as for MR, with less memory.
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
    /// With no memory of any frame.
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
    fn detect(&mut self, spheres: &Spheres, report: &mut dyn FnMut(u32, u32)) -> Work {
        let mut tester = Tester::new(spheres, report);
        let Some(size) = largest_diameter(spheres) else {
            return tester.work;
        };
        let listed = self.p.len().saturating_sub(1);
        if let Some(lattice) = still_valid(self.lattice, listed, spheres, size) {
            mr_sort(self, &lattice, spheres);
        } else {
            let lattice = Lattice::new(spheres, size);
            let end = ([i32::MAX; 3], u32::MAX);
            let sorted = quick_sorted(spheres, &lattice);
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
        tester.work
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

/// A vector of exactly the given length, so that its memory is what the paper counts.
fn collect<T>(elements: impl Iterator<Item = T>, length: usize) -> Vec<T> {
    let mut vec = Vec::with_capacity(length);
    vec.extend(elements);
    vec
}
