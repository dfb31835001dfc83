//! Reading of packings, in any readable format, from a stream or from a file, by one process or by several ranks together.

use std::{
    fs::File,
    io::{BufRead, BufReader},
    path::Path,
};

use glam::DVec3;
use serde::{Serialize, de::DeserializeOwned};

#[cfg(feature = "parquet")]
use super::{arrow, parquet};
use super::{
    csv, error::ReadError, format::Format, gengeo, gsd, gzip, json, kinds::Kinds, lammps,
    lammps_dump, lethe, mercury, mfix, musen, npy, npz, parts::Parts, pfc, pvtp,
    read_options::ReadOptions, recognize, rows::ReadPacking, voro, vtk_legacy, vtk_reader, xyz,
    xyzd, yade,
};
use crate::{
    machine::ranks::Ranks,
    packing::{Packing, certify, of_part},
    spheres::Spheres,
};

/// Reads a packing from a file, in the format of the options or of its extension. Where several formats share the extension, or none has
/// it, the first lines of the file decide. The file may be compressed with gzip.
///
/// The function moves the centers so that the low corner of the container becomes the origin, and along periodic axes
/// into the container. The certificate comes from [`certify`](crate::certify); a certificate in the file is ignored.
///
/// The options state facts about the container that the file may lack. A table such as a `.csv` file, a file of VTK, an `.xyzd` file,
/// and an `.xyz` file without `Lattice` need the complete container. A `.data` file needs the boundary. Centers without sizes need
/// [`ReadOptions::diameter`]. The boundary of an
/// `.xyz` file without `pbc`, and of a `.gsd` file, is periodic unless the options give another. Facts in the file take
/// precedence, but for the origin. Of a file with several frames, the last one is read unless the options name another.
///
/// Where the file states the types of its spheres, and there are several, they are the [components](crate::Packing::components) of the
/// packing: a column or an array such as `type`, the species of XYZ, the names of types in GSD, or the compounds of MUSEN.
///
/// [`ReadPacking::unused`] names the parts of the file that are not used.
///
/// A directory whose name ends with `.parquet` is a Parquet data set: the spheres of its `.parquet` files, in the order of the names
/// of the files.
///
/// # Ranks
/// [`ReadOptions::ranks`] read together: all of them call, with the same path and options, and see the files. The spheres of the ranks, rank
/// after rank, have the order of the files. Container, sizes, provenance and unit are those of the whole packing on every rank. `fixed` is
/// the number of fixed spheres in the share. The certificate is only that of the share: it does not cover the spheres of other ranks.
///
/// Each rank reads its share of the tables of a Parquet data set, or of the pieces of a `.pvtp` file, and no rank holds the spheres of
/// other ranks. A rank has no spheres if there are fewer files than ranks. The first rank reads any other file, and sends each rank
/// the same number of spheres but for one, 32 bytes per sphere. It needs memory for all spheres for a moment.
///
/// # Errors
/// When the options or the extension name no readable format, when an option does not suit the format, when the file cannot be opened or read, and when its content does not
/// follow the format; on all ranks if one of them fails. The message names the file.
pub fn read_packing(
    path: impl AsRef<Path>,
    options: impl Into<ReadOptions>,
) -> Result<ReadPacking, ReadError> {
    let (path, options) = (path.as_ref(), options.into());
    if !options.ranks.is_alone() {
        return read_share(path, options, |path, options| read_packing(path, options));
    }
    let format = match options.format {
        Some(format) => format,
        None => recognize::format_of(path)?,
    };
    let read = || {
        options.check(format)?;
        if let Some(parts) = Parts::of(path, format)? {
            let read = parts.read(path, 0..parts.len(), &options)?;
            return Ok(read.with_components(&options.ranks));
        }
        let input = BufReader::new(File::open(path).map_err(ReadError::io)?);
        let input = gzip::decompressed(input).map_err(ReadError::io)?;
        read_checked(input, format, &options)
    };
    read().map_err(|error| error.in_file(path))
}

