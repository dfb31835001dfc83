//! `jostle pour`: lets spheres fall into an open vessel, and writes the bed.

use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::{Args, Command};

use super::{
    checkpoints::new_run,
    cut::{CutOptions, cut_below},
    dry_run::DryRun,
    files::load_sizes,
    help,
    launch::Launch,
    memory::Demand,
    pour_options::DepositionOptions,
    pour_session::PourSession,
    progress::Screen,
    sample::SampleOptions,
    session::Session,
    session_options::SessionOptions,
    signals,
    space::{SpaceOptions, explain_request},
};
use crate::{
    SizeSpec,
    container::{Container, ContainerSpec},
    pour::{PourError, PourOptions, PourRequest},
};

/// Pour spheres of a size distribution into an open vessel, where they roll to a stable position and stay at rest
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub struct Pour {
    /// Size distribution: a preset, a law, or a file. 'jostle sizes' lists the presets, and 'jostle pack --help' the laws. Files are JSON,
    /// tables of sieves or lists of diameters (.csv, .tsv or .txt)
    sizes: String,

    #[command(flatten)]
    sample: SampleOptions,

    #[command(flatten)]
    space: SpaceOptions,

    #[command(flatten)]
    deposition: DepositionOptions,

    #[command(flatten)]
    cut: CutOptions,

    /// Keep a checkpoint in FILE, from which 'jostle resume' continues a run that was stopped or killed. The file is removed
    /// when the run is over
    #[arg(long, value_name = "FILE", help_heading = help::RUN)]
    checkpoint: Option<PathBuf>,

    /// Show the number of spheres, the memory and the estimated time, and end without pouring. The time is that of a small trial
    #[arg(long, help_heading = help::RUN)]
    dry_run: bool,

    #[command(flatten)]
    options: SessionOptions,
}

const AFTER_HELP: &str = "\
One of -n, --height, --mass and --volume determines how many spheres are poured. Spheres fall one after the other, on one thread.

Examples:
  jostle pour mono:d=1 --container cylinder:d=12 --height 20 -o bed.json
  jostle pour concrete --box 60,60,auto -n 20000 --boundary ppw -o layer.json -o layer.vtp
  jostle pour mono:d=1 --box 30,30,20 -n 3000 --source 15,15,19 --source-diameter 2 -o pile.json
  jostle pour blend:sand.csv=0.4,gravel.csv=0.6 --box 60,60,auto -n 5000 --order layers -o mould.json
  jostle pour mono:d=1 --container cylinder:d=12 -n 2000 --stop-angle 20 -o loose.json
  jostle pour mono:d=1 --container cylinder:d=12 -n 2000 --stop-angle 40 --fraction 0.58 -o d.json
  jostle pour mono:d=1 --container cylinder:d=40 -n 1e7 --dry-run

Exit codes: those of 'jostle pack'. The exit code is 3 if the bed does not reach its height or packing fraction, or if spheres find no \
room; the bed is written.";

/// Words about options of 'jostle pack' that mean something else here.
const OWN_HELP: [(&str, &str); 5] = [
    (
        "number",
        "Pour N spheres, written as 20000 or 1e6 [default: those of a list of diameters]",
    ),
    (
        "lengths",
        "Pour into a box of these lengths. The one along gravity may be auto to follow from the spheres. Lengths are in the unit of \
         the diameters, or have one, as in 15cm",
    ),
    (
        "container",
        "Pour into a vessel of this shape, such as cylinder:d=3,h=4. Lengths are in the unit of the diameters. Other vessels are \
         cone:d_bottom=1,d_top=3,h=4 and mesh:part.stl. Its face against gravity is open. cylinder:d=3 has the height that follows from the spheres or from --height",
    ),
    (
        "fixed",
        "Keep the spheres of FILE at their positions, and let the others fall on them. FILE has any format that can be read; - is stdin in \
         the format of --fixed-from",
    ),
    (
        "boundary",
        "Make the faces of a box along x, y and z periodic (p) or walls (w), such as ppw. The vessel must have walls along gravity \
         [default: walls]",
    ),
];

