//! The models that predict packing fractions.

use serde::Serialize;

use super::{
    compressible_packing::CompressiblePacking,
    constants::{RODS, SEARCH_RODS},
    random_close_packing::prediction_of_classes,
    volume_classes::VolumeClasses,
};
use crate::macros::choice;

choice! {
    "model", "kebab-case";
    /// A model that predicts the packing fraction of a random close packing from the sizes alone.
    #[derive(Default)]
    #[non_exhaustive]
    pub enum PackingModel {
        /// The rods of Farr & Groot (2009), for spheres without friction: see
        /// [`predicted_packing_fraction`](super::predicted_packing_fraction).
        #[default]
        Rods,
        /// The compressible packing model of de Larrard (1999): see [`CompressiblePacking`].
        Compressible,
    }
}

/// A packing fraction as a function of shares.
type OfShares = Box<dyn Fn(&[f64]) -> f64>;

impl PackingModel {
    /// Predicts the packing fraction of spheres in these classes, in an infinite container. It is 0 without spheres.
    ///
    /// # Cost
    /// About 10 ms.
    pub fn packing_fraction(self, classes: &VolumeClasses) -> f64 {
        match self {
            Self::Rods => prediction_of_classes(RODS, classes),
            Self::Compressible => CompressiblePacking::default().packing_fraction(classes),
        }
    }

    /// Returns a function from shares of the volume of these parts to the predicted packing fraction, for a search: it takes
    /// fewer rods than a single prediction.
    pub(super) fn of_shares(self, parts: Vec<VolumeClasses>) -> OfShares {
        let classes = parts.iter().flat_map(VolumeClasses::classes);
        let diameters: Vec<f64> = classes.map(|class| class.0).collect();
        match self {
            Self::Rods => Box::new(move |shares| {
                let parts: Vec<_> = parts.iter().cloned().zip(shares.iter().copied()).collect();
                prediction_of_classes(SEARCH_RODS, &VolumeClasses::blend(&parts))
            }),
            Self::Compressible => {
                let effects = CompressiblePacking::default().interactions(&diameters);
                Box::new(move |shares| {
                    let scaled = parts.iter().zip(shares).flat_map(|(part, share)| {
                        let classes = part.classes().iter();
                        classes.map(move |class| class.1 * share)
                    });
                    effects.packing_fraction(&scaled.collect::<Vec<_>>())
                })
            }
        }
    }
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
            rods: PackingModel::Rods.packing_fraction(classes),
            compressible: PackingModel::Compressible.packing_fraction(classes),
        }
    }
}
