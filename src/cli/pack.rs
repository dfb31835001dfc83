//! `jostle pack`: makes a packing of a size distribution and writes it to files.

use std::{ops::ControlFlow, path::PathBuf};

use anyhow::{Result, bail};
use clap::Args;

use super::{
    checkpoints::new_run,
    cut::{CutOptions, cut_below},
    dry_run::DryRun,
    efforts::EffortComparison,
    files::load_sizes,
    help,
    launch::Launch,
    memory::Demand,
    progress::Screen,
    request::RequestOptions,
    session::Session,
    session_options::SessionOptions,
    signals,
    space::explain_request,
    values::{self, BoxLengths},
};
use crate::{
    Dimension, PackOptions, Packer, Request,
    container::Solid,
    distribution::{DEFAULT_PRESET, SizeReport},
    rearrange::Progress,
    request::RequestError,
};

/// Pack spheres of a size distribution without overlap
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub struct Pack {
    /// Size distribution: a preset, a law, or a file. 'jostle sizes' lists the presets, and 'jostle pack --help' the laws. Files are JSON,
    /// tables of sieves or lists of diameters (.csv, .tsv or .txt) [default: concrete]
    #[arg(conflicts_with = "start", help_heading = help::NO_GROUP)]
    sizes: Option<String>,

    #[command(flatten)]
    request: RequestOptions,

    #[command(flatten)]
    cut: CutOptions,

    /// Refuse to pack a sample that misses the requested mass curve by more than 5 % or has no sphere in a size class
    #[arg(long, help_heading = help::SIZES)]
    strict: bool,

    /// Keep a checkpoint in FILE, from which 'jostle resume' continues a run that was stopped or killed. The file is removed
    /// when the run is over
    #[arg(long, value_name = "FILE", help_heading = help::RUN)]
    checkpoint: Option<PathBuf>,

    /// Show the expected packing fraction, time and memory, and end without packing. The time is that of a small trial
    #[arg(long, help_heading = help::RUN)]
    dry_run: bool,

    /// Pack with each effort and SEEDS seeds, and print means of packing fraction and time. No file is written
    #[arg(long, value_name = "SEEDS", value_parser = values::whole_number, help_heading = help::RUN,
        conflicts_with_all = ["effort", "dry_run", "checkpoint", "output", "max_sweeps"])]
    compare_efforts: Option<u64>,

    #[command(flatten)]
    options: SessionOptions,
}

const AFTER_HELP: &str = "\
Size of the container:
  -n N                  N spheres in the smallest cube that the effort finds
  -n N --fraction F     N spheres in a cube that they fill to packing fraction F
  --box L --fraction F  as many spheres as fill this box to packing fraction F
  --box L -n N          N spheres in exactly this box
  --box L               as many spheres as are expected to fill this box densely
  --box X,Y,auto -n N   N spheres in a box whose height follows from their volume, and from --fraction if it is given
With --container, the same holds for another shape: with a size as for --box, without a size as for the cube.
With two lengths, as in --box 50,50, or another flat shape, disks are packed, and sizes, fractions and boxes are by area.
With --fixed, N is the number of the other spheres, and F counts the fixed spheres.

Laws, with all diameters in one unit of your choice:
  mono:d=1
  bidisperse:d_small=1,d_large=4,mass_small=0.25 (or number_small)
  power-law:exponent=-3,d_min=1,d_max=10
  fuller:d_min=1,d_max=16[,n=0.5][,classes=70]
  andreasen:q=0.37,d_min=1,d_max=16
  rosin-rammler:d_prime=18,n=0.9,d_min=1,d_max=90
  lognormal:d50=1,sigma=0.4[,by=number|mass]
  uniform-size:d_min=1,d_max=10
  uniform-volume:d_min=1,d_max=10
  normal:mean=2,sd=0.3[,by=number|mass][,d_min=1][,d_max=3]
  sieve:0.25=3,1=12,16=100           percent of the mass that passes each size
  dvalues:10=5,50=20,90=60           D10, D50 and D90 by mass; straight in ln d, also beyond them
  diameters:FILE                     exactly these diameters, one a line
  blend:din-a16=0.7,(mono:d=2)=0.3[,by=mass|volume]

