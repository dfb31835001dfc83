//! The choice of the shares of a blend: a fit to a target curve, or the largest predicted packing fraction.
//!
//! Shares that sum to 1: all of a grid, those of least squares, and those with the largest value of a function.

use serde::Serialize;

use super::{
    class_curve::normalized,
    constants::{
        COMPARED_SIZES, LEAST_SLOPE, LEAST_SQUARES_STEPS, MOST_SEARCHED_COMPONENTS, SEARCH_STEPS,
        SEARCHED_COMPOSITIONS, SHARE_PRECISION,
    },
    packing_model::{PackingModel, PackingPredictions},
    size_distribution::{Blend, BlendBasis, Component, SizeDistribution},
    sizes_error::SizesError,
    volume_classes::VolumeClasses,
};

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
    /// The errors of [`Blend::new`].
    pub fn with_shares(&self, shares: &[f64]) -> Result<Self, SizesError> {
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
    /// [`SizesError`] if there is only one component, if a size is not positive, or if the curves agree at all sizes.
    ///
    /// # Example
    /// ```
    /// use jostle::distribution::{Blend, BlendBasis, Component, Fuller, compared_sizes};
    ///
    /// let part = |label: &str, d_min, d_max| {
    ///     Ok::<_, jostle::distribution::SizesError>(Component::new(label, 0.5, Fuller::new(d_min, d_max, 0.5)?))
    /// };
    /// let blend = Blend::new(BlendBasis::Mass, vec![part("sand", 1.0, 4.0)?, part("gravel", 4.0, 16.0)?])?;
    /// let target = Fuller::new(1.0, 16.0, 0.5)?.into();
    /// let fitted = blend.fitted_to(&target, &compared_sizes(&target))?;
    /// // A Fuller curve has P(4) = (√4 − √1) / (√16 − √1) of its mass up to 4.
    /// assert!((fitted.mass_shares()[0] - 1.0 / 3.0).abs() < 1e-6);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn fitted_to(&self, target: &SizeDistribution, sizes: &[f64]) -> Result<Self, SizesError> {
        self.check_number(usize::MAX)?;
        let columns = self.passing(sizes)?;
        if columns.iter().all(|column| *column == columns[0]) {
            let range = |component: &Component| {
                let ends = [component.sizes.d_min(), component.sizes.d_max()];
                ends.map(|d| d * component.scale)
            };
            let ends: Vec<f64> = self.components().iter().flat_map(range).collect();
            return Err(SizesError(format!(
                "the curves of the components agree at all sieve sizes; sizes between {} and {}, at which they differ, are expected",
                ends.iter().copied().fold(f64::INFINITY, f64::min),
                ends.iter().copied().fold(0.0, f64::max)
            )));
        }
        let wanted: Vec<f64> = sizes.iter().map(|&size| target.mass_cdf(size)).collect();
        self.with_shares(&least_squares(&columns, &wanted))
    }

    /// Compares the mass curve with a target, at sieve sizes in the unit of the blend.
    ///
    /// # Errors
    /// [`SizesError`] if there are no sizes, or if a size is not positive.
    pub fn compared_with(
        &self,
        target: &SizeDistribution,
        sizes: &[f64],
    ) -> Result<CurveComparison, SizesError> {
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
    /// [`SizesError`] if there are fewer than 2 or more than 8 components.
    ///
    /// # Cost
    /// About half a second.
    pub fn densest(&self, model: PackingModel) -> Result<Self, SizesError> {
        self.check_number(MOST_SEARCHED_COMPONENTS)?;
        let value = model.of_shares(self.parts());
        let volumes = largest(self.components().len(), value);
        let weight = |(component, volume): (&Component, f64)| match self.basis() {
            BlendBasis::Mass => volume * component.density.unwrap_or(1.0),
            BlendBasis::Volume => volume,
        };
        let weights = self.components().iter().zip(volumes).map(weight);
        self.with_shares(&normalized(weights))
    }

    /// Returns the packing fractions to expect of this blend in an infinite container.
    pub fn predicted(&self) -> PackingPredictions {
        PackingPredictions::of(&VolumeClasses::of(&self.clone().into()))
    }

    /// Predicts the packing fraction of each composition of two or three components whose shares are multiples of 1/`steps`.
    ///
    /// # Errors
    /// [`SizesError`] if there are not two or three components, or if `steps` is not from 1 to 100.
    ///
    /// # Cost
    /// About 20 ms for each composition.
    pub fn map(&self, steps: usize) -> Result<Vec<BlendPoint>, SizesError> {
        self.check_number(3)?;
        if !(1..=MOST_STEPS).contains(&steps) {
            return Err(SizesError(format!(
                "{steps} steps; 1 to {MOST_STEPS} are expected"
            )));
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

    fn check_number(&self, most: usize) -> Result<(), SizesError> {
        let count = self.components().len();
        if (2..=most).contains(&count) {
            Ok(())
        } else {
            let most = most.min(super::constants::MOST_COMPONENTS);
            Err(SizesError(format!(
                "the number of components is {count}; 2 to {most} are expected"
            )))
        }
    }

    /// Returns the share of each component that passes each sieve size.
    fn passing(&self, sizes: &[f64]) -> Result<Vec<Vec<f64>>, SizesError> {
        if sizes.is_empty() {
            return Err(SizesError::new(
                "no sieve size is given; one or more positive, finite numbers are expected",
            ));
        }
        if let Some(&wrong) = sizes.iter().find(|&&d| !(d > 0.0 && d.is_finite())) {
            return Err(SizesError(format!(
                "{wrong:?} is not a sieve size; positive, finite numbers are expected"
            )));
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

/// Returns all shares of `parts` parts that are multiples of 1/`steps` and sum to 1. The first share is 0 in the first rows.
///
/// There are none without parts or steps. The number of rows is that of combinations, `(steps + parts − 1)` over `(parts − 1)`.
///
/// ```
/// let shares = jostle::distribution::share_grid(2, 2);
/// assert_eq!(shares, [[0.0, 1.0], [0.5, 0.5], [1.0, 0.0]]);
/// ```
pub fn share_grid(parts: usize, steps: usize) -> Vec<Vec<f64>> {
    if parts == 0 || steps == 0 {
        return Vec::new();
    }
    let mut rows: Vec<Vec<usize>> = vec![Vec::new()];
    for _ in 1..parts {
        let longer = |row: &Vec<usize>| {
            let row = row.clone();
            let left = steps - row.iter().sum::<usize>();
            (0..=left).map(move |part| [&row[..], &[part]].concat())
        };
        rows = rows.iter().flat_map(longer).collect();
    }
    let complete = |row: Vec<usize>| {
        let last = steps - row.iter().sum::<usize>();
        let whole = row.into_iter().chain([last]);
        whole.map(|part| part as f64 / steps as f64).collect()
    };
    rows.into_iter().map(complete).collect()
}

/// Returns the number of rows of [`share_grid`], or infinity.
fn grid_size(parts: usize, steps: usize) -> f64 {
    (1..parts).fold(1.0, |size, k| size * (steps + k) as f64 / k as f64)
}

/// Returns the shares with the least sum of the squares of `Σ share · column − target`.
///
/// This is a convex problem with few unknowns. Each step moves share between two columns: from the one with the steepest ascent to the one with
/// the steepest descent, as far as the sum falls or the share lasts. At the least sum no pair has a descent (the conditions of Karush, Kuhn &
/// Tucker). Such pairs are those of sequential minimal optimization: S. S. Keerthi et al., Neural Computation 13 (2001) 637,
/// doi:10.1162/089976601300014493. Crates for this problem do not fit: `quadprog` has the license GPL, `nnls` lacks the constraint on the sum
/// and may panic, and `clarabel`, an interior point method, returns small numbers in place of shares that are 0.
fn least_squares(columns: &[Vec<f64>], target: &[f64]) -> Vec<f64> {
    let count = columns.len();
    let mut shares = vec![1.0 / count as f64; count];
    let product = |a: &[f64], b: &[f64]| -> f64 { a.iter().zip(b).map(|(a, b)| a * b).sum() };
    let rows = 0..target.len();
    let mut residual: Vec<f64> = rows
        .map(|row| {
            product(&shares, &columns.iter().map(|c| c[row]).collect::<Vec<_>>()) - target[row]
        })
        .collect();
    for _ in 0..LEAST_SQUARES_STEPS {
        let slopes: Vec<f64> = columns.iter().map(|c| product(c, &residual)).collect();
        let order = |a: &usize, b: &usize| slopes[*a].total_cmp(&slopes[*b]);
        let to = (0..count).min_by(order);
        let from = (0..count).filter(|&k| shares[k] > 0.0).max_by(order);
        let (Some(to), Some(from)) = (to, from) else {
            break;
        };
        let slope = slopes[from] - slopes[to];
        if slope <= LEAST_SLOPE {
            break;
        }
        let difference: Vec<f64> = (columns[to].iter().zip(&columns[from]))
            .map(|(to, from)| to - from)
            .collect();
        let step = (slope / product(&difference, &difference)).min(shares[from]);
        shares[to] += step;
        // A share that is used up becomes exactly 0.
        shares[from] = if step < shares[from] {
            shares[from] - step
        } else {
            0.0
        };
        for (residual, difference) in residual.iter_mut().zip(difference) {
            *residual += step * difference;
        }
    }
    shares
}

/// Returns the shares with the largest value of a function: the best of a grid, improved by moves of share from one part to another. The moves are
/// halved when none of them is better.
pub(super) fn largest(parts: usize, value: impl Fn(&[f64]) -> f64) -> Vec<f64> {
    let is_small = |steps: &usize| grid_size(parts, *steps) <= SEARCHED_COMPOSITIONS as f64;
    let steps = (1..=SEARCH_STEPS).rev().find(is_small).unwrap_or(1);
    let with_value = |shares: Vec<f64>| (value(&shares), shares);
    let better = |a: &(f64, Vec<f64>), b: &(f64, Vec<f64>)| a.0.total_cmp(&b.0);
    let grid = share_grid(parts, steps).into_iter().map(with_value);
    let Some(mut best) = grid.max_by(better) else {
        return Vec::new();
    };
    let mut step = 0.5 / steps as f64;
    while step >= SHARE_PRECISION {
        let pairs = (0..parts).flat_map(|from| (0..parts).map(move |to| (from, to)));
        let moved = pairs
            .filter(|&(from, to)| from != to && best.1[from] > 0.0)
            .map(|(from, to)| {
                let mut shares = best.1.clone();
                let moved = step.min(shares[from]);
                shares[from] -= moved;
                shares[to] += moved;
                with_value(shares)
            });
        match moved.max_by(better) {
            Some(found) if found.0 > best.0 => best = found,
            _ => step *= 0.5,
        }
    }
    best.1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_grid_has_every_composition_once() {
        for (parts, steps, rows) in [(1, 5, 1), (2, 6, 7), (3, 6, 28), (4, 3, 20)] {
            let mut grid = share_grid(parts, steps);
            assert_eq!(grid.len(), rows);
            assert_eq!(grid_size(parts, steps), rows as f64);
            assert!(
                grid.iter()
                    .all(|row| (row.iter().sum::<f64>() - 1.0).abs() < 1e-12)
            );
            grid.dedup();
            assert_eq!(grid.len(), rows);
        }
        assert!(share_grid(0, 3).is_empty() && share_grid(3, 0).is_empty());
    }

    #[test]
    fn the_largest_value_is_found_inside_and_at_the_edge() {
        let inside = largest(3, |s| -(s[0] - 0.21).powi(2) - (s[1] - 0.47).powi(2));
        assert!((inside[0] - 0.21).abs() < 1e-3 && (inside[1] - 0.47).abs() < 1e-3);
        let edge = largest(3, |s| s[0] + 0.5 * s[1]);
        assert_eq!(edge, [1.0, 0.0, 0.0]);
    }

    #[test]
    fn equal_columns_need_no_decision() {
        let column = vec![0.0, 0.5, 1.0];
        let shares = least_squares(&[column.clone(), column.clone()], &column);
        assert!((shares[0] + shares[1] - 1.0).abs() < 1e-15);
    }
}
