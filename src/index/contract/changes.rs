//! Checks of changes.

use glam::DVec3;
use rand::RngExt;
use rand_pcg::Pcg64;

use super::{scene::Scene, trial::Trial};
use crate::index::entry::Entry;

pub(super) fn equal_centers(scene: &Scene, rng: &mut Pcg64) {
    for center in [
        DVec3::ZERO,
        0.5 * scene.container.lengths(),
        scene.point(rng),
    ] {
        let mut entries = scene.random_entries(rng, 200, |_| 0.01);
        for entry in &mut entries {
            entry.center = center;
        }
        let mut trial = Trial::new(scene, &entries);
        trial.check_probes(rng, 3);
        for entry in &entries {
            trial.remove(entry.id);
            trial.insert(Entry {
                radius: 0.02,
                ..*entry
            });
        }
        trial.check(rng, 3);
    }
}

pub(super) fn sequences(scene: &Scene, rng: &mut Pcg64) {
    let mut trial = Trial::new(scene, &[]);
    let mut next_id = 0;
    for batch in 0..30 {
        // First mostly insertions, then mostly relocations, finally more removals than insertions.
        let insert_share = [0.9, 0.3, 0.1][batch / 10];
        for _ in 0..40 {
            let present: Vec<u32> = trial.stored.keys().copied().collect();
            if present.is_empty() || rng.random_bool(insert_share) {
                let (center, radius) = (scene.point(rng), random_radius(scene, rng));
                trial.insert(Entry {
                    center,
                    radius,
                    id: next_id,
                });
                next_id += rng.random_range(1..4);
            } else {
                let id = present[rng.random_range(0..present.len())];
                remove_or_relocate(&mut trial, id, rng);
            }
        }
        match batch % 4 {
            1 => trial.rebuild_if_needed(),
            3 => trial.rebuild(),
            _ => {}
        }
        trial.check(rng, 8);
    }
}

fn random_radius(scene: &Scene, rng: &mut Pcg64) -> f64 {
    0.3 * scene.shortest_side() * 10f64.powf(rng.random_range(-3.0..0.0))
}

/// Removes a sphere, relocates it anywhere, or relocates it by up to its diameter.
fn remove_or_relocate(trial: &mut Trial, id: u32, rng: &mut Pcg64) {
    let scene = trial.scene;
    let mut entry = trial.stored[&id];
    match rng.random_range(0..4) {
        0 => trial.remove(id),
        1 => {
            entry.center = scene.point(rng);
            entry.radius = random_radius(scene, rng);
            trial.relocate(entry);
        }
        _ => {
            let step = DVec3::new(rng.random(), rng.random(), rng.random()) - 0.5;
            let center = scene
                .container
                .wrap(entry.center + 2.0 * entry.radius * step);
            entry.center = center.clamp(DVec3::ZERO, scene.container.lengths());
            entry.radius *= rng.random_range(0.9..1.1);
            trial.relocate(entry);
        }
    }
}

pub(super) fn larger_radii(scene: &Scene, rng: &mut Pcg64) {
    let small = scene.dense_radius(4000);
    let entries = scene.random_entries(rng, 200, |_| small);
    let mut trial = Trial::new(scene, &entries);
    let factors = [0.001, 0.1, 1.9, 2.1, 4.3, 30.0, 1e4];
    for (step, factor) in factors.into_iter().enumerate() {
        let mut entry = entries[step];
        entry.radius *= factor;
        trial.relocate(entry);
        trial.check(rng, 10);
        trial.insert(Entry {
            id: 1000 + step as u32,
            ..entry
        });
        trial.check_probes(rng, 10);
        if step % 2 == 1 {
            trial.rebuild_if_needed();
            trial.check(rng, 10);
        }
    }
    for entry in entries {
        trial.remove(entry.id);
    }
    trial.check(rng, 10);
}

pub(super) fn many_relocations(scene: &Scene, rng: &mut Pcg64) {
    let radius = scene.dense_radius(12_000);
    let entries = scene.random_entries(rng, 12_000, |_| radius);
    let mut trial = Trial::new(scene, &entries);
    for share in [1.0, 0.1] {
        let mut moved = Vec::new();
        for entry in trial.stored.values() {
            if rng.random_bool(share) {
                // A few become so large that they fit nowhere, or small again.
                let factor = [0.5, 1.0, 1.0, 1.0, 2.0, 1e3][rng.random_range(0..6)];
                let near = rng.random_bool(0.9);
                let step = radius * (DVec3::new(rng.random(), rng.random(), rng.random()) - 0.5);
                let center = if near {
                    entry.center + step
                } else {
                    scene.point(rng)
                };
                let center = scene.container.wrap(center);
                moved.push(Entry {
                    center: center.clamp(DVec3::ZERO, scene.container.lengths()),
                    radius: radius * factor,
                    id: entry.id,
                });
            }
        }
        trial.relocate_all(&moved);
        trial.check(rng, 5);
    }
}
