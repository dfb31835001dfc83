//! The list of file formats, and the choice of a format by the name of a file.

use std::{
    ffi::OsStr,
    path::{Path, PathBuf},
};

use strum::{Display, EnumString, IntoStaticStr, VariantArray, VariantNames};

use crate::names::{UnknownName, lacks};

/// A file format.
///
/// Every text format stores numbers as the shortest decimals, and every binary format with 64-bit numbers as the bits, that
/// read back to the same f64. A packing without overlap in memory therefore has no overlap in the file. `docs/guide/formats.md`
/// describes each format, and names the programs that were tried on its files.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    Hash,
    PartialOrd,
    Ord,
    Display,
    EnumString,
    IntoStaticStr,
    VariantArray,
    VariantNames,
)]
#[strum(
    serialize_all = "kebab-case",
    ascii_case_insensitive,
    parse_err_ty = UnknownName,
    parse_err_fn = unknown_format
)]
#[non_exhaustive]
pub enum Format {
    /// `.json`: the complete [`Packing`](crate::Packing).
    Json,
    /// `.csv`: `id,x,y,z,radius` with ids from 0.
    Csv,
    /// `.tsv`: the columns of [`Csv`](Self::Csv) between tabulators.
    Tsv,
    /// `.xyz`: extended XYZ with cell, periodicity, radii, and ids from 0.
    Xyz,
    /// `.vtp`: VTK PolyData with the arrays `radius`, `diameter`, `id` (from 0) and `type`.
    Vtp,
    /// `.pvtp`: the points and arrays of [`Vtp`](Self::Vtp), in one piece or more: `.vtp` files in a directory of the name without the
    /// extension.
    Pvtp,
    /// `.vtu`: the points and arrays of [`Vtp`](Self::Vtp) as a VTK unstructured grid.
    Vtu,
    /// `.vtk`: the points and arrays of [`Vtp`](Self::Vtp) in the legacy format of VTK, as text.
    Vtk,
    /// `.npz`: NumPy arrays `centers`, `radii`, `ids`, `box`, `periodic` and `origin`.
    Npz,
    /// `.npy`: one NumPy array of the centers, with one row for each sphere. An array that is read may have the radii as fourth column.
    Npy,
    /// `.parquet`: an Apache Parquet table with `id,x,y,z,radius`, and the container in its metadata; exists with the feature
    /// `parquet`.
    #[cfg(feature = "parquet")]
    Parquet,
    /// `.arrow`: the table of [`Parquet`](Self::Parquet) as an Apache Arrow file; exists with the feature `parquet`.
    #[cfg(feature = "parquet")]
    Arrow,
    /// `.data`: LAMMPS data for `atom_style sphere`, with ids from 1.
    LammpsData,
    /// `.dump`: one LAMMPS dump snapshot with `id type x y z radius`.
    LammpsDump,
    /// `.data`: LIGGGHTS data for `atom_style granular`, with ids from 1.
    Liggghts,
    /// `.txt`: rows `x y z r` for YADE, after a line with the cell if the container is periodic.
    Yade,
    /// `.txt`: rows `x y z r` for YADE's `ymport.textExt`.
    YadeExt,
    /// `.geo`: ESyS-Particle and GenGeo geometry, version 1.2.
    #[strum(serialize = "gengeo")]
    GenGeo,
    /// `.data`: MercuryDPM data of a three-dimensional system.
    Mercury,
    /// `particle_input.dat` of MFIX-DEM, version 1.
    Mfix,
    /// `particle_input.dat` of MFIX-Exa.
    MfixExa,
    /// A particle file of Lethe.
    Lethe,
    /// Positions for PhasicFlow's `positionFile`.
    #[strum(serialize = "phasicflow")]
    PhasicFlow,
    /// Commands for PFC3D.
    Pfc,
    /// Text for the import of MUSEN.
    Musen,
    /// `.gsd`: one frame for HOOMD-blue and freud, with 32-bit numbers.
    Gsd,
    /// Rows `x y z diameter` for Neper's `centroiddiameq`.
    Neper,
    /// Rows `x y z`: the centers for Neper's `-morphooptiini`.
    NeperCenters,
    /// Rows with one radius: the weights for Neper's `-morphooptiini`.
    NeperRadii,
    /// Rows `id x y z r` for radical Voronoi cells of Voro++.
    #[strum(serialize = "voro++")]
    Voro,
    /// `.csv`: `X,Y,Z,r,clump_type` for DEM-Engine.
    DemEngine,
    /// `.inp`: discrete particles for Abaqus/Explicit.
    Abaqus,
    /// `.ply`: points with `x`, `y`, `z`, `radius`, `id` and `type`, as binary numbers.
    Ply,
    /// `.glb`: binary glTF with instances of one sphere, colored by size.
    Glb,
    /// `.pov`: a scene for POV-Ray.
    Pov,
    /// `.stl`: binary STL surface of icospheres.
    Stl,
    /// `.obj`: Wavefront OBJ surface of icospheres.
    Obj,
    /// `.step`: STEP solids, one for each sphere, in millimeters.
    Step,
    /// `.dxf`: a drawing of disks as circles, and of their container, by layers. It holds disks only.
    Dxf,
    /// `.geo`: Gmsh geometry for OpenCASCADE with named volumes and faces, in the plane with named surfaces and curves.
    Gmsh,
    /// `.npy`: voxel image as a NumPy array `image[x, y, z]`, of disks `image[x, y]`.
    VoxelNpy,
    /// `.tif`: voxel image as a stack of pages along z. Rows begin at the lowest y.
    Tif,
    /// `.png`: image of disks with 8 or 16 bits and the rows of [`Tif`](Self::Tif). It holds disks only.
    Png,
    /// `.vti`: voxel image as VTK image data.
    Vti,
    /// `.raw`: voxel image as bare numbers, with a MetaImage header `.mhd` beside it.
    Raw,
    /// `.xyzd`: x, y, z and diameter of each sphere as little-endian f64.
    Xyzd,
}

