//! The normal law.

use super::{
    basis::Basis,
    blend_curve::BlendCurve,
    constants::{
        LEAST_SHARE_WITHIN_BOUNDS, LOGNORMAL_CORE, NORMAL_BOUND, NORMAL_WIDTHS, SMALLEST_DIAMETER,
        SMALLEST_NORMAL_CORE,
    },
    law::{Law, LawParameters, law},
    lognormal::normal_share,
    power_segments::PowerSegments,
    range::{check_diameter, check_range},
    sizes_error::SizesError,
};
use crate::dimension::Dimension;

law! {
    /// The normal law: d is normally distributed, by number or by mass, and cut at two diameters.
    ///
    /// Without bounds, the law is cut at three standard deviations below and above the mean. The parameters describe the law before it is
    /// cut.
    pub struct Normal(Parameters) {
        mean: f64,
        sd: f64,
        #[serde(default)]
        by: Basis,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        d_min: Option<f64>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        d_max: Option<f64>,
    }
}

impl Normal {
    /// Creates a law from the mean and the standard deviation of the diameter, by number or by mass.
    ///
    /// # Errors
    /// The mean is not a diameter, the standard deviation is not from 10⁻⁶ to 10 times the mean, or it is larger than a third of the
    /// mean: such a law needs [bounds](Self::within).
    pub fn new(mean: f64, sd: f64, by: Basis) -> Result<Self, SizesError> {
        Law::new(Parameters {
            mean,
            sd,
            by,
            d_min: None,
            d_max: None,
        })
        .map(Self)
    }

    /// Creates a law like [`Self::new`] between the smallest and the largest diameter.
    ///
    /// # Errors
    /// The errors of [`Self::new`]; `d_min` is not below `d_max`, or less than a billionth of the law lies between them.
    pub fn within(
        mean: f64,
        sd: f64,
        by: Basis,
        d_min: f64,
        d_max: f64,
    ) -> Result<Self, SizesError> {
        Law::new(Parameters {
            mean,
            sd,
            by,
            d_min: Some(d_min),
            d_max: Some(d_max),
        })
        .map(Self)
    }
}

impl LawParameters for Parameters {
    fn curve(&self, dimension: Dimension) -> Result<BlendCurve, SizesError> {
        let Self { mean, sd, by, .. } = *self;
        check_diameter("mean", mean)?;
        if !NORMAL_WIDTHS.contains(&(sd / mean)) {
            return Err(SizesError(format!(
                "sd = {sd:?} is not a standard deviation from 1e-6 to 10 times the mean {mean:?}"
            )));
        }
        let lowest = mean - NORMAL_BOUND * sd;
        if self.d_min.is_none() && lowest < SMALLEST_DIAMETER {
            return Err(SizesError(format!(
                "three standard deviations sd = {sd:?} below the mean = {mean:?} there is no positive diameter; add the smallest diameter d_min"
            )));
        }
        let d_min = self.d_min.unwrap_or(lowest);
        let d_max = self.d_max.unwrap_or(mean + NORMAL_BOUND * sd);
        check_range(("d_min", d_min), ("d_max", d_max))?;
        let z = |d: f64| (d - mean) / sd;
        if normal_share(z(d_min), z(d_max)) < LEAST_SHARE_WITHIN_BOUNDS {
            return Err(SizesError(format!(
                "less than a billionth of the law with mean = {mean:?} lies between d_min = {d_min:?} and d_max = {d_max:?}; wider bounds are needed"
            )));
        }
        let core = (
            (mean - LOGNORMAL_CORE * sd).max(SMALLEST_NORMAL_CORE * mean),
            mean + LOGNORMAL_CORE * sd,
        );
        // Exponent of d beside the exponential function. The density per ln d is d times the density per d, and the number density is
        // the mass density over d³, or over d² of disks.
        let power = match by {
            Basis::Number => 1.0,
            Basis::Mass => 1.0 - dimension.exponent(),
        };
        let log_mean = libm::log(mean);
        Ok(PowerSegments::fit(
            dimension,
            (d_min, d_max),
            core,
            |log_d| {
                let z = z(libm::exp(log_d));
                power * (log_d - log_mean) - 0.5 * z * z
            },
            |log_d| {
                let d = libm::exp(log_d);
                power - z(d) * (d / sd)
            },
        )
        .into())
    }
}
