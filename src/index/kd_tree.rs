//! The k-d tree, over [`kiddo`].

use std::collections::{BTreeMap, BTreeSet};

use glam::DVec3;
use kiddo::{MutableKdTree, SquaredEuclidean};

use super::{
    axis::Axis,
    constants::{
        CHANGES_BASE, CHANGES_PER_SPHERE, LEAF_POINTS, POINT_SHIFT, PROBE_MARGIN, REPORTED_IDS,
        SEPARATE_IMAGES_REACH,
    },
    entry::{Entry, EntryError},
    exponent::floor_log2,
    global_index::GlobalIndex,
    slot_table::check_beyond_table,
};
use crate::{container::Container, dimension::Dimension};

/// k-d trees of the centers, one for each octave of the radius, from the crate `kiddo`.
///
/// The octaves keep queries tight: a query searches a tree as far as the largest sphere of its octave could reach the
/// probe. A probe near a periodic face searches again for its image on the other side. A probe that reaches half around
/// the container reports the whole octave.
///
/// A leaf of `kiddo` cannot be split between points that agree in a coordinate, and centers often agree (on a face, or in
/// all coordinates). The trees therefore store points shifted by up to 2⁻²⁰ of the container. Each id has
/// its own shift, and searches widen by the longest shift.
///
/// [`visit_candidates`](GlobalIndex::visit_candidates) returns the number of tree searches, because `kiddo` does not
/// count the nodes that it opens. Only spheres within reach are candidates.
///
/// # Cost
/// O(log N) for each change and query; a relocation is a removal and an insertion. A tree is built again, in
/// O(N log N), after eight changes per sphere, because removals leave leaves half empty.
///
/// # Reference
/// J. L. Bentley: Multidimensional binary search trees used for associative searching, Communications of the ACM
/// 18 (1975).
#[derive(Debug)]
pub struct KdTree {
    axes: [Axis; 3],
    /// Greatest shift of a point along each axis.
    shifts: DVec3,
    stored: IdSet,
    /// By the exponent of the radius.
    octaves: BTreeMap<i32, Octave>,
}

/// The stored ids, one bit each.
#[derive(Debug, Default)]
struct IdSet {
    words: Vec<u64>,
    len: usize,
}

impl IdSet {
    fn contains(&self, id: u32) -> bool {
        let word = self.words.get(id as usize / 64);
        word.is_some_and(|word| word >> (id % 64) & 1 == 1)
    }

    /// Checks that a new id may be stored.
    fn check_new(&self, id: u32) -> Result<(), EntryError> {
        if self.contains(id) {
            return Err(EntryError::Duplicate { id });
        }
        let table_len = 64 * self.words.len();
        if (id as usize) < table_len {
            return Ok(());
        }
        check_beyond_table(id, table_len, self.len)
    }

    /// Adds an id that is not stored.
    fn insert(&mut self, id: u32) {
        let word = id as usize / 64;
        if word >= self.words.len() {
            self.words.resize(word + 1, 0);
        }
        self.words[word] |= 1 << (id % 64);
        self.len += 1;
    }

    /// Removes an id that is stored.
    fn remove(&mut self, id: u32) {
        self.words[id as usize / 64] &= !(1 << (id % 64));
        self.len -= 1;
    }
}

/// The spheres whose radii have the same exponent.
#[derive(Debug, Default)]
struct Octave {
    tree: MutableKdTree<f64, 3>,
    /// Points that `kiddo` cannot store.
    unsplittable: Vec<(u32, Point)>,
    /// Insertions and removals since the tree was built.
    changes: usize,
}

type Point = [f64; 3];

impl Octave {
    fn build(points: &[(u32, Point)]) -> Self {
        let built = MutableKdTree::new_from_entries(points);
        let mut octave = Self::default();
        match built {
            Ok(tree) => octave.tree = tree,
            Err(_) => points.iter().for_each(|(id, point)| octave.add(*id, point)),
        }
        octave.changes = 0;
        octave
    }

    fn len(&self) -> usize {
        self.tree.size() + self.unsplittable.len()
    }

    fn points(&self) -> impl Iterator<Item = (u32, Point)> {
        self.tree.iter().chain(self.unsplittable.iter().copied())
    }

    fn add(&mut self, id: u32, point: &Point) {
        self.changes += 1;
        if self.tree.add(point, id).is_err() {
            self.unsplittable.push((id, *point));
        }
    }

    /// Removes a point; returns whether it was stored.
    fn remove(&mut self, id: u32, point: &Point) -> bool {
        let mut unsplittable = self.unsplittable.iter();
        if let Some(position) = unsplittable.position(|stored| *stored == (id, *point)) {
            self.unsplittable.swap_remove(position);
        } else {
            let before = self.tree.size();
            if before == 0 {
                return false;
            }
            self.tree.remove(point, id);
            if self.tree.size() == before {
                return false;
            }
        }
        self.changes += 1;
        true
    }
}

