//! Writing of packings, in any format, to a stream or to files.

use std::{
    fs::File,
    io::{self, Write},
    path::{Path, PathBuf},
};

use super::{
    abaqus, csv,
    data_set::DataSet,
    dxf,
    error::{WriteError, in_file},
    export::{
        Bond, ExportOptions, Scene, Selection, Types, check_options, invalid, name_in_file,
        omissions,
    },
    format::{Format, is_compressed, names},
    gengeo, glb, gmsh, gsd, gzip, json, lammps, lammps_dump, lethe, mercury, mfix, musen, npy, npz,
    obj, pfc, ply, pov, pvtp, script,
    staged::{Staged, StagedDirectory, StagedFile, write_out},
    step, stl, tables,
    template::write_rows,
    voro,
    voxel::{self, Grid},
    vtk_legacy, vtp, xyz, xyzd, yade,
};
#[cfg(feature = "parquet")]
use super::{arrow, parquet};
use crate::{
    container::{Boundaries, Container},
    dimension::Dimension,
    packing::Packing,
    spheres::Spheres,
};

/// Writes a packing in the given format.
///
/// The function writes in small pieces, so `out` should be buffered.
///
/// # Errors
/// The errors of `out`, and one of kind [`io::ErrorKind::InvalidInput`] when a center or diameter is not finite or the format [has
/// pieces](Format::has_pieces).
pub fn write_packing(packing: &Packing, format: Format, out: &mut dyn Write) -> io::Result<()> {
    export_packing(packing, format, &ExportOptions::default(), out).map(drop)
}

/// Writes a packing in the given format, with the choices of an export. Returns sentences about the parts of the packing that
/// the format cannot hold, and about radii that are smaller than requested.
///
/// The function writes in small pieces, so `out` should be buffered.
///
/// # Errors
/// The errors of `out`, and one of kind [`io::ErrorKind::InvalidInput`] when a center or diameter is not finite, an option does not
/// fit the packing or the format, or the format [has pieces](Format::has_pieces).
///
/// # Example
/// ```
/// use jostle::{PackOptions, pack, io::{ExportOptions, Format, export_packing}};
///
/// let packing = pack(vec![0.5; 20], &PackOptions::default())?.packing;
/// let options = ExportOptions::default().repeat([2, 1, 1]);
/// let mut file = Vec::new();
/// let warnings = export_packing(&packing, Format::LammpsData, &options, &mut file)?;
/// assert!(String::from_utf8(file)?.contains("40 atoms"));
/// assert!(warnings.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn export_packing(
    packing: &Packing,
    format: Format,
    options: &ExportOptions,
    out: &mut dyn Write,
) -> io::Result<Vec<String>> {
    let scene = Scene::new(packing, options)?;
    write_scene(&scene, format, options, out)?;
    Ok(warnings(&scene, format))
}

