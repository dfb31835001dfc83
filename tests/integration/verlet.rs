//! Verlet lists during relocations, over every index. Brute force is the oracle after each refresh.

use glam::DVec3;
use jostle::{
    Container, IndexKind,
    index::Entry,
    verlet::{VerletError, VerletLists},
};
use proptest::{collection::vec, prelude::*, sample::Index};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

/// Returns the distance of two inflated spheres as a multiple of the sum of their radii, for the nearest periodic image.
fn relative_distance(container: &Container, a: &Entry, b: &Entry) -> f64 {
    let squared: f64 = (0..3)
        .map(|axis| {
            let straight = (a.center[axis] - b.center[axis]).abs();
            if container.is_periodic(axis) {
                straight.min(container.lengths()[axis] - straight)
            } else {
                straight
            }
        })
        .map(|d| d * d)
        .sum();
    squared.sqrt() / (a.radius + b.radius)
}

/// Asserts that no neighbor is missing from a list, and that all spheres in it intersect within rounding.
fn assert_exact(lists: &VerletLists, container: &Container, entries: &[Entry], kind: IndexKind) {
    lists.assert_well_formed();
    let steps = container.lengths().max_element() / f64::from(1 << 28);
    for entry in entries {
        let list = lists.neighbors(entry.id);
        for other in entries.iter().filter(|other| other.id != entry.id) {
            let distance = relative_distance(container, entry, other);
            let nearly = 1.0 + 2e-6 + steps / (entry.radius + other.radius);
            let is_listed = list.binary_search(&other.id).is_ok();
            assert!(
                if is_listed {
                    distance < nearly
                } else {
                    distance >= 1.0
                },
                "{kind}: {entry:?} and {other:?} at relative distance {distance} in {container:?}, listed: {is_listed}"
            );
        }
    }
}

/// Returns the point moved into the container: wrapped along periodic axes, confined by walls.
fn inside(container: &Container, point: DVec3) -> DVec3 {
    let mut point = container.wrap(point);
    for axis in 0..3 {
        if !container.is_periodic(axis) {
            point[axis] = point[axis].clamp(0.0, container.lengths()[axis]);
        }
    }
    point
}

/// A new position and inflated radius of one sphere.
#[derive(Clone, Debug)]
struct Move {
    sphere: Index,
    /// Displacement, as shares of the container's lengths.
    by: [f64; 3],
    /// The new inflated radius, as a power of ten of the container's shortest length.
    size: f64,
}

fn containers() -> impl Strategy<Value = Container> {
    (
        [1.0..20.0, 1.0..20.0, 1.0..20.0f64],
        prop::sample::select(vec!["ppp", "www", "ppw", "wpp"]),
    )
        .prop_map(|(lengths, boundary)| {
            Container::cuboid(DVec3::from_array(lengths), boundary.parse().unwrap()).unwrap()
        })
}

fn moves() -> impl Strategy<Value = Move> {
    // From a small displacement to one across the container.
    let scale = prop::sample::select(vec![0.002, 0.02, 0.2, 1.0]);
    (
        any::<Index>(),
        scale,
        [-1.0..1.0, -1.0..1.0, -1.0..1.0f64],
        sizes(),
    )
        .prop_map(|(sphere, scale, by, size)| Move {
            sphere,
            by: by.map(|share| scale * share),
            size,
        })
}

fn sizes() -> impl Strategy<Value = f64> {
    -2.5..-0.2f64
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    #[test]
    fn lists_are_exact_after_every_refresh(
        container in containers(),
        starts in vec(([0.0..1.0, 0.0..1.0, 0.0..1.0f64], sizes()), 1..50),
        rounds in vec(vec(moves(), 0..60), 1..8),
    ) {
        let shortest = container.lengths().min_element();
        let starts: Vec<Entry> = starts
            .iter()
            .zip(0..)
            .map(|(&(position, size), id)| Entry {
                center: inside(&container, DVec3::from_array(position) * container.lengths()),
                radius: shortest * 10f64.powf(size),
                id,
            })
            .collect();
        for &kind in IndexKind::ALL {
            let mut entries = starts.clone();
            let mut lists = VerletLists::new(kind, &container, &entries).unwrap();
            assert_exact(&lists, &container, &entries, kind);
            for round in &rounds {
                let mut moved = Vec::new();
                for Move { sphere, by, size } in round {
                    let id = sphere.index(entries.len());
                    let entry = &mut entries[id];
                    let to = entry.center + DVec3::from_array(*by) * container.lengths();
                    entry.center = inside(&container, to);
                    entry.radius = shortest * 10f64.powf(*size);
                    if !moved.contains(&(id as u32)) {
                        moved.push(id as u32);
                    }
                }
                let moved: Vec<Entry> = moved.iter().map(|&id| entries[id as usize]).collect();
                lists.refresh(&moved).unwrap();
                assert_exact(&lists, &container, &entries, kind);
            }
        }
    }
}

