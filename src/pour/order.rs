//! The order in which spheres are poured.

use serde::{Deserialize, Serialize};
use strum::VariantNames;

use crate::names::UnknownName;

/// The order in which spheres are poured.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    Serialize,
    Deserialize,
    strum::Display,
    strum::EnumString,
    strum::VariantNames,
)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
#[non_exhaustive]
pub enum Order {
    /// A random order, which the seed determines.
    #[default]
    Random,
    /// The order of the diameters of a list, or of a sample.
    AsGiven,
    /// From the largest sphere to the smallest.
    LargeFirst,
    /// Component by component of a blend, in their order, with the spheres of each one in random order.
    Layers,
}

impl Order {
    /// Returns the order of this name: `random`, `as-given`, `large-first` or `layers`.
    ///
    /// # Errors
    /// [`UnknownName`] if there is no such order.
    pub fn named(name: &str) -> Result<Self, UnknownName> {
        name.parse()
            .map_err(|_| UnknownName::new("order", name, Self::VARIANTS))
    }
}
