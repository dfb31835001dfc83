//! VTK PolyData and unstructured grids, one vertex for each sphere.

use std::io::{self, Write};

use base64::{engine::general_purpose::STANDARD, write::EncoderWriter};

use super::export::Scene;

/// Writes PolyData.
pub(super) fn write(scene: &Scene, out: &mut dyn Write) -> io::Result<()> {
    let n = scene.len();
    let piece = format!(
        "<Piece NumberOfPoints=\"{n}\" NumberOfVerts=\"{n}\" NumberOfLines=\"0\" NumberOfStrips=\"0\" NumberOfPolys=\"0\">"
    );
    write_file(scene, "PolyData", &piece, out, |out| {
        writeln!(out, "<Verts>")?;
        vertices(n, out)?;
        writeln!(out, "</Verts>")
    })
}

/// Writes an unstructured grid.
pub(super) fn write_grid(scene: &Scene, out: &mut dyn Write) -> io::Result<()> {
    let n = scene.len();
    let piece = format!("<Piece NumberOfPoints=\"{n}\" NumberOfCells=\"{n}\">");
    write_file(scene, "UnstructuredGrid", &piece, out, |out| {
        writeln!(out, "<Cells>")?;
        vertices(n, out)?;
        let vertex = std::iter::repeat_n([1u8], n);
        array(out, "Name=\"types\" type=\"UInt8\"", n, vertex)?;
        writeln!(out, "</Cells>")
    })
}

fn write_file(
    scene: &Scene,
    kind: &str,
    piece: &str,
    out: &mut dyn Write,
    cells: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    writeln!(
        out,
        "<?xml version=\"1.0\"?>\n\
         <VTKFile type=\"{kind}\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n\
         <{kind}>\n\
         {piece}\n\
         <PointData Scalars=\"radius\">"
    )?;
    point_data(scene, out)?;
    writeln!(out, "</PointData>\n<Points>")?;
    let coordinates =
        (scene.spheres.centers().iter()).flat_map(|center| center.to_array().map(f64::to_le_bytes));
    let points = "Name=\"Points\" type=\"Float64\" NumberOfComponents=\"3\"";
    array(out, points, 3 * scene.len(), coordinates)?;
    writeln!(out, "</Points>")?;
    cells(out)?;
    writeln!(out, "</Piece>\n</{kind}>\n</VTKFile>")
}

fn point_data(scene: &Scene, out: &mut dyn Write) -> io::Result<()> {
    let (n, radii) = (scene.len(), scene.spheres.radii());
    let bytes = radii.iter().map(|r| r.to_le_bytes());
    array(out, "Name=\"radius\" type=\"Float64\"", n, bytes)?;
    let bytes = radii.iter().map(|r| (2.0 * r).to_le_bytes());
    array(out, "Name=\"diameter\" type=\"Float64\"", n, bytes)?;
    let ids = (0..n).map(|sphere| scene.id(sphere).to_le_bytes());
    array(out, "Name=\"id\" type=\"Int64\"", n, ids)?;
    if scene.types.is_some() {
        let types = (0..n).map(|sphere| u64::from(scene.type_of(sphere)).to_le_bytes());
        array(out, "Name=\"type\" type=\"Int64\"", n, types)?;
    }
    Ok(())
}

/// Writes one cell of one point for each sphere.
fn vertices(n: usize, out: &mut dyn Write) -> io::Result<()> {
    let integer = |value: usize| (value as i64).to_le_bytes();
    let points = (0..n).map(integer);
    array(out, "Name=\"connectivity\" type=\"Int64\"", n, points)?;
    let ends = (1..=n).map(integer);
    array(out, "Name=\"offsets\" type=\"Int64\"", n, ends)
}

/// Writes one array of `count` numbers of `SIZE` bytes each.
///
/// The byte count and the numbers form one base64 stream. If they were encoded separately, VTK would read them, but
/// OVITO would read wrong numbers.
fn array<const SIZE: usize>(
    out: &mut dyn Write,
    attributes: &str,
    count: usize,
    numbers: impl Iterator<Item = [u8; SIZE]>,
) -> io::Result<()> {
    writeln!(out, "<DataArray {attributes} format=\"binary\">")?;
    let mut encoder = EncoderWriter::new(&mut *out, &STANDARD);
    encoder.write_all(&((SIZE * count) as u64).to_le_bytes())?;
    for number in numbers {
        encoder.write_all(&number)?;
    }
    encoder.finish()?;
    drop(encoder);
    writeln!(out, "\n</DataArray>")
}
