//! The volume of spheres at separate diameters, from which packing fractions are predicted.

use super::{constants::VOLUME_CLASSES, size_distribution::SizeDistribution};

/// Diameters with the share of the spheres' volume at each, from the largest diameter to the smallest.
///
/// Packing fractions of infinite containers depend on these shares only. A continuous distribution, and a list of radii, are divided
/// into at most 128 classes whose limits are in geometric progression.
///
/// ```
/// use jostle::{SizeSpec, distribution::VolumeClasses};
///
/// let sand = VolumeClasses::of(&SizeSpec::load("mono:d=1")?.distribution);
/// let gravel = VolumeClasses::of(&SizeSpec::load("mono:d=4")?.distribution);
/// let blend = VolumeClasses::blend(&[(sand, 0.25), (gravel, 0.75)]);
/// assert_eq!(blend.classes(), [(4.0, 0.75), (1.0, 0.25)]);
/// # Ok::<(), jostle::SizeSpecError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct VolumeClasses {
    /// Pairs of diameter and volume, largest first. All values are positive and finite.
    classes: Vec<(f64, f64)>,
}

impl VolumeClasses {
    /// Returns the classes of a distribution.
    pub fn of(distribution: &SizeDistribution) -> Self {
        let classes = match distribution.classes() {
            Some(classes) => {
                let pair = |class: &super::SizeClass| (class.diameter, class.mass_share);
                classes.iter().map(pair).collect()
            }
            None => continuous(distribution),
        };
        Self::sorted(classes)
    }

    /// Returns the classes of spheres with these radii, in any order and unit. There are none if a radius is not positive and finite.
    pub fn of_radii(radii: &[f64]) -> Self {
        let largest = radii.iter().copied().fold(0.0, f64::max);
        let smallest = radii.iter().copied().fold(f64::INFINITY, f64::min);
        if !radii.iter().all(|&r| r > 0.0 && r.is_finite()) {
            return Self::default();
        }
        let width = libm::log(largest / smallest) / VOLUME_CLASSES as f64;
        // The sum of the volumes, and that of volume · ln d, in units of the largest sphere.
        let mut sums = vec![[0.0, 0.0]; VOLUME_CLASSES];
        for radius in radii {
            let relative = radius / largest;
            let log = libm::log(relative);
            let class = if width > 0.0 { -log / width } else { 0.0 };
            let volume = relative * relative * relative;
            let sum = &mut sums[(class as usize).min(VOLUME_CLASSES - 1)];
            sum[0] += volume;
            sum[1] += volume * log;
        }
        let mean = |&[volume, logs]: &[f64; 2]| (2.0 * largest * libm::exp(logs / volume), volume);
        Self::sorted(sums.iter().filter(|sum| sum[0] > 0.0).map(mean).collect())
    }

    /// Returns the classes of a mixture. Each part has a share of the volume.
    pub fn blend(parts: &[(Self, f64)]) -> Self {
        let scaled = |(part, share): &(Self, f64)| {
            let share = *share;
            let classes = part.classes.iter();
            classes
                .map(|&(diameter, volume)| (diameter, volume * share))
                .collect::<Vec<_>>()
        };
        Self::sorted(parts.iter().flat_map(scaled).collect())
    }

    /// Returns pairs of diameter and share of the volume, from the largest diameter to the smallest.
    pub fn classes(&self) -> &[(f64, f64)] {
        &self.classes
    }

    /// Sorts the classes and divides by the sum of the volumes. Classes without volume are left out.
    fn sorted(mut classes: Vec<(f64, f64)>) -> Self {
        classes.retain(|class| class.1 > 0.0);
        classes.sort_by(|a, b| b.0.total_cmp(&a.0));
        let sum: f64 = classes.iter().map(|class| class.1).sum();
        for class in &mut classes {
            class.1 /= sum;
        }
        Self { classes }
    }
}

/// Divides a continuous distribution. The diameter of a class is the geometric mean of its limits.
fn continuous(distribution: &SizeDistribution) -> Vec<(f64, f64)> {
    let low = distribution.d_min();
    let width = libm::log(distribution.d_max() / low) / VOLUME_CLASSES as f64;
    let mut below = 0.0;
    let class = |k: usize| {
        let up_to = if k + 1 < VOLUME_CLASSES {
            distribution.mass_cdf(low * libm::exp(width * (k + 1) as f64))
        } else {
            1.0
        };
        let share = up_to - below;
        below = up_to;
        (low * libm::exp(width * (k as f64 + 0.5)), share)
    };
    (0..VOLUME_CLASSES).map(class).collect()
}
