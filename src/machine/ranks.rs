//! The ranks that work on one packing together, and what they compute together.

use std::{
    borrow::Cow,
    fmt::{self, Display},
    ops::{Deref, Range},
    sync::Arc,
};

use bytemuck::Pod;

use super::communicator::Communicator;

/// The ranks that work on one packing together, as one of them sees them. By default, this process is the only one.
///
/// All ranks call the same functions in the same order.
///
/// # Example
/// ```
/// use jostle::ranks::Ranks;
///
/// let ranks = Ranks::default();
/// assert!(ranks.is_alone());
/// assert_eq!(ranks.share(10), 0..10);
/// ```
#[derive(Clone)]
pub struct Ranks(Arc<dyn Communicator>);

/// This process alone.
struct Alone;

impl Communicator for Alone {
    fn rank(&self) -> usize {
        0
    }

    fn ranks(&self) -> usize {
        1
    }

    fn all_to_all(&self, messages: Vec<Vec<u8>>) -> Vec<Vec<u8>> {
        messages
    }

    fn exchange(&self, _messages: &[(usize, Vec<u8>)], _senders: &[usize]) -> Vec<Vec<u8>> {
        Vec::new()
    }

    fn all_gather(&self, message: &[u8]) -> Vec<Vec<u8>> {
        vec![message.to_vec()]
    }
}

impl Default for Ranks {
    fn default() -> Self {
        Self(Arc::new(Alone))
    }
}

impl From<Arc<dyn Communicator>> for Ranks {
    fn from(communicator: Arc<dyn Communicator>) -> Self {
        Self(communicator)
    }
}

impl<C: Communicator + 'static> From<Arc<C>> for Ranks {
    fn from(communicator: Arc<C>) -> Self {
        Self(communicator)
    }
}

/// Two values are equal if they have one communicator, or if this process is alone.
impl PartialEq for Ranks {
    fn eq(&self, other: &Self) -> bool {
        self.is_alone() && other.is_alone() || Arc::ptr_eq(&self.0, &other.0)
    }
}

impl fmt::Debug for Ranks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Ranks({} of {})", self.rank(), self.ranks())
    }
}

impl Deref for Ranks {
    type Target = dyn Communicator;

    fn deref(&self) -> &(dyn Communicator + 'static) {
        &*self.0
    }
}

impl Ranks {
    /// Returns whether this process is the only one.
    pub fn is_alone(&self) -> bool {
        self.ranks() == 1
    }

    /// Returns whether this rank is the first one.
    pub fn is_first(&self) -> bool {
        self.rank() == 0
    }

    /// Returns the share of this rank of `len` items: successive items, rank after rank, the same number but for one.
    pub fn share(&self, len: usize) -> Range<usize> {
        let start = |rank: usize| (len * rank).div_ceil(self.ranks());
        start(self.rank())..start(self.rank() + 1)
    }

    /// Returns the rank in whose share of `len` items an item is.
    pub(crate) fn rank_of(&self, item: usize, len: usize) -> usize {
        item * self.ranks() / len
    }

    /// Returns an empty message to each rank.
    pub(crate) fn messages<T: Clone>(&self) -> Vec<Vec<T>> {
        vec![Vec::new(); self.ranks()]
    }

    /// Sends items to each rank, and returns those from all ranks, sorted by sender.
    pub(crate) fn send_to_each<T: Pod>(&self, mut items: Vec<Vec<T>>) -> Vec<T> {
        // Most items stay on this rank: they need no message.
        let mut own = std::mem::take(&mut items[self.rank()]);
        let messages = items.iter().map(|items| to_bytes(items)).collect();
        drop(items);
        let received = self.all_to_all(messages);
        let mut all = Vec::new();
        for (sender, message) in received.iter().enumerate() {
            if sender == self.rank() && all.is_empty() {
                all = std::mem::take(&mut own);
            } else if sender == self.rank() {
                all.append(&mut own);
            } else {
                let items = message.chunks_exact(size_of::<T>());
                all.extend(items.map(bytemuck::pod_read_unaligned::<T>));
            }
        }
        all
    }

    /// Returns the items of all ranks, sorted by rank, on the first one, and none on the others.
    pub(crate) fn send_to_first<T: Pod>(&self, items: Vec<T>) -> Vec<T> {
        let mut messages = self.messages();
        messages[0] = items;
        self.send_to_each(messages)
    }

