//! MR-S: MR on arrays.

use super::{
    algorithm::vec_bytes,
    cell_list::{CellList, SortedList},
    lattice::Cell,
};

/// MR-S (Munjiza–Rougier–Schiava): the list of [`Mr`](super::Mr) on five arrays of N + 1 elements: the sphere's number,
/// the three cell coordinates, and the pointer array `p` to the next element.
///
/// Quick sort orders the first four arrays once. From then on MR-Sort changes only `p` and the coordinates of spheres that
/// changed their cell, so there are no backward links. MR-Sort and MR-Search are the same as for MR. Cost as for MR, with less
/// memory.
///
/// Source: Schiava D'Albano, PhD thesis (2014); Schiava D'Albano et al., Section 6.
pub type MrS = SortedList<Arrays>;

/// The arrays of a list, by position.
#[derive(Clone, Debug, Default)]
pub struct Arrays {
    id: Vec<u32>,
    ix: Vec<i32>,
    iy: Vec<i32>,
    iz: Vec<i32>,
    p: Vec<u32>,
}

impl CellList for Arrays {
    fn new(elements: &[(Cell, u32)]) -> Self {
        let count = elements.len() as u32;
        let along = |axis: usize| elements.iter().map(|&(cell, _)| cell[axis]).collect();
        Self {
            id: elements.iter().map(|&(_, id)| id).collect(),
            ix: along(2),
            iy: along(1),
            iz: along(0),
            p: (1..=count).map(|next| next % count).collect(),
        }
    }

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

    fn bytes(&self) -> usize {
        let coordinates = [&self.ix, &self.iy, &self.iz].map(vec_bytes);
        coordinates.iter().sum::<usize>() + vec_bytes(&self.id) + vec_bytes(&self.p)
    }
}