pub(super) fn write_scene(
    scene: &Scene,
    format: Format,
    options: &ExportOptions,
    out: &mut dyn Write,
) -> io::Result<()> {
    check_dimension(scene.container.dimension(), format, options)?;
    let bonds = bonds(scene, format, options)?;
    match format {
        Format::Json => json::write(scene, out),
        Format::Csv => csv::write(scene, ",", out),
        Format::Tsv => csv::write(scene, "\t", out),
        Format::Xyz => xyz::write(scene, out),
        Format::Vtp => vtp::write(scene, out),
        Format::Pvtp => Err(invalid(pvtp::NEEDS_PATH)),
        Format::Vtu => vtp::write_grid(scene, out),
        Format::Vtk => vtk_legacy::write(scene, out),
        Format::Npz => npz::write(scene, out),
        Format::Npy => npy::write_centers(scene, out),
        #[cfg(feature = "parquet")]
        Format::Parquet => parquet::write(scene, out),
        #[cfg(feature = "parquet")]
        Format::Arrow => arrow::write(scene, out),
        Format::LammpsData => match bonds {
            Some(bonds) => lammps::write_bonded(scene, &bonds, out),
            None => lammps::write(scene, lammps::LAMMPS, out),
        },
        Format::LammpsDump => lammps_dump::write(scene, out),
        Format::Liggghts => lammps::write(scene, lammps::LIGGGHTS, out),
        Format::Yade => yade::write(scene, out),
        Format::YadeExt => yade::write_ext(scene, out),
        Format::GenGeo => gengeo::write(scene, &bonds.unwrap_or_default(), out),
        Format::Mercury => mercury::write(scene, out),
        Format::Mfix => write_rows(scene, mfix::ROW, out),
        Format::MfixExa => mfix::write_exa(scene, out),
        Format::Lethe => lethe::write(scene, out),
        Format::PhasicFlow => write_rows(scene, tables::PHASICFLOW, out),
        Format::Pfc => pfc::write(scene, out),
        Format::Musen => musen::write(scene, &bonds.unwrap_or_default(), out),
        Format::Gsd => gsd::write(scene, out),
        Format::Neper => write_rows(scene, tables::NEPER, out),
        Format::NeperCenters => write_rows(scene, tables::NEPER_CENTERS, out),
        Format::NeperRadii => write_rows(scene, tables::NEPER_RADII, out),
        Format::Voro => write_rows(scene, voro::ROW, out),
        Format::DemEngine => tables::write_dem_engine(scene, out),
        Format::Abaqus => abaqus::write(scene, out),
        Format::Ply => ply::write(scene, out),
        Format::Glb => glb::write(scene, options, out),
        Format::Pov => pov::write(scene, out),
        Format::Stl => stl::write(scene, options, out),
        Format::Obj => obj::write(scene, options, out),
        Format::Step => step::write(scene, out),
        Format::Dxf => dxf::write(scene, out),
        Format::Gmsh => gmsh::write(scene, options, out),
        Format::VoxelNpy => voxel::write_npy(scene, &Grid::new(scene, options)?, out),
        Format::Tif => voxel::write_tif(scene, &Grid::new(scene, options)?, out),
        Format::Png => voxel::write_png(scene, &Grid::new(scene, options)?, out),
        Format::Vti => voxel::write_vti(scene, &Grid::new(scene, options)?, out),
        Format::Raw => voxel::write_cells(scene, &Grid::new(scene, options)?, out),
        Format::Xyzd => xyzd::write(scene, out),
    }
}

/// Returns the bonds that the options demand, or rejects them in a format without bonds, and beside a script, which cannot use them.
fn bonds(scene: &Scene, format: Format, options: &ExportOptions) -> io::Result<Option<Vec<Bond>>> {
    let Some(tolerance) = options.bonds else {
        return Ok(None);
    };
    if !format.holds_bonds() || options.script {
        let formats = names(Format::all().filter(|format| format.holds_bonds()));
        return Err(invalid(format!(
            "bonds are written without a script, in one of the formats {formats}"
        )));
    }
    scene.bonds(tolerance).map(Some)
}

/// Rejects disks in a format that holds spheres only, spheres in one that holds disks only, and options that need three dimensions.
fn check_dimension(
    dimension: Dimension,
    format: Format,
    options: &ExportOptions,
) -> io::Result<()> {
    if dimension == Dimension::Three {
        return match format.holds_spheres() {
            true => Ok(()),
            false => Err(invalid(format!(
                "the format {format} holds disks, not spheres; disks have flat containers, such as rectangle:lx=3,ly=4"
            ))),
        };
    }
    if !format.holds_disks() {
        let formats = names(Format::all().filter(|format| format.holds_disks()));
        return Err(invalid(format!(
            "the format {format} holds spheres, not disks; disks can be written in one of {formats}"
        )));
    }
    let refused = [
        (options.script, "scripts"),
        (options.bonds.is_some(), "bonds"),
        (format == Format::Gmsh && options.bridge > 0.0, "bridges"),
    ];
    match refused.iter().find(|(is_given, _)| *is_given) {
        Some((_, what)) => Err(invalid(format!("{what} belong to spheres, not to disks"))),
        None => Ok(()),
    }
}

/// Number of spheres above which Gmsh and CAD programs need hours.
const MANY_VOLUMES: usize = 3000;

/// Returns sentences about the differences between a scene and its file.
pub(super) fn warnings(scene: &Scene, format: Format) -> Vec<String> {
    let reader = match format {
        Format::Gmsh => Some("Gmsh, which divides a few thousand volumes in reasonable time"),
        Format::Step => Some("CAD programs, which read a few thousand solids in reasonable time"),
        _ => None,
    };
    let reader = reader.filter(|_| scene.len() > MANY_VOLUMES);
    let many = reader.map(|reader| format!("{} spheres are many for {reader}", scene.len()));
    let shrunk = (scene.shrunk > 0).then(|| {
        format!(
            "{} of {} radii are smaller by a rounding error, so that no spheres overlap in the file",
            scene.shrunk,
            scene.len()
        )
    });
    let nothing = (scene.total == 0 && !scene.packing.spheres.is_empty())
        .then(|| "no sphere meets the conditions, so the file has no spheres".to_owned());
    (nothing.into_iter())
        .chain(omissions(format, scene))
        .chain(shrunk)
        .chain(many)
        .collect()
}

