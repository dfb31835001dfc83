//! The file that a command reads, with facts about its container.

use std::{
    io,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, anyhow, ensure};
use clap::Args;

use super::{
    files::{is_stream, note_input},
    help,
    launch::Launch,
    output::print_message,
    progress::Screen,
    values::{self, BoxLengths},
};
use crate::{
    Container, Packing,
    container::{Body, Boundaries, BoundarySpec, ContainerSpec, Solid},
    io::{
        ColumnNames, ContainerHint, FileOrigin, Format, Frame, ReadError, ReadOptions, ReadPacking,
        read_packing_from,
    },
    ranks::Ranks,
    read_packing,
};

/// A file with a packing.
#[derive(Args)]
#[command(next_help_heading = help::INPUT)]
pub struct Input {
    /// File to read, whose extension names the format, or stdin (-) in the format of --from. 'jostle convert --help' lists the formats
    #[arg(help_heading = help::NO_GROUP)]
    pub file: PathBuf,

    /// Read the file in this format [default: the format of the extension]
    #[arg(long, value_name = "FORMAT")]
    from: Option<Format>,

    /// Read this frame of a file with several, from 0. Such files are .xyz, .dump, .gsd, mercury and musen
    #[arg(long, value_name = "N|last", default_value_t)]
    frame: Frame,

    /// Names of the columns of a table that does not state them, such as id,type,x,y,z,r. Tables are .txt, .csv, .tsv, .xyz, .data and .npy.
    /// x, y, z and r or d must be among the names, or x, y and z beside --diameter
    #[arg(long, value_name = "NAMES")]
    columns: Option<ColumnNames>,

    /// Diameter of all spheres in the unit of the file, for a file of centers only, such as a pebble bed
    #[arg(long, value_name = "DIAMETER", value_parser = values::positive)]
    diameter: Option<f64>,

    /// Lengths of the container in the unit of the file, for files that do not state them, such as .csv. One length is that of a cube, and two
    /// are those of a rectangle of disks
    #[arg(long = "box", value_name = "LENGTHS", allow_hyphen_values = true)]
    lengths: Option<BoxLengths>,

    /// Container of the spheres, whatever the file states, such as cylinder:d=3,h=4. Other shapes are box:lx=3,ly=4,lz=5, sphere:d=3,
    /// cone:d_bottom=3,d_top=1,h=4 and mesh:part.stl. The low corner of its bounding box is that of the file, or the origin, unless another is given
    #[arg(long, value_name = "SHAPE", conflicts_with = "lengths", value_parser = values::shape::<ContainerSpec>)]
    container: Option<ContainerSpec>,

    /// Body that no sphere may overlap, such as sphere:d=2@5,5,5, in the coordinates of the packing. Other bodies are
    /// cylinder:d=2,h=8@5,5,5,axis=x, box:lx=1,ly=2,lz=3@5,5,5, cone:d_bottom=3,d_top=1,h=4@5,5,5 and mesh:part.stl@5,5,5. It takes the place of the bodies that the file states. Repeat the option for several bodies
    #[arg(long, value_name = "BODY", allow_hyphen_values = true, value_parser = values::shape::<Body>)]
    keep_out: Vec<Body>,

    /// Faces along x, y and z, periodic (p) or walls (w), for files that do not state them, such as ppw. Two letters are the sides of a
    /// rectangle, and one letter the ends of a cylinder [default: that of the file; periodic for a box or a rectangle, walls for other shapes]
    #[arg(long)]
    boundary: Option<BoundarySpec>,

    /// Position of the container in the coordinates of the file: corner, center or X,Y,Z. Its low corner is the origin (corner), its center
    /// is the origin (center), or its low corner is at X,Y,Z [default: that of the file, or corner]
    #[arg(id = ORIGIN, long = "origin", value_name = "ORIGIN", allow_hyphen_values = true)]
    origin: Option<FileOrigin>,

    /// Run on THREADS threads, which do not change the result; 0 means one for each core [default: 0]
    #[arg(long, help_heading = help::RUN, value_parser = values::threads)]
    threads: Option<usize>,

