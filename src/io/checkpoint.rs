//! Checkpoints as files: `docs/guide/formats.md` describes the format.

use std::{
    fs::File,
    io::{self, Read, Write},
    path::Path,
};

use super::{
    checkpoint_columns::{read_columns, write_columns},
    checkpoint_head::{CUT_OFF, beginning, first_line, read_head, sealed_content, write_sealed},
    checkpoint_on_ranks::{read_part, write_parts},
    constants::CHECKPOINT_MAGIC,
    error::{CheckpointError, OTHER_LENGTHS, WriteError},
    packed::{read_column, write_column},
    staged::write_atomically,
};
use crate::{machine::ranks::Ranks, rearrange::Checkpoint};

/// Writes a checkpoint completely, or leaves an older file of that name as it is.
///
/// The ranks of a run write together, each one its part. All ranks call, and see the file system.
///
/// Cost: about 45 bytes per sphere on the disk, and 4 bytes per sphere of memory; on several ranks as much memory as on the disk.
///
/// # Errors
/// When the file cannot be written, on all ranks.
pub fn write_checkpoint(checkpoint: &Checkpoint, path: impl AsRef<Path>) -> Result<(), WriteError> {
    if checkpoint.ranks.is_alone() {
        return write_atomically(path, |out| write(checkpoint, out));
    }
    write_parts(checkpoint, path.as_ref())
}

/// Reads a checkpoint from a file.
///
/// # Errors
/// When the file cannot be read, is no checkpoint, was written by a newer version, is cut off or was changed.
pub fn read_checkpoint(path: impl AsRef<Path>) -> Result<Checkpoint, CheckpointError> {
    read_checkpoint_share(path, Ranks::default())
}

/// Reads the part of a checkpoint that each of several ranks continues. All ranks call, and see the file. The number of ranks that wrote the
/// file does not matter.
///
/// Cost: the first rank reads the file, and the others their parts.
///
/// # Errors
/// The errors of [`read_checkpoint`], on all ranks.
pub fn read_checkpoint_share(
    path: impl AsRef<Path>,
    ranks: impl Into<Ranks>,
) -> Result<Checkpoint, CheckpointError> {
    let (path, ranks) = (path.as_ref(), ranks.into());
    if !ranks.is_alone() {
        return read_part(path, ranks);
    }
    let load = || {
        let mut file = &File::open(path)?;
        let mut bytes = Vec::new();
        // Other files may be large.
        file.take(CHECKPOINT_MAGIC.len() as u64)
            .read_to_end(&mut bytes)?;
        if bytes == CHECKPOINT_MAGIC {
            file.read_to_end(&mut bytes)?;
        }
        Ok(bytes)
    };
    let bytes = load().map_err(|source| CheckpointError::io(path, source))?;
    read(&bytes).map_err(|what| CheckpointError::of_file(path, &what))
}

/// Reads a checkpoint from bytes in memory, like [`read_checkpoint`].
///
/// # Errors
/// When the bytes are no checkpoint, were written by a newer version, are cut off or were changed.
pub fn read_checkpoint_from(bytes: &[u8]) -> Result<Checkpoint, CheckpointError> {
    read(bytes).map_err(|what| CheckpointError::content(format!("the input {what}")))
}

fn write(checkpoint: &Checkpoint, out: &mut dyn Write) -> io::Result<()> {
    write_sealed(out, |mut out| {
        out.write_all(&beginning(checkpoint)?)?;
        write_columns(checkpoint, |numbers| write_column(&mut out, numbers))
    })
}

/// Returns the checkpoint, or the words that follow the name of the file in an error message.
fn read(bytes: &[u8]) -> Result<Checkpoint, String> {
    let first_line = first_line(bytes)?;
    let mut rest = sealed_content(bytes)?.get(first_line..).ok_or(CUT_OFF)?;
    let head = read_head(&mut rest)?;
    let columns = read_columns(&head, &Ranks::default(), |count| {
        read_column(&mut rest, count)
    })
    .filter(|_| rest.is_empty())
    .ok_or(OTHER_LENGTHS)?;
    Ok(Checkpoint {
        output: head.output,
        interval: head.interval,
        ..Checkpoint::new(head.run, columns, Ranks::default())
    })
}
