//! MR and MR-S: a list of spheres by cell that is kept sorted from snapshot to snapshot.
//! The linked cell method has such a list, too.

use super::{
    algorithm::{BroadPhase, OperationCounts},
    cell_table::CellTable,
    lattice::{Cell, HALF_MASK, Lattice, bounds, largest_diameter},
    tester::Tester,
};
use crate::spheres::Spheres;

/// A list of spheres sorted by cell and closed through its end; MR and MR-S store it differently.
///
/// A *position* identifies an element of the list in memory; its order in the list follows from the links.
pub trait CellList: Default + Send {
    /// Creates a list of cells and numbers of spheres, which are sorted by cell. The last element is the end.
    fn new(elements: &[(Cell, u32)]) -> Self;
    /// Returns the number of spheres, which is also the position of the end. The first sphere follows the end.
    fn len(&self) -> u32;
    fn cell(&self, at: u32) -> Cell;
    fn set_cell(&mut self, at: u32, cell: Cell);
    fn id(&self, at: u32) -> u32;
    fn next(&self, at: u32) -> u32;
    fn set_next(&mut self, at: u32, next: u32);
    /// Sets the backward links according to the forward links, if the list has any.
    fn link_backwards(&mut self) {}
    /// Returns the memory held, in bytes.
    fn bytes(&self) -> usize;
}

/// A broad phase on a sorted list. [`Mr`](super::Mr) and [`MrS`](super::MrS) differ in how `L` stores the list.
#[derive(Clone, Debug, Default)]
pub struct SortedList<L> {
    pub(super) list: L,
    /// The lattice of the list with its cell size; absent before the first snapshot.
    pub(super) lattice: Option<(Lattice, f64)>,
}

impl<L: CellList> BroadPhase for SortedList<L> {
    fn detect_in_phases(
        &mut self,
        snapshot: &Spheres,
        sorted: &mut dyn FnMut(),
        report: &mut dyn FnMut(u32, u32),
    ) -> OperationCounts {
        let mut tester = Tester::new(snapshot, report);
        let Some(diameter) = largest_diameter(snapshot) else {
            return tester.counts;
        };
        let suits = |&(_, size): &(Lattice, f64)| {
            let has_all = self.list.len() as usize == snapshot.len();
            has_all && diameter <= size && 2.0 * diameter >= size
        };
        if let Some((lattice, _)) = self.lattice.filter(suits) {
            mr_sort(&mut self.list, &lattice, snapshot);
        } else {
            let lattice = Lattice::new(snapshot, diameter);
            self.lattice = Some((lattice, diameter));
            self.list = L::new(&quick_sorted(snapshot, &lattice));
        }
        self.list.link_backwards();
        sorted();
        mr_search(&self.list, &mut tester);
        tester.counts
    }

    fn bytes(&self) -> usize {
        self.list.bytes()
    }
}

/// Returns the cells and numbers of the spheres, sorted by cell, and the end.
fn quick_sorted(snapshot: &Spheres, lattice: &Lattice) -> Vec<(Cell, u32)> {
    let cells = snapshot.centers().iter().map(|&c| lattice.cell(c));
    let end = ([i32::MAX; 3], u32::MAX);
    let mut sorted: Vec<(Cell, u32)> = cells.zip(0..).chain([end]).collect();
    sorted.sort_unstable();
    sorted
}

/// A section taken out of the list; the end of the list closes it.
#[derive(Clone, Copy)]
struct Lane {
    first: u32,
    last: u32,
    length: u32,
}

/// The lane of spheres that moved farther than one cell.
const FAR: usize = 27;

/// Returns the lane of the step between two cells.
fn lane(from: Cell, to: Cell) -> usize {
    let mut lane = 0;
    for axis in 0..3 {
        let step = to[axis] - from[axis];
        if !(-1..=1).contains(&step) {
            return FAR;
        }
        lane = 3 * lane + (step + 1) as usize;
    }
    lane
}

