//! One contract for every global index: no neighbour is missed, nothing is offered twice. Brute force is the oracle.

use std::collections::{BTreeMap, BTreeSet};

use glam::DVec3;
use jostle::{Boundaries, Container, Entry, GlobalIndex, HGrid, IndexKind, LooseOctree};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

type Build = fn(&Container, &[Entry]) -> Box<dyn GlobalIndex>;

/// Every index under test.
const INDEXES: &[(&str, Build)] = &[
    ("loose octree", |c, e| IndexKind::LooseOctree.build(c, e)),
    ("strict octree", |c, e| IndexKind::StrictOctree.build(c, e)),
    ("grid", |c, e| IndexKind::Grid.build(c, e)),
    ("hgrid", |c, e| IndexKind::Hgrid.build(c, e)),
    ("k-d tree", |c, e| IndexKind::KdTree.build(c, e)),
    ("loose octree, k = 1.5", |c, e| {
        Box::new(LooseOctree::new(c, 1.5, e).unwrap())
    }),
    ("loose octree, k = 3", |c, e| {
        Box::new(LooseOctree::new(c, 3.0, e).unwrap())
    }),
    ("hgrid, odd cell sizes", |c, e| {
        Box::new(HGrid::new(c, &[0.0123, 0.7, 0.31, 2.9, 50.0], e).unwrap())
    }),
    ("hgrid, cells too small", |c, e| {
        Box::new(HGrid::new(c, &[1e-5], e).unwrap())
    }),
];

fn containers() -> Vec<Container> {
    let container = |x, y, z, boundary: &str| {
        let boundary: Boundaries = boundary.parse().unwrap();
        Container::new(DVec3::new(x, y, z), boundary).unwrap()
    };
    vec![
        container(10.0, 10.0, 10.0, "ppp"),
        container(10.0, 10.0, 10.0, "www"),
        container(10.0, 10.0, 10.0, "ppw"),
        container(7.0, 3.0, 11.0, "ppp"),
        container(100.0, 1.0, 1.0, "ppp"),
        container(100.0, 1.0, 1.3, "wpw"),
        container(0.3, 0.5, 40.0, "pwp"),
    ]
}

/// An index beside the plain list of what it should hold.
struct Pair<'a> {
    name: &'a str,
    container: &'a Container,
    index: Box<dyn GlobalIndex>,
    stored: BTreeMap<u32, Entry>,
}

