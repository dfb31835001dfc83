//! Writes to a table at rising positions, on all threads.

use rayon::join;

use super::trace::shared;

/// Items that one task writes at most.
const TASK: usize = 4096;

/// Calls `write` for the item at each of the `positions`, which must rise, with the number of the position.
///
/// # Panics
/// If positions of different tasks do not rise, or the table has no item at a position.
pub(crate) fn write_rising<T: Send>(
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
        || write_part((start, below), (number, lower), write),
        || write_part((middle, above), (number + half, upper), write),
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_each_item_with_the_number_of_its_position() {
        let positions: Vec<u32> = (0..30_000).map(|k| 3 * k + k % 3).collect();
        let mut table = vec![None; 90_000];
        let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build();
        pool.unwrap().install(|| {
            write_rising(&mut table, &positions, |item, number| {
                assert_eq!(item.replace(number), None);
            });
        });
        for (position, item) in (0..).zip(table) {
            assert_eq!(item, positions.binary_search(&position).ok());
        }
    }
}
