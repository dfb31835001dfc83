//! The packing fraction of mixtures with a wide gap in the sizes.
//!
//! Two bounds hold for a mixture of large and small spheres (Furnas, Industrial and Engineering Chemistry 23, 1931). The container
//! cannot be smaller than the container of the large spheres alone. And where small spheres fill all space between the large ones,
//! they cannot be denser than without the large ones.
//!
//! A container that starts far below these bounds grows for hundreds of sweeps, in which the small spheres hold the overlapping
//! large ones apart and are pushed away by them.

use super::constants::{EXTREME_GAP, FEW, LARGEST, WIDE_GAP};
use crate::{dimension::Dimension, distribution::estimated_fraction, machine::divided::Divided};

/// Upper bounds of the packing fraction of all spheres, good to about 0.05.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    /// From the container of the large spheres alone.
    pub by_large: f64,
    /// From the small spheres between the large ones.
    pub by_small: f64,
    /// Whether the large spheres must spread before the small ones come: two or more of them, which exceed the small ones extremely.
    pub large_spread_first: bool,
}

impl Bounds {
    /// Bounds of spheres without a wide gap in the sizes.
    pub const NONE: Self = Self {
        by_large: f64::INFINITY,
        by_small: f64::INFINITY,
        large_spread_first: false,
    };
}

/// Returns the bounds for a mixture; infinite if no wide gap separates the largest spheres from the others.
///
/// `pack_few` packs a few spheres alone and returns their packing fraction, which depends on walls and periodic images.
///
/// Cost: some passes over the radii, and some milliseconds if the largest spheres are few.
pub(super) fn bounds(
    dimension: Dimension,
    radii: &Divided,
    pack_few: impl FnOnce(&[f64]) -> f64,
) -> Bounds {
    let Some(Gap { below, above }) = wide_gap(radii) else {
        return Bounds::NONE;
    };
    let large = radii.filter(|radius| radius >= above);
    let small = radii.filter(|radius| radius < above);
    let of_large = if large.len() <= FEW {
        pack_few(&large.gathered())
    } else {
        estimated_fraction(dimension, &large)
    };
    let share = large.volume(dimension) / radii.volume(dimension);
    Bounds {
        by_large: of_large / share,
        by_small: 1.0 / (share + (1.0 - share) / estimated_fraction(dimension, &small)),
        large_spread_first: large.len() > 1 && above >= EXTREME_GAP * below,
    }
}

/// The radii at both sides of a gap in the sizes.
struct Gap {
    below: f64,
    above: f64,
}

/// Returns the wide gap that separates the largest radii from the others, if there is one. Most mixtures have none, so that the search
/// copies no radii.
fn wide_gap(radii: &Divided) -> Option<Gap> {
    let largest = radii.largest();
    let gaps = radii.of_each(|radii| {
        let (mut below, mut above) = (0.0_f64, f64::INFINITY);
        for &radius in radii {
            if radius >= LARGEST * largest {
                above = above.min(radius);
            } else {
                below = below.max(radius);
            }
        }
        [below, above]
    });
    let below = gaps.iter().fold(0.0_f64, |most, gap| most.max(gap[0]));
    let above = gaps
        .iter()
        .fold(f64::INFINITY, |least, gap| least.min(gap[1]));
    let has_small = below > 0.0;
    (has_small && above >= WIDE_GAP * below).then_some(Gap { below, above })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_without_a_wide_gap_are_not_bounded() {
        let radii: Vec<f64> = (0..100).map(|k| 1.1f64.powi(k)).collect();
        for radii in [&radii[..], &[0.5; 10]] {
            let bounds = bounds(Dimension::Three, &Divided::alone(radii), |_| 0.5);
            assert_eq!(
                (bounds.by_large, bounds.by_small, bounds.large_spread_first),
                (f64::INFINITY, f64::INFINITY, false)
            );
        }
    }

    #[test]
    fn bounds_follow_from_the_parts_of_a_mixture() {
        // The large and the small spheres have the same volume; each part alone packs to 0.64.
        let radii = [vec![8.0; 64], vec![1.0; 64 * 512]].concat();
        let of_many = bounds(Dimension::Three, &Divided::alone(radii), |_| 0.5);
        assert!((of_many.by_large - 0.64 / 0.5).abs() < 1e-6);
        assert!((of_many.by_small - 1.0 / (0.5 + 0.5 / 0.64)).abs() < 1e-6);
        let radii = [vec![8.0], vec![1.0; 512]].concat();
        let of_one = bounds(Dimension::Three, &Divided::alone(radii), |few| {
            0.25 * few.len() as f64
        });
        assert!((of_one.by_large - 0.25 / 0.5).abs() < 1e-6);
    }

    #[test]
    fn several_extremely_large_spheres_spread_first() {
        for (large, ratio, spread_first) in [(1, 200.0, false), (2, 200.0, true), (2, 60.0, false)]
        {
            let radii = [vec![ratio; large], vec![1.0; 512]].concat();
            let bounds = bounds(Dimension::Three, &Divided::alone(radii), |_| 0.5);
            assert_eq!(
                bounds.large_spread_first, spread_first,
                "{large} of {ratio}"
            );
        }
    }
}
