//! The experiments of Schiava D'Albano et al., and one with many sizes.

use super::{
    constants::{LARGEST_SIZE_RATIO, LATTICE_SPACINGS, RANDOM_SPACING, SIZE_RATIOS},
    steps::Steps,
};
use crate::macros::choice;
use serde::{Deserialize, Serialize};

choice! {
    "experiment", "UPPERCASE";
    /// Experiment on broad phase algorithms.
    ///
    /// The spheres of I to IV and the smallest spheres of V have the diameter 1. Names are Roman numbers.
    #[strum(ascii_case_insensitive)]
    #[non_exhaustive]
    pub enum Experiment {
        /// Dense block: a cubic lattice at a spacing of one diameter, in lattice order (the paper's uniform raster).
        I,
        /// The cubic lattice at a spacing of `s` diameters: density `1 / s³`.
        Ii,
        /// Random positions in a cube with `s³` cells per sphere, in random order.
        Iii,
        /// All spheres in one cell.
        Iv,
        /// Power law of sizes with equal volume in equal intervals of the radius (`α = −3`), at random positions with
        /// packing fraction 0.4.
        V,
    }
}

impl Experiment {
    /// Returns the cases of this experiment for the numbers of spheres in `counts`.
    ///
    /// Experiment II has eight densities from 1 to 1/8 000 000, V the size ratios 10 and 50; the other experiments
    /// have one case for each number of spheres.
    pub fn cases(self, counts: &[usize], seed: u64) -> Vec<Case> {
        let (spacings, ratios): (&[f64], &[f64]) = match self {
            Self::I | Self::Iv => (&[1.0], &[1.0]),
            Self::Ii => (&LATTICE_SPACINGS, &[1.0]),
            Self::Iii => (&[RANDOM_SPACING], &[1.0]),
            Self::V => (&[1.0], &SIZE_RATIOS),
        };
        let mut cases = Vec::new();
        for &size_ratio in ratios {
            for &spacing in spacings {
                cases.extend(counts.iter().map(|&spheres| Case {
                    experiment: self,
                    spheres,
                    spacing,
                    size_ratio,
                    seed,
                    steps: Steps::default(),
                }));
            }
        }
        cases
    }
}

/// Parameters of one measurement: an experiment and its spheres.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// Experiment.
    pub experiment: Experiment,
    /// Number of spheres.
    pub spheres: usize,
    /// Spacing `s` in diameters in experiments II and III; the others do not use it.
    pub spacing: f64,
    /// Ratio of the largest to the smallest radius in experiment V; the others do not use it.
    pub size_ratio: f64,
    /// Seed of positions, sizes and displacements.
    pub seed: u64,
    /// Displacements between two detections.
    #[serde(default)]
    pub steps: Steps,
}

impl Case {
    /// Checks that spheres can be made from the parameters.
    ///
    /// # Errors
    /// When the number of spheres is 0, the spacing is not positive and finite, or the size ratio is not a number from
    /// 1 to 10⁶⁰.
    pub fn check(&self) -> Result<(), CaseError> {
        if self.spheres == 0 {
            return Err(CaseError::NoSpheres);
        }
        if !(self.spacing > 0.0 && self.spacing.is_finite()) {
            return Err(CaseError::Spacing(self.spacing));
        }
        if !(1.0..=LARGEST_SIZE_RATIO).contains(&self.size_ratio) {
            return Err(CaseError::SizeRatio(self.size_ratio));
        }
        Ok(())
    }
}

/// Error of a case from which no spheres can be made.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum CaseError {
    /// The number of spheres is 0.
    #[error("the number of spheres is 0; it must be at least 1")]
    NoSpheres,
    /// The spacing is not positive and finite.
    #[error("spacing = {0}; expected a finite number of diameters above 0")]
    Spacing(f64),
    /// The size ratio is below 1, too large, or not a number.
    #[error("size_ratio = {0}; expected a ratio from 1 to 1e60")]
    SizeRatio(f64),
}

#[cfg(test)]
mod tests {
    use strum::VariantArray;

    use super::*;

    #[test]
    fn names_are_roman_numbers_and_match_the_json_form() {
        let names: Vec<String> = <Experiment as VariantArray>::VARIANTS
            .iter()
            .map(Experiment::to_string)
            .collect();
        assert_eq!(names, ["I", "II", "III", "IV", "V"]);
        for &experiment in <Experiment as VariantArray>::VARIANTS {
            let name = experiment.to_string();
            assert_eq!(name.parse(), Ok(experiment));
            assert_eq!(serde_json::to_value(experiment).unwrap(), name);
        }
        assert_eq!("iii".parse(), Ok(Experiment::Iii));
        assert_eq!(
            "VI".parse::<Experiment>().unwrap_err().to_string(),
            "unknown experiment 'VI'; expected one of I, II, III, IV, V"
        );
    }
}