/// Returns the subcommand with the help of its own about options that it shares.
pub fn with_own_help(command: Command) -> Command {
    OWN_HELP.into_iter().fold(command, |command, (id, help)| {
        command.mut_arg(id, |argument| argument.help(help))
    })
}

impl Pour {
    /// Rejects every bad request before the deposition begins. Returns the exit code.
    pub fn run(self, launch: &Launch) -> Result<u8> {
        let spec = load_sizes(&self.sizes)?;
        let spec = self.cut.apply(spec)?;
        let (unit, notes) = (spec.unit.clone(), spec.notes());
        let request = self.request(spec, &unit)?;
        let request = request.resolve().map_err(|error| self.explain(error))?;
        if self.dry_run {
            launch.check_alone()?;
            request.check_sizes().map_err(|error| self.explain(error))?;
            let has_checkpoints = self.checkpoint.is_some();
            return DryRun::of_pour(&request, has_checkpoints).print(self.options.json);
        }
        let (options, container) = (&self.options, request.options().container.clone());
        let files = options.files(&container, launch)?;
        let checkpoint = self.checkpoint.as_deref();
        let checkpoints = new_run(checkpoint, options, &files, launch)?;
        Demand::of_pour(&request, checkpoints.is_some()).prepare(cut_below)?;
        let pourer = request.pourer().map_err(|error| self.explain(error))?;
        options
            .export
            .options()
            .check_radii(pourer.checkpoint().radii())?;
        options.watch(&files, checkpoint, launch)?;
        let screen = Screen::new(options.quiet);
        let warning = (pourer.options().sizes.as_ref())
            .and_then(|sizes| sizes.report.warning.as_ref())
            .map(|warning| format!("warning: {warning}"));
        let notes = notes.into_iter().chain(container.notes());
        notes
            .map(|note| format!("note: {note}"))
            .chain(warning)
            .filter(|_| !options.quiet)
            .for_each(|message| screen.print(&message));
        let session = Session::new(launch, options, screen, checkpoints, files);
        PourSession(session).run(pourer)
    }

    /// Returns the request. The fixed spheres are read.
    fn request(&self, sizes: SizeSpec, unit: &str) -> Result<PourRequest> {
        let vessel = self.space.spec(unit)?;
        let vessel = vessel.ok_or_else(|| self.explain(PourError::NoVessel))?;
        let mut options = self.deposition.add_to(
            PourOptions::default()
                .time_limit(self.options.time_limit)
                .interrupt(signals::interrupt()),
        );
        if let Some(seed) = self.sample.seed {
            options.seed = seed;
        }
        let fixed = if self.space.fixed.is_given() {
            let around = self.around_fixed(&vessel, unit)?;
            self.space.fixed(&around, self.options.quiet)?
        } else {
            None
        };
        let request = PourRequest::new(sizes, vessel)
            .sampling(self.sample.sampling.unwrap_or_default())
            .number(self.sample.number)
            .density(self.options.export.density)
            .boundary(self.space.boundary)
            .bodies(self.space.bodies(unit)?)
            .fixed(fixed)
            .options(options);
        self.deposition.complete(request, unit)
    }

    /// Returns the container in which the fixed spheres are read. A free length is long enough for all of them.
    fn around_fixed(&self, vessel: &ContainerSpec, unit: &str) -> Result<Container> {
        let height = self.deposition.height(unit)?;
        let container = vessel.vessel(self.space.boundary, height.unwrap_or(LONG))?;
        container
            .without(self.space.bodies(unit)?)
            .context("the bodies of --keep-out")
    }

    /// Names the file and the options in an error.
    fn explain(&self, error: PourError) -> anyhow::Error {
        let options = match error {
            PourError::Fixed(fixed) => return self.space.fixed.explain(&fixed),
            PourError::Request(error) => return explain_request(error),
            PourError::NoVessel => "--container or --box",
            PourError::NoDensity => "--density, or blend:sand.csv@2650=0.6,gravel.csv@2700=0.4",
            PourError::Amount { .. } => "-n, --height, --mass and --volume",
            _ => return error.into(),
        };
        anyhow::anyhow!("{error} ({options})")
    }
}

/// Length of a vessel whose length is not known yet, in the unit of the diameters.
const LONG: f64 = 1e6;
