//! The legacy format of VTK, as VTK and LIGGGHTS write it: PolyData and unstructured grids, as text or with binary numbers.

use std::io::{self, BufRead, Write};

use super::{
    error::ReadError,
    export::Scene,
    numbers::Number,
    read_options::ReadOptions,
    rows::Rows,
    template::write_rows,
    text,
    vtk_points::{self, Points, extended, is_used, refuse_surface},
};

/// Begin of the first line.
const MARK: &str = "# vtk DataFile Version ";

/// Writes PolyData as text, with one vertex for each sphere.
pub(super) fn write(scene: &Scene, out: &mut dyn Write) -> io::Result<()> {
    let n = scene.len();
    writeln!(
        out,
        "{MARK}3.0\nspheres, written by jostle\nASCII\nDATASET POLYDATA\nPOINTS {n} double"
    )?;
    write_rows(scene, "{x} {y} {z}\n", out)?;
    writeln!(out, "VERTICES {n} {}", 2 * n)?;
    for sphere in 0..n {
        writeln!(out, "1 {sphere}")?;
    }
    writeln!(out, "POINT_DATA {n}")?;
    let mut arrays = vec![
        ("radius", "double", "{r}\n"),
        ("diameter", "double", "{d}\n"),
        ("id", "int", "{id}\n"),
    ];
    arrays.extend(scene.types.as_ref().map(|_| ("type", "int", "{type}\n")));
    for (name, kind, row) in arrays {
        writeln!(out, "SCALARS {name} {kind} 1\nLOOKUP_TABLE default")?;
        write_rows(scene, row, out)?;
    }
    Ok(())
}

/// Reads the points with their arrays `radius` or `diameter`, and `id` if there is one.
pub(super) fn read(mut input: impl BufRead, options: &ReadOptions) -> Result<Rows, ReadError> {
    let mut bytes = Vec::new();
    input.read_to_end(&mut bytes).map_err(ReadError::io)?;
    let mut file = File::open(&bytes)?;
    let points = file.points()?;
    let mut rows = vtk_points::rows(options)?;
    points.add_to(&mut rows, options)?;
    Ok(rows)
}

/// A file from some position on.
struct File<'a> {
    rest: &'a [u8],
    /// Number of the last line that was read.
    line: u64,
    is_binary: bool,
}

/// The section of a file in which arrays belong to points or to something else.
#[derive(PartialEq)]
enum Section {
    Points,
    Others,
}

impl<'a> File<'a> {
    /// Reads the first lines.
    fn open(bytes: &'a [u8]) -> Result<Self, ReadError> {
        let mut file = Self {
            rest: bytes,
            line: 0,
            is_binary: false,
        };
        let (first, _title) = (file.line_text()?, file.line_text()?);
        if !first.is_some_and(|first| first.starts_with(MARK)) {
            let what = format!("the file does not begin with '{}'", MARK.trim_end());
            return Err(ReadError::at(1, what));
        }
        let form = file.line_text()?.unwrap_or_default();
        file.is_binary = match form.to_ascii_uppercase().as_str() {
            "ASCII" => false,
            "BINARY" => true,
            _ => {
                return Err(
                    file.mistake(format!("the form is '{form}'; it must be ASCII or BINARY"))
                );
            }
        };
        let data = file.line_text()?.unwrap_or_default();
        let words: Vec<&str> = data.split_ascii_whitespace().collect();
        match words[..] {
            ["DATASET", "POLYDATA" | "UNSTRUCTURED_GRID"] => Ok(file),
            _ => Err(file.mistake(format!(
                "the file holds '{data}'; only DATASET POLYDATA and UNSTRUCTURED_GRID can be read"
            ))),
        }
    }

