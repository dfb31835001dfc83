//! Wavefront OBJ files.
//!
//! The crates that read OBJ report faults without their lines.

use glam::DVec3;

use super::soup::{MeshFault, Soup, not_utf8, point, shown};

/// Keywords that say nothing about the surface.
const IGNORED: [&str; 12] = [
    "vn", "vt", "vp", "g", "o", "s", "mg", "usemtl", "mtllib", "l", "p", "usemap",
];

/// Reads the triangles of an OBJ file. A face of more than three corners is divided into triangles.
pub(super) fn parse(bytes: &[u8]) -> Result<Soup, MeshFault> {
    let text = std::str::from_utf8(bytes).map_err(|error| not_utf8(error, "OBJ"))?;
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
            Some("v") => points.push(point(|| (words.next(), line))?),
            Some("f") => face(words, line, &points, &mut soup)?,
            Some(word) if !IGNORED.contains(&word) => {
                let word = shown(word);
                let fault = format!("{word} is no keyword of a polygon mesh, such as 'v' or 'f'");
                return Err(MeshFault::Line { line, fault });
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
    let count = corners.len();
    if count < 3 {
        let fault = format!("the face has {count} corners; it must have at least 3");
        return Err(MeshFault::Line { line, fault });
    }
    soup.add_polygon(&corners);
    Ok(())
}

/// Returns the position of a corner such as `7`, `7/1/2`, or `-1` for the last vertex so far.
fn corner(word: &str, line: usize, points: &[DVec3]) -> Result<DVec3, MeshFault> {
    let number = word.split('/').next();
    let number: Option<isize> = number.and_then(|number| number.parse().ok());
    let position = number.and_then(|number| match number {
        0 => None,
        1.. => Some(number.unsigned_abs() - 1),
        _ => points.len().checked_add_signed(number),
    });
    let point = position.and_then(|position| points.get(position));
    point.copied().ok_or_else(|| {
        let (word, count) = (shown(word), points.len());
        let fault = format!("{word} names no vertex; the lines above define {count} vertices");
        MeshFault::Line { line, fault }
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
        assert_eq!(soup.triangles.len(), 3);
        let last = soup.triangles[2].map(|corner| soup.vertices[corner as usize]);
        let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0]];
        assert_eq!(last, corners.map(DVec3::from_array));
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