/// Writes a file, and the files that belong beside it, under temporary names.
pub(super) fn stage(
    scene: &Scene,
    format: Format,
    path: &Path,
    options: &ExportOptions,
) -> Result<Vec<Staged>, WriteError> {
    in_file(path, check_compression(path, format, options))?;
    let mut files = if format == Format::Pvtp {
        stage_piece(scene, path)?
    } else {
        let mut file = StagedFile::create(path)?;
        file.write(|out| {
            gzip::write_as(path, out, |out| write_scene(scene, format, options, out))
        })?;
        vec![Staged::File(file)]
    };
    for (beside, text) in in_file(path, companions(scene, format, path, options))? {
        let mut file = StagedFile::create(&beside)?;
        file.write(|out| out.write_all(text.as_bytes()))?;
        files.push(Staged::File(file));
    }
    Ok(files)
}

/// Writes the only piece of a `.pvtp` file, and the file itself, under temporary names.
fn stage_piece(scene: &Scene, path: &Path) -> Result<Vec<Staged>, WriteError> {
    let pieces = StagedDirectory::create(path, DataSet::Pieces)?;
    let write_piece = || {
        let piece = pieces
            .temporary_path()
            .join(DataSet::Pieces.part(pieces.path(), 0));
        write_out(&mut File::create(piece)?, |out| vtp::write(scene, out))
    };
    in_file(path, write_piece())?;
    let index = stage_index(scene, path, pieces.path(), 1)?;
    // The file never refers to pieces that are missing.
    Ok(vec![Staged::Directory(pieces), Staged::File(index)])
}

/// Writes a `.pvtp` file under a temporary name. Its pieces will be in `directory`.
pub(super) fn stage_index(
    scene: &Scene,
    path: &Path,
    directory: &Path,
    pieces: usize,
) -> Result<StagedFile, WriteError> {
    let mut file = StagedFile::create(path)?;
    file.write(|out| pvtp::write(scene, directory, pieces, out))?;
    Ok(file)
}

/// Adds the sentences that are not among `sentences`.
pub(super) fn add_new(sentences: &mut Vec<String>, new: Vec<String>) {
    for sentence in new {
        if !sentences.contains(&sentence) {
            sentences.push(sentence);
        }
    }
}

/// Returns the paths and texts of the files that belong beside a file: the header of bare numbers, and a script.
fn companions(
    scene: &Scene,
    format: Format,
    path: &Path,
    options: &ExportOptions,
) -> io::Result<Vec<(PathBuf, String)>> {
    let mut files = Vec::new();
    if format == Format::Raw {
        let name = name_in_file(path.file_name())?;
        let header = voxel::raw_header(&Grid::new(scene, options)?, name);
        files.push((header_path(path), header));
    }
    if options.script {
        files.push(script::beside(scene, format, path, options)?);
    }
    Ok(files)
}

fn header_path(path: &Path) -> PathBuf {
    path.with_extension("mhd")
}

/// Returns the paths of all files and directories that [`export_files`](crate::io::export_files) writes: `path` first, then the paths
/// that the format and the options add.
///
/// # Errors
/// When the format of the file is unknown, or has no script although the options demand one.
pub fn exported_paths(
    path: impl AsRef<Path>,
    options: &ExportOptions,
) -> Result<Vec<PathBuf>, WriteError> {
    let path = path.as_ref();
    let format = format_of(path, options)?;
    let beside = || -> io::Result<Vec<PathBuf>> {
        let mut paths = vec![path.to_owned()];
        if format == Format::Raw {
            paths.push(header_path(path));
        }
        if format == Format::Pvtp {
            paths.push(DataSet::Pieces.directory(path)?);
        }
        if options.script {
            paths.push(script::path_beside(format, path)?.0);
        }
        Ok(paths)
    };
    in_file(path, beside())
}

