//! The models that predict packing fractions.

use serde::{Deserialize, Serialize};
use strum::{Display, EnumString, VariantArray, VariantNames};

use super::{
    compressible_packing::CompressiblePacking, constants::RODS,
    random_close_packing::prediction_of_classes, volume_classes::VolumeClasses,
};
use crate::names::UnknownName;

/// A model that predicts the packing fraction of a random close packing from the sizes alone.
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
#[strum(serialize_all = "kebab-case", parse_err_ty = UnknownName, parse_err_fn = unknown_model)]
#[non_exhaustive]
pub enum PackingModel {
    /// The rods of Farr & Groot (2009), for spheres without friction: see
    /// [`predicted_packing_fraction`](super::predicted_packing_fraction).
    #[default]
    Rods,
    /// The compressible packing model of de Larrard (1999), for rounded grains: see [`CompressiblePacking`].
    Compressible,
}

fn unknown_model(name: &str) -> UnknownName {
    UnknownName::new("model", name, <PackingModel as VariantNames>::VARIANTS)
}

/// The packing fractions that both models predict for spheres in an infinite container.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct PackingPredictions {
    /// By the rods of Farr & Groot (2009).
    pub rods: f64,
    /// By the compressible packing model of de Larrard (1999), with its default calibration.
    pub compressible: f64,
}

impl PackingPredictions {
    /// Predicts the packing fraction of spheres in these classes. Both are 0 without spheres.
    ///
    /// # Cost
    /// About 10 ms.
    ///
    /// # Example
    /// ```
    /// use jostle::distribution::{PackingPredictions, VolumeClasses};
    ///
    /// let equal = PackingPredictions::of(&VolumeClasses::of_radii(&[0.5]));
    /// assert!((equal.rods - 0.6435).abs() < 1e-4);
    /// assert!((equal.compressible - 0.6435).abs() < 1e-4);
    /// ```
    pub fn of(classes: &VolumeClasses) -> Self {
        Self {
            rods: prediction_of_classes(RODS, classes),
            compressible: CompressiblePacking::default().packing_fraction(classes),
        }
    }
}