    /// Print errors only, and the JSON object of --json
    #[arg(short, long, help_heading = help::OUTPUT)]
    pub quiet: bool,
}

/// Id of the option that states the origin of the file that is read.
pub const ORIGIN: &str = "read_origin";

impl Input {
    /// Notes the file, so that no output replaces it.
    pub fn note(&self) {
        note_input(&self.file);
    }

    /// Reads and certifies the packing, or the share of this process of its spheres. All processes must call it. They begin their run with it:
    /// errors are the same on all of them from then on.
    pub fn read(&self, launch: &Launch) -> Result<ReadPacking> {
        let container = self.container()?;
        // Container and bodies may come from files.
        launch.check_input(&(&container, &self.keep_out))?;
        launch.begin()?;
        if is_stream(&self.file) {
            launch.check_alone()?;
        }
        let is_given = container.is_some() || !self.keep_out.is_empty();
        let mut read = match container {
            Some(container) => self.read_against(container, &launch.ranks)?,
            None => self.read_as_stated(&launch.ranks)?,
        };
        if !self.keep_out.is_empty() {
            let outer = read.packing.container.outer();
            Self::recertify(&mut read, outer.without(self.keep_out.iter().cloned())?);
        }
        if is_given && !self.quiet {
            let notes = read.packing.container.notes();
            notes
                .iter()
                .for_each(|note| print_message(&format!("note: {note}")));
        }
        Ok(read)
    }

    /// Starts the threads and reads the packing, which the progress line shows.
    pub fn read_on_screen(&self, launch: &Launch) -> Result<(Screen, ReadPacking)> {
        start_threads(self.threads())?;
        let screen = Screen::new(self.quiet);
        screen.phase(&format!("reading and certifying {}", self.file.display()));
        let read = self.read(launch)?;
        Ok((screen, read))
    }

    /// Returns the number of threads; 0 means one for each core.
    pub fn threads(&self) -> usize {
        self.threads.unwrap_or_default()
    }

    /// Reads the packing with facts about the container.
    fn read_file(&self, hint: Option<ContainerHint>, ranks: &Ranks) -> Result<ReadPacking> {
        let read = read_input(&self.file, self.options(hint).ranks(ranks.clone()));
        read.map_err(|error| explain_with(error, "--"))
    }

    /// Returns the options of the library. A container of `--container` determines where its center is.
    fn options(&self, hint: Option<ContainerHint>) -> ReadOptions {
        let mut options = ReadOptions::from(hint).frame(self.frame);
        options.format = self.from;
        options.columns = self.columns.clone();
        options.diameter = self.diameter;
        options.origin = match (self.origin, &self.container, &options.container) {
            (Some(origin), Some(_), Some(ContainerHint::Container(container))) => {
                Some(FileOrigin::LowCorner(origin.low_corner(container)))
            }
            (origin, ..) => origin,
        };
        options
    }

    /// Prints the sentences about parts of the file that are not used.
    pub fn print_unused(&self, unused: &[String]) {
        if !self.quiet {
            print_unused(&self.file, unused);
        }
    }

    /// Reads and certifies the packing in the container that the file states, or in the one of `--box`.
    fn read_as_stated(&self, ranks: &Ranks) -> Result<ReadPacking> {
        let read = self.read_file(self.hint()?, ranks)?;
        let container = &read.packing.container;
        let agrees = self
            .lengths
            .is_none_or(|BoxLengths(lengths)| *container.solid() == Solid::of_lengths(lengths))
            && self
                .boundary
                .is_none_or(|boundary| boundary == container.boundary_spec());
        ensure!(
            agrees,
            "'{}' states its container ({}); --box and --boundary must agree with it or be left out",
            self.file.display(),
            options_of(container),
        );
        Ok(read)
    }

    /// Returns the container of `--container`.
    fn container(&self) -> Result<Option<Container>> {
        let Some(spec) = &self.container else {
            return Ok(None);
        };
        ensure!(
            spec.is_exact(),
            "--container {spec} has no size; a container to check against needs its lengths, as in cylinder:d=3,h=4"
        );
        Ok(Some(spec.container(self.boundary)?))
    }

