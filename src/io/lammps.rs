//! Data files for LAMMPS (`atom_style sphere`) and LIGGGHTS (`atom_style granular`).

use std::io::{self, BufRead, Write};

use glam::DVec3;

use super::{
    error::ReadError,
    export::{Bond, Scene},
    read_options::ReadOptions,
    rows::Rows,
    template::write_rows,
    text::{Lines, by_boundary, number, parse_count, write_numbers},
};
use crate::{container::Container, dimension::Dimension};

/// The title of the data for LAMMPS, and that of their table, which names the atom style.
pub(super) const LAMMPS: [&str; 2] = ["LAMMPS data for atom_style sphere", "Atoms # sphere"];

/// The command of LAMMPS that makes a system flat, in the title of flat data.
const PLANE: &str = "dimension 2";

/// The titles of data with bonds.
const BONDED: [&str; 2] = [
    "LAMMPS data for atom_style bpm/sphere",
    "Atoms # bpm/sphere",
];

/// The titles for LIGGGHTS, which reads no comment behind the title of a table.
pub(super) const LIGGGHTS: [&str; 2] = ["LIGGGHTS data for atom_style granular", "Atoms"];

/// Writes the data for one of the programs, which the titles name.
pub(super) fn write(scene: &Scene, titles: [&str; 2], out: &mut dyn Write) -> io::Result<()> {
    if scene.is_first_part() {
        write_head(scene, titles, 0, out)?;
    }
    write_rows(scene, "{id1} {type} {d} {rho} {x} {y} {z}\n", out)
}

/// Writes data for LAMMPS' `atom_style bpm/sphere`, with bonds of type 1. All spheres are of molecule 1.
pub(super) fn write_bonded(scene: &Scene, bonds: &[Bond], out: &mut dyn Write) -> io::Result<()> {
    write_head(scene, BONDED, bonds.len(), out)?;
    write_rows(scene, "{id1} 1 {type} {d} {rho} {x} {y} {z}\n", out)?;
    if !bonds.is_empty() {
        writeln!(out, "\nBonds\n")?;
    }
    for (number, bond) in (1..).zip(bonds) {
        let [a, b] = bond.spheres.map(|sphere| scene.id(sphere) + 1);
        writeln!(out, "{number} 1 {a} {b}")?;
    }
    Ok(())
}

/// Writes everything before the rows. `bonds` is the number of bonds, of one type.
fn write_head(
    scene: &Scene,
    [title, table]: [&str; 2],
    bonds: usize,
    out: &mut dyn Write,
) -> io::Result<()> {
    let [px, py, pz] = by_boundary(scene.container.boundary(), "p", "f");
    match scene.container.dimension() {
        Dimension::Two => writeln!(
            out,
            "{title}, {PLANE} and boundary {px} {py} p, written by jostle\n"
        )?,
        Dimension::Three => writeln!(
            out,
            "{title} and boundary {px} {py} {pz}, written by jostle\n"
        )?,
    }
    writeln!(
        out,
        "{} atoms\n{} atom types",
        scene.total, scene.type_count
    )?;
    if bonds > 0 {
        writeln!(out, "{bonds} bonds\n1 bond types")?;
    }
    writeln!(out)?;
    let (mut low, mut high) = bounds(scene);
    if scene.container.dimension() == Dimension::Two {
        // LAMMPS wants the plane inside a box of some height.
        (low.z, high.z) = (-0.5, 0.5);
    }
    for (axis, name) in ["x", "y", "z"].into_iter().enumerate() {
        write_numbers(out, b" ", [low[axis], high[axis]])?;
        writeln!(out, " {name}lo {name}hi")?;
    }
    writeln!(out, "\n{table}\n")
}

/// Returns the corners of the container, or of a larger box if there are copies outside of it: both programs refuse a file with a
/// center outside of the box.
fn bounds(scene: &Scene) -> (DVec3, DVec3) {
    let (low, high) = (scene.low, scene.high());
    let centers = scene.spheres.centers();
    let is_inside = |center: &DVec3| center.cmpge(low).all() && center.cmple(high).all();
    if centers.iter().all(is_inside) {
        return (low, high);
    }
    (scene.spheres.iter()).fold((low, high), |(low, high), (center, radius)| {
        (low.min(center - radius), high.max(center + radius))
    })
}

/// The columns of atom style sphere. The columns of all styles are those of the page `read_data` of the manual.
const SPHERE: [&str; 7] = ["id", "type", "diameter", "density", "x", "y", "z"];

/// The columns of atom style bpm/sphere.
const BPM_SPHERE: [&str; 8] = [
    "id", "molecule", "type", "diameter", "density", "x", "y", "z",
];

/// The first columns of atom style hybrid. Those of the sub-styles follow.
const HYBRID: [&str; 5] = ["id", "type", "x", "y", "z"];

