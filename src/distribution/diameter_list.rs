//! Diameters given one by one.

use serde::{Deserialize, Serialize};

use super::{
    basis::Basis,
    blend_curve::BlendCurve,
    class_curve::ClassCurve,
    constants::MOST_LISTED_CLASSES,
    law::{Law, LawParameters},
    range::check_diameter,
    sizes_error::SizesError,
};
use crate::dimension::Dimension;

/// Diameters given one by one, such as those of measured particles.
///
/// A stratified sample of as many spheres as the list has is the list, in its order. Samples of other sizes come from the distribution of
/// the list: each diameter is a class. A list of more than 1000 different diameters is divided into about 1000 classes, of equal number or
/// of equal mass, whichever is finer. Each class has the mean volume of its diameters, so that its number and its mass are those of the list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct DiameterList(pub(super) Law<Parameters>);

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct Parameters(Vec<f64>);

impl DiameterList {
    /// Creates the distribution of these diameters, in any order. O(n log n).
    ///
    /// # Errors
    /// There is no diameter, or one of them is not a number from 1e-60 to 1e60.
    pub fn new(diameters: Vec<f64>) -> Result<Self, SizesError> {
        Law::new(Parameters(diameters)).map(Self)
    }

    /// Returns the diameters in their order.
    pub fn diameters(&self) -> &[f64] {
        &self.0.parameters.0
    }
}

impl LawParameters for Parameters {
    fn curve(&self, dimension: Dimension) -> Result<BlendCurve, SizesError> {
        if self.0.is_empty() {
            return Err(SizesError::new(
                "the list is empty and needs at least one diameter",
            ));
        }
        for (i, &diameter) in self.0.iter().enumerate() {
            check_diameter("diameter", diameter)
                .map_err(|error| error.at(format_args!("diameter {} of the list", i + 1)))?;
        }
        let mut sorted = self.0.clone();
        sorted.sort_unstable_by(f64::total_cmp);
        let mut classes: Vec<(f64, f64)> = sorted
            .chunk_by(|a, b| a == b)
            .map(|equal| (equal[0], equal.len() as f64))
            .collect();
        if classes.len() > MOST_LISTED_CLASSES {
            classes = joined(dimension, &classes);
        }
        Ok(ClassCurve::new(dimension, Basis::Number, &classes).into())
    }
}

/// Joins neighboring classes, pairs of diameter and number. The smallest and the largest diameter remain classes of their own.
fn joined(dimension: Dimension, classes: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let last = classes.len() - 1;
    let largest = classes[last].0;
    let volume = |diameter: f64| dimension.power(diameter / largest);
    let share = 2.0 / MOST_LISTED_CLASSES as f64;
    let most_spheres = share * classes.iter().map(|class| class.1).sum::<f64>();
    let most_volume = share
        * classes
            .iter()
            .map(|class| class.1 * volume(class.0))
            .sum::<f64>();
    let mut joined = Vec::with_capacity(MOST_LISTED_CLASSES + 3);
    let (mut first, mut spheres, mut volumes) = (0, 0.0, 0.0);
    for (i, &(diameter, number)) in classes.iter().enumerate() {
        spheres += number;
        volumes += number * volume(diameter);
        let is_full = spheres >= most_spheres || volumes >= most_volume;
        if !(is_full || i == 0 || i + 1 >= last) {
            continue;
        }
        let mean = largest * dimension.root(volumes / spheres);
        joined.push((mean.clamp(classes[first].0, diameter), spheres));
        (first, spheres, volumes) = (i + 1, 0.0, 0.0);
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lists_keep_their_number_and_volume_in_few_classes() {
        let count = 5000;
        let classes: Vec<(f64, f64)> = (1..=count)
            .map(|i| (f64::from(i).powf(-0.7), 1.0 + f64::from(i % 3)))
            .rev()
            .collect();
        let joined = joined(Dimension::Three, &classes);
        assert!(joined.len() <= MOST_LISTED_CLASSES + 3);
        assert!(joined.is_sorted_by(|a, b| a.0 < b.0));
        assert_eq!(joined[0], classes[0]);
        assert_eq!(joined.last(), classes.last());
        let sums = |classes: &[(f64, f64)]| {
            classes.iter().fold((0.0, 0.0), |sums, &(d, number)| {
                (sums.0 + number, sums.1 + number * d * d * d)
            })
        };
        let (before, after) = (sums(&classes), sums(&joined));
        assert_eq!(before.0, after.0);
        assert!((after.1 / before.1 - 1.0).abs() < 1e-12);
    }
}
