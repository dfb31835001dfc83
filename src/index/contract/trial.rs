//! An index under test beside the list of the spheres it must hold.

use std::collections::{BTreeMap, BTreeSet};

use glam::DVec3;
use rand::RngExt;
use rand_pcg::Pcg64;

use super::scene::{Scene, just_below};
use crate::index::{
    entry::{Entry, EntryError},
    global_index::GlobalIndex,
};

/// An index under test beside the list of the spheres it must hold.
pub(super) struct Trial<'a> {
    pub scene: &'a Scene<'a>,
    pub index: Box<dyn GlobalIndex>,
    pub stored: BTreeMap<u32, Entry>,
}

impl<'a> Trial<'a> {
    /// Builds the index over `entries` and checks it.
    pub fn new(scene: &'a Scene<'a>, entries: &[Entry]) -> Self {
        let index = scene.builder.build(scene.container, entries);
        Self::of_index(scene, index, entries)
    }

    /// Checks an index that holds `entries`.
    pub fn of_index(scene: &'a Scene<'a>, index: Box<dyn GlobalIndex>, entries: &[Entry]) -> Self {
        let trial = Self {
            scene,
            index,
            stored: entries.iter().map(|entry| (entry.id, *entry)).collect(),
        };
        trial.check_state();
        trial
    }

    /// Checks the invariants, the counts and the set of ids.
    pub fn check_state(&self) {
        let context = || self.scene.describe();
        self.index.assert_well_formed(&|id| self.stored[&id]);
        let (len, expected) = (self.index.len(), self.stored.len());
        assert!(
            len == expected,
            "{}: `len` is {len}, but {expected} spheres are stored",
            context()
        );
        assert!(
            self.index.is_empty() == (len == 0),
            "{}: `is_empty` and `len` contradict each other",
            context()
        );
        let levels = self.index.spheres_per_level();
        assert!(
            levels.iter().sum::<usize>() == expected,
            "{}: `spheres_per_level` is {levels:?}, but {expected} spheres are stored",
            context()
        );
        for &id in self.stored.keys() {
            assert!(
                self.index.contains(id),
                "{}: `contains` denies sphere {id}, which is stored",
                context()
            );
        }
        let unused = (0..).find(|id| !self.stored.contains_key(id));
        let unused = unused.expect("fewer than 2³² spheres are stored");
        assert!(
            !self.index.contains(unused),
            "{}: `contains` confirms sphere {unused}, which is not stored",
            context()
        );
    }

    /// Compares the candidates of a probe with a brute-force search.
    pub fn check_probe(&self, center: DVec3, radius: f64) {
        let context = || {
            format!(
                "{}: the probe at {center} of radius {radius}",
                self.scene.describe()
            )
        };
        let mut reported = BTreeSet::new();
        let mut twice = None;
        let opened = self.index.visit_candidates(center, radius, &mut |ids| {
            for &id in ids {
                if !reported.insert(id) {
                    twice = Some(id);
                }
            }
        });
        if let Some(id) = twice {
            panic!("{} reports sphere {id} more than once", context());
        }
        assert!(
            opened > 0 || reported.is_empty(),
            "{} reports spheres although no node was opened",
            context()
        );
        for id in &reported {
            assert!(
                self.stored.contains_key(id),
                "{} reports sphere {id}, which is not stored",
                context()
            );
        }
        for (id, entry) in &self.stored {
            let displacement = self.scene.container.displacement(center, entry.center);
            let distance = displacement.length();
            assert!(
                distance > radius + entry.radius || reported.contains(id),
                "{} misses {entry:?} at the distance {distance}",
                context()
            );
        }
    }

    /// Checks the state, and this number of random probes.
    pub fn check(&self, rng: &mut Pcg64, probes: usize) {
        self.check_state();
        self.check_probes(rng, probes);
    }

    /// Checks probes at random points, at stored spheres, at corners, and around the whole container.
    pub fn check_probes(&self, rng: &mut Pcg64, probes: usize) {
        let size = self.scene.longest_side();
        let lengths = self.scene.container.lengths();
        for _ in 0..probes {
            let center = self.scene.point(rng);
            self.check_probe(center, size * 10f64.powf(rng.random_range(-7.0..0.5)));
        }
        for entry in self.stored.values().take(probes) {
            self.check_probe(entry.center, entry.radius);
            self.check_probe(entry.center, 1.1 * entry.radius);
        }
        self.check_probe(DVec3::ZERO, 0.0);
        self.check_probe(just_below(lengths), 1e-9 * size);
        self.check_probe(0.5 * lengths, 1000.0 * size);
    }

    fn assert_accepted(&self, change: &str, result: Result<(), EntryError>) {
        if let Err(error) = result {
            let context = self.scene.describe();
            panic!("{context}: the index rejects a valid {change}: {error}");
        }
    }

    /// Checks that a change was rejected with the expected error, and that nothing changed.
    pub fn assert_rejected(
        &self,
        change: &str,
        result: Result<(), EntryError>,
        is_expected: impl Fn(&EntryError) -> bool,
    ) {
        let context = || self.scene.describe();
        match result {
            Ok(()) => panic!("{}: the index accepts {change}", context()),
            Err(error) => assert!(
                is_expected(&error),
                "{}: the index rejects {change} for another reason: {error}",
                context()
            ),
        }
        self.check_state();
        for entry in self.stored.values().take(3) {
            self.check_probe(entry.center, entry.radius);
        }
    }

    pub fn insert(&mut self, entry: Entry) {
        let result = self.index.insert(entry);
        self.assert_accepted("insertion", result);
        self.stored.insert(entry.id, entry);
    }

    pub fn relocate(&mut self, to: Entry) {
        let from = self.stored[&to.id];
        let changes = self.index.would_change(&from, &to);
        let result = self.index.relocate(from, to);
        self.assert_accepted("relocation", result);
        self.stored.insert(to.id, to);
        if !changes {
            // The caller may skip such a relocation.
            self.check_probe(to.center, to.radius);
        }
    }

    pub fn relocate_all(&mut self, moved: &[Entry]) {
        let stored = &self.stored;
        self.index.relocate_all(moved.len() as u32, &|k| {
            let to = moved[k as usize];
            (stored[&to.id], to)
        });
        self.stored.extend(moved.iter().map(|to| (to.id, *to)));
    }

    pub fn remove(&mut self, id: u32) {
        let result = self.index.remove(self.stored[&id]);
        self.assert_accepted("removal", result);
        self.stored.remove(&id);
    }

    pub fn rebuild_if_needed(&mut self) {
        self.index.rebuild_if_needed(&|id| self.stored[&id]);
        assert!(
            !self.index.needs_rebuild(),
            "{}: the index needs a rebuild directly after a rebuild",
            self.scene.describe()
        );
    }

    pub fn rebuild(&mut self) {
        self.index.rebuild(&|id| self.stored[&id]);
        self.check_state();
    }
}
