//! Drawings in the format DXF of AutoCAD Release 12, as text: circles in one layer for each type, and borders as circles and polylines.
//!
//! Source: DXF Reference (Autodesk), sections "HEADER" and "ENTITIES". Release 12 needs neither tables nor handles.

use std::io::{self, Write};

use glam::DVec2;

use super::{export::Scene, template::write_rows, text::write_numbers};
use crate::container::{Rectangle, Solid};

/// Layers of the borders.
const CONTAINER: &str = "container";
const BODIES: &str = "bodies";

/// A disk. Its layer is the type.
const DISK: &str = "0\nCIRCLE\n8\ndisks_{type}\n10\n{x}\n20\n{y}\n30\n0.0\n40\n{r}\n";

pub(super) fn write(scene: &Scene, out: &mut dyn Write) -> io::Result<()> {
    let (low, high) = (scene.low.truncate(), scene.high().truncate());
    out.write_all(b"0\nSECTION\n2\nHEADER\n9\n$ACADVER\n1\nAC1009\n9\n$EXTMIN\n")?;
    write_point(low, out)?;
    out.write_all(b"9\n$EXTMAX\n")?;
    write_point(high, out)?;
    out.write_all(b"0\nENDSEC\n0\nSECTION\n2\nENTITIES\n")?;
    let container = &scene.container;
    let middle = match container.solid() {
        Solid::Outline(_) => low,
        _ => low.midpoint(high),
    };
    write_solid(container.solid(), middle, CONTAINER, out)?;
    let bodies = (container.bodies().iter())
        .flat_map(|body| body.images(container.lengths(), container.periods()));
    for body in bodies {
        write_solid(&body.solid, low + body.position.truncate(), BODIES, out)?;
    }
    write_rows(scene, DISK, out)?;
    out.write_all(b"0\nENDSEC\n0\nEOF\n")
}

/// Writes the border of a flat solid around its middle; for an outline, `at` is the lowest corner.
fn write_solid(solid: &Solid, at: DVec2, layer: &str, out: &mut dyn Write) -> io::Result<()> {
    match solid {
        Solid::Circle(circle) => {
            write!(out, "0\nCIRCLE\n8\n{layer}\n")?;
            write_point(at, out)?;
            out.write_all(b"40\n")?;
            write_numbers(out, b"", [0.5 * circle.diameter])?;
            out.write_all(b"\n")
        }
        Solid::Rectangle(Rectangle { lengths }) => {
            let corners = [[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]];
            let corners = corners.map(|share| at + *lengths * DVec2::from(share));
            write_ring(corners, layer, out)
        }
        Solid::Outline(outline) => outline
            .rings()
            .try_for_each(|ring| write_ring(ring.into_iter().map(|point| at + point), layer, out)),
        _ => Ok(()),
    }
}

/// Writes a closed polyline.
fn write_ring(
    points: impl IntoIterator<Item = DVec2>,
    layer: &str,
    out: &mut dyn Write,
) -> io::Result<()> {
    write!(out, "0\nPOLYLINE\n8\n{layer}\n66\n1\n")?;
    write_point(DVec2::ZERO, out)?;
    out.write_all(b"70\n1\n")?;
    for point in points {
        write!(out, "0\nVERTEX\n8\n{layer}\n")?;
        write_point(point, out)?;
    }
    write!(out, "0\nSEQEND\n8\n{layer}\n")
}

fn write_point(point: DVec2, out: &mut dyn Write) -> io::Result<()> {
    for (code, coordinate) in [("10\n", point.x), ("20\n", point.y), ("30\n", 0.0)] {
        out.write_all(code.as_bytes())?;
        write_numbers(out, b"", [coordinate])?;
        out.write_all(b"\n")?;
    }
    Ok(())
}