impl KdTree {
    /// Builds k-d trees over `entries`.
    ///
    /// # Panics
    /// When an entry is invalid; see [`IndexBuilder::build`](crate::index::IndexBuilder::build).
    pub fn new(container: &Container, entries: &[Entry]) -> Self {
        Entry::assert_all_valid(entries);
        let mut index = Self {
            axes: Axis::of(container),
            shifts: shifts(container),
            stored: IdSet::default(),
            octaves: BTreeMap::new(),
        };
        let mut points: BTreeMap<i32, Vec<(u32, Point)>> = BTreeMap::new();
        for entry in entries {
            let id = entry.id;
            assert!(
                !index.stored.contains(id),
                "{}",
                EntryError::Duplicate { id }
            );
            index.stored.insert(id);
            let octave = points.entry(floor_log2(entry.radius)).or_default();
            octave.push((id, index.point(entry)));
        }
        index.octaves = points
            .iter()
            .map(|(&exponent, points)| (exponent, Octave::build(points)))
            .collect();
        index
    }

    /// Returns the point that represents a sphere in its tree.
    fn point(&self, entry: &Entry) -> Point {
        // Multiplication by an odd factor is reversible: no two ids have the same shift.
        const FACTORS: [u32; 3] = [0x9e37_79b1, 0x85eb_ca77, 0xc2b2_ae3d];
        [0, 1, 2].map(|axis| {
            let share = f64::from(entry.id.wrapping_mul(FACTORS[axis])) / 2f64.powi(32);
            entry.center[axis] + share * self.shifts[axis]
        })
    }

    /// Returns the displacements, along each axis, to the images of a probe that may meet spheres; none if the probe
    /// reaches so far that its images overlap.
    fn images(&self, center: DVec3, reach: f64) -> Option<[[Option<f64>; 2]; 3]> {
        let mut images = [[Some(0.0), None]; 3];
        for (axis, image) in images.iter_mut().enumerate() {
            image[1] = image_within(self.axes[axis], center[axis], reach)?;
        }
        Some(images)
    }
}

/// Returns the greatest shift of a point along each axis. In a flat container, points must differ along z, too.
fn shifts(container: &Container) -> DVec3 {
    let lengths = container.lengths();
    POINT_SHIFT
        * match container.dimension() {
            Dimension::Two => lengths.with_z(lengths.x),
            Dimension::Three => lengths,
        }
}

/// Returns the displacement to the second image of a point that has anything within `reach`, if there is one; the outer
/// `None` means that `reach` is half the axis or more, so that images overlap.
fn image_within(axis: Axis, x: f64, reach: f64) -> Option<Option<f64>> {
    if !axis.is_periodic() {
        return Some(None);
    }
    (reach < SEPARATE_IMAGES_REACH * axis.length()).then_some(if x < reach {
        Some(axis.length())
    } else if x + reach >= axis.length() {
        Some(-axis.length())
    } else {
        None
    })
}

/// Candidates that are not reported yet.
struct Report<'a> {
    ids: [u32; REPORTED_IDS],
    len: usize,
    visit: &'a mut dyn FnMut(&[u32]),
}

impl Report<'_> {
    fn add(&mut self, id: u32) {
        self.ids[self.len] = id;
        self.len += 1;
        if self.len == REPORTED_IDS {
            self.flush();
        }
    }

    fn flush(&mut self) {
        if self.len > 0 {
            (self.visit)(&self.ids[..self.len]);
            self.len = 0;
        }
    }
}

impl GlobalIndex for KdTree {
    fn insert(&mut self, entry: Entry) -> Result<(), EntryError> {
        entry.check()?;
        self.stored.check_new(entry.id)?;
        let point = self.point(&entry);
        self.stored.insert(entry.id);
        let octave = self.octaves.entry(floor_log2(entry.radius)).or_default();
        octave.add(entry.id, &point);
        if octave.changes > CHANGES_PER_SPHERE * octave.len() + CHANGES_BASE {
            let points: Vec<(u32, Point)> = octave.points().collect();
            *octave = Octave::build(&points);
        }
        Ok(())
    }

    fn remove(&mut self, entry: Entry) -> Result<(), EntryError> {
        entry.check()?;
        let id = entry.id;
        if !self.stored.contains(id) {
            return Err(EntryError::Unknown { id });
        }
        let point = self.point(&entry);
        let exponent = floor_log2(entry.radius);
        let octave = self.octaves.get_mut(&exponent);
        let octave = octave.ok_or(EntryError::Mismatch { id })?;
        if !octave.remove(id, &point) {
            return Err(EntryError::Mismatch { id });
        }
        if octave.len() == 0 {
            self.octaves.remove(&exponent);
        }
        self.stored.remove(id);
        Ok(())
    }

    fn contains(&self, id: u32) -> bool {
        self.stored.contains(id)
    }

    fn len(&self) -> usize {
        self.stored.len
    }

