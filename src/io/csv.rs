//! Comma-separated values: `id,x,y,z,radius`.

use std::io::{self, BufRead, Write};

use glam::DVec3;

use super::{
    Found, Problem,
    rows::{Columns, Rows, write_numbers},
};
use crate::{container::Container, packing::Packing};

pub(super) fn write(packing: &Packing, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "id,x,y,z,radius")?;
    for (id, (center, radius)) in packing.spheres.iter().enumerate() {
        write!(out, "{id},")?;
        write_numbers(out, b",", [center.x, center.y, center.z, radius])?;
        writeln!(out)?;
    }
    Ok(())
}

/// Columns are found by their names in the first row, `diameter` may stand for `radius`, others are ignored.
pub(super) fn read(input: impl BufRead, box_hint: Option<Container>) -> Result<Found, Problem> {
    let container = box_hint.ok_or_else(|| {
        Problem::new(
            "a .csv file does not hold the container, whose lengths and boundary must be given",
        )
    })?;
    let mut reader = csv::ReaderBuilder::new()
        .flexible(true)
        .trim(csv::Trim::All)
        .from_reader(input);
    let columns = columns(reader.headers().map_err(problem)?)?;
    let mut rows = Rows::new(columns, DVec3::ZERO, container);
    let mut record = csv::StringRecord::new();
    while reader.read_record(&mut record).map_err(problem)? {
        let line = record.position().map_or(0, csv::Position::line);
        rows.push(line, |column| record.get(column))?;
    }
    Ok(rows.finish())
}

fn columns(header: &csv::StringRecord) -> Result<Columns, Problem> {
    let find = |name: &str| {
        header
            .iter()
            .position(|found| found.eq_ignore_ascii_case(name))
    };
    let need = |found: Option<usize>, name: &str| {
        found.ok_or_else(|| {
            let names: Vec<_> = header.iter().take(20).collect();
            let what = format!(
                "the header '{}' has no column {name}; it must name x, y, z and radius or diameter",
                names.join(",")
            );
            Problem::at(1, what)
        })
    };
    let center = [
        need(find("x"), "x")?,
        need(find("y"), "y")?,
        need(find("z"), "z")?,
    ];
    let radius = find("radius");
    Ok(Columns {
        center,
        size: need(radius.or_else(|| find("diameter")), "radius")?,
        is_diameter: radius.is_none(),
        id: find("id"),
    })
}

fn problem(error: csv::Error) -> Problem {
    Problem {
        line: error.position().map(csv::Position::line),
        what: match error.kind() {
            csv::ErrorKind::Utf8 { .. } => "the text is not UTF-8".to_owned(),
            _ => error.to_string(),
        },
    }
}
