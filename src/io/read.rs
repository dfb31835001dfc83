//! Reading of packings, in any readable format, from a stream or from a file.

use std::{
    fs::File,
    io::{BufRead, BufReader},
    path::Path,
};

#[cfg(feature = "parquet")]
use super::{arrow, parquet};
use super::{
    container_hint::ContainerHint, csv, error::ReadError, format::Format, gengeo, gsd, json,
    lammps, lammps_dump, npz, parts::Parts, pvtp, vtk_reader, xyz, xyzd, yade,
};
use crate::packing::Packing;

/// A packing that was read, with the ids of its spheres in the file.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ReadPacking {
    /// The packing. Its spheres have the order of the file, and its certificate is new.
    pub packing: Packing,
    /// The ids of the spheres, in the order of the spheres; `None` when the file has no ids or some ids are not whole
    /// numbers. Ids may occur more than once.
    pub ids: Option<Vec<u64>>,
}

/// Reads a packing from a file, in the format of its extension.
///
/// The function moves the centres so that the low corner of the container becomes the origin, and along periodic axes
/// into the container. The certificate comes from [`certify`](crate::certify); a certificate in the file is ignored.
///
/// `hint` states facts about the container that the file may lack. A table such as a `.csv` file, a file of VTK, an `.xyzd` file,
/// and an `.xyz` file without `Lattice` need the complete container. A `.data` file needs the boundary. The boundary of an
/// `.xyz` file without `pbc`, and of a `.gsd` file, is periodic unless the hint gives another. Facts in the file take
/// precedence over the hint.
///
/// A directory whose name ends with `.parquet` is a Parquet data set: the spheres of its `.parquet` files, in the order of the names
/// of the files.
///
/// # Errors
/// When the extension names no readable format, when the file cannot be opened or read, and when its content does not
/// follow the format. The message names the file.
pub fn read_packing(
    path: impl AsRef<Path>,
    hint: Option<ContainerHint>,
) -> Result<ReadPacking, ReadError> {
    let path = path.as_ref();
    read_packing_as(path, Format::to_read(path)?, hint)
}

/// Reads a packing from a file in the given format, whatever its extension.
///
/// The result and the meaning of `hint` are the same as those of [`read_packing`].
///
/// # Errors
/// When the format is not readable, when the file cannot be opened or read, and when its content does not follow the format.
/// The message names the file.
pub fn read_packing_as(
    path: impl AsRef<Path>,
    format: Format,
    hint: Option<ContainerHint>,
) -> Result<ReadPacking, ReadError> {
    let path = path.as_ref();
    if !format.is_readable() {
        return Err(write_only(format).in_file(path));
    }
    let read = || {
        if let Some(parts) = Parts::of(path, format)? {
            let (packing, ids) = parts.read(path, 0..parts.len(), hint)?;
            return Ok(ReadPacking { packing, ids });
        }
        let input = BufReader::new(File::open(path).map_err(ReadError::io)?);
        read_packing_from(input, format, hint)
    };
    read().map_err(|error| error.in_file(path))
}

/// Reads a packing in the given format from any input, such as bytes in memory or the standard input.
///
/// The result and the meaning of `hint` are the same as those of [`read_packing`].
///
/// # Errors
/// When the format is not readable or [has pieces](Format::has_pieces), when `input` fails, and when the content does not follow the
/// format.
///
/// # Example
///
/// ```
/// use glam::DVec3;
/// use jostle::{Boundaries, Container, Format, read_packing_from};
///
/// let table = "id,x,y,z,radius\n7,1,1,1,0.5\n9,1,1,2.5,0.5\n";
/// let container = Container::cuboid(DVec3::splat(4.0), Boundaries::PERIODIC)?;
/// let read = read_packing_from(table.as_bytes(), Format::Csv, Some(container.into()))?;
/// assert_eq!(read.packing.certificate.min_gap, 0.5);
/// assert_eq!(read.ids, Some(vec![7, 9]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn read_packing_from(
    input: impl BufRead,
    format: Format,
    hint: Option<ContainerHint>,
) -> Result<ReadPacking, ReadError> {
    let (packing, ids) = match format {
        Format::Json => (json::read(input)?, None),
        Format::Csv => csv::read(input, b',', hint)?.finish(),
        Format::Tsv => csv::read(input, b'\t', hint)?.finish(),
        Format::Xyz => xyz::read(input, hint)?.finish(),
        Format::Vtp | Format::Vtu => vtk_reader::read(input, hint)?.finish(),
        Format::Pvtp => return Err(ReadError::content(pvtp::NEEDS_PATH)),
        Format::Npz => npz::read(input, hint)?.finish(),
        #[cfg(feature = "parquet")]
        Format::Parquet => parquet::read(input, hint)?,
        #[cfg(feature = "parquet")]
        Format::Arrow => arrow::read(input, hint)?,
        Format::LammpsData | Format::Liggghts => lammps::read(input, hint)?.finish(),
        Format::LammpsDump => lammps_dump::read(input, hint.as_ref())?.finish(),
        Format::Yade | Format::YadeExt => yade::read(input, hint)?.finish(),
        Format::GenGeo => gengeo::read(input)?.finish(),
        Format::Gsd => gsd::read(input, hint)?.finish(),
        Format::Xyzd => xyzd::read(input, hint)?.finish(),
        _ => return Err(write_only(format)),
    };
    Ok(ReadPacking { packing, ids })
}

fn write_only(format: Format) -> ReadError {
    ReadError::WriteOnly { path: None, format }
}
