//! LAMMPS data files for `atom_style sphere`.

use std::io::{self, BufRead, Write};

use glam::DVec3;

use super::{
    Found, Problem, by_boundary,
    rows::{Columns, Lines, Rows, number, write_numbers},
};
use crate::{
    container::{Boundaries, Container},
    packing::Packing,
};

pub(super) fn write(packing: &Packing, out: &mut dyn Write) -> io::Result<()> {
    let [px, py, pz] = by_boundary(packing.container.boundary(), "p", "f");
    writeln!(
        out,
        "LAMMPS data for atom_style sphere and boundary {px} {py} {pz}, written by jostle\n"
    )?;
    writeln!(out, "{} atoms\n1 atom types\n", packing.spheres.len())?;
    for (axis, length) in ["x", "y", "z"]
        .into_iter()
        .zip(packing.container.lengths().to_array())
    {
        write_numbers(out, b" ", [0.0, length])?;
        writeln!(out, " {axis}lo {axis}hi")?;
    }
    writeln!(out, "\nAtoms # sphere\n")?;
    for (i, (center, radius)) in packing.spheres.iter().enumerate() {
        write!(out, "{} 1 ", i + 1)?;
        write_numbers(out, b" ", [2.0 * radius, 1.0, center.x, center.y, center.z])?;
        writeln!(out)?;
    }
    Ok(())
}

/// `id type diameter density x y z`, with or without three image flags behind.
const COLUMNS: Columns = Columns {
    center: [4, 5, 6],
    size: 2,
    is_diameter: true,
    id: Some(0),
};

pub(super) fn read(input: impl BufRead, boundary: Option<Boundaries>) -> Result<Found, Problem> {
    let mut lines = Lines::new(input);
    // LAMMPS never looks at the first line.
    lines.next()?;
    let mut header = Header::default();
    let mut in_header = true;
    loop {
        let Some((line, text)) = lines.next()? else {
            return Err(Problem::new("there is no section 'Atoms # sphere'"));
        };
        let (text, comment) = match text.split_once('#') {
            Some((text, comment)) => (text.trim(), comment.trim()),
            None => (text, ""),
        };
        if text == "Atoms" {
            if !matches!(comment, "" | "sphere" | "granular") {
                let what = format!("the atom style is '{comment}'; only sphere can be read");
                return Err(Problem::at(line, what));
            }
            break;
        }
        // Sections have names, header lines begin with a number.
        in_header &= !text.starts_with(|c: char| c.is_alphabetic());
        if in_header {
            header.line(text, line)?;
        }
    }
    let (count, container) = header.finish(boundary.unwrap_or_default())?;
    let mut rows = Rows::new(COLUMNS, header.origin, container);
    while rows.len() < count {
        let Some((line, text)) = lines.next()? else {
            let what = format!(
                "the header promises {count} atoms, but there are {}",
                rows.len()
            );
            return Err(Problem::new(what));
        };
        let text = text.split('#').next().unwrap_or("");
        let fields: Vec<&str> = text.split_ascii_whitespace().collect();
        if fields.is_empty() {
            continue;
        }
        if !matches!(fields.len(), 7 | 10) {
            let what = format!(
                "an atom has {} columns; they must be id type diameter density x y z, \
                 with or without three image flags",
                fields.len()
            );
            return Err(Problem::at(line, what));
        }
        rows.push(line, |column| fields.get(column).copied())?;
    }
    Ok(rows.finish())
}

#[derive(Default)]
struct Header {
    count: Option<usize>,
    origin: DVec3,
    lengths: [Option<f64>; 3],
}

impl Header {
    fn line(&mut self, text: &str, line: u64) -> Result<(), Problem> {
        let fields: Vec<&str> = text.split_ascii_whitespace().collect();
        match fields[..] {
            [atoms, "atoms"] => {
                self.count = Some(atoms.parse().map_err(|_| {
                    let what = format!("'{atoms}' is not a number of atoms");
                    Problem::at(line, what)
                })?);
            }
            [low, high, "xlo", "xhi"] => self.bounds(0, low, high, line)?,
            [low, high, "ylo", "yhi"] => self.bounds(1, low, high, line)?,
            [low, high, "zlo", "zhi"] => self.bounds(2, low, high, line)?,
            [x, y, z, "avec"] => self.edge(0, [x, y, z], text, line)?,
            [x, y, z, "bvec"] => self.edge(1, [x, y, z], text, line)?,
            [x, y, z, "cvec"] => self.edge(2, [x, y, z], text, line)?,
            [x, y, z, "abc", "origin"] => {
                for (axis, text) in [x, y, z].into_iter().enumerate() {
                    self.origin[axis] = number(text, "the origin", line)?;
                }
            }
            [xy, xz, yz, "xy", "xz", "yz"] => {
                for tilt in [xy, xz, yz] {
                    if number(tilt, "the tilt", line)? != 0.0 {
                        return Err(tilted(text, line));
                    }
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn bounds(&mut self, axis: usize, low: &str, high: &str, line: u64) -> Result<(), Problem> {
        self.origin[axis] = number(low, "the low bound", line)?;
        self.lengths[axis] = Some(number(high, "the high bound", line)? - self.origin[axis]);
        Ok(())
    }

    /// An edge vector, as a general triclinic box has it.
    fn edge(
        &mut self,
        own: usize,
        vector: [&str; 3],
        text: &str,
        line: u64,
    ) -> Result<(), Problem> {
        for (axis, component) in vector.into_iter().enumerate() {
            let component = number(component, "the edge vector", line)?;
            if axis == own {
                self.lengths[axis] = Some(component);
            } else if component != 0.0 {
                return Err(tilted(text, line));
            }
        }
        Ok(())
    }

    fn finish(&self, boundary: Boundaries) -> Result<(usize, Container), Problem> {
        let count = self
            .count
            .ok_or_else(|| Problem::new("the header has no line like '1000 atoms'"))?;
        let [x, y, z] = self.lengths;
        let missing = "the header has no line like '0 10 xlo xhi' for each of x, y and z";
        let ((x, y), z) = x.zip(y).zip(z).ok_or_else(|| Problem::new(missing))?;
        let container = Container::new(DVec3::new(x, y, z), boundary)
            .map_err(|error| Problem::new(error.to_string()))?;
        Ok((count, container))
    }
}

fn tilted(text: &str, line: u64) -> Problem {
    let what = format!("the box is tilted ('{text}'); only boxes along the axes can be read");
    Problem::at(line, what)
}
