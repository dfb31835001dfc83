//! The ranks that hold copies of own spheres.

use crate::machine::sorted::with_number;

/// A rank that holds a copy of an own sphere.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Holder {
    pub id: u32,
    pub rank: u32,
}

/// The other ranks that hold copies of own spheres, sorted by sphere and rank.
#[derive(Debug, Default)]
pub(super) struct Holders(Vec<Holder>);

impl Holders {
    /// Removes all holders.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Returns the holders of all spheres.
    pub fn all(&self) -> &[Holder] {
        &self.0
    }

    /// Returns the holders of a sphere.
    pub fn of(&self, id: u32) -> &[Holder] {
        with_number(&self.0, id as usize, |holder| holder.id as usize)
    }

    /// Replaces the holders of the spheres `ids`, which must be sorted, by `holders`, in any order.
    pub fn replace(&mut self, ids: impl Iterator<Item = u32>, holders: Vec<Holder>) {
        let mut ids = ids.peekable();
        self.0.retain(|holder| {
            while ids.next_if(|&id| id < holder.id).is_some() {}
            ids.peek() != Some(&holder.id)
        });
        self.insert(holders);
    }

    /// Adds holders, in any order.
    pub fn insert(&mut self, holders: Vec<Holder>) {
        if !holders.is_empty() {
            self.0.extend(holders);
            // Two sorted runs are merged.
            self.0.sort();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use rand::{RngExt, SeedableRng};
    use rand_pcg::Pcg64;

    use super::*;

    #[test]
    fn holders_are_those_of_the_last_replacement() {
        let mut rng = Pcg64::seed_from_u64(5);
        let (mut holders, mut expected) = (Holders::default(), BTreeMap::new());
        for _ in 0..200 {
            let mut ids: Vec<u32> = (0..10).map(|_| rng.random_range(0..40)).collect();
            ids.sort_unstable();
            ids.dedup();
            let mut new = Vec::new();
            for &id in ids.iter().rev() {
                let ranks: Vec<u32> = (0..4).filter(|_| rng.random()).collect();
                new.extend(ranks.iter().map(|&rank| Holder { id, rank }));
                expected.insert(id, ranks);
            }
            holders.replace(ids.into_iter(), new);
            for id in (0..40).filter(|id| id % 3 > 0) {
                let found: Vec<u32> = holders.of(id).iter().map(|holder| holder.rank).collect();
                assert_eq!(found, *expected.entry(id).or_default(), "sphere {id}");
            }
        }
    }
}
