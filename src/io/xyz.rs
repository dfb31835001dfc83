//! Extended XYZ, as OVITO and ASE read and write it.

use std::io::{self, BufRead, Write};

use glam::DVec3;

use super::{
    Found, Problem, by_boundary,
    rows::{Columns, Lines, Rows, numbers, words, write_numbers},
};
use crate::{
    container::{Boundaries, Boundary, Container},
    packing::Packing,
};

pub(super) fn write(packing: &Packing, out: &mut dyn Write) -> io::Result<()> {
    let lengths = packing.container.lengths();
    let [px, py, pz] = by_boundary(packing.container.boundary(), "T", "F");
    writeln!(out, "{}", packing.spheres.len())?;
    write!(out, "Lattice=\"")?;
    let [x, y, z] = lengths.to_array();
    write_numbers(out, b" ", [x, 0.0, 0.0, 0.0, y, 0.0, 0.0, 0.0, z])?;
    writeln!(
        out,
        "\" Origin=\"0.0 0.0 0.0\" pbc=\"{px} {py} {pz}\" \
         Properties=species:S:1:pos:R:3:radius:R:1:id:I:1"
    )?;
    for (id, (center, radius)) in packing.spheres.iter().enumerate() {
        write!(out, "X ")?;
        write_numbers(out, b" ", [center.x, center.y, center.z, radius])?;
        writeln!(out, " {id}")?;
    }
    Ok(())
}

pub(super) fn read(input: impl BufRead, box_hint: Option<Container>) -> Result<Found, Problem> {
    let mut lines = Lines::new(input);
    let (_, text) = lines
        .next()?
        .ok_or_else(|| Problem::new("the file is empty"))?;
    let count: usize = text.parse().map_err(|_| {
        let what = format!("'{text}' is not the number of spheres");
        Problem::at(1, what)
    })?;
    let comment = lines.next()?.map_or("", |(_, text)| text);
    let Comment {
        columns,
        origin,
        container,
    } = Comment::parse(comment, box_hint)?;

    let mut rows = Rows::new(columns, origin, container);
    while let Some((line, text)) = lines.next()? {
        if text.is_empty() {
            continue;
        }
        if rows.len() == count {
            let what = format!(
                "there is more after the {count} spheres of line 1; the file must hold one frame only"
            );
            return Err(Problem::at(line, what));
        }
        let fields: Vec<&str> = text.split_ascii_whitespace().collect();
        rows.push(line, |column| fields.get(column).copied())?;
    }
    if rows.len() < count {
        let what = format!(
            "line 1 promises {count} spheres, but there are {}",
            rows.len()
        );
        return Err(Problem::new(what));
    }
    Ok(rows.finish())
}

/// What the second line says.
struct Comment {
    columns: Columns,
    origin: DVec3,
    container: Container,
}

impl Comment {
    const LINE: u64 = 2;

    fn parse(text: &str, box_hint: Option<Container>) -> Result<Self, Problem> {
        let pairs = key_values(text);
        let get = |key: &str| {
            pairs
                .iter()
                .find(|(found, _)| found.eq_ignore_ascii_case(key))
                .map(|&(_, value)| value)
        };
        let boundary = match get("pbc") {
            Some(value) => boundaries(value)?,
            None => box_hint
                .as_ref()
                .map(|hint| hint.boundary())
                .unwrap_or_default(),
        };
        let lengths = match (get("Lattice"), box_hint) {
            (Some(value), _) => lengths(value)?,
            (None, Some(hint)) => hint.lengths(),
            (None, None) => {
                return Err(Problem::at(
                    Self::LINE,
                    "there is no Lattice=\"ax 0 0 0 by 0 0 0 cz\" to say the container's lengths",
                ));
            }
        };
        let container = Container::new(lengths, boundary)
            .map_err(|error| Problem::at(Self::LINE, error.to_string()))?;
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

/// The `key=value` pairs of a line, where a value may be quoted or in brackets.
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

fn lengths(lattice: &str) -> Result<DVec3, Problem> {
    let m: [f64; 9] = numbers(lattice, "Lattice", Comment::LINE)?;
    if [1, 2, 3, 5, 6, 7].into_iter().any(|i| m[i] != 0.0) {
        let what = format!(
            "Lattice is '{lattice}'; only cells along the axes, ax 0 0 0 by 0 0 0 cz, can be read"
        );
        return Err(Problem::at(Comment::LINE, what));
    }
    Ok(DVec3::new(m[0], m[4], m[8]))
}

fn boundaries(pbc: &str) -> Result<Boundaries, Problem> {
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
            Problem::at(Comment::LINE, what)
        })
}

/// Finds positions and radii among `name:type:count` triples.
fn columns(properties: &str) -> Result<Columns, Problem> {
    let problem = |what: &str| {
        let what = format!("Properties is '{properties}'; {what}");
        Problem::at(Comment::LINE, what)
    };
    let fields: Vec<&str> = properties.split(':').collect();
    let (mut center, mut radius, mut id) = (None, None, None);
    let mut column = 0usize;
    for triple in fields.chunks(3) {
        let width = match triple {
            [_, _, count] => count
                .parse()
                .ok()
                .filter(|width| (1..=1000).contains(width)),
            _ => None,
        }
        .ok_or_else(|| problem("it must be name:type:count for each property"))?;
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
        (None, _) => Err(problem("it must have the positions, pos:R:3")),
        (_, None) => Err(problem("it must have the radii, radius:R:1")),
    }
}
