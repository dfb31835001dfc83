//! The options that determine a packing, for a new run, and to be compared with those of a checkpoint.

use std::fmt::Display;

use anyhow::{Result, bail};
use clap::Args;
use jostle::{
    Boundaries, Checkpoint, Effort, ExchangeRate, IndexKind, PackOptions, Sampling, Target,
    total_volume,
};
use strum::VariantNames;

use super::{
    constants::{DEFAULT_NUMBER, DEFAULT_SEED, WHOLE_SPHERES},
    values::{self, BoxLengths},
    words::choices,
};

/// Options that determine a packing.
#[derive(Args)]
pub struct Request {
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

    /// Make the faces along x, y and z periodic (p) or hard walls (w), such as ppp, www or ppw [default: ppp]
    #[arg(long)]
    boundary: Option<Boundaries>,

    /// Keep at least this distance between any two spheres, and half of it to walls, in the unit of the diameters [default: 0]
    #[arg(long, value_name = "GAP", value_parser = values::gap)]
    min_gap: Option<f64>,

    /// Pack denser but slower: quick, normal, thorough, or a number from 0 (quick) to 2 (thorough) [default: normal]
    #[arg(long)]
    effort: Option<Effort>,

    /// Let spheres of nearly equal size exchange their positions, for packings denser than random close packing: off, auto, or
    /// a number of attempts per sphere and sweep. With --fraction or --box, exchanges start where the request is out of reach
    /// without them [default: off]
    #[arg(long, value_name = "RATE")]
    exchange: Option<ExchangeRate>,

    #[arg(long, help = choices("Find neighbours with this global index; it changes the speed, not the packing", IndexKind::VARIANTS, IndexKind::default()))]
    index: Option<IndexKind>,

    #[arg(long, value_name = "METHOD", help = choices("Draw diameters as close to the distribution as N allows, or at random", Sampling::VARIANTS, Sampling::default()))]
    sampling: Option<Sampling>,

    /// Use SEED for all random numbers; the same seed gives the same packing, with any number of threads [default: 1]
    #[arg(long, value_parser = values::count::<u64>)]
    seed: Option<u64>,

    /// Stop after SWEEPS sweeps; each sweep visits every sphere once [default: no limit]
    #[arg(long, value_name = "SWEEPS", value_parser = values::whole_number)]
    max_sweeps: Option<u64>,
}

/// The number of spheres to draw, or their volume.
pub enum Amount {
    Number(u64),
    Volume(f64),
}

impl Request {
    /// Returns the method by which diameters are drawn, and the seed of all random numbers.
    pub fn sampling(&self) -> (Sampling, u64) {
        let seed = self.seed.unwrap_or(DEFAULT_SEED);
        (self.sampling.unwrap_or_default(), seed)
    }

    /// Returns the options that determine the packing.
    pub fn options(&self, target: Target) -> PackOptions {
        let mut options = PackOptions::default()
            .target(target)
            .boundary(self.boundary.unwrap_or_default())
            .min_gap(self.min_gap.unwrap_or_default())
            .effort(self.effort.unwrap_or_default())
            .exchange(self.exchange.unwrap_or_default())
            .index(self.index.unwrap_or_default())
            .seed(self.sampling().1);
        options.max_sweeps = self.max_sweeps;
        options
    }

    /// Returns the packing fraction that the spheres of a box of given size should have.
    pub fn fraction_of_box(&self) -> Option<f64> {
        self.fraction.filter(|_| self.lengths.is_some())
    }

    /// Returns the number or volume of the spheres, and the size of the container.
    pub fn amount_and_target(&self) -> Result<(Amount, Target)> {
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

    /// Rejects options that differ from those of a checkpoint.
    pub fn check_agreement(&self, checkpoint: &Checkpoint) -> Result<()> {
        let run = checkpoint.options();
        let sizes = run.sizes.as_ref();
        let lengths = match run.target {
            Target::Container(lengths) => Some(BoxLengths(lengths)),
            _ => None,
        };
        let settings = [
            setting("--number", self.number, Some(checkpoint.radii().len())),
            setting("--box", self.lengths, lengths),
            setting("--boundary", self.boundary, Some(run.boundary)),
            setting("--min-gap", self.min_gap, Some(run.min_gap)),
            setting(
                "--effort",
                self.effort.map(f64::from),
                Some(f64::from(run.effort)),
            ),
            setting(
                "--exchange",
                self.exchange.map(f64::from),
                Some(f64::from(run.exchange)),
            ),
            setting("--index", self.index, Some(run.index)),
            setting(
                "--sampling",
                self.sampling,
                sizes.map(|sizes| sizes.sampling),
            ),
            setting("--seed", self.seed, Some(run.seed)),
            setting("--max-sweeps", self.max_sweeps, run.max_sweeps),
        ];
        let differs =
            |(_, given, found): &&Setting| given.as_ref().is_some_and(|given| given != found);
        if let Some((option, Some(given), found)) = settings.iter().find(differs) {
            bail!(
                "{option} {given} contradicts the checkpoint, whose run has {option} {found}; leave the option out"
            );
        }
        match (self.fraction, requested_fraction(checkpoint)) {
            (Some(given), Some(found)) if (found - given).abs() <= WHOLE_SPHERES * given => Ok(()),
            (Some(given), found) => bail!(
                "--fraction {given} contradicts the checkpoint, whose run has --fraction {}; leave the option out",
                text(found)
            ),
            (None, _) => Ok(()),
        }
    }
}

/// The name of an option, the given value if there is one, and the value in a checkpoint.
type Setting = (&'static str, Option<String>, String);

fn setting<A: Display, B: Display>(
    name: &'static str,
    given: Option<A>,
    found: Option<B>,
) -> Setting {
    (name, given.map(|given| given.to_string()), text(found))
}

fn text(found: Option<impl Display>) -> String {
    found.map_or_else(|| "unset".to_owned(), |found| found.to_string())
}

/// Returns the packing fraction that the run of a checkpoint shall reach; `None` if it shall be as dense as possible.
fn requested_fraction(checkpoint: &Checkpoint) -> Option<f64> {
    match checkpoint.options().target {
        Target::Fraction(fraction) => Some(fraction),
        Target::Container(lengths) => {
            Some(total_volume(checkpoint.radii()) / lengths.element_product())
        }
        _ => None,
    }
}
