//! The list of file formats, and the choice of a format by a file's extension.

use std::path::{Path, PathBuf};

use strum::{Display, EnumString, IntoStaticStr, VariantArray, VariantNames};

use crate::names::UnknownName;

/// A file format. Its name is the extension of its files.
///
/// Every format stores numbers as the shortest decimals (`.vtp`: as the bits) that read back to the same f64. A
/// packing without overlap in memory therefore has no overlap in the file.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    Hash,
    Display,
    EnumString,
    IntoStaticStr,
    VariantArray,
    VariantNames,
)]
#[strum(
    serialize_all = "lowercase",
    ascii_case_insensitive,
    parse_err_ty = UnknownName,
    parse_err_fn = unknown_format
)]
#[non_exhaustive]
pub enum Format {
    /// `.json`: the complete [`Packing`](crate::Packing).
    Json,
    /// `.csv`: `id,x,y,z,radius` with ids from 0, without the container.
    Csv,
    /// `.xyz`: extended XYZ with cell, periodicity, radii, and ids from 0.
    Xyz,
    /// `.vtp`: VTK PolyData with the arrays `radius`, `diameter` and `id` (from 0), without the container.
    Vtp,
    /// `.data`: LAMMPS data for `atom_style sphere`, with ids from 1, one atom type and density 1, without the
    /// periodicity.
    #[strum(serialize = "data")]
    LammpsData,
}

fn unknown_format(name: &str) -> UnknownName {
    UnknownName::new("format", name, <Format as VariantNames>::VARIANTS)
}

impl Format {
    /// Returns the extension of the format's files, without the dot.
    pub fn extension(self) -> &'static str {
        self.into()
    }

    /// Returns whether [`read_packing`](crate::read_packing) can read the format.
    pub fn is_readable(self) -> bool {
        self != Self::Vtp
    }

    /// Returns the format of files with the extension of `path`, in upper or lower case.
    ///
    /// # Errors
    /// When no format has this extension.
    pub fn from_path(path: impl AsRef<Path>) -> Result<Self, FormatError> {
        let path = path.as_ref();
        path.extension()
            .and_then(|extension| extension.to_str()?.parse().ok())
            .ok_or_else(|| FormatError(path.to_owned()))
    }
}

/// An extension that belongs to no format.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the extension of '{}' names no format; use one of {}", .0.display(), extensions(|_| true))]
pub struct FormatError(PathBuf);

/// Lists the extensions of the formats that meet a condition, for error messages.
pub(super) fn extensions(condition: impl Fn(Format) -> bool) -> String {
    let all: Vec<_> = <Format as VariantArray>::VARIANTS
        .iter()
        .filter(|&&format| condition(format))
        .map(|format| format!(".{format}"))
        .collect();
    all.join(", ")
}
