//! The k-d tree, over [`kiddo`].

use std::collections::{BTreeMap, BTreeSet};

use glam::DVec3;
use kiddo::{MutableKdTree, SquaredEuclidean};

use super::{Entry, GlobalIndex, axis::Axis, octree::floor_log2};
use crate::container::Container;

/// Candidates are handed over in runs of up to this many.
const RUN: usize = 32;

/// k-d trees of the centres, one for each octave of the radius, from the crate `kiddo`.
///
/// The octaves keep queries tight: a tree is searched as far as the largest sphere of its octave could reach the
/// probe from. Probes near a periodic face are repeated on the other side; one that reaches half around the
/// container is offered the whole octave.
///
/// A `kiddo` leaf cannot be split between points that agree in a coordinate, and centres often do (on a face,
/// all in one place). The trees therefore hold points moved by up to 2⁻²⁰ of the container, each id by
/// its own amount, and searches are as much wider.
///
/// [`visit_candidates`](GlobalIndex::visit_candidates) returns the number of tree searches, as `kiddo` does not
/// tell the nodes it opens; candidates are already the ones in range.
///
/// # Cost
/// O(log N) for each change and query; a relocation is a removal and an insertion. A tree is built afresh, in
/// O(N log N), after eight changes per sphere, because removals leave leaves half empty.
///
/// # Reference
/// J. L. Bentley: Multidimensional binary search trees used for associative searching, Communications of the ACM
/// 18 (1975).
#[derive(Debug)]
pub struct KdTree {
    axes: [Axis; 3],
    /// Length of each axis times the largest shift of a point.
    shifts: DVec3,
    len: usize,
    /// By the exponent of the radius.
    octaves: BTreeMap<i32, Octave>,
}

#[derive(Debug, Default)]
struct Octave {
    tree: MutableKdTree<f64, 3>,
    /// Points that `kiddo` found no room for.
    stragglers: Vec<(u32, Point)>,
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
        self.tree.size() + self.stragglers.len()
    }

    fn points(&self) -> impl Iterator<Item = (u32, Point)> {
        self.tree.iter().chain(self.stragglers.iter().copied())
    }

    fn add(&mut self, id: u32, point: &Point) {
        self.changes += 1;
        if self.tree.add(point, id).is_err() {
            self.stragglers.push((id, *point));
        }
    }

    fn remove(&mut self, id: u32, point: &Point) {
        self.changes += 1;
        match self.stragglers.iter().position(|&(other, _)| other == id) {
            Some(place) => drop(self.stragglers.swap_remove(place)),
            None => self.tree.remove(point, id),
        }
    }
}

impl KdTree {
    /// k-d trees over `entries`, which must have different ids.
    pub fn new(container: &Container, entries: &[Entry]) -> Self {
        let mut index = Self {
            axes: Axis::of(container),
            shifts: container.lengths() / f64::from(1 << 20),
            len: entries.len(),
            octaves: BTreeMap::new(),
        };
        let mut points: BTreeMap<i32, Vec<(u32, Point)>> = BTreeMap::new();
        for entry in entries {
            let octave = points.entry(floor_log2(entry.radius)).or_default();
            octave.push((entry.id, index.point(entry)));
        }
        index.octaves = points
            .iter()
            .map(|(&exponent, points)| (exponent, Octave::build(points)))
            .collect();
        index
    }

    /// The point that stands for a sphere in its tree.
    fn point(&self, entry: &Entry) -> Point {
        // Odd factors: no two ids are shifted alike.
        const FACTORS: [u32; 3] = [0x9e37_79b1, 0x85eb_ca77, 0xc2b2_ae3d];
        [0, 1, 2].map(|axis| {
            let share = f64::from(entry.id.wrapping_mul(FACTORS[axis])) / 2f64.powi(32);
            entry.center[axis] + share * self.shifts[axis]
        })
    }

    /// How far off, along each axis, the images of a probe are to be searched for; none if the probe reaches so
    /// far that images overlap.
    fn images(&self, center: DVec3, reach: f64) -> Option<[[Option<f64>; 2]; 3]> {
        let mut images = [[Some(0.0), None]; 3];
        for (axis, image) in images.iter_mut().enumerate() {
            image[1] = self.axes[axis].image_within(center[axis], reach)?;
        }
        Some(images)
    }
}

/// Candidates on their way to the caller.
struct Basket<'a> {
    run: [u32; RUN],
    len: usize,
    visit: &'a mut dyn FnMut(&[u32]),
}

impl Basket<'_> {
    fn add(&mut self, id: u32) {
        self.run[self.len] = id;
        self.len += 1;
        if self.len == RUN {
            self.empty();
        }
    }

    fn empty(&mut self) {
        if self.len > 0 {
            (self.visit)(&self.run[..self.len]);
            self.len = 0;
        }
    }
}

