//! The choice of the shares of a blend: a fit to a target curve, or the largest predicted packing fraction.

use serde::Serialize;

use super::{
    blend::{BlendError, normalized},
    constants::{COMPARED_SIZES, MOST_SEARCHED_COMPONENTS},
    packing_model::{PackingModel, PackingPredictions},
    shares::{largest, least_squares, share_grid},
    size_distribution::{Blend, BlendBasis, Component, SizeDistribution},
    volume_classes::VolumeClasses,
};

/// A request that no shares of a blend can meet.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum BlendSharesError {
    /// There are too few or too many components.
    #[error("the number of components is {count}; 2 to {most} are expected")]
    Components {
        /// The number of components.
        count: usize,
        /// The largest accepted number.
        most: usize,
    },
    /// There is no sieve size.
    #[error("no sieve size is given; one or more positive, finite numbers are expected")]
    NoSizes,
    /// A size is not a positive, finite number.
    #[error("{0:?} is not a sieve size; positive, finite numbers are expected")]
    Size(f64),
    /// All components pass the same percentages, so that the curves do not determine the shares.
    #[error(
        "the curves of the components agree at all sieve sizes; sizes between {0} and {1}, at which they differ, are expected"
    )]
    Undetermined(f64, f64),
    /// The steps of a map are out of range.
    #[error("{0} steps; 1 to {MOST_STEPS} are expected")]
    Steps(usize),
    /// The components with their new shares make no blend.
    #[error(transparent)]
    Blend(#[from] BlendError),
}

/// Largest number of steps of a map of three components: 5151 compositions.
const MOST_STEPS: usize = 100;

/// Largest number of classes that are sizes of a comparison: a table of more rows is hard to read.
const MOST_COMPARED: usize = 100;

/// The mass curve of a blend beside a target.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct CurveComparison {
    /// Rows `[size, share of the target, share of the blend]`. A share is the mass that passes the size, from 0 to 1.
    pub curve: Vec<[f64; 3]>,
    /// Largest difference of the two shares at any of the sizes.
    pub largest_difference: f64,
}

/// A composition on the map of a blend, with the packing fractions to expect.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct BlendPoint {
    /// The share of each component, in the order and by the quantity of the blend.
    pub shares: Vec<f64>,
    /// Predicted packing fractions.
    pub predicted: PackingPredictions,
}

impl Blend {
    /// Returns a blend of the same components with other shares, of the same quantity. A component without a new share has none.
    ///
    /// # Errors
    /// Those of [`Blend::new`].
    pub fn with_shares(&self, shares: &[f64]) -> Result<Self, BlendError> {
        let with_share = |(component, share): (&Component, f64)| Component {
            share,
            ..component.clone()
        };
        let shares = shares.iter().copied().chain(std::iter::repeat(0.0));
        let components = self.components().iter().zip(shares).map(with_share);
        Self::new(self.basis(), components.collect())
    }

