//! The checkpoints of a run, written while the run goes on.

use std::{
    fs::{self, File, TryLockError},
    path::{Path, PathBuf},
    thread::JoinHandle,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, ensure};

use super::{
    constants::CHECKPOINT_INTERVAL,
    files::{check_outputs, is_stream, lock_path},
    launch::Launch,
    session_options::SessionOptions,
    words::resume_command,
};
use crate::{
    io::{WriteError, check_replaceable, remove_leftovers, write_checkpoint},
    packing::StopReason,
    rearrange::Checkpoint,
};

/// A state of a run that can be written to a file.
pub trait Saved: Sized + Send + 'static {
    /// Returns the state with the arguments of the files of the run, and with the wall time from one checkpoint to the next.
    fn with_output(self, output: &[String], interval: Duration) -> Self;

    /// Writes the state.
    fn write(&self, path: &Path) -> Result<(), WriteError>;
}

impl Saved for Checkpoint {
    fn with_output(mut self, output: &[String], interval: Duration) -> Self {
        self.output = output.to_vec();
        self.interval = Some(interval);
        self
    }

    fn write(&self, path: &Path) -> Result<(), WriteError> {
        write_checkpoint(self, path)
    }
}

/// The file of the checkpoints of one run.
pub struct Checkpoints {
    path: PathBuf,
    /// The arguments of the files that the packing is for.
    output: Vec<String>,
    /// Wall time from one checkpoint to the next.
    interval: Duration,
    /// Start of the present interval.
    since: Instant,
    /// Whether a checkpoint is requested before the interval is over.
    is_requested: bool,
    /// The thread that writes a checkpoint.
    writing: Option<JoinHandle<Result<(), WriteError>>>,
    /// Whether the last checkpoint could not be written.
    has_failed: bool,
    /// Present in the first process.
    _lock: Option<Lock>,
}

/// Prepares the checkpoints of a new run that writes `files`, which `path` names. The checkpoint of another run is never replaced.
pub fn new_run(
    path: Option<&Path>,
    options: &SessionOptions,
    files: &[PathBuf],
    launch: &Launch,
) -> Result<Option<Checkpoints>> {
    let Some(path) = path else {
        ensure!(
            options.checkpoint_every.is_none(),
            "--checkpoint-every is given without --checkpoint; add --checkpoint FILE"
        );
        return Ok(None);
    };
    ensure!(
        !path.exists(),
        "the file '{}' exists; '{}' continues its run if it is a checkpoint, and a new run needs another name",
        path.display(),
        resume_command(path)
    );
    ensure!(
        !is_stream(path),
        "a checkpoint cannot go to stdout (-); name a file with --checkpoint"
    );
    check_outputs(&[path.to_owned()], &[])?;
    let checkpoints = Checkpoints::new(path, None, options, files, launch)?;
    // A run that was killed while it wrote its first checkpoint may have left some of it.
    remove_leftovers(path);
    Ok(Some(checkpoints))
}

/// The sign that a run keeps a checkpoint: a locked file beside it. The system unlocks the file of a run that was killed.
struct Lock {
    file: File,
    path: PathBuf,
}

impl Lock {
    /// Locks the sign beside a checkpoint. Rejects a checkpoint that another run keeps.
    fn of(checkpoint: &Path) -> Result<Self> {
        let path = lock_path(checkpoint);
        let file = File::create(&path)
            .with_context(|| format!("cannot write beside '{}'", checkpoint.display()))?;
        ensure!(
            !matches!(file.try_lock(), Err(TryLockError::WouldBlock)),
            "another run keeps its checkpoint in '{}'; choose another file",
            checkpoint.display()
        );
        Ok(Self { file, path })
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // A file that stays does no harm.
        let _ = fs::remove_file(&self.path);
        let _ = self.file.unlock();
    }
}

impl Checkpoints {
    /// Prepares checkpoints of a run that writes `files`. `earlier` is the interval of the part of the run before. Rejects a file that
    /// another run keeps.
    pub fn new(
        path: &Path,
        earlier: Option<Duration>,
        options: &SessionOptions,
        files: &[PathBuf],
        launch: &Launch,
    ) -> Result<Self> {
        let interval = options.checkpoint_every.or(earlier);
        let output = options.given.with_files(files)?;
        check_replaceable(path)?;
        // The other processes of this run write the same file.
        let lock = launch.is_first().then(|| Lock::of(path)).transpose()?;
        Ok(Self {
            path: path.to_owned(),
            output,
            interval: interval.unwrap_or(CHECKPOINT_INTERVAL),
            since: Instant::now(),
            is_requested: false,
            writing: None,
            has_failed: false,
            _lock: lock,
        })
    }

    /// Returns the directory of the file.
    pub fn directory(&self) -> PathBuf {
        match self.path.parent() {
            Some(parent) if parent != Path::new("") => parent.to_owned(),
            _ => PathBuf::from("."),
        }
    }

    /// Requests a checkpoint as soon as possible.
    pub fn request(&mut self) {
        self.is_requested = true;
    }

    /// Returns whether a checkpoint is due: at the end of a run that can be continued, or after the interval if none is being
    /// written.
    pub fn is_due(&self, stop: Option<StopReason>) -> bool {
        if let Some(stop) = stop {
            return can_be_continued(stop);
        }
        let is_writing = self
            .writing
            .as_ref()
            .is_some_and(|writing| !writing.is_finished());
        !is_writing && (self.is_requested || self.since.elapsed() >= self.interval)
    }

    /// Starts to write a checkpoint, of which each process has a part. A run of one process goes on meanwhile. Returns a warning if a
    /// checkpoint was not written.
    pub fn save(&mut self, checkpoint: impl Saved, launch: &Launch) -> Option<String> {
        let warning = self.wait();
        let checkpoint = checkpoint.with_output(&self.output, self.interval);
        self.since = Instant::now();
        self.is_requested = false;
        if !launch.ranks.is_alone() {
            let written = checkpoint.write(&self.path);
            return self.warning(written.err().map(|error| error.to_string()));
        }
        let path = self.path.clone();
        self.writing = Some(std::thread::spawn(move || checkpoint.write(&path)));
        warning
    }

    /// Waits until the last checkpoint is written. Returns a warning if that fails for the first time.
    pub fn wait(&mut self) -> Option<String> {
        let reason = match self.writing.take()?.join() {
            Ok(Ok(())) => None,
            Ok(Err(error)) => Some(error.to_string()),
            Err(_) => Some("the thread that writes it has failed".to_owned()),
        };
        self.warning(reason)
    }

    /// Returns a warning about a checkpoint that was not written, if the one before was.
    fn warning(&mut self, reason: Option<String>) -> Option<String> {
        let had_failed = std::mem::replace(&mut self.has_failed, reason.is_some());
        reason
            .filter(|_| !had_failed)
            .map(|reason| format!("warning: the checkpoint is not up to date: {reason}"))
    }

    /// Returns a sentence about the way to continue a run that ended early, if there is a checkpoint. Removes the file of a run that is
    /// over, because its packing is written.
    pub fn close(mut self, stop: StopReason) -> Option<String> {
        if can_be_continued(stop) {
            let command = resume_command(&self.path);
            let exists = self.path.exists();
            return exists.then(|| format!("'{command}' continues the run"));
        }
        self.wait();
        // A file that is not there, or that stays, does no harm.
        let _ = fs::remove_file(&self.path);
        None
    }
}

/// Returns whether a run that ended for this reason can be continued.
fn can_be_continued(stop: StopReason) -> bool {
    matches!(stop, StopReason::TimeLimit | StopReason::Interrupted)
}
