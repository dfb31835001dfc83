//! Checks of queries.

use glam::DVec3;
use rand::RngExt;
use rand_pcg::Pcg64;
use rayon::prelude::*;

use super::{
    scene::{Scene, just_below},
    trial::Trial,
};
use crate::{
    index::{
        entry::{Entry, EntryError},
        for_lists::build_for_lists,
    },
    machine::{ids::Ids, parallel::Erase},
};

pub(super) fn equal_spheres(scene: &Scene, rng: &mut Pcg64) {
    let radius = scene.dense_radius(300);
    let entries = scene.random_entries(rng, 300, |_| radius);
    Trial::new(scene, &entries).check_probes(rng, 40);
}

fn wide_entries(scene: &Scene, rng: &mut Pcg64, count: u32) -> Vec<Entry> {
    let largest = 0.3 * scene.shortest_side();
    scene.random_entries(rng, count, |rng| {
        largest * 10f64.powf(rng.random_range(-3.0..0.0))
    })
}

pub(super) fn size_ratio_of_a_thousand(scene: &Scene, rng: &mut Pcg64) {
    let entries = wide_entries(scene, rng, 300);
    Trial::new(scene, &entries).check_probes(rng, 40);
}

pub(super) fn build_for_lists_of_all(scene: &Scene, rng: &mut Pcg64) {
    for count in [0, 1, 300] {
        let entries = wide_entries(scene, rng, count);
        let entry = |k: u32| entries[k as usize];
        let all = Ids::All(count);
        let index = build_for_lists(scene.builder, scene.container, &all, count, &entry);
        let mut trial = Trial::of_index(scene, index, &entries);
        trial.check_probes(rng, 20);
        for mut entry in entries.into_iter().step_by(3) {
            entry.center = scene.point(rng);
            trial.relocate(entry);
        }
        trial.rebuild();
        trial.check_probes(rng, 20);
    }
}

pub(super) fn build_for_lists_of_a_part(scene: &Scene, rng: &mut Pcg64) {
    // Beyond what `Entry::id_limit` allows so few spheres.
    const STEP: u32 = 20_000;
    for count in [0, 1, 300] {
        let mut entries = wide_entries(scene, rng, count);
        for entry in &mut entries {
            entry.id *= STEP;
        }
        let id_limit = (count + 100) * STEP;
        let ids: Vec<u32> = entries.iter().map(|entry| entry.id).collect();
        let sphere = |id: u32| entries[(id / STEP) as usize];
        let ids = Ids::Some(ids);
        let index = build_for_lists(scene.builder, scene.container, &ids, id_limit, &sphere);
        let mut trial = Trial::of_index(scene, index, &entries);
        trial.check_probes(rng, 20);
        (0..3 * count).for_each(|k| change_part(&mut trial, k, id_limit, rng));
        trial.check(rng, 20);
        trial.rebuild();
        let id = id_limit - 1;
        if !trial.stored.contains_key(&id) {
            trial.insert(Entry {
                id,
                ..wide_entries(scene, rng, 1)[0]
            });
        }
        trial.check(rng, 20);
    }
}

/// Removes, relocates or inserts a random sphere of a part, in turn, and checks that a wrong removal or insertion is rejected.
fn change_part(trial: &mut Trial, k: u32, id_limit: u32, rng: &mut Pcg64) {
    let scene = trial.scene;
    let number = rng.random_range(0..trial.stored.len().max(1));
    let stored = trial.stored.keys().copied().nth(number);
    match (k % 3, stored) {
        (0, Some(id)) => {
            let removed = trial.stored[&id];
            trial.remove(id);
            let result = trial.index.remove(removed);
            assert_eq!(
                result,
                Err(EntryError::Unknown { id }),
                "{}",
                scene.describe()
            );
        }
        (1, Some(id)) => {
            let center = scene.point(rng);
            trial.relocate(Entry {
                center,
                ..trial.stored[&id]
            });
        }
        _ => {
            let id = rng.random_range(0..id_limit);
            let entry = wide_entries(scene, rng, 1)[0];
            if !trial.stored.contains_key(&id) {
                trial.insert(Entry { id, ..entry });
            }
            let result = trial.index.insert(Entry { id, ..entry });
            assert_eq!(
                result,
                Err(EntryError::Duplicate { id }),
                "{}",
                scene.describe()
            );
        }
    }
}

