//! The indexes of the crate: the contract of every global index, rejected input, candidates and memory.

use std::panic::{AssertUnwindSafe, catch_unwind};

use glam::DVec3;
use jostle::{
    Boundaries, Container, IndexKind,
    index::contract::assert_holds,
    index::{Entry, EntryError, GlobalIndex, HGrid, IndexBuilder, LooseOctree},
};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use strum::VariantArray;

/// An index with parameters that [`IndexKind`] does not offer.
struct Variant {
    name: &'static str,
    build: fn(&Container, &[Entry]) -> Box<dyn GlobalIndex>,
}

impl IndexBuilder for Variant {
    fn name(&self) -> String {
        self.name.to_owned()
    }

    fn build(&self, container: &Container, entries: &[Entry]) -> Box<dyn GlobalIndex> {
        (self.build)(container, entries)
    }
}

const VARIANTS: [Variant; 4] = [
    Variant {
        name: "loose octree, k = 1.5",
        build: |c, e| Box::new(LooseOctree::new(c, 1.5, e).unwrap()),
    },
    Variant {
        name: "loose octree, k = 3",
        build: |c, e| Box::new(LooseOctree::new(c, 3.0, e).unwrap()),
    },
    Variant {
        name: "hgrid, odd cell sizes",
        build: |c, e| Box::new(HGrid::new(c, &[0.0123, 0.7, 0.31, 2.9, 50.0], e).unwrap()),
    },
    Variant {
        name: "hgrid, cells too small",
        build: |c, e| Box::new(HGrid::new(c, &[1e-5], e).unwrap()),
    },
];

/// Every index under test.
fn builders() -> impl Iterator<Item = &'static dyn IndexBuilder> {
    let kinds = IndexKind::VARIANTS.iter().map(|k| k as &dyn IndexBuilder);
    kinds.chain(VARIANTS.iter().map(|v| v as &dyn IndexBuilder))
}

#[test]
fn loose_octree_keeps_the_contract() {
    assert_holds(&IndexKind::LooseOctree);
}

#[test]
fn strict_octree_keeps_the_contract() {
    assert_holds(&IndexKind::StrictOctree);
}

#[test]
fn grid_keeps_the_contract() {
    assert_holds(&IndexKind::Grid);
}

#[test]
fn hgrid_keeps_the_contract() {
    assert_holds(&IndexKind::Hgrid);
}

#[cfg(feature = "kd-tree")]
#[test]
fn kd_tree_keeps_the_contract() {
    assert_holds(&IndexKind::KdTree);
}

