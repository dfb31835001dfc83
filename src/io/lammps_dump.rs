//! LAMMPS dump files: snapshots with `id type x y z radius`.

use std::io::{self, BufRead, Write};

use glam::DVec3;

use super::{
    columns_by_name::NamedColumns,
    error::ReadError,
    export::Scene,
    frames::Frames,
    lammps::tilted,
    read_options::ReadOptions,
    rows::Rows,
    template::write_rows,
    text::{Lines, boundaries, by_boundary, numbers, parse_count, write_numbers},
};
use crate::container::{Boundaries, Container};

pub(super) fn write(scene: &Scene, out: &mut dyn Write) -> io::Result<()> {
    if scene.is_first_part() {
        write_head(scene, out)?;
    }
    write_rows(scene, "{id1} {type} {x} {y} {z} {r}\n", out)
}

fn write_head(scene: &Scene, out: &mut dyn Write) -> io::Result<()> {
    writeln!(
        out,
        "ITEM: TIMESTEP\n0\nITEM: NUMBER OF ATOMS\n{}",
        scene.total
    )?;
    let [px, py, pz] = by_boundary(scene.container.boundary(), "pp", "ff");
    writeln!(out, "ITEM: BOX BOUNDS {px} {py} {pz}")?;
    let (low, high) = (scene.low, scene.high());
    for axis in 0..3 {
        write_numbers(out, b" ", [low[axis], high[axis]])?;
        writeln!(out)?;
    }
    writeln!(out, "ITEM: ATOMS id type x y z radius")
}

/// Reads one snapshot. The file may hold several.
pub(super) fn read(input: impl BufRead, options: &ReadOptions) -> Result<Rows, ReadError> {
    let mut lines = Lines::new(input);
    let mut frames = Frames::new(options);
    let mut item = next_item(&mut lines)?;
    while item.is_some() {
        let rows = if frames.wants_next() {
            Some(snapshot(&mut lines, &mut item, options)?)
        } else {
            skip(&mut lines, &mut item)?;
            None
        };
        frames.end(rows);
    }
    if frames.count == 0 {
        let what = "the file has no line 'ITEM: ATOMS id type x y z radius'";
        return Err(ReadError::content(what));
    }
    frames.chosen("snapshot")
}

/// A line that begins with `ITEM:`, with its number and without this word.
type Item = (u64, String);

/// Returns the next item, after any other lines.
fn next_item(lines: &mut Lines<impl BufRead>) -> Result<Option<Item>, ReadError> {
    while let Some((line, text)) = lines.next()? {
        if let Some(item) = text.strip_prefix("ITEM:") {
            return Ok(Some((line, item.trim().to_owned())));
        }
    }
    Ok(None)
}

/// Moves behind the snapshot that begins with an item. A snapshot has one item ATOMS, which is its last one.
fn skip(lines: &mut Lines<impl BufRead>, item: &mut Option<Item>) -> Result<(), ReadError> {
    while let Some((_, text)) = item {
        let is_last = text.starts_with("ATOMS");
        *item = next_item(lines)?;
        if is_last {
            break;
        }
    }
    Ok(())
}

/// Reads the snapshot that begins with an item, and puts the first item of the next snapshot in its place.
fn snapshot(
    lines: &mut Lines<impl BufRead>,
    item: &mut Option<Item>,
    options: &ReadOptions,
) -> Result<Rows, ReadError> {
    let (mut count, mut bounds, mut unused) = (None, None, Vec::new());
    let (line, names) = loop {
        let (line, text) = item.take().ok_or_else(|| {
            ReadError::content("the file has no line 'ITEM: ATOMS id type x y z radius'")
        })?;
        if text.starts_with("NUMBER OF ATOMS") {
            let (line, text) = lines.next()?.unwrap_or((0, ""));
            count = Some(parse_count(text, "atoms", line)?);
        } else if let Some(kinds) = text.strip_prefix("BOX BOUNDS") {
            bounds = Some(Bounds::read(kinds, line, lines)?);
        } else if let Some(names) = text.strip_prefix("ATOMS") {
            break (line, names.to_owned());
        } else if !matches!(text.as_str(), "TIMESTEP" | "TIME") {
            unused.push(text);
        }
        *item = next_item(lines)?;
    };
    let count =
        count.ok_or_else(|| ReadError::content("the file has no line 'ITEM: NUMBER OF ATOMS'"))?;
    let bounds =
        bounds.ok_or_else(|| ReadError::content("the file has no line 'ITEM: BOX BOUNDS'"))?;
    let names = names.split_ascii_whitespace().collect();
    let (columns, is_scaled) = columns(names).map_err(|what| ReadError::at(line, what))?;
    let mut rows = Rows::named(columns, bounds.origin, bounds.container(options)?, options)?;
    rows.scale = is_scaled.then_some((bounds.origin, bounds.lengths));
    rows.leave_out("item", &unused);
    while let Some((line, text)) = lines.next_filled()? {
        if let Some(text) = text.strip_prefix("ITEM:") {
            *item = Some((line, text.trim().to_owned()));
            break;
        }
        rows.push_words(line, text)?;
    }
    if rows.len() == count {
        return Ok(rows);
    }
    let what = format!(
        "the file announces {count} atoms, but it has {}",
        rows.len()
    );
    Err(ReadError::at(line, what))
}

