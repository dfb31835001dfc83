//! `jostle pack`: makes a packing of a size distribution and writes it to files.

use std::{path::PathBuf, time::Duration};

use anyhow::{Result, bail};
use clap::Args;
use jostle::{
    Boundaries, DEFAULT_PRESET, Effort, ExchangeRate, IndexKind, PackOptions, PackRun, Packing,
    Sample, Sampling, SizeSpec, StopReason, Target, check_writable, pack_observed, write_files,
};
use strum::VariantNames;

use super::{
    constants::{DEFAULT_FILE, DEFAULT_NUMBER, MANY_SPHERES, ROUNDING, WHOLE_SPHERES},
    interrupt, memory,
    outcome::Outcome,
    output::{print, print_json, print_message},
    progress::Screen,
    summary::Summary,
    values::{self, BoxLengths},
    words::{self, choices, rounded},
};

/// Pack spheres of a size distribution without overlap
#[derive(Args)]
#[command(after_help = AFTER_HELP, allow_negative_numbers = true)]
pub struct Pack {
    /// Size distribution: a preset (`jostle sizes` lists them), a law (see below) or a .json file [default: concrete]
    sizes: Option<String>,

    /// Pack N spheres, written as 20000 or 1e6 [default: 10000, or as many as --box and --fraction take]
    #[arg(short, long, value_name = "N", value_parser = values::whole_number)]
    number: Option<u64>,

    /// Fill a box of these lengths, in the unit of the diameters: one length for a cube or three. Needs --number or
    /// --fraction [default: the smallest cube]
    #[arg(long = "box", value_name = "LENGTHS", allow_hyphen_values = true)]
    lengths: Option<BoxLengths>,

    /// Stop at this packing fraction, between 0 and 1 [default: as dense as the effort allows]
    #[arg(long, value_parser = values::fraction)]
    fraction: Option<f64>,

    /// Make the faces along x, y and z periodic (p) or hard walls (w), such as ppp, www or ppw
    #[arg(long, default_value_t)]
    boundary: Boundaries,

    /// Keep at least this distance between any two spheres, and half of it to walls, in the unit of the diameters
    #[arg(long, value_name = "GAP", default_value = "0", value_parser = values::gap)]
    min_gap: f64,

    /// Pack denser but slower: quick, normal, thorough, or a number from 0 (quick) to 2 (thorough)
    #[arg(long, default_value = "normal")]
    effort: Effort,

    /// Let spheres of nearly equal size exchange their positions, for packings denser than random close packing: off, auto, or
    /// a number of attempts per sphere and sweep. With --fraction or --box, exchanges start where the request is out of reach
    /// without them
    #[arg(long, value_name = "RATE", default_value = "off")]
    exchange: ExchangeRate,

    #[arg(long, default_value_t, help = choices("Find neighbours with this global index; it changes the speed, not the packing", IndexKind::VARIANTS))]
    index: IndexKind,

    #[arg(long, value_name = "METHOD", default_value_t, help = choices("Draw diameters as close to the distribution as N allows, or at random", Sampling::VARIANTS))]
    sampling: Sampling,

    /// Use SEED for all random numbers; the same seed gives the same packing, with any number of threads
    #[arg(long, default_value_t = 1, value_parser = values::count::<u64>)]
    seed: u64,

    /// Run on THREADS threads; 0 means one for each core
    #[arg(long, default_value_t = 0, value_parser = values::threads)]
    threads: usize,

    /// Stop after SECONDS of wall time and write the packing as it is then, without overlap [default: no limit]
    #[arg(long, value_name = "SECONDS", value_parser = values::seconds)]
    time_limit: Option<Duration>,

    /// Stop after SWEEPS sweeps; each sweep visits every sphere once [default: no limit]
    #[arg(long, value_name = "SWEEPS", value_parser = values::whole_number)]
    max_sweeps: Option<u64>,

    /// Write the packing to FILE, whose name ends in .json, .csv, .xyz, .vtp (ParaView) or .data (LAMMPS); may be repeated
    /// [default: packing.json]
    #[arg(short, long, value_name = "FILE")]
    output: Vec<PathBuf>,

    /// Print the summary as one JSON object
    #[arg(long)]
    json: bool,

    /// Print errors only, and the JSON object of --json; show no progress and no summary
    #[arg(short, long)]
    quiet: bool,
}

const AFTER_HELP: &str = "\
Size of the container:
  -n N                  N spheres in the smallest cube that the effort finds
  -n N --fraction F     N spheres in a cube that they fill to packing fraction F
  --box L --fraction F  as many spheres as fill this box to packing fraction F
  --box L -n N          N spheres in exactly this box

Laws, with all diameters in one unit of your choice:
  mono:d=1
  bidisperse:d_small=1,d_large=4,mass_small=0.25
  power-law:exponent=-3,d_min=1,d_max=10
  fuller:d_min=1,d_max=16[,n=0.5][,classes=70]
  andreasen:q=0.37,d_min=1,d_max=16
  rosin-rammler:d_prime=18,n=0.9,d_min=1,d_max=90
  lognormal:d50=1,sigma=0.4[,by=number|mass]
  uniform-size:d_min=1,d_max=10
  uniform-volume:d_min=1,d_max=10

Examples:
  jostle pack
  jostle pack din-a16 -n 20000 -o concrete.json -o concrete.vtp
  jostle pack mono:d=1 --box 20,20,40 --fraction 0.6 --boundary ppw -o a.data

Exit codes:
  0    the packing is written
  2    wrong usage, bad input or too little memory; no file is written
  3    the requested packing fraction or box was not reached; the best packing is written
  130  interrupted: the first Ctrl-C ends the loop, removes all overlap and writes the packing; a second one ends the program \
at once";

