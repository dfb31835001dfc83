//! A grading curve measured with sieves.

use super::{
    blend_curve::BlendCurve,
    constants::{PASSING_ROUNDING, SHARE_SUM_TOLERANCE, UNNOTED_SHARE_SUM},
    law::{Law, LawParameters, law},
    power_segments::{PowerSegments, RawSegment},
    range::check_diameter,
    sizes_error::SizesError,
};
use crate::{dimension::Dimension, macros::choice};

choice! {
    "interpolation", "kebab-case";
    /// The shape of a sieve curve between two sieves.
    #[derive(Default)]
    #[non_exhaustive]
    pub enum Interpolation {
        /// The passing is linear in the diameter.
        Linear,
        /// The passing is linear in the logarithm of the diameter: a straight line in the usual diagram of grading curves.
        #[default]
        Log,
    }
}

law! {
    /// A sieve curve: cumulative percent of the mass that passes each sieve.
    ///
    /// The smallest sieve must pass 0 % and the largest 100 %. Rounding errors of a cumulative sum are accepted, and a largest sieve
    /// that passes 99.9 to 100.1 %: the passing is divided by its value. A mass share is weighted with 1/d³ to become a number, so every curve
    /// needs a smallest diameter.
    pub struct SieveCurve(Parameters) {
        #[serde(default)]
        interpolation: Interpolation,
        passing: Vec<[f64; 2]>,
    }
}

impl SieveCurve {
    /// Creates a curve from pairs of sieve size and percent of the mass passing the sieve, by ascending or descending size.
    ///
    /// # Errors
    /// There are fewer than two pairs, the sizes neither rise nor fall throughout, the percentages fall with rising size, a
    /// percentage is outside 0 to 100 or subnormal, the smallest sieve does not pass 0 %, or the largest does not pass 100 %.
    pub fn new(passing: Vec<[f64; 2]>, interpolation: Interpolation) -> Result<Self, SizesError> {
        Law::new(Parameters {
            interpolation,
            passing,
        })
        .map(Self)
    }

    /// Returns the pairs of sieve size and percent passing, sorted by size.
    pub fn passing(&self) -> &[[f64; 2]] {
        &self.0.parameters.passing
    }

    /// Returns a sentence about percentages that were divided by a sum other than 100 %.
    pub(super) fn note(&self) -> Option<String> {
        let [_, last] = *self.0.parameters.passing.last()?;
        ((last - 100.0).abs() > 100.0 * UNNOTED_SHARE_SUM).then(|| {
            format!("the largest sieve passes {last:?} %, and the passing of all sieves is divided by it")
        })
    }
}

impl Parameters {
    fn check(&self) -> Result<(), SizesError> {
        let sieves = &self.passing;
        let (Some(first), Some(last), true) = (sieves.first(), sieves.last(), sieves.len() > 1)
        else {
            return Err(SizesError(format!(
                "passing has {} sieves and needs at least 2, the first passing 0 % and the last 100 %",
                sieves.len()
            )));
        };
        let accepted = -PASSING_ROUNDING..=100.0 * (1.0 + SHARE_SUM_TOLERANCE);
        for (i, &[size, passing]) in sieves.iter().enumerate() {
            let problem = |text| Err(SizesError(text).at(format_args!("passing, sieve {}", i + 1)));
            if let Err(error) = check_diameter("size", size) {
                return problem(error.0);
            }
            if !accepted.contains(&passing) || passing.is_subnormal() {
                return problem(format!(
                    "{passing:?} is not a percentage: 0 or a normal number up to 100"
                ));
            }
            let Some([size_before, passing_before]) = i.checked_sub(1).map(|i| sieves[i]) else {
                continue;
            };
            if size <= size_before {
                return problem(format!(
                    "size {size:?} must lie above {size_before:?}, the size before it"
                ));
            }
            if passing < passing_before - PASSING_ROUNDING {
                return problem(format!(
                    "{passing:?} % must not be less than {passing_before:?} %, the passing before it"
                ));
            }
        }
        if first[1].abs() > PASSING_ROUNDING {
            return Err(SizesError(format!(
                "passing, sieve 1: {:?} % passes, but the first sieve must pass 0 %; a sieve of the smallest diameter is missing",
                first[1]
            )));
        }
        if last[1] < 100.0 * (1.0 - SHARE_SUM_TOLERANCE) {
            return Err(SizesError(format!(
                "passing, last sieve: {:?} % passes, but the last sieve must pass 100 %",
                last[1]
            )));
        }
        Ok(())
    }
}

impl LawParameters for Parameters {
    /// Reverses sieves that are listed from the largest to the smallest.
    fn sorted(mut self) -> Self {
        if self
            .passing
            .is_sorted_by(|before, after| before[0] > after[0])
        {
            self.passing.reverse();
        }
        self
    }

    fn curve(&self, dimension: Dimension) -> Result<BlendCurve, SizesError> {
        self.check()?;
        // Exponent of the number density per ln d. The mass density per ln d is ∝ d if linear, and constant if
        // logarithmic. The number density is the mass density over d³, or over d² of disks.
        let slope = match self.interpolation {
            Interpolation::Linear => 1.0 - dimension.exponent(),
            Interpolation::Log => -dimension.exponent(),
        };
        let all = self.passing.last().map_or(100.0, |last| last[1]);
        let steps = || {
            (self.passing.windows(2))
                .map(|pair| (pair[0][0], pair[1][0], (pair[1][1] - pair[0][1]) / all))
                .filter(|(_, _, mass)| *mass > PASSING_ROUNDING / all)
        };
        let d_max = steps().next_back().map_or(0.0, |(_, high, _)| high);
        Ok(PowerSegments::new(
            dimension,
            steps()
                .map(|(low, high, mass)| RawSegment::by_mass(dimension, [low, high], slope, mass)),
            d_max,
        )
        .into())
    }
}

#[cfg(test)]
mod tests {
    use super::super::basis::Basis;
    use super::*;

    #[test]
    fn the_curve_meets_its_sieves_and_is_straight_between_them() {
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
                let share = law.0.curve.cdf(Basis::Mass, *size);
                assert!((share - passing / 100.0).abs() < 1e-14, "{size}: {share}");
            }
            assert_eq!(law.0.curve.range(), (0.5, 8.0));
            [1.5, 4.0].map(|d| law.0.curve.cdf(Basis::Mass, d))
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
