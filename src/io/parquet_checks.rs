//! The head and the pages of a Parquet file, before its crate reads them: the crate allocates memory for the numbers that they state.

use std::io;

use bytes::Bytes;
use flate2::read::MultiGzDecoder;
use parquet::{
    arrow::ProjectionMask,
    basic::Compression,
    file::{
        metadata::{ColumnChunkMetaData, ParquetMetaData},
        reader::ChunkReader,
    },
};

use super::{
    columns::damaged,
    constants::{FREE_ROWS, MOST_ROWS_PER_BYTE},
    error::ReadError,
    expansion::Expansion,
};

/// Deepest nesting of the structures in the head of a page: statistics are the third level.
const DEEPEST: u8 = 8;

/// Refuses a file one of whose columns claims more parts than there are. The crate rejects a file without a head.
pub(super) fn check_head(file: &impl ChunkReader) -> Result<(), ReadError> {
    let states_too_many = head(file).is_some_and(|head| Thrift { rest: &head }.columns().is_none());
    if states_too_many {
        return Err(damaged(&"the list of its columns is damaged"));
    }
    Ok(())
}

/// Returns the bytes of the head, which is at the end of a file, before its length and four letters; `None` if there is none.
fn head(file: &impl ChunkReader) -> Option<Bytes> {
    let end = file.len().checked_sub(8)?;
    let tail = file.get_bytes(end, 8).ok()?;
    let length = u32::from_le_bytes(tail.strip_suffix(b"PAR1")?.try_into().ok()?);
    let start = end.checked_sub(length.into())?;
    file.get_bytes(start, length as usize).ok()
}

/// Refuses a file whose columns claim more than the file can hold.
pub(super) fn check_pages(
    bytes: &[u8],
    metadata: &ParquetMetaData,
    columns: &ProjectionMask,
) -> Result<(), ReadError> {
    let most = (bytes.len() as u64)
        .saturating_mul(MOST_ROWS_PER_BYTE)
        .saturating_add(FREE_ROWS);
    let expansion = Expansion::of_file(bytes.len());
    let mut rows = 0;
    for group in metadata.row_groups() {
        rows = more(rows, group.num_rows(), most)?;
        let chunks = group.columns().iter().enumerate();
        for (_, chunk) in chunks.filter(|&(leaf, _)| columns.leaf_included(leaf)) {
            check_chunk(bytes, chunk, most, &expansion)?;
        }
    }
    Ok(())
}

/// Adds numbers of rows or values, of which a file has at most `most`.
fn more(sum: u64, count: i64, most: u64) -> Result<u64, ReadError> {
    let sum = u64::try_from(count)
        .ok()
        .and_then(|count| sum.checked_add(count));
    sum.filter(|&sum| sum <= most).ok_or_else(|| {
        let what = format!(
            "the file states {count} rows, and at most {most} are read from a file of its size; write the file without compression \
             and dictionaries"
        );
        ReadError::content(what)
    })
}

fn check_chunk(
    bytes: &[u8],
    chunk: &ColumnChunkMetaData,
    most: u64,
    expansion: &Expansion,
) -> Result<(), ReadError> {
    let damaged = || {
        let column = chunk.column_path().string();
        damaged(&format_args!(
            "the pages of the column {column} are damaged"
        ))
    };
    let start = chunk
        .dictionary_page_offset()
        .unwrap_or(chunk.data_page_offset());
    let pages = usize::try_from(start)
        .ok()
        .zip(usize::try_from(chunk.compressed_size()).ok())
        .and_then(|(start, size)| bytes.get(start..start.checked_add(size)?));
    let mut rest = pages.ok_or_else(damaged)?;
    let mut values = 0;
    while !rest.is_empty() {
        let mut head = Thrift { rest };
        let page = head.page().ok_or_else(damaged)?;
        let (content, next) = usize::try_from(page.size)
            .ok()
            .and_then(|size| head.rest.split_at_checked(size))
            .ok_or_else(damaged)?;
        let expanded = u64::try_from(page.expanded).map_err(|_| damaged())?;
        if page.is_dictionary {
            // Each number takes some bytes.
            if page.values < 0 || page.values > page.expanded {
                return Err(damaged());
            }
        } else {
            values = more(values, page.values, most)?;
        }
        match chunk.compression() {
            Compression::UNCOMPRESSED => {}
            _ if page.is_stored => {}
            // The crate ignores the stated size.
            Compression::GZIP(_) => {
                let levels = usize::try_from(page.levels).ok();
                let data = levels.and_then(|levels| content.get(levels..));
                let decoder = MultiGzDecoder::new(data.ok_or_else(damaged)?);
                expansion
                    .read(decoder, &mut Vec::new())?
                    .map_err(|_: io::Error| damaged())?;
            }
            _ => expansion.spend(expanded)?,
        }
        rest = next;
    }
    Ok(())
}

/// The head of a page.
#[derive(Default)]
struct Page {
    /// Size in the file, in bytes.
    size: i64,
    /// Size without compression, in bytes.
    expanded: i64,
    values: i64,
    is_dictionary: bool,
    /// Bytes before the compressed data, in version 2.
    levels: i64,
    /// Whether a page of version 2 is stored without the compression of its column.
    is_stored: bool,
}

