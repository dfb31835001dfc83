//! GSD files of HOOMD-blue: one frame, with 32-bit numbers and coordinates relative to the centre of the box.

use std::io::{self, BufRead, Write};

use glam::DVec3;

use super::{
    container_hint::ContainerHint,
    error::ReadError,
    export::{Narrow, Scene},
    numbers::Number,
    rows::{Columns, Rows},
};
use crate::container::Container;

const MAGIC: u64 = 0x65DF_65DF_65DF_65DF;

/// Version 2.0 of the file layer, and 1.4 of the schema `hoomd`.
const FILE_VERSION: u32 = 2 << 16;
const SCHEMA_VERSION: u32 = (1 << 16) | 4;

/// Bytes of the header, of an entry of the index, and of a block of names.
const HEADER: usize = 256;
const ENTRY: usize = 32;
const NAME: usize = 64;

/// Codes of the types of numbers.
const U8: u8 = 1;
const U32: u8 = 3;
const U64: u8 = 4;
const F32: u8 = 9;

/// One array of the frame.
struct Chunk {
    name: &'static str,
    rows: usize,
    columns: u32,
    kind: u8,
    bytes: Vec<u8>,
}

pub(super) fn write(scene: &Scene, out: &mut dyn Write) -> io::Result<()> {
    let chunks = chunks(scene);
    let (mut index, mut names) = (Vec::new(), Vec::new());
    let mut location = HEADER;
    for (id, chunk) in chunks.iter().enumerate() {
        index.extend_from_slice(&0u64.to_le_bytes());
        index.extend_from_slice(&(chunk.rows as u64).to_le_bytes());
        index.extend_from_slice(&(location as i64).to_le_bytes());
        index.extend_from_slice(&chunk.columns.to_le_bytes());
        index.extend_from_slice(&(id as u16).to_le_bytes());
        index.extend_from_slice(&[chunk.kind, 0]);
        names.extend_from_slice(chunk.name.as_bytes());
        names.push(0);
        location += chunk.bytes.len();
    }
    let blocks = (names.len() + 1).div_ceil(NAME);
    names.resize(blocks * NAME, 0);

    out.write_all(&MAGIC.to_le_bytes())?;
    for number in [location, chunks.len(), location + index.len(), blocks] {
        out.write_all(&(number as u64).to_le_bytes())?;
    }
    out.write_all(&SCHEMA_VERSION.to_le_bytes())?;
    out.write_all(&FILE_VERSION.to_le_bytes())?;
    for text in ["jostle", "hoomd"] {
        out.write_all(&padded(text))?;
    }
    out.write_all(&[0; HEADER - 48 - 2 * NAME])?;
    for chunk in &chunks {
        out.write_all(&chunk.bytes)?;
    }
    out.write_all(&index)?;
    out.write_all(&names)
}

fn padded(text: &str) -> [u8; NAME] {
    let mut name = [0; NAME];
    name[..text.len()].copy_from_slice(text.as_bytes());
    name
}

fn chunks(scene: &Scene) -> Vec<Chunk> {
    let Narrow {
        centers,
        radii,
        lengths,
    } = scene.narrowed();
    let count = radii.len();
    let chunk = |name, rows, columns, kind, bytes| Chunk {
        name,
        rows,
        columns,
        kind,
        bytes,
    };
    let floats = |numbers: &mut dyn Iterator<Item = f32>| -> Vec<u8> {
        numbers.flat_map(f32::to_le_bytes).collect()
    };
    let types = (0..count).flat_map(|sphere| (scene.type_of(sphere) - 1).to_le_bytes());
    let mut cell = lengths.into_iter().chain([0.0; 3]);
    vec![
        chunk("configuration/step", 1, 1, U64, vec![0; 8]),
        chunk("configuration/dimensions", 1, 1, U8, vec![3]),
        chunk("configuration/box", 6, 1, F32, floats(&mut cell)),
        chunk(
            "particles/N",
            1,
            1,
            U32,
            (count as u32).to_le_bytes().to_vec(),
        ),
        type_names(scene.type_count),
        chunk("particles/typeid", count, 1, U32, types.collect()),
        chunk(
            "particles/diameter",
            count,
            1,
            F32,
            floats(&mut radii.iter().map(|radius| 2.0 * radius)),
        ),
        chunk(
            "particles/position",
            count,
            3,
            F32,
            floats(&mut centers.into_iter().flatten()),
        ),
    ]
}

/// Returns the names of the types, `1`, `2` …, each with a final zero byte and of equal length.
fn type_names(count: u32) -> Chunk {
    let width = count.to_string().len() + 1;
    let mut bytes = Vec::new();
    for number in 1..=count {
        let mut name = number.to_string().into_bytes();
        name.resize(width, 0);
        bytes.extend_from_slice(&name);
    }
    Chunk {
        name: "particles/types",
        rows: count as usize,
        columns: width as u32,
        kind: U8,
        bytes,
    }
}

