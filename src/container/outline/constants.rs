//! The constants of outlines.

use std::ops::RangeInclusive;

/// Largest number of edges. The cells near the edges of such an outline are found in about half a second.
pub(super) const MOST_EDGES: usize = 10_000;

/// Lengths of bounding boxes whose squares are far from the ends of the range of numbers.
pub(super) const LENGTHS: RangeInclusive<f64> = 1e-100..=1e100;

/// Distance of two edges, in longest lengths of the bounding box, below which they count as touching: above the rounding of coordinates.
pub(super) const TOUCHING: f64 = 1e-12;

/// Distance of successive points, in longest lengths of the bounding box, below which they are one point: arcs of files end where they
/// started up to rounding, or to the digits of the file.
pub(super) const JOINED: f64 = 1e-9;

/// Cells along the longest length of the bounding box, for each square root of the number of edges: a cell then has few edges nearby.
pub(super) const CELLS_PER_EDGE: f64 = 3.0;

/// Smallest and largest number of cells along the longest length.
pub(super) const CELLS: RangeInclusive<f64> = 8.0..=96.0;

/// Margin of the cells around the bounding box, in longest lengths: a disk beside a body is seldom farther away.
pub(super) const CELL_MARGIN: f64 = 0.1;

/// Largest number of corners that divide integrals over x, of bodies that cross walls or each other.
pub(super) const MOST_BREAKS: usize = 1000;

/// Number of cells that the search for the largest disk divides at once.
pub(super) const SEARCH_WIDTH: usize = 64;

/// Largest deviation of a polygon from a curve of a file, in longest lengths of the bounding box of the curves.
#[cfg(feature = "files")]
pub(super) const FLATNESS: f64 = 1e-4;

/// Distance of two ends of lines of a file, in longest lengths of the bounding box, below which they are one point: drawings have about six
/// digits.
#[cfg(feature = "files")]
pub(super) const CHAINED: f64 = 1e-6;