    /// Returns the items of all ranks, sorted by rank.
    pub(crate) fn gather<'a, T: Pod>(&self, items: impl Into<Cow<'a, [T]>>) -> Vec<T> {
        let items = items.into();
        // No copy.
        if self.is_alone() {
            return items.into_owned();
        }
        let received = self.all_gather(bytemuck::cast_slice(&items));
        let items = received.iter().map(|message| from_bytes::<T>(message));
        items.flatten().collect()
    }

    /// Returns the sums of counts over all ranks, element by element.
    pub(crate) fn totals(&self, counts: Vec<u64>) -> Vec<u64> {
        self.combined(counts, |a, b| a + b)
    }

    /// Returns the sum of a count over all ranks.
    pub(crate) fn total(&self, count: usize) -> usize {
        self.totals(vec![count as u64])[0] as usize
    }

    /// Returns the sum of a count over the ranks before this one.
    pub(crate) fn before(&self, count: usize) -> usize {
        self.gather(vec![count])[..self.rank()].iter().sum()
    }

    /// Returns the smallest values of all ranks, element by element.
    pub(crate) fn smallest(&self, values: Vec<f64>) -> Vec<f64> {
        self.combined(values, f64::min)
    }

    /// Returns the largest value of all ranks.
    pub(crate) fn largest(&self, value: f64) -> f64 {
        self.combined(vec![value], f64::max)[0]
    }

    /// Returns whether a statement holds on any rank.
    pub(crate) fn any(&self, holds: bool) -> bool {
        self.total(holds.into()) > 0
    }

    /// Returns whether a statement holds on all ranks.
    pub(crate) fn everywhere(&self, holds: bool) -> bool {
        !self.any(!holds)
    }

    /// Combines the values of all ranks, element by element. The order must not matter.
    fn combined<T: Pod>(&self, values: Vec<T>, combine: impl Fn(T, T) -> T) -> Vec<T> {
        let len = values.len();
        let all = self.gather(values);
        let parts = all.chunks_exact(len.max(1)).map(<[T]>::to_vec);
        let combined = parts.reduce(|mut all, other| {
            for (a, b) in all.iter_mut().zip(other) {
                *a = combine(*a, b);
            }
            all
        });
        combined.unwrap_or_default()
    }

    /// Changes a value on one rank after the other, and returns the last result on all of them.
    ///
    /// A sum over items in the order of the ranks has the bits of a sum by one process.
    pub(crate) fn in_turn<T: Pod>(&self, first: T, change: impl FnOnce(T) -> T) -> T {
        let last = self.in_turn_each(vec![first], |values| {
            values[0] = change(values[0]);
        });
        last[0]
    }

    /// Like [`Self::in_turn`], with several values.
    pub(crate) fn in_turn_each<T: Pod>(
        &self,
        first: Vec<T>,
        change: impl FnOnce(&mut [T]),
    ) -> Vec<T> {
        let (rank, ranks) = (self.rank(), self.ranks());
        let before = rank.checked_sub(1);
        let received = self.exchange(&[], before.as_slice());
        let mut values = received
            .first()
            .map_or(first, |message| from_bytes(message));
        change(&mut values);
        if rank + 1 < ranks {
            self.exchange(&[(rank + 1, to_bytes(&values))], &[]);
            values.clear();
        }
        self.gather(values)
    }

    /// Adds to `len` sums on one rank after the other.
    pub(crate) fn sums_in_turn(&self, len: usize, add: impl FnOnce(&mut [f64])) -> Vec<f64> {
        self.in_turn_each(vec![0.0; len], add)
    }

    /// Returns the element-wise sums of `len` numbers over the parts of all ranks, in the order of the parts.
    pub(crate) fn sum_in_turn(&self, len: usize, parts: &[Vec<f64>]) -> Vec<f64> {
        self.sums_in_turn(len, |sums| {
            for part in parts {
                for (sum, number) in sums.iter_mut().zip(part) {
                    *sum += number;
                }
            }
        })
    }

    /// Returns the result of this rank, or an error if another rank has one, of whose text `other` makes an error.
    pub(crate) fn agreed<T, E: Display>(
        &self,
        result: Result<T, E>,
        other: impl FnOnce(String) -> E,
    ) -> Result<T, E> {
        let own = result.as_ref().err().map(ToString::to_string);
        let all = self.all_gather(own.unwrap_or_default().as_bytes());
        match all.iter().find(|text| !text.is_empty()) {
            Some(text) if result.is_ok() => Err(other(String::from_utf8_lossy(text).into_owned())),
            _ => result,
        }
    }

    /// Returns the items with some numbers. `item` returns the items of this rank, and `rank_of` tells which rank has an item.
    pub(crate) fn fetch<T: Pod>(
        &self,
        item: impl Fn(usize) -> T,
        rank_of: impl Fn(usize) -> usize,
        numbers: &[u32],
    ) -> Vec<T> {
        if self.is_alone() {
            return numbers
                .iter()
                .map(|&number| item(number as usize))
                .collect();
        }
        let mut requests = self.messages();
        for &number in numbers {
            requests[rank_of(number as usize)].push(number);
        }
        let requests = requests.iter().map(|numbers| to_bytes(numbers)).collect();
        let answer = |message: &Vec<u8>| {
            let numbers: Vec<u32> = from_bytes(message);
            let items = numbers.iter().map(|&number| item(number as usize));
            to_bytes(&items.collect::<Vec<T>>())
        };
        let answers = self.all_to_all(requests).iter().map(answer).collect();
        let received = self.all_to_all(answers);
        let mut received: Vec<_> = received
            .iter()
            .map(|message| from_bytes::<T>(message).into_iter())
            .collect();
        let of_rank = |&number: &u32| received[rank_of(number as usize)].next();
        numbers.iter().filter_map(of_rank).collect()
    }
}

/// Returns items as bytes.
pub(crate) fn to_bytes<T: Pod>(items: &[T]) -> Vec<u8> {
    bytemuck::cast_slice(items).to_vec()
}

/// Returns the items of a message.
pub(crate) fn from_bytes<T: Pod>(message: &[u8]) -> Vec<T> {
    bytemuck::pod_collect_to_vec(message)
}
