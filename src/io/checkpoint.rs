//! Checkpoints as files: `docs/formats.md` describes the format.

use std::{
    fs::File,
    io::{self, Read, Write},
    path::{Path, PathBuf},
    time::Duration,
};

use serde::{Deserialize, Serialize};

use super::{
    constants::{CHECKPOINT_END, CHECKPOINT_MAGIC, CHECKPOINT_VERSION},
    error::WriteError,
    packed::{read_column, write_column},
    staged::write_atomically,
};
use crate::{
    container::frame::{Point, Steps},
    names::one_line,
    rearrange::{Account, Checkpoint, Columns},
};

/// A file that cannot be read as a checkpoint.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CheckpointError {
    /// The operating system reports an error.
    #[error("cannot read '{}': {source}", .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },
    /// The content is no checkpoint.
    #[error("{what}")]
    Content {
        /// The defect, and what would be accepted.
        what: String,
    },
}

/// The first part of a checkpoint after the version, as JSON.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Head {
    /// Number of radii.
    spheres: usize,
    /// Number of spheres in the container.
    present: usize,
    has_shortlists: bool,
    has_activity: bool,
    files: Vec<PathBuf>,
    interval: Option<Duration>,
    run: Account,
}

/// Writes a checkpoint completely, or leaves an older file of that name as it is.
///
/// Cost: about 45 bytes per sphere on the disk, and 4 bytes per sphere of memory.
///
/// # Errors
/// When the file cannot be written.
pub fn write_checkpoint(checkpoint: &Checkpoint, path: impl AsRef<Path>) -> Result<(), WriteError> {
    write_atomically(path, |out| write(checkpoint, out))
}

/// Reads a checkpoint from a file.
///
/// # Errors
/// When the file cannot be read, is no checkpoint, was written by a newer version, is cut off or was changed.
pub fn read_checkpoint(path: impl AsRef<Path>) -> Result<Checkpoint, CheckpointError> {
    let path = path.as_ref();
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
    let bytes = load().map_err(|source| CheckpointError::Io {
        path: path.to_owned(),
        source,
    })?;
    read(&bytes).map_err(|what| CheckpointError::Content {
        what: format!("'{}' {what}", path.display()),
    })
}

/// Reads a checkpoint from bytes in memory, like [`read_checkpoint`].
///
/// # Errors
/// When the bytes are no checkpoint, were written by a newer version, are cut off or were changed.
pub fn read_checkpoint_from(bytes: &[u8]) -> Result<Checkpoint, CheckpointError> {
    read(bytes).map_err(|what| CheckpointError::Content {
        what: format!("the input {what}"),
    })
}

fn write(checkpoint: &Checkpoint, out: &mut dyn Write) -> io::Result<()> {
    let Checkpoint {
        files,
        interval,
        account,
        columns,
    } = checkpoint;
    let head = serde_json::to_vec(&Head {
        spheres: columns.radii.len(),
        present: columns.original.len(),
        has_shortlists: !columns.inner.is_empty(),
        has_activity: !columns.active.is_empty(),
        files: files.clone(),
        interval: *interval,
        run: account.clone(),
    })?;
    let mut out = Checksummed {
        out,
        checksum: crc32fast::Hasher::new(),
    };
    out.write_all(CHECKPOINT_MAGIC)?;
    writeln!(out, "{CHECKPOINT_VERSION}")?;
    out.write_all(&(head.len() as u64).to_le_bytes())?;
    out.write_all(&head)?;
    write_columns(columns, &mut out)?;
    let Checksummed { out, checksum } = out;
    out.write_all(&checksum.finalize().to_le_bytes())?;
    out.write_all(CHECKPOINT_END)
}

fn write_columns(columns: &Columns, out: &mut dyn Write) -> io::Result<()> {
    let Columns {
        radii,
        original,
        at,
        age,
        outer,
        inner,
        active,
    } = columns;
    write_column(out, radii.iter().map(|r| (r.to_bits() >> 32) as i32))?;
    write_column(out, radii.iter().map(|r| r.to_bits() as i32))?;
    write_column(out, original.iter().map(|&number| number as i32))?;
    for axis in 0..3 {
        let mut before = 0;
        let steps = at.iter().map(|at| at[axis]);
        let differences = steps.map(|step| step.wrapping_sub(std::mem::replace(&mut before, step)));
        write_column(out, differences)?;
    }
    write_column(out, age.iter().map(|&age| age as i32))?;
    let sphere_radii: Vec<i32> = original
        .iter()
        .map(|&k| single(radii[k as usize]))
        .collect();
    for inflated in [outer, inner] {
        for axis in 0..3 {
            let pairs = inflated.iter().zip(at);
            write_column(
                out,
                pairs.map(|(inflated, at)| inflated.at[axis].wrapping_sub(at[axis])),
            )?;
        }
        let pairs = inflated.iter().zip(&sphere_radii);
        let bits = |inflated: &Point| inflated.radius.to_bits() as i32;
        write_column(
            out,
            pairs.map(|(inflated, &radius)| bits(inflated).wrapping_sub(radius)),
        )?;
    }
    write_column(out, active.iter().map(|&active| active.into()))
}

