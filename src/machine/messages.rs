//! Messages of plain values between ranks.

use std::fmt::Display;

use bytemuck::Pod;

use super::communicator::Communicator;

/// Returns items as bytes.
pub(crate) fn to_bytes<T: Pod>(items: &[T]) -> Vec<u8> {
    bytemuck::cast_slice(items).to_vec()
}

/// Returns the items of a message.
pub(crate) fn from_bytes<T: Pod>(message: &[u8]) -> Vec<T> {
    bytemuck::pod_collect_to_vec(message)
}

/// Sends items to each rank, and returns those from all ranks, sorted by sender.
pub(crate) fn send_to_each<T: Pod>(
    communicator: &dyn Communicator,
    mut items: Vec<Vec<T>>,
) -> Vec<T> {
    // Most items stay on this rank: they need no message.
    let mut own = std::mem::take(&mut items[communicator.rank()]);
    let messages = items.iter().map(|items| to_bytes(items)).collect();
    drop(items);
    let received = communicator.all_to_all(messages);
    let mut all = Vec::new();
    for (sender, message) in received.iter().enumerate() {
        if sender == communicator.rank() && all.is_empty() {
            all = std::mem::take(&mut own);
        } else if sender == communicator.rank() {
            all.append(&mut own);
        } else {
            let items = message.chunks_exact(size_of::<T>());
            all.extend(items.map(bytemuck::pod_read_unaligned::<T>));
        }
    }
    all
}

/// Returns the items of all ranks, sorted by rank, on the first one, and none on the others.
pub(crate) fn send_to_first<T: Pod>(communicator: &dyn Communicator, items: Vec<T>) -> Vec<T> {
    let mut messages = vec![Vec::new(); communicator.ranks()];
    messages[0] = items;
    send_to_each(communicator, messages)
}

/// Returns the items of all ranks, sorted by rank.
pub(crate) fn gather<T: Pod>(communicator: &dyn Communicator, items: &[T]) -> Vec<T> {
    let received = communicator.all_gather(bytemuck::cast_slice(items));
    received
        .iter()
        .flat_map(|message| from_bytes(message))
        .collect()
}

/// Changes a value on one rank after the other, and returns the last result on all of them.
///
/// A sum over items in the order of the ranks has the bits of a sum by one process.
pub(crate) fn in_turn<T: Pod>(
    communicator: &dyn Communicator,
    first: T,
    change: impl FnOnce(T) -> T,
) -> T {
    let last = in_turn_each(communicator, vec![first], |values| {
        values[0] = change(values[0]);
    });
    last[0]
}

/// Like [`in_turn`], with several values.
pub(crate) fn in_turn_each<T: Pod>(
    communicator: &dyn Communicator,
    first: Vec<T>,
    change: impl FnOnce(&mut [T]),
) -> Vec<T> {
    let (rank, ranks) = (communicator.rank(), communicator.ranks());
    let before = rank.checked_sub(1);
    let received = communicator.exchange(&[], before.as_slice());
    let mut values = received
        .first()
        .map_or(first, |message| from_bytes(message));
    change(&mut values);
    if rank + 1 < ranks {
        communicator.exchange(&[(rank + 1, to_bytes(&values))], &[]);
        values.clear();
    }
    gather(communicator, &values)
}

/// Returns whether a statement holds on all ranks.
pub(crate) fn everywhere(communicator: &dyn Communicator, holds: bool) -> bool {
    let all: Vec<u8> = gather(communicator, &[holds.into()]);
    all.iter().all(|&holds| holds == 1)
}

/// Returns the result of this rank, or an error if another rank has one, of whose text `other` makes an error.
pub(crate) fn agreed<T, E: Display>(
    communicator: &dyn Communicator,
    result: Result<T, E>,
    other: impl FnOnce(String) -> E,
) -> Result<T, E> {
    let own = result.as_ref().err().map(ToString::to_string);
    let all = communicator.all_gather(own.unwrap_or_default().as_bytes());
    match all.iter().find(|text| !text.is_empty()) {
        Some(text) if result.is_ok() => Err(other(String::from_utf8_lossy(text).into_owned())),
        _ => result,
    }
}

/// Returns the items with some numbers. `item` returns the items of this rank, and `rank_of` tells which rank has an item.
pub(crate) fn fetch<T: Pod>(
    communicator: &dyn Communicator,
    item: impl Fn(usize) -> T,
    rank_of: impl Fn(usize) -> usize,
    numbers: &[u32],
) -> Vec<T> {
    let mut requests = vec![Vec::new(); communicator.ranks()];
    for &number in numbers {
        requests[rank_of(number as usize)].push(number);
    }
    let requests = requests.iter().map(|numbers| to_bytes(numbers)).collect();
    let answer = |message: &Vec<u8>| {
        let numbers: Vec<u32> = from_bytes(message);
        let items = numbers.iter().map(|&number| item(number as usize));
        to_bytes(&items.collect::<Vec<T>>())
    };
    let answers = communicator
        .all_to_all(requests)
        .iter()
        .map(answer)
        .collect();
    let received = communicator.all_to_all(answers);
    let mut received: Vec<_> = received
        .iter()
        .map(|message| from_bytes::<T>(message).into_iter())
        .collect();
    let of_rank = |&number: &u32| received[rank_of(number as usize)].next();
    numbers.iter().filter_map(of_rank).collect()
}
