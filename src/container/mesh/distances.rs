//! Cells that cover the bounding box of a surface, with the signed distances of their centres.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use glam::DVec3;

use super::{constants::MOST_ALONG_AXIS, surface::Surface};

/// Factor of bounds that makes up for distances in single precision.
pub(super) const ROUNDED_UP: f64 = 1.0 + 1e-6;

/// The bits of a distance that is not computed yet: not a number.
const UNKNOWN: u32 = u32::MAX;

/// The signed distances of the centres of cells. A distance is computed when it is needed first.
pub(super) struct Distances {
    /// Distances, rounded down, by their bits; [`UNKNOWN`] before they are needed.
    distances: Vec<AtomicU32>,
    /// Number of cells along each axis.
    counts: [usize; 3],
    /// Half the side of a cell.
    half: f64,
}

/// The position of a cell.
#[derive(Clone, Copy)]
pub(super) struct Region {
    pub center: DVec3,
    /// Half the side.
    pub half: f64,
    /// Number of divisions that led to the cell.
    pub depth: u32,
}

impl Region {
    /// Returns an upper bound of the distance of points in the cell from its centre.
    pub fn reach(&self) -> f64 {
        // Half the diagonal, rounded up.
        1.7321 * self.half
    }

    /// Returns the number of the eighth in which a point lies.
    pub fn eighth(&self, p: DVec3) -> usize {
        let is_upper = p.cmpge(self.center);
        usize::from(is_upper.x) + 2 * usize::from(is_upper.y) + 4 * usize::from(is_upper.z)
    }

    /// Returns an eighth of the cell.
    pub fn divided(&self, eighth: usize) -> Self {
        let half = 0.5 * self.half;
        let step = |bit: usize| if eighth >> bit & 1 == 1 { half } else { -half };
        Self {
            center: self.center + DVec3::new(step(0), step(1), step(2)),
            half,
            depth: self.depth + 1,
        }
    }
}

impl Distances {
    /// Creates about `cells` cells without any distance.
    pub fn new(lengths: DVec3, cells: f64) -> Self {
        let side = libm::cbrt(lengths.element_product() / cells)
            .max(lengths.max_element() / MOST_ALONG_AXIS);
        let counts = lengths
            .to_array()
            .map(|length| (length / side) as usize + 1);
        let unknown = std::iter::repeat_with(|| AtomicU32::new(UNKNOWN));
        Self {
            distances: unknown.take(counts.iter().product()).collect(),
            counts,
            half: 0.5 * side,
        }
    }

    /// Returns the number of cells.
    pub fn len(&self) -> usize {
        self.distances.len()
    }

    /// Returns the number of the cell that contains a point, which need not lie in the bounding box, and the region of the cell.
    #[inline(always)]
    pub fn cell(&self, p: DVec3) -> (usize, Region) {
        let side = 2.0 * self.half;
        // Conversion of a negative number to an unsigned one gives 0.
        let along = |axis: usize| ((p[axis] / side) as usize).min(self.counts[axis] - 1);
        let (x, y, z) = (along(0), along(1), along(2));
        let region = Region {
            center: (DVec3::new(x as f64, y as f64, z as f64) + 0.5) * side,
            half: self.half,
            depth: 0,
        };
        (x + self.counts[0] * (y + self.counts[1] * z), region)
    }

    /// Returns the signed distance of the centre of a cell, rounded down, if it is computed already.
    #[inline(always)]
    pub fn known(&self, cell: usize) -> Option<f64> {
        let bits = self.distances[cell].load(Relaxed);
        (bits != UNKNOWN).then(|| f32::from_bits(bits).into())
    }

    /// Returns the signed distance of the centre of a cell, rounded down.
    #[inline(always)]
    pub fn distance(&self, surface: &Surface, cell: usize, region: Region) -> f64 {
        self.known(cell).unwrap_or_else(|| {
            let distance = (surface.distance(region.center) as f32).next_down();
            // Another thread stores the same bits.
            self.distances[cell].store(distance.to_bits(), Relaxed);
            distance.into()
        })
    }

    /// Returns whether a point is inside and at least `reach` from the surface, if the distance of a centre tells that.
    pub fn is_clear(&self, surface: &Surface, p: DVec3, reach: f64) -> Option<bool> {
        let (cell, region) = self.cell(p);
        let distance = self.distance(surface, cell, region);
        let away = p.distance(region.center);
        if distance - away >= reach {
            return Some(true);
        }
        let most = distance + away + (ROUNDED_UP - 1.0) * (distance.abs() + away);
        (most < reach).then_some(false)
    }
}
