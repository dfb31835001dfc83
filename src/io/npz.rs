//! NumPy archives: the arrays `centers`, `radii`, `ids`, `types`, `box`, `periodic` and `origin`.

use std::io::{self, BufRead, Cursor, Write};

use glam::DVec3;
use zip::{CompressionMethod, DateTime, ZipArchive, ZipWriter, write::SimpleFileOptions};

use super::{
    columns_by_name::Columns,
    error::ReadError,
    expansion::Expansion,
    export::Scene,
    npy::{Array, Order, write_header},
    read_options::ReadOptions,
    rows::Rows,
    table::{Column, Table},
    text::boundaries,
};
use crate::container::Container;

/// The arrays that are read.
const ARRAYS: [&str; 7] = [
    "centers", "radii", "ids", "types", "box", "periodic", "origin",
];

/// Writes the archive without compression, as `numpy.savez` does.
pub(super) fn write(scene: &Scene, out: &mut dyn Write) -> io::Result<()> {
    let mut archive = ZipWriter::new_stream(out);
    let (n, spheres) = (scene.len(), &scene.spheres);
    let centers = spheres.centers().iter();
    let bytes = centers.flat_map(|center| center.to_array().map(f64::to_le_bytes));
    array(&mut archive, "centers", "<f8", &[n, 3], bytes)?;
    let bytes = spheres.radii().iter().map(|radius| radius.to_le_bytes());
    array(&mut archive, "radii", "<f8", &[n], bytes)?;
    let bytes = (0..n).map(|sphere| scene.id(sphere).to_le_bytes());
    array(&mut archive, "ids", "<i8", &[n], bytes)?;
    let bytes = (0..n).map(|sphere| u64::from(scene.type_of(sphere)).to_le_bytes());
    array(&mut archive, "types", "<i8", &[n], bytes)?;
    let bytes = scene.container.lengths().to_array().map(f64::to_le_bytes);
    array(&mut archive, "box", "<f8", &[3], bytes)?;
    let bytes = [0, 1, 2].map(|axis| [u8::from(scene.container.is_periodic(axis))]);
    array(&mut archive, "periodic", "|b1", &[3], bytes)?;
    let bytes = scene.low.to_array().map(f64::to_le_bytes);
    array(&mut archive, "origin", "<f8", &[3], bytes)?;
    archive.finish()?;
    Ok(())
}

/// Writes an archive with one array for each column of a table.
pub(super) fn write_table(table: &Table, out: &mut dyn Write) -> io::Result<()> {
    let mut archive = ZipWriter::new_stream(out);
    let shape = [table.rows()];
    for (name, column) in table.columns() {
        match column {
            Column::Whole(values) => {
                let bytes = values.iter().map(|value| value.to_le_bytes());
                array(&mut archive, name, "<i8", &shape, bytes)?;
            }
            Column::Real(values) => {
                let bytes = values.iter().map(|value| value.to_le_bytes());
                array(&mut archive, name, "<f8", &shape, bytes)?;
            }
            Column::Name { names, of } => {
                // NumPy pads texts of four bytes a character to one length, which is at least 1.
                let lengths = names.iter().map(|name| name.chars().count());
                let length = lengths.max().unwrap_or(0).max(1);
                let padded = |&of: &u32| {
                    let name = names[of as usize].chars().map(u32::from);
                    name.chain(std::iter::repeat(0)).take(length)
                };
                let bytes = of.iter().flat_map(padded).map(u32::to_le_bytes);
                array(&mut archive, name, &format!("<U{length}"), &shape, bytes)?;
            }
        }
    }
    archive.finish()?;
    Ok(())
}

/// Writes one array of an archive, from the bytes of its numbers. The time of every file is the same, so that the same packing makes the
/// same bytes.
fn array<W: Write + io::Seek, const SIZE: usize>(
    archive: &mut ZipWriter<W>,
    name: &str,
    kind: &str,
    shape: &[usize],
    numbers: impl IntoIterator<Item = [u8; SIZE]>,
) -> io::Result<()> {
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Stored)
        .last_modified_time(DateTime::default())
        .large_file(true);
    archive.start_file(format!("{name}.npy"), options)?;
    let mut out = io::BufWriter::new(archive);
    write_header(kind, shape, Order::C, &mut out)?;
    for number in numbers {
        out.write_all(&number)?;
    }
    out.flush()
}

impl Array {
    /// Returns `count` equal values.
    fn all(value: f64, count: usize) -> Self {
        Self {
            shape: vec![count],
            values: vec![value; count],
        }
    }

    /// Multiplies all values.
    fn times(mut self, factor: f64) -> Self {
        self.values.iter_mut().for_each(|value| *value *= factor);
        self
    }
}

