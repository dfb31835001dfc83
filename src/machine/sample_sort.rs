//! Division of sorted items among ranks.

use super::ranks::Ranks;

/// Keys that each rank contributes to the borders between the parts. The parts differ by a few percent in length.
const SAMPLES: usize = 64;

/// Sends items to the ranks, so that the keys of a rank are below those of the next one. Items with one key belong to one rank. The items
/// `own` of each rank are sorted by their keys.
///
/// Returns the items of this rank, by their senders.
pub(crate) fn divide_by_key<T: bytemuck::Pod>(
    ranks: &Ranks,
    own: &[T],
    key: impl Fn(&T) -> u64,
) -> Vec<T> {
    let count = ranks.ranks();
    let samples = SAMPLES.min(own.len());
    let sample: Vec<u64> = (0..samples)
        .map(|k| key(&own[k * own.len() / samples]))
        .collect();
    let mut all: Vec<u64> = ranks.gather(sample);
    all.sort_unstable();
    let border = |rank: usize| all.get(rank * all.len() / count).copied();
    let mut rest = own;
    let messages: Vec<Vec<T>> = (1..=count)
        .map(|rank| {
            let end = match border(rank) {
                Some(border) if rank < count => rest.partition_point(|item| key(item) < border),
                _ => rest.len(),
            };
            let (part, after) = rest.split_at(end);
            rest = after;
            part.to_vec()
        })
        .collect();
    ranks.send_to_each(messages)
}
