//! Messages of plain values between ranks.

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

/// Sends items to each rank, and returns those from all ranks, by rising sender.
pub(crate) fn send_to_each<T: Pod>(communicator: &dyn Communicator, items: &[Vec<T>]) -> Vec<T> {
    let messages = items.iter().map(|items| to_bytes(items)).collect();
    let received = communicator.all_to_all(messages);
    received
        .iter()
        .flat_map(|message| from_bytes(message))
        .collect()
}

/// Returns the items of all ranks, by rising rank.
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
    let (rank, ranks) = (communicator.rank(), communicator.ranks());
    let before = rank.checked_sub(1);
    let received = communicator.exchange(&[], before.as_slice());
    let value = received
        .first()
        .map_or(first, |message| bytemuck::pod_read_unaligned(message));
    let value = change(value);
    if rank + 1 < ranks {
        communicator.exchange(&[(rank + 1, to_bytes(&[value]))], &[]);
    }
    gather(communicator, &[value])[ranks - 1]
}
