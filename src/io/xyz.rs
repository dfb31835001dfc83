//! Extended XYZ, as OVITO and ASE read and write it.

use std::io::{self, BufRead, Write};

use glam::DVec3;

use super::{
    columns_by_name::{Columns, NamedColumns},
    constants::MAX_PROPERTY_WIDTH,
    error::ReadError,
    export::Scene,
    frames::{Frames, announced_rows},
    kinds::is_kind,
    read_options::ReadOptions,
    rows::Rows,
    template::write_rows,
    text::{Lines, by_boundary, numbers, words, write_numbers},
};
use crate::container::{Boundaries, Boundary, Container};

pub(super) fn write(scene: &Scene, out: &mut dyn Write) -> io::Result<()> {
    if scene.is_first_part() {
        write_head(scene, out)?;
    }
    let row = match scene.types {
        Some(_) if scene.has_labels => "{name} {x} {y} {z} {r} {id}\n",
        Some(_) => "T{type} {x} {y} {z} {r} {id}\n",
        None => "X {x} {y} {z} {r} {id}\n",
    };
    write_rows(scene, row, out)
}

fn write_head(scene: &Scene, out: &mut dyn Write) -> io::Result<()> {
    let [px, py, pz] = by_boundary(scene.container.boundary(), "T", "F");
    writeln!(out, "{}", scene.total)?;
    write!(out, "Lattice=\"")?;
    let [x, y, z] = scene.container.lengths().to_array();
    write_numbers(out, b" ", [x, 0.0, 0.0, 0.0, y, 0.0, 0.0, 0.0, z])?;
    write!(out, "\" Origin=\"")?;
    write_numbers(out, b" ", scene.low.to_array())?;
    writeln!(
        out,
        "\" pbc=\"{px} {py} {pz}\" Properties=species:S:1:pos:R:3:radius:R:1:id:I:1"
    )
}

/// Reads one frame. The file may hold several.
pub(super) fn read(input: impl BufRead, options: &ReadOptions) -> Result<Rows, ReadError> {
    let mut lines = Lines::new(input);
    let mut frames = Frames::new(options);
    while let Some((first, count)) = count(&mut lines, frames.count)? {
        let comment = lines.next()?.map_or("", |(_, text)| text);
        let mut rows = if frames.wants_next() {
            Some(begin(comment, first + 1, options)?)
        } else {
            None
        };
        announced_rows(
            &mut lines,
            (first, count as u64),
            "spheres",
            |line, text| (rows.iter_mut()).try_for_each(|rows| rows.push_words(line, text)),
        )?;
        frames.end(rows);
    }
    frames.chosen("frame")
}

/// Reads the first line of a frame, the number of its spheres, and returns it with the number of the line; `None` at the end of the file.
fn count(lines: &mut Lines<impl BufRead>, frame: u64) -> Result<Option<(u64, usize)>, ReadError> {
    let next = if frame == 0 {
        lines.next()?
    } else {
        lines.next_filled()?
    };
    let Some((line, text)) = next else {
        let what = "the file is empty; its first line must be the number of spheres";
        return match frame {
            0 => Err(ReadError::content(what)),
            _ => Ok(None),
        };
    };
    let count = text.parse().map_err(|_| {
        let what = if frame == 0 {
            format!("'{text}' is no number of spheres; it must be a whole number")
        } else {
            format!(
                "'{text}' follows the announced number of spheres; another frame, which begins with its number of spheres, or nothing must follow"
            )
        };
        ReadError::at(line, what)
    })?;
    Ok(Some((line, count)))
}

/// The keys of the second line that are used.
const KEYS: [&str; 4] = ["Lattice", "Origin", "pbc", "Properties"];

/// Reads the second line of a frame, which the format calls the comment. Returns the rows without a sphere.
fn begin(text: &str, line: u64, options: &ReadOptions) -> Result<Rows, ReadError> {
    let pairs = key_values(text);
    let get = |key: &str| {
        pairs
            .iter()
            .find(|(found, _)| found.eq_ignore_ascii_case(key))
            .map(|&(_, value)| value)
    };
    let boundary = match get("pbc") {
        Some(value) => boundaries(value, line)?,
        None => options.boundary().unwrap_or_default(),
    };
    let lengths = match get("Lattice") {
        Some(value) => lengths(value, line)?,
        None => options
            .whole_container()
            .ok_or(ReadError::NoContainer {
                path: None,
                line: Some(line),
                what: "there is no Lattice=\"ax 0 0 0 by 0 0 0 cz\" with the lengths of the container",
            })?
            .lengths(),
    };
    let container = Container::bounding_box(lengths, boundary)
        .map_err(|error| ReadError::at(line, error.to_string()))?;
    let origin = match get("Origin") {
        Some(value) => numbers(value, "Origin", line)?.into(),
        None => DVec3::ZERO,
    };
    let columns = match &options.columns {
        Some(names) => names.find()?,
        None => columns(get("Properties").unwrap_or("species:S:1:pos:R:3"), line)?,
    };
    let rows = Rows::named(columns, origin, container, options);
    let mut rows = rows.map_err(|error| error.on_line(line))?;
    let is_used = |key: &str| KEYS.iter().any(|used| used.eq_ignore_ascii_case(key));
    let keys = pairs.iter().map(|&(key, _)| key);
    let unused: Vec<&str> = keys.filter(|key| !is_used(key)).collect();
    rows.leave_out("key", &unused);
    Ok(rows)
}