impl<'a> Pair<'a> {
    fn new((name, build): &(&'a str, Build), container: &'a Container, entries: &[Entry]) -> Self {
        let pair = Self {
            name,
            container,
            index: build(container, entries),
            stored: entries.iter().map(|e| (e.id, *e)).collect(),
        };
        pair.check_form();
        pair
    }

    fn check_form(&self) {
        self.index.assert_well_formed(&|id| self.stored[&id]);
        assert_eq!(self.index.len(), self.stored.len(), "{}", self.name);
        assert_eq!(self.index.is_empty(), self.stored.is_empty());
        let levels: usize = self.index.spheres_per_level().iter().sum();
        assert_eq!(levels, self.stored.len(), "{}", self.name);
    }

    /// Compares the candidates of a probe with brute force.
    fn check_probe(&self, center: DVec3, radius: f64) {
        let mut offered = BTreeSet::new();
        let mut calls = 0;
        let opened = self.index.visit_candidates(center, radius, &mut |run| {
            calls += 1;
            for id in run {
                assert!(offered.insert(*id), "{}: {id} came twice", self.name);
            }
        });
        assert!(opened > 0 || calls == 0, "{}", self.name);
        for id in &offered {
            assert!(self.stored.contains_key(id), "{}: {id}", self.name);
        }
        for (id, entry) in &self.stored {
            let distance = self.container.displacement(center, entry.center).length();
            assert!(
                distance > radius + entry.radius || offered.contains(id),
                "{}, {:?}: the probe at {center} of radius {radius} misses {entry:?} at {distance}",
                self.name,
                self.container,
            );
        }
    }

    fn check_probes(&self, rng: &mut Pcg64, probes: usize) {
        let size = self.container.lengths().max_element();
        for _ in 0..probes {
            let center = point(rng, self.container);
            self.check_probe(center, size * 10f64.powf(rng.random_range(-7.0..0.5)));
        }
        let some: Vec<Entry> = self.stored.values().copied().collect();
        for entry in some.iter().take(probes) {
            self.check_probe(entry.center, entry.radius);
            self.check_probe(entry.center, 1.1 * entry.radius);
        }
        self.check_probe(DVec3::ZERO, 0.0);
        self.check_probe(just_below(self.container.lengths()), 1e-9 * size);
        self.check_probe(0.5 * self.container.lengths(), 1000.0 * size);
    }

    fn insert(&mut self, entry: Entry) {
        self.index.insert(entry);
        self.stored.insert(entry.id, entry);
    }

    fn relocate(&mut self, to: Entry) {
        let from = self.stored.insert(to.id, to).unwrap();
        self.index.relocate(from, to);
    }

    fn remove(&mut self, id: u32) {
        let entry = self.stored.remove(&id).unwrap();
        self.index.remove(entry);
    }

    /// Levels and cells that suit the spheres, if those there are do not.
    fn suit(&mut self) {
        self.index.suit(&|id| self.stored[&id]);
        assert!(!self.index.is_outgrown(), "{}", self.name);
    }
}

fn just_below(v: DVec3) -> DVec3 {
    DVec3::from_array(v.to_array().map(f64::next_down))
}

fn point(rng: &mut Pcg64, container: &Container) -> DVec3 {
    let share = DVec3::new(rng.random(), rng.random(), rng.random());
    container.wrap(share * container.lengths())
}

fn random_entries(
    rng: &mut Pcg64,
    container: &Container,
    count: u32,
    mut radius: impl FnMut(&mut Pcg64) -> f64,
) -> Vec<Entry> {
    (0..count)
        .map(|id| Entry {
            center: point(rng, container),
            radius: radius(rng),
            id,
        })
        .collect()
}

/// Runs a check for every index in every container.
fn for_all(seed: u64, mut check: impl FnMut(&(&'static str, Build), &Container, &mut Pcg64)) {
    for container in containers() {
        for index in INDEXES {
            check(index, &container, &mut Pcg64::seed_from_u64(seed));
        }
    }
}

/// The radius at which `count` spheres fill 60 % of the container.
fn dense_radius(container: &Container, count: u32) -> f64 {
    (0.6 * container.volume() / f64::from(count) * 0.75 / std::f64::consts::PI).cbrt()
}

#[test]
fn equal_spheres() {
    for_all(1, |index, container, rng| {
        let radius = dense_radius(container, 300);
        let entries = random_entries(rng, container, 300, |_| radius);
        Pair::new(index, container, &entries).check_probes(rng, 40);
    });
}

#[test]
fn size_ratio_of_a_thousand() {
    for_all(2, |index, container, rng| {
        let largest = 0.3 * container.lengths().min_element();
        let entries = random_entries(rng, container, 300, |rng| {
            largest * 10f64.powf(rng.random_range(-3.0..0.0))
        });
        Pair::new(index, container, &entries).check_probes(rng, 40);
    });
}

#[test]
fn all_centers_equal() {
    for_all(3, |index, container, rng| {
        for center in [
            DVec3::ZERO,
            0.5 * container.lengths(),
            point(rng, container),
        ] {
            let mut entries = random_entries(rng, container, 200, |_| 0.01);
            for entry in &mut entries {
                entry.center = center;
            }
            let mut pair = Pair::new(index, container, &entries);
            pair.check_probes(rng, 3);
            for entry in &entries {
                pair.remove(entry.id);
                pair.insert(Entry {
                    radius: 0.02,
                    ..*entry
                });
            }
            pair.check_form();
            pair.check_probes(rng, 3);
        }
    });
}

#[test]
fn spheres_larger_than_half_the_box() {
    for_all(4, |index, container, rng| {
        let size = container.lengths().max_element();
        let entries = random_entries(rng, container, 12, |rng| size * rng.random_range(0.2..1.5));
        let mut pair = Pair::new(index, container, &entries);
        pair.check_probes(rng, 20);
        for (id, entry) in (12..).zip(random_entries(rng, container, 100, |_| 0.02)) {
            pair.insert(Entry { id, ..entry });
        }
        pair.check_form();
        pair.check_probes(rng, 20);
    });
}

#[test]
fn none_one_and_two_spheres() {
    for_all(5, |index, container, rng| {
        for count in 0..3 {
            let radius = 0.1 * container.lengths().min_element();
            let entries = random_entries(rng, container, count, |_| radius);
            let mut pair = Pair::new(index, container, &entries);
            pair.check_probes(rng, 10);
            for entry in entries {
                pair.remove(entry.id);
            }
            pair.check_form();
            pair.check_probes(rng, 2);
        }
    });
}

#[test]
fn centers_on_the_faces() {
    for_all(6, |index, container, rng| {
        let radius = 0.05 * container.lengths().min_element();
        let end = just_below(container.lengths());
        let entries = random_entries(rng, container, 200, |rng| {
            radius * rng.random_range(0.1..1.0)
        });
        let entries: Vec<Entry> = entries
            .into_iter()
            .map(|mut entry| {
                for axis in 0..3 {
                    match rng.random_range(0..4) {
                        0 => entry.center[axis] = 0.0,
                        1 => entry.center[axis] = end[axis],
                        2 => entry.center[axis] = 0.5 * container.lengths()[axis],
                        _ => {}
                    }
                }
                entry
            })
            .collect();
        let pair = Pair::new(index, container, &entries);
        pair.check_probes(rng, 60);
        for entry in &entries {
            pair.check_probe(entry.center, 1e-12);
        }
    });
}

#[test]
fn spheres_that_only_just_touch_the_probe() {
    for_all(12, |index, container, rng| {
        let size = container.lengths().min_element();
        let entries = random_entries(rng, container, 200, |rng| {
            size * 10f64.powf(rng.random_range(-4.0..-0.7))
        });
        let pair = Pair::new(index, container, &entries);
        for entry in &entries {
            let radius = size * 10f64.powf(rng.random_range(-4.0..-0.7));
            let direction = DVec3::new(rng.random(), rng.random(), rng.random()) - 0.5;
            // Sideways as well as along an axis, where boxes are tight.
            for direction in [direction.normalize(), DVec3::X, -DVec3::Y, DVec3::Z] {
                let distance = (entry.radius + radius) * (1.0 - 1e-12);
                let center = container.wrap(entry.center + distance * direction);
                let inside = center.clamp(DVec3::ZERO, container.lengths());
                if inside == center {
                    pair.check_probe(center, radius);
                }
            }
        }
    });
}

#[test]
fn sequences_of_changes() {
    for_all(7, |index, container, rng| {
        let largest = 0.3 * container.lengths().min_element();
        let radius = |rng: &mut Pcg64| largest * 10f64.powf(rng.random_range(-3.0..0.0));
        let mut pair = Pair::new(index, container, &[]);
        let mut next_id = 0;
        for batch in 0..30 {
            // Growth first, then mostly relocations, then decline.
            let insert_share = [0.9, 0.3, 0.1][batch / 10];
            for _ in 0..40 {
                let present: Vec<u32> = pair.stored.keys().copied().collect();
                if present.is_empty() || rng.random_bool(insert_share) {
                    let (center, radius) = (point(rng, container), radius(rng));
                    pair.insert(Entry {
                        center,
                        radius,
                        id: next_id,
                    });
                    next_id += rng.random_range(1..4);
                    continue;
                }
                let id = present[rng.random_range(0..present.len())];
                let mut entry = pair.stored[&id];
                match rng.random_range(0..4) {
                    0 => pair.remove(id),
                    1 => {
                        entry.center = point(rng, container);
                        entry.radius = radius(rng);
                        pair.relocate(entry);
                    }
                    _ => {
                        let step = DVec3::new(rng.random(), rng.random(), rng.random()) - 0.5;
                        let moved = container.wrap(entry.center + 2.0 * entry.radius * step);
                        entry.center = moved.clamp(DVec3::ZERO, container.lengths());
                        entry.radius *= rng.random_range(0.9..1.1);
                        pair.relocate(entry);
                    }
                }
            }
            if batch % 2 == 1 {
                pair.suit();
            }
            pair.check_form();
            pair.check_probes(rng, 8);
        }
    });
}

#[test]
fn radii_beyond_those_of_the_build() {
    for_all(8, |index, container, rng| {
        let small = dense_radius(container, 4000);
        let entries = random_entries(rng, container, 200, |_| small);
        let mut pair = Pair::new(index, container, &entries);
        for (step, factor) in [0.001, 0.1, 1.9, 2.1, 4.3, 30.0, 1e4]
            .into_iter()
            .enumerate()
        {
            let mut entry = entries[step];
            entry.radius *= factor;
            pair.relocate(entry);
            pair.check_form();
            pair.check_probes(rng, 10);
            pair.insert(Entry {
                id: 1000 + step as u32,
                ..entry
            });
            pair.check_probes(rng, 10);
            if step % 2 == 1 {
                pair.suit();
                pair.check_form();
                pair.check_probes(rng, 10);
            }
        }
        for entry in entries {
            pair.remove(entry.id);
        }
        pair.check_form();
        pair.check_probes(rng, 10);
    });
}

/// Mean number of candidates and of opened nodes for probes a tenth larger than each sphere.
fn mean_cost(kind: IndexKind, container: &Container, entries: &[Entry]) -> (f64, f64) {
    let index = kind.build(container, entries);
    let (mut candidates, mut opened) = (0, 0);
    for entry in entries {
        opened += index.visit_candidates(entry.center, 1.1 * entry.radius, &mut |run| {
            candidates += run.len();
        });
    }
    let count = entries.len() as f64;
    (candidates as f64 / count, opened as f64 / count)
}

#[test]
fn work_does_not_grow_with_the_number_of_spheres() {
    for kind in IndexKind::ALL {
        let cost = |count: u32| {
            let container = Container::new(DVec3::splat(10.0), Boundaries::PERIODIC).unwrap();
            let mut rng = Pcg64::seed_from_u64(9);
            let radius = dense_radius(&container, count);
            let entries = random_entries(&mut rng, &container, count, |_| radius);
            mean_cost(kind, &container, &entries)
        };
        let (few, many) = (cost(2000), cost(16_000));
        if kind == IndexKind::StrictOctree {
            assert!(many.0 > 2.0 * few.0, "{kind}: {few:?} {many:?}");
        } else {
            assert!(
                many.0 < 1.1 * few.0 && many.0 < 80.0,
                "{kind}: {few:?} {many:?}"
            );
            assert!(
                many.1 < 1.1 * few.1 && many.1 < 120.0,
                "{kind}: {few:?} {many:?}"
            );
        }
    }
}

#[test]
fn work_does_not_grow_with_the_size_ratio() {
    for kind in [IndexKind::LooseOctree, IndexKind::Hgrid, IndexKind::KdTree] {
        let candidates = |ratio: f64| {
            let container = Container::new(DVec3::splat(10.0), Boundaries::PERIODIC).unwrap();
            let mut rng = Pcg64::seed_from_u64(10);
            // Numbers proportional to r⁻⁴: the same volume in every octave.
            let mut entries = random_entries(&mut rng, &container, 8000, |rng| {
                let share: f64 = rng.random();
                (1.0 - share * (1.0 - ratio.powi(-3))).powf(-1.0 / 3.0)
            });
            let volume: f64 = entries.iter().map(|e| 4.19 * e.radius.powi(3)).sum();
            for entry in &mut entries {
                entry.radius *= (0.6 * container.volume() / volume).cbrt();
            }
            mean_cost(kind, &container, &entries).0
        };
        let (narrow, wide) = (candidates(3.0), candidates(100.0));
        assert!(wide < 2.0 * narrow, "{kind}: {narrow} {wide}");
    }
}

#[test]
fn sparse_and_clustered_spheres_need_no_more_memory() {
    let container = Container::new(DVec3::splat(1.0), Boundaries::PERIODIC).unwrap();
    let mut rng = Pcg64::seed_from_u64(11);
    let tiny = random_entries(&mut rng, &container, 20_000, |_| 1e-6);
    let mut clustered = tiny.clone();
    for entry in &mut clustered {
        entry.center *= 1e-3;
    }
    let wide = random_entries(&mut rng, &container, 20_000, |rng| {
        1e-4 * rng.random::<f64>().max(1e-9).powf(-0.33)
    });
    for (name, entries) in [("tiny", tiny), ("clustered", clustered), ("wide", wide)] {
        for kind in IndexKind::ALL {
            let mut index = kind.build(&container, &entries);
            let per_sphere = |bytes: usize| bytes as f64 / entries.len() as f64;
            let built = per_sphere(index.bytes());
            assert!(built < 100.0, "{kind}, {name}: {built} bytes per sphere");
            let mut now = entries.clone();
            for _ in 0..3 {
                for entry in &mut now {
                    let from = *entry;
                    entry.center = point(&mut rng, &container) * from.center.ceil();
                    index.relocate(from, *entry);
                }
                index.suit(&|id| now[id as usize]);
            }
            index.assert_well_formed(&|id| now[id as usize]);
            let moved = per_sphere(index.bytes());
            assert!(moved < 150.0, "{kind}, {name}: {moved} bytes per sphere");
        }
    }
}
