//! Triangles as files list them, with equal corners joined.

use std::{collections::HashMap, str::Utf8Error};

use glam::DVec3;

use super::{constants::WELD, exact::is_flat, surface::bounds};

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

    /// Joins vertices that are at most [`WELD`] longest lengths apart along each axis, and drops the triangles whose area is 0 then.
    pub fn welded(self) -> Self {
        let (low, lengths) = bounds(&self.vertices);
        let tolerance = WELD * lengths.max_element();
        if !(tolerance.is_normal() && lengths.is_finite()) {
            return self;
        }
        let mut cells: HashMap<[i64; 3], Vec<DVec3>> = HashMap::new();
        let joined: Vec<DVec3> = (self.vertices.iter())
            .map(|&vertex| {
                let cell = ((vertex - low) / tolerance).to_array().map(|x| x as i64);
                let is_near = |other: &DVec3| (*other - vertex).abs().max_element() <= tolerance;
                let near = (0..27).find_map(|k| {
                    let beside = [k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1];
                    let cell = std::array::from_fn(|axis| cell[axis] + beside[axis]);
                    cells.get(&cell)?.iter().copied().find(is_near)
                });
                near.unwrap_or_else(|| {
                    cells.entry(cell).or_default().push(vertex);
                    vertex
                })
            })
            .collect();
        let mut welded = Self::default();
        for triangle in self.triangles {
            let corners = triangle.map(|vertex| joined[vertex as usize]);
            if !is_flat(corners) {
                welded.add(corners);
            }
        }
        welded
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
