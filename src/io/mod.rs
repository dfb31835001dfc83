//! Packings as files: one module for each format.

mod csv;
mod json;
mod lammps;
mod rows;
mod vtp;
mod xyz;

use std::{
    fmt, fs,
    fs::File,
    io::{self, BufReader, BufWriter, Write},
    path::{Path, PathBuf},
};

use tempfile::NamedTempFile;

use crate::{
    container::{Boundaries, Boundary, Container},
    packing::Packing,
    packing::certify,
    spheres::Spheres,
};

/// A file format, chosen by a file's extension.
///
/// All print numbers as the shortest decimals (or the very bits) that read back to the same f64, so that a
/// packing without overlap in memory has none in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// `.json`: everything there is to know about a packing; see [`Packing`].
    Json,
    /// `.csv`: `id,x,y,z,radius`, counted from 0, without the container.
    Csv,
    /// `.xyz`: extended XYZ with cell, periodicity, radii and ids counted from 0.
    Xyz,
    /// `.vtp`: VTK PolyData with arrays `radius`, `diameter` and `id` (counted from 0), without the container.
    Vtp,
    /// `.data`: LAMMPS data for `atom_style sphere`, ids counted from 1, one atom type, density 1,
    /// without the periodicity.
    LammpsData,
}

impl Format {
    /// Every format.
    pub const ALL: [Self; 5] = [
        Self::Json,
        Self::Csv,
        Self::Xyz,
        Self::Vtp,
        Self::LammpsData,
    ];

    /// The extension of its files, without the dot.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Json => "json",
            Self::Csv => "csv",
            Self::Xyz => "xyz",
            Self::Vtp => "vtp",
            Self::LammpsData => "data",
        }
    }

    /// Whether [`read_packing`] reads it back.
    pub fn is_readable(self) -> bool {
        self != Self::Vtp
    }

    /// The format of files with the extension of `path`, in upper or lower case.
    ///
    /// # Errors
    /// When no format has that extension.
    pub fn from_path(path: &Path) -> Result<Self, FormatError> {
        let extension = path.extension().unwrap_or_default();
        Self::ALL
            .into_iter()
            .find(|format| extension.eq_ignore_ascii_case(format.extension()))
            .ok_or_else(|| FormatError(path.to_owned()))
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.extension())
    }
}

/// An extension that belongs to no format.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the extension of '{}' names no format; use one of {}", .0.display(), extensions(|_| true))]
pub struct FormatError(PathBuf);

fn extensions(which: impl Fn(Format) -> bool) -> String {
    let all: Vec<_> = Format::ALL
        .into_iter()
        .filter(|&format| which(format))
        .map(|format| format!(".{format}"))
        .collect();
    all.join(", ")
}

/// A file that cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// The extension names no format.
    #[error(transparent)]
    Format(#[from] FormatError),
    /// There is no such directory to write into.
    #[error("cannot write '{}': there is no directory '{}'", .path.display(), .directory.display())]
    NoDirectory {
        /// The file.
        path: PathBuf,
        /// The directory that is missing.
        directory: PathBuf,
    },
    /// Something that is not a file, or is marked as read-only, stands there already.
    #[error("cannot write '{}': {what} of that name stands there", .path.display())]
    Occupied {
        /// The file.
        path: PathBuf,
        /// What stands there.
        what: &'static str,
    },
    /// The operating system refused.
    #[error("cannot write '{}': {source}", .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}

/// Writes a packing in the given format.
///
/// # Errors
/// Those of `out`, and one of kind [`io::ErrorKind::InvalidInput`] when a centre or radius is not finite.
pub fn write_packing(packing: &Packing, format: Format, out: &mut dyn Write) -> io::Result<()> {
    if let Some(bad) = packing
        .spheres
        .iter()
        .position(|(center, radius)| !(center.is_finite() && radius.is_finite()))
    {
        return Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            format!("the centre or radius of sphere {bad} is not a finite number"),
        ));
    }
    match format {
        Format::Json => json::write(packing, out),
        Format::Csv => csv::write(packing, out),
        Format::Xyz => xyz::write(packing, out),
        Format::Vtp => vtp::write(packing, out),
        Format::LammpsData => lammps::write(packing, out),
    }
}

/// Writes a packing to files, each in the format of its extension.
///
/// Every file is first written in full under a temporary name beside its place and then renamed, so that no
/// file is ever half-written and a failure leaves older files of the same names as they were.
///
/// # Errors
/// When a format is unknown or a file cannot be written.
pub fn write_files(packing: &Packing, paths: &[impl AsRef<Path>]) -> Result<(), WriteError> {
    let mut staged = Vec::new();
    for path in paths {
        let path = path.as_ref();
        let (format, mut file) = stage(path)?;
        let mut out = BufWriter::with_capacity(1 << 18, &mut file);
        write_packing(packing, format, &mut out)
            .and_then(|()| out.flush())
            .map_err(|source| io_error(path, source))?;
        drop(out);
        staged.push((path, file));
    }
    for (path, file) in staged {
        file.persist(path)
            .map_err(|failed| io_error(path, failed.error))?;
    }
    Ok(())
}

