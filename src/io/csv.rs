//! Tables with commas or tabulators between the columns: `id,x,y,z,radius`. Tables of other programs may have semicolons or white space.

use std::io::{self, BufRead, Cursor, Read, Write};

use glam::DVec3;

use super::{
    columns_by_name::{ColumnNames, NamedColumns, Numbering, unnamed},
    constants::NOT_UTF_8,
    dialect::{COMMENT, Head, Separator, with_point},
    error::ReadError,
    export::Scene,
    read_options::ReadOptions,
    rows::Rows,
    template::write_rows,
    yade,
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

/// Reads the columns that the header, a comment or the options name, in any order. Without names, the columns are x, y, z and the radius.
/// `usual` is the separator of the format; the first line may show another one.
pub(super) fn read(
    mut input: impl BufRead,
    usual: u8,
    options: &ReadOptions,
) -> Result<Rows, ReadError> {
    let head = Head::read(&mut input, Separator::Character(usual))?;
    let input = Cursor::new(head.bytes).chain(input);
    match head.separator {
        Separator::WhiteSpace => yade::read(input, options),
        Separator::Character(_) => read_separated(input, head.separator, head.names, options),
    }
}

/// Reads a table with one character between its columns. `comment` are the names in a comment before the first row.
fn read_separated(
    input: impl BufRead,
    separator: Separator,
    comment: Option<ColumnNames>,
    options: &ReadOptions,
) -> Result<Rows, ReadError> {
    let mut reader = Reader::new(input, separator);
    let mut is_row = reader.next()?;
    let line = reader.line();
    let has_header = !(is_row && reader.has_numbers());
    let given = (options.columns.clone()).or_else(|| {
        let comment = comment.filter(|_| !has_header);
        comment.map(|names| names.first(reader.width()))
    });
    let mut numbering = None;
    let columns = match given {
        Some(names) => names.find()?,
        None if has_header => reader.header(line)?,
        None => {
            numbering = Some(Numbering::default());
            unnamed(reader.width(), Some(line), options.diameter)?.find()?
        }
    };
    if is_row && has_header {
        is_row = reader.next()?;
    }
    let container = options.required_container("a table does not hold the container")?;
    let rows = Rows::named(columns, DVec3::ZERO, container, options);
    let mut rows = rows.map_err(|error| error.on_line(line))?;
    while is_row {
        if let Some(numbering) = &mut numbering {
            numbering.add(reader.record.get(0).unwrap_or(""));
        }
        rows.push(reader.line(), |column| reader.record.get(column))?;
        is_row = reader.next()?;
    }
    if let Some(numbering) = numbering {
        numbering.check()?;
    }
    Ok(rows)
}

/// The rows of a table, one after the other.
struct Reader<R> {
    reader: csv::Reader<R>,
    separator: Separator,
    record: csv::StringRecord,
}

impl<R: BufRead> Reader<R> {
    fn new(input: R, separator: Separator) -> Self {
        let mut builder = csv::ReaderBuilder::new();
        if let Separator::Character(character) = separator {
            builder.delimiter(character);
        }
        let reader = builder
            .comment(Some(COMMENT as u8))
            .flexible(true)
            .has_headers(false)
            .trim(csv::Trim::All)
            .from_reader(input);
        Self {
            reader,
            separator,
            record: csv::StringRecord::new(),
        }
    }

    /// Reads the next row, if there is one. Decimal commas become points.
    fn next(&mut self) -> Result<bool, ReadError> {
        let is_row = (self.reader.read_record(&mut self.record)).map_err(read_error)?;
        if self.record.iter().any(|field| field.contains(',')) {
            let position = self.record.position().cloned();
            let fields = self.record.iter().map(|field| {
                let number = with_point(self.separator, field);
                match number.parse::<f64>() {
                    Ok(_) => number,
                    // Messages quote the field as it stands.
                    Err(_) => field.to_owned(),
                }
            });
            self.record = fields.collect();
            self.record.set_position(position);
        }
        Ok(is_row)
    }

    /// Returns the number of the line of the row.
    fn line(&self) -> u64 {
        self.record.position().map_or(1, csv::Position::line)
    }

    /// Returns the number of columns of the row. A separator at the end of a line begins no column.
    fn width(&self) -> usize {
        let is_empty = |column: usize| self.record.get(column).is_some_and(str::is_empty);
        let mut width = self.record.len();
        while width > 0 && is_empty(width - 1) {
            width -= 1;
        }
        width
    }

    /// Returns whether all fields of the row are numbers.
    fn has_numbers(&self) -> bool {
        let mut fields = self.record.iter().take(self.width());
        fields.all(|field| field.parse::<f64>().is_ok())
    }

    /// Finds the columns in the row, the header.
    fn header(&self, line: u64) -> Result<NamedColumns, ReadError> {
        let names: Vec<&str> = self.record.iter().collect();
        NamedColumns::find(&names).map_err(|what| ReadError::at(line, what))
    }
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
