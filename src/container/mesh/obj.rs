//! Wavefront OBJ files.
//!
//! The crates that read OBJ report faults without their lines.

use glam::DVec3;

use super::soup::{MeshFault, Soup, coordinate, shown};

/// Keywords that say nothing about the surface.
const IGNORED: [&str; 12] = [
    "vn", "vt", "vp", "g", "o", "s", "mg", "usemtl", "mtllib", "l", "p", "usemap",
];

/// Reads the triangles of an OBJ file. A face of more than three corners is divided into triangles at its first corner.
pub(super) fn parse(bytes: &[u8]) -> Result<Soup, MeshFault> {
    let text = std::str::from_utf8(bytes).map_err(|error| MeshFault::Byte {
        byte: error.valid_up_to(),
        fault: "the text of this OBJ file is not UTF-8".to_owned(),
    })?;
    let mut points = Vec::new();
    let mut soup = Soup::default();
    for (k, content) in text.lines().enumerate() {
        let line = k + 1;
        let mut words = content
            .split('#')
            .next()
            .unwrap_or("")
            .split_ascii_whitespace();
        match words.next() {
            Some("v") => {
                let mut point = DVec3::ZERO;
                for axis in 0..3 {
                    point[axis] = coordinate(words.next(), line)?;
                }
                points.push(point);
            }
            Some("f") => face(words, line, &points, &mut soup)?,
            Some(word) if !IGNORED.contains(&word) => {
                return Err(MeshFault::Line {
                    line,
                    fault: format!(
                        "{} is no keyword of a polygon mesh, such as 'v' or 'f'",
                        shown(word)
                    ),
                });
            }
            _ => {}
        }
    }
    Ok(soup)
}

/// Adds the triangles of a face.
fn face<'a>(
    words: impl Iterator<Item = &'a str>,
    line: usize,
    points: &[DVec3],
    soup: &mut Soup,
) -> Result<(), MeshFault> {
    let corners: Vec<DVec3> = words
        .map(|word| corner(word, line, points))
        .collect::<Result<_, _>>()?;
    if corners.len() < 3 {
        return Err(MeshFault::Line {
            line,
            fault: format!(
                "the face has {} corners; it must have at least 3",
                corners.len()
            ),
        });
    }
    for pair in corners[1..].windows(2) {
        soup.add([corners[0], pair[0], pair[1]]);
    }
    Ok(())
}

/// Returns the position of a corner such as `7`, `7/1/2`, or `-1` for the last vertex so far.
fn corner(word: &str, line: usize, points: &[DVec3]) -> Result<DVec3, MeshFault> {
    let number: Option<i64> = word
        .split('/')
        .next()
        .and_then(|number| number.parse().ok());
    let position = match number {
        Some(number) if number > 0 => usize::try_from(number - 1).ok(),
        Some(number) => usize::try_from(number.unsigned_abs())
            .ok()
            .filter(|&back| back > 0)
            .and_then(|back| points.len().checked_sub(back)),
        None => None,
    };
    let point = position.and_then(|position| points.get(position));
    point.copied().ok_or_else(|| MeshFault::Line {
        line,
        fault: format!(
            "{} names no vertex; the lines above define {} vertices",
            shown(word),
            points.len()
        ),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faces_name_vertices_from_either_end() {
        let text = "# a square, and a triangle\nmtllib a.mtl\nv 0 0 0\nv 1 0 0 # x\nv 1 1 0 0.5 0.5 0.5\nv 0 1 0\n\
            f 1/1 2//3 3/1/1 4\r\nf -4 -3 -2\n";
        let soup = parse(text.as_bytes()).unwrap();
        assert_eq!(soup.triangles, [[0, 1, 2], [0, 2, 3], [0, 1, 2]]);
        assert_eq!(soup.vertices[2], DVec3::new(1.0, 1.0, 0.0));
    }

    #[test]
    fn faults_are_found_at_their_lines() {
        for (text, message) in [
            (
                "v 0 0",
                "line 1: the line ends instead of a coordinate; it must be a finite number",
            ),
            (
                "\nv 0 0 NaN",
                "line 2: 'NaN' instead of a coordinate; it must be a finite number",
            ),
            (
                "v 0 0 0\nf 1 1",
                "line 2: the face has 2 corners; it must have at least 3",
            ),
            (
                "v 0 0 0\nf 1 1 2",
                "line 2: '2' names no vertex; the lines above define 1 vertices",
            ),
            (
                "v 0 0 0\nf 1 1 -2",
                "line 2: '-2' names no vertex; the lines above define 1 vertices",
            ),
            (
                "f 0 0 0",
                "line 1: '0' names no vertex; the lines above define 0 vertices",
            ),
            (
                "curv 0 1 1 2",
                "line 1: 'curv' is no keyword of a polygon mesh, such as 'v' or 'f'",
            ),
        ] {
            assert_eq!(parse(text.as_bytes()).unwrap_err().to_string(), message);
        }
        let message = parse(b"v 0 \xff").unwrap_err().to_string();
        assert_eq!(message, "byte 4: the text of this OBJ file is not UTF-8");
    }
}
