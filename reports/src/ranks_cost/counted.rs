//! A communicator that counts its messages.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering::Relaxed},
};

use jostle::ranks::Communicator;
use serde::{Deserialize, Serialize};

/// Counts the messages that this rank sends to other ranks, and passes them on.
pub struct Counted {
    inner: Arc<dyn Communicator>,
    exchanges: Counter,
    all_to_all: Counter,
    all_gather: Counter,
}

/// Messages of one kind.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub struct Sent {
    /// Number of calls, in each of which this rank sends a message to some ranks or to all.
    pub calls: u64,
    pub messages: u64,
    pub bytes: u64,
}

/// Messages that a rank has sent, by kind.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub struct Traffic {
    /// Positions of moved spheres, at the end of a phase.
    pub exchanges: Sent,
    /// Refreshed spheres and spheres that move to other ranks.
    pub all_to_all: Sent,
    /// Sums.
    pub all_gather: Sent,
}

#[derive(Default)]
struct Counter {
    calls: AtomicU64,
    messages: AtomicU64,
    bytes: AtomicU64,
}

impl Counter {
    /// Counts the messages to other ranks of one call. Items are the lengths of messages.
    fn count(&self, lengths: impl Iterator<Item = usize>) {
        self.calls.fetch_add(1, Relaxed);
        for length in lengths {
            self.messages.fetch_add(1, Relaxed);
            self.bytes.fetch_add(length as u64, Relaxed);
        }
    }

    fn sent(&self) -> Sent {
        Sent {
            calls: self.calls.load(Relaxed),
            messages: self.messages.load(Relaxed),
            bytes: self.bytes.load(Relaxed),
        }
    }
}

impl Counted {
    pub fn new(inner: Arc<dyn Communicator>) -> Self {
        Self {
            inner,
            exchanges: Counter::default(),
            all_to_all: Counter::default(),
            all_gather: Counter::default(),
        }
    }

    /// Returns the messages so far.
    pub fn traffic(&self) -> Traffic {
        Traffic {
            exchanges: self.exchanges.sent(),
            all_to_all: self.all_to_all.sent(),
            all_gather: self.all_gather.sent(),
        }
    }
}

impl Communicator for Counted {
    fn rank(&self) -> usize {
        self.inner.rank()
    }

    fn ranks(&self) -> usize {
        self.inner.ranks()
    }

    fn all_to_all(&self, messages: Vec<Vec<u8>>) -> Vec<Vec<u8>> {
        let own = self.rank();
        let others = messages.iter().enumerate().filter(|&(rank, _)| rank != own);
        self.all_to_all
            .count(others.map(|(_, message)| message.len()));
        self.inner.all_to_all(messages)
    }

    fn exchange(&self, messages: &[(usize, Vec<u8>)], senders: &[usize]) -> Vec<Vec<u8>> {
        self.exchanges
            .count(messages.iter().map(|(_, message)| message.len()));
        self.inner.exchange(messages, senders)
    }

    fn all_gather(&self, message: &[u8]) -> Vec<Vec<u8>> {
        let others = self.ranks() - 1;
        self.all_gather
            .count(std::iter::repeat_n(message.len(), others));
        self.inner.all_gather(message)
    }
}