impl GlobalIndex for KdTree {
    fn insert(&mut self, entry: Entry) {
        let point = self.point(&entry);
        self.len += 1;
        let octave = self.octaves.entry(floor_log2(entry.radius)).or_default();
        octave.add(entry.id, &point);
        if octave.changes > 8 * octave.len() + 256 {
            let points: Vec<(u32, Point)> = octave.points().collect();
            *octave = Octave::build(&points);
        }
    }

    fn stays(&self, from: &Entry, to: &Entry) -> bool {
        from == to
    }

    fn remove(&mut self, entry: Entry) {
        let point = self.point(&entry);
        self.len -= 1;
        let exponent = floor_log2(entry.radius);
        if let Some(octave) = self.octaves.get_mut(&exponent) {
            octave.remove(entry.id, &point);
            if octave.len() == 0 {
                self.octaves.remove(&exponent);
            }
        }
    }

    fn len(&self) -> usize {
        self.len
    }

    fn visit_candidates(&self, center: DVec3, radius: f64, visit: &mut dyn FnMut(&[u32])) -> usize {
        let mut basket = Basket {
            run: [0; RUN],
            len: 0,
            visit,
        };
        let mut searches = 0;
        for (&exponent, octave) in self.octaves.iter().rev() {
            octave.stragglers.iter().for_each(|&(id, _)| basket.add(id));
            // Wider than the octave's spheres by the shift of the points.
            let reach =
                (radius + 2f64.powi(exponent + 1)) * (1.0 + 1e-12) + 1.01 * self.shifts.length();
            let Some([xs, ys, zs]) = self.images(center, reach) else {
                searches += 1;
                octave.tree.iter().for_each(|(id, _)| basket.add(id));
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
                            .visit(|found| basket.add(found.item));
                    }
                }
            }
        }
        basket.empty();
        searches
    }

    /// Never: octaves come and go with their spheres, and are built afresh after many changes.
    fn is_outgrown(&self) -> bool {
        false
    }

    fn rebuild(&mut self, _: &(dyn Fn(u32) -> Entry + Sync)) {
        for octave in self.octaves.values_mut() {
            let points: Vec<(u32, Point)> = octave.points().collect();
            *octave = Octave::build(&points);
        }
    }

    /// An estimate: `kiddo` does not tell how much its trees hold.
    fn bytes(&self) -> usize {
        // Leaves have room for 32 points and are about two thirds full.
        let leaf = 32 * (size_of::<Point>() + size_of::<u32>());
        let octaves = self.octaves.values();
        octaves
            .map(|octave| octave.tree.leaf_count() * (leaf + 4 * size_of::<f64>()))
            .sum()
    }

    fn spheres_per_level(&self) -> Vec<usize> {
        vec![self.len]
    }

    fn assert_well_formed(&self, sphere: &dyn Fn(u32) -> Entry) {
        let mut seen = BTreeSet::new();
        for (&exponent, octave) in &self.octaves {
            assert!(octave.len() > 0, "octave {exponent} is empty");
            for (id, point) in octave.points() {
                let entry = sphere(id);
                assert_eq!(point, self.point(&entry), "{entry:?}");
                assert_eq!(floor_log2(entry.radius), exponent, "{entry:?}");
                assert!(seen.insert(id), "{entry:?} is stored twice");
            }
        }
        assert_eq!(seen.len(), self.len);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::container::Boundaries;

    #[test]
    fn points_that_cannot_be_split_are_kept_aside() {
        let container = Container::new(DVec3::ONE, Boundaries::PERIODIC).unwrap();
        let mut index = KdTree::new(&container, &[]);
        let entry = |id, center| Entry {
            center,
            radius: 0.01,
            id,
        };
        // Centres chosen such that the shifts make them one point.
        let shift = |id| DVec3::from_array(index.point(&entry(id, DVec3::ZERO)));
        let all: Vec<Entry> = (0..100)
            .map(|id| entry(id, DVec3::splat(0.5) - shift(id)))
            .collect();
        all.iter().for_each(|&entry| index.insert(entry));
        let sphere = |id: u32| all[id as usize];
        let octave = index.octaves.values().next().unwrap();
        assert!(!octave.stragglers.is_empty());
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
            index.remove(sphere(id));
            index.assert_well_formed(&sphere);
        }
    }

    #[test]
    fn spheres_on_a_face_are_no_stragglers() {
        let container = Container::new(DVec3::ONE, Boundaries::PERIODIC).unwrap();
        let entries: Vec<Entry> = (0..1000)
            .map(|id| Entry {
                center: DVec3::new(0.0, f64::from(id) / 1000.0, 0.5),
                radius: 0.01,
                id,
            })
            .collect();
        let built = KdTree::new(&container, &entries);
        let mut grown = KdTree::new(&container, &[]);
        entries.iter().for_each(|entry| grown.insert(*entry));
        for index in [built, grown] {
            assert!(index.octaves.values().all(|o| o.stragglers.is_empty()));
        }
    }
}
