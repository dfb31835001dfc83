//! Checkpoints that several ranks write and read together. The files have the bytes of those of one process, except that ranks may mark
//! more spheres for a visit.

use std::{
    fs::File,
    io::{self, BufRead, BufReader, Read, Seek, SeekFrom},
    path::Path,
};

use flate2::CrcReader;

use super::{
    checkpoint_columns::{lengths, read_columns, write_columns},
    checkpoint_head::{CUT_OFF, beginning, first_line, read_head},
    constants::{CHECKPOINT_END, LONGEST_FIRST_LINE, WRITE_BUFFER},
    error::{CHANGED, CheckpointError, OTHER_LENGTHS, WriteError, in_file},
    on_ranks::{SharedFile, agreed},
    packed::{read_column, skip_block, write_column},
    staged::StagedFile,
};
use crate::{
    machine::ranks::Ranks,
    rearrange::{BLOCK, Checkpoint, Shares},
};

/// Writes the parts of several ranks.
pub(super) fn write_parts(checkpoint: &Checkpoint, path: &Path) -> Result<(), WriteError> {
    let ranks = &checkpoint.ranks;
    let file = SharedFile::create(path, ranks)?;
    let pieces = agreed(ranks, in_file(path, pieces(checkpoint)))?;
    let written = file.write_at(ranks, |file| {
        let mut pieces = pieces.iter();
        pieces.try_for_each(|(offset, bytes)| file.write_at(*offset, bytes))
    });
    agreed(ranks, written)?;
    let published = file.staged.map(StagedFile::publish).transpose();
    agreed(ranks, published).map(drop)
}

/// Returns the parts of a file that one rank writes, with their offsets.
fn pieces(checkpoint: &Checkpoint) -> io::Result<Vec<(u64, Vec<u8>)>> {
    let ranks = &checkpoint.ranks;
    let mut columns = Vec::new();
    let packed = write_columns(checkpoint, |numbers| {
        let mut column = Vec::new();
        write_column(&mut column, numbers)?;
        columns.push(column);
        Ok(())
    });
    // The head of the first rank counts.
    let head = beginning(checkpoint);
    let head_length = head.as_ref().map_or(0, Vec::len) as u64;
    let head_length = ranks.gather(vec![head_length])[0];
    let sums: Vec<[u64; 2]> = columns
        .iter()
        .map(|column| [column.len() as u64, crc32fast::hash(column).into()])
        .collect();
    let of_all = ranks.gather(&sums[..]);
    packed?;
    let (rank, width) = (ranks.rank(), columns.len());
    let mut checksum = crc32fast::Hasher::new();
    checksum.update(head.as_deref().unwrap_or_default());
    let mut offset = head_length;
    let mut pieces = Vec::new();
    for (k, mut column) in columns.into_iter().enumerate() {
        for (other, sums) in of_all.chunks_exact(width).enumerate() {
            let [length, sum] = sums[k];
            if other == rank {
                pieces.push((offset, std::mem::take(&mut column)));
            }
            checksum.combine(&crc32fast::Hasher::new_with_initial_len(sum as u32, length));
            offset += length;
        }
    }
    if rank == 0 {
        pieces.insert(0, (0, head?));
        let end = [&checksum.finalize().to_le_bytes(), CHECKPOINT_END].concat();
        pieces.push((offset, end));
    }
    Ok(pieces)
}

/// Reads the part of this rank.
pub(super) fn read_part(path: &Path, ranks: Ranks) -> Result<Checkpoint, CheckpointError> {
    let count = ranks.ranks();
    let index = ranks.is_first().then(|| Index::new(path, count));
    let index = ranks.agreed(index.transpose(), CheckpointError::content);
    let index = index?.unwrap_or_default();
    // The other ranks receive the head and the offsets from the first one.
    let bytes = ranks.all_gather(&index.head).swap_remove(0);
    let head = read_head(&mut &bytes[..]).map_err(|what| CheckpointError::of_file(path, &what))?;
    let offsets = ranks.gather(index.offsets);

    let file = File::open(path).map_err(|source| CheckpointError::io(path, source));
    let mut file = ranks.agreed(file, CheckpointError::content)?;
    let mut ends = offsets.chunks_exact(count + 1);
    let columns = read_columns(&head, &ranks, |len| {
        let ends = &ends.next()?[ranks.rank()..];
        let mut bytes = vec![0; (ends[1] - ends[0]) as usize];
        file.seek(SeekFrom::Start(ends[0])).ok()?;
        file.read_exact(&mut bytes).ok()?;
        let own = Shares { len, ranks: count }.of_rank(ranks.rank());
        read_column(&mut bytes.as_slice(), own.len())
    });
    let columns = columns.ok_or_else(|| CheckpointError::of_file(path, OTHER_LENGTHS));
    let columns = ranks.agreed(columns, CheckpointError::content)?;
    Ok(Checkpoint {
        output: head.output,
        interval: head.interval,
        ..Checkpoint::new(head.run, columns, ranks)
    })
}