/// Refuses now what [`write_files`] would refuse later, without touching the file.
///
/// # Errors
/// When the format is unknown, the directory is missing or cannot be written to, or something
/// that must not be replaced stands in the file's place.
pub fn check_writable(path: &Path) -> Result<(), WriteError> {
    stage(path).map(drop)
}

/// An empty temporary file in the directory of `path`, which vanishes unless it is persisted.
fn stage(path: &Path) -> Result<(Format, NamedTempFile), WriteError> {
    let format = Format::from_path(path)?;
    let occupied = |what| WriteError::Occupied {
        path: path.to_owned(),
        what,
    };
    if let Ok(found) = fs::metadata(path) {
        if found.is_dir() {
            return Err(occupied("a directory"));
        }
        if found.permissions().readonly() {
            return Err(occupied("a read-only file"));
        }
    }
    let directory = match path.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    };
    if !directory.is_dir() {
        return Err(WriteError::NoDirectory {
            path: path.to_owned(),
            directory: directory.to_owned(),
        });
    }
    let mut builder = tempfile::Builder::new();
    builder.prefix(".jostle-");
    // Temporary files are private by default; these become the user's, under the usual mask.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let file = builder
        .tempfile_in(directory)
        // Its own message would name the temporary file and puzzle the user.
        .map_err(|error| io_error(path, error.kind().into()))?;
    Ok((format, file))
}

fn io_error(path: &Path, source: io::Error) -> WriteError {
    WriteError::Io {
        path: path.to_owned(),
        source,
    }
}

/// A file that cannot be read as a packing.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The extension names no format.
    #[error(transparent)]
    Format(#[from] FormatError),
    /// The format is only written.
    #[error(
        "'{}' cannot be read: .{format} files are only written; use one of {}",
        .path.display(), extensions(Format::is_readable)
    )]
    WriteOnly {
        /// The file.
        path: PathBuf,
        /// Its format.
        format: Format,
    },
    /// The operating system refused.
    #[error("cannot read '{}': {source}", .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The file does not hold what its format asks for.
    #[error("'{}'{}: {what}", .path.display(), .line.map(|line| format!(", line {line}")).unwrap_or_default())]
    Content {
        /// The file.
        path: PathBuf,
        /// The line, counted from 1, where there is one to blame.
        line: Option<u64>,
        /// What is wrong and what would be accepted.
        what: String,
    },
}

/// Reads a packing from a file, in the format of its extension.
///
/// Centres are moved so that the container's low corner is the origin, and into the container along periodic
/// axes; the spheres keep the order of the file. The certificate is that of [`certify`], whatever the file says.
///
/// `box_hint` adds what a format lacks: the whole container for `.csv` (and `.xyz` without a cell), the boundary
/// for `.data` (and `.xyz` without `pbc`), which is otherwise periodic. It is ignored by formats that know better.
///
/// # Errors
/// When the format is unknown or not readable, and when the file is missing or does not hold a packing.
pub fn read_packing(path: &Path, box_hint: Option<Container>) -> Result<Packing, ReadError> {
    read_packing_with_ids(path, box_hint).map(|(packing, _)| packing)
}

/// [`read_packing`], and the ids that the file gives to the spheres, in the same order; `None` when it has no ids or
/// some are not whole numbers. Ids are not checked for being different.
///
/// # Errors
/// Those of [`read_packing`].
pub fn read_packing_with_ids(
    path: &Path,
    box_hint: Option<Container>,
) -> Result<(Packing, Option<Vec<u64>>), ReadError> {
    let format = Format::from_path(path)?;
    let open = || {
        File::open(path)
            .map(BufReader::new)
            .map_err(|source| ReadError::Io {
                path: path.to_owned(),
                source,
            })
    };
    match format {
        Format::Json => json::read(open()?),
        Format::Csv => csv::read(open()?, box_hint),
        Format::Xyz => xyz::read(open()?, box_hint),
        Format::LammpsData => lammps::read(open()?, box_hint.map(|hint| hint.boundary())),
        Format::Vtp => {
            return Err(ReadError::WriteOnly {
                path: path.to_owned(),
                format,
            });
        }
    }
    .map(|Found { packing, ids }| (packing, ids))
    .map_err(|Problem { line, what }| ReadError::Content {
        path: path.to_owned(),
        line,
        what,
    })
}

/// What a reader finds.
struct Found {
    packing: Packing,
    ids: Option<Vec<u64>>,
}

/// What a reader dislikes, before the name of the file is added.
#[derive(Debug)]
struct Problem {
    line: Option<u64>,
    what: String,
}

impl Problem {
    fn new(what: impl Into<String>) -> Self {
        Self {
            line: None,
            what: what.into(),
        }
    }

    fn at(line: u64, what: impl Into<String>) -> Self {
        Self {
            line: Some(line),
            what: what.into(),
        }
    }
}

/// A packing from a file that holds no more than spheres and a container.
fn bare_packing(spheres: Spheres, container: Container) -> Packing {
    Packing {
        certificate: certify(&spheres, &container),
        spheres,
        container,
        sizes: None,
        provenance: None,
        unit: String::new(),
    }
}

/// One word for each axis, by its boundary.
fn by_boundary<'a>(boundary: Boundaries, periodic: &'a str, wall: &'a str) -> [&'a str; 3] {
    boundary.0.map(|axis| match axis {
        Boundary::Periodic => periodic,
        Boundary::Wall => wall,
    })
}