/// Returns the options for one of several files that are written together: a script and bonds belong to the files whose formats have them. An
/// option that no format of the files has stays, so that the file is refused with a list of formats.
pub(crate) fn options_for(
    path: &Path,
    paths: &[impl AsRef<Path>],
    options: &ExportOptions,
) -> ExportOptions {
    let mut own = options.clone();
    let is_for_others = |has: fn(Format) -> bool| {
        let has = |path: &Path| format_of(path, options).is_ok_and(has);
        !has(path) && paths.iter().any(|other| has(other.as_ref()))
    };
    own.script &= !is_for_others(script::exists);
    own.bonds = own.bonds.filter(|_| !is_for_others(Format::holds_bonds));
    own
}

/// Returns the format of a file: the requested one, or that of its extension.
pub(super) fn format_of(path: &Path, options: &ExportOptions) -> Result<Format, WriteError> {
    Ok(match options.format {
        Some(format) => format,
        // The same extension means centers, or an image if there are voxels.
        None => match Format::from_path(path)? {
            Format::Npy if options.voxel.is_some() => Format::VoxelNpy,
            format => format,
        },
    })
}

/// Checks whether [`write_files`](crate::write_files) can write a file of this name, without changing the file.
///
/// # Errors
/// When the extension names no format, when the directory is missing or cannot be written to, and when a directory or a
/// read-only file has this name.
pub fn check_writable(path: impl AsRef<Path>) -> Result<(), WriteError> {
    let (path, options) = (path.as_ref(), ExportOptions::default());
    check_exportable(path, &options, any_container(path, &options))
}

/// Returns a periodic container whose packings a file can hold, where the container of the packing is not known yet.
pub(crate) fn any_container(path: &Path, options: &ExportOptions) -> Container {
    let holds_spheres = format_of(path, options).map_or(true, Format::holds_spheres);
    let dimension = match holds_spheres {
        true => Dimension::Three,
        false => Dimension::Two,
    };
    Container::unit(dimension, Boundaries::PERIODIC)
}

/// Checks whether [`export_files`](crate::io::export_files) can write a file of this name with these options, without changing the file, before there is a
/// packing. Its container shall have the dimension and the boundary of this one.
///
/// # Errors
/// The errors of [`check_writable`], and when an option does not fit the format or the boundary.
pub fn check_exportable(
    path: impl AsRef<Path>,
    options: &ExportOptions,
    container: impl Into<Container>,
) -> Result<(), WriteError> {
    let (path, container) = (path.as_ref(), container.into());
    let format = format_of(path, options)?;
    in_file(path, check_compression(path, format, options))?;
    in_file(path, check_fit(path, format, options, &container))?;
    if format == Format::Pvtp {
        StagedDirectory::create(path, DataSet::Pieces)?;
    }
    StagedFile::create(path).map(drop)
}

/// Rejects the compression of a file beside which others belong, because they would refer to the file without compression.
fn check_compression(path: &Path, format: Format, options: &ExportOptions) -> io::Result<()> {
    let has_others = matches!(format, Format::Pvtp | Format::Raw) || options.script;
    if is_compressed(path) && has_others {
        return Err(invalid(
            "other files refer to this file, so that it cannot be compressed; its name must not end with .gz",
        ));
    }
    Ok(())
}

/// Checks the options with a null writer.
fn check_fit(
    path: &Path,
    format: Format,
    options: &ExportOptions,
    container: &Container,
) -> io::Result<()> {
    let (dimension, boundary) = (container.dimension(), container.boundary());
    check_dimension(dimension, format, options)?;
    // The container has one voxel.
    let edge = options.voxel.unwrap_or(1.0) / options.scale;
    let unit = Container::unit(dimension, boundary);
    let container = if edge > 0.0 && edge.is_finite() {
        unit.scaled(edge)
    } else {
        unit
    };
    let middle = 0.5 * container.lengths();
    let spheres = Spheres::new(vec![middle], vec![0.25 * middle.x]);
    let packing = Packing::new(spheres, container);
    check_options(&packing, options)?;
    // Selections, types and copies depend on the spheres.
    let options = ExportOptions {
        select: Selection::default(),
        types: Types::default(),
        repeat: [1; 3],
        ..options.clone()
    };
    let scene = Scene::new(&packing, &options)?;
    match format {
        Format::Pvtp => pvtp::write(&scene, path, 1, &mut io::sink())?,
        _ => write_scene(&scene, format, &options, &mut io::sink())?,
    }
    companions(&scene, format, path, &options).map(drop)
}
