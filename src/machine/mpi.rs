//! Ranks of MPI, the Message Passing Interface.

use std::{
    io,
    path::Path,
    sync::{Mutex, MutexGuard, PoisonError},
    thread::{self, ThreadId},
};

use mpi::{
    Threading,
    environment::Universe,
    request::scope,
    topology::SimpleCommunicator,
    traits::{Communicator as _, Destination as _, Source as _},
};

use super::{
    communicator::{Communicator, WriteAt},
    mpi_file::MpiFile,
};

/// Most bytes of one message of MPI, whose lengths are 32-bit numbers. A message that is longer is sent in parts. A part that is shorter
/// than this is the last one.
const PART: usize = 1 << 30;

/// The ranks that one `mpirun` started. MPI ends when the value is dropped on the thread that started it, as MPI demands. Dropped on
/// another thread, it leaves MPI running, and `mpirun` reports a process that has not ended it.
///
/// If a rank fails, `mpirun` ends all of them.
pub struct Mpi {
    rank: usize,
    ranks: usize,
    world: Mutex<World>,
    /// The thread that started MPI.
    thread: ThreadId,
}

struct World {
    communicator: SimpleCommunicator,
    /// Ends MPI when it is dropped.
    universe: Option<Universe>,
}

// SAFETY: MPI runs with `Threading::Serialized`: any thread may call it, one at a time, which the mutex ensures.
unsafe impl Send for World {}

/// MPI cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MpiError {
    /// MPI was started before.
    #[error("MPI was started before; a process may start it once")]
    Started,
    /// The library serves one thread only.
    #[error("this MPI library serves the main thread only; MPI_THREAD_SERIALIZED is needed")]
    Threading,
}

impl Mpi {
    /// Starts MPI. A process may do that once.
    ///
    /// # Errors
    /// [`MpiError`] if MPI was started before, or if the library serves one thread only.
    pub fn start() -> Result<Self, MpiError> {
        let started = mpi::initialize_with_threading(Threading::Serialized);
        let (universe, threading) = started.ok_or(MpiError::Started)?;
        if threading < Threading::Serialized {
            return Err(MpiError::Threading);
        }
        let communicator = universe.world();
        Ok(Self {
            rank: communicator.rank() as usize,
            ranks: communicator.size() as usize,
            world: Mutex::new(World {
                communicator,
                universe: Some(universe),
            }),
            thread: thread::current().id(),
        })
    }

    /// Sends each message to the rank beside it, calls `work`, and returns the messages of the ranks `senders`.
    fn send_and_receive<'a>(
        &self,
        messages: impl Iterator<Item = (usize, &'a [u8])>,
        senders: &[usize],
        work: &mut dyn FnMut(),
    ) -> Vec<Vec<u8>> {
        let world = &self.world().communicator;
        let parts: Vec<(usize, &[u8])> = messages
            .flat_map(|(rank, message)| parts(message).map(move |part| (rank, part)))
            .collect();
        scope(|scope| {
            let requests: Vec<_> = parts
                .iter()
                .map(|&(rank, part)| {
                    world
                        .process_at_rank(rank as i32)
                        .immediate_send(scope, part)
                })
                .collect();
            work();
            let received = senders
                .iter()
                .map(|&sender| receive(world, sender))
                .collect();
            for request in requests {
                request.wait_without_status();
            }
            received
        })
    }

    fn world(&self) -> MutexGuard<'_, World> {
        self.world.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Mpi {
    /// Ends all ranks if this one fails: the others would wait for its messages.
    fn drop(&mut self) {
        if thread::panicking() {
            self.world().communicator.abort(1);
        }
        if thread::current().id() != self.thread {
            std::mem::forget(self.world().universe.take());
        }
    }
}

impl Communicator for Mpi {
    fn rank(&self) -> usize {
        self.rank
    }

    fn ranks(&self) -> usize {
        self.ranks
    }

    fn all_to_all(&self, mut messages: Vec<Vec<u8>>) -> Vec<Vec<u8>> {
        let own = std::mem::take(&mut messages[self.rank]);
        let others: Vec<usize> = (0..self.ranks).filter(|&rank| rank != self.rank).collect();
        let outgoing: Vec<(usize, Vec<u8>)> = others
            .iter()
            .map(|&rank| (rank, std::mem::take(&mut messages[rank])))
            .collect();
        let mut received = self.exchange(&outgoing, &others);
        received.insert(self.rank, own);
        received
    }

    fn exchange(&self, messages: &[(usize, Vec<u8>)], senders: &[usize]) -> Vec<Vec<u8>> {
        self.exchange_and_work(messages, senders, &mut || ())
    }

    fn exchange_and_work(
        &self,
        messages: &[(usize, Vec<u8>)],
        senders: &[usize],
        work: &mut dyn FnMut(),
    ) -> Vec<Vec<u8>> {
        let messages = messages.iter().map(|(rank, message)| (*rank, &message[..]));
        self.send_and_receive(messages, senders, work)
    }

    fn all_gather(&self, message: &[u8]) -> Vec<Vec<u8>> {
        let others: Vec<usize> = (0..self.ranks).filter(|&rank| rank != self.rank).collect();
        let messages = others.iter().map(|&rank| (rank, message));
        let mut received = self.send_and_receive(messages, &others, &mut || ());
        received.insert(self.rank, message.to_vec());
        received
    }

    fn write_shared(
        &self,
        path: &Path,
        write: &mut dyn FnMut(&mut dyn WriteAt) -> io::Result<()>,
    ) -> io::Result<()> {
        let _world = self.world();
        let mut file = MpiFile::open(path)?;
        write(&mut file)?;
        file.finish()
    }
}

/// Returns the parts of a message, of which the last one is not full.
fn parts(message: &[u8]) -> impl Iterator<Item = &[u8]> {
    let ends_full = message.len().is_multiple_of(PART);
    let end = ends_full.then_some(&message[message.len()..]);
    message.chunks(PART).chain(end)
}

/// Receives the next message of a rank.
fn receive(world: &SimpleCommunicator, sender: usize) -> Vec<u8> {
    let process = world.process_at_rank(sender as i32);
    let (mut message, _) = process.receive_vec::<u8>();
    let mut part = message.len();
    while part == PART {
        let (next, _) = process.receive_vec::<u8>();
        part = next.len();
        message.extend(next);
    }
    message
}
