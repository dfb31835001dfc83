//! `jostle pack`: sizes in, a packing in files out.

use std::{path::PathBuf, time::Duration};

use anyhow::{Result, bail};
use clap::Args;
use jostle::{
    Boundaries, Container, DEFAULT_PRESET, Effort, IndexKind, PackOptions, PackRun, Packing,
    Sample, Sampling, SizeSpec, StopReason, Target, check_writable, estimated_bytes, pack,
    predicted_packing_fraction, write_files,
};
use serde::Serialize;

use super::{
    Outcome, complain, interrupt, memory, print, print_json,
    progress::Screen,
    values::{self, BoxLengths},
    words::{self, counted, rounded, with_unit},
};

const DEFAULT_NUMBER: u64 = 10_000;
const DEFAULT_FILE: &str = "packing.json";
/// How far, relatively, spheres chosen for a box may be from the asked fraction because they come whole.
const WHOLE_SPHERES: f64 = 0.01;

/// Pack spheres of a size distribution without overlap
#[derive(Args)]
#[command(after_help = AFTER_HELP, allow_negative_numbers = true)]
pub struct Pack {
    /// A preset (`jostle sizes` lists them), a law (see below) or a .json file [default: concrete]
    sizes: Option<String>,

    /// Number of spheres, such as 20000 or 1e6 [default: 10000]
    #[arg(short, long, value_name = "N", value_parser = values::whole_number)]
    number: Option<u64>,

    /// Lengths of the box; with -n or --fraction
    #[arg(long = "box", value_name = "L|Lx,Ly,Lz", allow_hyphen_values = true)]
    lengths: Option<BoxLengths>,

    /// Packing fraction to reach [default: as dense as they go]
    #[arg(long, value_name = "F", value_parser = values::fraction)]
    fraction: Option<f64>,

    /// Periodic (p) or wall (w) for the x, y and z axis
    #[arg(long, value_name = "ppp|www|ppw…", default_value_t)]
    boundary: Boundaries,

    /// Smallest gap between spheres; a wall keeps half of it
    #[arg(long, value_name = "G", default_value = "0", value_parser = values::gap)]
    min_gap: f64,

    /// quick, normal, thorough, or a number from 0 to 2
    #[arg(long, value_name = "EFFORT", default_value = "normal")]
    effort: Effort,

    /// Global index: loose-octree, strict-octree, grid, hgrid or kd-tree
    #[arg(long, value_name = "NAME", default_value_t)]
    index: IndexKind,

    /// stratified (sizes as near to the curve as N allows) or random
    #[arg(long, value_name = "HOW", default_value_t)]
    sampling: Sampling,

    /// The same seed gives the same packing, with any number of threads
    #[arg(
        long,
        value_name = "S",
        default_value_t = 1,
        value_parser = values::count::<u64>
    )]
    seed: u64,

    /// Number of threads; 0 takes one for each core
    #[arg(
        long,
        value_name = "T",
        default_value_t = 0,
        value_parser = values::count::<usize>
    )]
    threads: usize,

    /// Stop after so many seconds
    #[arg(long, value_name = "S", value_parser = values::seconds)]
    time_limit: Option<Duration>,

    /// Stop after so many sweeps
    #[arg(long, value_name = "K", value_parser = values::whole_number)]
    max_sweeps: Option<u64>,

    /// File to write: .json, .csv, .xyz, .vtp or .data (LAMMPS); may be repeated [default: packing.json]
    #[arg(short, long, value_name = "FILE")]
    output: Vec<PathBuf>,

    /// Print the result as one JSON object
    #[arg(long)]
    json: bool,

    /// No progress and no summary: print nothing but errors, and what --json asks for
    #[arg(short, long)]
    quiet: bool,
}

const AFTER_HELP: &str = "\
What to ask for:
  -n N                   N spheres in a cube, as dense as they go
  -n N --fraction F      N spheres in the cube of which they fill the share F
  --box L --fraction F   as many spheres as fill the share F of this box
  --box L -n N           N spheres in exactly this box

Laws, with diameters in one unit of your choice:
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
  jostle pack mono:d=1 --box 20,20,40 --fraction 0.6 --boundary ppw -o spheres.data