/// Reads a packing in the given format from any input, such as bytes in memory or the standard input.
///
/// The result and the meaning of the options are the same as those of [`read_packing`], but for the format.
///
/// # Errors
/// When the format is not readable or [has pieces](Format::has_pieces), when `input` fails, and when the content does not follow the
/// format.
///
/// # Example
///
/// ```
/// use glam::DVec3;
/// use jostle::{Boundaries, Container, io::{Format, read_packing_from}};
///
/// let table = "id,x,y,z,radius\n7,1,1,1,0.5\n9,1,1,2.5,0.5\n";
/// let container = Container::cuboid(DVec3::splat(4.0), Boundaries::PERIODIC)?;
/// let read = read_packing_from(table.as_bytes(), Format::Csv, container)?;
/// assert_eq!(read.packing.certificate().min_gap, 0.5);
/// assert_eq!(read.ids, Some(vec![7, 9]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn read_packing_from(
    input: impl BufRead,
    format: Format,
    options: impl Into<ReadOptions>,
) -> Result<ReadPacking, ReadError> {
    let options = options.into();
    options.check(format)?;
    let input = gzip::decompressed(input).map_err(ReadError::io)?;
    read_checked(input, format, &options)
}

fn read_checked(
    input: impl BufRead,
    format: Format,
    options: &ReadOptions,
) -> Result<ReadPacking, ReadError> {
    let read = match format {
        Format::Json => json::read(input, options)?,
        Format::Csv | Format::DemEngine => csv::read(input, b',', options)?.finish(),
        Format::Tsv => csv::read(input, b'\t', options)?.finish(),
        Format::Xyz => xyz::read(input, options)?.finish(),
        Format::Vtp | Format::Vtu => vtk_reader::read(input, options)?.finish(),
        Format::Pvtp => return Err(ReadError::content(pvtp::NEEDS_PATH)),
        Format::Vtk => vtk_legacy::read(input, options)?.finish(),
        Format::Npz => npz::read(input, options)?.finish(),
        Format::Npy => npy::read(input, options)?.finish(),
        #[cfg(feature = "parquet")]
        Format::Parquet => parquet::read(input, options)?,
        #[cfg(feature = "parquet")]
        Format::Arrow => arrow::read(input, options)?,
        Format::LammpsData | Format::Liggghts => lammps::read(input, options)?.finish(),
        Format::LammpsDump => lammps_dump::read(input, options)?.finish(),
        Format::Yade | Format::YadeExt => yade::read(input, options)?.finish(),
        Format::GenGeo => gengeo::read(input, options)?.finish(),
        Format::Mercury => mercury::read(input, options)?.finish(),
        Format::Mfix => mfix::read(input, options)?.finish(),
        Format::MfixExa => mfix::read_exa(input, options)?.finish(),
        Format::Lethe => lethe::read(input, options)?.finish(),
        Format::Pfc => pfc::read(input, options)?.finish(),
        Format::Musen => musen::read(input, options)?.finish(),
        Format::Voro => voro::read(input, options)?.finish(),
        Format::Gsd => gsd::read(input, options)?.finish(),
        Format::Xyzd => xyzd::read(input, options)?.finish(),
        _ => return Err(ReadError::WriteOnly { path: None, format }),
    };
    Ok(read.with_components(&Ranks::default()))
}

