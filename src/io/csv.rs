//! Tables with commas or tabulators between the columns: `id,x,y,z,radius`.

use std::io::{self, BufRead, Write};

use glam::DVec3;

use super::{
    columns_by_name::{NamedColumns, quoted},
    constants::NOT_UTF_8,
    error::ReadError,
    export::Scene,
    read_options::ReadOptions,
    rows::Rows,
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

/// Reads the columns that the header or the options name, in any order. A table whose columns the options name may have no header.
pub(super) fn read(
    input: impl BufRead,
    separator: u8,
    options: &ReadOptions,
) -> Result<Rows, ReadError> {
    let mut reader = csv::ReaderBuilder::new()
        .delimiter(separator)
        .flexible(true)
        .has_headers(false)
        .trim(csv::Trim::All)
        .from_reader(input);
    let mut record = csv::StringRecord::new();
    let mut is_row = reader.read_record(&mut record).map_err(read_error)?;
    let columns = match &options.columns {
        Some(names) => names.find()?,
        None => header(&record)?,
    };
    if is_row && (options.columns.is_none() || !has_numbers(&record)) {
        is_row = reader.read_record(&mut record).map_err(read_error)?;
    }
    let container = options.required_container("a table does not hold the container")?;
    let mut rows = Rows::named(columns, DVec3::ZERO, container, options);
    while is_row {
        let line = record.position().map_or(0, csv::Position::line);
        rows.push(line, |column| record.get(column))?;
        is_row = reader.read_record(&mut record).map_err(read_error)?;
    }
    Ok(rows)
}

/// Returns whether all fields of a row are numbers.
fn has_numbers(record: &csv::StringRecord) -> bool {
    record.iter().all(|field| field.parse::<f64>().is_ok())
}

/// Finds the columns in the header.
fn header(header: &csv::StringRecord) -> Result<NamedColumns, ReadError> {
    let names: Vec<&str> = header.iter().collect();
    if !header.is_empty() && has_numbers(header) {
        let what = format!(
            "the row '{}' stands where the header is expected",
            quoted(&names)
        );
        return Err(ReadError::no_columns(Some(1), what));
    }
    NamedColumns::find(&names).map_err(|what| {
        let others = [(';', "semicolons"), ('\t', "tabulators"), (' ', "spaces"), (',', "commas")];
        let other = others.into_iter().find(|(other, _)| names.first().is_some_and(|name| name.contains(*other)));
        ReadError::at(1, match (names.len(), other) {
            (1, Some((_, other))) => format!(
                "the header '{}' has {other} between its columns; the format csv has commas, and tsv tabulators, with points in the numbers",
                names[0]
            ),
            _ => what,
        })
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
