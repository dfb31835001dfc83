//! Cubic cells that cover the bounding box of a surface.

use std::ops::Range;

use glam::DVec3;

use super::constants::{COARSENING, MOST_ALONG_AXIS};

/// Cubic cells that cover a bounding box whose low corner is the origin. They are numbered along x first, then y, then z.
pub(super) struct Grid {
    /// Number of cells along each axis.
    pub counts: [usize; 3],
    pub side: f64,
    per_length: f64,
}

impl Grid {
    /// Creates about `cells` cells.
    pub fn new(lengths: DVec3, cells: f64) -> Self {
        let side = libm::cbrt(lengths.element_product() / cells)
            .max(lengths.max_element() / MOST_ALONG_AXIS);
        let counts = lengths.to_array();
        Self::of(counts.map(|length| (length / side) as usize + 1), side)
    }

    fn of(counts: [usize; 3], side: f64) -> Self {
        Self {
            counts,
            side,
            per_length: 1.0 / side,
        }
    }

    /// Returns larger cells, each of which holds [`COARSENING`] of these cells along each axis.
    pub fn coarsened(&self) -> Self {
        let counts = self.counts.map(|count| count.div_ceil(COARSENING));
        Self::of(counts, self.side * COARSENING as f64)
    }

    /// Returns the number of cells in a layer of equal z.
    pub fn layer_len(&self) -> usize {
        self.counts[0] * self.counts[1]
    }

    /// Returns the number of cells.
    pub fn len(&self) -> usize {
        self.layer_len() * self.counts[2]
    }

    /// Returns an upper bound of the distance of points in a cell from its center: half the diagonal.
    pub fn radius(&self) -> f64 {
        0.866_03 * self.side
    }

    /// Returns the number and the center of the cell that contains a point, or of a cell at the border if the point is outside the
    /// bounding box.
    #[inline(always)]
    pub fn locate(&self, p: DVec3) -> (usize, DVec3) {
        // Conversion of a negative number to an unsigned one gives 0.
        let along = |axis: usize| ((p[axis] * self.per_length) as usize).min(self.counts[axis] - 1);
        let [x, y, z] = [along(0), along(1), along(2)];
        let number = x + self.counts[0] * (y + self.counts[1] * z);
        (number, self.center([x, y, z]))
    }

    /// Returns the center of a cell by its position along each axis.
    #[inline(always)]
    pub fn center(&self, at: [usize; 3]) -> DVec3 {
        (DVec3::from_array(at.map(|k| k as f64)) + 0.5) * self.side
    }

    /// Returns the positions along an axis of the cells whose centers lie between two coordinates, or slightly beyond.
    pub fn between(&self, axis: usize, low: f64, high: f64) -> Range<usize> {
        const ROUNDING: f64 = 1e-6;
        let first = (low * self.per_length - 0.5 - ROUNDING).ceil().max(0.0) as usize;
        let end = (high * self.per_length + 0.5 + ROUNDING).floor().max(0.0) as usize;
        first..end.min(self.counts[axis]).max(first)
    }
}