/// Reads the first frame. The walls of a container are unknown to the format, so the boundary is periodic without a hint.
pub(super) fn read(
    mut input: impl BufRead,
    hint: Option<ContainerHint>,
) -> Result<Rows, ReadError> {
    let mut bytes = Vec::new();
    input.read_to_end(&mut bytes).map_err(ReadError::io)?;
    let file = File::parse(&bytes)?;
    let lengths = file.floats("configuration/box")?.unwrap_or_default();
    let [x, y, z, xy, xz, yz] = lengths[..] else {
        return Err(ReadError::content("configuration/box has no six numbers"));
    };
    if [xy, xz, yz] != [0.0; 3] {
        let what = "the box is tilted; only boxes along the axes can be read";
        return Err(ReadError::content(what));
    }
    let boundary = hint.map(|hint| hint.boundary()).unwrap_or_default();
    let lengths = DVec3::new(x, y, z);
    let container = Container::cuboid(lengths, boundary)
        .map_err(|error| ReadError::content(error.to_string()))?;

    let positions = file.floats("particles/position")?.unwrap_or_default();
    let (positions, _) = positions.as_chunks::<3>();
    // The schema states a default diameter of 1.
    let diameters = file
        .floats("particles/diameter")?
        .unwrap_or_else(|| vec![1.0; positions.len()]);
    if diameters.len() != positions.len() {
        return Err(ReadError::content(format!(
            "the file has {} positions and {} diameters",
            positions.len(),
            diameters.len()
        )));
    }
    let mut rows = Rows::new(Columns::NONE, -0.5 * lengths, container);
    for (position, diameter) in positions.iter().zip(diameters) {
        rows.push_binary(DVec3::from_array(*position), 0.5 * diameter, None)?;
    }
    Ok(rows)
}

/// The index of a file.
struct File<'a> {
    bytes: &'a [u8],
    /// Name, location, number of bytes and type of each array of the first frame.
    arrays: Vec<(&'a [u8], usize, usize, u8)>,
}

impl<'a> File<'a> {
    fn parse(bytes: &'a [u8]) -> Result<Self, ReadError> {
        let word = |at: usize| {
            let chunk = bytes.get(at..)?.first_chunk::<8>()?;
            usize::try_from(u64::from_le_bytes(*chunk)).ok()
        };
        let header = || Some([word(8)?, word(16)?, word(24)?, word(32)?]);
        let (Some(magic), Some([index, entries, names, blocks])) = (word(0), header()) else {
            return Err(ReadError::content(
                "the file is shorter than the header of a GSD file",
            ));
        };
        if magic as u64 != MAGIC {
            return Err(ReadError::content(
                "the file does not begin like a GSD file",
            ));
        }
        // The version of the file layer follows the version of the schema.
        let is_old =
            word(40).is_some_and(|versions| (versions as u64 >> 32) < u64::from(FILE_VERSION));
        let section = |at: usize, count: usize, size: usize| {
            bytes.get(at..at.checked_add(count.checked_mul(size)?)?)
        };
        let cut = || ReadError::content("the index of the GSD file lies outside of the file");
        let names = section(names, blocks, NAME).ok_or_else(cut)?;
        let names: Vec<&[u8]> = if is_old {
            let names = names.chunks(NAME);
            names
                .map(|name| name.split(|&byte| byte == 0).next().unwrap_or(name))
                .collect()
        } else {
            names.split(|&byte| byte == 0).collect()
        };
        let index = section(index, entries, ENTRY).ok_or_else(cut)?;
        let mut arrays = Vec::new();
        for entry in index.as_chunks::<ENTRY>().0 {
            let word = |at: usize| u64::from_le_bytes(std::array::from_fn(|i| entry[at + i]));
            let (frame, rows, location) = (word(0), word(8), word(16));
            let columns = u64::from(u32::from_le_bytes(std::array::from_fn(|i| entry[24 + i])));
            let id = usize::from(u16::from_le_bytes([entry[28], entry[29]]));
            let size = rows
                .checked_mul(columns)
                .and_then(|n| n.checked_mul(width(entry[30])));
            let (Some(size), Some(&name)) = (size, names.get(id)) else {
                continue;
            };
            if frame == 0 && location > 0 {
                arrays.push((name, location as usize, size as usize, entry[30]));
            }
        }
        Ok(Self { bytes, arrays })
    }

    /// Returns the real numbers of an array, if it exists.
    fn floats(&self, name: &str) -> Result<Option<Vec<f64>>, ReadError> {
        let found = self
            .arrays
            .iter()
            .find(|(found, ..)| *found == name.as_bytes());
        let Some(&(_, location, size, kind)) = found else {
            return Ok(None);
        };
        let end = location.checked_add(size);
        let Some(bytes) = end.and_then(|end| self.bytes.get(location..end)) else {
            let what = format!("the array {name} lies outside of the file");
            return Err(ReadError::content(what));
        };
        if kind != F32 {
            let what = format!("the array {name} has numbers of type {kind}; they must be f32");
            return Err(ReadError::content(what));
        }
        Ok(Some(Number::F32.decode(bytes)))
    }
}

/// Returns the number of bytes of a type.
fn width(kind: u8) -> u64 {
    match kind {
        2 | 6 => 2,
        U32 | 7 | F32 => 4,
        U64 | 8 | 10 => 8,
        _ => 1,
    }
}