/// Extensions of files, without the dot.
type Extensions = &'static [&'static str];

/// A fact about a format, for the method of [`Format`] that states it.
#[derive(Clone, Copy, PartialEq)]
enum Fact {
    /// The format can be read.
    Read,
    /// A file may hold several frames.
    Frames,
    /// Names can be given to the columns of a file that is read.
    Columns,
    /// A file may hold centers without sizes, although its columns have names of their own.
    Centers,
    /// Files hold disks.
    Disks,
    /// Files hold containers of any shape, with bodies.
    Shapes,
    /// The types in files have names.
    Labels,
}

use Fact::{Centers, Columns, Disks, Frames, Labels, Read, Shapes};

fn unknown_format(name: &str) -> UnknownName {
    UnknownName::new("format", name, <Format as VariantNames>::VARIANTS)
        .of_feature(missing_feature(name))
}

/// Returns the feature that this build lacks and that adds a format of this name or extension, if there is one.
pub(super) fn missing_feature(name: &str) -> Option<&'static str> {
    let needs_parquet = ["parquet", "arrow", "feather"].contains(&&*name.to_ascii_lowercase());
    (needs_parquet && !cfg!(feature = "parquet")).then_some("parquet")
}

impl Format {
    /// Returns the extensions that choose the format, the extensions that files of the format usually have but that do not choose it, and
    /// its other facts.
    fn facts(self) -> (Extensions, Extensions, &'static [Fact]) {
        match self {
            Self::Json => (&["json"], &[], &[Read, Disks, Shapes, Labels]),
            Self::Csv => (&["csv"], &[], &[Read, Columns, Disks]),
            Self::Tsv => (&["tsv"], &[], &[Read, Columns, Disks]),
            Self::Xyz => {
                const FACTS: &[Fact] = &[Read, Columns, Frames, Disks, Labels];
                (&["xyz", "extxyz"], &[], FACTS)
            }
            Self::Vtp => (&["vtp"], &[], &[Read, Centers, Disks]),
            Self::Pvtp => (&["pvtp"], &["pvtu"], &[Read, Centers, Disks]),
            Self::Vtu => (&["vtu"], &[], &[Read, Centers, Disks]),
            Self::Vtk => (&["vtk"], &[], &[Read, Centers, Disks]),
            Self::Npz => (&["npz"], &[], &[Read, Centers, Disks]),
            Self::Npy => (&["npy"], &[], &[Read, Columns, Disks]),
            #[cfg(feature = "parquet")]
            Self::Parquet => (&["parquet"], &[], &[Read, Disks, Shapes, Labels]),
            #[cfg(feature = "parquet")]
            Self::Arrow => (&["arrow", "feather"], &[], &[Read, Disks, Shapes, Labels]),
            Self::LammpsData => (&["data"], &[], &[Read, Columns, Disks]),
            Self::LammpsDump => (&["dump", "lammpstrj"], &[], &[Read, Frames, Centers]),
            Self::Liggghts => (&[], &["data"], &[Read, Columns]),
            Self::Yade | Self::YadeExt => (&[], &["txt"], &[Read, Columns]),
            Self::GenGeo => (&[], &["geo"], &[Read]),
            Self::Mercury => (&[], &["data"], &[Read, Frames]),
            Self::Mfix | Self::MfixExa | Self::Lethe => (&[], &["dat"], &[Read]),
            Self::PhasicFlow | Self::Neper => (&[], &["txt"], &[]),
            Self::NeperCenters | Self::NeperRadii => (&[], &["txt"], &[]),
            Self::Musen => (&[], &["txt"], &[Read, Frames, Labels]),
            Self::Voro => (&[], &["txt"], &[Read]),
            Self::DemEngine => (&[], &["csv"], &[Read]),
            Self::Pfc => (&[], &["dat", "p3dat"], &[Read]),
            Self::Abaqus => (&["inp"], &[], &[]),
            Self::Gsd => (&["gsd"], &[], &[Read, Frames, Centers, Labels]),
            Self::Ply => (&["ply"], &[], &[]),
            Self::Glb => (&["glb"], &[], &[]),
            Self::Pov => (&["pov"], &[], &[]),
            Self::Stl => (&["stl"], &[], &[]),
            Self::Obj => (&["obj"], &[], &[]),
            Self::Step => (&["step", "stp"], &[], &[]),
            Self::Dxf => (&["dxf"], &[], &[Disks, Shapes]),
            Self::Gmsh => (&[], &["geo"], &[Disks]),
            Self::VoxelNpy => (&[], &["npy"], &[Disks]),
            Self::Tif => (&["tif", "tiff"], &[], &[Disks]),
            Self::Png => (&["png"], &[], &[Disks]),
            Self::Vti => (&["vti"], &[], &[Disks]),
            Self::Raw => (&["raw"], &[], &[Disks]),
            Self::Xyzd => (&["xyzd"], &[], &[Read]),
        }
    }