    /// Reads the spheres and certifies them in a given container. A box without `--boundary` has the boundary that the file states.
    fn read_against(&self, mut container: Container, ranks: &Ranks) -> Result<ReadPacking> {
        let mut read = self.read_file(Some(container.clone().into()), ranks)?;
        let stated = &read.packing.container;
        let is_box = |container: &Container| matches!(container.solid(), Solid::Box(_));
        if let Some(spec) = &self.container
            && self.boundary.is_none()
            && is_box(&container)
            && is_box(stated)
        {
            container = spec.container(Some(stated.boundary_spec()))?;
        }
        if read.packing.container != container {
            Self::recertify(&mut read, container);
        }
        Ok(read)
    }

    /// Replaces the container, and certifies the spheres in the new one.
    fn recertify(read: &mut ReadPacking, container: Container) {
        let packing = &mut read.packing;
        let spheres = std::mem::take(&mut packing.spheres);
        let unit = std::mem::take(&mut packing.unit);
        *packing = Packing::new(spheres, container);
        packing.unit = unit;
    }

    fn hint(&self) -> Result<Option<ContainerHint>> {
        let Some(BoxLengths(lengths)) = self.lengths else {
            return Ok(match self.boundary {
                Some(BoundarySpec::Axes(boundary)) => Some(boundary.into()),
                Some(BoundarySpec::Plane(axes)) => Some(Boundaries::of_plane(axes).into()),
                // Files without a boundary hold boxes.
                _ => None,
            });
        };
        let spec = ContainerSpec::exact(Solid::of_lengths(lengths));
        Ok(Some(spec.container(self.boundary)?.into()))
    }
}

/// Prints the sentences about parts of a file that are not used.
pub fn print_unused(file: &Path, unused: &[String]) {
    for sentence in unused {
        print_message(&format!("warning: '{}': {sentence}", file.display()));
    }
}

/// Returns the options that state a container.
fn options_of(container: &Container) -> String {
    let boundary = container.boundary_spec();
    match container.solid() {
        Solid::Box(_) | Solid::Rectangle(_) => {
            let lengths = BoxLengths(container.lengths());
            format!("--box {lengths} --boundary {boundary}")
        }
        solid => {
            let spec = ContainerSpec::exact(solid.clone()).along(container.axis());
            format!("--container {spec} --boundary {boundary}")
        }
    }
}

/// Names the arguments that give missing facts. `dashes` is the beginning of the options for the file.
pub fn explain_with(error: ReadError, dashes: &str) -> anyhow::Error {
    match &error {
        ReadError::NoContainer { .. } => {
            anyhow!("{error} with --box Lx,Ly,Lz and --boundary, or with --container")
        }
        ReadError::NoBoundary { .. } => {
            anyhow!("{error} with --boundary, such as --boundary ppp for a periodic container")
        }
        ReadError::NoColumns { .. } => {
            anyhow!("{error} with {dashes}columns, such as {dashes}columns id,type,x,y,z,r")
        }
        ReadError::NoSizes { .. } => {
            // The diameter of the spheres at whose positions a run starts has no longer name.
            let dashes = dashes.replace("start-", "");
            anyhow!("{error} with {dashes}diameter, such as {dashes}diameter 6")
        }
        ReadError::Format(unknown) if !unknown.candidates().is_empty() => {
            anyhow!("{error}; choose it with {dashes}from")
        }
        _ => error.into(),
    }
}

/// Reads a packing from a file, or in the format of the options from standard input, which is named `-`.
pub fn read_input(file: &Path, options: ReadOptions) -> Result<ReadPacking, ReadError> {
    match options.format {
        Some(format) if is_stream(file) => read_packing_from(io::stdin().lock(), format, options),
        _ => read_packing(file, options),
    }
}

/// Starts the threads on which a command reads and analyses; 0 means one for each core. Threads that rayon starts by itself
/// panic if the system refuses them.
pub fn start_threads(threads: usize) -> Result<()> {
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build_global()
        .context("cannot start threads")
}
