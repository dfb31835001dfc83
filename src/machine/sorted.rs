//! Tables and lists that change at ascending positions.

use super::{parallel::join, trace::shared};

/// Items that one task writes at most.
const TASK: usize = 4096;

/// Calls `write` for the item at each of the `positions`, which must be sorted, with the number of the position.
///
/// # Panics
/// If positions of different tasks are not sorted, or the table has no item at a position.
pub(crate) fn write_sorted<T: Send>(
    table: &mut [T],
    positions: &[u32],
    write: impl Fn(&mut T, usize) + Sync,
) {
    shared("refreshed spheres", || {
        write_part((0, table), (0, positions), &write);
    });
}

/// Writes to a table whose first item has the position `start`, at positions of which the first has the number `number`.
fn write_part<T: Send>(
    (start, table): (usize, &mut [T]),
    (number, positions): (usize, &[u32]),
    write: &(impl Fn(&mut T, usize) + Sync),
) {
    if positions.len() <= TASK {
        for (number, &position) in (number..).zip(positions) {
            write(&mut table[position as usize - start], number);
        }
        return;
    }
    let half = positions.len() / 2;
    let (lower, upper) = positions.split_at(half);
    let middle = upper[0] as usize;
    let (below, above) = table.split_at_mut(middle - start);
    join(
        &mut |_| write_part((start, &mut *below), (number, lower), write),
        &mut |_| write_part((middle, &mut *above), (number + half, upper), write),
    );
}

/// Returns the items with a number. The numbers of the items must not fall.
pub(crate) fn with_number<T>(items: &[T], number: usize, number_of: impl Fn(&T) -> usize) -> &[T] {
    let start = items.partition_point(|item| number_of(item) < number);
    let items = &items[start..];
    &items[..items.partition_point(|item| number_of(item) == number)]
}

/// Changes a sorted list in place. For each item of `changes`, which must be sorted, it tells whether the list then holds the item.
pub(crate) fn update_sorted(
    list: &mut Vec<u32>,
    changes: impl DoubleEndedIterator<Item = (u32, bool)> + Clone,
) {
    let (mut kept, mut read, mut entering) = (0, 0, 0);
    for (item, is_held) in changes.clone() {
        let position = read + list[read..].partition_point(|&other| other < item);
        let was_held = list.get(position) == Some(&item);
        if was_held && !is_held {
            list.copy_within(read..position, kept);
            kept += position - read;
            read = position + 1;
        }
        entering += usize::from(is_held && !was_held);
    }
    if read > kept {
        list.copy_within(read.., kept);
    }
    let mut end = list.len() - (read - kept);
    list.truncate(end);
    list.reserve_exact(entering);
    list.resize(end + entering, 0);
    // The last item moves first, so that each one moves once.
    for (item, _) in changes.rev().filter(|&(_, is_held)| is_held) {
        let position = list[..end].partition_point(|&other| other < item);
        if position == end || list[position] != item {
            list.copy_within(position..end, position + entering);
            entering -= 1;
            list[position + entering] = item;
            end = position;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use rand::{RngExt, SeedableRng};
    use rand_pcg::Pcg64;

    use super::*;

    #[test]
    fn an_updated_list_holds_what_the_changes_tell() {
        let mut rng = Pcg64::seed_from_u64(3);
        let (mut list, mut expected) = (Vec::new(), BTreeSet::new());
        for _ in 0..100 {
            let changed: BTreeSet<u32> = (0..20).map(|_| rng.random_range(0..60)).collect();
            let changes: Vec<(u32, bool)> = changed
                .into_iter()
                .map(|item| (item, rng.random()))
                .collect();
            for &(item, is_held) in &changes {
                expected.remove(&item);
                expected.extend(is_held.then_some(item));
            }
            update_sorted(&mut list, changes.into_iter());
            assert!(list.iter().eq(&expected));
        }
    }

    #[test]
    fn writes_each_item_with_the_number_of_its_position() {
        let positions: Vec<u32> = (0..30_000).map(|k| 3 * k + k % 3).collect();
        let mut table = vec![None; 90_000];
        let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build();
        pool.unwrap().install(|| {
            write_sorted(&mut table, &positions, |item, number| {
                assert_eq!(item.replace(number), None);
            });
        });
        for (position, item) in (0..).zip(table) {
            assert_eq!(item, positions.binary_search(&position).ok());
        }
    }
}
