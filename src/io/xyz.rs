//! Extended XYZ, as OVITO and ASE read and write it.

use std::io::{self, BufRead, Write};

use glam::DVec3;

use super::{
    constants::MAX_PROPERTY_WIDTH,
    container_hint::ContainerHint,
    error::ReadError,
    export::Scene,
    rows::{Columns, Rows},
    template::write_rows,
    text::{Lines, by_boundary, numbers, words, write_numbers},
};
use crate::container::{Boundaries, Boundary, Container};

pub(super) fn write(scene: &Scene, out: &mut dyn Write) -> io::Result<()> {
    if scene.is_first_part() {
        write_head(scene, out)?;
    }
    let species = if scene.types.is_some() {
        "T{type}"
    } else {
        "X"
    };
    write_rows(
        scene,
        &format!("{species} {{x}} {{y}} {{z}} {{r}} {{id}}\n"),
        out,
    )
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

pub(super) fn read(input: impl BufRead, hint: Option<ContainerHint>) -> Result<Rows, ReadError> {
    let mut lines = Lines::new(input);
    let (_, text) = lines.next()?.ok_or_else(|| {
        ReadError::content("the file is empty; its first line must be the number of spheres")
    })?;
    let count: usize = text.parse().map_err(|_| {
        let what = format!("'{text}' is no number of spheres; it must be a whole number");
        ReadError::at(1, what)
    })?;
    let comment = lines.next()?.map_or("", |(_, text)| text);
    let Comment {
        columns,
        origin,
        container,
    } = Comment::parse(comment, hint)?;

    let mut rows = Rows::new(columns, origin, container);
    while let Some((line, text)) = lines.next()? {
        if text.is_empty() {
            continue;
        }
        if rows.len() == count {
            let what = format!(
                "line 1 announces {count} spheres, but more lines follow; the file must hold one snapshot only"
            );
            return Err(ReadError::at(line, what));
        }
        let fields: Vec<&str> = text.split_ascii_whitespace().collect();
        rows.push(line, |column| fields.get(column).copied())?;
    }
    if rows.len() < count {
        let what = format!(
            "line 1 announces {count} spheres, but the file has {}",
            rows.len()
        );
        return Err(ReadError::content(what));
    }
    Ok(rows)
}

/// The content of the second line, which the format calls the comment.
struct Comment {
    columns: Columns,
    origin: DVec3,
    container: Container,
}

impl Comment {
    const LINE: u64 = 2;

    fn parse(text: &str, hint: Option<ContainerHint>) -> Result<Self, ReadError> {
        let pairs = key_values(text);
        let get = |key: &str| {
            pairs
                .iter()
                .find(|(found, _)| found.eq_ignore_ascii_case(key))
                .map(|&(_, value)| value)
        };
        let boundary = match get("pbc") {
            Some(value) => boundaries(value)?,
            None => hint
                .as_ref()
                .map(ContainerHint::boundary)
                .unwrap_or_default(),
        };
        let lengths = match get("Lattice") {
            Some(value) => lengths(value)?,
            None => hint
                .and_then(ContainerHint::into_container)
                .ok_or(ReadError::NoContainer {
                    path: None,
                    line: Some(Self::LINE),
                    what: "there is no Lattice=\"ax 0 0 0 by 0 0 0 cz\" with the lengths of the container",
                })?
                .lengths(),
        };
        let container = Container::cuboid(lengths, boundary)
            .map_err(|error| ReadError::at(Self::LINE, error.to_string()))?;
        let origin = match get("Origin") {
            Some(value) => numbers(value, "Origin", Self::LINE)?.into(),
            None => DVec3::ZERO,
        };
        Ok(Self {
            columns: columns(get("Properties").unwrap_or("species:S:1:pos:R:3"))?,
            origin,
            container,
        })
    }
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
fn lengths(lattice: &str) -> Result<DVec3, ReadError> {
    let m: [f64; 9] = numbers(lattice, "Lattice", Comment::LINE)?;
    if [1, 2, 3, 5, 6, 7].into_iter().any(|i| m[i] != 0.0) {
        let what = format!(
            "Lattice is '{lattice}'; only cells along the axes (ax 0 0 0 by 0 0 0 cz) can be read"
        );
        return Err(ReadError::at(Comment::LINE, what));
    }
    Ok(DVec3::new(m[0], m[4], m[8]))
}

/// Returns the boundary of each axis.
fn boundaries(pbc: &str) -> Result<Boundaries, ReadError> {
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
            ReadError::at(Comment::LINE, what)
        })
}

/// Finds the columns of positions, radii and ids among the `name:type:count` triples.
fn columns(properties: &str) -> Result<Columns, ReadError> {
    let mistake = |what: &str| {
        let what = format!("Properties is '{properties}'; {what}");
        ReadError::at(Comment::LINE, what)
    };
    let fields: Vec<&str> = properties.split(':').collect();
    let (mut center, mut radius, mut id) = (None, None, None);
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
            ("radius", 1) => radius = Some(column),
            ("id", 1) => id = Some(column),
            _ => {}
        }
        column += width;
    }
    match (center, radius) {
        (Some(first), Some(size)) => Ok(Columns {
            center: [first, first + 1, first + 2],
            size,
            is_diameter: false,
            id,
        }),
        (None, _) => Err(mistake("it must have the positions, pos:R:3")),
        (_, None) => Err(mistake("it must have the radii, radius:R:1")),
    }
}