/// The image flags that may follow.
const IMAGES: [&str; 3] = ["image_x", "image_y", "image_z"];

/// Column of the density of style sphere.
const DENSITY: usize = 3;

/// Returns the columns of an atom style, or the reason why they are unknown.
fn columns_of(style: &str) -> Result<Vec<&'static str>, String> {
    let mut words = style.split_ascii_whitespace();
    match words.next() {
        None | Some("sphere" | "granular") => Ok(SPHERE.to_vec()),
        Some("bpm/sphere") => Ok(BPM_SPHERE.to_vec()),
        Some("hybrid") => {
            let mut columns = HYBRID.to_vec();
            for sub_style in words.clone() {
                let own: &[&str] = match sub_style {
                    "sphere" | "granular" => &["diameter", "density"],
                    "bpm/sphere" => &["molecule", "diameter", "density"],
                    "atomic" => &[],
                    "bond" | "angle" | "molecular" => &["molecule"],
                    "charge" => &["charge"],
                    "full" => &["molecule", "charge"],
                    "dipole" => &["charge", "mux", "muy", "muz"],
                    _ => {
                        return Err(format!(
                            "the columns of the sub-style '{sub_style}' are unknown"
                        ));
                    }
                };
                // A value that two sub-styles share is in one column.
                let new = own.iter().filter(|name| !columns.contains(name));
                let new: Vec<&str> = new.copied().collect();
                columns.extend(new);
            }
            // LAMMPS writes no names of sub-styles. The style sphere alone adds two columns.
            if words.next().is_none() {
                columns.extend(["diameter", "density"]);
            }
            Ok(columns)
        }
        Some(_) => Err(format!("the atom style is '{style}', not sphere")),
    }
}

/// Reads the header and the section Atoms.
pub(super) fn read(input: impl BufRead, options: &ReadOptions) -> Result<Rows, ReadError> {
    let mut lines = Lines::new(input);
    // The first line is a title, which LAMMPS ignores. That of jostle states whether the data are flat.
    let mut header = Header::default();
    if let Some((_, title)) = lines.next()? {
        refuse_mercury(title)?;
        header.is_flat = title.starts_with(LAMMPS[0]) && title.contains(PLANE);
    }
    let mut sections = Vec::new();
    let (line, style) = loop {
        let Some((line, text)) = lines.next()? else {
            return Err(ReadError::content(
                "the file has no section 'Atoms # sphere'",
            ));
        };
        let (text, comment) = match text.split_once('#') {
            Some((text, comment)) => (text.trim(), comment.trim()),
            None => (text, ""),
        };
        if text == "Atoms" {
            break (line, comment.to_owned());
        }
        if is_title(text) {
            sections.push(text.to_owned());
        } else if sections.is_empty() {
            header.line(text, line)?;
        }
    };
    let atoms = Atoms::new(&style, line, options)?;
    let (count, container) = header.finish(options)?;
    let origin = if header.is_flat {
        header.origin.with_z(0.0)
    } else {
        header.origin
    };
    let mut rows = atoms.rows(origin, container, options)?;
    let mut in_atoms = true;
    while let Some((line, text)) = lines.next()? {
        let text = text.split('#').next().unwrap_or("").trim();
        if is_title(text) {
            in_atoms = false;
            sections.push(text.to_owned());
        } else if in_atoms && !text.is_empty() {
            if rows.len() == count {
                let what = format!(
                    "the header announces {count} atoms, but the section Atoms has more rows; they must agree"
                );
                return Err(ReadError::at(line, what));
            }
            let fields: Vec<&str> = text.split_ascii_whitespace().collect();
            atoms.check(&fields, line)?;
            rows.push(line, |column| fields.get(column).copied())?;
        }
    }
    if rows.len() < count {
        let found = rows.len();
        let what = format!("the header announces {count} atoms, but the file has {found}");
        return Err(ReadError::content(what));
    }
    rows.leave_out("section", &sections);
    Ok(rows)
}

/// Returns whether a line is the title of a section. Titles are words, header lines and rows begin with a number.
fn is_title(text: &str) -> bool {
    text.starts_with(|c: char| c.is_alphabetic())
}

/// The columns of the section Atoms.
struct Atoms {
    /// `None` if the caller gives their names.
    columns: Option<Vec<&'static str>>,
    style: String,
}

impl Atoms {
    /// Finds the columns of an atom style, which the title of the section states on some line.
    fn new(style: &str, line: u64, options: &ReadOptions) -> Result<Self, ReadError> {
        let columns = match options.columns {
            Some(_) => None,
            None => {
                let columns = columns_of(style);
                Some(columns.map_err(|what| ReadError::no_columns(Some(line), what))?)
            }
        };
        Ok(Self {
            columns,
            style: style.to_owned(),
        })
    }

