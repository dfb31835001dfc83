//! Candidates, memory and times of one index on one packing.

use glam::DVec3;
use rand::SeedableRng;
use rand_pcg::Pcg64;

use super::constants::{RELATIVE_DISPLACEMENT, SHORTEST_TIMING};
use crate::{
    container::Container,
    index::{Entry, GlobalIndex, IndexBuilder, IndexKind},
    laboratory::compare::random::random_point,
    machine::clock::Instant,
    spheres::Spheres,
};

/// Result of one index on one packing.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct IndexMeasurement {
    /// Candidates per sphere: the other spheres in the nodes or cells that a query opens, before any distance test.
    pub candidates: f64,
    /// Neighbors per sphere: the candidates that intersect the Verlet sphere.
    pub neighbors: f64,
    /// Nodes or cells opened per query.
    pub nodes_opened: f64,
    /// Number of spheres on each level, coarsest first; see [`GlobalIndex::spheres_per_level`].
    pub levels: Vec<usize>,
    /// Memory of the index in bytes per sphere.
    pub bytes_per_sphere: f64,
    /// Mean time in nanoseconds to insert a sphere while the index grows from no sphere to all spheres.
    pub insert_ns: f64,
    /// Mean time in nanoseconds to relocate a sphere by half the Verlet distance in a random direction.
    pub relocate_ns: f64,
    /// Mean time in nanoseconds of a query with the distance tests of its candidates.
    pub query_ns: f64,
}

/// Builds an index over the spheres, and measures queries, relocations and insertions.
///
/// Each query reports the candidates within `verlet_distance` of the surface of one sphere. There must be at least one
/// sphere, and all centers must be inside the container.
///
/// # Panics
/// When a center or a radius is not finite, or a radius is negative.
pub fn measure_index(
    kind: IndexKind,
    spheres: &Spheres,
    container: &Container,
    verlet_distance: f64,
) -> IndexMeasurement {
    let entries = entries(spheres);
    let count = entries.len() as f64;
    let mut index = kind.build(container, &entries);
    let counts = query_all(&*index, container, &entries, verlet_distance);
    let levels = index.spheres_per_level();
    let bytes_per_sphere = index.bytes() as f64 / count;
    let query_ns = mean_nanoseconds(entries.len(), &mut || {
        std::hint::black_box(query_all(&*index, container, &entries, verlet_distance));
    });
    let displaced = displaced(container, &entries, RELATIVE_DISPLACEMENT * verlet_distance);
    let relocate_ns = mean_nanoseconds(2 * entries.len(), &mut || {
        // Each pass ends with every sphere at its first position, so the number of passes does not matter.
        for (from, to) in [(&entries, &displaced), (&displaced, &entries)] {
            for (&from, &to) in from.iter().zip(to) {
                let relocated = index.relocate(from, to);
                relocated.expect("the index stores the sphere at its last position");
            }
        }
    });
    let insert_ns = mean_nanoseconds(entries.len(), &mut || {
        let mut index = kind.build(container, &[]);
        for &entry in &entries {
            let inserted = index.insert(entry);
            inserted.expect("the index was built over the same entries before");
            index.rebuild_if_needed(&|id| entries[id as usize]);
        }
    });
    IndexMeasurement {
        candidates: counts.candidates as f64 / count,
        neighbors: counts.neighbors as f64 / count,
        nodes_opened: counts.nodes_opened as f64 / count,
        levels,
        bytes_per_sphere,
        insert_ns,
        relocate_ns,
        query_ns,
    }
}

/// Returns the candidates and the neighbors per sphere, as [`measure_index`] does, without any time.
pub(super) fn candidates_and_neighbors(
    kind: IndexKind,
    spheres: &Spheres,
    container: &Container,
    verlet_distance: f64,
) -> [f64; 2] {
    let entries = entries(spheres);
    let index = kind.build(container, &entries);
    let counts = query_all(&*index, container, &entries, verlet_distance);
    [counts.candidates, counts.neighbors].map(|sum| sum as f64 / entries.len() as f64)
}

fn entries(spheres: &Spheres) -> Vec<Entry> {
    let entry = |((center, radius), id)| Entry { center, radius, id };
    spheres.iter().zip(0..).map(entry).collect()
}

/// Counts of one query per sphere.
#[derive(Default)]
struct QueryCounts {
    candidates: usize,
    neighbors: usize,
    nodes_opened: usize,
}

/// Makes one query per sphere; a sphere is not a candidate of its own query.
fn query_all(
    index: &dyn GlobalIndex,
    container: &Container,
    entries: &[Entry],
    verlet_distance: f64,
) -> QueryCounts {
    let mut counts = QueryCounts::default();
    for entry in entries {
        let reach = entry.radius + verlet_distance;
        let opened = index.visit_candidates(entry.center, reach, &mut |run| {
            counts.candidates += run.len();
            for &other in run {
                let other = entries[other as usize];
                let between = container.displacement(entry.center, other.center);
                let limit = reach + other.radius;
                counts.neighbors += usize::from(between.length_squared() < limit * limit);
            }
        });
        counts.nodes_opened += opened;
    }
    // Each query also reports its own sphere.
    counts.candidates -= entries.len();
    counts.neighbors -= entries.len();
    counts
}

/// Moves every sphere by the same distance in a random direction, and clamps its center to the container.
fn displaced(container: &Container, entries: &[Entry], distance: f64) -> Vec<Entry> {
    let mut rng = Pcg64::seed_from_u64(1);
    let lengths = container.lengths();
    entries
        .iter()
        .map(|&entry| {
            let direction = (random_point(&mut rng) - 0.5).normalize_or_zero();
            let center = container.wrap(entry.center + distance * direction);
            Entry {
                center: center.clamp(DVec3::ZERO, lengths),
                ..entry
            }
        })
        .collect()
}

/// Returns the mean time of one operation in nanoseconds; each pass makes `operations` of them.
fn mean_nanoseconds(operations: usize, pass: &mut dyn FnMut()) -> f64 {
    let start = Instant::now();
    let mut passes = 0.0;
    loop {
        pass();
        passes += 1.0;
        let elapsed = start.elapsed().as_secs_f64();
        if elapsed >= SHORTEST_TIMING {
            return 1e9 * elapsed / (passes * operations as f64);
        }
    }
}
