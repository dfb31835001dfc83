//! Packings that several ranks read together.

use std::path::Path;

use glam::DVec3;
use serde::{Serialize, de::DeserializeOwned};

use super::{
    error::ReadError, kinds::Kinds, parts::Parts, read_options::ReadOptions, recognize,
    rows::ReadPacking,
};
use crate::{
    machine::ranks::Ranks,
    packing::{Packing, certify, of_part},
    spheres::Spheres,
};

/// Reads a packing on several ranks, without forces. The first one reads files that have no parts, with `read_whole`.
pub(super) fn read_share(
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