/// Few spheres exceed their skins at a time, lists grow and shrink, and skins shrink, as in the packing loop. Between the
/// refreshes, the lists hold every pair that overlaps.
#[test]
fn lists_follow_a_settling_packing() {
    const N: usize = 700;
    let container = Container::cuboid(DVec3::new(9.0, 10.0, 11.0), "ppw".parse().unwrap()).unwrap();
    for &kind in IndexKind::ALL {
        let mut rng = Pcg64::seed_from_u64(3);
        let radii: Vec<f64> = (0..N)
            .map(|_| 0.2 * rng.random_range(0.01f64..1.0).powf(-0.5))
            .collect();
        let mut skin = 0.2;
        let mut centers: Vec<DVec3> = (0..N)
            .map(|_| DVec3::from_array(rng.random::<[f64; 3]>()) * container.lengths())
            .collect();
        let mut entries: Vec<Entry> = centers
            .iter()
            .zip(&radii)
            .zip(0..)
            .map(|((&center, radius), id)| Entry {
                center,
                radius: radius + skin,
                id,
            })
            .collect();
        let mut lists = VerletLists::new(kind, &container, &entries).unwrap();
        for _ in 0..40 {
            let mut moved = Vec::new();
            for i in 0..N {
                let step = DVec3::from_array(rng.random::<[f64; 3]>()) * 2.0 - 1.0;
                centers[i] = inside(&container, centers[i] + 0.3 * skin * step);
                let used = container.displacement(entries[i].center, centers[i]);
                if used.length() > entries[i].radius - radii[i] {
                    entries[i].center = centers[i];
                    entries[i].radius = radii[i] + skin;
                    moved.push(entries[i]);
                }
            }
            lists.refresh(&moved).unwrap();
            assert_exact(&lists, &container, &entries, kind);
            for i in 0..N {
                for j in 0..i {
                    let distance = container.displacement(centers[i], centers[j]).length();
                    assert!(
                        distance >= radii[i] + radii[j]
                            || lists.neighbors(i as u32).contains(&(j as u32)),
                        "{kind}: {i} and {j} overlap but are not listed"
                    );
                }
            }
            skin *= 0.95;
        }
    }
}

#[test]
fn no_and_one_sphere_have_no_neighbors() {
    let container = Container::cuboid(DVec3::ONE, "ppp".parse().unwrap()).unwrap();
    for &kind in IndexKind::ALL {
        let entry = |id| Entry {
            center: DVec3::splat(0.25),
            radius: 3.0,
            id,
        };
        let mut none = VerletLists::new(kind, &container, &[]).unwrap();
        none.refresh(&[]).unwrap();
        none.assert_well_formed();
        let mut one = VerletLists::new(kind, &container, &[entry(0)]).unwrap();
        one.refresh(&[entry(0)]).unwrap();
        assert!(one.neighbors(0).is_empty());
    }
}

/// All spheres start at one position, spread out one by one, and gather again.
#[test]
fn lists_of_coinciding_spheres_are_exact() {
    let container = Container::cuboid(DVec3::splat(10.0), "ppp".parse().unwrap()).unwrap();
    for &kind in IndexKind::ALL {
        let mut entries: Vec<Entry> = (0..60)
            .map(|id| Entry {
                center: DVec3::splat(5.0),
                radius: 0.4,
                id,
            })
            .collect();
        let mut lists = VerletLists::new(kind, &container, &entries).unwrap();
        for to in [DVec3::splat(0.15), DVec3::ZERO] {
            for id in 0..entries.len() {
                entries[id].center = container.wrap(to * id as f64 * 3.0);
                lists.refresh(&entries[id..=id]).unwrap();
            }
            assert_exact(&lists, &container, &entries, kind);
        }
    }
}

/// Enough spheres for several rounds of edits; the ids of neighbors differ much.
#[test]
fn refreshed_lists_of_many_spheres_equal_rebuilt_ones() {
    const N: u32 = 300_000;
    let container = Container::cuboid(DVec3::ONE, "ppp".parse().unwrap()).unwrap();
    let mut rng = Pcg64::seed_from_u64(8);
    let mut entries: Vec<Entry> = (0..N)
        .map(|id| Entry {
            center: DVec3::from_array(rng.random()),
            radius: 0.008,
            id,
        })
        .collect();
    let kind = IndexKind::default();
    let mut lists = VerletLists::new(kind, &container, &entries).unwrap();
    let moved: Vec<u32> = (0..N).step_by(3).collect();
    for &id in &moved {
        entries[id as usize].center = DVec3::from_array(rng.random());
    }
    let moved: Vec<Entry> = moved.iter().map(|&id| entries[id as usize]).collect();
    lists.refresh(&moved).unwrap();
    let rebuilt = VerletLists::new(kind, &container, &entries).unwrap();
    let longest = (0..N).map(|id| rebuilt.neighbors(id).len()).max();
    assert!(longest > Some(10));
    for id in 0..N {
        assert_eq!(lists.neighbors(id), rebuilt.neighbors(id), "list of {id}");
    }
}

#[test]
fn impossible_entries_are_rejected_and_change_no_list() {
    let container = Container::cuboid(DVec3::splat(10.0), "ppp".parse().unwrap()).unwrap();
    let entry = |id, x, radius| Entry {
        center: DVec3::new(x, 5.0, 5.0),
        radius,
        id,
    };
    let new = |entries: &[Entry]| VerletLists::new(IndexKind::default(), &container, entries);
    let order = new(&[entry(1, 1.0, 1.0)]).err();
    assert!(
        matches!(order, Some(VerletError::Order { .. })),
        "{order:?}"
    );
    let spheres = [entry(0, 1.0, 1.0), entry(1, 2.5, 1.0), entry(2, 8.0, 1.0)];
    let mut lists = new(&spheres).unwrap();
    for (bad, expected) in [
        (vec![entry(3, 1.0, 1.0)], "there is no sphere 3"),
        (
            vec![entry(u32::MAX, 1.0, 1.0)],
            "there is no sphere 4294967295",
        ),
        (vec![entry(0, 4.0, 1.0), entry(0, 4.0, 1.0)], "twice"),
        (vec![entry(0, -1.0, 1.0)], "outside"),
        (vec![entry(0, f64::NAN, 1.0)], "outside"),
        (vec![entry(0, 4.0, f64::INFINITY)], "radius inf"),
        (vec![entry(0, 4.0, f64::NAN)], "radius NaN"),
    ] {
        let error = lists.refresh(&bad).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
        assert_eq!(lists.neighbors(0), [1]);
        lists.assert_well_formed();
    }
}