    /// Reads all sections.
    fn points(&mut self) -> Result<Points, ReadError> {
        let mut points = Points::default();
        let (mut section, mut size) = (Section::Others, 0);
        while let Some(text) = self.filled_line()? {
            let words: Vec<&str> = text.split_ascii_whitespace().collect();
            match words[..] {
                ["POINTS", count, kind] => {
                    let count = 3usize.saturating_mul(self.count(count)?);
                    points.coordinates = self.numbers(count, kind)?;
                }
                ["POLYGONS" | "TRIANGLE_STRIPS" | "LINES", count, size] => {
                    let cells = self.count(count)?;
                    refuse_surface(cells)?;
                    self.cells(count, size)?;
                }
                ["VERTICES" | "CELLS", count, size] => self.cells(count, size)?,
                ["CELL_TYPES", count] => {
                    let count = self.count(count)?;
                    refuse_surface(extended(&self.numbers(count, "int")?))?;
                }
                ["POINT_DATA", count] => (section, size) = (Section::Points, self.count(count)?),
                ["CELL_DATA", count] => (section, size) = (Section::Others, self.count(count)?),
                ["METADATA"] => self.skip_metadata()?,
                // Arrays are read if they have one number for each point.
                ["FIELD", _, arrays] => {
                    for _ in 0..self.count(arrays)? {
                        self.field(&section, &mut points)?;
                    }
                }
                ["LOOKUP_TABLE", _, entries] => {
                    let count = 4usize.saturating_mul(self.count(entries)?);
                    self.skip_colors(count)?;
                }
                ["COLOR_SCALARS", name, width] => {
                    let count = size.saturating_mul(self.count(width)?);
                    self.skip_colors(count)?;
                    points.unused.push(decoded(name));
                }
                ref attribute => {
                    let (name, width, kind) = self.attribute(attribute)?;
                    let values = self.numbers(size.saturating_mul(width), kind)?;
                    store(&mut points, &section, name, width, values);
                }
            }
        }
        Ok(points)
    }