    fn has(self, fact: Fact) -> bool {
        let (.., facts) = self.facts();
        facts.contains(&fact)
    }

    /// Returns the extension that files of the format usually have, without the dot.
    pub fn extension(self) -> &'static str {
        let (own, shared, _) = self.facts();
        own.first().or(shared.first()).copied().unwrap_or("")
    }

    /// Returns whether [`read_packing`](crate::read_packing) can read the format.
    pub fn is_readable(self) -> bool {
        self.has(Read)
    }

    /// Returns whether a file of the format refers to further files, so that it is written to and read from paths only.
    pub fn has_pieces(self) -> bool {
        self == Self::Pvtp
    }

    /// Returns whether a file of the format may hold several frames, of which one is read.
    pub fn has_frames(self) -> bool {
        self.has(Frames)
    }

    /// Returns whether names can be given to the columns of a file that is read.
    pub(super) fn takes_columns(self) -> bool {
        self.has(Columns)
    }

    /// Returns whether a file of the format may hold centers without sizes.
    pub(super) fn may_lack_sizes(self) -> bool {
        self.has(Centers) || self.has(Columns)
    }

    /// Returns whether files of the format hold disks: the packings of flat containers, whose centers have z = 0.
    pub fn holds_disks(self) -> bool {
        self.has(Disks)
    }

    /// Returns whether files of the format hold spheres.
    pub fn holds_spheres(self) -> bool {
        !matches!(self, Self::Dxf | Self::Png)
    }

    /// Returns whether files of the format hold containers of any shape, with bodies.
    pub(super) fn holds_shapes(self) -> bool {
        self.has(Shapes)
    }

    /// Returns whether the types in files of the format have names.
    pub(super) fn holds_labels(self) -> bool {
        self.has(Labels)
    }

    /// Returns whether files of the format may hold bonds between spheres.
    pub(super) fn holds_bonds(self) -> bool {
        matches!(self, Self::LammpsData | Self::GenGeo | Self::Musen)
    }

    /// Returns all formats.
    pub(super) fn all() -> impl Iterator<Item = Self> {
        <Self as VariantArray>::VARIANTS.iter().copied()
    }

    /// Returns whether the format stores the radii with 64 bits, so that they read back to the same bits.
    pub fn is_exact(self) -> bool {
        !matches!(self, Self::Gsd | Self::Npy)
    }

    /// Returns the format of files with the extension of `path`, in upper or lower case. The extension `.gz` behind it is ignored.
    ///
    /// # Errors
    /// When no format has this extension, and when several formats share it.
    pub fn from_path(path: impl AsRef<Path>) -> Result<Self, FormatError> {
        let path = path.as_ref();
        let found = Self::choose(path, |_| true);
        match found {
            // Jostle writes the pieces of a .pvtp file only.
            Ok(Self::Pvtp) if format_extension(path) == "pvtu" => Err(FormatError {
                path: path.to_owned(),
                candidates: Vec::new(),
                is_read: false,
            }),
            found => found,
        }
    }

    /// Returns whether another format that can be read has the extension of a file.
    pub(super) fn shares_extension(self, path: &Path) -> bool {
        let extension = format_extension(path);
        let mut others = Self::all().filter(|&other| other != self && other.is_readable());
        others.any(|other| {
            let (own, shared, _) = other.facts();
            [own, shared].concat().contains(&&*extension)
        })
    }

    /// Returns the format in which a file of this name can be read.
    ///
    /// # Errors
    /// When no format has this extension, and when several readable formats share it.
    pub(super) fn to_read(path: &Path) -> Result<Self, FormatError> {
        // One reader reads both forms of YADE's rows, and the first line recognizes MUSEN.
        let needs_name = [Self::YadeExt, Self::Musen, Self::Voro];
        match Self::choose(path, |format| {
            format.is_readable() && !needs_name.contains(&format)
        }) {
            // The message about a format that is only written says more.
            Err(error) if error.candidates.is_empty() => match Self::from_path(path) {
                Ok(written) => Ok(written),
                Err(error) => Err(FormatError {
                    candidates: Self::all().filter(|format| format.is_readable()).collect(),
                    is_read: true,
                    ..error
                }),
            },
            found => found,
        }
    }

    /// Chooses among the formats that meet a condition.
    fn choose(path: &Path, condition: impl Fn(Self) -> bool) -> Result<Self, FormatError> {
        let extension = format_extension(path);
        let (mut having, mut sharing) = (Vec::new(), Vec::new());
        for format in Self::all().filter(|&format| condition(format)) {
            let (own, shared, _) = format.facts();
            having.extend(own.contains(&&*extension).then_some(format));
            sharing.extend(shared.contains(&&*extension).then_some(format));
        }
        match (having.as_slice(), sharing.as_slice()) {
            (&[format], _) | (&[], &[format]) => Ok(format),
            _ => Err(FormatError {
                path: path.to_owned(),
                candidates: sharing,
                is_read: false,
            }),
        }
    }
}

