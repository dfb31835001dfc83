//! Size classes given one by one.

use super::{
    basis::Basis,
    blend_curve::BlendCurve,
    class_curve::ClassCurve,
    constants::{SHARE_SUM_TOLERANCE, UNNOTED_SHARE_SUM},
    law::{Law, LawParameters, law},
    range::{SizeRangeError, check_diameter},
};
use crate::dimension::Dimension;

law! {
    /// Size classes given one by one: pairs of diameter and share, by number or by mass.
    pub struct SizeClasses(Parameters) {
        by: Basis,
        shares: Vec<[f64; 2]>,
    }
}

/// Size classes that make no distribution. Classes count from 1.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SizeClassesError {
    /// There is no class.
    #[error("shares is empty and needs at least one pair of diameter and share")]
    Empty,
    /// A diameter is outside the accepted range.
    #[error("shares, class {class}: {error}")]
    Diameter {
        /// The class.
        class: usize,
        /// The reason.
        error: SizeRangeError,
    },
    /// The diameters do not rise.
    #[error(
        "shares, class {class}: diameter {diameter:?} must lie above {before:?}, the diameter before it"
    )]
    NotRising {
        /// The class.
        class: usize,
        /// The diameter of the class.
        diameter: f64,
        /// The diameter of the class before.
        before: f64,
    },
    /// A share is neither 0 nor a normal number of at most 1.
    #[error("shares, class {class}: {share:?} is not a share: 0 or a normal number of at most 1")]
    Share {
        /// The class.
        class: usize,
        /// The share of the class.
        share: f64,
    },
    /// The shares do not sum to 1.
    #[error("shares sum to {0:?}; the sum must be 1 (within 0.001)")]
    Sum(f64),
    /// The classes together have no accepted mean volume.
    #[error(transparent)]
    Range(#[from] SizeRangeError),
}

impl SizeClasses {
    /// Creates a law from pairs of diameter and share, sorted by diameter. The shares are of the number or of the mass.
    ///
    /// The shares are divided by their sum. A class with share 0 has no spheres.
    ///
    /// # Errors
    /// There is no pair, the diameters do not rise, a share is neither 0 nor a normal number up to 1, or the shares do not sum to
    /// 1 within 10⁻³.
    pub fn new(by: Basis, shares: Vec<[f64; 2]>) -> Result<Self, SizeClassesError> {
        Law::new(Parameters { by, shares }).map(Self)
    }

    /// Returns a sentence about shares that were divided by a sum other than 1.
    pub(super) fn note(&self) -> Option<String> {
        let sum = self.0.parameters.sum();
        ((sum - 1.0).abs() > UNNOTED_SHARE_SUM)
            .then(|| format!("the shares sum to {sum:?} and are divided by this sum"))
    }
}

impl Parameters {
    fn sum(&self) -> f64 {
        self.shares.iter().map(|class| class[1]).sum()
    }
}

impl LawParameters for Parameters {
    type Error = SizeClassesError;

    fn curve(&self, dimension: Dimension) -> Result<BlendCurve, Self::Error> {
        if self.shares.is_empty() {
            return Err(SizeClassesError::Empty);
        }
        let mut before = 0.0;
        for (i, &[diameter, share]) in self.shares.iter().enumerate() {
            let class = i + 1;
            check_diameter("diameter", diameter)
                .map_err(|error| SizeClassesError::Diameter { class, error })?;
            if diameter <= before {
                return Err(SizeClassesError::NotRising {
                    class,
                    diameter,
                    before,
                });
            }
            if share != 0.0 && !(f64::MIN_POSITIVE..=1.0).contains(&share) {
                return Err(SizeClassesError::Share { class, share });
            }
            before = diameter;
        }
        let sum = self.sum();
        if (sum - 1.0).abs() > SHARE_SUM_TOLERANCE {
            return Err(SizeClassesError::Sum(sum));
        }
        let classes: Vec<(f64, f64)> = (self.shares.iter())
            .map(|&[d, share]| (d, share))
            .filter(|(_, share)| *share > 0.0)
            .collect();
        Ok(ClassCurve::new(dimension, self.by, &classes).into())
    }
}
