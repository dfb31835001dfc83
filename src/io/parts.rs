//! Packings in several files, of which some are read.

use std::{
    ops::Range,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};

#[cfg(feature = "parquet")]
use super::parquet;
use super::{error::ReadError, format::Format, pvtp, read_options::ReadOptions, rows::ReadPacking};

/// The files that hold the spheres of a packing, in the order of the spheres.
#[derive(Serialize, Deserialize)]
pub(super) enum Parts {
    /// The tables of a directory, at least one.
    #[cfg(feature = "parquet")]
    Tables {
        /// Paths relative to the directory.
        files: Vec<PathBuf>,
        /// The metadata of the first table, which all tables must have; `None` if another program wrote it.
        account: Option<String>,
    },
    /// The pieces of a `.pvtp` file: paths relative to its directory.
    Pieces(Vec<PathBuf>),
}

impl Parts {
    /// Returns the files of a packing, or `None` if it is in one file.
    pub(super) fn of(path: &Path, format: Format) -> Result<Option<Self>, ReadError> {
        Ok(match format {
            #[cfg(feature = "parquet")]
            Format::Parquet if path.is_dir() => {
                let files = parquet::tables_in(path)?;
                let account = parquet::account(path, &files[0])?;
                Some(Self::Tables { files, account })
            }
            Format::Pvtp => Some(Self::Pieces(pvtp::pieces(path)?)),
            _ => None,
        })
    }

    /// Returns the number of files.
    pub(super) fn len(&self) -> usize {
        match self {
            #[cfg(feature = "parquet")]
            Self::Tables { files, .. } => files.len(),
            Self::Pieces(pieces) => pieces.len(),
        }
    }

    /// Reads some of the files, perhaps none, and returns their spheres with the ids. The container and the unit are those of the packing.
    pub(super) fn read(
        &self,
        path: &Path,
        some: Range<usize>,
        options: &ReadOptions,
    ) -> Result<ReadPacking, ReadError> {
        match self {
            #[cfg(feature = "parquet")]
            Self::Tables { files, account } => {
                parquet::read_tables(path, &files[0], &files[some], account.as_ref(), options)
            }
            Self::Pieces(pieces) => Ok(pvtp::read(path, &pieces[some], options)?.finish()),
        }
    }
}