/// The number of spheres to draw, or their volume.
enum Amount {
    Number(u64),
    Volume(f64),
}

impl Pack {
    /// Rejects every bad request before the packing begins.
    pub fn run(self) -> Result<Outcome> {
        let spec = SizeSpec::load(self.sizes.as_deref().unwrap_or(DEFAULT_PRESET))?;
        let (amount, target) = self.amount_and_target()?;
        let files = if self.output.is_empty() {
            vec![DEFAULT_FILE.into()]
        } else {
            self.output.clone()
        };
        for file in &files {
            check_writable(file)?;
        }
        prepare_memory(&spec, &amount, &self.options(target))?;

        interrupt::watch()?;
        let mut screen = Screen::new(self.quiet);
        let run = self.pack(&spec, &amount, target, &mut screen)?;
        interrupt::begin_writing();
        screen.phase(&format!("writing {}", words::files(&files)));
        write_files(&run.packing, &files)?;
        screen.finish(&run);
        self.report(&run, &files)
    }

    /// Draws the diameters and packs them.
    fn pack(
        &self,
        spec: &SizeSpec,
        amount: &Amount,
        target: Target,
        screen: &mut Screen,
    ) -> Result<PackRun> {
        screen.phase("drawing diameters");
        let Sample {
            diameters, source, ..
        } = match *amount {
            Amount::Number(count) => {
                spec.sample_number(usize::try_from(count)?, self.sampling, self.seed)
            }
            Amount::Volume(volume) => spec.sample_volume(volume, self.sampling, self.seed)?,
        };
        let radii: Vec<f64> = diameters.into_iter().map(|d| 0.5 * d).collect();
        let options = self.options(target).sizes(source);
        screen.phase("placing spheres");
        screen.expect(radii.len(), self.time_limit);
        Ok(pack_observed(radii, &options, screen)?)
    }

    fn options(&self, target: Target) -> PackOptions {
        let mut options = PackOptions::default()
            .target(target)
            .boundary(self.boundary)
            .min_gap(self.min_gap)
            .effort(self.effort)
            .exchange(self.exchange)
            .index(self.index)
            .seed(self.seed)
            .threads(self.threads);
        options.max_sweeps = self.max_sweeps;
        options.time_limit = self.time_limit;
        options
    }

    fn amount_and_target(&self) -> Result<(Amount, Target)> {
        Ok(match (self.lengths, self.fraction, self.number) {
            (Some(_), Some(_), Some(_)) => bail!(
                "--box, --fraction and --number are given together; give two of them, and the third follows"
            ),
            (Some(_), None, None) => bail!(
                "--box is given alone; add --number for N spheres in this box, or --fraction for as many as fill it to that packing fraction"
            ),
            (Some(BoxLengths(lengths)), Some(fraction), None) => {
                let volume = fraction * lengths.element_product();
                (Amount::Volume(volume), Target::Container(lengths))
            }
            (Some(BoxLengths(lengths)), None, Some(number)) => {
                (Amount::Number(number), Target::Container(lengths))
            }
            (None, fraction, number) => (
                Amount::Number(number.unwrap_or(DEFAULT_NUMBER)),
                fraction.map_or(Target::Densest, Target::Fraction),
            ),
        })
    }

    /// Prints the summary and warnings, and returns whether the request was met.
    fn report(&self, run: &PackRun, files: &[PathBuf]) -> Result<Outcome> {
        let packing = &run.packing;
        let summary = Summary::new(run, files)?;
        if self.json {
            print_json(&summary)?;
        } else if !self.quiet {
            print(&summary.describe())?;
            if let Some(warning) = summary.warning() {
                print_message(&format!("warning: {warning}"));
            }
        }
        let written = words::files(files);
        if summary.status() == StopReason::Interrupted {
            print_message(&format!(
                "interrupted: the packing as it was then is in {written}"
            ));
            return Ok(Outcome::Interrupted);
        }
        match self.shortfall(packing) {
            Some(shortfall) => {
                print_message(&format!("{shortfall}; the best packing is in {written}"));
                Ok(Outcome::NotReached)
            }
            None => Ok(Outcome::Done),
        }
    }

    /// Returns a sentence about a requested box or packing fraction that was not reached.
    fn shortfall(&self, packing: &Packing) -> Option<String> {
        let found = packing.packing_fraction();
        if let Some(BoxLengths(lengths)) = self.lengths
            && packing.container.lengths() != lengths
        {
            let needed = packing.spheres.volume() / lengths.element_product();
            return Some(format!(
                "the requested box was not reached: it needs packing fraction {}, but {} was found",
                rounded(needed, 4),
                rounded(found, 4),
            ));
        }
        let requested = self.fraction?;
        let (tolerance, reason) = match self.lengths {
            Some(_) => (WHOLE_SPHERES, " with whole spheres"),
            None => (ROUNDING, ""),
        };
        (found < requested * (1.0 - tolerance)).then(|| {
            format!(
                "the requested packing fraction {requested} was not reached{reason}: {} was found",
                rounded(found, 4)
            )
        })
    }
}

/// Rejects more spheres than the memory holds, and lets large packings take no more memory than they need.
fn prepare_memory(spec: &SizeSpec, amount: &Amount, options: &PackOptions) -> Result<()> {
    let count = match *amount {
        Amount::Number(count) => count as f64,
        Amount::Volume(volume) => (volume / spec.distribution.mean_volume()).ceil(),
    };
    memory::check(count, options.threads, |count| {
        let estimate = options.estimated_memory(count, &spec.distribution);
        if count >= MANY_SPHERES {
            estimate.needed
        } else {
            estimate.total()
        }
    })?;
    if count >= MANY_SPHERES {
        memory::return_large_blocks();
    }
    Ok(())
}
