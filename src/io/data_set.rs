//! Outputs that consist of one file for each rank, in a directory.

use std::{
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
};

#[cfg(feature = "parquet")]
use super::parquet;
use super::{
    export::{Scene, invalid},
    vtp,
};

/// The kind of the files in a directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DataSet {
    /// Tables of Parquet. The directory has the name of the output.
    #[cfg(feature = "parquet")]
    Parquet,
    /// PolyData of VTK. The directory has the name of the `.pvtp` file without the extension.
    Pieces,
}

impl DataSet {
    /// Returns the directory of the files of an output.
    pub(super) fn directory(self, output: &Path) -> io::Result<PathBuf> {
        match self {
            #[cfg(feature = "parquet")]
            Self::Parquet => Ok(output.to_owned()),
            Self::Pieces => {
                let directory = output.with_extension("");
                if directory == output {
                    return Err(invalid(
                        "the name must have an extension, because the pieces are in a directory of the name without extension",
                    ));
                }
                Ok(directory)
            }
        }
    }

    /// Writes the file of a rank.
    pub(super) fn write(self, part: &Scene, out: &mut dyn Write) -> io::Result<()> {
        match self {
            #[cfg(feature = "parquet")]
            Self::Parquet => parquet::write(part, out),
            Self::Pieces => vtp::write(part, out),
        }
    }

    /// Returns the name of the file of a rank in a directory. The order of the names is that of the ranks.
    pub(super) fn part(self, directory: &Path, rank: usize) -> String {
        match self {
            #[cfg(feature = "parquet")]
            Self::Parquet => format!("part-{rank:05}.parquet"),
            // The names that ParaView gives.
            Self::Pieces => {
                let name = directory.file_name().unwrap_or_default();
                format!("{}_{rank}.vtp", name.to_string_lossy())
            }
        }
    }

    /// Returns whether a directory holds files of this kind that jostle wrote, and nothing else.
    pub(super) fn fills(self, directory: &Path) -> bool {
        // An empty directory belongs to someone else.
        let count = fs::read_dir(directory).map_or(0, Iterator::count);
        count > 0
            && (0..count).all(|rank| {
                let path = directory.join(self.part(directory, rank));
                fs::symlink_metadata(&path).is_ok_and(|found| found.is_file()) && self.is_own(&path)
            })
    }

    fn is_own(self, path: &Path) -> bool {
        match self {
            #[cfg(feature = "parquet")]
            Self::Parquet => parquet::is_own(path),
            Self::Pieces => vtp::is_own(path),
        }
    }
}
