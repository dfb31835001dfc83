//! Checkpoints of a run, written beside it.

use std::{
    fs,
    path::{Path, PathBuf},
    thread::JoinHandle,
    time::Instant,
};

use jostle::{
    PackOptions, Packer,
    io::{
        PourRecord, WriteError, check_replaceable, read_checkpoint, read_pour_checkpoint,
        remove_leftovers, write_checkpoint, write_pour_checkpoint,
    },
    packing::StopReason,
    pour::Pourer,
    rearrange::Checkpoint,
};
use pyo3::prelude::*;

use super::{
    constants::CHECKPOINT_INTERVAL,
    errors::{self, input},
};

/// The state of a run, as a file holds it.
pub trait Saved: Send + 'static {
    /// Writes the state.
    fn write(&self, path: &Path) -> Result<(), WriteError>;
}

impl Saved for Checkpoint {
    fn write(&self, path: &Path) -> Result<(), WriteError> {
        write_checkpoint(self, path)
    }
}

impl Saved for PourRecord {
    fn write(&self, path: &Path) -> Result<(), WriteError> {
        write_pour_checkpoint(self, path)
    }
}

/// The checkpoints of a run.
pub struct Checkpoints {
    path: PathBuf,
    since: Instant,
    /// The thread that writes the last checkpoint.
    writing: Option<JoinHandle<Result<(), WriteError>>>,
    /// Reason why a checkpoint was not written.
    failure: Option<String>,
}

impl Checkpoints {
    /// Prepares checkpoints in the file `path`.
    pub fn new(path: &Path) -> PyResult<Self> {
        check_replaceable(path).map_err(|error| errors::write(&error))?;
        // A run that was killed while it wrote its first checkpoint may have left some of it.
        remove_leftovers(path);
        Ok(Self {
            path: path.to_owned(),
            since: Instant::now(),
            writing: None,
            failure: None,
        })
    }

    /// Returns a packer that continues the run of the file; `None` without a file. Rejects a run of another request.
    pub fn packer(&self, radii: &[f64], options: &PackOptions) -> PyResult<Option<Packer>> {
        if !self.path.exists() {
            return Ok(None);
        }
        let checkpoint = read_checkpoint(&self.path).map_err(|error| errors::checkpoint(&error))?;
        let checkpoint = checkpoint
            .threads(options.threads)
            .time_limit(options.time_limit);
        if checkpoint.options() != options || checkpoint.radii() != radii {
            return Err(self.other_request());
        }
        Packer::resume(checkpoint).map(Some).map_err(input)
    }

    /// Returns a pourer that continues the run of the file; `None` without a file. Rejects a run of another request.
    pub fn pourer(&self, new: &Pourer) -> PyResult<Option<Pourer>> {
        if !self.path.exists() {
            return Ok(None);
        }
        let record = read_pour_checkpoint(&self.path);
        let mut checkpoint = record
            .map_err(|error| errors::checkpoint(&error))?
            .checkpoint;
        let begin = new.checkpoint();
        checkpoint.options.time_limit = begin.options.time_limit;
        if checkpoint.options != begin.options || checkpoint.radii() != begin.radii() {
            return Err(self.other_request());
        }
        Pourer::resume(checkpoint).map(Some).map_err(input)
    }

    fn other_request(&self) -> PyErr {
        input(format!(
            "the checkpoint '{}' belongs to another request; expected a new name, or the arguments of its run",
            self.path.display()
        ))
    }

    /// Writes the state if a checkpoint is due. The run goes on meanwhile.
    pub fn after_step<S: Saved>(&mut self, state: impl FnOnce() -> S) {
        let is_writing = self.writing.as_ref().is_some_and(|it| !it.is_finished());
        if self.since.elapsed() >= CHECKPOINT_INTERVAL && !is_writing {
            self.save(state());
        }
    }

    /// Keeps the last state of a run that can be continued, or removes the file. Returns a warning if the file is not up to
    /// date.
    pub fn close<S: Saved>(
        mut self,
        stop: Option<StopReason>,
        state: impl FnOnce() -> S,
    ) -> Option<String> {
        match stop {
            None | Some(StopReason::TimeLimit | StopReason::Interrupted) => {
                self.save(state());
                self.wait();
            }
            Some(_) => {
                self.wait();
                // A file that is not there, or that stays, does no harm.
                let _ = fs::remove_file(&self.path);
                return None;
            }
        }
        let reason = self.failure?;
        Some(format!("the checkpoint is not up to date: {reason}"))
    }

    fn save(&mut self, state: impl Saved) {
        self.wait();
        self.since = Instant::now();
        let path = self.path.clone();
        self.writing = Some(std::thread::spawn(move || state.write(&path)));
    }

    fn wait(&mut self) {
        let Some(writing) = self.writing.take() else {
            return;
        };
        self.failure = match writing.join() {
            Ok(Ok(())) => None,
            Ok(Err(error)) => Some(error.to_string()),
            Err(_) => Some("the thread that writes it has failed".to_owned()),
        };
    }
}