/// Returns the `key=value` pairs of a line. A value may be in quotation marks or brackets.
fn key_values(text: &str) -> Vec<(&str, &str)> {
    let mut pairs = Vec::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('=') {
        let key = before.split_whitespace().next_back().unwrap_or("");
        let after = after.trim_start();
        let closing = match after.chars().next() {
            Some(quote @ ('"' | '\'')) => Some(quote),
            Some('{') => Some('}'),
            _ => None,
        };
        let value;
        (value, rest) = match closing {
            Some(closing) => after[1..].split_once(closing),
            None if after.starts_with('[') => after
                .find("]]")
                .map(|end| end + 1)
                .or_else(|| after.find(']'))
                .map(|end| after.split_at(end + 1)),
            None => after.split_once(char::is_whitespace),
        }
        .unwrap_or((after, ""));
        pairs.push((key, value));
    }
    pairs
}

/// Returns the lengths of a lattice, which must have its vectors along the axes.
fn lengths(lattice: &str, line: u64) -> Result<DVec3, ReadError> {
    let m: [f64; 9] = numbers(lattice, "Lattice", line)?;
    if [1, 2, 3, 5, 6, 7].into_iter().any(|i| m[i] != 0.0) {
        let what = format!(
            "Lattice is '{lattice}'; only cells along the axes (ax 0 0 0 by 0 0 0 cz) can be read"
        );
        return Err(ReadError::at(line, what));
    }
    Ok(DVec3::new(m[0], m[4], m[8]))
}

/// Returns the boundary of each axis.
fn boundaries(pbc: &str, line: u64) -> Result<Boundaries, ReadError> {
    let axes: Option<Vec<Boundary>> = words(pbc)
        .map(|word| match word {
            "T" | "True" | "true" | "TRUE" | "1" => Some(Boundary::Periodic),
            "F" | "False" | "false" | "FALSE" | "0" => Some(Boundary::Wall),
            _ => None,
        })
        .collect();
    axes.and_then(|axes| axes.try_into().ok())
        .map(Boundaries)
        .ok_or_else(|| {
            let what = format!(
                "pbc is '{pbc}'; it must be T (periodic) or F (wall) for each axis, as in T T F"
            );
            ReadError::at(line, what)
        })
}

/// Finds the columns of positions, radii and ids among the `name:type:count` triples.
fn columns(properties: &str, line: u64) -> Result<NamedColumns, ReadError> {
    let mistake = |what: &str| {
        let what = format!("Properties is '{properties}'; {what}");
        ReadError::at(line, what)
    };
    let fields: Vec<&str> = properties.split(':').collect();
    let (mut center, mut radius, mut diameter) = (None, None, None);
    let (mut id, mut kind) = (None, None);
    let mut unused = Vec::new();
    let mut column = 0usize;
    for triple in fields.chunks(3) {
        let width = match triple {
            [_, _, count] => count
                .parse()
                .ok()
                .filter(|width| (1..=MAX_PROPERTY_WIDTH).contains(width)),
            _ => None,
        }
        .ok_or_else(|| mistake("it must be name:type:count for each property"))?;
        match (triple[0].to_ascii_lowercase().as_str(), width) {
            ("pos" | "position" | "positions", 3) => center = Some(column),
            ("radius" | "radii", 1) => radius = Some(column),
            ("diameter" | "diameters", 1) => diameter = Some(column),
            ("id", 1) => id = Some(column),
            (name, 1) if kind.is_none() && is_kind(name) => kind = Some(column),
            _ => unused.push((column, triple[0].to_owned())),
        }
        column += width;
    }
    let first = center.ok_or_else(|| mistake("it must have the positions, pos:R:3"))?;
    let size = radius.or(diameter);
    let columns = Columns {
        center: [first, first + 1, first + 2],
        size,
        is_diameter: radius.is_none(),
        id,
        kind,
        width: column,
    };
    if radius.is_some() {
        unused.extend(diameter.map(|column| (column, "diameter".to_owned())));
    }
    Ok(NamedColumns {
        columns,
        unit: String::new(),
        lacking: format!("Properties is '{properties}'; it lacks the radii, radius:R:1"),
        unused,
    })
}
