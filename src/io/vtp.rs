//! VTK PolyData, one vertex for each sphere.

use std::io::{self, Write};

use base64::{engine::general_purpose::STANDARD, write::EncoderWriter};

use crate::packing::Packing;

pub(super) fn write(packing: &Packing, out: &mut dyn Write) -> io::Result<()> {
    let spheres = &packing.spheres;
    let n = spheres.len();
    writeln!(
        out,
        "<?xml version=\"1.0\"?>\n\
         <VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n\
         <PolyData>\n\
         <Piece NumberOfPoints=\"{n}\" NumberOfVerts=\"{n}\" NumberOfLines=\"0\" NumberOfStrips=\"0\" NumberOfPolys=\"0\">\n\
         <PointData Scalars=\"radius\">"
    )?;
    let radii = spheres.radii();
    array(
        out,
        "Name=\"radius\" type=\"Float64\"",
        n,
        radii.iter().map(|r| r.to_le_bytes()),
    )?;
    let diameters = radii.iter().map(|r| (2.0 * r).to_le_bytes());
    array(out, "Name=\"diameter\" type=\"Float64\"", n, diameters)?;
    array(out, "Name=\"id\" type=\"Int64\"", n, (0..n).map(integer))?;
    writeln!(out, "</PointData>\n<Points>")?;
    let coordinates = spheres
        .centers()
        .iter()
        .flat_map(|center| center.to_array().map(f64::to_le_bytes));
    let points = "Name=\"Points\" type=\"Float64\" NumberOfComponents=\"3\"";
    array(out, points, 3 * n, coordinates)?;
    writeln!(out, "</Points>\n<Verts>")?;
    array(
        out,
        "Name=\"connectivity\" type=\"Int64\"",
        n,
        (0..n).map(integer),
    )?;
    array(
        out,
        "Name=\"offsets\" type=\"Int64\"",
        n,
        (1..=n).map(integer),
    )?;
    writeln!(out, "</Verts>\n</Piece>\n</PolyData>\n</VTKFile>")
}

fn integer(value: usize) -> [u8; 8] {
    (value as i64).to_le_bytes()
}

/// Writes one array of `count` numbers of eight bytes each.
///
/// The byte count and the numbers form one base64 stream. If they were encoded separately, VTK would read them, but
/// OVITO would read wrong numbers.
fn array(
    out: &mut dyn Write,
    attributes: &str,
    count: usize,
    numbers: impl Iterator<Item = [u8; 8]>,
) -> io::Result<()> {
    writeln!(out, "<DataArray {attributes} format=\"binary\">")?;
    let mut encoder = EncoderWriter::new(&mut *out, &STANDARD);
    encoder.write_all(&(8 * count as u64).to_le_bytes())?;
    for number in numbers {
        encoder.write_all(&number)?;
    }
    encoder.finish()?;
    drop(encoder);
    writeln!(out, "\n</DataArray>")
}