Exit codes:
  0    done
  2    usage or bad input; nothing is written
  3    the asked fraction or box was not reached; the best packing is written
  130  interrupted: the first Ctrl-C ends the loop, and the packing so far is made
       free of overlap and written; a second one ends the program at once";

/// How many spheres to draw.
enum Amount {
    Number(u64),
    Volume(f64),
}

impl Pack {
    /// Everything that can be refused is refused before the packing begins.
    pub fn run(self) -> Result<Outcome> {
        let spec = SizeSpec::load(self.sizes.as_deref().unwrap_or(DEFAULT_PRESET))?;
        let (amount, target) = self.amount_and_target()?;
        let options = PackOptions {
            target,
            boundary: self.boundary,
            min_gap: self.min_gap,
            effort: self.effort,
            index: self.index,
            seed: self.seed,
            threads: self.threads,
            max_sweeps: self.max_sweeps,
            time_limit: self.time_limit,
        };
        let files = if self.output.is_empty() {
            vec![DEFAULT_FILE.into()]
        } else {
            self.output.clone()
        };
        for file in &files {
            check_writable(file)?;
        }
        prepare_memory(&spec, &amount)?;

        interrupt::watch()?;
        let mut screen = Screen::new(self.quiet);
        screen.phase("choosing sizes");
        let Sample { diameters, report } = match amount {
            Amount::Number(count) => {
                let count = usize::try_from(count)?;
                (spec.distribution).sample(count, self.sampling, self.seed)
            }
            Amount::Volume(volume) => {
                (spec.distribution).sample_for_volume(volume, self.sampling, self.seed)
            }
        };
        let radii: Vec<f64> = diameters.into_iter().map(|d| 0.5 * d).collect();
        screen.phase("placing spheres");
        let mut run = pack(&radii, &options, &mut screen)?;
        run.packing.sizes = Some(report);
        run.packing.unit = spec.unit;
        if let Some(provenance) = &mut run.packing.provenance {
            provenance.sampling = Some(self.sampling);
            provenance.sizes = self
                .sizes
                .clone()
                .unwrap_or_else(|| DEFAULT_PRESET.to_owned());
        }
        interrupt::begin_writing();
        screen.phase(&format!("writing {}", words::files(&files)));
        write_files(&run.packing, &files)?;
        drop(screen);
        self.report(&run, &files)
    }

