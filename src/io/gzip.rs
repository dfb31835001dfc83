//! Files that are compressed with gzip, in any format that one file holds.

use std::{
    io::{self, BufRead, BufReader, Cursor, Read, Write},
    path::Path,
};

use flate2::{Compression, bufread::MultiGzDecoder, write::GzEncoder};

use super::{expansion::Expansion, format::is_compressed};

/// First bytes of a file (RFC 1952, section 2.3.1).
const MAGIC: [u8; 2] = [0x1f, 0x8b];

/// Returns the content of an input, decompressed if it begins like a file of gzip.
///
/// # Errors
/// When `input` fails. Damaged content, and content that expands too much, are errors of the reader that is returned.
pub(super) fn decompressed<'a>(mut input: impl BufRead + 'a) -> io::Result<Box<dyn BufRead + 'a>> {
    let mut first = Vec::new();
    input.by_ref().take(2).read_to_end(&mut first)?;
    let is_compressed = first == MAGIC;
    let input = Cursor::new(first).chain(input);
    if !is_compressed {
        return Ok(Box::new(input));
    }
    let counted = Counted { input, count: 0 };
    Ok(Box::new(BufReader::new(Limited {
        decoder: MultiGzDecoder::new(counted),
        expanded: 0,
    })))
}

/// Writes to a file of this name, compressed if the name says so. Several such contents in one file are one content.
pub(super) fn write_as(
    path: &Path,
    out: &mut dyn Write,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    if !is_compressed(path) {
        return write(out);
    }
    let mut encoder = GzEncoder::new(out, Compression::default());
    write(&mut encoder)?;
    encoder.finish().map(drop)
}

/// An input that counts the bytes that were taken from it.
struct Counted<R> {
    input: R,
    count: usize,
}

impl<R: BufRead> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.input.read(buffer)?;
        self.count += count;
        Ok(count)
    }
}

impl<R: BufRead> BufRead for Counted<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.input.fill_buf()
    }

    fn consume(&mut self, count: usize) {
        self.count += count;
        self.input.consume(count);
    }
}

/// A decompressor whose output has a limit, in proportion to its input.
struct Limited<R> {
    decoder: MultiGzDecoder<Counted<R>>,
    expanded: u64,
}

impl<R: BufRead> Read for Limited<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.decoder.read(buffer)?;
        self.expanded += count as u64;
        let limit = Expansion::of_file(self.decoder.get_ref().count);
        (limit.spend(self.expanded)).map_err(|error| io::Error::other(error.to_string()))?;
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_reads_back_and_joins() {
        let mut file = Vec::new();
        for part in ["one ", "two"] {
            write_as(Path::new("a.gz"), &mut file, |out| {
                out.write_all(part.as_bytes())
            })
            .unwrap();
        }
        let mut text = String::new();
        let mut input = decompressed(&*file).unwrap();
        input.read_to_string(&mut text).unwrap();
        assert_eq!(text, "one two");
        // Damage is an error, and not the end of the content.
        let mut input = decompressed(&file[..file.len() - 3]).unwrap();
        assert!(input.read_to_string(&mut text).is_err());
        // Other content is left as it is, however short.
        for content in ["", "x", "x,y,z"] {
            let mut text = String::new();
            let mut input = decompressed(content.as_bytes()).unwrap();
            input.read_to_string(&mut text).unwrap();
            assert_eq!(text, content);
        }
    }
}
