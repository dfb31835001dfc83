//! MR: a sorted list that is kept in order while spheres move.

use super::{
    algorithm::{BroadPhase, OperationCounts, vec_bytes},
    cell_list::{CellList, mr_search, mr_sort, quick_sorted, still_valid},
    extent::largest_diameter,
    lattice::{Cell, Lattice},
    tester::Tester,
};
use crate::spheres::Spheres;

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
#[derive(Clone, Debug, Default)]
pub struct Mr {
    objects: Vec<Object>,
    lattice: Option<(Lattice, f64)>,
}

/// One object of the list; the last object closes the list and is not a sphere.
#[derive(Clone, Copy, Debug)]
struct Object {
    cell: Cell,
    previous: u32,
    next: u32,
    id: u32,
}

impl Mr {
    /// Creates an empty detector.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the backward links according to the forward links.
    fn link_backwards(&mut self) {
        let end = self.len();
        let mut at = end;
        loop {
            let next = self.objects[at as usize].next;
            self.objects[next as usize].previous = at;
            at = next;
            if at == end {
                break;
            }
        }
    }
}

impl CellList for Mr {
    fn len(&self) -> u32 {
        (self.objects.len() - 1) as u32
    }
    #[inline]
    fn cell(&self, at: u32) -> Cell {
        self.objects[at as usize].cell
    }
    fn set_cell(&mut self, at: u32, cell: Cell) {
        self.objects[at as usize].cell = cell;
    }
    #[inline]
    fn id(&self, at: u32) -> u32 {
        self.objects[at as usize].id
    }
    #[inline]
    fn next(&self, at: u32) -> u32 {
        self.objects[at as usize].next
    }
    fn set_next(&mut self, at: u32, next: u32) {
        self.objects[at as usize].next = next;
    }
}

impl BroadPhase for Mr {
    fn detect(&mut self, snapshot: &Spheres, report: &mut dyn FnMut(u32, u32)) -> OperationCounts {
        let mut tester = Tester::new(snapshot, report);
        let Some(size) = largest_diameter(snapshot) else {
            return tester.counts;
        };
        let listed = self.objects.len().saturating_sub(1);
        if let Some(lattice) = still_valid(self.lattice, listed, snapshot, size) {
            mr_sort(self, &lattice, snapshot);
        } else {
            let lattice = Lattice::new(snapshot, size);
            self.lattice = Some((lattice, size));
            let sorted = quick_sorted(snapshot, &lattice);
            self.objects = Vec::with_capacity(sorted.len() + 1);
            self.objects.extend(
                sorted
                    .into_iter()
                    .zip(1..)
                    .map(|((cell, id), next)| Object {
                        cell,
                        previous: 0,
                        next,
                        id,
                    }),
            );
            self.objects.push(Object {
                cell: [i32::MAX; 3],
                previous: 0,
                next: 0,
                id: u32::MAX,
            });
        }
        self.link_backwards();
        mr_search(self, &mut tester);
        tester.counts
    }

    fn bytes(&self) -> usize {
        vec_bytes(&self.objects)
    }
}

#[cfg(test)]
mod tests {
    use glam::DVec3;

    use super::*;

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
        let mut mr = Mr::new();
        for step in 0..6 {
            mr.detect(&spheres, &mut |_, _| {});
            let (lattice, _) = mr.lattice.unwrap();
            let (mut at, mut count, mut last) = (mr.next(200), 0, [i32::MIN; 3]);
            while at != 200 {
                let object = mr.objects[at as usize];
                assert_eq!(
                    object.cell,
                    lattice.cell(spheres.centers()[object.id as usize])
                );
                assert!(last <= object.cell);
                assert_eq!(mr.objects[object.next as usize].previous, at);
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
