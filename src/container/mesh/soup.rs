//! Triangles as files list them, with equal corners joined.

use std::{collections::HashMap, str::Utf8Error};

use glam::DVec3;

use super::polygon;

/// Vertices, each at a position of its own, and triangles by the numbers of their vertices.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Soup {
    pub vertices: Vec<DVec3>,
    pub triangles: Vec<[u32; 3]>,
    /// The number of the vertex at each position, by the bits of its coordinates.
    numbers: HashMap<[u64; 3], u32>,
}

impl Soup {
    /// Adds a triangle.
    pub fn add(&mut self, corners: [DVec3; 3]) {
        let triangle = corners.map(|corner| self.vertex(corner));
        self.triangles.push(triangle);
    }

    /// Adds the triangles of a flat polygon of at least three corners, which may be concave.
    pub fn add_polygon(&mut self, corners: &[DVec3]) {
        for triangle in polygon::triangles(corners) {
            self.add(triangle.map(|corner| corners[corner]));
        }
    }

    /// Returns the number of the vertex at a position. Only equal coordinates are the same position; 0 and −0 are equal.
    fn vertex(&mut self, at: DVec3) -> u32 {
        let at = at + DVec3::ZERO;
        let key = at.to_array().map(f64::to_bits);
        let next = self.vertices.len() as u32;
        let number = *self.numbers.entry(key).or_insert(next);
        if number == next {
            self.vertices.push(at);
        }
        number
    }
}

/// The fault of a file that is no mesh, and its position.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum MeshFault {
    /// A fault in a text, at a line from 1.
    #[error("line {line}: {fault}")]
    Line {
        /// The line.
        line: usize,
        /// The fault.
        fault: String,
    },
    /// A fault in a binary file, at a byte from 0.
    #[error("byte {byte}: {fault}")]
    Byte {
        /// The byte.
        byte: usize,
        /// The fault.
        fault: String,
    },
    /// A fault of the whole file.
    #[error("{0}")]
    File(String),
    /// The triangles are not the surface of a body.
    #[error(transparent)]
    Mesh(#[from] super::error::MeshError),
}

/// Returns the fault of a text that is not UTF-8.
pub(super) fn not_utf8(error: Utf8Error, format: &str) -> MeshFault {
    MeshFault::Byte {
        byte: error.valid_up_to(),
        fault: format!("the text of this {format} file is not UTF-8"),
    }
}

/// Returns the point that three words state, each of which comes with the number of its line, or a fault that names a word.
pub(super) fn point<'a>(
    mut next: impl FnMut() -> (Option<&'a str>, usize),
) -> Result<DVec3, MeshFault> {
    let mut point = DVec3::ZERO;
    for axis in 0..3 {
        let (word, line) = next();
        let number: Option<f64> = word.and_then(|word| word.parse().ok());
        point[axis] = number.filter(|number| number.is_finite()).ok_or_else(|| {
            let found = word.map_or_else(|| "the line ends".to_owned(), shown);
            let fault = format!("{found} instead of a coordinate; it must be a finite number");
            MeshFault::Line { line, fault }
        })?;
    }
    Ok(point)
}

/// Returns a word of a file in quotes, shortened if it is long.
pub(super) fn shown(word: &str) -> String {
    let short: String = word.chars().take(20).flat_map(char::escape_debug).collect();
    let dots = if word.chars().nth(20).is_some() {
        "…"
    } else {
        ""
    };
    format!("'{short}{dots}'")
}
