//! A grading curve measured with sieves.

use serde::{Deserialize, Serialize};

use super::{
    curve::Curve,
    power_segments::{Piece, PowerSegments},
    range::{SizeRangeError, check_diameter},
};

/// How a sieve curve runs between two sieves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Interpolation {
    /// The passing rises in proportion to the diameter.
    Linear,
    /// The passing rises in proportion to the logarithm of the diameter: a straight line as grading curves are drawn.
    #[default]
    Log,
}

/// A sieve curve: cumulative percent of the mass that passes each sieve.
///
/// The first sieve must pass 0 %, because a mass share becomes a number by weighting with 1/d³ and every curve
/// therefore needs a lower end; the last must pass 100 %.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Parameters", into = "Parameters")]
pub struct SieveCurve {
    parameters: Parameters,
    curve: Curve,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(
    deny_unknown_fields,
    expecting = "an object with the parameters of the law"
)]
struct Parameters {
    #[serde(default)]
    interpolation: Interpolation,
    passing: Vec<[f64; 2]>,
}

/// Sieves that make no grading curve. Positions count from 1.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SieveCurveError {
    /// Fewer than two sieves.
    #[error(
        "passing has {0} sieves and needs at least 2, the first passing 0 % and the last 100 %"
    )]
    TooFew(usize),
    /// A sieve size is not a diameter.
    #[error("passing, sieve {position}: {error}")]
    Size {
        /// Which sieve.
        position: usize,
        /// What is wrong with it.
        error: SizeRangeError,
    },
    /// The sieve sizes do not rise.
    #[error(
        "passing, sieve {position}: size {size:?} must lie above {before:?}, the size before it"
    )]
    SizesNotRising {
        /// Which sieve.
        position: usize,
        /// Its size.
        size: f64,
        /// The size before.
        before: f64,
    },
    /// A passing is not a percentage.
    #[error("passing, sieve {position}: {passing:?} is not a percentage from 0 to 100")]
    NotAPercentage {
        /// Which sieve.
        position: usize,
        /// Its passing.
        passing: f64,
    },
    /// The passing falls.
    #[error(
        "passing, sieve {position}: {passing:?} % must not be less than {before:?} %, the passing before it"
    )]
    PassingFalls {
        /// Which sieve.
        position: usize,
        /// Its passing.
        passing: f64,
        /// The passing before.
        before: f64,
    },
    /// No lower end.
    #[error(
        "passing, sieve 1: {0:?} % passes, but the first sieve must pass 0 %: add the size below which there is nothing"
    )]
    NoLowerEnd(f64),
    /// No upper end.
    #[error("passing, last sieve: {0:?} % passes, but the last sieve must pass 100 %")]
    NoUpperEnd(f64),
}

impl SieveCurve {
    /// Pairs of sieve size and percent of the mass passing it, by rising size.
    ///
    /// # Errors
    /// When there are fewer than two, sizes do not rise, percentages fall or leave 0 to 100, the first is not 0 or
    /// the last not 100.
    pub fn new(
        passing: Vec<[f64; 2]>,
        interpolation: Interpolation,
    ) -> Result<Self, SieveCurveError> {
        Parameters {
            interpolation,
            passing,
        }
        .try_into()
    }

    /// The sieves as given.
    pub fn passing(&self) -> &[[f64; 2]] {
        &self.parameters.passing
    }

    pub(super) fn curve(&self) -> &Curve {
        &self.curve
    }
}

impl Parameters {
    fn check(&self) -> Result<(), SieveCurveError> {
        let sieves = &self.passing;
        let (Some(first), Some(last), true) = (sieves.first(), sieves.last(), sieves.len() > 1)
        else {
            return Err(SieveCurveError::TooFew(sieves.len()));
        };
        for (i, &[size, passing]) in sieves.iter().enumerate() {
            let position = i + 1;
            check_diameter("size", size)
                .map_err(|error| SieveCurveError::Size { position, error })?;
            if !(0.0..=100.0).contains(&passing) {
                return Err(SieveCurveError::NotAPercentage { position, passing });
            }
            let Some([size_before, passing_before]) = i.checked_sub(1).map(|i| sieves[i]) else {
                continue;
            };
            if size <= size_before {
                return Err(SieveCurveError::SizesNotRising {
                    position,
                    size,
                    before: size_before,
                });
            }
            if passing < passing_before {
                return Err(SieveCurveError::PassingFalls {
                    position,
                    passing,
                    before: passing_before,
                });
            }
        }
        if first[1] != 0.0 {
            return Err(SieveCurveError::NoLowerEnd(first[1]));
        }
        if last[1] != 100.0 {
            return Err(SieveCurveError::NoUpperEnd(last[1]));
        }
        Ok(())
    }
}

impl TryFrom<Parameters> for SieveCurve {
    type Error = SieveCurveError;

    fn try_from(parameters: Parameters) -> Result<Self, Self::Error> {
        parameters.check()?;
        // Mass is ∝ d per d when linear, ∝ 1 per ln d when logarithmic; a number is a mass over d³.
        let slope = match parameters.interpolation {
            Interpolation::Linear => -2.0,
            Interpolation::Log => -3.0,
        };
        let pieces = || {
            (parameters.passing.windows(2))
                .map(|pair| (pair[0][0], pair[1][0], (pair[1][1] - pair[0][1]) / 100.0))
                .filter(|(_, _, mass)| *mass > 0.0)
        };
        let d_max = pieces().next_back().map_or(0.0, |(_, high, _)| high);
        let segments = PowerSegments::new(
            pieces().map(|(low, high, mass)| Piece::by_mass(low, high, slope, mass)),
            d_max,
        );
        Ok(Self {
            parameters,
            curve: Curve::Segments(segments),
        })
    }
}

impl From<SieveCurve> for Parameters {
    fn from(law: SieveCurve) -> Self {
        law.parameters
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::distribution::Basis;

    #[test]
    fn the_curve_runs_through_its_sieves_and_straight_between_them() {
        let sieves = vec![
            [0.5, 0.0],
            [1.0, 10.0],
            [2.0, 10.0],
            [8.0, 100.0],
            [9.0, 100.0],
        ];
        let middle = |interpolation| {
            let law = SieveCurve::new(sieves.clone(), interpolation).unwrap();
            for [size, passing] in &sieves {
                let share = law.curve.cdf(Basis::Mass, *size);
                assert!((share - passing / 100.0).abs() < 1e-14, "{size}: {share}");
            }
            assert_eq!(law.curve.range(), (0.5, 8.0));
            [1.5, 4.0].map(|d| law.curve.cdf(Basis::Mass, d))
        };
        for (got, expected) in [
            (middle(Interpolation::Linear), [0.1, 0.1 + 0.9 * 2.0 / 6.0]),
            (middle(Interpolation::Log), [0.1, 0.1 + 0.9 / 2.0]),
        ] {
            assert!(
                got.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-14),
                "{got:?}"
            );
        }
    }
}
