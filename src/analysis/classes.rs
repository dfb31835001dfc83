//! Size classes of an analysis: the division of spheres by their diameters.

use serde::Serialize;

use super::constants::{CLASS_SPREAD, DISTINCT_CLASSES, GEOMETRIC_CLASSES};

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

/// The class of each sphere.
///
/// Up to six distinct diameters are a class each. More diameters are divided into five classes whose borders are in
/// geometric progression from the smallest to the largest diameter.
pub(super) struct Classes {
    /// Class of each sphere.
    of: Vec<u8>,
    /// The classes by rising diameter.
    pub(super) summaries: Vec<ClassSummary>,
}

impl Classes {
    /// Divides spheres by their radii. Cost: one sort.
    pub(super) fn new(radii: &[f64]) -> Self {
        let mut sorted = radii.to_vec();
        sorted.sort_unstable_by(f64::total_cmp);
        let starts = starts(&sorted);
        // Radii in units of the largest one do not overflow.
        let largest = sorted.last().copied().unwrap_or(1.0);
        let mass = |radii: &[f64]| -> f64 {
            radii
                .iter()
                .map(|r| (r / largest) * (r / largest) * (r / largest))
                .sum()
        };
        let total = mass(&sorted);
        let ends = starts.iter().skip(1).copied().chain([sorted.len()]);
        let summaries = starts.iter().zip(ends).map(|(&start, end)| {
            let radii = &sorted[start..end];
            ClassSummary {
                d_min: 2.0 * radii[0],
                d_max: 2.0 * radii[radii.len() - 1],
                number: radii.len(),
                mass_share: mass(radii) / total,
            }
        });
        let borders: Vec<f64> = starts.iter().skip(1).map(|&start| sorted[start]).collect();
        let class_of = |radius: &f64| borders.partition_point(|border| border <= radius) as u8;
        Self {
            of: radii.iter().map(class_of).collect(),
            summaries: summaries.collect(),
        }
    }

    /// Returns the number of classes. No class is empty.
    pub(super) fn len(&self) -> usize {
        self.summaries.len()
    }

    /// Returns the class of a sphere.
    pub(super) fn of(&self, id: usize) -> usize {
        usize::from(self.of[id])
    }

    /// Returns the spheres of a class, increasing.
    pub(super) fn members(&self, class: usize) -> Vec<u32> {
        let is_member = |id: &u32| self.of(*id as usize) == class;
        (0..self.of.len() as u32).filter(is_member).collect()
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
    Classes::new(radii).of
}

/// Returns the size classes of spheres by rising diameter: see [`size_classes`].
#[cfg(feature = "report")]
pub(crate) fn size_class_summaries(radii: &[f64]) -> Vec<ClassSummary> {
    Classes::new(radii).summaries
}

/// Returns the position of the first sphere of each class among sorted radii.
fn starts(sorted: &[f64]) -> Vec<usize> {
    let (Some(&smallest), Some(&largest)) = (sorted.first(), sorted.last()) else {
        return Vec::new();
    };
    let mut distinct = vec![0];
    while distinct.len() <= DISTINCT_CLASSES {
        let border = sorted[distinct[distinct.len() - 1]] * (1.0 + CLASS_SPREAD);
        let next = sorted.partition_point(|radius| *radius <= border);
        if next == sorted.len() {
            return distinct;
        }
        distinct.push(next);
    }
    let step = (libm::log(largest) - libm::log(smallest)) / GEOMETRIC_CLASSES as f64;
    let mut starts: Vec<usize> = (0..GEOMETRIC_CLASSES)
        .map(|class| {
            let border = libm::exp(libm::log(smallest) + step * class as f64);
            if class == 0 {
                0
            } else {
                sorted.partition_point(|radius| *radius < border)
            }
        })
        .collect();
    starts.dedup();
    starts.retain(|&start| start < sorted.len());
    starts
}
