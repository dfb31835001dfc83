//! Rows of text, one for each sphere, from a template.

use std::io::{self, Write};

use glam::DVec3;

use super::{constants::ROW_BUFFER, export::Scene};

/// A part of a template.
enum Piece<'a> {
    Text(&'a str),
    /// The number of the sphere, plus this number.
    Id(u64),
    /// The type of the sphere, less this number.
    Type(u32),
    /// The name of the type, as one word.
    Name,
    /// A number at this position among [`NUMBERS`].
    Number(usize),
}

/// The names of the numbers of a sphere.
const NUMBERS: [&str; 6] = ["x", "y", "z", "r", "d", "rho"];

/// Writes one row for each sphere.
///
/// In the template, `{id}` stands for the number of the sphere from 0, `{id1}` from 1, `{type}` for its type from 1 and `{type0}` from 0, `{name}` for the name of the type as one word, `{x}`,
/// `{y}` and `{z}` for its center, `{r}` and `{d}` for its radius and diameter, and `{rho}` for its density. Numbers are the
/// shortest decimals that read back to the same f64.
pub(super) fn write_rows(scene: &Scene, template: &str, out: &mut dyn Write) -> io::Result<()> {
    let pieces = parse(template);
    let names: Vec<String> = (1..=scene.type_count)
        .map(|kind| one_word(&scene.type_name(kind)))
        .collect();
    let mut buffer = zmij::Buffer::new();
    let mut rows = Vec::with_capacity(2 * ROW_BUFFER);
    for (sphere, (center, radius)) in scene.spheres.iter().enumerate() {
        let DVec3 { x, y, z } = center;
        let numbers = [x, y, z, radius, 2.0 * radius, scene.density_of(sphere)];
        for piece in &pieces {
            match piece {
                Piece::Text(text) => rows.extend_from_slice(text.as_bytes()),
                Piece::Id(first) => write!(rows, "{}", scene.id(sphere) + first)?,
                Piece::Type(less) => write!(rows, "{}", scene.type_of(sphere) - less)?,
                Piece::Name => {
                    rows.extend_from_slice(names[scene.type_of(sphere) as usize - 1].as_bytes());
                }
                Piece::Number(position) => {
                    let number = buffer.format_finite(numbers[*position]);
                    rows.extend_from_slice(number.as_bytes());
                }
            }
        }
        if rows.len() >= ROW_BUFFER {
            out.write_all(&rows)?;
            rows.clear();
        }
    }
    out.write_all(&rows)
}

/// Returns a name without blanks, which separate the columns of a row.
fn one_word(name: &str) -> String {
    name.replace(char::is_whitespace, "_")
}

/// Splits a template at its braces. Templates are constants of the writers, so an unknown name is a mistake in one of them.
fn parse(template: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    for part in template.split_inclusive('}') {
        let (text, name) = match part.strip_suffix('}').and_then(|part| part.split_once('{')) {
            Some((text, name)) => (text, Some(name)),
            None => (part, None),
        };
        pieces.push(Piece::Text(text));
        pieces.extend(name.map(|name| match name {
            "id" => Piece::Id(0),
            "id1" => Piece::Id(1),
            "type" => Piece::Type(0),
            "type0" => Piece::Type(1),
            "name" => Piece::Name,
            _ => match NUMBERS.iter().position(|number| *number == name) {
                Some(position) => Piece::Number(position),
                None => unreachable!("no value has the name '{name}'"),
            },
        }));
    }
    pieces
}
