//! Smallest gaps between spheres, walls and periodic images, found without the library.
//!
//! Up to [`MOST_COMPARED`] spheres, all pairs are compared. More spheres are compared by an R*-tree of the crate `rstar`.

use rstar::{AABB, RTree, RTreeObject};

/// Largest number of spheres whose pairs are all compared.
const MOST_COMPARED: usize = 3_000;

/// Largest rounding error of a gap, in units of ε times the sum of the lengths and the largest diameter: three differences,
/// three shifts by a length, three squares, two sums, a root, the sum of the radii and the last difference.
const ROUNDINGS: f64 = 8.0;

/// Spheres in a cuboid from the origin to `lengths`.
pub struct Scene {
    pub centers: Vec<[f64; 3]>,
    pub radii: Vec<f64>,
    pub lengths: [f64; 3],
    pub is_periodic: [bool; 3],
}

/// The smallest gaps of a scene.
#[derive(Clone, Copy, Debug)]
pub struct Gaps {
    /// Between two spheres, their images included, and between a sphere and its own images; infinite if all are far apart.
    pub spheres: f64,
    /// Between a sphere and a wall; infinite without walls.
    pub walls: f64,
}

impl Gaps {
    pub fn smallest(self) -> f64 {
        self.spheres.min(self.walls)
    }
}

/// A sphere in the tree.
struct Leaf {
    index: usize,
    bounds: AABB<[f64; 3]>,
}

impl RTreeObject for Leaf {
    type Envelope = AABB<[f64; 3]>;

    fn envelope(&self) -> Self::Envelope {
        self.bounds
    }
}

impl Scene {
    /// Returns whether all pairs are compared.
    pub fn compares_all_pairs(&self) -> bool {
        self.radii.len() <= MOST_COMPARED
    }

    /// Returns the largest rounding error of a gap of this scene.
    pub fn rounding(&self) -> f64 {
        let terms = self.lengths.iter().sum::<f64>() + 2.0 * self.largest_radius();
        ROUNDINGS * f64::EPSILON * terms
    }

    fn largest_radius(&self) -> f64 {
        self.radii.iter().copied().fold(0.0, f64::max)
    }

    /// Returns the gap of two spheres or of the nearest images of them.
    pub fn gap(&self, i: usize, j: usize) -> f64 {
        let mut squares = 0.0;
        for axis in 0..3 {
            let (difference, length) = (
                self.centers[j][axis] - self.centers[i][axis],
                self.lengths[axis],
            );
            let mut nearest = difference.abs();
            if self.is_periodic[axis] {
                nearest = nearest
                    .min((difference - length).abs())
                    .min((difference + length).abs());
            }
            squares += nearest * nearest;
        }
        squares.sqrt() - (self.radii[i] + self.radii[j])
    }

    /// Returns the gap of a sphere to its own image along an axis.
    pub fn image_gap(&self, i: usize, axis: usize) -> f64 {
        self.lengths[axis] - 2.0 * self.radii[i]
    }

    /// Returns the gap of a sphere to the nearer wall of an axis.
    pub fn wall_gap(&self, i: usize, axis: usize) -> f64 {
        let (x, radius) = (self.centers[i][axis], self.radii[i]);
        (x - radius).min((self.lengths[axis] - x) - radius)
    }

    /// Returns the smallest gaps. Where not all pairs are compared, gaps beyond `reach` may be missed.
    pub fn gaps(&self, reach: f64) -> Gaps {
        let mut gaps = Gaps {
            spheres: f64::INFINITY,
            walls: f64::INFINITY,
        };
        for i in 0..self.radii.len() {
            for axis in 0..3 {
                if self.is_periodic[axis] {
                    gaps.spheres = gaps.spheres.min(self.image_gap(i, axis));
                } else {
                    gaps.walls = gaps.walls.min(self.wall_gap(i, axis));
                }
            }
        }
        let between = if self.compares_all_pairs() {
            self.smallest_of_all_pairs()
        } else {
            self.smallest_within(reach)
        };
        gaps.spheres = gaps.spheres.min(between);
        gaps
    }

    fn smallest_of_all_pairs(&self) -> f64 {
        let mut smallest = f64::INFINITY;
        for i in 0..self.radii.len() {
            for j in 0..i {
                smallest = smallest.min(self.gap(i, j));
            }
        }
        smallest
    }

    /// Returns the smallest gap of two spheres up to `reach`.
    fn smallest_within(&self, reach: f64) -> f64 {
        let leaves = (0..self.radii.len()).map(|index| Leaf {
            index,
            bounds: self.bounds(index, [0.0; 3], 0.0),
        });
        let tree = RTree::bulk_load(leaves.collect());
        let reach = reach.max(0.0) + self.rounding();
        let mut smallest = f64::INFINITY;
        for i in 0..self.radii.len() {
            for shift in self.shifts(i, reach) {
                let bounds = self.bounds(i, shift, reach);
                for found in tree.locate_in_envelope_intersecting(bounds) {
                    if found.index < i {
                        smallest = smallest.min(self.gap(i, found.index));
                    }
                }
            }
        }
        smallest
    }

    /// Returns the bounding box of a shifted sphere with a margin.
    fn bounds(&self, i: usize, shift: [f64; 3], margin: f64) -> AABB<[f64; 3]> {
        let half = self.radii[i] + margin;
        let center: [f64; 3] = std::array::from_fn(|axis| self.centers[i][axis] + shift[axis]);
        AABB::from_corners(center.map(|x| x - half), center.map(|x| x + half))
    }

    /// Returns the shifts of a sphere to its images that may be near other spheres.
    fn shifts(&self, i: usize, reach: f64) -> Vec<[f64; 3]> {
        let near = self.radii[i] + self.largest_radius() + reach;
        let along = |axis: usize| {
            let (x, length) = (self.centers[i][axis], self.lengths[axis]);
            let mut shifts = vec![0.0];
            if self.is_periodic[axis] && x <= near {
                shifts.push(length);
            }
            if self.is_periodic[axis] && x >= length - near {
                shifts.push(-length);
            }
            shifts
        };
        let [xs, ys, zs] = [along(0), along(1), along(2)];
        let mut shifts = Vec::new();
        for &x in &xs {
            for &y in &ys {
                shifts.extend(zs.iter().map(|&z| [x, y, z]));
            }
        }
        shifts
    }
}