#[test]
fn indexes_with_other_parameters_keep_the_contract() {
    VARIANTS.iter().for_each(|variant| assert_holds(variant));
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

/// Returns the radius at which `count` spheres fill 60 % of the container.
fn dense_radius(container: &Container, count: u32) -> f64 {
    (0.6 * container.volume() / f64::from(count) * 0.75 / std::f64::consts::PI).cbrt()
}

/// Returns the message with which a call panics.
fn panic_message(call: impl FnOnce()) -> String {
    let panic = catch_unwind(AssertUnwindSafe(call)).expect_err("the call does not panic");
    *panic.downcast::<String>().expect("the panic has a message")
}

#[test]
fn absurd_ids_allocate_nothing() {
    let container = Container::cuboid(DVec3::splat(10.0), Boundaries::PERIODIC).unwrap();
    let entries = random_entries(&mut Pcg64::seed_from_u64(13), &container, 10, |_| 0.5);
    for builder in builders() {
        let name = builder.name();
        let mut index = builder.build(&container, &entries);
        let before = index.bytes();
        let limit = Entry::id_limit(10);
        for id in [limit, 4_000_000_000, u32::MAX] {
            let entry = Entry { id, ..entries[0] };
            let error = index.insert(entry).unwrap_err();
            assert_eq!(error, EntryError::IdTooLarge { id, limit }, "{name}");
            assert_eq!(index.bytes(), before, "{name}");
            let message = panic_message(|| drop(builder.build(&container, &[entry])));
            assert!(message.contains("too large an id"), "{name}: {message}");
        }
        let id = limit - 1;
        let entry = Entry { id, ..entries[0] };
        assert_eq!(index.insert(entry), Ok(()), "{name}");
    }
}

#[test]
fn bulk_builds_reject_invalid_spheres() {
    let container = Container::cuboid(DVec3::splat(10.0), Boundaries::PERIODIC).unwrap();
    let entries = random_entries(&mut Pcg64::seed_from_u64(14), &container, 100, |_| 0.5);
    let with = |change: &dyn Fn(&mut Entry)| {
        let mut entries = entries.clone();
        change(&mut entries[60]);
        entries
    };
    for builder in builders() {
        for (entries, expected) in [
            (with(&|e| e.center.y = f64::NAN), "sphere 60 has the center"),
            (
                with(&|e| e.radius = f64::NAN),
                "sphere 60 has the radius NaN",
            ),
            (with(&|e| e.radius = -1.0), "sphere 60 has the radius -1"),
            (with(&|e| e.id = 7), "sphere 7 is already in the index"),
            (with(&|e| e.id = 7_000_000), "sphere 7000000 has too large"),
        ] {
            let message = panic_message(|| drop(builder.build(&container, &entries)));
            assert!(message.contains(expected), "{}: {message}", builder.name());
        }
    }
}

#[test]
fn a_wrong_old_center_is_detected() {
    let container = Container::cuboid(DVec3::splat(10.0), Boundaries::PERIODIC).unwrap();
    let entries = random_entries(&mut Pcg64::seed_from_u64(15), &container, 1000, |_| 0.3);
    for builder in builders() {
        let name = builder.name();
        let mut index = builder.build(&container, &entries);
        let mut wrong = entries[7];
        wrong.center = container.wrap(wrong.center + 5.0);
        assert_eq!(
            index.remove(wrong),
            Err(EntryError::Mismatch { id: 7 }),
            "{name}"
        );
        assert_eq!(
            index.relocate(wrong, entries[7]),
            Err(EntryError::Mismatch { id: 7 }),
            "{name}"
        );
        index.assert_well_formed(&|id| entries[id as usize]);
        assert_eq!(index.remove(entries[7]), Ok(()), "{name}");
    }
}

/// A violation of the contract.
#[derive(Clone, Copy, Debug)]
enum Fault {
    MissesSphere,
    ReportsTwice,
    ReportsUnknown,
    AcceptsInvalid,
    AcceptsDuplicate,
    KeepsRemoved,
    SkipsRelocation,
    WastesMemory,
}

/// A grid with a fault.
struct Faulty {
    grid: Box<dyn GlobalIndex>,
    fault: Fault,
    wasted: usize,
}

impl GlobalIndex for Faulty {
    fn insert(&mut self, entry: Entry) -> Result<(), EntryError> {
        match (self.fault, self.grid.insert(entry)) {
            (Fault::AcceptsInvalid, Err(EntryError::Radius { .. })) => Ok(()),
            (Fault::AcceptsDuplicate, Err(EntryError::Duplicate { .. })) => Ok(()),
            (Fault::WastesMemory, result) => {
                self.wasted += 4 * entry.id as usize;
                result
            }
            (_, result) => result,
        }
    }

    fn would_change(&self, from: &Entry, to: &Entry) -> bool {
        !matches!(self.fault, Fault::SkipsRelocation) && self.grid.would_change(from, to)
    }

    fn remove(&mut self, entry: Entry) -> Result<(), EntryError> {
        if matches!(self.fault, Fault::KeepsRemoved) && entry.id == 20 {
            return Ok(());
        }
        self.grid.remove(entry)
    }

    fn contains(&self, id: u32) -> bool {
        self.grid.contains(id)
    }

    fn len(&self) -> usize {
        self.grid.len()
    }

    fn visit_candidates(&self, center: DVec3, radius: f64, visit: &mut dyn FnMut(&[u32])) -> usize {
        self.grid.visit_candidates(center, radius, &mut |ids| {
            for &id in ids {
                match self.fault {
                    Fault::MissesSphere if id == 7 => {}
                    Fault::ReportsTwice if id == 7 => visit(&[id, id]),
                    Fault::ReportsUnknown if id == 7 => visit(&[id, 77_777]),
                    _ => visit(&[id]),
                }
            }
        })
    }

    fn bytes(&self) -> usize {
        self.grid.bytes() + self.wasted
    }
}

impl IndexBuilder for Fault {
    fn name(&self) -> String {
        "faulty".to_owned()
    }

    fn build(&self, container: &Container, entries: &[Entry]) -> Box<dyn GlobalIndex> {
        Box::new(Faulty {
            grid: IndexKind::Grid.build(container, entries),
            fault: *self,
            wasted: 0,
        })
    }
}

#[test]
fn each_fault_is_named() {
    for (fault, expected) in [
        (Fault::MissesSphere, "misses Entry"),
        (Fault::ReportsTwice, "reports sphere 7 more than once"),
        (
            Fault::ReportsUnknown,
            "reports sphere 77777, which is not stored",
        ),
        (Fault::AcceptsInvalid, "accepts the insertion"),
        (Fault::AcceptsDuplicate, "accepts a second sphere"),
        (Fault::KeepsRemoved, "rejects a valid insertion: sphere 20"),
        (Fault::SkipsRelocation, "misses Entry"),
        (Fault::WastesMemory, "a sphere with id 4000000000 takes"),
    ] {
        let message = panic_message(|| assert_holds(&fault));
        assert!(message.contains(expected), "{fault:?}: {message}");
        assert!(message.contains("index 'faulty' in a 10 × 10 × 10 container (ppp)"));
    }
}

/// Returns the mean numbers of candidates and of opened nodes, for probes a tenth larger than each sphere.
fn mean_cost(kind: IndexKind, container: &Container, entries: &[Entry]) -> (f64, f64) {
    let index = kind.build(container, entries);
    let (mut candidates, mut opened) = (0, 0);
    for entry in entries {
        opened += index.visit_candidates(entry.center, 1.1 * entry.radius, &mut |ids| {
            candidates += ids.len();
        });
    }
    let count = entries.len() as f64;
    (candidates as f64 / count, opened as f64 / count)
}

#[test]
fn candidates_do_not_grow_with_the_number_of_spheres() {
    for &kind in IndexKind::VARIANTS {
        let cost = |count: u32| {
            let container = Container::cuboid(DVec3::splat(10.0), Boundaries::PERIODIC).unwrap();
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
fn candidates_do_not_grow_with_the_size_ratio() {
    for kind in [
        IndexKind::LooseOctree,
        IndexKind::Hgrid,
        #[cfg(feature = "kd-tree")]
        IndexKind::KdTree,
    ] {
        let candidates = |ratio: f64| {
            let container = Container::cuboid(DVec3::splat(10.0), Boundaries::PERIODIC).unwrap();
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
fn memory_per_sphere_is_bounded_for_sparse_and_clustered_spheres() {
    let container = Container::cuboid(DVec3::splat(1.0), Boundaries::PERIODIC).unwrap();
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
        for &kind in IndexKind::VARIANTS {
            let mut index = kind.build(&container, &entries);
            let per_sphere = |bytes: usize| bytes as f64 / entries.len() as f64;
            let built = per_sphere(index.bytes());
            assert!(built < 100.0, "{kind}, {name}: {built} bytes per sphere");
            let mut now = entries.clone();
            for _ in 0..3 {
                for entry in &mut now {
                    let from = *entry;
                    entry.center = point(&mut rng, &container) * from.center.ceil();
                    index.relocate(from, *entry).unwrap();
                }
                index.rebuild_if_needed(&|id| now[id as usize]);
            }
            index.assert_well_formed(&|id| now[id as usize]);
            let moved = per_sphere(index.bytes());
            assert!(moved < 150.0, "{kind}, {name}: {moved} bytes per sphere");
        }
    }
}
