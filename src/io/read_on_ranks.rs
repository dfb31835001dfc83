//! Packings that several ranks read together.

use std::path::Path;

use glam::DVec3;
use serde::{Serialize, de::DeserializeOwned};

use super::{
    error::ReadError,
    format::Format,
    parts::Parts,
    read::{check, read_packing},
    read_options::ReadOptions,
    rows::ReadPacking,
};
use crate::{
    machine::{
        communicator::{Communicator, share_of_rank},
        messages::{self, gather, send_to_each},
    },
    packing::{Packing, certify},
    spheres::Spheres,
};

/// Reads a packing, like [`read_packing`](crate::read_packing), as one of several ranks, and returns the packing with the share of
/// this rank of the spheres, without ids.
///
/// All ranks call, with the same path and options, and see the files. The spheres of the ranks, rank after rank, have the order of
/// the files. Container, sizes, provenance and unit are those of the whole packing on every rank. `fixed` is the number of fixed spheres in
/// the share. The certificate is only that of the share: it does not cover the spheres of other ranks.
///
/// # Cost
/// Each rank reads its share of the tables of a Parquet data set, or of the pieces of a `.pvtp` file, and no rank holds the spheres of
/// other ranks. A rank has no spheres if there are fewer files than ranks. The first rank reads any other file, and sends each rank
/// the same number of spheres but for one, 32 bytes per sphere. It needs memory for all spheres for a moment.
///
/// # Errors
/// Those of [`read_packing`](crate::read_packing), on all ranks if one of them fails.
pub fn read_packing_on_ranks(
    path: impl AsRef<Path>,
    options: impl Into<ReadOptions>,
    communicator: &dyn Communicator,
) -> Result<ReadPacking, ReadError> {
    let (path, options) = (path.as_ref(), options.into());
    let is_first = communicator.rank() == 0;
    // All ranks must divide the same list, even if a file appears meanwhile.
    let list = || {
        let format = options.format.map_or_else(|| Format::to_read(path), Ok)?;
        let parts = check(format, &options).and_then(|()| Parts::of(path, format));
        let parts = parts.map_err(|error| error.in_file(path))?;
        to_message(path, &parts)
    };
    let list = agreed(communicator, is_first.then(list).transpose())?;
    if let Some(parts) = of_first::<Option<Parts>>(path, list, communicator)? {
        let own = share_of_rank(communicator, parts.len());
        let read = parts.read(path, own, &options);
        let read = agreed(communicator, read.map_err(|error| error.in_file(path)))?;
        return Ok(ReadPacking { ids: None, ..read });
    }
    let read = || {
        let ReadPacking {
            packing, unused, ..
        } = read_packing(path, options)?;
        let Packing {
            spheres,
            fixed,
            container,
            sizes,
            provenance,
            unit,
            ..
        } = packing;
        let facts = (container, fixed, sizes, provenance, unit, unused);
        Ok((to_message(path, &facts)?, spheres))
    };
    let read = agreed(communicator, is_first.then(read).transpose())?;
    let (facts, spheres) = read.unzip();
    let (container, fixed, sizes, provenance, unit, unused) = of_first(path, facts, communicator)?;
    let mut packing = Packing {
        fixed,
        sizes,
        provenance,
        unit,
        ..Packing::new(Spheres::default(), container)
    };
    divide(spheres.unwrap_or_default(), &mut packing, communicator);
    Ok(ReadPacking {
        packing,
        ids: None,
        unused,
    })
}

/// Adds the share of each rank of the spheres of the first rank to a packing, which has the number of all fixed spheres.
fn divide(spheres: Spheres, packing: &mut Packing, communicator: &dyn Communicator) {
    let len = gather(communicator, &[spheres.len()])[0];
    let own = share_of_rank(communicator, len);
    let ends: Vec<usize> = gather(communicator, &[own.end]);
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
    let rows = send_to_each(communicator, messages);
    let (centers, radii) = rows
        .into_iter()
        .map(|[x, y, z, radius]| (DVec3::new(x, y, z), radius))
        .unzip();
    packing.spheres = Spheres::new(centers, radii);
    let first_fixed = len - packing.fixed;
    packing.fixed = own.end.saturating_sub(first_fixed.max(own.start));
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
    communicator: &dyn Communicator,
) -> Result<T, ReadError> {
    let messages = communicator.all_gather(&message.unwrap_or_default());
    serde_json::from_slice(&messages[0]).map_err(|error| unsent(path, &error))
}

fn unsent(path: &Path, error: &serde_json::Error) -> ReadError {
    let what = format!("the facts about the packing cannot be sent to the other ranks: {error}");
    ReadError::content(what).in_file(path)
}

/// Returns the result of this rank, or an error if another rank has one.
fn agreed<T>(
    communicator: &dyn Communicator,
    result: Result<T, ReadError>,
) -> Result<T, ReadError> {
    messages::agreed(communicator, result, ReadError::content)
}
