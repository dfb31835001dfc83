//! Checks of changes that an index must reject.

use glam::DVec3;
use rand_pcg::Pcg64;

use super::{scene::Scene, trial::Trial};
use crate::index::entry::{Entry, EntryError};

/// Memory that an index may gain by one sphere with a large id, in bytes: a table of 2²⁰ ids with room to spare.
const MEMORY_OF_ONE_ID: usize = 1 << 26;

fn trial_of_50<'a>(scene: &'a Scene<'a>, rng: &mut Pcg64) -> Trial<'a> {
    let radius = 0.1 * scene.shortest_side();
    let entries = scene.random_entries(rng, 50, |_| radius);
    Trial::new(scene, &entries)
}

/// Returns entries with a center or a radius that is not accepted.
fn invalid(entry: Entry) -> Vec<Entry> {
    let mut invalid = Vec::new();
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        for axis in 0..3 {
            let mut center = entry.center;
            center[axis] = bad;
            invalid.push(Entry { center, ..entry });
        }
        invalid.push(Entry {
            radius: bad,
            ..entry
        });
    }
    let radius = -1.0;
    invalid.push(Entry { radius, ..entry });
    invalid
}

fn is_invalid(error: &EntryError) -> bool {
    matches!(error, EntryError::Center { .. } | EntryError::Radius { .. })
}

pub(super) fn invalid_entries(scene: &Scene, rng: &mut Pcg64) {
    let mut trial = trial_of_50(scene, rng);
    let known = trial.stored[&7];
    for bad in invalid(Entry { id: 50, ..known }) {
        let result = trial.index.insert(bad);
        trial.assert_rejected(&format!("the insertion of {bad:?}"), result, is_invalid);
    }
    for bad in invalid(known) {
        let result = trial.index.relocate(known, bad);
        trial.assert_rejected(&format!("the relocation to {bad:?}"), result, is_invalid);
        let result = trial.index.relocate(bad, known);
        trial.assert_rejected(&format!("the relocation from {bad:?}"), result, is_invalid);
        let result = trial.index.remove(bad);
        trial.assert_rejected(&format!("the removal of {bad:?}"), result, is_invalid);
    }
    for radius in [0.0, f64::MIN_POSITIVE] {
        trial.relocate(Entry { radius, ..known });
        trial.check(rng, 5);
    }
}

pub(super) fn unknown_spheres(scene: &Scene, rng: &mut Pcg64) {
    let mut trial = trial_of_50(scene, rng);
    let known = trial.stored[&7];
    let is_duplicate = |error: &EntryError| matches!(error, EntryError::Duplicate { id: 7 });
    for center in [known.center, scene.point(rng)] {
        let result = trial.index.insert(Entry { center, ..known });
        trial.assert_rejected("a second sphere with the same id", result, is_duplicate);
    }
    trial.remove(20);
    for id in [20, 50, 5_000_000, u32::MAX] {
        let unknown = Entry { id, ..known };
        let is_unknown = |error: &EntryError| *error == EntryError::Unknown { id };
        let result = trial.index.remove(unknown);
        trial.assert_rejected("the removal of an unknown sphere", result, is_unknown);
        for center in [known.center, scene.point(rng)] {
            let result = trial.index.relocate(unknown, Entry { center, ..unknown });
            trial.assert_rejected("the relocation of an unknown sphere", result, is_unknown);
        }
    }
    trial.check_probes(rng, 5);
}

pub(super) fn wrong_old_entries(scene: &Scene, rng: &mut Pcg64) {
    let mut trial = trial_of_50(scene, rng);
    let known = trial.stored[&7];
    let result = trial.index.relocate(known, Entry { id: 8, ..known });
    trial.assert_rejected("a relocation that changes the id", result, |error| {
        *error == EntryError::DifferentIds { from: 7, to: 8 }
    });
    for id in 0..50 {
        let mut wrong = trial.stored[&id];
        if id % 2 == 0 {
            wrong.center = scene.point(rng);
        } else {
            wrong.radius *= 0.01;
        }
        // The index may find the sphere by its id alone.
        match trial.index.remove(wrong) {
            Ok(()) => drop(trial.stored.remove(&id)),
            result => trial.assert_rejected("a wrong old entry", result, |error| {
                *error == EntryError::Mismatch { id }
            }),
        }
        trial.check_state();
    }
    trial.check_probes(rng, 20);
}

pub(super) fn large_ids(scene: &Scene, rng: &mut Pcg64) {
    let mut trial = trial_of_50(scene, rng);
    let known = trial.stored[&7];
    let limit = Entry::id_limit(trial.index.len());
    for id in [limit, 4_000_000_000, u32::MAX - 1, u32::MAX] {
        let before = trial.index.bytes();
        let result = trial.index.insert(Entry { id, ..known });
        if result.is_ok() {
            trial.stored.insert(id, Entry { id, ..known });
            trial.check_probes(rng, 2);
        } else {
            trial.assert_rejected("a large id", result, |error| {
                *error == EntryError::IdTooLarge { id, limit }
            });
        }
        let bytes = trial.index.bytes().saturating_sub(before);
        assert!(
            bytes < MEMORY_OF_ONE_ID,
            "{}: a sphere with id {id} takes {bytes} bytes",
            scene.describe()
        );
        if trial.stored.contains_key(&id) {
            trial.remove(id);
        }
    }
    let id = limit - 1;
    trial.insert(Entry { id, ..known });
    trial.check_state();
    // The limit is lower once the other spheres are removed, but the sphere is still stored.
    (0..50).for_each(|id| trial.remove(id));
    for center in [scene.point(rng), DVec3::ZERO] {
        trial.relocate(Entry {
            center,
            id,
            ..known
        });
        trial.check_probes(rng, 2);
        trial.rebuild();
    }
}
