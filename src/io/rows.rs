//! What the text formats share: lines, columns and numbers.

use std::io::{BufRead, Write};

use glam::DVec3;

use super::{Found, Problem, bare_packing};
use crate::{container::Container, spheres::Spheres};

/// Prints numbers as the shortest decimals that read back to the same f64, with the separator between them.
pub(super) fn write_numbers<const N: usize>(
    out: &mut dyn Write,
    separator: &[u8],
    numbers: [f64; N],
) -> std::io::Result<()> {
    let mut buffer = zmij::Buffer::new();
    for (i, number) in numbers.into_iter().enumerate() {
        if i > 0 {
            out.write_all(separator)?;
        }
        out.write_all(buffer.format_finite(number).as_bytes())?;
    }
    Ok(())
}

/// The lines of a text file, counted from 1.
pub(super) struct Lines<R> {
    input: R,
    text: String,
    number: u64,
}

impl<R: BufRead> Lines<R> {
    pub(super) fn new(input: R) -> Self {
        Self {
            input,
            text: String::new(),
            number: 0,
        }
    }

    /// The next line and its number, without white space around it.
    pub(super) fn next(&mut self) -> Result<Option<(u64, &str)>, Problem> {
        self.text.clear();
        self.number += 1;
        match self.input.read_line(&mut self.text) {
            Ok(0) => Ok(None),
            Ok(_) => Ok(Some((self.number, self.text.trim()))),
            Err(error) => Err(Problem::at(self.number, error.to_string())),
        }
    }
}

/// A finite number.
pub(super) fn number(text: &str, name: &str, line: u64) -> Result<f64, Problem> {
    text.parse()
        .ok()
        .filter(|number: &f64| number.is_finite())
        .ok_or_else(|| {
            Problem::at(
                line,
                format!("{name} is '{text}'; it must be a finite number"),
            )
        })
}

/// `N` finite numbers between spaces, commas or brackets.
pub(super) fn numbers<const N: usize>(
    text: &str,
    name: &str,
    line: u64,
) -> Result<[f64; N], Problem> {
    let all: Vec<f64> = words(text)
        .map(|word| number(word, name, line))
        .collect::<Result<_, _>>()?;
    all.try_into()
        .map_err(|_| Problem::at(line, format!("{name} is '{text}'; it must be {N} numbers")))
}

/// The words between spaces, commas or brackets.
pub(super) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| c.is_whitespace() || "[]{},".contains(c))
        .filter(|word| !word.is_empty())
}

/// Where a row holds a sphere.
#[derive(Clone, Copy, Debug)]
pub(super) struct Columns {
    /// Positions of x, y and z.
    pub center: [usize; 3],
    /// Position of the radius or diameter.
    pub size: usize,
    /// Whether that is the diameter.
    pub is_diameter: bool,
    /// Position of the id, if there is one.
    pub id: Option<usize>,
}

/// Spheres as they are read, row by row.
pub(super) struct Rows {
    columns: Columns,
    /// The low corner of the container in the file.
    origin: DVec3,
    container: Container,
    centers: Vec<DVec3>,
    radii: Vec<f64>,
    ids: Option<Vec<u64>>,
}

impl Rows {
    pub(super) fn new(columns: Columns, origin: DVec3, container: Container) -> Self {
        Self {
            origin,
            container,
            centers: Vec::new(),
            radii: Vec::new(),
            ids: columns.id.map(|_| Vec::new()),
            columns,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.radii.len()
    }

    /// Adds the sphere in one row; `field` gives the text of a column.
    pub(super) fn push<'a>(
        &mut self,
        line: u64,
        field: impl Fn(usize) -> Option<&'a str>,
    ) -> Result<(), Problem> {
        let text = |column: usize, name: &str| {
            field(column).ok_or_else(|| {
                let what = format!("column {} ({name}) is missing", column + 1);
                Problem::at(line, what)
            })
        };
        let coordinate = |axis: usize| {
            let name = ["x", "y", "z"][axis];
            number(text(self.columns.center[axis], name)?, name, line)
        };
        let center = DVec3::new(coordinate(0)?, coordinate(1)?, coordinate(2)?) - self.origin;
        if !center.is_finite() {
            let what = "the centre is too far from the container to be a number";
            return Err(Problem::at(line, what));
        }
        let name = if self.columns.is_diameter {
            "diameter"
        } else {
            "radius"
        };
        let size_text = text(self.columns.size, name)?;
        let size = number(size_text, name, line)?;
        let radius = if self.columns.is_diameter {
            0.5 * size
        } else {
            size
        };
        // Half of the smallest number is 0.
        if radius <= 0.0 {
            let what = format!("{name} is '{size_text}'; it must be positive");
            return Err(Problem::at(line, what));
        }
        self.centers.push(self.container.wrap(center));
        self.radii.push(radius);
        let id = self.columns.id.and_then(field);
        match (&mut self.ids, id.and_then(|id| id.parse().ok())) {
            (Some(ids), Some(id)) => ids.push(id),
            // Ids that are not whole numbers count as none.
            _ => self.ids = None,
        }
        Ok(())
    }

    pub(super) fn finish(self) -> Found {
        Found {
            packing: bare_packing(Spheres::new(self.centers, self.radii), self.container),
            ids: self.ids,
        }
    }
}
