//! NumPy arrays: the format `.npy`, version 1.0.

use std::io::{self, BufRead, Write};

use glam::DVec3;

use super::{
    columns_by_name::unnamed, error::ReadError, export::Scene, numbers::Number,
    read_options::ReadOptions, rows::Rows,
};

/// First bytes of a file, with the version.
const MAGIC: &[u8] = b"\x93NUMPY\x01\x00";

/// The header ends at a multiple of this number of bytes.
const ALIGNMENT: usize = 64;

/// Longest header that is read, in bytes. A header has one line about the type and the shape.
const LONGEST_HEADER: usize = 1 << 12;

/// The order of the numbers of an array.
#[derive(Clone, Copy)]
pub(super) enum Order {
    /// The last index runs fastest.
    C,
    /// The first index runs fastest.
    Fortran,
}

/// Writes the centers, one row for each sphere.
pub(super) fn write_centers(scene: &Scene, out: &mut dyn Write) -> io::Result<()> {
    write_header("<f8", &[scene.len(), 3], Order::C, out)?;
    for center in scene.spheres.centers() {
        out.write_all(center.to_array().map(f64::to_le_bytes).as_flattened())?;
    }
    Ok(())
}

/// Reads an array with one row for each sphere: its center, and perhaps its radius, or the columns of the options.
pub(super) fn read(mut input: impl BufRead, options: &ReadOptions) -> Result<Rows, ReadError> {
    let mut bytes = Vec::new();
    input.read_to_end(&mut bytes).map_err(ReadError::io)?;
    let array = Array::read(&bytes, "of the file")?;
    let given = options.columns.as_ref();
    let columns = match (array.shape.as_slice(), given) {
        (&[_, width], Some(names)) => {
            let named = names.find()?;
            if named.columns.width != width {
                let what = format!(
                    "the array has {width} columns, but {} names are given; they must agree",
                    named.columns.width
                );
                return Err(ReadError::content(what));
            }
            named
        }
        (&[_, width @ (3 | 4)], None) => unnamed(width, None, options.diameter)?.find()?,
        (shape, _) => {
            return Err(ReadError::content(format!(
                "the array has the shape {shape:?}; it must be (N, 3) of centers, or (N, 4) of centers and radii"
            )));
        }
    };
    let container = options.required_container("a NumPy array does not hold the container")?;
    let used = columns.columns;
    let mut rows = Rows::named(columns, DVec3::ZERO, container, options)?;
    for row in array.values.chunks_exact(used.width.max(1)) {
        rows.push_row(row)?;
    }
    Ok(rows)
}

/// Writes everything before the numbers of an array. `kind` is NumPy's name of the type, such as `<f8`.
pub(super) fn write_header(
    kind: &str,
    shape: &[usize],
    order: Order,
    out: &mut dyn Write,
) -> io::Result<()> {
    let shape: String = shape.iter().map(|length| format!("{length}, ")).collect();
    let shape = shape.trim_end_matches(' ');
    let is_fortran = match order {
        Order::C => "False",
        Order::Fortran => "True",
    };
    let header =
        format!("{{'descr': '{kind}', 'fortran_order': {is_fortran}, 'shape': ({shape}), }}");
    // The length of the header and the line feed at its end count too.
    let unpadded = MAGIC.len() + 2 + header.len() + 1;
    let padding = unpadded.next_multiple_of(ALIGNMENT) - unpadded;
    out.write_all(MAGIC)?;
    out.write_all(&((header.len() + padding + 1) as u16).to_le_bytes())?;
    writeln!(out, "{header}{:padding$}", "")
}

/// An array of numbers.
pub(super) struct Array {
    pub shape: Vec<usize>,
    pub values: Vec<f64>,
}

impl Array {
    /// Reads an array of booleans, whole numbers or real numbers in the order of C. `name` is for error messages.
    pub(super) fn read(bytes: &[u8], name: &str) -> Result<Self, ReadError> {
        let mistake = |what: &str| ReadError::content(format!("the array {name} {what}"));
        let (header, data) =
            split_header(bytes).ok_or_else(|| mistake("is no NumPy array of version 1 or 2"))?;
        let field = |key: &str| {
            let rest = header.split_once(&format!("'{key}':"))?.1.trim_start();
            Some(rest)
        };
        let kind = field("descr")
            .and_then(|text| text.strip_prefix('\'')?.split_once('\''))
            .map(|(kind, _)| kind)
            .ok_or_else(|| mistake("has no type of numbers"))?;
        if !field("fortran_order").is_some_and(|text| text.starts_with("False")) {
            return Err(mistake(
                "is not in the order of C; save it with numpy.ascontiguousarray",
            ));
        }
        let shape = field("shape")
            .and_then(|text| text.strip_prefix('(')?.split_once(')'))
            .and_then(|(lengths, _)| parse_shape(lengths))
            .ok_or_else(|| mistake("has no shape"))?;
        let number = Number::from_numpy(kind).ok_or_else(|| {
            mistake(&format!(
                "has numbers of the type '{kind}'; only f8, f4, integers and booleans can be read"
            ))
        })?;
        let values = number.decode(data);
        let count = shape
            .iter()
            .try_fold(1usize, |all, &length| all.checked_mul(length));
        if count != Some(values.len()) {
            let what = format!("has the shape {shape:?}, but {} numbers", values.len());
            return Err(mistake(&what));
        }
        Ok(Self { shape, values })
    }
}

/// Splits a file into the text of its header and the bytes of the numbers.
fn split_header(bytes: &[u8]) -> Option<(&str, &[u8])> {
    let rest = bytes.strip_prefix(&MAGIC[..6])?;
    let (&[version, _], rest) = rest.split_first_chunk::<2>()?;
    let (length, rest) = match version {
        1 => {
            let (length, rest) = rest.split_first_chunk::<2>()?;
            (usize::from(u16::from_le_bytes(*length)), rest)
        }
        2 => {
            let (length, rest) = rest.split_first_chunk::<4>()?;
            (u32::from_le_bytes(*length) as usize, rest)
        }
        _ => return None,
    };
    let (header, data) = rest.split_at_checked(length.min(LONGEST_HEADER))?;
    Some((str::from_utf8(header).ok()?, data))
}

fn parse_shape(lengths: &str) -> Option<Vec<usize>> {
    lengths
        .split(',')
        .map(str::trim)
        .filter(|length| !length.is_empty())
        .map(|length| length.parse().ok())
        .collect()
}
