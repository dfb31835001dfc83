//! STL files, ASCII and binary.
//!
//! The crates that read STL report faults without their positions, and one of them allocates as much memory as the header
//! announces.

use glam::DVec3;

use super::{
    soup::{MeshFault, Soup, not_utf8, point},
    words::Words,
};

/// Bytes of the header of a binary file: a comment.
const COMMENT: usize = 80;

/// Bytes of the header of a binary file: the comment, and the number of triangles.
const HEADER: usize = COMMENT + 4;

/// Bytes of a triangle of a binary file: a normal, three corners, and two bytes without a meaning.
const TRIANGLE: usize = 50;

/// Reads the triangles of an STL file. Normals are ignored: the order of the corners states the outside.
pub(super) fn parse(bytes: &[u8]) -> Result<Soup, MeshFault> {
    if let Some(count) = announced(bytes)
        && bytes.len() as u64 == HEADER as u64 + TRIANGLE as u64 * u64::from(count)
    {
        return parse_binary(&bytes[HEADER..]);
    }
    let start = bytes.trim_ascii_start();
    let is_text = start.len() >= 5 && start[..5].eq_ignore_ascii_case(b"solid");
    match std::str::from_utf8(bytes) {
        Ok(text) if is_text => parse_text(text),
        Err(error) if is_text && announced(bytes).is_none() => Err(not_utf8(error, "ASCII STL")),
        _ => Err(wrong_length(bytes)),
    }
}

/// Returns the number of triangles that the header of a binary file announces.
fn announced(bytes: &[u8]) -> Option<u32> {
    let count = bytes.get(COMMENT..HEADER)?;
    Some(u32::from_le_bytes(count.try_into().ok()?))
}

fn wrong_length(bytes: &[u8]) -> MeshFault {
    match announced(bytes) {
        None => MeshFault::File(format!(
            "the file has {} bytes; an STL file starts with 'solid' or has at least {HEADER} bytes",
            bytes.len()
        )),
        Some(count) => MeshFault::Byte {
            byte: COMMENT,
            fault: format!(
                "the header announces {count} triangles, which take {} bytes, but the file has {}",
                HEADER as u64 + TRIANGLE as u64 * u64::from(count),
                bytes.len()
            ),
        },
    }
}

fn parse_binary(bytes: &[u8]) -> Result<Soup, MeshFault> {
    let mut soup = Soup::default();
    for (k, triangle) in bytes.chunks_exact(TRIANGLE).enumerate() {
        let (numbers, _) = triangle[12..].as_chunks::<4>();
        let corners: [DVec3; 3] = std::array::from_fn(|corner| {
            let number = |axis: usize| f64::from(f32::from_le_bytes(numbers[3 * corner + axis]));
            DVec3::new(number(0), number(1), number(2))
        });
        if let Some(corner) = corners.iter().position(|corner| !corner.is_finite()) {
            let byte = HEADER + TRIANGLE * k + 12 + 12 * corner;
            let (number, at) = (k + 1, corners[corner]);
            let fault = format!(
                "a corner of triangle {number} is {at}; its coordinates must be finite numbers"
            );
            return Err(MeshFault::Byte { byte, fault });
        }
        soup.add(corners);
    }
    Ok(soup)
}

fn parse_text(text: &str) -> Result<Soup, MeshFault> {
    let mut soup = Soup::default();
    let mut words = Words::new(text);
    // A file may hold several solids.
    while let Some(word) = words.next() {
        if !word.eq_ignore_ascii_case("solid") {
            return Err(words.unexpected(Some(word), "solid"));
        }
        words.skip_line();
        loop {
            match words.next() {
                Some(word) if word.eq_ignore_ascii_case("facet") => {
                    soup.add(facet(&mut words)?);
                }
                Some(word) if word.eq_ignore_ascii_case("endsolid") => break,
                found => return Err(words.unexpected(found, "facet' or 'endsolid")),
            }
        }
        words.skip_line();
    }
    Ok(soup)
}

