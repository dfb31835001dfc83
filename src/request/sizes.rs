//! The sizes of a request.

use serde::Serialize;

use super::error::RequestError;
use crate::{
    dimension::Dimension,
    distribution::{Mono, Sampling, SizeDistribution, SizeSpec, SizesError},
};

/// The diameters of the spheres, or the law from which they are drawn.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub enum Sizes {
    /// A law with its name, unit and source.
    Law(Box<SizeSpec>),
    /// Diameters.
    Diameters(Vec<f64>),
}

impl Sizes {
    /// Returns the number of given diameters.
    pub(crate) fn given(&self) -> Option<u64> {
        match self {
            Self::Law(_) => None,
            Self::Diameters(diameters) => Some(diameters.len() as u64),
        }
    }

    /// Rejects a number that is not that of the given diameters.
    pub(crate) fn check_number(&self, number: Option<u64>) -> Result<(), RequestError> {
        match (number, self.given()) {
            (Some(number), Some(diameters)) if number != diameters => {
                Err(RequestError::OtherNumber { number, diameters })
            }
            _ => Ok(()),
        }
    }

    /// Returns the number of spheres of a law that is a list of diameters.
    pub(crate) fn listed(&self) -> Option<u64> {
        match self {
            Self::Law(spec) => Some(spec.distribution.listed()?.len() as u64),
            Self::Diameters(_) => None,
        }
    }

    /// Returns the sizes of spheres of another dimension.
    pub(super) fn in_dimension(&self, dimension: Dimension) -> Result<Self, SizesError> {
        Ok(match self {
            Self::Law(spec) => Self::Law(Box::new(spec.in_dimension(dimension)?)),
            Self::Diameters(diameters) => Self::Diameters(diameters.clone()),
        })
    }

    /// Returns `count` radii that represent the sizes, for a trial.
    pub(crate) fn trial(&self, count: usize, sampling: Sampling, seed: u64) -> Vec<f64> {
        match self {
            Self::Law(spec) => {
                let sample = spec.distribution.sample_number(count, sampling, seed);
                sample.radii()
            }
            Self::Diameters(diameters) => (0..count)
                .map(|k| 0.5 * diameters[k * diameters.len() / count])
                .collect(),
        }
    }

    /// Returns the law; of diameters, that of equal spheres, which take at least as much memory.
    #[expect(clippy::missing_panics_doc, reason = "1 is a diameter")]
    pub fn distribution(&self) -> SizeDistribution {
        match self {
            Self::Law(spec) => spec.distribution.clone(),
            Self::Diameters(_) => Mono::new(1.0).expect("1 is a diameter").into(),
        }
    }
}

impl From<SizeSpec> for Sizes {
    fn from(spec: SizeSpec) -> Self {
        Self::Law(Box::new(spec))
    }
}

impl<L: Into<SizeDistribution>> From<L> for Sizes {
    fn from(law: L) -> Self {
        SizeSpec::new("", "", "", law).into()
    }
}

impl From<Vec<f64>> for Sizes {
    fn from(diameters: Vec<f64>) -> Self {
        Self::Diameters(diameters)
    }
}