    fn amount_and_target(&self) -> Result<(Amount, Target)> {
        Ok(match (self.lengths, self.fraction, self.number) {
            (Some(_), Some(_), Some(_)) => bail!(
                "--box, --fraction and -n cannot all be given: any two of them make the third"
            ),
            (Some(_), None, None) => bail!(
                "--box needs -n (so many spheres in this box) or --fraction (as many as fill this share of it)"
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

    fn report(&self, run: &PackRun, files: &[PathBuf]) -> Result<Outcome> {
        let packing = &run.packing;
        let result = Summary::new(run, files)?;
        if self.json {
            print_json(&result)?;
        } else if !self.quiet {
            print(&result.describe(packing))?;
            if let Some(warning) = result.warning {
                complain(&format!("warning: {warning}"));
            }
        }
        let written = words::files(files);
        if result.status == StopReason::Interrupted {
            complain(&format!("interrupted: the packing so far is in {written}"));
            return Ok(Outcome::Interrupted);
        }
        match self.missed(packing) {
            Some(missed) => {
                complain(&format!("{missed}; the best packing is in {written}"));
                Ok(Outcome::NotReached)
            }
            None => Ok(Outcome::Done),
        }
    }

    /// What was asked and not reached, in words.
    fn missed(&self, packing: &Packing) -> Option<String> {
        let found = packing.packing_fraction();
        if let Some(BoxLengths(lengths)) = self.lengths
            && packing.container.lengths() != lengths
        {
            let asked = packing.spheres.volume() / lengths.element_product();
            return Some(format!(
                "the asked box was not reached: it takes packing fraction {} and {} was found",
                rounded(asked, 4),
                rounded(found, 4),
            ));
        }
        let asked = self.fraction?;
        let tolerance = if self.lengths.is_some() {
            WHOLE_SPHERES
        } else {
            1e-9
        };
        (found < asked * (1.0 - tolerance)).then(|| {
            let why = if self.lengths.is_some() {
                ", as spheres come whole"
            } else {
                ""
            };
            format!(
                "the asked packing fraction {asked} was not reached{why}: {} was found",
                rounded(found, 4)
            )
        })
    }
}

/// Refuses what there is no memory for, and has large packings take no more than they need.
fn prepare_memory(spec: &SizeSpec, amount: &Amount) -> Result<()> {
    let count = match *amount {
        Amount::Number(count) => count as f64,
        Amount::Volume(volume) => (volume / spec.distribution.mean_volume()).ceil(),
    };
    memory::check(count, estimated_bytes(1) * count)?;
    if count >= memory::MANY {
        memory::return_large_blocks();
    }
    Ok(())
}

/// What is printed at the end.
#[derive(Serialize)]
struct Summary<'a> {
    status: StopReason,
    spheres: usize,
    packing_fraction: f64,
    predicted_packing_fraction: f64,
    max_overlap: f64,
    min_gap: f64,
    seconds: f64,
    sweeps: u64,
    relocations: u64,
    seed: u64,
    index: IndexKind,
    effort: f64,
    threads: usize,
    unit: &'a str,
    container: Container,
    sizes: SizesSummary,
    files: &'a [PathBuf],
    warning: Option<&'a str>,
}

#[derive(Serialize)]
struct SizesSummary {
    d_min: f64,
    d_max: f64,
    mass_curve_error: f64,
}

impl<'a> Summary<'a> {
    fn new(run: &'a PackRun, files: &'a [PathBuf]) -> Result<Self> {
        let packing = &run.packing;
        let (Some(sizes), Some(provenance)) = (&packing.sizes, &packing.provenance) else {
            bail!("the packing does not say how it was made");
        };
        Ok(Self {
            status: provenance.stop,
            spheres: packing.spheres.len(),
            packing_fraction: packing.packing_fraction(),
            predicted_packing_fraction: predicted_packing_fraction(packing.spheres.radii()),
            max_overlap: packing.certificate.max_overlap,
            min_gap: packing.certificate.min_gap,
            seconds: run.elapsed.as_secs_f64(),
            sweeps: provenance.sweeps,
            relocations: provenance.relocations,
            seed: provenance.seed,
            index: provenance.index,
            effort: provenance.effort,
            threads: run.threads,
            unit: &packing.unit,
            container: packing.container,
            sizes: SizesSummary {
                d_min: sizes.d_min,
                d_max: sizes.d_max,
                mass_curve_error: sizes.mass_curve_error,
            },
            files,
            warning: sizes.warning.as_deref(),
        })
    }

    fn describe(&self, packing: &Packing) -> String {
        let unit = &packing.unit;
        let length = |value: f64| with_unit(&rounded(value, 4), unit);
        format!(
            "{} at packing fraction {:.4}, {}
  expected {:.4} by Farr & Groot for these sizes
  box      {}
  overlap  {}, smallest gap {}
  sizes    {} to {}, mass curve within {} % of the asked one
  run      {} in {} s, {}, {}, seed {}
  files    {}",
            counted(self.spheres as u64, "sphere"),
            self.packing_fraction,
            reason(self.status),
            self.predicted_packing_fraction,
            words::container(&packing.container, unit),
            rounded(self.max_overlap, 4),
            length(self.min_gap),
            rounded(self.sizes.d_min, 4),
            length(self.sizes.d_max),
            rounded(100.0 * self.sizes.mass_curve_error, 2),
            counted(self.sweeps, "sweep"),
            rounded(self.seconds, 3),
            self.index,
            counted(self.threads as u64, "thread"),
            self.seed,
            words::files(self.files),
        )
    }
}

fn reason(stop: StopReason) -> &'static str {
    match stop {
        StopReason::Converged => "converged",
        StopReason::FractionReached => "as asked",
        StopReason::Stalled => "no denser at this effort",
        StopReason::SweepLimit => "stopped by the sweep limit",
        StopReason::TimeLimit => "stopped by the time limit",
        StopReason::Interrupted => "interrupted",
    }
}