/// Reads a packing on several ranks, without forces. The first one reads files that have no parts, with `read_whole`.
fn read_share(
    path: &Path,
    mut options: ReadOptions,
    read_whole: impl FnOnce(&Path, ReadOptions) -> Result<ReadPacking, ReadError>,
) -> Result<ReadPacking, ReadError> {
    let ranks = std::mem::take(&mut options.ranks);
    // All ranks must divide the same list, even if a file appears meanwhile.
    let list = || {
        let format = options
            .format
            .map_or_else(|| recognize::format_of(path), Ok)?;
        let parts = options.check(format).and_then(|()| Parts::of(path, format));
        let parts = parts.map_err(|error| error.in_file(path))?;
        to_message(path, &parts)
    };
    let list = agreed(&ranks, ranks.is_first().then(list).transpose())?;
    if let Some(parts) = of_first::<Option<Parts>>(path, list, &ranks)? {
        let own = ranks.share(parts.len());
        let read = parts.read(path, own, &options);
        let read = agreed(&ranks, read.map_err(|error| error.in_file(path)))?;
        let read = ReadPacking { ids: None, ..read };
        return Ok(read.with_components(&ranks));
    }
    let read = || {
        let ReadPacking {
            packing, unused, ..
        } = read_whole(path, options)?;
        let Packing {
            spheres,
            fixed,
            components,
            container,
            sizes,
            provenance,
            unit,
            ..
        } = packing;
        let facts = (
            container, fixed, components, sizes, provenance, unit, unused,
        );
        Ok((to_message(path, &facts)?, spheres))
    };
    let read = agreed(&ranks, ranks.is_first().then(read).transpose())?;
    let (facts, spheres) = read.unzip();
    let (container, fixed, components, sizes, provenance, unit, unused) =
        of_first(path, facts, &ranks)?;
    let mut packing = Packing {
        fixed,
        components,
        sizes,
        provenance,
        unit,
        ..Packing::new(Spheres::default(), container)
    };
    divide(spheres.unwrap_or_default(), &mut packing, &ranks);
    Ok(ReadPacking {
        packing,
        ids: None,
        unused,
        kinds: Kinds::default(),
    })
}

/// Adds the share of each rank of the spheres of the first rank to a packing, which has the number of all fixed spheres and the
/// components of all spheres.
fn divide(spheres: Spheres, packing: &mut Packing, ranks: &Ranks) {
    // The others have none.
    let len = ranks.total(spheres.len());
    let own = ranks.share(len);
    let ends = ranks.gather(vec![own.end]);
    let row = |(center, radius): (DVec3, f64)| [center.x, center.y, center.z, radius];
    let (centers, radii) = spheres.into_parts();
    let mut rows = centers.into_iter().zip(radii).map(row);
    let mut begin = 0;
    let messages = ends.into_iter().map(|end| {
        let count = end - std::mem::replace(&mut begin, end);
        rows.by_ref().take(count).collect()
    });
    let messages: Vec<Vec<[f64; 4]>> = messages.collect();
    drop(rows);
    let rows = ranks.send_to_each(messages);
    let (centers, radii) = rows
        .into_iter()
        .map(|[x, y, z, radius]| (DVec3::new(x, y, z), radius))
        .unzip();
    packing.spheres = Spheres::new(centers, radii);
    let first_fixed = len - packing.fixed;
    packing.fixed = own.end.saturating_sub(first_fixed.max(own.start));
    packing.components = of_part(&packing.components, &own);
    packing.certificate = certify(&packing.spheres, &packing.container);
}

/// Returns a value as a message about a file.
fn to_message(path: &Path, value: &impl Serialize) -> Result<Vec<u8>, ReadError> {
    serde_json::to_vec(value).map_err(|error| unsent(path, &error))
}

/// Returns the value in the message of the first rank on all ranks.
fn of_first<T: DeserializeOwned>(
    path: &Path,
    message: Option<Vec<u8>>,
    ranks: &Ranks,
) -> Result<T, ReadError> {
    let messages = ranks.all_gather(&message.unwrap_or_default());
    serde_json::from_slice(&messages[0]).map_err(|error| unsent(path, &error))
}

fn unsent(path: &Path, error: &serde_json::Error) -> ReadError {
    let what = format!("the facts about the packing cannot be sent to the other ranks: {error}");
    ReadError::content(what).in_file(path)
}

/// Returns the result of this rank, or an error if another rank has one.
fn agreed<T>(ranks: &Ranks, result: Result<T, ReadError>) -> Result<T, ReadError> {
    ranks.agreed(result, ReadError::content)
}
