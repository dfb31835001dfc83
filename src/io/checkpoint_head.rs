//! The beginning of a checkpoint: its first line, and the head with everything that does not belong to single spheres.

use std::{
    io::{self, Write},
    time::Duration,
};

use flate2::CrcWriter;
use serde::{Deserialize, Serialize};

use super::{
    constants::{CHECKPOINT_END, CHECKPOINT_MAGIC, CHECKPOINT_VERSION},
    error::CHANGED,
};
use crate::{
    names::one_line,
    rearrange::{Account, Checkpoint},
};

/// The first part of a checkpoint after the version, as JSON.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Head {
    /// Number of radii.
    pub spheres: usize,
    /// Number of spheres in the container.
    pub present: usize,
    pub has_shortlists: bool,
    pub has_activity: bool,
    pub output: Vec<String>,
    pub interval: Option<Duration>,
    pub run: Account,
}

/// The defect of a file that ends too early.
pub(super) const CUT_OFF: &str = "is cut off; a complete checkpoint is expected";

/// Returns the bytes before the columns.
pub(super) fn beginning(checkpoint: &Checkpoint) -> io::Result<Vec<u8>> {
    let head = serde_json::to_vec(&Head {
        spheres: checkpoint.spheres(),
        present: checkpoint.present,
        has_shortlists: !checkpoint.columns.inner.is_empty(),
        has_activity: !checkpoint.columns.active.is_empty(),
        output: checkpoint.output.clone(),
        interval: checkpoint.interval,
        run: checkpoint.account.clone(),
    })?;
    let mut bytes = CHECKPOINT_MAGIC.to_vec();
    writeln!(bytes, "{CHECKPOINT_VERSION}")?;
    bytes.extend((head.len() as u64).to_le_bytes());
    bytes.extend(head);
    Ok(bytes)
}

/// Writes a checkpoint: its content, the checksum of the content, and the last line.
pub(super) fn write_sealed(
    out: &mut dyn Write,
    content: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let mut out = CrcWriter::new(out);
    content(&mut out)?;
    let checksum = out.crc().sum();
    out.write_all(&checksum.to_le_bytes())?;
    out.write_all(CHECKPOINT_END)
}

/// Returns the content of a checkpoint that is complete and unchanged.
pub(super) fn sealed_content(bytes: &[u8]) -> Result<&[u8], String> {
    let content = bytes.strip_suffix(CHECKPOINT_END).ok_or(CUT_OFF)?;
    let (content, checksum) = content.split_last_chunk().ok_or(CUT_OFF)?;
    if crc32fast::hash(content) != u32::from_le_bytes(*checksum) {
        return Err(CHANGED.to_owned());
    }
    Ok(content)
}

/// Returns the length of the first line, with the end of the line.
pub(super) fn first_line(bytes: &[u8]) -> Result<usize, String> {
    let Some(rest) = bytes.strip_prefix(CHECKPOINT_MAGIC) else {
        return Err("is no checkpoint of jostle, which begins with 'jostle-checkpoint'".to_owned());
    };
    let end = rest.iter().position(|&byte| byte == b'\n').ok_or(CUT_OFF)?;
    let version = std::str::from_utf8(&rest[..end])
        .ok()
        .and_then(|text| text.parse::<u32>().ok());
    if version != Some(CHECKPOINT_VERSION) {
        let version = String::from_utf8_lossy(&rest[..end.min(20)]);
        return Err(format!(
            "has version {} of the checkpoint format; this program reads version {CHECKPOINT_VERSION}",
            version.escape_debug()
        ));
    }
    Ok(CHECKPOINT_MAGIC.len() + end + 1)
}

/// Reads the head from the front of `input`, or returns the words that follow the name of the file in an error message.
pub(super) fn read_head(input: &mut &[u8]) -> Result<Head, String> {
    let defect = "holds no complete head";
    let (len, rest) = input.split_first_chunk().ok_or(defect)?;
    let len = usize::try_from(u64::from_le_bytes(*len)).map_err(|_| defect)?;
    let (head, rest) = rest.split_at_checked(len).ok_or(defect)?;
    *input = rest;
    serde_json::from_slice(head).map_err(|error| {
        let reason = one_line(error.to_string());
        format!("holds a head that cannot be read: {reason}")
    })
}