/// Returns the bits of a radius in single precision. Those of inflated radii are close to them.
fn single(radius: f64) -> i32 {
    (radius as f32).to_bits() as i32
}

/// Returns the checkpoint, or the words that follow the name of the file in an error message.
fn read(bytes: &[u8]) -> Result<Checkpoint, String> {
    let Some(rest) = bytes.strip_prefix(CHECKPOINT_MAGIC) else {
        return Err("is no checkpoint of jostle, which begins with 'jostle-checkpoint'".to_owned());
    };
    let cut_off = || "is cut off; a complete checkpoint is expected".to_owned();
    let end = rest
        .iter()
        .position(|&byte| byte == b'\n')
        .ok_or_else(cut_off)?;
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
    let content = bytes.strip_suffix(CHECKPOINT_END).ok_or_else(cut_off)?;
    let (content, checksum) = content.split_last_chunk().ok_or_else(cut_off)?;
    if crc32fast::hash(content) != u32::from_le_bytes(*checksum) {
        return Err("was changed after it was written: its checksum is wrong".to_owned());
    }
    let mut rest = content
        .get(CHECKPOINT_MAGIC.len() + end + 1..)
        .ok_or_else(cut_off)?;
    let head = read_head(&mut rest)?;
    let columns = read_columns(&mut rest, &head)
        .filter(|_| rest.is_empty())
        .ok_or("holds columns of other lengths than its head tells")?;
    Ok(Checkpoint {
        files: head.files,
        interval: head.interval,
        account: head.run,
        columns,
    })
}

fn read_head(input: &mut &[u8]) -> Result<Head, String> {
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

fn read_columns(input: &mut &[u8], head: &Head) -> Option<Columns> {
    let &Head {
        spheres, present, ..
    } = head;
    let high = read_column(input, spheres)?;
    let low = read_column(input, spheres)?;
    let bits = high.into_iter().zip(low);
    let radii: Vec<f64> = bits
        .map(|(high, low)| f64::from_bits(u64::from(high as u32) << 32 | u64::from(low as u32)))
        .collect();
    let original: Vec<u32> = read_column(input, present)?
        .into_iter()
        .map(|k| k as u32)
        .collect();
    let steps = [(); 3].map(|()| {
        let mut at = 0i32;
        let differences = read_column(input, present)?;
        let sums = differences.into_iter().map(|difference| {
            at = at.wrapping_add(difference);
            at
        });
        Some(sums.collect::<Vec<i32>>())
    });
    let at = rows(steps)?;
    let age = read_column(input, present)?
        .into_iter()
        .map(|age| age as u32)
        .collect();
    let sphere_radii: Option<Vec<i32>> = original
        .iter()
        .map(|&k| radii.get(k as usize).map(|&r| single(r)))
        .collect();
    let sphere_radii = sphere_radii?;
    let mut inflated = |count: usize| -> Option<Vec<Point>> {
        let offsets = rows([(); 3].map(|()| read_column(input, count)))?;
        let radii = read_column(input, count)?.into_iter().zip(&sphere_radii);
        let points = offsets.into_iter().zip(radii).zip(&at);
        let point = |((offset, (bits, radius)), at): ((Steps, (i32, &i32)), &Steps)| Point {
            at: std::array::from_fn(|axis| at[axis].wrapping_add(offset[axis])),
            radius: f32::from_bits(bits.wrapping_add(*radius) as u32),
        };
        Some(points.map(point).collect())
    };
    let outer = inflated(present)?;
    let inner = inflated(if head.has_shortlists { present } else { 0 })?;
    let activity = read_column(input, if head.has_activity { present } else { 0 })?;
    Some(Columns {
        radii,
        original,
        at,
        age,
        outer,
        inner,
        active: activity.into_iter().map(|active| active != 0).collect(),
    })
}

/// Returns the rows of three columns of equal length.
fn rows(columns: [Option<Vec<i32>>; 3]) -> Option<Vec<Steps>> {
    let [x, y, z] = columns;
    let rows = x?.into_iter().zip(y?).zip(z?);
    Some(rows.map(|((x, y), z)| [x, y, z]).collect())
}

/// A writer that computes the checksum of everything that passes.
struct Checksummed<'a> {
    out: &'a mut dyn Write,
    checksum: crc32fast::Hasher,
}

impl Write for Checksummed<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes)?;
        self.checksum.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
