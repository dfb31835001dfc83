//! Checkpoints of a run, written beside it.

use std::{
    fs,
    path::{Path, PathBuf},
    thread::JoinHandle,
    time::Instant,
};

use jostle::{
    PackOptions, Packer,
    io::{WriteError, check_replaceable, read_checkpoint, remove_leftovers, write_checkpoint},
    packing::StopReason,
    rearrange::Checkpoint,
};
use pyo3::prelude::*;

use super::{
    constants::CHECKPOINT_INTERVAL,
    errors::{self, input},
};

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
            return Err(input(format!(
                "the checkpoint '{}' belongs to another request; expected a new name, or the arguments of its run",
                self.path.display()
            )));
        }
        Packer::resume(checkpoint).map(Some).map_err(input)
    }

    /// Writes a checkpoint if one is due. The run goes on meanwhile.
    pub fn after_sweep(&mut self, packer: &Packer) {
        let is_writing = self.writing.as_ref().is_some_and(|it| !it.is_finished());
        if self.since.elapsed() >= CHECKPOINT_INTERVAL && !is_writing {
            self.save(packer.checkpoint());
        }
    }

    /// Keeps the last state of a run that can be continued, or removes the file. Returns a warning if the file is not up to
    /// date.
    pub fn close(mut self, packer: &Packer) -> Option<String> {
        match packer.stop_reason() {
            None | Some(StopReason::TimeLimit | StopReason::Interrupted) => {
                self.save(packer.checkpoint());
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

    fn save(&mut self, checkpoint: Checkpoint) {
        self.wait();
        self.since = Instant::now();
        let path = self.path.clone();
        self.writing = Some(std::thread::spawn(move || {
            write_checkpoint(&checkpoint, path)
        }));
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