Examples:
  jostle pack din-a16 -n 20000 -o concrete.json -o concrete.vtp
  jostle pack
  jostle pack blend:sand.csv=0.6,gravel.csv=0.4 -n 20000 -o mix.json
  jostle pack mono:d=1 --box 20,20,40 --fraction 0.6 --boundary ppw -o a.data
  jostle pack mono:d=1 --container cylinder:d=20,h=40 --fraction 0.58 --boundary p -o drum.json
  jostle pack din-a16 -n 20000 --container cone:taper=0.5,aspect=1.5
  jostle pack mono:d=1 -n 2000 --box 20 --fixed skeleton.csv -o filled.json
  jostle pack bidisperse:d_small=1,d_large=1.4,number_small=0.5 --box 50,50 -o disks.csv
  jostle pack din-a16 --box 15cm --dry-run
  jostle pack --start dem.json --fraction 0.62 -o dense.json
  jostle pack --start pebbles.csv --start-columns x,y,z --diameter 60 --container cylinder:d=1200,h=2000 -o bed.json

Exit codes:
  0    the packing is written
  1    spheres overlap that could not be separated; the packing with this overlap is written
  2    wrong usage, bad input, too little memory, or a sample that --strict rejects; no file is written
  3    the requested packing fraction or container was not reached, or spheres were left out; the packing is written
  4    an output could not be written; the message tells where the packing is
  128+n  ended by signal n: SIGHUP (129), SIGINT or Ctrl-C (130) or SIGTERM (143). The first signal ends the loop, removes all \
overlap and writes the packing and the checkpoint; a second one ends the program at once. SIGUSR1 prints the progress and writes \
a checkpoint";

impl Pack {
    /// Rejects every bad request before the packing begins. Returns the exit code.
    pub fn run(self, launch: &Launch) -> Result<u8> {
        if let Some(seeds) = self.compare_efforts {
            return self.compare(seeds, launch);
        }
        let (request, notes) = self.requested()?;
        let request = request.resolve().map_err(explain_request)?;
        if self.dry_run {
            launch.check_alone()?;
            let container = &request.options().container;
            request.check_sizes().map_err(|error| match error {
                RequestError::Pack(error) => self.request.space.explain(error, container),
                error => explain_request(error),
            })?;
            let has_checkpoints = self.checkpoint.is_some();
            return DryRun::of_request(&request, has_checkpoints).print(self.options.json);
        }
        let files = (self.options).files(&request.options().container, launch)?;
        let checkpoint = self.checkpoint.as_deref();
        let checkpoints = new_run(checkpoint, &self.options, &files, launch)?;
        let count = request.expected_spheres();
        Demand::of_request(&request, launch.share_here(), checkpoints.is_some())
            .prepare(cut_below)?;
        self.options.watch(&files, checkpoint, launch)?;

        let mut screen = Screen::new(self.options.quiet);
        // The ranks draw diameters together. Container and fixed spheres may come from files.
        launch.check_input(&request)?;
        screen.phase("drawing diameters");
        let (volume, doubt) = (request.volume(), request.doubt());
        let (radii, options) = request.draw(&launch.ranks).map_err(explain_request)?;
        let report = options.sizes.as_ref().map(|source| &source.report);
        let sufficient_box = report.and_then(|report| sufficient_box(report, volume, &options));
        let warning = self.judge(report, sufficient_box)?;
        self.options.export.options().check_radii(&radii)?;
        launch.begin()?;
        screen.phase("placing spheres");
        screen.expect(count as usize, options.time_limit);
        let packer = Packer::builder()
            .ranks(launch.ranks.clone())
            .place(radii, &options);
        let packer =
            packer.map_err(|error| self.request.space.explain(error, &options.container))?;
        // A request that cannot begin has one sentence, which is the error.
        let notes = notes.into_iter().chain(options.container.notes());
        let notes = notes.map(|note| format!("note: {note}"));
        let warnings = doubt.into_iter().chain(warning);
        notes
            .chain(warnings.map(|warning| format!("warning: {warning}")))
            .filter(|_| !self.options.quiet)
            .for_each(|message| screen.print(&message));
        Session {
            fraction_of_container: self.request.fraction_of_container(),
            sufficient_box,
            ..Session::new(launch, &self.options, screen, checkpoints, files)
        }
        .run(packer)
    }