/// Reads `centers` and `radii` (or `diameters`), and the other arrays if they exist.
pub(super) fn read(mut input: impl BufRead, options: &ReadOptions) -> Result<Rows, ReadError> {
    let mut bytes = Vec::new();
    input.read_to_end(&mut bytes).map_err(ReadError::io)?;
    let expansion = Expansion::of_file(bytes.len());
    let mut archive = ZipArchive::new(Cursor::new(bytes))
        .map_err(|error| ReadError::content(format!("the file is no NumPy archive: {error}")))?;
    let mut find = |name: &str| entry(&mut archive, &expansion, name);
    let require = |array: Option<Array>, name: &str| {
        array.ok_or_else(|| ReadError::content(format!("the archive has no array {name}")))
    };
    let centers = require(find("centers")?, "centers")?;
    let count = centers.values.len() / 3;
    let (sizes, factor) = match find("radii")? {
        Some(radii) => (Some(radii), 1.0),
        None => (find("diameters")?, 0.5),
    };
    let lacking = "the archive has no array radii or diameters";
    let radii = match (options.radius_beside(sizes.as_ref(), lacking)?, sizes) {
        (Some(radius), _) => Array::all(radius, count),
        // One size for all spheres.
        (None, Some(size)) if size.shape.is_empty() => Array::all(factor * size.values[0], count),
        (None, sizes) => sizes.unwrap_or_else(|| Array::all(0.0, 0)).times(factor),
    };
    if radii.shape != [count] || centers.shape != [count, 3] {
        return Err(ReadError::content(format!(
            "centers has the shape {:?} and radii {:?}; they must be (N, 3) and (N,)",
            centers.shape, radii.shape
        )));
    }
    let ids = find("ids")?.filter(|ids| ids.shape == [count]);
    let origin = vector(find("origin")?, "origin")?.unwrap_or_default();
    let container = container(
        vector(find("box")?, "box")?,
        vector(find("periodic")?, "periodic")?,
        options,
    )?;
    let types = find("types")?.filter(|types| types.shape == [count]);

    let mut rows = Rows::new(Columns::NONE, origin, container, options);
    rows.leave_out("array", &unused(&archive));
    for (sphere, [x, y, z]) in centers.values.as_chunks().0.iter().enumerate() {
        let id = ids.as_ref().map(|ids| ids.values[sphere] as u64);
        if let Some(types) = &types {
            rows.push_kind(&types.values[sphere].to_string());
        }
        rows.push_binary(DVec3::new(*x, *y, *z), radii.values[sphere], id)?;
    }
    Ok(rows)
}

/// Returns the names of the arrays of an archive that are never used.
fn unused(archive: &ZipArchive<Cursor<Vec<u8>>>) -> Vec<String> {
    let names = archive.file_names().flatten();
    let names = names.map(|name| name.strip_suffix(".npy").unwrap_or(&name).to_owned());
    let has_radii = archive.index_for_name("radii.npy").is_some();
    names
        .filter(|name| !ARRAYS.contains(&name.as_str()) && (has_radii || name != "diameters"))
        .collect()
}

/// Reads one array of an archive, if it exists.
fn entry(
    archive: &mut ZipArchive<Cursor<Vec<u8>>>,
    expansion: &Expansion,
    name: &str,
) -> Result<Option<Array>, ReadError> {
    let Ok(file) = archive.by_name(&format!("{name}.npy")) else {
        return Ok(None);
    };
    let mut bytes = Vec::new();
    expansion
        .read(file, &mut bytes)?
        .map_err(|error| ReadError::content(format!("the array {name} cannot be read: {error}")))?;
    let array = Array::read(&bytes, name)?;
    // Small numbers become larger ones.
    let growth = size_of_val(&*array.values).saturating_sub(bytes.len());
    expansion.spend(growth as u64)?;
    Ok(Some(array))
}

fn vector(array: Option<Array>, name: &str) -> Result<Option<DVec3>, ReadError> {
    let Some(array) = array else {
        return Ok(None);
    };
    match array.values[..] {
        [x, y, z] => Ok(Some(DVec3::new(x, y, z))),
        _ => Err(ReadError::content(format!(
            "the array {name} has {} numbers; it must have 3",
            array.values.len()
        ))),
    }
}

fn container(
    lengths: Option<DVec3>,
    periodic: Option<DVec3>,
    options: &ReadOptions,
) -> Result<Container, ReadError> {
    let Some(lengths) = lengths else {
        return options.required_container("the archive has no array box");
    };
    let boundary = match periodic {
        Some(periodic) => boundaries(periodic.to_array().map(|flag| flag != 0.0)),
        None => options.boundary().unwrap_or_default(),
    };
    Container::bounding_box(lengths, boundary)
        .map_err(|error| ReadError::content(error.to_string()))
}