    /// Returns rows with the columns, which three image flags may follow.
    fn rows(
        &self,
        origin: DVec3,
        container: Container,
        options: &ReadOptions,
    ) -> Result<Rows, ReadError> {
        match (&self.columns, &options.columns) {
            (None, Some(names)) => Rows::named(names.find()?, origin, container, options),
            (columns, _) => {
                let columns = columns.as_deref().unwrap_or(&SPHERE);
                let columns = [columns, &IMAGES].concat();
                Rows::fixed(&columns, origin, container, options)
            }
        }
    }

    /// Rejects a row of another style. A row of style full has as many columns as one of style sphere, and a charge in place of the density;
    /// it is recognized where the title of the section does not name the style.
    fn check(&self, fields: &[&str], line: u64) -> Result<(), ReadError> {
        let Some(columns) = &self.columns else {
            return Ok(());
        };
        let (width, names) = (columns.len(), columns.join(" "));
        let images = fields.get(width..).unwrap_or_default();
        let has_images =
            images.len() == IMAGES.len() && images.iter().all(|flag| flag.parse::<i64>().is_ok());
        let what = if !(fields.len() == width || has_images) {
            format!(
                "an atom has {} columns, not {names}, which three image flags may follow",
                fields.len()
            )
        } else if self.style.is_empty()
            && fields[DENSITY]
                .parse()
                .is_ok_and(|density: f64| density <= 0.0)
        {
            format!(
                "the fourth column is {}, which is no density; the columns of atom style sphere are {names}",
                fields[DENSITY]
            )
        } else {
            return Ok(());
        };
        Err(ReadError::no_columns(Some(line), what))
    }
}

/// Rejects a file of MercuryDPM, which begins with a number of particles, a time and two corners.
fn refuse_mercury(title: &str) -> Result<(), ReadError> {
    let numbers: Vec<Option<f64>> = title
        .split_ascii_whitespace()
        .map(|word| word.parse().ok())
        .collect();
    if matches!(numbers.len(), 6 | 8) && numbers.iter().all(Option::is_some) {
        let what = "the file is one of MercuryDPM, not of LAMMPS: it begins with a number of particles, a time and the bounds; its format is mercury";
        return Err(ReadError::at(1, what));
    }
    Ok(())
}

/// The values of the header lines read so far.
#[derive(Default)]
struct Header {
    is_flat: bool,
    count: Option<usize>,
    origin: DVec3,
    lengths: [Option<f64>; 3],
}

impl Header {
    /// Reads one header line. Lines about other things than the container and the number of atoms are ignored.
    fn line(&mut self, text: &str, line: u64) -> Result<(), ReadError> {
        let fields: Vec<&str> = text.split_ascii_whitespace().collect();
        match fields[..] {
            [atoms, "atoms"] => self.count = Some(parse_count(atoms, "atoms", line)?),
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

    /// Reads the low and the high bound of one axis.
    fn bounds(&mut self, axis: usize, low: &str, high: &str, line: u64) -> Result<(), ReadError> {
        self.origin[axis] = number(low, "the low bound", line)?;
        self.lengths[axis] = Some(number(high, "the high bound", line)? - self.origin[axis]);
        Ok(())
    }

    /// Reads an edge vector, which a general triclinic container has for each axis.
    fn edge(
        &mut self,
        edge_axis: usize,
        vector: [&str; 3],
        text: &str,
        line: u64,
    ) -> Result<(), ReadError> {
        for (axis, component) in vector.into_iter().enumerate() {
            let component = number(component, "the edge vector", line)?;
            if axis == edge_axis {
                self.lengths[axis] = Some(component);
            } else if component != 0.0 {
                return Err(tilted(text, line));
            }
        }
        Ok(())
    }

    /// Returns the number of atoms and the container.
    fn finish(&self, options: &ReadOptions) -> Result<(usize, Container), ReadError> {
        let count = self
            .count
            .ok_or_else(|| ReadError::content("the header has no line like '1000 atoms'"))?;
        let [x, y, z] = self.lengths;
        let missing = "the header has no line like '0 10 xlo xhi' for each of x, y and z";
        let ((x, y), z) = x.zip(y).zip(z).ok_or_else(|| ReadError::content(missing))?;
        let boundary = (options.boundary()).ok_or(ReadError::NoBoundary { path: None })?;
        let z = if self.is_flat { 0.0 } else { z };
        let container = Container::bounding_box(DVec3::new(x, y, z), boundary)
            .map_err(|error| ReadError::content(error.to_string()))?;
        Ok((count, container))
    }
}

/// Creates the error about a container whose edges are not along the axes.
pub(super) fn tilted(text: &str, line: u64) -> ReadError {
    let what =
        format!("the container is tilted ('{text}'); only containers along the axes can be read");
    ReadError::at(line, what)
}