/// The box of a snapshot.
struct Bounds {
    line: u64,
    origin: DVec3,
    lengths: DVec3,
    /// `None` if the snapshot does not state it.
    boundary: Option<Boundaries>,
}

impl Bounds {
    /// Reads the three lines that follow the line `line`, which ends with the words `words`: perhaps those of a tilted box, and the kinds
    /// of the faces. A box whose tilt is 0 has its edges along the axes.
    fn read(words: &str, line: u64, lines: &mut Lines<impl BufRead>) -> Result<Self, ReadError> {
        let words: Vec<&str> = words.split_ascii_whitespace().collect();
        let (form, kinds) = match words[..] {
            ["xy", "xz", "yz", ref kinds @ ..] => (Form::Tilts, kinds),
            ["abc", "origin", ref kinds @ ..] => (Form::Edges, kinds),
            ref kinds => (Form::Bounds, kinds),
        };
        let boundary = match *kinds {
            [] => None,
            [x, y, z] => Some(boundaries([x, y, z].map(|kind| kind == "pp"))),
            _ => {
                let what = format!(
                    "the bounds are '{}'; they must be those of x, y and z, as in pp pp ff",
                    words.join(" ")
                );
                return Err(ReadError::at(line, what));
            }
        };
        let (mut origin, mut lengths) = (DVec3::ZERO, DVec3::ZERO);
        for axis in 0..3 {
            let (line, text) = lines.next()?.unwrap_or((line, ""));
            let is_tilted = match form {
                Form::Bounds => {
                    let [low, high] = numbers(text, "the bounds", line)?;
                    (origin[axis], lengths[axis]) = (low, high - low);
                    false
                }
                Form::Tilts => {
                    let [low, high, tilt] = numbers(text, "the bounds", line)?;
                    (origin[axis], lengths[axis]) = (low, high - low);
                    tilt != 0.0
                }
                Form::Edges => {
                    let [edge @ .., low] = numbers::<4>(text, "the edge vector", line)?;
                    (origin[axis], lengths[axis]) = (low, edge[axis]);
                    (0..3).any(|other| other != axis && edge[other] != 0.0)
                }
            };
            if is_tilted {
                return Err(tilted(text, line));
            }
        }
        Ok(Self {
            line,
            origin,
            lengths,
            boundary,
        })
    }

    fn container(&self, options: &ReadOptions) -> Result<Container, ReadError> {
        let boundary = self.boundary.or(options.boundary());
        let boundary = boundary.ok_or(ReadError::NoBoundary { path: None })?;
        Container::cuboid(self.lengths, boundary)
            .map_err(|error| ReadError::at(self.line, error.to_string()))
    }
}

/// The form of the three lines with the bounds.
#[derive(Clone, Copy)]
enum Form {
    /// Low and high bound.
    Bounds,
    /// Low and high bound, and a tilt.
    Tilts,
    /// The components of an edge, and a coordinate of the low corner.
    Edges,
}

/// Finds the columns. Returns them, and whether the coordinates are shares of the box.
fn columns(mut names: Vec<&str>) -> Result<(NamedColumns, bool), String> {
    const AXES: [&str; 3] = ["x", "y", "z"];
    // Centers may be wrapped or not, as lengths or as shares of the box.
    for (suffix, is_scaled) in [("", false), ("u", false), ("s", true), ("su", true)] {
        let find = |axis: &str| {
            let mut names = names.iter();
            names.position(|name| name.strip_prefix(axis) == Some(suffix))
        };
        if let [Some(x), Some(y), Some(z)] = AXES.map(find) {
            for (column, axis) in [x, y, z].into_iter().zip(AXES) {
                names[column] = axis;
            }
            return Ok((NamedColumns::find(&names)?, is_scaled));
        }
    }
    Ok((NamedColumns::find(&names)?, false))
}
