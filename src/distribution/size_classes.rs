//! Size classes given one by one.

use super::{
    basis::Basis,
    blend_curve::BlendCurve,
    class_curve::ClassCurve,
    constants::{SHARE_SUM_TOLERANCE, UNNOTED_SHARE_SUM},
    law::{Law, LawParameters, law},
    range::check_diameter,
    sizes_error::SizesError,
};
use crate::dimension::Dimension;

law! {
    /// Size classes given one by one: pairs of diameter and share, by number or by mass.
    pub struct SizeClasses(Parameters) {
        by: Basis,
        shares: Vec<[f64; 2]>,
    }
}

impl SizeClasses {
    /// Creates a law from pairs of diameter and share, sorted by diameter. The shares are of the number or of the mass.
    ///
    /// The shares are divided by their sum. A class with share 0 has no spheres.
    ///
    /// # Errors
    /// There is no pair, the diameters do not rise, a share is neither 0 nor a normal number up to 1, or the shares do not sum to
    /// 1 within 10⁻³.
    pub fn new(by: Basis, shares: Vec<[f64; 2]>) -> Result<Self, SizesError> {
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
    fn curve(&self, dimension: Dimension) -> Result<BlendCurve, SizesError> {
        if self.shares.is_empty() {
            return Err(SizesError::new(
                "shares is empty and needs at least one pair of diameter and share",
            ));
        }
        let mut before = 0.0;
        for (i, &[diameter, share]) in self.shares.iter().enumerate() {
            let problem = |text| Err(SizesError(text).at(format_args!("shares, class {}", i + 1)));
            if let Err(error) = check_diameter("diameter", diameter) {
                return problem(error.0);
            }
            if diameter <= before {
                return problem(format!(
                    "diameter {diameter:?} must lie above {before:?}, the diameter before it"
                ));
            }
            if share != 0.0 && !(f64::MIN_POSITIVE..=1.0).contains(&share) {
                return problem(format!(
                    "{share:?} is not a share: 0 or a normal number of at most 1"
                ));
            }
            before = diameter;
        }
        let sum = self.sum();
        if (sum - 1.0).abs() > SHARE_SUM_TOLERANCE {
            return Err(SizesError(format!(
                "shares sum to {sum:?}; the sum must be 1 (within 0.001)"
            )));
        }
        let classes: Vec<(f64, f64)> = (self.shares.iter())
            .map(|&[d, share]| (d, share))
            .filter(|(_, share)| *share > 0.0)
            .collect();
        Ok(ClassCurve::new(dimension, self.by, &classes).into())
    }
}
