//! MR: a sorted list that is kept in order while spheres move.
//! MR-S: MR on arrays.

use super::{
    algorithm::vec_bytes,
    cell_list::{CellList, SortedList},
    lattice::Cell,
};

/// MR (Munjiza–Rougier): a closed, doubly linked list of objects, sorted by cell.
///
/// The first snapshot is sorted by quick sort. In later snapshots MR-Sort restores the order of the list, and MR-Search
/// traverses it once, together with five pointers that mark where the rows of the contact mask begin.
///
/// MR-Sort relies on the stability criterion of discrete element simulations: between two snapshots a sphere moves by at
/// most one cell. One traversal of the list updates the cells. Spheres that made the same one of the 27 possible steps
/// are still in order among themselves, because the order of cells does not change when all are shifted alike. The
/// traversal therefore appends each sphere to the lane of its step, and the lanes are merged, the shortest first. If no
/// sphere changes its cell, this is one traversal without comparisons; there are never more than five rounds of merges.
/// To swap neighbors until the list is sorted would lead to the same list, but a sphere that steps to the next layer
/// would pass all the N^(2/3) spheres in between. Spheres that moved farther than one cell are sorted by quick sort
/// before the merge.
///
/// The list is built again when the number of spheres changes, or when the largest diameter exceeds the cell size or falls
/// below half of it. Cost N for spheres of similar size, N log N where the list is built again.
///
/// Source: Munjiza, Rougier & John, Int. J. Numer. Methods Eng. 66 (2006) 46; Schiava D'Albano et al., Section 5.
pub type Mr = SortedList<Objects>;

/// The objects of a list, by position.
#[derive(Clone, Debug, Default)]
pub struct Objects(Vec<Object>);

/// One object of the list; the last object closes the list and is not a sphere.
#[derive(Clone, Copy, Debug)]
struct Object {
    cell: Cell,
    previous: u32,
    next: u32,
    id: u32,
}

impl CellList for Objects {
    fn new(elements: &[(Cell, u32)]) -> Self {
        let count = elements.len() as u32;
        let elements = elements.iter().zip(1..);
        let objects = elements.map(|(&(cell, id), next)| Object {
            cell,
            previous: 0,
            next: next % count,
            id,
        });
        Self(objects.collect())
    }

    fn len(&self) -> u32 {
        (self.0.len() - 1) as u32
    }
    #[inline]
    fn cell(&self, at: u32) -> Cell {
        self.0[at as usize].cell
    }
    fn set_cell(&mut self, at: u32, cell: Cell) {
        self.0[at as usize].cell = cell;
    }
    #[inline]
    fn id(&self, at: u32) -> u32 {
        self.0[at as usize].id
    }
    #[inline]
    fn next(&self, at: u32) -> u32 {
        self.0[at as usize].next
    }
    fn set_next(&mut self, at: u32, next: u32) {
        self.0[at as usize].next = next;
    }

    fn link_backwards(&mut self) {
        let end = self.len();
        let mut at = end;
        loop {
            let next = self.next(at);
            self.0[next as usize].previous = at;
            at = next;
            if at == end {
                break;
            }
        }
    }

    fn bytes(&self) -> usize {
        vec_bytes(&self.0)
    }
}

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

#[cfg(test)]
mod tests {
    use glam::DVec3;

    use super::*;
    use crate::{laboratory::broad_phase::BroadPhase, spheres::Spheres};

    #[test]
    fn list_stays_sorted_closed_and_doubly_linked() {
        let mut spheres = Spheres::new(
            (0..200)
                .map(|i| {
                    DVec3::new(
                        f64::from(i % 7),
                        f64::from(i * 3 % 11),
                        f64::from(i * 5 % 13),
                    )
                })
                .collect(),
            vec![0.6; 200],
        );
        let mut mr = Mr::default();
        for step in 0..6 {
            mr.detect(&spheres, &mut |_, _| {});
            let (lattice, _) = mr.lattice.unwrap();
            let (mut at, mut count, mut last) = (mr.list.next(200), 0, [i32::MIN; 3]);
            while at != 200 {
                let object = mr.list.0[at as usize];
                assert_eq!(
                    object.cell,
                    lattice.cell(spheres.centers()[object.id as usize])
                );
                assert!(last <= object.cell);
                assert_eq!(mr.list.0[object.next as usize].previous, at);
                (at, count, last) = (object.next, count + 1, object.cell);
            }
            assert_eq!(count, 200);

            let reach = if step < 4 { 1.0 } else { 50.0 };
            let moved = spheres.centers().iter().zip(0u32..).map(|(&center, i)| {
                let offset = |n: u32| f64::from((i * n + step) % 17) / 8.0 - 1.0;
                center + reach * DVec3::new(offset(3), offset(5), offset(7))
            });
            spheres = Spheres::new(moved.collect(), spheres.radii().to_vec());
        }
    }
}
