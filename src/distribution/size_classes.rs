//! Classes given one by one.

use serde::{Deserialize, Serialize};

use super::{
    Basis,
    class_curve::ClassCurve,
    curve::Curve,
    range::{SizeRangeError, check_diameter},
};

/// How far the shares may sum from 1.
const TOLERANCE: f64 = 1e-6;

/// Size classes given one by one: pairs of diameter and share, by number or by mass.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Parameters", into = "Parameters")]
pub struct SizeClasses {
    parameters: Parameters,
    curve: Curve,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(
    deny_unknown_fields,
    expecting = "an object with the parameters of the law"
)]
struct Parameters {
    by: Basis,
    shares: Vec<[f64; 2]>,
}

/// Classes that make no distribution. Positions count from 1.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SizeClassesError {
    /// No class at all.
    #[error("shares is empty and needs at least one pair of diameter and share")]
    Empty,
    /// A diameter is none.
    #[error("shares, class {position}: {error}")]
    Diameter {
        /// Which class.
        position: usize,
        /// What is wrong with it.
        error: SizeRangeError,
    },
    /// The diameters do not rise.
    #[error(
        "shares, class {position}: diameter {diameter:?} must lie above {before:?}, the diameter before it"
    )]
    NotRising {
        /// Which class.
        position: usize,
        /// Its diameter.
        diameter: f64,
        /// The diameter before.
        before: f64,
    },
    /// A share is not above 0 and at most 1.
    #[error("shares, class {position}: {share:?} is not a share above 0 and at most 1")]
    Share {
        /// Which class.
        position: usize,
        /// Its share.
        share: f64,
    },
    /// The shares do not sum to 1.
    #[error("shares sum to {0:?}, not to 1 (within 1e-6)")]
    Sum(f64),
}

impl SizeClasses {
    /// Pairs of diameter and share by rising diameter; the shares are of the number or of the mass.
    ///
    /// # Errors
    /// When there are none, diameters do not rise, a share is not in (0, 1], or they do not sum to 1 within 10⁻⁶.
    pub fn new(by: Basis, shares: Vec<[f64; 2]>) -> Result<Self, SizeClassesError> {
        Parameters { by, shares }.try_into()
    }

    pub(super) fn curve(&self) -> &Curve {
        &self.curve
    }
}

impl TryFrom<Parameters> for SizeClasses {
    type Error = SizeClassesError;

    fn try_from(parameters: Parameters) -> Result<Self, Self::Error> {
        if parameters.shares.is_empty() {
            return Err(SizeClassesError::Empty);
        }
        let mut before = 0.0;
        for (i, &[diameter, share]) in parameters.shares.iter().enumerate() {
            let position = i + 1;
            check_diameter("diameter", diameter)
                .map_err(|error| SizeClassesError::Diameter { position, error })?;
            if diameter <= before {
                return Err(SizeClassesError::NotRising {
                    position,
                    diameter,
                    before,
                });
            }
            if !(share > 0.0 && share <= 1.0) {
                return Err(SizeClassesError::Share { position, share });
            }
            before = diameter;
        }
        let sum: f64 = parameters.shares.iter().map(|class| class[1]).sum();
        if (sum - 1.0).abs() > TOLERANCE {
            return Err(SizeClassesError::Sum(sum));
        }
        let classes: Vec<(f64, f64)> = parameters
            .shares
            .iter()
            .map(|&[d, share]| (d, share))
            .collect();
        let curve = Curve::Classes(ClassCurve::new(parameters.by, &classes));
        Ok(Self { parameters, curve })
    }
}

impl From<SizeClasses> for Parameters {
    fn from(law: SizeClasses) -> Self {
        law.parameters
    }
}
