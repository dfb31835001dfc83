//! Tables with commas or tabulators between the columns: `id,x,y,z,radius`.

use std::io::{self, BufRead, Write};

use glam::DVec3;

use super::{
    constants::{MAX_QUOTED_NAMES, NOT_UTF_8},
    container_hint::ContainerHint,
    error::ReadError,
    export::Scene,
    rows::{Columns, Rows},
    template::write_rows,
};

const HEADER: &str = "id,x,y,z,radius";
const ROW: &str = "{id},{x},{y},{z},{r}";

/// Writes the table with commas or tabulators between its columns. The column `type` is written where types were chosen.
pub(super) fn write(scene: &Scene, separator: &str, out: &mut dyn Write) -> io::Result<()> {
    let (mut header, mut row) = (HEADER.to_owned(), ROW.to_owned());
    if scene.types.is_some() {
        header.push_str(",type");
        row.push_str(",{type}");
    }
    if scene.is_first_part() {
        writeln!(out, "{}", header.replace(',', separator))?;
    }
    write_rows(scene, &(row + "\n").replace(',', separator), out)
}

/// Reads the columns that the header names, in any order. A column `diameter` may replace `radius`; other columns are
/// ignored.
pub(super) fn read(
    input: impl BufRead,
    separator: u8,
    hint: Option<ContainerHint>,
) -> Result<Rows, ReadError> {
    let container = hint
        .and_then(ContainerHint::into_container)
        .ok_or(ReadError::NoContainer {
            path: None,
            line: None,
            what: "a table does not hold the container",
        })?;
    let mut reader = csv::ReaderBuilder::new()
        .delimiter(separator)
        .flexible(true)
        .trim(csv::Trim::All)
        .from_reader(input);
    let columns = columns(reader.headers().map_err(read_error)?)?;
    let mut rows = Rows::new(columns, DVec3::ZERO, container);
    let mut record = csv::StringRecord::new();
    while reader.read_record(&mut record).map_err(read_error)? {
        let line = record.position().map_or(0, csv::Position::line);
        rows.push(line, |column| record.get(column))?;
    }
    Ok(rows)
}

fn columns(header: &csv::StringRecord) -> Result<Columns, ReadError> {
    let find = |name: &str| {
        header
            .iter()
            .position(|found| found.eq_ignore_ascii_case(name))
    };
    let require = |found: Option<usize>, name: &str| {
        found.ok_or_else(|| {
            let names: Vec<_> = header.iter().take(MAX_QUOTED_NAMES).collect();
            let what = format!(
                "the header '{}' has no column {name}; it must name x, y, z and radius or diameter",
                names.join(",")
            );
            ReadError::at(1, what)
        })
    };
    let center = [
        require(find("x"), "x")?,
        require(find("y"), "y")?,
        require(find("z"), "z")?,
    ];
    let radius = find("radius");
    Ok(Columns {
        center,
        size: require(radius.or_else(|| find("diameter")), "radius")?,
        is_diameter: radius.is_none(),
        id: find("id"),
    })
}

fn read_error(error: csv::Error) -> ReadError {
    let line = error.position().map(csv::Position::line);
    let what = match error.kind() {
        csv::ErrorKind::Utf8 { .. } => NOT_UTF_8.to_owned(),
        _ => error.to_string(),
    };
    match error.into_kind() {
        csv::ErrorKind::Io(source) => ReadError::io(source),
        _ => ReadError::Content {
            path: None,
            line,
            what,
        },
    }
}
