//! GSD files of HOOMD-blue: frames, with 32-bit numbers and coordinates relative to the center of the box.

use std::{
    borrow::Cow,
    io::{self, BufRead, Write},
};

use glam::DVec3;

use super::{
    columns_by_name::Columns,
    error::ReadError,
    export::Scene,
    numbers::Number,
    read_options::{Frame, ReadOptions},
    rows::Rows,
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

/// One array of the frame: name, numbers of rows and columns, type of the numbers, and the numbers.
type Chunk = (&'static str, usize, u32, u8, Vec<u8>);

pub(super) fn write(scene: &Scene, out: &mut dyn Write) -> io::Result<()> {
    let chunks = chunks(scene);
    let (mut index, mut names) = (Vec::new(), Vec::new());
    let mut location = HEADER;
    for (id, (name, rows, columns, kind, bytes)) in chunks.iter().enumerate() {
        index.extend_from_slice(&0u64.to_le_bytes());
        index.extend_from_slice(&(*rows as u64).to_le_bytes());
        index.extend_from_slice(&(location as i64).to_le_bytes());
        index.extend_from_slice(&columns.to_le_bytes());
        index.extend_from_slice(&(id as u16).to_le_bytes());
        index.extend_from_slice(&[*kind, 0]);
        names.extend_from_slice(name.as_bytes());
        names.push(0);
        location += bytes.len();
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
    for (.., bytes) in &chunks {
        out.write_all(bytes)?;
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
    let narrow = scene.narrowed();
    let count = narrow.radii.len();
    let number = (count as u32).to_le_bytes();
    let floats = |numbers: &mut dyn Iterator<Item = f32>| -> Vec<u8> {
        numbers.flat_map(f32::to_le_bytes).collect()
    };
    let types = (0..count).flat_map(|sphere| (scene.type_of(sphere) - 1).to_le_bytes());
    let mut cell = narrow.lengths.into_iter().chain([0.0; 3]);
    let mut diameters = narrow.radii.iter().map(|radius| 2.0 * radius);
    let mut positions = narrow.centers.into_iter().flatten();
    vec![
        ("configuration/step", 1, 1, U64, vec![0; 8]),
        ("configuration/dimensions", 1, 1, U8, vec![3]),
        ("configuration/box", 6, 1, F32, floats(&mut cell)),
        ("particles/N", 1, 1, U32, number.to_vec()),
        type_names(scene),
        ("particles/typeid", count, 1, U32, types.collect()),
        ("particles/diameter", count, 1, F32, floats(&mut diameters)),
        ("particles/position", count, 3, F32, floats(&mut positions)),
    ]
}

/// Returns the names of the types, labels or `1`, `2` …, each with a final zero byte and of equal length.
fn type_names(scene: &Scene) -> Chunk {
    let names = (1..=scene.type_count).map(|kind| scene.type_name(kind).into_bytes());
    let mut names: Vec<Vec<u8>> = names.collect();
    let width = names.iter().map(Vec::len).max().unwrap_or(0) + 1;
    for name in &mut names {
        name.resize(width, 0);
    }
    let (count, bytes) = (names.len(), names.concat());
    ("particles/types", count, width as u32, U8, bytes)
}

/// The arrays that are read, or that say nothing about the spheres.
const USED: [&str; 8] = [
    "configuration/step",
    "configuration/dimensions",
    "configuration/box",
    "particles/N",
    "particles/types",
    "particles/typeid",
    "particles/diameter",
    "particles/position",
];

/// Reads one frame. The walls of a container are unknown to the format, so the boundary is periodic unless the options name another.
pub(super) fn read(mut input: impl BufRead, options: &ReadOptions) -> Result<Rows, ReadError> {
    let mut bytes = Vec::new();
    input.read_to_end(&mut bytes).map_err(ReadError::io)?;
    let file = File::parse(&bytes, options.frame)?;
    let lengths = file.floats("configuration/box")?.unwrap_or_default();
    let [x, y, z, xy, xz, yz] = lengths[..] else {
        return Err(ReadError::content("configuration/box has no six numbers"));
    };
    if [xy, xz, yz] != [0.0; 3] {
        let what = "the box is tilted; only boxes along the axes can be read";
        return Err(ReadError::content(what));
    }
    let boundary = options.boundary().unwrap_or_default();
    let lengths = DVec3::new(x, y, z);
    let container = Container::cuboid(lengths, boundary)
        .map_err(|error| ReadError::content(error.to_string()))?;

    let positions = file.floats("particles/position")?.unwrap_or_default();
    let (positions, _) = positions.as_chunks::<3>();
    if let Some(count) = file.count()?.filter(|&count| count != positions.len()) {
        let what = format!(
            "the frame announces {count} particles, but it has {} positions",
            positions.len()
        );
        return Err(ReadError::content(what));
    }
    let diameters = match (file.floats("particles/diameter")?, options.diameter) {
        (Some(_), Some(diameter)) => {
            return Err(ReadError::content(format!(
                "the file states the sizes of its spheres; the diameter {diameter} can be given for centers only"
            )));
        }
        (Some(diameters), None) => diameters,
        // The schema states a default diameter of 1.
        (None, given) => vec![given.unwrap_or(1.0); positions.len()],
    };
    if diameters.len() != positions.len() {
        let (positions, diameters) = (positions.len(), diameters.len());
        return Err(ReadError::content(format!(
            "the file has {positions} positions and {diameters} diameters"
        )));
    }
    let mut rows = Rows::new(Columns::NONE, -0.5 * lengths, container, options);
    let kinds = file.kinds(positions.len())?;
    for (sphere, (position, diameter)) in positions.iter().zip(diameters).enumerate() {
        if let Some(kind) = kinds.get(sphere) {
            rows.push_kind(kind);
        }
        rows.push_binary(DVec3::from_array(*position), 0.5 * diameter, None)?;
    }
    rows.note_frames(file.frame, file.frames);
    rows.leave_out("array", &file.unused());
    Ok(rows)
}

/// An array of a file.
struct Array<'a> {
    name: &'a [u8],
    rows: u64,
    location: usize,
    bytes: usize,
    kind: u8,
}

/// The arrays of one frame of a file.
struct File<'a> {
    bytes: &'a [u8],
    arrays: Vec<Array<'a>>,
    /// Number of the frame, and number of all frames.
    frame: u64,
    frames: u64,
}

/// Returns the names of arrays, which old files hold in blocks of equal length.
fn names_of(block: &[u8], is_old: bool) -> Vec<&[u8]> {
    if is_old {
        let names = block.chunks(NAME);
        names
            .map(|name| name.split(|&byte| byte == 0).next().unwrap_or(name))
            .collect()
    } else {
        block.split(|&byte| byte == 0).collect()
    }
}

impl<'a> Array<'a> {
    /// Returns the array of an entry of the index; `None` if its size or name is invalid.
    fn of_entry(entry: &[u8; ENTRY], rows: u64, location: u64, names: &[&'a [u8]]) -> Option<Self> {
        let columns = u64::from(u32::from_le_bytes(std::array::from_fn(|i| entry[24 + i])));
        let id = usize::from(u16::from_le_bytes([entry[28], entry[29]]));
        let size = rows.checked_mul(columns)?.checked_mul(width(entry[30]))?;
        Some(Self {
            name: names.get(id)?,
            rows,
            location: location as usize,
            bytes: size as usize,
            kind: entry[30],
        })
    }
}

impl<'a> File<'a> {
    /// Finds the arrays of a frame. An array that a frame lacks is that of the first frame.
    fn parse(bytes: &'a [u8], frame: Frame) -> Result<Self, ReadError> {
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
        let names = names_of(section(names, blocks, NAME).ok_or_else(cut)?, is_old);
        let index = section(index, entries, ENTRY).ok_or_else(cut)?;
        let entries = index.as_chunks::<ENTRY>().0.iter();
        // Entries without a location are not in use yet.
        let entries = entries.map(|entry| {
            let word = |at: usize| u64::from_le_bytes(std::array::from_fn(|i| entry[at + i]));
            (entry, word(0), word(8), word(16))
        });
        let entries = entries.filter(|&(.., location)| location > 0);
        let last = entries.clone().map(|(_, frame, ..)| frame).max();
        let frames = last.map_or(0, |last| last.saturating_add(1));
        let wanted = frame.among(frames).map_err(ReadError::content)?;
        let mut arrays = Vec::new();
        let mut first = Vec::new();
        for (entry, frame, rows, location) in entries {
            let Some(array) = Array::of_entry(entry, rows, location, &names) else {
                continue;
            };
            if frame == wanted {
                arrays.push(array);
            } else if frame == 0 {
                first.push(array);
            }
        }
        let is_new = |array: &Array| arrays.iter().all(|own| own.name != array.name);
        let first: Vec<Array> = first.into_iter().filter(is_new).collect();
        arrays.extend(first);
        Ok(Self {
            bytes,
            arrays,
            frame: wanted,
            frames,
        })
    }

    /// Returns the names of the arrays that are not used.
    fn unused(&self) -> Vec<String> {
        let names = self
            .arrays
            .iter()
            .map(|array| String::from_utf8_lossy(array.name));
        names
            .filter(|name| !USED.contains(&&**name))
            .map(Cow::into_owned)
            .collect()
    }

    /// Returns the name of the type of each of `count` particles, or its number where the file lacks the name; none if the file has no
    /// types.
    fn kinds(&self, count: usize) -> Result<Vec<Cow<'a, str>>, ReadError> {
        let Some(ids) = self.content("particles/typeid")? else {
            return Ok(Vec::new());
        };
        let (ids, _) = ids.as_chunks::<4>();
        if ids.len() != count {
            let what = format!(
                "the file has {count} positions and {} types of particles",
                ids.len()
            );
            return Err(ReadError::content(what));
        }
        let names = self.content("particles/types")?.unwrap_or_default();
        let rows = (self.find("particles/types")).map_or(1, |types| types.rows.max(1) as usize);
        let names: Vec<Cow<str>> = (names.chunks((names.len() / rows).max(1)))
            .map(|name| {
                String::from_utf8_lossy(name.split(|&byte| byte == 0).next().unwrap_or(name))
            })
            .collect();
        let name = |id: &[u8; 4]| {
            let id = u32::from_le_bytes(*id);
            let name = names.get(id as usize).cloned();
            name.unwrap_or_else(|| id.to_string().into())
        };
        Ok(ids.iter().map(name).collect())
    }

    /// Returns the number of particles, if the frame states it.
    fn count(&self) -> Result<Option<usize>, ReadError> {
        let bytes = self.content("particles/N")?.and_then(<[u8]>::first_chunk);
        Ok(bytes.map(|bytes| u32::from_le_bytes(*bytes) as usize))
    }

    fn find(&self, name: &str) -> Option<&Array<'a>> {
        self.arrays
            .iter()
            .find(|array| array.name == name.as_bytes())
    }

    /// Returns the bytes of an array, if it exists.
    fn content(&self, name: &str) -> Result<Option<&'a [u8]>, ReadError> {
        let Some(array) = self.find(name) else {
            return Ok(None);
        };
        let end = array.location.checked_add(array.bytes);
        let bytes = end.and_then(|end| self.bytes.get(array.location..end));
        let what = || ReadError::content(format!("the array {name} lies outside of the file"));
        bytes.map(Some).ok_or_else(what)
    }

    /// Returns the real numbers of an array, if it exists.
    fn floats(&self, name: &str) -> Result<Option<Vec<f64>>, ReadError> {
        let Some(bytes) = self.content(name)? else {
            return Ok(None);
        };
        let kind = self.find(name).map_or(F32, |array| array.kind);
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