pub(super) fn large_spheres(scene: &Scene, rng: &mut Pcg64) {
    let size = scene.longest_side();
    let entries = scene.random_entries(rng, 12, |rng| size * rng.random_range(0.2..1.5));
    let mut trial = Trial::new(scene, &entries);
    trial.check_probes(rng, 20);
    for (id, entry) in (12..).zip(scene.random_entries(rng, 100, |_| 0.02)) {
        trial.insert(Entry { id, ..entry });
    }
    trial.check(rng, 20);
}

pub(super) fn few_spheres(scene: &Scene, rng: &mut Pcg64) {
    for count in 0..3 {
        let radius = 0.1 * scene.shortest_side();
        let entries = scene.random_entries(rng, count, |_| radius);
        let mut trial = Trial::new(scene, &entries);
        trial.check_probes(rng, 10);
        for entry in entries {
            trial.remove(entry.id);
        }
        trial.check(rng, 2);
    }
}

pub(super) fn centers_on_faces(scene: &Scene, rng: &mut Pcg64) {
    let lengths = scene.container.lengths();
    let radius = 0.05 * scene.shortest_side();
    let end = just_below(lengths);
    let mut entries = scene.random_entries(rng, 200, |rng| radius * rng.random_range(0.1..1.0));
    for entry in &mut entries {
        for axis in 0..3 {
            match rng.random_range(0..4) {
                0 => entry.center[axis] = 0.0,
                1 => entry.center[axis] = end[axis],
                2 => entry.center[axis] = 0.5 * lengths[axis],
                _ => {}
            }
        }
    }
    let trial = Trial::new(scene, &entries);
    trial.check_probes(rng, 60);
    for entry in &entries {
        trial.check_probe(entry.center, 1e-12);
    }
}

pub(super) fn touching_spheres(scene: &Scene, rng: &mut Pcg64) {
    let size = scene.shortest_side();
    let random_radius = |rng: &mut Pcg64| size * 10f64.powf(rng.random_range(-4.0..-0.7));
    let entries = scene.random_entries(rng, 200, random_radius);
    let trial = Trial::new(scene, &entries);
    for entry in &entries {
        let radius = random_radius(rng);
        let direction = DVec3::new(rng.random(), rng.random(), rng.random()) - 0.5;
        // Oblique as well as along an axis, where boxes are tight.
        for direction in [direction.normalize(), DVec3::X, -DVec3::Y, DVec3::Z] {
            let distance = (entry.radius + radius) * (1.0 - 1e-12);
            let center = scene.container.wrap(entry.center + distance * direction);
            let clamped = center.clamp(DVec3::ZERO, scene.container.lengths());
            if clamped == center {
                trial.check_probe(center, radius);
            }
        }
    }
}

pub(super) fn parallel_queries(scene: &Scene, rng: &mut Pcg64) {
    let entries = wide_entries(scene, rng, 200);
    let trial = Trial::new(scene, &entries);
    let (index, expected) = (&*trial.index, trial.stored.len());
    let everything = 2.0 * scene.longest_side();
    let counts: Vec<usize> = entries
        .par_iter()
        .erased()
        .map(|entry| {
            let mut count = 0;
            index.visit_candidates(entry.center, everything, &mut |ids| count += ids.len());
            count
        })
        .collect();
    for count in counts {
        assert!(
            count == expected,
            "{}: a probe around the container reports {count} of {expected} spheres",
            scene.describe()
        );
    }
}
