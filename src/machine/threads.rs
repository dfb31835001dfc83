//! Ranks that are threads of one process, for tests.

use std::{
    sync::{
        Arc, Mutex,
        mpsc::{Receiver, Sender, channel},
    },
    thread,
};

use super::communicator::Communicator;

/// A rank whose messages go through channels.
pub(crate) struct Thread {
    rank: usize,
    to: Vec<Sender<Vec<u8>>>,
    from: Vec<Mutex<Receiver<Vec<u8>>>>,
}

impl Thread {
    /// Returns the ends of all channels between `ranks` threads.
    pub fn all(ranks: usize) -> Vec<Self> {
        let channels: Vec<Vec<_>> = (0..ranks)
            .map(|_| (0..ranks).map(|_| channel()).collect())
            .collect();
        let mut to: Vec<Vec<Sender<Vec<u8>>>> = vec![Vec::new(); ranks];
        let mut from: Vec<Vec<Mutex<Receiver<Vec<u8>>>>> = (0..ranks).map(|_| Vec::new()).collect();
        for (sender, row) in channels.into_iter().enumerate() {
            for (receiver, (tx, rx)) in row.into_iter().enumerate() {
                to[sender].push(tx);
                from[receiver].push(Mutex::new(rx));
            }
        }
        let ends = to.into_iter().zip(from).enumerate();
        ends.map(|(rank, (to, from))| Self { rank, to, from })
            .collect()
    }

    fn receive(&self, sender: usize) -> Vec<u8> {
        self.from[sender].lock().unwrap().recv().unwrap()
    }
}

impl Communicator for Thread {
    fn rank(&self) -> usize {
        self.rank
    }

    fn ranks(&self) -> usize {
        self.to.len()
    }

    fn all_to_all(&self, messages: Vec<Vec<u8>>) -> Vec<Vec<u8>> {
        for (to, message) in self.to.iter().zip(messages) {
            to.send(message).unwrap();
        }
        (0..self.ranks()).map(|rank| self.receive(rank)).collect()
    }

    fn exchange(&self, messages: &[(usize, Vec<u8>)], senders: &[usize]) -> Vec<Vec<u8>> {
        for (rank, message) in messages {
            self.to[*rank].send(message.clone()).unwrap();
        }
        senders.iter().map(|&rank| self.receive(rank)).collect()
    }

    fn all_gather(&self, message: &[u8]) -> Vec<Vec<u8>> {
        self.all_to_all(vec![message.to_vec(); self.ranks()])
    }
}

/// Calls a function on some ranks, and returns the results by rank.
pub(crate) fn on_ranks<T: Send>(ranks: usize, call: impl Fn(Arc<Thread>) -> T + Sync) -> Vec<T> {
    thread::scope(|scope| {
        let runs: Vec<_> = Thread::all(ranks)
            .into_iter()
            .map(|thread| scope.spawn(|| call(Arc::new(thread))))
            .collect();
        runs.into_iter().map(|run| run.join().unwrap()).collect()
    })
}
