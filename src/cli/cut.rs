//! Options that leave out small and large spheres.

use anyhow::{Result, ensure};
use clap::Args;

use super::{
    help,
    values::{self, Measured},
};
use crate::SizeSpec;

/// The name of the option that leaves out small spheres.
const CUT_BELOW: &str = "--cut-below";

/// Returns the words of this interface that leave out the spheres below a diameter.
pub fn cut_below(diameter: &str) -> String {
    format!("{CUT_BELOW} {diameter}")
}

/// Options that leave out small and large spheres.
#[derive(Args)]
#[command(next_help_heading = help::SIZES)]
pub struct CutOptions {
    /// Leave out the spheres below this diameter, in the unit of the distribution. A note states their share of the mass
    #[arg(long, value_name = "DIAMETER", value_parser = values::measured_diameter)]
    cut_below: Option<Measured<f64>>,

    /// Leave out the spheres above this diameter. A note states their share of the mass
    #[arg(long, value_name = "DIAMETER", value_parser = values::measured_diameter)]
    cut_above: Option<Measured<f64>>,
}

impl CutOptions {
    /// Rejects limits without a distribution.
    pub fn reject_without_sizes(&self) -> Result<()> {
        ensure!(
            self.cut_below.is_none() && self.cut_above.is_none(),
            "{CUT_BELOW} and --cut-above need a distribution; name one, such as concrete"
        );
        Ok(())
    }

    /// Returns the distribution without the spheres that the options leave out.
    pub fn apply(&self, sizes: SizeSpec) -> Result<SizeSpec> {
        let in_unit = |limit: &Option<Measured<f64>>| {
            let limit = limit.as_ref().map(|limit| limit.in_unit(&sizes.unit));
            limit.transpose()
        };
        let (below, above) = (in_unit(&self.cut_below)?, in_unit(&self.cut_above)?);
        if let (Some(below), Some(above)) = (below, above) {
            ensure!(
                below < above,
                "{CUT_BELOW} {below} is not below --cut-above {above}"
            );
        }
        Ok(sizes.cut(below, above)?)
    }
}