    /// Compares the efforts. Returns the exit code.
    fn compare(mut self, seeds: u64, launch: &Launch) -> Result<u8> {
        launch.check_alone()?;
        signals::watch(Vec::new(), None)?;
        let (quiet, json) = (self.options.quiet, self.options.json);
        let screen = Screen::new(quiet);
        let first = self.request.seed();
        let comparison = EffortComparison::new(first, seeds, &screen, |effort, seed| {
            self.request.set(effort, seed);
            let request = self.requested()?.0;
            let request = request.resolve().map_err(explain_request)?;
            Demand::of_request(&request, launch.share_here(), false).prepare(cut_below)?;
            let (radii, options) = request.draw(&launch.ranks).map_err(explain_request)?;
            let packer = Packer::builder().place(radii, &options);
            let packer =
                packer.map_err(|error| self.request.space.explain(error, &options.container))?;
            Ok(packer.run(&mut |_: &Progress| ControlFlow::Continue(())))
        })?;
        drop(screen);
        comparison.print(json)
    }

    /// Returns the request, with notes about its sizes.
    fn requested(&self) -> Result<(Request, Vec<String>)> {
        let quiet = self.options.quiet;
        let (request, unit, notes) = if let Some((request, unit)) = self.request.of_start(quiet)? {
            (request, unit, Vec::new())
        } else {
            let spec = load_sizes(self.sizes.as_deref().unwrap_or(DEFAULT_PRESET))?;
            let spec = self.cut.apply(spec)?;
            let (unit, notes) = (spec.unit.clone(), spec.notes());
            (Request::new(spec), unit, notes)
        };
        let session = self.options.pack_options();
        let request = self.request.complete(request, &unit, session, quiet)?;
        Ok((request, notes))
    }

    /// Returns a warning of a sample without the requested sizes, or rejects it.
    fn judge(
        &self,
        report: Option<&SizeReport>,
        sufficient_box: Option<BoxLengths>,
    ) -> Result<Option<String>> {
        let warning = report.and_then(|report| report.warning.as_ref());
        let warning = warning.map(|warning| {
            sufficient_box.map_or_else(
                || warning.clone(),
                |lengths| format!("{warning}, and so do those that fill --box {lengths}"),
            )
        });
        if let Some(warning) = warning.as_ref().filter(|_| self.strict) {
            bail!("{warning}; without --strict, the sample is packed as it is");
        }
        Ok(warning)
    }
}

/// Returns the lengths of a box of the same shape in which a sample of the same packing fraction has the requested sizes; `None`
/// if the sample has them, or if the spheres do not follow from a box alone.
fn sufficient_box(
    report: &SizeReport,
    volume: Option<f64>,
    options: &PackOptions,
) -> Option<BoxLengths> {
    let (sufficient, volume) = (report.sufficient?, volume?);
    let container = &options.container;
    if options.fixed.is_some() || !container.bodies().is_empty() {
        return None;
    }
    let (Solid::Box(_) | Solid::Rectangle(_)) = container.solid() else {
        return None;
    };
    let factor = sufficient.volume / volume;
    let factor = match container.dimension() {
        Dimension::Two => factor.sqrt(),
        Dimension::Three => factor.cbrt(),
    };
    let lengths = container.lengths() * factor;
    let rounded = |length: f64| {
        if length > 0.0 {
            rounded_up(length)
        } else {
            0.0
        }
    };
    Some(BoxLengths(lengths.map(rounded)))
}

/// Returns the next number with four significant digits that is at least as large.
fn rounded_up(value: f64) -> f64 {
    let rounded: f64 = format!("{value:.3e}").parse().unwrap_or(value);
    if rounded >= value {
        return rounded;
    }
    let unit = 10.0_f64.powf(value.log10().floor() - 3.0);
    format!("{:.3e}", rounded + unit).parse().unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_rounded_up_to_four_digits() {
        for (value, rounded) in [
            (47.251, 47.26),
            (47.25, 47.25),
            (9.9991, 10.0),
            (1.2341e-7, 1.235e-7),
        ] {
            assert_eq!(rounded_up(value), rounded);
        }
    }
}
