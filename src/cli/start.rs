//! The file with the spheres at whose positions `jostle pack` starts.

use std::path::PathBuf;

use anyhow::{Result, anyhow, ensure};
use clap::Args;

use super::{
    files::note_source,
    help,
    input::{explain_with, print_unused, read_input},
    values,
};
use crate::{
    Boundaries, Container, Packing, Request,
    container::{BoundarySpec, ContainerSpec},
    io::{ColumnNames, ContainerHint, FileOrigin, Format, Frame, ReadError, ReadOptions},
    rearrange::Checkpoint,
};

/// Options that determine the spheres of a start.
#[derive(Args)]
#[command(next_help_heading = help::START)]
pub struct StartFile {
    /// Pack the spheres of FILE from their positions instead of random ones. FILE has any format that can be read; - is stdin in the format
    /// of --start-from. Overlaps are allowed. The container is that of the file, unless --box or --container gives another one, to which the
    /// positions are stretched; with --fraction or --densest, it is similar to that of the file
    #[arg(long, value_name = "FILE")]
    start: Option<PathBuf>,

    /// Find the smallest container similar to that of --start, instead of keeping its size
    #[arg(long, requires = "start", conflicts_with_all = ["fraction", "porosity", "lengths", "container"])]
    densest: bool,

    /// Multiply the diameters of --start by FACTOR; the centers stay
    #[arg(long, value_name = "FACTOR", requires = "start", value_parser = values::positive, default_value_t = 1.0)]
    scale_sizes: f64,

    /// Diameter of all spheres of --start, for a file of centers only, such as a pebble bed
    #[arg(long, value_name = "DIAMETER", requires = "start", value_parser = values::positive)]
    diameter: Option<f64>,

    /// Container of --start in the unit of its file, as --container of 'jostle check' [default: that of the file, or of --box or --container]
    #[arg(long, value_name = "SHAPE", requires = "start", hide_short_help = true, value_parser = values::shape::<ContainerSpec>)]
    start_container: Option<ContainerSpec>,

    /// Read the spheres of --start in this format [default: the format of the extension]
    #[arg(
        long,
        value_name = "FORMAT",
        requires = "start",
        hide_short_help = true
    )]
    start_from: Option<Format>,

    /// Read the spheres of --start from this frame of a file with several, from 0
    #[arg(
        long,
        value_name = "N|last",
        requires = "start",
        hide_short_help = true,
        default_value_t
    )]
    start_frame: Frame,

    /// Names of the columns of --start, as --columns of 'jostle check'
    #[arg(long, value_name = "NAMES", requires = "start", hide_short_help = true)]
    start_columns: Option<ColumnNames>,

    /// Position of the container in the coordinates of --start, as --origin of 'jostle check'
    #[arg(
        long,
        value_name = "ORIGIN",
        requires = "start",
        hide_short_help = true,
        allow_hyphen_values = true
    )]
    start_origin: Option<FileOrigin>,
}

impl StartFile {
    /// Reads the spheres and requests their packing. Returns the request with the unit of the file; `None` without a start. A file that
    /// does not state its container has the `requested` one, if that has a size. The boundary is that of files without one.
    pub fn request(
        &self,
        requested: Option<&ContainerSpec>,
        boundary: Option<BoundarySpec>,
        quiet: bool,
    ) -> Result<Option<(Request, String)>> {
        let Some(path) = &self.start else {
            return Ok(None);
        };
        note_source(path)?;
        if let Some(spec) = &self.start_container {
            ensure!(
                spec.is_exact(),
                "--start-container {spec} has no size; the container of the file needs its lengths, as in cylinder:d=3,h=4"
            );
        }
        let exact = requested.filter(|spec| spec.is_exact());
        let container = self.start_container.as_ref().or(exact);
        let container = container.map(|spec| spec.container(boundary)).transpose()?;
        let options = self.options(container.as_ref(), boundary);
        let read = read_input(path, options).map_err(|error| explained(error, requested))?;
        if !quiet {
            print_unused(path, &read.unused);
        }
        let mut packing = read.packing;
        if let (Some(_), Some(container)) = (&self.start_container, container) {
            let unit = std::mem::take(&mut packing.unit);
            packing = Packing::new(packing.into_spheres(), container);
            packing.unit = unit;
        }
        let unit = packing.unit.clone();
        let request = Request::starting_from(packing, path.display().to_string());
        let request = request.scale_sizes(self.scale_sizes);
        let request = if self.densest {
            request.densest()
        } else {
            request
        };
        Ok(Some((request, unit)))
    }

    fn options(
        &self,
        container: Option<&Container>,
        boundary: Option<BoundarySpec>,
    ) -> ReadOptions {
        let hint = match (container, boundary) {
            (Some(container), _) => Some(ContainerHint::from(container.clone())),
            (None, Some(BoundarySpec::Axes(boundary))) => Some(boundary.into()),
            (None, Some(BoundarySpec::Plane(axes))) => Some(Boundaries::of_plane(axes).into()),
            (None, _) => None,
        };
        let mut options = ReadOptions::from(hint).frame(self.start_frame);
        options.format = self.start_from;
        options.columns = self.start_columns.clone();
        options.diameter = self.diameter;
        options.origin = match (self.start_origin, &self.start_container, container) {
            (Some(origin), Some(_), Some(container)) => {
                Some(FileOrigin::LowCorner(origin.low_corner(container)))
            }
            (origin, ..) => origin,
        };
        options
    }

    /// Rejects another start than that of the run of a checkpoint.
    pub fn check_agreement(&self, checkpoint: &Checkpoint) -> Result<()> {
        let found = checkpoint.options().start.as_ref();
        let found = found.map_or("unset", |start| start.name());
        let given = self.start.as_ref().map(|path| path.display().to_string());
        ensure!(
            given.as_ref().is_none_or(|given| given == found),
            "--start {} contradicts the checkpoint, whose run has --start {found}; leave the option out",
            given.unwrap_or_default()
        );
        Ok(())
    }
}

/// Names the arguments that give missing facts. A requested container without a size cannot be that of the file.
fn explained(error: ReadError, requested: Option<&ContainerSpec>) -> anyhow::Error {
    match (&error, requested) {
        (ReadError::NoContainer { .. }, Some(spec)) => {
            anyhow!("{error} with --start-container; the requested container {spec} has no size")
        }
        _ => explain_with(error, "--start-"),
    }
}
