//! Commands for PFC3D: the domain of the model, and one command for each ball.

use std::{
    collections::BTreeSet,
    io::{self, BufRead, Write},
};

use glam::DVec3;

use super::{
    error::ReadError,
    export::Scene,
    read_options::ReadOptions,
    rows::Rows,
    template::write_rows,
    text::{Lines, boundaries, by_boundary, number, write_numbers},
};
use crate::container::{Boundaries, Container};

/// Writes a command for the domain, and one for each ball.
pub(super) fn write(scene: &Scene, out: &mut dyn Write) -> io::Result<()> {
    let (low, high) = (scene.low, scene.high());
    write!(out, "model domain extent ")?;
    write_numbers(out, b" ", [low.x, high.x, low.y, high.y, low.z, high.z])?;
    let [px, py, pz] = by_boundary(scene.container.boundary(), "periodic", "stop");
    writeln!(out, " condition {px} {py} {pz}")?;
    let row = "ball create id {id1} radius {r} position ({x},{y},{z})\n";
    write_rows(scene, row, out)
}

/// The fields of a ball, in the order in which they are passed on.
const COLUMNS: [&str; 5] = ["id", "x", "y", "z", "radius"];

/// Commands that create, move or remove balls in ways that a file does not show.
const HIDDEN: [&str; 4] = ["generate", "distribute", "delete", "import"];

/// Reads the commands `model domain extent` and `ball create`. Other commands are named as unused, but for those that change the balls.
pub(super) fn read(input: impl BufRead, options: &ReadOptions) -> Result<Rows, ReadError> {
    let mut lines = Lines::new(input);
    let mut domain: Option<Domain> = None;
    let mut rows: Option<Rows> = None;
    let mut others = BTreeSet::new();
    while let Some((line, text)) = lines.next_filled()? {
        // A comment begins with a semicolon.
        let command = text.split(';').next().unwrap_or("").to_ascii_lowercase();
        let is_separator = |c: char| c.is_whitespace() || "(),".contains(c);
        let words = command.split(is_separator).filter(|word| !word.is_empty());
        let words: Vec<&str> = words.collect();
        match words[..] {
            [] => {}
            ["model", "domain", ref rest @ ..] | ["domain", ref rest @ ..] => {
                if rows.is_some() {
                    let what = "the domain follows the first ball; it must stand before all balls";
                    return Err(ReadError::at(line, what));
                }
                domain.get_or_insert_default().read(rest, line)?;
            }
            ["ball", "create", ref rest @ ..] => {
                let rows = match &mut rows {
                    Some(rows) => rows,
                    None => rows.insert(begin(domain.as_ref(), options)?),
                };
                let fields = ball(rest, line)?;
                rows.push(line, |column| fields.get(column).copied().flatten())?;
            }
            ["ball", command, ref rest @ ..]
                if HIDDEN.contains(&command)
                    || rest
                        .iter()
                        .any(|word| matches!(*word, "radius" | "position")) =>
            {
                let what = format!(
                    "the command 'ball {command}' cannot be read; all balls must come from 'ball create'"
                );
                return Err(ReadError::at(line, what));
            }
            [first, ref rest @ ..] => {
                others.insert(match rest.first() {
                    Some(second) => format!("{first} {second}"),
                    None => first.to_owned(),
                });
            }
        }
    }
    let mut rows = rows.map_or_else(|| begin(domain.as_ref(), options), Ok)?;
    let others: Vec<String> = others.into_iter().collect();
    rows.leave_out("command", &others);
    Ok(rows)
}

/// Begins with no sphere, in the domain of the file or the container of the options.
fn begin(domain: Option<&Domain>, options: &ReadOptions) -> Result<Rows, ReadError> {
    let (low, container) = match domain {
        Some(&Domain {
            low,
            high,
            line,
            boundary,
        }) => {
            let boundary = boundary.or(options.boundary()).unwrap_or(Boundaries::WALLS);
            let container = Container::cuboid(high - low, boundary)
                .map_err(|error| ReadError::at(line, error.to_string()))?;
            (low, container)
        }
        None => {
            let missing = "the file has no command 'model domain extent' with the container";
            (DVec3::ZERO, options.required_container(missing)?)
        }
    };
    Rows::fixed(&COLUMNS, low, container, options)
}

/// The domain of the model.
#[derive(Default)]
struct Domain {
    low: DVec3,
    high: DVec3,
    line: u64,
    /// `None` if no command states it.
    boundary: Option<Boundaries>,
}

impl Domain {
    /// Reads the words behind `domain`: `extent` with one pair of bounds for all axes, or one for each, and `condition` with one word or three.
    fn read(&mut self, words: &[&str], line: u64) -> Result<(), ReadError> {
        self.line = line;
        let mut words = words;
        while let [keyword, rest @ ..] = words {
            let is_value = |word: &&&str| !matches!(**word, "extent" | "condition");
            let count = rest.iter().take_while(is_value).count();
            let values;
            (values, words) = rest.split_at(count);
            match (*keyword, values) {
                ("extent", &[low, high]) => self.extent([low, high, low, high, low, high], line)?,
                ("extent", &[x, u, y, v, z, w]) => self.extent([x, u, y, v, z, w], line)?,
                ("condition", &[all]) => self.condition([all; 3]),
                ("condition", &[x, y, z]) => self.condition([x, y, z]),
                _ => {
                    let what = format!(
                        "the domain has '{keyword} {}'; it must have extent with two or six numbers, and perhaps condition with one word or three",
                        values.join(" ")
                    );
                    return Err(ReadError::at(line, what));
                }
            }
        }
        Ok(())
    }

    fn extent(&mut self, bounds: [&str; 6], line: u64) -> Result<(), ReadError> {
        for (axis, pair) in bounds.chunks(2).enumerate() {
            self.low[axis] = number(pair[0], "the low bound", line)?;
            self.high[axis] = number(pair[1], "the high bound", line)?;
        }
        Ok(())
    }

    fn condition(&mut self, words: [&str; 3]) {
        self.boundary = Some(boundaries(words.map(|word| word == "periodic")));
    }
}

/// Returns the fields of a ball. The words may have any order; a missing coordinate is 0, as in PFC.
fn ball<'a>(words: &[&'a str], line: u64) -> Result<[Option<&'a str>; 5], ReadError> {
    let mut fields = [None, Some("0"), Some("0"), Some("0"), None];
    let mut words = words;
    loop {
        words = match words {
            [] => return Ok(fields),
            ["id", value, rest @ ..] => {
                fields[0] = Some(*value);
                rest
            }
            ["radius" | "rad", value, rest @ ..] => {
                fields[4] = Some(*value);
                rest
            }
            ["position" | "pos", x, y, z, rest @ ..] => {
                fields[1..4].copy_from_slice(&[Some(*x), Some(*y), Some(*z)]);
                rest
            }
            [axis @ ("x" | "y" | "z"), value, rest @ ..] => {
                let column = COLUMNS.iter().position(|name| name == axis);
                fields[column.unwrap_or_default()] = Some(*value);
                rest
            }
            ["group", _, "slot", _, rest @ ..] | ["group", _, rest @ ..] => rest,
            [word, ..] => {
                let what = format!(
                    "'ball create' has '{word}'; it must have id, radius, position with three numbers, x, y, z or group"
                );
                return Err(ReadError::at(line, what));
            }
        };
    }
}
