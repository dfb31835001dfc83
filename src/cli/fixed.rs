//! The file with the fixed spheres of `jostle pack`.

use std::path::PathBuf;

use anyhow::{Result, anyhow};
use clap::Args;

use super::{
    files::note_source,
    help,
    input::{explain_with, print_unused, read_input},
    values::{self, Shift},
};
use crate::{
    Container,
    io::{ColumnNames, FileOrigin, Format, Frame, ReadOptions},
    rearrange::{FixedError, FixedSpheres},
};

/// Options that determine the fixed spheres.
#[derive(Args)]
#[command(next_help_heading = help::CONTAINER)]
pub struct FixedFile {
    /// Keep the spheres of FILE at their positions, and pack the others around them. FILE has any format that can be read; - is stdin in
    /// the format of --fixed-from. The container needs a size. --fraction counts the fixed spheres. Spheres that find no room are left out
    #[arg(long, value_name = "FILE")]
    fixed: Option<PathBuf>,

    /// Let fixed spheres overlap each other, walls and bodies
    #[arg(long, requires = "fixed", hide_short_help = true)]
    fixed_may_overlap: bool,

    /// Accept overlaps of fixed spheres up to SHARE times the smaller diameter, from 0 to 1, such as 1e-6 for a file with few digits
    #[arg(long, value_name = "SHARE", requires = "fixed", hide_short_help = true, value_parser = values::tolerance, default_value_t = 0.0)]
    fixed_tolerance: f64,

    /// Read the fixed spheres in this format [default: the format of the extension]
    #[arg(
        long,
        value_name = "FORMAT",
        requires = "fixed",
        hide_short_help = true
    )]
    fixed_from: Option<Format>,

    /// Read the fixed spheres from this frame of a file with several, from 0
    #[arg(
        long,
        value_name = "N|last",
        requires = "fixed",
        hide_short_help = true,
        default_value_t
    )]
    fixed_frame: Frame,

    /// Names of the columns of the fixed spheres, as --columns of 'jostle check'
    #[arg(long, value_name = "NAMES", requires = "fixed", hide_short_help = true)]
    fixed_columns: Option<ColumnNames>,

    /// Position of the container in the coordinates of the fixed spheres, as --origin of 'jostle check'
    #[arg(
        long,
        value_name = "ORIGIN",
        requires = "fixed",
        hide_short_help = true,
        allow_hyphen_values = true
    )]
    fixed_origin: Option<FileOrigin>,

    /// Move the fixed spheres by this vector
    #[arg(long, value_name = "X,Y[,Z]", requires = "fixed", hide_short_help = true, allow_hyphen_values = true, value_parser = values::shift)]
    fixed_at: Option<Shift>,

    /// Leave out fixed spheres that cross a wall or a body of the container, or lie outside of it
    #[arg(long, requires = "fixed", hide_short_help = true)]
    fixed_crop: bool,

    /// Diameter of all fixed spheres, for a file of centers only
    #[arg(long, value_name = "DIAMETER", requires = "fixed", hide_short_help = true, value_parser = values::positive)]
    fixed_diameter: Option<f64>,
}

impl FixedFile {
    /// Returns whether fixed spheres are given.
    pub fn is_given(&self) -> bool {
        self.fixed.is_some()
    }

    /// Reads the fixed spheres, which lie in this container.
    pub fn read(&self, container: &Container, quiet: bool) -> Result<Option<FixedSpheres>> {
        let Some(path) = &self.fixed else {
            return Ok(None);
        };
        note_source(path)?;
        let mut options = ReadOptions::from(container.clone()).frame(self.fixed_frame);
        options.format = self.fixed_from;
        options.columns = self.fixed_columns.clone();
        options.diameter = self.fixed_diameter;
        let origin = |origin: FileOrigin| FileOrigin::LowCorner(origin.low_corner(container));
        options.origin = self.fixed_origin.map(origin);
        let read = read_input(path, options).map_err(|error| explain_with(error, "--fixed-"))?;
        if !quiet {
            print_unused(path, &read.unused);
        }
        let mut fixed = FixedSpheres::new(read.packing.spheres);
        if let Some(shift) = self.fixed_at {
            let shift = shift.in_dimension("--fixed-at", container.dimension())?;
            fixed = fixed.moved(shift, container);
        }
        if self.fixed_crop {
            fixed = fixed.cropped(container);
        }
        Ok(Some(
            fixed
                .may_overlap(self.fixed_may_overlap)
                .tolerance(self.fixed_tolerance),
        ))
    }

    /// Names the file and the options in an error about fixed spheres.
    pub fn explain(&self, error: &FixedError) -> anyhow::Error {
        let file = self.fixed.clone().unwrap_or_default();
        let file = file.display();
        if error.is_overlap() {
            anyhow!(
                "'{file}': {error}; --fixed-tolerance accepts small overlaps, and --fixed-may-overlap all"
            )
        } else {
            anyhow!("'{file}': {error}")
        }
    }
}
