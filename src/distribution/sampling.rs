//! The method that chooses the diameters of a sample.

use serde::{Deserialize, Serialize};
use strum::{Display, EnumString, VariantArray, VariantNames};

use crate::names::UnknownName;

/// The method that chooses the diameters of a sample.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    Hash,
    Serialize,
    Deserialize,
    Display,
    EnumString,
    VariantNames,
    VariantArray,
)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case", parse_err_ty = UnknownName, parse_err_fn = unknown_sampling)]
#[non_exhaustive]
pub enum Sampling {
    /// Diameters whose mass curve is as near to the law as the number of spheres allows. Every seed gives the same sample.
    ///
    /// A continuous law gives one sphere to each n-th part of the number. The sphere has the mean volume of that part, so
    /// the sample has n times the mean volume of the law, and its mass curve meets the law n − 1 times. A law in classes
    /// rounds the mass to whole spheres from the largest class down. The next smaller class takes the rounding
    /// difference. The number curve may deviate by one sphere and 1 % where that improves the mass curve.
    #[default]
    Stratified,
    /// Independent draws by number. The count of rare large spheres varies from seed to seed.
    Random,
}

fn unknown_sampling(name: &str) -> UnknownName {
    UnknownName::new("sampling", name, <Sampling as VariantNames>::VARIANTS)
}
