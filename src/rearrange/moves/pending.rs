//! The spheres that are inserted during the run.

use std::cmp::Ordering;

use bytemuck::{Pod, Zeroable};
use rayon::prelude::*;

use crate::{
    machine::{parallel::Erase, ranks::Ranks, trace::shared},
    rearrange::constants::{GROUP_RATIO, LARGE},
};

/// A sphere without a position.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub(in crate::rearrange) struct PendingSphere {
    /// The caller's number.
    pub original: u32,
    /// Radius at scale 1.
    pub radius: f32,
}

/// The spheres that are not in the container yet, in groups of similar size. Each rank holds its share of each group.
#[derive(Debug, Default)]
pub(in crate::rearrange) struct Pending {
    /// The smallest first.
    spheres: Vec<PendingSphere>,
    /// The first sphere of each group. The last group is the next one.
    groups: Vec<usize>,
}

impl Pending {
    /// Splits spheres into the large ones and the pending ones. Each of the `ranks` passes its share.
    pub fn split(spheres: Vec<PendingSphere>, ranks: &Ranks) -> (Vec<PendingSphere>, Self) {
        let radii = spheres.par_iter().erased().map(|sphere| sphere.radius);
        let own = shared("split by size", || radii.reduce(|| 0.0, f32::max));
        let largest = ranks.largest(own.into()) as f32;
        let is_large = |sphere: &PendingSphere| sphere.radius >= LARGE * largest;
        let (large, mut small) = if spheres.par_iter().erased().all(is_large) {
            (spheres, Vec::new())
        } else {
            shared("split by size", || {
                spheres.into_par_iter().erased().partition(is_large)
            })
        };
        shared("split by size", || {
            small.par_sort_unstable_by(smallest_first);
        });
        let pending = Self {
            groups: groups(&small, ranks),
            spheres: small,
        };
        (large, pending)
    }

    /// Returns the number of spheres of this rank.
    pub fn len(&self) -> usize {
        self.spheres.len()
    }

    /// Returns the caller's numbers of the spheres of this rank.
    pub fn originals(&self) -> impl Iterator<Item = u32> {
        self.spheres.iter().map(|sphere| sphere.original)
    }

    /// Returns the number of groups.
    pub fn groups(&self) -> usize {
        self.groups.len()
    }

    /// Removes the group of the largest spheres and returns the spheres of this rank.
    pub fn take_group(&mut self) -> Vec<PendingSphere> {
        let start = self.groups.pop().unwrap_or(0);
        self.spheres.split_off(start)
    }
}

/// Returns the first sphere of each group, sorted.
fn groups(spheres: &[PendingSphere], ranks: &Ranks) -> Vec<usize> {
    let mut groups = Vec::new();
    let mut rest = spheres;
    loop {
        let own = rest.last().map_or(-1.0, |sphere| sphere.radius);
        let largest = ranks.largest(own.into()) as f32;
        if largest < 0.0 {
            groups.reverse();
            return groups;
        }
        let start = rest.partition_point(|sphere| sphere.radius * GROUP_RATIO < largest);
        groups.push(start);
        rest = &rest[..start];
    }
}

fn smallest_first(a: &PendingSphere, b: &PendingSphere) -> Ordering {
    let by_radius = a.radius.total_cmp(&b.radius);
    by_radius.then(a.original.cmp(&b.original))
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
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
        let (large, mut pending) =
            Pending::split((0..3000).map(sphere).collect(), &Ranks::default());
        let mut groups = vec![large];
        let expected = pending.groups();
        while pending.groups() > 0 {
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
        let similar = |original| PendingSphere {
            original,
            radius: 1.0 + 6.9 * original as f32 / 99.0,
        };
        let (large, pending) = Pending::split((0..100).map(similar).collect(), &Ranks::default());
        assert_eq!((large.len(), pending.groups()), (100, 0));
    }
}
