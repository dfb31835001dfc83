//! Checkpoints of depositions as files.

use std::{
    fs,
    io::{self, Read, Write},
    path::Path,
    time::Duration,
};

use serde::{Deserialize, Serialize};

use super::{
    checkpoint_head::{CUT_OFF, sealed_content, write_sealed},
    constants::POUR_CHECKPOINT_LINE,
    error::{CheckpointError, WriteError},
    staged::write_atomically,
};
use crate::{names::one_line, pour::PourCheckpoint};

/// A checkpoint of a deposition with what the program needs to write the files of the packing.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct PourRecord {
    /// The state of the deposition.
    pub checkpoint: PourCheckpoint,
    /// The arguments of the files that the packing is for.
    pub output: Vec<String>,
    /// Wall time from one checkpoint to the next.
    pub interval: Option<Duration>,
}

impl PourRecord {
    /// Creates a record without files.
    pub fn new(checkpoint: PourCheckpoint) -> Self {
        Self {
            checkpoint,
            output: Vec::new(),
            interval: None,
        }
    }
}

/// Writes a checkpoint of a deposition completely, or leaves an older file of that name as it is.
///
/// Cost: about 100 bytes per sphere on the disk.
///
/// # Errors
/// When the file cannot be written.
pub fn write_pour_checkpoint(
    record: &PourRecord,
    path: impl AsRef<Path>,
) -> Result<(), WriteError> {
    let content = |out: &mut dyn Write| {
        out.write_all(POUR_CHECKPOINT_LINE)?;
        serde_json::to_writer(out, record).map_err(io::Error::from)
    };
    write_atomically(path, |out| write_sealed(out, content))
}

/// Returns whether a file begins like a checkpoint of a deposition, of any version.
pub fn is_pour_checkpoint(path: impl AsRef<Path>) -> bool {
    let name = name();
    let mut beginning = vec![0; name.len()];
    let read = |mut file: fs::File| file.read_exact(&mut beginning);
    fs::File::open(path).and_then(read).is_ok() && beginning == name
}

/// Returns the first line without the version.
fn name() -> &'static [u8] {
    let is_space = |&byte: &u8| byte == b' ';
    let end = POUR_CHECKPOINT_LINE.iter().position(is_space);
    &POUR_CHECKPOINT_LINE[..end.unwrap_or_default()]
}

/// Reads a checkpoint of a deposition from a file.
///
/// # Errors
/// When the file cannot be read, is no checkpoint of a deposition, was written by another version, is cut off or was changed.
pub fn read_pour_checkpoint(path: impl AsRef<Path>) -> Result<PourRecord, CheckpointError> {
    let path = path.as_ref();
    let bytes = fs::read(path).map_err(|source: io::Error| CheckpointError::io(path, source))?;
    read(&bytes).map_err(|what| CheckpointError::of_file(path, &what))
}

/// Returns the record, or the words that follow the name of the file in an error message.
fn read(bytes: &[u8]) -> Result<PourRecord, String> {
    if !bytes.starts_with(POUR_CHECKPOINT_LINE) {
        let first = String::from_utf8_lossy(POUR_CHECKPOINT_LINE);
        return Err(format!(
            "does not begin with '{}', as the checkpoints of depositions of this version do",
            first.trim_end()
        ));
    }
    let json = sealed_content(bytes)?
        .get(POUR_CHECKPOINT_LINE.len()..)
        .ok_or(CUT_OFF)?;
    serde_json::from_slice(json).map_err(|error| {
        let reason = one_line(error.to_string());
        format!("holds a state that cannot be read: {reason}")
    })
}
