//! Rows `x y z r` for YADE: `ymport.text`, `SpherePack.load` and `ymport.textExt`.

use std::io::{self, BufRead, Write};

use glam::DVec3;

use super::{
    columns_by_name::{ColumnNames, NamedColumns, Numbering, unnamed},
    dialect::{COMMENT, names_in},
    error::ReadError,
    export::Scene,
    read_options::ReadOptions,
    rows::Rows,
    template::write_rows,
    text::{Lines, numbers, write_numbers},
};
use crate::container::{Boundaries, Container};

/// Begin of the line with the lengths of a periodic cell, for `SpherePack.load`.
const PERIODIC: &str = "##PERIODIC::";

/// First line for `ymport.textExt`.
const FORMAT: &str = "#format x_y_z_r";

const ROW: &str = "{x} {y} {z} {r}\n";

/// Writes the rows for `ymport.text`, or for `SpherePack.load` if the container is periodic.
pub(super) fn write(scene: &Scene, out: &mut dyn Write) -> io::Result<()> {
    if scene.is_periodic() {
        write!(out, "{PERIODIC} ")?;
        write_numbers(out, b" ", scene.container.lengths().to_array())?;
        writeln!(out)?;
    }
    write_rows(scene, ROW, out)
}

/// Writes the rows for `ymport.textExt`.
pub(super) fn write_ext(scene: &Scene, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{FORMAT}")?;
    write_rows(scene, ROW, out)
}

/// Reads the rows of either form, and any other table with white space between its columns. A header or a comment may name the columns.
/// Other lines with `#` and empty lines are ignored, except the line with the periodic cell.
pub(super) fn read(input: impl BufRead, options: &ReadOptions) -> Result<Rows, ReadError> {
    let mut lines = Lines::new(input);
    let mut cell = None;
    let mut names = options.columns.clone();
    let mut commented = None;
    let mut numbering = None;
    let mut rows: Option<Rows> = None;
    while let Some((line, text)) = lines.next()? {
        let text = text.trim_start_matches('\u{feff}');
        if let Some(lengths) = text.strip_prefix(PERIODIC) {
            if rows.is_some() {
                let what =
                    "the periodic cell follows the first sphere; it must be on the first line";
                return Err(ReadError::at(line, what));
            }
            cell = Some(periodic(lengths, line)?);
        } else if let Some(format) = text.strip_prefix("#format") {
            if names.is_none() && commented.is_none() && format.trim() != "x_y_z_r" {
                let what = format!("the columns are '{}', not x_y_z_r", format.trim());
                return Err(ReadError::no_columns(Some(line), what));
            }
        } else if let Some(comment) = text.strip_prefix(COMMENT) {
            if rows.is_none() && options.columns.is_none() {
                commented = names_in(comment).or(commented);
            }
        } else if !text.is_empty() {
            let fields: Vec<&str> = text.split_ascii_whitespace().collect();
            if rows.is_none() && is_header(&fields) {
                if options.columns.is_none() {
                    NamedColumns::find(&fields).map_err(|what| ReadError::at(line, what))?;
                    names = Some(ColumnNames::of(&fields));
                }
                continue;
            }
            let rows = match &mut rows {
                Some(rows) => rows,
                None => {
                    let above = |names: ColumnNames| names.first(fields.len());
                    names = names.or_else(|| commented.take().map(above));
                    if names.is_none() {
                        numbering = Some(Numbering::default());
                        names = Some(unnamed(fields.len(), Some(line), options.diameter)?);
                    }
                    let begun = begin(cell.take(), names.take(), options);
                    rows.insert(begun.map_err(|error| error.on_line(line))?)
                }
            };
            if let Some(numbering) = &mut numbering {
                numbering.add(fields[0]);
            }
            rows.push(line, |column| fields.get(column).copied())?;
        }
    }
    if let Some(numbering) = numbering {
        numbering.check()?;
    }
    rows.map_or_else(|| begin(cell, names.or(commented), options), Ok)
}

/// Reads the lengths of a periodic cell.
fn periodic(lengths: &str, line: u64) -> Result<Container, ReadError> {
    let lengths = numbers::<3>(lengths, "the periodic cell", line)?;
    Container::cuboid(lengths.into(), Boundaries::PERIODIC)
        .map_err(|error| ReadError::at(line, error.to_string()))
}

/// Returns whether no field is a number.
fn is_header(fields: &[&str]) -> bool {
    fields.iter().all(|field| field.parse::<f64>().is_err())
}

/// Begins with no sphere, in the periodic cell of the file or the container of the options.
fn begin(
    cell: Option<Container>,
    names: Option<ColumnNames>,
    options: &ReadOptions,
) -> Result<Rows, ReadError> {
    let missing = "the file does not state the container, as a line '##PERIODIC:: Lx Ly Lz' would";
    let container = cell.map_or_else(|| options.required_container(missing), Ok)?;
    let columns = names.unwrap_or_else(|| ColumnNames::of(&["x", "y", "z", "r"]));
    Rows::named(columns.find()?, DVec3::ZERO, container, options)
}
