//! LAMMPS data files for `atom_style sphere`.

use std::io::{self, BufRead, Write};

use glam::DVec3;

use super::{
    Problem, by_boundary,
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
};

pub(super) fn read(input: impl BufRead, boundary: Option<Boundaries>) -> Result<Packing, Problem> {
    let mut lines = Lines::new(input);
    // LAMMPS never looks at the first line.
    lines.next()?;
    let mut count = None;
    let mut bounds = [None; 3];
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
            header_line(text, line, &mut count, &mut bounds)?;
        }
    }
    let count = count.ok_or_else(|| Problem::new("the header has no line like '1000 atoms'"))?;
    let mut origin = DVec3::ZERO;
    let mut lengths = DVec3::ZERO;
    for (axis, name) in ["x", "y", "z"].into_iter().enumerate() {
        let [low, high] = bounds[axis].ok_or_else(|| {
            let what = format!("the header has no line like '0 10 {name}lo {name}hi'");
            Problem::new(what)
        })?;
        origin[axis] = low;
        lengths[axis] = high - low;
    }
    let container = Container::new(lengths, boundary.unwrap_or_default())
        .map_err(|error| Problem::new(error.to_string()))?;
    let mut rows = Rows::new(COLUMNS, origin, container);
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

fn header_line(
    text: &str,
    line: u64,
    count: &mut Option<usize>,
    bounds: &mut [Option<[f64; 2]>; 3],
) -> Result<(), Problem> {
    let fields: Vec<&str> = text.split_ascii_whitespace().collect();
    match fields[..] {
        [atoms, "atoms"] => {
            *count = Some(atoms.parse().map_err(|_| {
                let what = format!("'{atoms}' is not a number of atoms");
                Problem::at(line, what)
            })?);
        }
        [low, high, low_name @ ("xlo" | "ylo" | "zlo"), high_name] => {
            let axis = usize::from(low_name.as_bytes()[0] - b'x');
            bounds[axis] = Some([number(low, low_name, line)?, number(high, high_name, line)?]);
        }
        [.., "avec" | "bvec" | "cvec" | "abc"] => return Err(tilted(text, line)),
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

fn tilted(text: &str, line: u64) -> Problem {
    let what = format!("the box is tilted ('{text}'); only boxes along the axes can be read");
    Problem::at(line, what)
}
