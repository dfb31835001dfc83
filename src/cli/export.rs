//! The options of an export, which `pack`, `resume` and `convert` share.

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Result, anyhow, bail, ensure};
use clap::Args;
use strum::VariantNames;

use super::{help::OUTPUT, values, words::choices};
use crate::{
    Container,
    io::{
        ExportOptions, Format, Origin, Selection, Types, VoxelValues, WriteError, check_exportable,
        exported_paths,
    },
};

/// Headings of the help above options of some formats.
const SURFACES: &str = "Surfaces";
const VOXELS: &str = "Voxel images";

/// Options of files, whatever their format.
#[derive(Args)]
#[command(next_help_heading = OUTPUT)]
pub struct ExportArgs {
    /// Write all files in this format. 'jostle convert --help' lists all formats [default: the format of each extension]
    #[arg(long, value_name = "FORMAT")]
    format: Option<Format>,

    /// Write this density of the spheres, in the unit of the target program. The densities of a blend are multiplied by it [default: 1]
    #[arg(long, value_name = "DENSITY", value_parser = values::positive)]
    pub density: Option<f64>,

    /// Multiply all lengths by FACTOR, such as 0.001 from millimeters to meters [default: 1]
    #[arg(long, value_name = "FACTOR", value_parser = values::positive)]
    scale: Option<f64>,

    #[arg(long, hide_short_help = true, help = choices("Put the origin of coordinates at this point of the container, or at that of its mesh file", Origin::VARIANTS, Origin::default()))]
    origin: Option<Origin>,

    /// Give the spheres TYPES types of equal ratio of diameters. classes is one type for each diameter, components one for each component of
    /// a blend [default: components]
    #[arg(hide_short_help = true, long, value_name = "TYPES|classes")]
    types: Option<Types>,

    /// Write only the spheres that meet all conditions on d, r, x, y, z or id, such as 'd>2,z<10', in the unit of the packing
    #[arg(long, value_name = "CONDITIONS")]
    select: Option<Selection>,

    /// Add copies of spheres that cross periodic faces at the opposite faces, and state no periodicity
    #[arg(long, hide_short_help = true)]
    images: bool,

    /// Write this number of copies of a periodic container along x, y and z [default: 1,1,1]
    #[arg(long, value_name = "Nx,Ny[,Nz]", hide_short_help = true, value_parser = copies)]
    repeat: Option<[u32; 3]>,

    /// Bond spheres whose gap is at most SHARE smaller diameters, such as 0.01 (.data for LAMMPS' atom_style bpm/sphere,
    /// gengeo, musen) [default: no bonds]
    #[arg(hide_short_help = true, long, value_name = "SHARE", value_parser = values::tolerance)]
    bonds: Option<f64>,

    /// Write a script beside each file, with which LAMMPS, LIGGGHTS, YADE and others start from the packing
    #[arg(long)]
    script: bool,

    /// Divide each triangle of an icosahedron into four, TIMES times (.stl, .obj, .glb); 2 makes 320 triangles a sphere [default: 2]
    #[arg(long, value_name = "TIMES", value_parser = values::count::<u32>, hide_short_help = true, help_heading = SURFACES)]
    resolution: Option<u32>,

    /// Multiply radii by FACTOR, such as 0.99, because meshers need gaps (.stl, .obj, .glb, gmsh) [default: 1]
    #[arg(long, value_name = "FACTOR", value_parser = values::positive, hide_short_help = true, help_heading = SURFACES)]
    shrink: Option<f64>,

    /// Join spheres that nearly touch by cylinders of SHARE times the smaller radius, such as 0.2 (.stl, .obj, gmsh)
    #[arg(long, value_name = "SHARE", value_parser = values::positive, hide_short_help = true, help_heading = SURFACES)]
    bridge: Option<f64>,

    /// Cut spheres and their images at the faces of the container (.stl, .obj)
    #[arg(long, hide_short_help = true, help_heading = SURFACES)]
    cut: bool,

    /// Length of a voxel, adjusted so that whole voxels fill the container (.npy, .tif, .png, .vti, .raw)
    #[arg(long, value_name = "LENGTH", value_parser = values::positive, hide_short_help = true, help_heading = VOXELS)]
    voxel: Option<f64>,

    #[arg(long, value_name = "VALUES", hide_short_help = true, help_heading = VOXELS, help = choices("Number in the cells of a sphere; the void is 0", VoxelValues::VARIANTS, VoxelValues::default()))]
    voxel_values: Option<VoxelValues>,
}

impl ExportArgs {
    /// Returns the options of the library.
    pub fn options(&self) -> ExportOptions {
        let mut options = ExportOptions::default()
            .density(self.density.unwrap_or(1.0))
            .scale(self.scale.unwrap_or(1.0))
            .origin(self.origin.unwrap_or_default())
            .types(self.types.unwrap_or_default())
            .select(self.select.clone().unwrap_or_default())
            .images(self.images)
            .repeat(self.repeat.unwrap_or([1; 3]));
        options.format = self.format;
        options.script = self.script;
        options.bonds = self.bonds;
        options.resolution = self.resolution.unwrap_or(options.resolution);
        options.shrink = self.shrink.unwrap_or(options.shrink);
        options.bridge = self.bridge.unwrap_or(options.bridge);
        options.cut = self.cut;
        options.voxel = self.voxel;
        options.voxel_values = self.voxel_values.unwrap_or_default();
        options
    }
}

/// Rejects options with which no packing can be written to stdout.
pub fn check_stream(options: &ExportOptions, container: &Container) -> Result<()> {
    let Some(format) = options.format else {
        bail!("stdout (-) has no extension that names a format; choose it with --format");
    };
    ensure!(
        !format.has_pieces() && !options.script,
        "stdout (-) takes one file, but the output has several; name a file"
    );
    // The directory is any that can be written to. Nothing remains there.
    let file = std::env::temp_dir().join("stdout");
    Ok(check_exportable(file, options, container.clone())?)
}

/// Returns the files beside an output that no option names: a script, a header or a directory.
///
/// The header of the same file is no file of another origin.
pub fn unnamed_beside(file: &Path, options: &ExportOptions) -> Result<Vec<PathBuf>> {
    let paths = exported_paths(file, options).map_err(explain)?;
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let names_file = |text: String| text.contains(&format!("ElementDataFile = {name}\n"));
    let is_header = |beside: &PathBuf| {
        beside
            .extension()
            .is_some_and(|extension| extension == "mhd")
            && fs::read_to_string(beside).is_ok_and(names_file)
    };
    let beside = paths.into_iter().skip(1);
    Ok(beside.filter(|beside| !is_header(beside)).collect())
}

/// Names the argument that chooses among formats of one extension.
pub fn explain(error: WriteError) -> anyhow::Error {
    match &error {
        WriteError::Format(unknown) if !unknown.candidates().is_empty() => {
            anyhow!("{error}; choose it with --format")
        }
        _ => error.into(),
    }
}

/// Reads numbers of copies along the axes.
fn copies(text: &str) -> Result<[u32; 3], String> {
    let copies = match values::list::<u32>(text).as_deref() {
        Some(&[x, y]) => Some([x, y, 1]),
        Some(&[x, y, z]) => Some([x, y, z]),
        _ => None,
    };
    copies.filter(|copies| !copies.contains(&0)).ok_or_else(|| {
        "whole numbers of at least 1 are expected, such as 2,2,1, or 2,2 for disks".to_owned()
    })
}
