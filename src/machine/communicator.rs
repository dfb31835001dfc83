//! Messages between the processes, called ranks, that make one packing together, and files that they write together.

use std::{
    fs::{File, OpenOptions},
    io::{self, Seek, SeekFrom, Write},
    path::Path,
};

/// The ranks that make one packing together, as one of them sees them.
///
/// All ranks call the same methods in the same order. A method returns when the messages for this rank have arrived. A rank that
/// fails must end all ranks, as MPI does, because the others would wait for its messages for ever.
pub trait Communicator: Send + Sync {
    /// Returns the number of this rank, from 0.
    fn rank(&self) -> usize;

    /// Returns the number of ranks.
    fn ranks(&self) -> usize;

    /// Sends the `k`-th message to rank `k`, and returns the messages to this rank, by their senders.
    ///
    /// There is a message for each rank; it may be empty.
    fn all_to_all(&self, messages: Vec<Vec<u8>>) -> Vec<Vec<u8>>;

    /// Sends each message to the rank beside it, and returns the messages from the ranks `senders`, in their order.
    ///
    /// The senders must be just those ranks that send a message to this rank in the same call.
    fn exchange(&self, messages: &[(usize, Vec<u8>)], senders: &[usize]) -> Vec<Vec<u8>>;

    /// Like [`Self::exchange`], and calls `work`, which must not send messages, after the messages are sent.
    ///
    /// The provided method calls `work` first.
    fn exchange_and_work(
        &self,
        messages: &[(usize, Vec<u8>)],
        senders: &[usize],
        work: &mut dyn FnMut(),
    ) -> Vec<Vec<u8>> {
        work();
        self.exchange(messages, senders)
    }

    /// Returns the messages of all ranks, by their senders.
    fn all_gather(&self, message: &[u8]) -> Vec<Vec<u8>>;

    /// Opens a file for writing by all ranks, calls `write` for the part of this rank, and waits until the part is on the disk.
    ///
    /// The file exists, in a file system that all ranks see. The parts of the ranks must not overlap. All ranks call; each one learns
    /// only of its own errors. `write` must not send messages.
    ///
    /// # Errors
    /// When the file cannot be opened or written, and those of `write`.
    fn write_shared(
        &self,
        path: &Path,
        write: &mut dyn FnMut(&mut dyn WriteAt) -> io::Result<()>,
    ) -> io::Result<()> {
        let mut file = OpenOptions::new().write(true).open(path)?;
        write(&mut file)?;
        file.sync_data()
    }
}

/// A file that can be written at any offset.
pub trait WriteAt {
    /// Writes all bytes, beginning at an offset in bytes.
    ///
    /// # Errors
    /// When not all bytes can be written.
    fn write_at(&mut self, offset: u64, bytes: &[u8]) -> io::Result<()>;
}

impl WriteAt for File {
    fn write_at(&mut self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        self.seek(SeekFrom::Start(offset))?;
        self.write_all(bytes)
    }
}
