//! MR: a sorted list that is kept in order while spheres move.

use super::{
    BroadPhase, Tester, Work, largest_diameter,
    lattice::{Cell, HALF_MASK, Lattice},
    vec_bytes,
};
use crate::spheres::Spheres;

/// MR (Munjiza–Rougier): a closed, doubly connected list of objects, sorted by cell.
///
/// The first frame is sorted by quick sort. In later frames MR-Sort brings the list back into order, and MR-Search
/// travels it once, together with five pointers that mark where the rows of the contact mask begin.
///
/// MR-Sort rests on the stability criterion of discrete element simulations: between two frames a sphere moves by no
/// more than a cell. One parse of the list updates the cells. Spheres that made the same one of the 27 possible steps
/// are still in order among themselves, for the order of cells does not change when all are shifted alike, so the parse
/// relinks each into the lane of its step and the lanes are merged, the shortest first. Where nobody changes cell that
/// is one parse without comparison, and never more than five merges. Swapping neighbours until all is sorted would end
/// in the same list, but a sphere that steps to the next layer would pass all the N^(2/3) spheres in between. Spheres
/// that moved farther than one cell are sorted by quick sort before the merge.
///
/// The list is made anew when the number of spheres changes, or when the largest diameter exceeds the cell size or falls
/// below half of it. Cost N for spheres of similar size, N log N where it is made anew.
///
/// Source: Munjiza, Rougier & John, Int. J. Numer. Methods Eng. 66 (2006) 46; Schiava D'Albano et al., Section 5.
#[derive(Clone, Debug, Default)]
pub struct Mr {
    objects: Vec<Object>,
    lattice: Option<(Lattice, f64)>,
}

/// One object of the list; the last one is its closing end and no sphere.
#[derive(Clone, Copy, Debug)]
struct Object {
    cell: Cell,
    previous: u32,
    next: u32,
    id: u32,
}

impl Mr {
    /// With no memory of any frame.
    pub fn new() -> Self {
        Self::default()
    }

    /// Makes the links backwards follow those forwards.
    fn connect_backwards(&mut self) {
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

/// A list of spheres by cell, closed through its end: what MR and MR-S have in common.
pub(super) trait CellList {
    /// The number of spheres; as a place, the end, whose `next` is the first sphere.
    fn len(&self) -> u32;
    fn cell(&self, at: u32) -> Cell;
    fn set_cell(&mut self, at: u32, cell: Cell);
    fn id(&self, at: u32) -> u32;
    fn next(&self, at: u32) -> u32;
    fn set_next(&mut self, at: u32, next: u32);
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

/// The lattice of an earlier frame, if it still serves a list of that many spheres.
pub(super) fn still_valid(
    lattice: Option<(Lattice, f64)>,
    listed: usize,
    spheres: &Spheres,
    diameter: f64,
) -> Option<Lattice> {
    lattice
        .filter(|&(_, size)| listed == spheres.len() && diameter <= size && 2.0 * diameter >= size)
        .map(|(lattice, _)| lattice)
}

/// The cells and numbers of the spheres, by rising cell.
pub(super) fn quick_sorted(spheres: &Spheres, lattice: &Lattice) -> Vec<(Cell, u32)> {
    let mut sorted: Vec<(Cell, u32)> = spheres
        .centers()
        .iter()
        .zip(0..)
        .map(|(&center, id)| (lattice.cell(center), id))
        .collect();
    sorted.sort_unstable();
    sorted
}

/// A stretch of the list taken out of it, ended by the end of the list.
#[derive(Clone, Copy)]
struct Lane {
    first: u32,
    last: u32,
    length: u32,
}

/// The lane of those that moved farther than one cell.
const FAR: usize = 27;

/// The lane of the step between two cells.
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

/// MR-Sort: updates the cells and brings the list back into order, by changing links forwards only.
pub(super) fn mr_sort(list: &mut impl CellList, lattice: &Lattice, spheres: &Spheres) {
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
        let new = lattice.cell(spheres.centers()[list.id(at) as usize]);
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

fn append(list: &mut impl CellList, lane: &mut Lane, at: u32) {
    if lane.length == 0 {
        lane.first = at;
    } else {
        list.set_next(lane.last, at);
    }
    lane.last = at;
    lane.length += 1;
}

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

/// MR-Search: travels the sorted list with one pointer for each row of the half contact mask.
///
/// All pointers only move forwards, for the rows of the mask come in the same order as the spheres themselves.
pub(super) fn mr_search(list: &impl CellList, tester: &mut Tester) {
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
            tester.work.cell_accesses += 1;
            let mut other = *pointer;
            // In its own row the sphere itself ends the stretch, so its own cell is searched too.
            while other != at && list.cell(other) <= [row[0], row[1], x + 1] {
                tester.test(list.id(at), list.id(other));
                other = list.next(other);
            }
        }
        at = list.next(at);
    }
}

impl BroadPhase for Mr {
    fn detect(&mut self, spheres: &Spheres, report: &mut dyn FnMut(u32, u32)) -> Work {
        let mut tester = Tester::new(spheres, report);
        let Some(size) = largest_diameter(spheres) else {
            return tester.work;
        };
        let listed = self.objects.len().saturating_sub(1);
        if let Some(lattice) = still_valid(self.lattice, listed, spheres, size) {
            mr_sort(self, &lattice, spheres);
        } else {
            let lattice = Lattice::new(spheres, size);
            self.lattice = Some((lattice, size));
            let sorted = quick_sorted(spheres, &lattice);
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
        self.connect_backwards();
        mr_search(self, &mut tester);
        tester.work
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
    fn list_stays_sorted_closed_and_doubly_connected() {
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
        for frame in 0..6 {
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

            let reach = if frame < 4 { 1.0 } else { 50.0 };
            let moved = spheres.centers().iter().zip(0u32..).map(|(&center, i)| {
                let unit = |n: u32| f64::from((i * n + frame) % 17) / 8.0 - 1.0;
                center + reach * DVec3::new(unit(3), unit(5), unit(7))
            });
            spheres = Spheres::new(moved.collect(), spheres.radii().to_vec());
        }
    }

    #[test]
    fn lanes_are_told_by_the_step() {
        let all: std::collections::BTreeSet<usize> = (0..27)
            .map(|n| lane([0; 3], [n / 9 - 1, n / 3 % 3 - 1, n % 3 - 1]))
            .collect();
        assert_eq!(all, (0..27).collect());
        assert_eq!(lane([0, 0, 5], [0, 0, 7]), FAR);
    }
}
