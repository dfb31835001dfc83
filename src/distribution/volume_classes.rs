//! The volume of spheres at separate diameters, from which packing fractions are predicted.

use super::{
    basis::Basis,
    blend_curve::Leaf,
    constants::{MOST_VOLUME_CLASSES, VOLUME_CLASSES},
    curve::Curve,
    size_distribution::SizeDistribution,
};

/// Diameters with the share of the spheres' volume at each, from the largest diameter to the smallest.
///
/// Packing fractions of infinite containers depend on these shares only. A continuous distribution, and a list of radii, are divided
/// into 128 classes whose limits are in geometric progression; a blend into at most 512.
///
/// ```
/// use jostle::{SizeSpec, distribution::VolumeClasses};
///
/// let sand = VolumeClasses::of(&SizeSpec::load("mono:d=1")?.distribution);
/// let gravel = VolumeClasses::of(&SizeSpec::load("mono:d=4")?.distribution);
/// let blend = VolumeClasses::blend(&[(sand, 0.25), (gravel, 0.75)]);
/// assert_eq!(blend.classes(), [(4.0, 0.75), (1.0, 0.25)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct VolumeClasses {
    /// Pairs of diameter and volume, largest first. All values are positive and finite.
    classes: Vec<(f64, f64)>,
}

impl VolumeClasses {
    /// Returns the classes of a distribution.
    pub fn of(distribution: &SizeDistribution) -> Self {
        let leaves = distribution.curve().leaves();
        let of_leaf = |leaf: &Leaf| {
            let volume = leaf.volume;
            let classes = of_curve(&leaf.curve).into_iter();
            classes.map(move |(diameter, share)| (diameter, share * volume))
        };
        let classes: Vec<(f64, f64)> = leaves.iter().flat_map(of_leaf).collect();
        if classes.len() > MOST_VOLUME_CLASSES {
            Self::sorted(binned(&classes, MOST_VOLUME_CLASSES))
        } else {
            Self::sorted(classes)
        }
    }

    /// Returns the classes of spheres with these radii, in any order and unit. There are none if a radius is not positive, or if a diameter
    /// is not finite.
    pub fn of_radii(radii: &[f64]) -> Self {
        let largest = radii.iter().copied().fold(0.0, f64::max);
        if !radii.iter().all(|&r| r > 0.0 && (2.0 * r).is_finite()) {
            return Self::default();
        }
        let sphere = |radius: &f64| {
            // In units of the largest sphere no volume overflows. Volumes that vanish beside it are left out.
            let relative = radius / largest;
            (2.0 * radius, relative * relative * relative)
        };
        let spheres = radii.iter().map(sphere).filter(|sphere| sphere.1 > 0.0);
        let spheres: Vec<(f64, f64)> = spheres.collect();
        Self::sorted(binned(&spheres, VOLUME_CLASSES))
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

    /// Returns the classes with diameters that are larger by a factor.
    pub(super) fn scaled(mut self, factor: f64) -> Self {
        for class in &mut self.classes {
            class.0 *= factor;
        }
        self
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

/// Returns pairs of diameter and share for a curve that is no blend.
fn of_curve(curve: &Curve) -> Vec<(f64, f64)> {
    let Some(classes) = curve.classes() else {
        return continuous(curve, VOLUME_CLASSES);
    };
    let pair = |class: &super::class_curve::SizeClass| (class.diameter, class.mass_share);
    classes.classes().iter().map(pair).collect()
}

/// Divides a continuous curve into a number of classes. The diameter of a class is the geometric mean of its limits.
fn continuous(curve: &Curve, number: usize) -> Vec<(f64, f64)> {
    let (low, high) = curve.range();
    let width = libm::log(high / low) / number as f64;
    let mut below = 0.0;
    let class = |k: usize| {
        let up_to = if k + 1 < number {
            curve.cdf(Basis::Mass, low * libm::exp(width * (k + 1) as f64))
        } else {
            1.0
        };
        let share = up_to - below;
        below = up_to;
        (low * libm::exp(width * (k as f64 + 0.5)), share)
    };
    (0..number).map(class).collect()
}

/// Unites pairs of diameter and volume to at most `number` classes in geometric progression. The diameter of a class is the geometric mean of
/// its diameters, weighted by volume.
fn binned(pairs: &[(f64, f64)], number: usize) -> Vec<(f64, f64)> {
    let largest = pairs.iter().fold(0.0, |d, pair| f64::max(d, pair.0));
    let smallest = pairs
        .iter()
        .fold(f64::INFINITY, |d, pair| f64::min(d, pair.0));
    let width = libm::log(largest / smallest) / number as f64;
    // The sum of the volumes, and that of volume · ln d, in units of the largest diameter.
    let mut sums = vec![[0.0, 0.0]; number];
    for (diameter, volume) in pairs {
        let log = libm::log(diameter / largest);
        let class = if width > 0.0 { -log / width } else { 0.0 };
        let sum = &mut sums[(class as usize).min(number - 1)];
        sum[0] += volume;
        sum[1] += volume * log;
    }
    let filled = sums.iter().filter(|sum| sum[0] > 0.0);
    let mean = |&[volume, logs]: &[f64; 2]| (largest * libm::exp(logs / volume), volume);
    filled.map(mean).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::distribution::{Fuller, PackingModel, Sampling};

    #[test]
    fn half_the_classes_change_little() {
        let fuller: SizeDistribution = Fuller::new(1.0, 64.0, 0.5).unwrap().into();
        let of =
            |number| VolumeClasses::sorted(continuous(&fuller.curve().leaves()[0].curve, number));
        for model in [PackingModel::Rods, PackingModel::Compressible] {
            let usual = model.packing_fraction(&of(VOLUME_CLASSES));
            for number in [VOLUME_CLASSES / 2, 2 * VOLUME_CLASSES] {
                assert!(
                    (model.packing_fraction(&of(number)) - usual).abs() < 1e-3,
                    "{model}"
                );
            }
        }
    }

    #[test]
    fn classes_of_radii_are_those_of_the_law() {
        let law: SizeDistribution = Fuller::new(1.0, 4.0, 0.5).unwrap().into();
        let sample = law.sample_number(10_000, Sampling::Stratified, 0);
        let (of_law, of_sample) = (
            VolumeClasses::of(&law),
            VolumeClasses::of_radii(&sample.radii()),
        );
        for model in [PackingModel::Rods, PackingModel::Compressible] {
            let [law, sample] =
                [&of_law, &of_sample].map(|classes| model.packing_fraction(classes));
            assert!((law - sample).abs() < 1e-3, "{model}: {law}, {sample}");
        }
    }

    #[test]
    fn radii_that_are_not_accepted_have_no_classes() {
        for radii in [
            vec![],
            vec![0.0],
            vec![1.0, -1.0],
            vec![f64::NAN],
            vec![f64::INFINITY],
        ] {
            assert!(
                VolumeClasses::of_radii(&radii).classes().is_empty(),
                "{radii:?}"
            );
        }
        let equal = VolumeClasses::of_radii(&[0.5; 7]);
        assert_eq!(equal.classes(), [(1.0, 1.0)]);
    }
}