    fn visit_candidates(&self, center: DVec3, radius: f64, visit: &mut dyn FnMut(&[u32])) -> usize {
        let mut report = Report {
            ids: [0; REPORTED_IDS],
            len: 0,
            visit,
        };
        let mut searches = 0;
        for (&exponent, octave) in self.octaves.iter().rev() {
            octave
                .unsplittable
                .iter()
                .for_each(|&(id, _)| report.add(id));
            // Wider than the octave's spheres by the shift of the points.
            let reach = (radius + 2f64.powi(exponent + 1)) * (1.0 + PROBE_MARGIN)
                + 1.01 * self.shifts.length();
            let Some([xs, ys, zs]) = self.images(center, reach) else {
                searches += 1;
                octave.tree.iter().for_each(|(id, _)| report.add(id));
                continue;
            };
            for x in xs.into_iter().flatten() {
                for y in ys.into_iter().flatten() {
                    for z in zs.into_iter().flatten() {
                        searches += 1;
                        let image = (center + DVec3::new(x, y, z)).to_array();
                        octave
                            .tree
                            .query(&image)
                            .within::<SquaredEuclidean<f64>>(reach * reach)
                            .unsorted()
                            .visit(|found| report.add(found.item));
                    }
                }
            }
        }
        report.flush();
        searches
    }

    fn rebuild(&mut self, _: &(dyn Fn(u32) -> Entry + Sync)) {
        for octave in self.octaves.values_mut() {
            let points: Vec<(u32, Point)> = octave.points().collect();
            *octave = Octave::build(&points);
        }
    }

    /// Returns an estimate, because `kiddo` does not report the memory of its trees.
    fn bytes(&self) -> usize {
        // Leaves have room for 32 points and are about two thirds full.
        let leaf = LEAF_POINTS * (size_of::<Point>() + size_of::<u32>());
        let octaves = self.octaves.values();
        let trees: usize = octaves
            .map(|octave| octave.tree.leaf_count() * (leaf + 4 * size_of::<f64>()))
            .sum();
        trees + self.stored.words.capacity() * size_of::<u64>()
    }

    fn assert_well_formed(&self, sphere: &dyn Fn(u32) -> Entry) {
        let mut seen = BTreeSet::new();
        for (&exponent, octave) in &self.octaves {
            assert!(octave.len() > 0, "octave {exponent} is empty");
            for (id, point) in octave.points() {
                let entry = sphere(id);
                assert_eq!(point, self.point(&entry), "point of {entry:?}");
                assert_eq!(floor_log2(entry.radius), exponent, "octave of {entry:?}");
                assert!(seen.insert(id), "{entry:?} is stored twice");
                assert!(
                    self.stored.contains(id),
                    "{entry:?} is missing from the set of ids"
                );
            }
        }
        assert_eq!(seen.len(), self.stored.len, "number of spheres");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::container::Boundaries;

    #[test]
    fn points_that_cannot_be_split_are_kept_beside_the_tree() {
        let container = Container::cuboid(DVec3::ONE, Boundaries::PERIODIC).unwrap();
        let mut index = KdTree::new(&container, &[]);
        let entry = |id, center| Entry {
            center,
            radius: 0.01,
            id,
        };
        // The shifts move all these centers to one point.
        let shift = |id| DVec3::from_array(index.point(&entry(id, DVec3::ZERO)));
        let all: Vec<Entry> = (0..100)
            .map(|id| entry(id, DVec3::splat(0.5) - shift(id)))
            .collect();
        all.iter().for_each(|&entry| index.insert(entry).unwrap());
        let sphere = |id: u32| all[id as usize];
        let octave = index.octaves.values().next().unwrap();
        assert!(!octave.unsplittable.is_empty());
        index.assert_well_formed(&sphere);
        let count = |index: &KdTree| {
            let mut count = 0;
            index.visit_candidates(DVec3::splat(0.5), 0.0, &mut |run| count += run.len());
            count
        };
        assert_eq!(count(&index), 100);
        assert_eq!(count(&KdTree::new(&container, &all)), 100);
        for id in 0..100 {
            assert_eq!(count(&index), 100 - id as usize);
            index.remove(sphere(id)).unwrap();
            index.assert_well_formed(&sphere);
        }
    }

    #[test]
    fn spheres_on_a_face_can_be_split() {
        let container = Container::cuboid(DVec3::ONE, Boundaries::PERIODIC).unwrap();
        let entries: Vec<Entry> = (0..1000)
            .map(|id| Entry {
                center: DVec3::new(0.0, f64::from(id) / 1000.0, 0.5),
                radius: 0.01,
                id,
            })
            .collect();
        let built = KdTree::new(&container, &entries);
        let mut grown = KdTree::new(&container, &[]);
        entries
            .iter()
            .for_each(|entry| grown.insert(*entry).unwrap());
        for index in [built, grown] {
            assert!(index.octaves.values().all(|o| o.unsplittable.is_empty()));
        }
    }
}