    /// Reads the line of an attribute, and of its lookup table. Returns its name, the number of its components, and the type of the numbers.
    fn attribute<'w>(&mut self, words: &[&'w str]) -> Result<(&'w str, usize, &'w str), ReadError> {
        Ok(match *words {
            ["SCALARS", name, kind] => {
                self.lookup_table()?;
                (name, 1, kind)
            }
            ["SCALARS", name, kind, width] => {
                self.lookup_table()?;
                (name, self.count(width)?, kind)
            }
            ["VECTORS" | "NORMALS", name, kind] => (name, 3, kind),
            ["TENSORS", name, kind] => (name, 9, kind),
            ["TEXTURE_COORDINATES", name, width, kind] => (name, self.count(width)?, kind),
            _ => {
                let what = format!(
                    "'{}' stands where a section is expected, such as POINTS, VERTICES, POINT_DATA, SCALARS or FIELD",
                    words.join(" ")
                );
                return Err(self.mistake(what));
            }
        })
    }

    /// Reads the line that follows the line of scalars.
    fn lookup_table(&mut self) -> Result<(), ReadError> {
        let text = self.filled_line()?.unwrap_or_default();
        if text.starts_with("LOOKUP_TABLE") {
            return Ok(());
        }
        let what = format!("'{text}' stands where LOOKUP_TABLE of the scalars is expected");
        Err(self.mistake(what))
    }

    /// Reads one array of a field.
    fn field(&mut self, section: &Section, points: &mut Points) -> Result<(), ReadError> {
        let mut text = self.filled_line()?.unwrap_or_default();
        if text == "METADATA" {
            self.skip_metadata()?;
            text = self.filled_line()?.unwrap_or_default();
        }
        let words: Vec<&str> = text.split_ascii_whitespace().collect();
        let [name, width, count, kind] = words[..] else {
            let what = format!(
                "'{text}' stands where an array of a field is expected: its name, the numbers of components and of rows, and a type"
            );
            return Err(self.mistake(what));
        };
        let (width, count) = (self.count(width)?, self.count(count)?);
        let values = self.numbers(width.saturating_mul(count), kind)?;
        store(points, section, name, width, values);
        Ok(())
    }

    /// Skips the ids of cells: one table, or since version 5 two arrays with types of their own.
    fn cells(&mut self, count: &str, size: &str) -> Result<(), ReadError> {
        let (count, size) = (self.count(count)?, self.count(size)?);
        let before = (self.rest, self.line);
        let text = self.filled_line()?.unwrap_or_default();
        let Some(kind) = text.strip_prefix("OFFSETS ") else {
            (self.rest, self.line) = before;
            return self.numbers(size, "int").map(drop);
        };
        self.numbers(count, kind.trim())?;
        let text = self.filled_line()?.unwrap_or_default();
        let Some(kind) = text.strip_prefix("CONNECTIVITY ") else {
            let what = format!("'{text}' stands where CONNECTIVITY and its type are expected");
            return Err(self.mistake(what));
        };
        self.numbers(size, kind.trim()).map(drop)
    }

    /// Skips colors, which are bytes in binary files.
    fn skip_colors(&mut self, count: usize) -> Result<(), ReadError> {
        let kind = if self.is_binary {
            "unsigned_char"
        } else {
            "float"
        };
        self.numbers(count, kind).map(drop)
    }

    /// Skips the lines about an array up to an empty line.
    fn skip_metadata(&mut self) -> Result<(), ReadError> {
        while self.line_text()?.is_some_and(|text| !text.is_empty()) {}
        Ok(())
    }

    /// Reads the numbers of an array.
    fn numbers(&mut self, count: usize, kind: &str) -> Result<Vec<f64>, ReadError> {
        if !self.is_binary {
            return self.text_numbers(count);
        }
        let number = Number::from_legacy_vtk(kind)
            .ok_or_else(|| self.mistake(format!("numbers of the type '{kind}' cannot be read")))?;
        let size = count.saturating_mul(number.width());
        let (bytes, rest) = (self.rest.split_at_checked(size)).ok_or_else(|| {
            self.mistake(format!("the {count} numbers behind this line are cut off"))
        })?;
        self.rest = rest;
        Ok(number.decode_big_endian(bytes))
    }

    /// Reads numbers with white space between them.
    fn text_numbers(&mut self, count: usize) -> Result<Vec<f64>, ReadError> {
        let first = self.line;
        let mut numbers = Vec::new();
        while numbers.len() < count {
            let Some(text) = self.filled_line()? else {
                let found = numbers.len();
                let what = format!("{count} numbers must follow, but the file has {found}");
                return Err(ReadError::at(first, what));
            };
            for word in text.split_ascii_whitespace() {
                // Arrays that are not used may hold NaN.
                let number = word.parse::<f64>().map_err(|_| {
                    ReadError::at(
                        self.line,
                        format!("'{word}' stands where a number is expected"),
                    )
                })?;
                numbers.push(number);
            }
        }
        if numbers.len() > count {
            return Err(self.mistake(format!(
                "more than the {count} numbers announced on line {first} follow"
            )));
        }
        Ok(numbers)
    }

    /// Returns the next line without white space at its ends; `None` at the end of the file.
    fn line_text(&mut self) -> Result<Option<&'a str>, ReadError> {
        if self.rest.is_empty() {
            return Ok(None);
        }
        self.line += 1;
        let end = self.rest.iter().position(|&byte| byte == b'\n');
        let (line, rest) = match end {
            Some(end) => (&self.rest[..end], &self.rest[end + 1..]),
            None => (self.rest, &[][..]),
        };
        self.rest = rest;
        match str::from_utf8(line) {
            Ok(text) => Ok(Some(text.trim())),
            Err(_) => {
                Err(self.mistake("the line is no text where a section is expected".to_owned()))
            }
        }
    }

    /// Returns the next line that is not empty.
    fn filled_line(&mut self) -> Result<Option<&'a str>, ReadError> {
        while let Some(text) = self.line_text()? {
            if !text.is_empty() {
                return Ok(Some(text));
            }
        }
        Ok(None)
    }

    fn count(&self, text: &str) -> Result<usize, ReadError> {
        text::parse_count(text, "values", self.line)
    }

    /// Creates an error about the last line. Lines of binary files cannot be counted.
    fn mistake(&self, what: String) -> ReadError {
        if self.is_binary {
            ReadError::content(what)
        } else {
            ReadError::at(self.line, what)
        }
    }
}

/// Stores an array of points, or names it as unused.
fn store(points: &mut Points, section: &Section, name: &str, width: usize, values: Vec<f64>) {
    let name = decoded(name);
    if *section == Section::Points && width == 1 && is_used(&name) {
        points.store(&name, values);
    } else {
        points.unused.push(name);
    }
}

/// Returns the name of an array. VTK writes blanks as `%20`.
fn decoded(name: &str) -> String {
    name.replace("%20", " ")
}
