//! The packing fraction of mixtures with a wide gap in the sizes.
//!
//! Two bounds hold for a mixture of large and small spheres (Furnas, Industrial and Engineering Chemistry 23, 1931). The container
//! cannot be smaller than the container of the large spheres alone. And where small spheres fill all space between the large ones,
//! they cannot be denser than without the large ones.
//!
//! A container that starts far below these bounds grows for hundreds of sweeps, in which the small spheres hold the overlapping
//! large ones apart and are pushed away by them.

use super::{
    constants::{FEW, LARGEST, WIDE_GAP},
    schedule::estimated_fraction,
};
use crate::spheres::total_volume;

/// Upper bounds of the packing fraction of all spheres, good to about 0.05.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    /// From the container of the large spheres alone.
    pub by_large: f64,
    /// From the small spheres between the large ones.
    pub by_small: f64,
    /// Number of the large spheres.
    pub large: usize,
}

impl Bounds {
    /// Bounds of spheres without a wide gap in the sizes.
    pub const NONE: Self = Self {
        by_large: f64::INFINITY,
        by_small: f64::INFINITY,
        large: 0,
    };
}

/// Returns the bounds for a mixture; infinite if no wide gap separates the largest spheres from the others.
///
/// `pack_few` packs a few spheres alone and returns their packing fraction, which depends on walls and periodic images.
///
/// Cost: some passes over the radii, and some milliseconds if the largest spheres are few.
pub(super) fn bounds(radii: &[f64], pack_few: impl FnOnce(&[f64]) -> f64) -> Bounds {
    let Some(smallest_large) = smallest_above_gap(radii) else {
        return Bounds::NONE;
    };
    let (large, small): (Vec<f64>, Vec<f64>) =
        radii.iter().partition(|&&radius| radius >= smallest_large);
    let of_large = if large.len() <= FEW {
        pack_few(&large)
    } else {
        estimated_fraction(&large)
    };
    let share = total_volume(&large) / total_volume(radii);
    Bounds {
        by_large: of_large / share,
        by_small: 1.0 / (share + (1.0 - share) / estimated_fraction(&small)),
        large: large.len(),
    }
}

/// Returns the smallest of the large radii if a wide gap separates them from the others. Most mixtures have none, so that the
/// search copies no radii.
fn smallest_above_gap(radii: &[f64]) -> Option<f64> {
    let largest = radii.iter().copied().fold(0.0, f64::max);
    let mut smallest_large = f64::INFINITY;
    let mut largest_small = 0.0_f64;
    for &radius in radii {
        if radius >= LARGEST * largest {
            smallest_large = smallest_large.min(radius);
        } else {
            largest_small = largest_small.max(radius);
        }
    }
    let has_small = largest_small > 0.0;
    (has_small && smallest_large >= WIDE_GAP * largest_small).then_some(smallest_large)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_without_a_wide_gap_are_not_bounded() {
        let radii: Vec<f64> = (0..100).map(|k| 1.1f64.powi(k)).collect();
        for radii in [&radii[..], &[0.5; 10]] {
            let bounds = bounds(radii, |_| 0.5);
            assert_eq!(
                (bounds.by_large, bounds.by_small, bounds.large),
                (f64::INFINITY, f64::INFINITY, 0)
            );
        }
    }

    #[test]
    fn bounds_follow_from_the_parts_of_a_mixture() {
        // The large and the small spheres have the same volume; each part alone packs to 0.64.
        let radii = [vec![8.0; 64], vec![1.0; 64 * 512]].concat();
        let of_many = bounds(&radii, |_| 0.5);
        assert!((of_many.by_large - 0.64 / 0.5).abs() < 1e-6);
        assert!((of_many.by_small - 1.0 / (0.5 + 0.5 / 0.64)).abs() < 1e-6);
        assert_eq!(of_many.large, 64);
        let radii = [vec![8.0], vec![1.0; 512]].concat();
        let of_one = bounds(&radii, |few| 0.25 * few.len() as f64);
        assert!((of_one.by_large - 0.25 / 0.5).abs() < 1e-6);
        assert_eq!(of_one.large, 1);
    }
}