/// Reads a triangle after the word `facet`.
fn facet(words: &mut Words) -> Result<[DVec3; 3], MeshFault> {
    words.expect("normal")?;
    for _ in 0..3 {
        // Some programs write normals that are no numbers.
        words.next();
    }
    words.expect("outer")?;
    words.expect("loop")?;
    let mut corners = [DVec3::ZERO; 3];
    for corner in &mut corners {
        words.expect("vertex")?;
        *corner = point(|| (words.next(), words.line))?;
    }
    words.expect("endloop")?;
    words.expect("endfacet")?;
    Ok(corners)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(bytes: &[u8]) -> String {
        parse(bytes).unwrap_err().to_string()
    }

    fn binary(triangles: &[[[f32; 3]; 3]]) -> Vec<u8> {
        let mut bytes = vec![b' '; COMMENT];
        bytes.extend((triangles.len() as u32).to_le_bytes());
        for corners in triangles {
            bytes.extend([0; 12]);
            let numbers = corners.as_flattened().iter();
            bytes.extend(numbers.flat_map(|number| number.to_le_bytes()));
            bytes.extend([0; 2]);
        }
        bytes
    }

    const TEXT: &str = "solid a name\n facet normal 0 0 nan\n outer loop\n vertex 0 0 0\n vertex 1 0 0\n\
        \tVERTEX 0 1e0 -0\n endloop\n endfacet\nendsolid a name\n";

    #[test]
    fn both_forms_give_the_same_triangles() {
        let text = parse(TEXT.as_bytes()).unwrap();
        let mut bytes = binary(&[[[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, -0.0]]]);
        assert_eq!(parse(&bytes).unwrap(), text);
        assert_eq!(text.triangles, [[0, 1, 2]]);
        // Many programs start binary files like a text.
        bytes[..6].copy_from_slice(b"solid ");
        assert_eq!(parse(&bytes).unwrap(), text);
        let twice = parse(TEXT.repeat(2).as_bytes()).unwrap();
        assert_eq!(twice.triangles, [[0, 1, 2]; 2]);
        assert_eq!(twice.vertices, text.vertices);
    }

    #[test]
    fn faults_are_found_at_their_lines() {
        for (old, new, message) in [
            (
                "1 0 0",
                "1 x 0",
                "line 5: 'x' instead of a coordinate; it must be a finite number",
            ),
            (
                "1 0 0",
                "1 inf 0",
                "line 5: 'inf' instead of a coordinate; it must be a finite number",
            ),
            (
                "1 0 0",
                "1 0",
                "line 6: 'VERTEX' instead of a coordinate; it must be a finite number",
            ),
            ("endfacet", "", "line 9: 'endsolid' instead of 'endfacet'"),
            (
                "endsolid a name",
                "",
                "line 9: the file ends instead of 'facet' or 'endsolid'",
            ),
            (
                "solid a name\n facet",
                "solid\nfact",
                "line 2: 'fact' instead of 'facet' or 'endsolid'",
            ),
        ] {
            assert_eq!(fault(TEXT.replacen(old, new, 1).as_bytes()), message);
        }
    }

    #[test]
    fn binary_files_have_the_announced_length() {
        let mut bytes = binary(&[[[0.0; 3]; 3]; 2]);
        bytes.pop();
        let message =
            "byte 80: the header announces 2 triangles, which take 184 bytes, but the file has 183";
        assert_eq!(fault(&bytes), message);
        bytes[COMMENT..HEADER].fill(255);
        assert!(fault(&bytes).contains("announces 4294967295 triangles"));
        let nan = binary(&[[[0.0; 3]; 3], [[0.0; 3], [f32::NAN; 3], [0.0; 3]]]);
        assert!(fault(&nan).starts_with("byte 158: a corner of triangle 2 is [NaN, NaN, NaN]"));
        assert!(fault(b"ply").starts_with("the file has 3 bytes"));
    }
}
