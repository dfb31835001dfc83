//! A size distribution of separate diameters: the representation of every law in classes.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::basis::Basis;
use crate::dimension::Dimension;

/// One diameter of a distribution in classes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct SizeClass {
    /// The diameter, in the user's unit.
    pub diameter: f64,
    /// The share of all spheres that have this diameter.
    pub number_share: f64,
    /// The share of the mass that is in spheres of this diameter.
    pub mass_share: f64,
}

/// The classes sorted by diameter, with the running totals of their shares.
#[derive(Clone, PartialEq)]
pub(super) struct ClassCurve {
    dimension: Dimension,
    classes: Vec<SizeClass>,
    number_up_to: Vec<f64>,
    mass_up_to: Vec<f64>,
}

impl fmt::Debug for ClassCurve {
    /// Writes the number of classes only: the law beside the curve shows the parameters.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} classes", self.classes.len())
    }
}

impl ClassCurve {
    /// Creates the curve from pairs of diameter and weight, sorted by diameter.
    ///
    /// The weights are not negative, and at least one is positive. Their sum is arbitrary.
    pub fn new(dimension: Dimension, basis: Basis, classes: &[(f64, f64)]) -> Self {
        let power = match basis {
            Basis::Number => dimension.exponent(),
            Basis::Mass => -dimension.exponent(),
        };
        // Logarithms keep cubed ratios of diameters from overflowing.
        let other: Vec<f64> = classes
            .iter()
            .map(|(diameter, weight)| libm::log(*weight) + power * libm::log(*diameter))
            .collect();
        let largest = other.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let given = normalized(classes.iter().map(|class| class.1));
        let other = normalized(other.iter().map(|log| libm::exp(log - largest)));
        let (number, mass) = match basis {
            Basis::Number => (given, other),
            Basis::Mass => (other, given),
        };
        Self {
            dimension,
            classes: (classes.iter().zip(&number).zip(&mass))
                .map(|((class, number), mass)| SizeClass {
                    diameter: class.0,
                    number_share: *number,
                    mass_share: *mass,
                })
                .collect(),
            number_up_to: running_totals(&number),
            mass_up_to: running_totals(&mass),
        }
    }

    /// Returns the same curve for diameters that are larger by a factor.
    pub fn scaled(&self, factor: f64) -> Self {
        let mut scaled = self.clone();
        for class in &mut scaled.classes {
            class.diameter *= factor;
        }
        scaled
    }

    /// Returns the classes from `low` to `high`; `None` if no sphere lies there.
    pub fn cut(&self, low: f64, high: f64) -> Option<Self> {
        let kept = || {
            let classes = self.classes.iter();
            classes.filter(|class| (low..=high).contains(&class.diameter))
        };
        let number: f64 = kept().map(|class| class.number_share).sum();
        let mass: f64 = kept().map(|class| class.mass_share).sum();
        // The larger sum has more digits.
        let (basis, sum) = if number >= mass {
            (Basis::Number, number)
        } else {
            (Basis::Mass, mass)
        };
        let weighted = |class: &SizeClass| match basis {
            Basis::Number => (class.diameter, class.number_share),
            Basis::Mass => (class.diameter, class.mass_share),
        };
        let classes: Vec<(f64, f64)> = kept().map(weighted).collect();
        (sum > 0.0).then(|| Self::new(self.dimension, basis, &classes))
    }

    /// Returns the dimension of the spheres.
    pub fn dimension(&self) -> Dimension {
        self.dimension
    }

    pub fn classes(&self) -> &[SizeClass] {
        &self.classes
    }

    /// Returns the share of the number or the mass at or below a diameter.
    pub fn cdf(&self, basis: Basis, diameter: f64) -> f64 {
        let after = self
            .classes
            .partition_point(|class| class.diameter <= diameter);
        after
            .checked_sub(1)
            .map_or(0.0, |last| self.up_to(basis)[last])
    }

    /// Returns the smallest diameter at or below which at least the given share of the number or the mass lies.
    pub fn quantile(&self, basis: Basis, share: f64) -> f64 {
        let index = self.up_to(basis).partition_point(|total| *total < share);
        self.classes[index.min(self.classes.len() - 1)].diameter
    }

    /// Returns the mean of d^`power` by number.
    pub fn raw_moment(&self, power: f64) -> f64 {
        self.classes
            .iter()
            .map(|class| class.number_share * libm::pow(class.diameter, power))
            .sum()
    }

    fn up_to(&self, basis: Basis) -> &[f64] {
        match basis {
            Basis::Number => &self.number_up_to,
            Basis::Mass => &self.mass_up_to,
        }
    }
}

pub(super) fn normalized(weights: impl Iterator<Item = f64>) -> Vec<f64> {
    let weights: Vec<f64> = weights.collect();
    let total: f64 = weights.iter().sum();
    weights.into_iter().map(|weight| weight / total).collect()
}

fn running_totals(shares: &[f64]) -> Vec<f64> {
    let mut totals: Vec<f64> = shares
        .iter()
        .scan(0.0, |total, share| {
            *total += share;
            Some(total.min(1.0))
        })
        .collect();
    // With rounding errors, the last total could stay below 1, and shares above it would have no class.
    if let Some(last) = totals.last_mut() {
        *last = 1.0;
    }
    totals
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mass_and_number_are_weighted_by_the_cube() {
        // One sphere of diameter 4 has the mass of 64 spheres of diameter 1.
        let curve = ClassCurve::new(Dimension::Three, Basis::Mass, &[(1.0, 0.25), (4.0, 0.75)]);
        let large = 0.75 / 64.0 / (0.25 + 0.75 / 64.0);
        assert!((curve.classes()[1].number_share - large).abs() < 1e-15);
        let back = ClassCurve::new(
            Dimension::Three,
            Basis::Number,
            &[(1.0, 1.0 - large), (4.0, large)],
        );
        assert!((back.classes()[1].mass_share - 0.75).abs() < 1e-15);
    }

    #[test]
    fn the_curve_steps_at_the_classes() {
        let curve = ClassCurve::new(
            Dimension::Three,
            Basis::Number,
            &[(1.0, 2.0), (2.0, 1.0), (3.0, 1.0)],
        );
        assert_eq!(
            [0.9, 1.0, 1.9, 2.0, 3.0, 9.0].map(|d| curve.cdf(Basis::Number, d)),
            [0.0, 0.5, 0.5, 0.75, 1.0, 1.0]
        );
        assert_eq!(
            [0.0, 0.5, 0.51, 0.75, 0.76, 1.0].map(|u| curve.quantile(Basis::Number, u)),
            [1.0, 1.0, 2.0, 2.0, 3.0, 3.0]
        );
    }
}
