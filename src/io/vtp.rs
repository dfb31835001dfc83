//! VTK PolyData and unstructured grids, one vertex for each sphere, and PolyData in several files.

use std::{
    fs::File,
    io::{self, Read, Write},
    path::Path,
};

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
    let head = head(kind);
    writeln!(
        out,
        "{head}<{kind}>\n{piece}\n<PointData Scalars=\"radius\">"
    )?;
    point_data(scene, out)?;
    writeln!(out, "</PointData>\n<Points>")?;
    let coordinates =
        (scene.spheres.centers().iter()).flat_map(|center| center.to_array().map(f64::to_le_bytes));
    array(out, POINTS, 3 * scene.len(), coordinates)?;
    writeln!(out, "</Points>")?;
    cells(out)?;
    writeln!(out, "</Piece>\n</{kind}>\n</VTKFile>")
}

/// Returns the first lines of a file.
fn head(kind: &str) -> String {
    format!(
        "<?xml version=\"1.0\"?>\n\
         <VTKFile type=\"{kind}\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n"
    )
}

/// Returns whether a file is PolyData of jostle. Other programs indent the lines.
pub(super) fn is_own(path: &Path) -> bool {
    let head = head("PolyData") + "<PolyData>\n<Piece ";
    let mut start = vec![0; head.len()];
    let read = File::open(path).and_then(|mut file| file.read_exact(&mut start));
    read.is_ok() && start == head.as_bytes()
}

/// The attributes of the arrays.
const POINTS: &str = "Name=\"Points\" type=\"Float64\" NumberOfComponents=\"3\"";
const RADIUS: &str = "Name=\"radius\" type=\"Float64\"";
const DIAMETER: &str = "Name=\"diameter\" type=\"Float64\"";
const ID: &str = "Name=\"id\" type=\"Int64\"";
const TYPE: &str = "Name=\"type\" type=\"Int64\"";

fn point_data(scene: &Scene, out: &mut dyn Write) -> io::Result<()> {
    let (n, radii) = (scene.len(), scene.spheres.radii());
    let bytes = radii.iter().map(|r| r.to_le_bytes());
    array(out, RADIUS, n, bytes)?;
    let bytes = radii.iter().map(|r| (2.0 * r).to_le_bytes());
    array(out, DIAMETER, n, bytes)?;
    let ids = (0..n).map(|sphere| scene.id(sphere).to_le_bytes());
    array(out, ID, n, ids)?;
    if scene.types.is_some() {
        let types = (0..n).map(|sphere| u64::from(scene.type_of(sphere)).to_le_bytes());
        array(out, TYPE, n, types)?;
    }
    Ok(())
}

/// Writes a file that refers to PolyData in other files, with the arrays of a scene. The pieces are paths relative to the file.
pub(super) fn write_index(
    scene: &Scene,
    pieces: impl Iterator<Item = String>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let head = head("PPolyData");
    writeln!(
        out,
        "{head}<PPolyData GhostLevel=\"0\">\n<PPointData Scalars=\"radius\">"
    )?;
    let types = scene.types.as_ref().map(|_| TYPE);
    for attributes in [RADIUS, DIAMETER, ID].into_iter().chain(types) {
        writeln!(out, "<PDataArray {attributes}/>")?;
    }
    writeln!(
        out,
        "</PPointData>\n<PPoints>\n<PDataArray {POINTS}/>\n</PPoints>"
    )?;
    for piece in pieces {
        writeln!(out, "<Piece Source=\"{}\"/>", escaped(&piece))?;
    }
    writeln!(out, "</PPolyData>\n</VTKFile>")
}

/// Returns a text as the value of an attribute of XML.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('"', "&quot;")
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