/// Updates the cells and restores the order of the list (MR-Sort); changes forward links only.
fn mr_sort(list: &mut impl CellList, lattice: &Lattice, snapshot: &Spheres) {
    let end = list.len();
    let mut lanes = [Lane {
        first: end,
        last: end,
        length: 0,
    }; FAR + 1];
    let mut far: Vec<(Cell, u32)> = Vec::new();

    let mut at = list.next(end);
    while at != end {
        let next = list.next(at);
        let old = list.cell(at);
        let new = lattice.cell(snapshot.centers()[list.id(at) as usize]);
        let which = lane(old, new);
        if new != old {
            list.set_cell(at, new);
        }
        if which == FAR {
            far.push((new, at));
        } else {
            append(list, &mut lanes[which], at);
        }
        at = next;
    }
    far.sort_unstable();
    for &(_, at) in &far {
        append(list, &mut lanes[FAR], at);
    }

    let mut lanes: Vec<Lane> = lanes.into_iter().filter(|lane| lane.length > 0).collect();
    for lane in &lanes {
        list.set_next(lane.last, end);
    }
    while lanes.len() > 1 {
        lanes.sort_by_key(|lane| std::cmp::Reverse(lane.length));
        if let (Some(a), Some(b)) = (lanes.pop(), lanes.pop()) {
            lanes.push(merge(list, a, b));
        }
    }
    list.set_next(end, lanes.first().map_or(end, |lane| lane.first));
}

/// Appends the element at a position to a lane.
fn append(list: &mut impl CellList, lane: &mut Lane, at: u32) {
    if lane.length == 0 {
        lane.first = at;
    } else {
        list.set_next(lane.last, at);
    }
    lane.last = at;
    lane.length += 1;
}

/// Merges two sorted lanes.
fn merge(list: &mut impl CellList, mut a: Lane, mut b: Lane) -> Lane {
    let end = list.len();
    let mut merged = Lane {
        first: end,
        last: end,
        length: 0,
    };
    let length = a.length + b.length;
    while a.first != end && b.first != end {
        let from = if list.cell(a.first) <= list.cell(b.first) {
            &mut a
        } else {
            &mut b
        };
        let at = from.first;
        from.first = list.next(at);
        append(list, &mut merged, at);
    }
    let rest = if a.first == end { b } else { a };
    list.set_next(merged.last, rest.first);
    Lane {
        first: merged.first,
        last: rest.last,
        length,
    }
}

/// Traverses the sorted list with one pointer for each row of the half contact mask, and tests all pairs (MR-Search).
///
/// The pointers only move forwards, because the rows of the mask are in the same order as the spheres.
fn mr_search(list: &impl CellList, tester: &mut Tester) {
    let end = list.len();
    let mut pointers = [list.next(end); HALF_MASK.len()];
    let mut at = list.next(end);
    while at != end {
        let [z, y, x] = list.cell(at);
        for (pointer, ([dz, dy], [from, _])) in pointers.iter_mut().zip(HALF_MASK) {
            let row = [z + dz, y + dy];
            while list.cell(*pointer) < [row[0], row[1], x + from] {
                *pointer = list.next(*pointer);
            }
            tester.counts.cell_accesses += 1;
            let mut other = *pointer;
            // In the sphere's own row the section ends at the sphere, so that its own cell is searched too.
            while other != at && list.cell(other) <= [row[0], row[1], x + 1] {
                tester.test(list.id(at), list.id(other));
                other = list.next(other);
            }
        }
        at = list.next(at);
    }
}

/// The linked cell method: cells of the largest diameter, each with its spheres; a sphere is tested against
/// the rest of its own cell and the 13 neighbors of the half mask.
///
/// The length of the table of cells is proportional to the number of spheres, not to the volume: dense snapshots use it as
/// the classical dense array, sparse snapshots as a hash table. It is rebuilt for each snapshot. Cost N for spheres of
/// similar size.
///
/// Source: Quentrec & Brot, J. Comput. Phys. 13 (1973) 430; Hockney & Eastwood, *Computer Simulation Using Particles*
/// (1981).
#[derive(Clone, Debug, Default)]
pub struct LinkedCell {
    cells: CellTable,
}

impl BroadPhase for LinkedCell {
    fn detect_in_phases(
        &mut self,
        snapshot: &Spheres,
        sorted: &mut dyn FnMut(),
        report: &mut dyn FnMut(u32, u32),
    ) -> OperationCounts {
        let mut tester = Tester::new(snapshot, report);
        let Some(size) = largest_diameter(snapshot) else {
            return tester.counts;
        };
        let centers = snapshot.centers();
        self.cells
            .lay_out(size, bounds(centers), None, snapshot.len());
        self.cells.fill(0..centers.len() as u32, centers);
        sorted();
        self.cells.search_within(&mut tester);
        tester.counts
    }

    fn bytes(&self) -> usize {
        self.cells.bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_step_has_a_lane_of_its_own() {
        let all: std::collections::BTreeSet<usize> = (0..27)
            .map(|n| lane([0; 3], [n / 9 - 1, n / 3 % 3 - 1, n % 3 - 1]))
            .collect();
        assert_eq!(all, (0..27).collect());
        assert_eq!(lane([0, 0, 5], [0, 0, 7]), FAR);
    }
}
