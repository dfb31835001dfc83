//! The choice of a format by the first lines of a file, where its extension does not decide.

use std::{
    fs::File,
    io::{BufReader, Read},
    path::Path,
};

use super::{error::ReadError, format::Format, gzip};

/// Number of bytes of a file that are looked at: the head of a LAMMPS data file has less than 30 lines.
const HEAD: u64 = 4096;

/// Returns the format of a file that exists. The first lines decide if the extension leaves a choice.
///
/// # Errors
/// When neither the extension nor the first lines name a format that can be read.
pub(super) fn format_of(path: &Path) -> Result<Format, ReadError> {
    let by_name = Format::to_read(path);
    if matches!(&by_name, Ok(format) if !format.shares_extension(path)) || path.is_dir() {
        return Ok(by_name?);
    }
    // The message about the extension says more than one about a missing file.
    let head = head(path).unwrap_or_default();
    match (recognized(&head), by_name) {
        (Some(format), _) => Ok(format),
        (None, Ok(format)) => Ok(format),
        (None, Err(error)) => by_width(&head).ok_or_else(|| error.into()),
    }
}

/// Returns the first lines of a file. What is read of a pipe would be lost.
fn head(path: &Path) -> Option<String> {
    if !path.is_file() {
        return None;
    }
    let input = gzip::decompressed(BufReader::new(File::open(path).ok()?)).ok()?;
    let mut bytes = Vec::new();
    input.take(HEAD).read_to_end(&mut bytes).ok()?;
    let complete = bytes.len() < HEAD as usize;
    let text = String::from_utf8_lossy(&bytes);
    // The last line may be cut off.
    let lines = if complete {
        &*text
    } else {
        text.rsplit_once('\n').map_or("", |(lines, _)| lines)
    };
    Some(lines.to_owned())
}

/// Returns the lines that are not empty.
fn lines(head: &str) -> impl Iterator<Item = &str> {
    head.lines().map(str::trim).filter(|line| !line.is_empty())
}

/// Returns the format whose mark is in the first lines.
fn recognized(head: &str) -> Option<Format> {
    let first = lines(head).next()?;
    let widths: Vec<Option<usize>> = lines(head).take(2).map(count_of_numbers).collect();
    let begins = |beginnings: &[&str]| {
        lines(head).any(|line| {
            beginnings
                .iter()
                .any(|beginning| line.starts_with(beginning))
        })
    };
    Some(match (first, widths.as_slice()) {
        _ if first.starts_with("ITEM:") => Format::LammpsDump,
        _ if first.starts_with("# vtk DataFile") => Format::Vtk,
        _ if first.starts_with("LSMGeometry") => Format::GenGeo,
        _ if first.contains(';') && first.contains("p_x") => Format::Lethe,
        _ if lines(head).any(|line| line.ends_with("xlo xhi")) => Format::LammpsData,
        _ if begins(&["ball create", "model domain", "domain extent"]) => Format::Pfc,
        _ if lines(head).any(is_particle_of_musen) => Format::Musen,
        (_, [Some(8), Some(14)] | [Some(6), Some(8)]) => Format::Mercury,
        (_, [Some(1), Some(9)]) => Format::MfixExa,
        _ => return None,
    })
}

/// Returns the format of rows of numbers, for an extension that several formats of rows share.
fn by_width(head: &str) -> Option<Format> {
    if head.starts_with("Version") {
        return Some(Format::Mfix);
    }
    let mut rows = lines(head).filter(|line| !line.starts_with('#'));
    match count_of_numbers(rows.next()?)? {
        3 | 4 => Some(Format::Yade),
        8 => Some(Format::Mfix),
        _ => None,
    }
}

/// Returns the number of the numbers in a line; `None` if it holds anything else.
fn count_of_numbers(line: &str) -> Option<usize> {
    let words = line.split_ascii_whitespace();
    let is_number = |word: &str| word.parse::<f64>().is_ok();
    words.clone().all(is_number).then(|| words.count())
}

/// Returns whether a line begins like an object of MUSEN: `0 id 1 type 5`.
fn is_particle_of_musen(line: &str) -> bool {
    let words: Vec<&str> = line.split_ascii_whitespace().take(5).collect();
    matches!(words[..], ["0", _, "1", _, "5"])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_recognized_by_their_first_lines() {
        for (head, expected) in [
            ("ITEM: TIMESTEP\n0\n", Some(Format::LammpsDump)),
            ("# vtk DataFile Version 3.0\nx\nASCII\n", Some(Format::Vtk)),
            ("title\n\n2 atoms\n0 10 xlo xhi\n", Some(Format::LammpsData)),
            ("p_x; p_y; p_z; diameters;\n", Some(Format::Lethe)),
            ("; by hand\nball create id 1\n", Some(Format::Pfc)),
            ("0 0 1 1 5 0.1 0.1 23 A 2 0 12 1 2 3\n", Some(Format::Musen)),
            (
                "1 0 0 0 0 1 1 1\n1 1 1 0 0 0 1 0 0 0 0 0 0 0\n",
                Some(Format::Mercury),
            ),
            ("2\n1 1 1 1 0.5 2650 0 0 0\n", Some(Format::MfixExa)),
            // A table of eight columns needs the right extension.
            ("1 1 1 0.5 2650 0 0 0\n2 1 1 0.5 2650 0 0 0\n", None),
            ("1 1 1 0.5\n", None),
            ("", None),
        ] {
            assert_eq!(recognized(head), expected, "{head}");
        }
        assert_eq!(by_width("1 1 1 0.5 2650 0 0 0\n"), Some(Format::Mfix));
        assert_eq!(by_width("# x y z r\n1 1 1 0.5\n"), Some(Format::Yade));
        assert_eq!(by_width("1 1\n"), None);
    }
}