/// The parts of a checkpoint of which the first rank tells the others.
#[derive(Default)]
struct Index {
    /// The head with its length.
    head: Vec<u8>,
    /// For each column, the offsets where the parts of the ranks begin, and that where the last part ends.
    offsets: Vec<u64>,
}

impl Index {
    /// Reads a whole file, of which only a buffer is in memory.
    fn new(path: &Path, ranks: usize) -> Result<Self, CheckpointError> {
        let failed = |source| CheckpointError::io(path, source);
        let defect = |what: &str| CheckpointError::of_file(path, what);
        let file = File::open(path).map_err(failed)?;
        let length = file.metadata().map_err(failed)?.len();
        let mut file = BufReader::with_capacity(WRITE_BUFFER, file);
        let mut line = Vec::new();
        let beginning = (&mut file).take(LONGEST_FIRST_LINE);
        BufReader::new(beginning)
            .read_until(b'\n', &mut line)
            .map_err(failed)?;
        let first_line = first_line(&line).map_err(|what| defect(&what))? as u64;
        let end = (length.checked_sub(CHECKPOINT_END.len() as u64 + 4))
            .filter(|&end| end >= first_line)
            .ok_or_else(|| defect(CUT_OFF))?;
        check_end(&mut file, end)
            .map_err(failed)?
            .map_or(Ok(()), |what| Err(defect(what)))?;

        file.seek(SeekFrom::Start(first_line)).map_err(failed)?;
        let mut head = vec![0; 8];
        file.read_exact(&mut head).map_err(failed)?;
        let head_length = u64::from_le_bytes(head[..].try_into().unwrap_or_default());
        (&mut file)
            .take(head_length)
            .read_to_end(&mut head)
            .map_err(failed)?;
        let counts = read_head(&mut &head[..]).map_err(|what| defect(&what))?;
        let offsets = offsets(&mut file, &lengths(&counts), ranks);
        let offsets = offsets.ok().filter(|offsets| offsets.last() == Some(&end));
        let offsets = offsets.ok_or_else(|| defect(OTHER_LENGTHS))?;
        Ok(Self { head, offsets })
    }
}

/// Checks the checksum and the last line, which begin at an offset. Returns the defect, if there is one.
fn check_end(file: &mut BufReader<File>, end: u64) -> io::Result<Option<&'static str>> {
    file.seek(SeekFrom::Start(0))?;
    let mut content = CrcReader::new(file.take(end));
    io::copy(&mut content, &mut io::sink())?;
    let checksum = content.crc().sum();
    let mut last = Vec::new();
    file.read_to_end(&mut last)?;
    Ok(match last.strip_suffix(CHECKPOINT_END) {
        None => Some(CUT_OFF),
        Some(sum) if sum != checksum.to_le_bytes() => Some(CHANGED),
        Some(_) => None,
    })
}

/// Returns the offsets of the parts of all columns.
fn offsets(file: &mut BufReader<File>, lengths: &[usize], ranks: usize) -> io::Result<Vec<u64>> {
    let mut offsets = Vec::new();
    for &len in lengths {
        let shares = Shares { len, ranks };
        for rank in 0..ranks {
            offsets.push(file.stream_position()?);
            let blocks = shares.of_rank(rank).len().div_ceil(BLOCK);
            for _ in 0..blocks {
                skip_block(file)?;
            }
        }
        offsets.push(file.stream_position()?);
    }
    Ok(offsets)
}
