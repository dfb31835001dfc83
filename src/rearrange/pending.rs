//! The spheres that are inserted during the run.

use std::cmp::Ordering;

use rand::{Rng, RngExt};
use rayon::prelude::*;

use super::constants::{GROUP_RATIO, LARGE};
use crate::machine::trace::shared;

/// A sphere without a position.
#[derive(Clone, Copy, Debug)]
pub(super) struct PendingSphere {
    /// The caller's number.
    pub original: u32,
    /// Radius at scale 1.
    pub radius: f32,
}

/// The spheres that are not in the container yet, in groups of similar size.
#[derive(Debug, Default)]
pub(super) struct Pending {
    /// The smallest first.
    spheres: Vec<PendingSphere>,
    /// Seed of the random positions.
    seed: u64,
}

impl Pending {
    /// Splits spheres into the large ones and the pending ones.
    pub fn split(spheres: Vec<PendingSphere>, rng: &mut impl Rng) -> (Vec<PendingSphere>, Self) {
        let radii = spheres.par_iter().map(|sphere| sphere.radius);
        let largest = shared("split by size", || radii.reduce(|| 0.0, f32::max));
        let is_large = |sphere: &PendingSphere| sphere.radius >= LARGE * largest;
        if spheres.par_iter().all(is_large) {
            return (spheres, Self::default());
        }
        let (large, mut small): (Vec<_>, Vec<_>) = shared("split by size", || {
            spheres.into_par_iter().partition(is_large)
        });
        shared("split by size", || {
            small.par_sort_unstable_by(smallest_first);
        });
        let (spheres, seed) = (small, rng.random());
        (large, Self { spheres, seed })
    }

    /// Returns the number of spheres.
    pub fn len(&self) -> usize {
        self.spheres.len()
    }

    pub fn is_empty(&self) -> bool {
        self.spheres.is_empty()
    }

    /// Returns the caller's numbers of all spheres.
    pub fn originals(&self) -> impl Iterator<Item = u32> {
        self.spheres.iter().map(|sphere| sphere.original)
    }

    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// Returns the number of groups.
    pub fn groups(&self) -> usize {
        let mut end = self.spheres.len();
        let mut groups = 0;
        while end > 0 {
            end = self.group_start(end);
            groups += 1;
        }
        groups
    }

    /// Returns the start of the group that ends before `end`.
    fn group_start(&self, end: usize) -> usize {
        let largest = self.spheres[end - 1].radius;
        self.spheres[..end].partition_point(|sphere| sphere.radius * GROUP_RATIO < largest)
    }

    /// Removes the group of the largest spheres and returns it.
    pub fn take_group(&mut self) -> Vec<PendingSphere> {
        let start = self
            .spheres
            .last()
            .map_or(0, |_| self.group_start(self.spheres.len()));
        self.spheres.split_off(start)
    }
}

fn smallest_first(a: &PendingSphere, b: &PendingSphere) -> Ordering {
    let by_radius = a.radius.total_cmp(&b.radius);
    by_radius.then(a.original.cmp(&b.original))
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand_pcg::Pcg64;

    use super::*;

    #[test]
    fn each_sphere_is_inserted_once_the_larger_first() {
        let mut rng = Pcg64::seed_from_u64(1);
        // From 1 to 60, mostly small.
        let radii: Vec<f32> = (0..3000)
            .map(|_| (1.0 - rng.random::<f64>() * (1.0 - 60f64.powf(-2.5))).powf(-0.4))
            .map(|radius| radius as f32)
            .collect();
        let sphere = |original: u32| PendingSphere {
            original,
            radius: radii[original as usize],
        };
        let (large, mut pending) = Pending::split((0..3000).map(sphere).collect(), &mut rng);
        let mut groups = vec![large];
        let expected = pending.groups();
        while !pending.is_empty() {
            groups.push(pending.take_group());
        }
        assert!(expected > 3);
        assert_eq!(groups.len(), 1 + expected);
        let smallest =
            |group: &[PendingSphere]| group.iter().map(|s| s.radius).fold(60.0, f32::min);
        let largest = |group: &[PendingSphere]| group.iter().map(|s| s.radius).fold(0.0, f32::max);
        assert!(smallest(&groups[0]) >= 0.125 * largest(&groups[0]));
        for pair in groups.windows(2) {
            assert!(largest(&pair[1]) <= smallest(&pair[0]));
            assert!(largest(&pair[1]) <= 1.415 * smallest(&pair[1]));
        }
        let mut originals: Vec<u32> = groups.iter().flatten().map(|s| s.original).collect();
        originals.sort_unstable();
        assert!(originals.into_iter().eq(0..3000));
    }

    #[test]
    fn spheres_of_similar_size_are_all_placed_at_the_start() {
        let mut rng = Pcg64::seed_from_u64(2);
        let similar = |original| PendingSphere {
            original,
            radius: 1.0 + 6.9 * original as f32 / 99.0,
        };
        let before = rng.clone();
        let (large, pending) = Pending::split((0..100).map(similar).collect(), &mut rng);
        assert_eq!((large.len(), pending.groups()), (100, 0));
        assert!(rng == before);
    }
}
