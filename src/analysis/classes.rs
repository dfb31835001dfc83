//! Size classes of an analysis: the division of spheres by their diameters.

use serde::Serialize;

use super::{
    constants::{CLASS_SPREAD, DISTINCT_CLASSES, GEOMETRIC_CLASSES},
    sorted::Sorted,
};
use crate::{dimension::Dimension, machine::ranks::Ranks, names::trimmed};

/// One size class of an [`Analysis`](super::Analysis).
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ClassSummary {
    /// Lower border of the diameters, in the caller's unit.
    pub d_min: f64,
    /// Upper border of the diameters, in the caller's unit.
    pub d_max: f64,
    /// Number of spheres.
    pub number: usize,
    /// Share of the mass of all spheres.
    pub mass_share: f64,
}

impl ClassSummary {
    /// Returns the name of the class in figures and tables: its diameter, or its smallest and its largest one, with three digits.
    pub fn name(&self) -> String {
        // Three digits tell classes apart, and fit below a bar.
        let round = |d: f64| {
            let decimals = (2.0 - libm::floor(libm::log10(d))).clamp(0.0, 9.0) as usize;
            trimmed(&format!("{d:.decimals$}")).to_owned()
        };
        if self.d_max - self.d_min < 1e-5 * self.d_max {
            round(self.d_max)
        } else {
            format!("{}–{}", round(self.d_min), round(self.d_max))
        }
    }
}

/// The size classes of spheres.
///
/// Up to six distinct diameters are a class each. More diameters are divided into five classes whose borders are in
/// geometric progression from the smallest to the largest diameter.
pub(super) struct Classes {
    /// Smallest radius of each class.
    borders: Vec<f64>,
    /// The classes sorted by diameter.
    pub(super) summaries: Vec<ClassSummary>,
}

impl Classes {
    /// Divides spheres by their radii. The borders do not depend on the dimension, but the shares of mass do.
    pub(super) fn new(sorted: &Sorted, dimension: Dimension) -> Self {
        let borders = borders(sorted);
        // Radii in units of the largest one do not overflow.
        let largest = sorted.last(|_| true).unwrap_or(1.0);
        let masses = sorted.fold(1 + borders.len(), |sums, r| {
            let mass = dimension.power(r / largest);
            sums[0] += mass;
            // Without a finite radius there is no class.
            if let Some(sum) = sums.get_mut(1 + class_of(r, &borders)) {
                *sum += mass;
            }
        });
        let summary = |class: usize| {
            let next = borders.get(class + 1).copied().unwrap_or(f64::INFINITY);
            let smaller = sorted.count(|radius| radius < borders[class]);
            ClassSummary {
                d_min: 2.0 * borders[class],
                d_max: 2.0 * sorted.last(|radius| radius < next).unwrap_or(largest),
                number: sorted.count(|radius| radius < next) - smaller,
                mass_share: masses[1 + class] / masses[0],
            }
        };
        Self {
            summaries: (0..borders.len()).map(summary).collect(),
            borders,
        }
    }

    /// Divides the spheres of this process. Cost: one sort.
    pub(super) fn alone(radii: &[f64], dimension: Dimension) -> Self {
        Self::new(&Sorted::new(radii, &Ranks::default()), dimension)
    }

    /// Returns the number of classes. No class is empty.
    pub(super) fn len(&self) -> usize {
        self.summaries.len()
    }

    /// Returns the class of a sphere with a radius.
    pub(super) fn of(&self, radius: f64) -> usize {
        class_of(radius, &self.borders)
    }
}

/// Returns the size class of each sphere: its number in [`SizeSummary::classes`](super::SizeSummary::classes).
///
/// Up to six distinct diameters are a class each. More diameters are divided into five classes whose borders are in geometric
/// progression from the smallest to the largest diameter; classes without a sphere are left out.
///
/// # Cost
/// One sort.
pub fn size_classes(radii: &[f64]) -> Vec<u8> {
    let classes = Classes::alone(radii, Dimension::Three);
    radii.iter().map(|&r| classes.of(r) as u8).collect()
}

/// Returns the size classes of spheres sorted by diameter: see [`size_classes`].
#[cfg(feature = "report")]
pub(crate) fn size_class_summaries(radii: &[f64], dimension: Dimension) -> Vec<ClassSummary> {
    Classes::alone(radii, dimension).summaries
}

/// Returns the class of a radius, from the smallest radius of each class.
fn class_of(radius: f64, borders: &[f64]) -> usize {
    let later = borders.iter().skip(1);
    later.filter(|border| **border <= radius).count()
}

/// Returns the smallest radius of each class.
fn borders(sorted: &Sorted) -> Vec<f64> {
    let (Some(smallest), Some(largest)) = (sorted.first(|_| true), sorted.last(|_| true)) else {
        return Vec::new();
    };
    let mut distinct = vec![smallest];
    while distinct.len() <= DISTINCT_CLASSES {
        let border = distinct[distinct.len() - 1] * (1.0 + CLASS_SPREAD);
        match sorted.first(|radius| radius > border) {
            Some(next) => distinct.push(next),
            None => return distinct,
        }
    }
    let step = (libm::log(largest) - libm::log(smallest)) / GEOMETRIC_CLASSES as f64;
    let later = (1..GEOMETRIC_CLASSES).filter_map(|class| {
        let border = libm::exp(libm::log(smallest) + step * class as f64);
        sorted.first(|radius| radius >= border)
    });
    let mut borders: Vec<f64> = std::iter::once(smallest).chain(later).collect();
    borders.dedup();
    borders
}