/// An extension that belongs to no format, or to several.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.message())]
pub struct FormatError {
    path: PathBuf,
    candidates: Vec<Format>,
    /// Whether no format that can be read has the extension.
    is_read: bool,
}

impl FormatError {
    /// Returns the formats of which one must be named: those that share the extension, or all that can be read if no such format has
    /// the extension; none if the extension of a file to write is unknown.
    pub fn candidates(&self) -> &[Format] {
        &self.candidates
    }

    fn message(&self) -> String {
        let path = self.path.display();
        if (self.is_read || self.candidates.is_empty())
            && let Some(feature) = missing_feature(&format_extension(&self.path))
        {
            return lacks(&format!("the format of '{path}'"), feature);
        }
        if self.is_read {
            let names = names(self.candidates.iter().copied());
            return format!(
                "no format that can be read has the extension of '{path}'; the format must be one of {names}"
            );
        }
        if self.candidates.is_empty() {
            let extensions = extensions();
            return format!("the extension of '{path}' names no format; use one of {extensions}");
        }
        let names = names(self.candidates.iter().copied());
        format!("several formats have the extension of '{path}'; the format must be one of {names}")
    }
}

/// Lists the extensions that choose a format, for error messages.
fn extensions() -> String {
    let first = Format::all().filter_map(|format| format.facts().0.first());
    let all: Vec<String> = first.map(|extension| format!(".{extension}")).collect();
    all.join(", ")
}

/// Lists names of formats, for error messages.
pub(super) fn names(formats: impl Iterator<Item = Format>) -> String {
    let names: Vec<&'static str> = formats.map(Into::into).collect();
    names.join(", ")
}

/// Extension of files that are compressed with gzip.
const GZIP: &str = "gz";

/// Returns whether a file of this name is compressed with gzip.
pub(super) fn is_compressed(path: &Path) -> bool {
    let extension = path.extension().and_then(OsStr::to_str);
    extension.is_some_and(|extension| extension.eq_ignore_ascii_case(GZIP))
}

/// Returns the extension that chooses the format, in lower case: that before `.gz`, if the name has both.
pub(super) fn format_extension(path: &Path) -> String {
    let extension = match path.file_stem() {
        Some(stem) if is_compressed(path) => Path::new(stem).extension(),
        _ => path.extension(),
    };
    let extension = extension.and_then(OsStr::to_str).unwrap_or("");
    extension.to_ascii_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_choose_the_compression_and_the_format() {
        for (name, compressed, extension) in [
            ("p.csv.gz", true, "csv"),
            ("p.DUMP.GZ", true, "dump"),
            ("p.gz", true, ""),
            ("p.csv", false, "csv"),
            ("gz", false, ""),
        ] {
            let path = Path::new(name);
            assert_eq!(is_compressed(path), compressed, "{name}");
            assert_eq!(format_extension(path), extension, "{name}");
        }
    }
}