    /// Returns the blend of the same components whose mass curve fits a target best: the sum of the squared differences at the sieve
    /// sizes is least. A component that does not help has the share 0.
    ///
    /// Sizes and target are in the unit of the blend. The curves and the shares are of one quantity: mass if the blend has shares by
    /// mass, whatever the densities are.
    ///
    /// # Errors
    /// [`BlendSharesError`] if there is only one component, if a size is not positive, or if the curves agree at all sizes.
    ///
    /// # Example
    /// ```
    /// use jostle::distribution::{Blend, BlendBasis, Component, Fuller, compared_sizes};
    ///
    /// let part = |label: &str, d_min, d_max| {
    ///     Ok::<_, jostle::distribution::FullerError>(Component::new(label, 0.5, Fuller::new(d_min, d_max, 0.5)?))
    /// };
    /// let blend = Blend::new(BlendBasis::Mass, vec![part("sand", 1.0, 4.0)?, part("gravel", 4.0, 16.0)?])?;
    /// let target = Fuller::new(1.0, 16.0, 0.5)?.into();
    /// let fitted = blend.fitted_to(&target, &compared_sizes(&target))?;
    /// // A Fuller curve has P(4) = (√4 − √1) / (√16 − √1) of its mass up to 4.
    /// assert!((fitted.mass_shares()[0] - 1.0 / 3.0).abs() < 1e-6);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn fitted_to(
        &self,
        target: &SizeDistribution,
        sizes: &[f64],
    ) -> Result<Self, BlendSharesError> {
        self.check_number(usize::MAX)?;
        let columns = self.passing(sizes)?;
        if columns.iter().all(|column| *column == columns[0]) {
            let range = |component: &Component| {
                let ends = [component.sizes.d_min(), component.sizes.d_max()];
                ends.map(|d| d * component.scale)
            };
            let ends: Vec<f64> = self.components().iter().flat_map(range).collect();
            return Err(BlendSharesError::Undetermined(
                ends.iter().copied().fold(f64::INFINITY, f64::min),
                ends.iter().copied().fold(0.0, f64::max),
            ));
        }
        let wanted: Vec<f64> = sizes.iter().map(|&size| target.mass_cdf(size)).collect();
        Ok(self.with_shares(&least_squares(&columns, &wanted))?)
    }

    /// Compares the mass curve with a target, at sieve sizes in the unit of the blend.
    ///
    /// # Errors
    /// [`BlendSharesError`] if there are no sizes, or if a size is not positive.
    pub fn compared_with(
        &self,
        target: &SizeDistribution,
        sizes: &[f64],
    ) -> Result<CurveComparison, BlendSharesError> {
        let columns = self.passing(sizes)?;
        let shares = self.shares();
        let row = |(k, &size): (usize, &f64)| {
            let passing = shares.iter().zip(&columns);
            let blend = passing.map(|(share, column)| share * column[k]).sum();
            [size, target.mass_cdf(size), blend]
        };
        let curve: Vec<[f64; 3]> = sizes.iter().enumerate().map(row).collect();
        let differences = curve.iter().map(|row| (row[1] - row[2]).abs());
        Ok(CurveComparison {
            largest_difference: differences.fold(0.0, f64::max),
            curve,
        })
    }

    /// Returns the blend of the same components with the largest packing fraction that a model predicts. Shares by volume are exact to
    /// about 5 · 10⁻⁴.
    ///
    /// The search begins at the best of up to 300 compositions. It may miss a maximum that lies between them.
    ///
    /// # Errors
    /// [`BlendSharesError`] if there are fewer than 2 or more than 8 components.
    ///
    /// # Cost
    /// About half a second.
    pub fn densest(&self, model: PackingModel) -> Result<Self, BlendSharesError> {
        self.check_number(MOST_SEARCHED_COMPONENTS)?;
        let value = model.of_shares(self.parts());
        let volumes = largest(self.components().len(), value);
        let weight = |(component, volume): (&Component, f64)| match self.basis() {
            BlendBasis::Mass => volume * component.density.unwrap_or(1.0),
            BlendBasis::Volume => volume,
        };
        let weights = self.components().iter().zip(volumes).map(weight);
        Ok(self.with_shares(&normalized(weights))?)
    }

    /// Returns the packing fractions to expect of this blend in an infinite container.
    pub fn predicted(&self) -> PackingPredictions {
        PackingPredictions::of(&VolumeClasses::of(&self.clone().into()))
    }

    /// Predicts the packing fraction of each composition of two or three components whose shares are multiples of 1/`steps`.
    ///
    /// # Errors
    /// [`BlendSharesError`] if there are not two or three components, or if `steps` is not from 1 to 100.
    ///
    /// # Cost
    /// About 20 ms for each composition.
    pub fn map(&self, steps: usize) -> Result<Vec<BlendPoint>, BlendSharesError> {
        self.check_number(3)?;
        if !(1..=MOST_STEPS).contains(&steps) {
            return Err(BlendSharesError::Steps(steps));
        }
        let point = |shares: Vec<f64>| {
            let predicted = self.with_shares(&shares)?.predicted();
            Ok(BlendPoint { shares, predicted })
        };
        let grid = share_grid(self.components().len(), steps);
        grid.into_iter().map(point).collect()
    }

    /// Returns the shares of the quantity of the blend, whose sum is 1.
    pub fn shares(&self) -> Vec<f64> {
        match self.basis() {
            BlendBasis::Mass => self.mass_shares(),
            BlendBasis::Volume => self.volume_shares(),
        }
    }

    fn check_number(&self, most: usize) -> Result<(), BlendSharesError> {
        let count = self.components().len();
        if (2..=most).contains(&count) {
            Ok(())
        } else {
            let most = most.min(super::constants::MOST_COMPONENTS);
            Err(BlendSharesError::Components { count, most })
        }
    }

    /// Returns the share of each component that passes each sieve size.
    fn passing(&self, sizes: &[f64]) -> Result<Vec<Vec<f64>>, BlendSharesError> {
        if sizes.is_empty() {
            return Err(BlendSharesError::NoSizes);
        }
        if let Some(&wrong) = sizes.iter().find(|&&d| !(d > 0.0 && d.is_finite())) {
            return Err(BlendSharesError::Size(wrong));
        }
        let column = |component: &Component| {
            let passing = |&size: &f64| component.sizes.mass_cdf(size / component.scale);
            sizes.iter().map(passing).collect()
        };
        Ok(self.components().iter().map(column).collect())
    }

    /// Returns the classes of each component, in the unit of the blend.
    fn parts(&self) -> Vec<VolumeClasses> {
        let part =
            |component: &Component| VolumeClasses::of(&component.sizes).scaled(component.scale);
        self.components().iter().map(part).collect()
    }
}

/// Returns the sizes at which a curve is compared with a target: its sieves or up to 100 classes, or 17 diameters in geometric progression.
pub fn compared_sizes(target: &SizeDistribution) -> Vec<f64> {
    let (low, high) = (target.d_min(), target.d_max());
    if let [only] = target.components() {
        let sizes = compared_sizes(&only.sizes).into_iter();
        return sizes.map(|size| size * only.scale).collect();
    }
    match (target, target.classes()) {
        (SizeDistribution::Sieve(curve), _) => curve.passing().iter().map(|row| row[0]).collect(),
        (_, Some(classes)) if classes.len() <= MOST_COMPARED => {
            classes.iter().map(|class| class.diameter).collect()
        }
        _ => (0..COMPARED_SIZES)
            .map(|k| k as f64 / (COMPARED_SIZES - 1) as f64)
            .map(|share| low * libm::exp(share * libm::log(high / low)))
            .collect(),
    }
}