/// Reads the compact protocol of Thrift.
/// <https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md> describes it, and
/// <https://github.com/apache/parquet-format/blob/master/src/main/thrift/parquet.thrift> the structures `FileMetaData` and `PageHeader`.
struct Thrift<'a> {
    rest: &'a [u8],
}

impl Thrift<'_> {
    /// Reads the head of a page; `None` if it is damaged.
    fn page(&mut self) -> Option<Page> {
        let mut page = Page::default();
        self.structure(|head, field, kind| match (field, kind) {
            (2, 5) => head.integer().map(|size| page.expanded = size),
            (3, 5) => head.integer().map(|size| page.size = size),
            // The heads of data, of a dictionary, and of data in version 2.
            (5 | 7 | 8, 12) => {
                page.is_dictionary = field == 7;
                let is_version_2 = field == 8;
                head.structure(|head, field, kind| match (field, kind) {
                    (1, 5) => head.integer().map(|count| page.values = count),
                    (5 | 6, 5) if is_version_2 => {
                        let length = head.integer()?;
                        page.levels = page.levels.checked_add(length)?;
                        Some(())
                    }
                    // The type of a boolean is its value: 1 for true, 2 for false.
                    (7, 2) if is_version_2 => {
                        page.is_stored = true;
                        Some(())
                    }
                    _ => head.skip(kind, 1),
                })
            }
            _ => head.skip(kind, 1),
        })?;
        Some(page)
    }

    /// Reads the list of columns in the head of a file; `None` if it is damaged, or if a column has more parts than the list.
    fn columns(&mut self) -> Option<()> {
        let mut columns = None;
        let end = self.structure(|head, field, kind| match (field, kind) {
            // The rest of the head is not read.
            (2, 9) => {
                columns = head.list();
                None
            }
            _ => head.skip(kind, 1),
        });
        columns.or(end)
    }

    /// Reads the columns behind their number.
    fn list(&mut self) -> Option<()> {
        let first = self.byte()?;
        let count = match first >> 4 {
            15 => self.number()?,
            count => count.into(),
        };
        (0..count).try_for_each(|_| {
            self.structure(|column, field, kind| match (field, kind) {
                (5, 5) => {
                    let parts = u64::try_from(column.integer()?).ok()?;
                    (parts <= count).then_some(())
                }
                // The crate reads these fields without a look at their types.
                (1..=3 | 6..=9, 5) | (4, 8) | (10, 12) | (11.., _) => column.skip(kind, 1),
                _ => None,
            })
        })
    }

    /// Calls `read` with the number and the type of each field of a structure.
    fn structure(&mut self, mut read: impl FnMut(&mut Self, i64, u8) -> Option<()>) -> Option<()> {
        let mut field = 0_i64;
        loop {
            let byte = self.byte()?;
            if byte == 0 {
                return Some(());
            }
            field = match byte >> 4 {
                0 => self.integer()?,
                step => field.checked_add(i64::from(step))?,
            };
            read(self, field, byte & 15)?;
        }
    }

    /// Skips a value. Booleans have no bytes in a structure.
    fn skip(&mut self, kind: u8, depth: u8) -> Option<()> {
        match kind {
            1 | 2 => Some(()),
            3 => self.byte().map(|_| ()),
            4..=6 => self.number().map(|_| ()),
            7 => self.bytes(8),
            8 => {
                let length = self.number()?;
                self.bytes(length)
            }
            12 if depth < DEEPEST => self.structure(|inner, _, kind| inner.skip(kind, depth + 1)),
            _ => None,
        }
    }

    fn byte(&mut self) -> Option<u8> {
        let (&first, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(first)
    }

    fn bytes(&mut self, count: u64) -> Option<()> {
        self.rest = self.rest.get(usize::try_from(count).ok()?..)?;
        Some(())
    }

    /// Reads a whole number of seven bits in each byte, the lowest first.
    fn number(&mut self) -> Option<u64> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 127) << shift;
            if byte < 128 {
                return Some(number);
            }
        }
        None
    }

    /// Reads a whole number whose lowest bit is its sign.
    fn integer(&mut self) -> Option<i64> {
        let number = self.number()?;
        Some((number >> 1) as i64 ^ -((number & 1) as i64))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_column_has_at_most_as_many_parts_as_there_are_columns() {
        for damaged in [
            &include_bytes!("../../tests/fuzz/corpus/parquet/number-of-children")[..],
            include_bytes!("../../tests/fuzz/corpus/parquet/other-types-of-fields"),
        ] {
            let error = check_head(&Bytes::from_static(damaged)).unwrap_err();
            let error = error.to_string();
            assert!(
                error.contains("the list of its columns is damaged"),
                "{error}"
            );
        }
        // No other number of a head decides.
        for accepted in [&b"PAR1"[..], b"", b"\x15\x02\x00\x03\0\0\0PAR1"] {
            assert!(check_head(&Bytes::copy_from_slice(accepted)).is_ok());
        }
    }
}
