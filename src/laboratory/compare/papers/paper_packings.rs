//! Sizes and packings of Raschdorf & Kolonko 2011, Table 1 and Fig. 9.

use serde::{Deserialize, Serialize};
use strum::{Display, VariantArray};

use super::index_comparison_options::{IndexComparison, IndexComparisonError};
use crate::{
    distribution::{SizeDistribution, SizeSpec},
    packing::Packing,
    rearrange::pack,
};

/// Size distribution of Raschdorf & Kolonko 2011. Its name is a text that [`SizeSpec::load`] reads.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, Display, VariantArray,
)]
#[non_exhaustive]
pub enum PaperSizes {
    /// Equal spheres of diameter 1.
    #[serde(rename = "mono:d=1")]
    #[strum(serialize = "mono:d=1")]
    Equal,
    /// The Fuller curve (Eq. 6) as a continuous law above d = 1.
    #[serde(rename = "fuller:d_min=1,d_max=684.75")]
    #[strum(serialize = "fuller:d_min=1,d_max=684.75")]
    Fuller,
    /// The Fuller curve (Eq. 6) in m = 70 classes. The paper does not give the diameters of its classes; these are in geometric
    /// progression.
    #[serde(rename = "fuller-2011")]
    #[strum(serialize = "fuller-2011")]
    FullerClasses,
}

/// Step of [`table_1()`](super::table_1()) or [`fig_9()`](super::fig_9()): one packing run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PaperStep {
    /// Sizes of the packing.
    pub sizes: PaperSizes,
    /// Number of the run, from 1.
    pub run: u64,
}

impl PaperSizes {
    /// All sizes, in the order of the tables.
    pub const ALL: &'static [Self] = Self::VARIANTS;

    fn distribution(self) -> SizeDistribution {
        let spec = SizeSpec::load(&self.to_string());
        spec.expect("the texts of the paper's laws are valid")
            .distribution
    }

    /// Returns the radii of a run: quantiles by number, or a sample if the comparison names a sampling.
    fn radii(self, comparison: &IndexComparison, seed: u64) -> Vec<f64> {
        let (law, count) = (self.distribution(), comparison.spheres);
        match comparison.sampling {
            Some(sampling) => law.sample_number(count, sampling, seed).radii(),
            None => (0..count)
                .map(|i| 0.5 * law.number_quantile((i as f64 + 0.5) / count as f64))
                .collect(),
        }
    }
}

/// Packs these sizes once for each run, and shows each packing to `visit`. `begin` is called before each run.
pub(super) fn pack_each(
    comparison: &IndexComparison,
    sizes: PaperSizes,
    begin: &mut dyn FnMut(PaperStep),
    visit: &mut dyn FnMut(&Packing),
) -> Result<(), IndexComparisonError> {
    for run in 1..=comparison.runs {
        begin(PaperStep { sizes, run });
        let seed = comparison.seed.wrapping_add(run - 1);
        let radii = sizes.radii(comparison, seed);
        visit(&pack(&radii, &comparison.pack_options(seed))?.packing);
    }
    Ok(())
}

/// Returns the smallest, the mean and the largest diameter of a packing.
pub(super) fn diameters(packing: &Packing) -> [f64; 3] {
    let radii = packing.spheres.radii();
    let smallest = radii.iter().copied().fold(f64::INFINITY, f64::min);
    let largest = radii.iter().copied().fold(0.0, f64::max);
    let mean = radii.iter().sum::<f64>() / radii.len() as f64;
    [smallest, mean, largest].map(|radius| 2.0 * radius)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::distribution::Sampling;

    #[test]
    fn the_largest_diameters_are_near_that_of_the_paper() {
        let largest = |sizes: PaperSizes, comparison: &IndexComparison| {
            let radii = sizes.radii(comparison, 1).into_iter();
            2.0 * radii.fold(0.0, f64::max)
        };
        let paper = IndexComparison::of_the_paper();
        assert_eq!(largest(PaperSizes::Equal, &paper), 1.0);
        let continuous = largest(PaperSizes::Fuller, &paper);
        assert!((continuous / 52.7 - 1.0).abs() < 0.01, "{continuous}");
        // Neighboring classes differ by 10 %.
        let classes = largest(PaperSizes::FullerClasses, &paper);
        assert!((classes / 52.7 - 1.0).abs() < 0.1, "{classes}");
        // The stratified sample keeps the mean volume, for which it needs a larger sphere.
        let stratified = paper.sampling(Sampling::Stratified);
        assert!(largest(PaperSizes::Fuller, &stratified) > 80.0);
    }

    #[test]
    fn names_match_the_json_form() {
        for &sizes in PaperSizes::ALL {
            assert_eq!(serde_json::to_value(sizes).unwrap(), sizes.to_string());
        }
    }
}
