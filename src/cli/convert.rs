//! `jostle convert`: a packing of any origin in another format.

use std::path::PathBuf;

use anyhow::Result;
use clap::{Args, Command};

use super::{
    export::{ExportArgs, check_stream, explain, unnamed_beside},
    files::{check_outputs, is_stream},
    help,
    input::{Input, ORIGIN, start_threads},
    launch::Launch,
    output::{keep_stdout_for_data, print, print_message, write_stdout},
    progress::Screen,
};
use crate::io::{
    ExportOptions, ReadPacking, any_container, check_exportable, export_files, export_packing,
    exported_paths, remove_leftovers,
};

/// Convert a packing to another format, or change its unit, origin, spheres or copies
#[derive(Args)]
#[command(after_help = "\
Formats:
  tables      json, csv, tsv, xyz, vtp, pvtp, vtu, vtk, npz, npy, xyzd, ply; in builds with the feature parquet: parquet, arrow
  DEM and MD  lammps-data, lammps-dump, liggghts, yade, yade-ext, gengeo, mercury, mfix, mfix-exa, lethe, phasicflow, pfc, musen, dem-engine, abaqus, gsd
  geometry    stl, obj, step, dxf, gmsh, neper, neper-centers, neper-radii, voro++
  pictures    glb, pov
  voxels      voxel-npy, tif, png, vti, raw

Examples:
  jostle convert mix.json mix.data --density 2650 --scale 0.001
  jostle convert mix.csv mix.geo --format gengeo --box 60,60,120
  jostle convert mix.json large.xyz --select 'd>2' --repeat 2,2,1

Exit codes:
  0  the file is written
  2  wrong usage, or a file cannot be read or written; no file is written")]
pub struct Convert {
    #[command(flatten)]
    input: Input,

    /// File to write, whose extension names the format, or stdout (-) in the format of --format
    #[arg(help_heading = help::NO_GROUP)]
    output: PathBuf,

    // These options begin a new heading of the help, so that they are the last ones.
    #[command(flatten)]
    export: ExportArgs,
}

/// Renames the option for the origin of the file that is read, because `--origin` is that of the file to write.
pub fn with_two_origins(command: Command) -> Command {
    command.mut_arg(ORIGIN, |origin| origin.long("from-origin"))
}

impl Convert {
    pub fn run(self, launch: &Launch) -> Result<()> {
        start_threads(self.input.threads())?;
        let options = self.export.options();
        self.input.note();
        let written = self.check(&options)?;
        let screen = Screen::new(self.input.quiet);
        screen.phase(&format!("reading {}", self.input.file.display()));
        let ReadPacking {
            packing, unused, ..
        } = self.input.read(launch)?;
        screen.phase(&format!("writing {}", self.output.display()));
        let warnings = match options.format.filter(|_| is_stream(&self.output)) {
            Some(format) => write_stdout(|out| export_packing(&packing, format, &options, out))?,
            None => export_files(&packing, &[&self.output], &options)?,
        };
        drop(screen);
        if self.input.quiet {
            return Ok(());
        }
        self.input.print_unused(&unused);
        for warning in warnings {
            print_message(&format!("warning: {warning}"));
        }
        let mut written = written.iter();
        written.try_for_each(|file| print(&file.display().to_string()))
    }

    /// Rejects an output that cannot or must not be written. Returns the files that will be written.
    fn check(&self, options: &ExportOptions) -> Result<Vec<PathBuf>> {
        // Any boundary may be that of the file.
        let any = any_container(&self.output, options);
        if is_stream(&self.output) {
            keep_stdout_for_data();
            check_stream(options, &any)?;
            return Ok(Vec::new());
        }
        check_exportable(&self.output, options, any).map_err(explain)?;
        let unnamed = unnamed_beside(&self.output, options)?;
        check_outputs(std::slice::from_ref(&self.output), &unnamed)?;
        let written = exported_paths(&self.output, options)?;
        written.iter().for_each(remove_leftovers);
        Ok(written)
    }
}
