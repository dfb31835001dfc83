//! The options that determine how many spheres are drawn from a size distribution, and which.

use clap::Args;
use strum::VariantNames;

use super::{help, values, words::choices};
use crate::distribution::Sampling;

/// Options that determine a sample of spheres.
#[derive(Args)]
#[command(next_help_heading = help::SIZES)]
pub struct SampleOptions {
    /// Pack N spheres, written as 20000 or 1e6 [default: 10000, or as many as the container and --fraction take]
    #[arg(short, long, value_name = "N", value_parser = values::whole_number)]
    pub number: Option<u64>,

    #[arg(long, value_name = "METHOD", help = choices("Draw diameters as close to the distribution as N allows, or at random", Sampling::VARIANTS, Sampling::default()))]
    pub sampling: Option<Sampling>,

    /// Use SEED for all random numbers. The same seed gives the same packing, with any number of threads [default: 1]
    #[arg(long, value_parser = values::count::<u64>)]
    pub seed: Option<u64>,
}
