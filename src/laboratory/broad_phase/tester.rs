//! Distance tests.

use glam::DVec3;

use super::{algorithm::OperationCounts, short_rows::ShortRows};
use crate::spheres::Spheres;

/// Tests pairs, counts the tests, and reports the pairs that touch. With `BOXES_FIRST`, the bounding boxes of a pair are
/// tested before the distance.
pub(super) struct Tester<'a, const BOXES_FIRST: bool = false> {
    pub centers: &'a [DVec3],
    pub radii: &'a [f64],
    /// Lengths of the periodic axes, infinite along the other axes. [`Self::test_across`] takes distances across their
    /// faces.
    pub periods: DVec3,
    pub report: &'a mut dyn FnMut(u32, u32),
    pub counts: OperationCounts,
    pub short_rows: ShortRows,
}

impl<'a> Tester<'a> {
    /// Creates a tester for open space.
    pub fn new(snapshot: &'a Spheres, report: &'a mut dyn FnMut(u32, u32)) -> Self {
        Self {
            centers: snapshot.centers(),
            radii: snapshot.radii(),
            periods: DVec3::INFINITY,
            report,
            counts: OperationCounts::default(),
            short_rows: ShortRows::new(),
        }
    }
}

impl<const BOXES_FIRST: bool> Tester<'_, BOXES_FIRST> {
    /// Tests two spheres that cannot touch across a periodic face.
    #[inline(always)]
    pub fn test(&mut self, i: u32, j: u32) {
        let between = self.centers[j as usize] - self.centers[i as usize];
        self.test_displaced(i, j, between);
    }

    /// Tests two spheres that may touch across a periodic face of the container.
    #[inline(always)]
    pub fn test_across(&mut self, i: u32, j: u32) {
        let between = self.centers[j as usize] - self.centers[i as usize];
        let half = 0.5 * self.periods;
        let shift = DVec3::select(
            between.cmpgt(half),
            -self.periods,
            DVec3::select(between.cmplt(-half), self.periods, DVec3::ZERO),
        );
        self.test_displaced(i, j, between + shift);
    }

    #[inline(always)]
    fn test_displaced(&mut self, i: u32, j: u32, between: DVec3) {
        self.counts.pair_tests += 1;
        let reach = self.radii[i as usize] + self.radii[j as usize];
        if BOXES_FIRST {
            let [x, y, z] = between.to_array().map(f64::abs);
            if x >= reach || y >= reach || z >= reach {
                return;
            }
            self.counts.box_overlaps += 1;
        }
        if between.length_squared() < reach * reach {
            (self.report)(i, j);
        }
    }
}
