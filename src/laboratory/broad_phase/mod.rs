//! Broad phase algorithms: all touching pairs of a frame of spheres.
//!
//! One trait, one file per algorithm, each after its paper. They serve the comparison of the algorithms with one
//! another ([`crate::laboratory::compare`]); the packing loop has its own indexes, which answer for one sphere at a time.
//!
//! Two spheres touch when the squared distance of their centres is below the square of the sum of their radii, in
//! `f64`: a distance exactly equal to the sum of the radii is not a contact (Ogarko & Luding 2012, Section 2.2).
//!
//! | algorithm | source | cost of a frame of N equal spheres |
//! |---|---|---|
//! | [`LinkedCell`] | Quentrec & Brot 1973, Hockney & Eastwood 1981 | N |
//! | [`Nbs`] | Munjiza & Andrews 1998 | N |
//! | [`Mr`], [`MrS`] | Munjiza, Rougier & John 2006, Schiava D'Albano 2014 | N, first frame N log N |
//! | [`Bbts`] | Knott 1971, Schiava D'Albano 2014 | N log N |
//! | [`HGrid`] | Ogarko & Luding 2012, Krijgsman, Ogarko & Luding 2014 | N, for any sizes |
//! | [`Indexed`] | any [`GlobalIndex`](crate::GlobalIndex): octrees, kd-tree | depends on the index |
//!
//! The first five use one cell size, the largest diameter: with wide size distributions many small spheres share a
//! cell and the cost becomes quadratic. All work in open space, without boundaries; [`HGrid`] also in a container.

mod bbts;
mod cell_table;
mod hgrid;
mod indexed;
mod kind;
mod lattice;
mod linked_cell;
mod mr;
mod mr_s;
mod nbs;

pub use bbts::Bbts;
pub use hgrid::{HGrid, HGridError, HGridSearch};
pub use indexed::{BuildIndex, Indexed};
pub use kind::{BroadPhaseKind, ParseBroadPhaseKindError};
pub use linked_cell::LinkedCell;
pub use mr::Mr;
pub use mr_s::MrS;
pub use nbs::Nbs;

use glam::DVec3;

use self::cell_table::Waiting;
use crate::spheres::Spheres;

/// What one frame cost, in countable operations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Work {
    /// Distance tests between two spheres.
    pub pair_tests: u64,
    /// Cells (MR: stretches of the list; BBTS: cells sought in the tree; trees: nodes) looked into, empty ones too.
    pub cell_accesses: u64,
}

impl std::ops::AddAssign for Work {
    fn add_assign(&mut self, other: Self) {
        self.pair_tests += other.pair_tests;
        self.cell_accesses += other.cell_accesses;
    }
}

/// Detection of all touching pairs, frame after frame.
///
/// A value may keep state from one frame to the next, to be faster when spheres move little, but what it reports
/// depends on the frame alone: spheres may jump, change their radii, come and go.
pub trait BroadPhase: Send {
    /// Reports every touching pair of the frame exactly once, by the two positions in the arrays, in any order.
    ///
    /// Coordinates and radii must be finite.
    fn detect(&mut self, spheres: &Spheres, report: &mut dyn FnMut(u32, u32)) -> Work;

    /// The memory the data structure holds after the last frame, in bytes, without the spheres themselves.
    fn bytes(&self) -> usize;
}

/// Tests pairs, counts the tests, reports those that touch.
struct Tester<'a> {
    centers: &'a [DVec3],
    radii: &'a [f64],
    /// The lengths of the periodic axes, beyond whose faces [`Self::test_across`] looks; infinite where there is none.
    periods: DVec3,
    report: &'a mut dyn FnMut(u32, u32),
    work: Work,
    waiting: Waiting,
}

impl<'a> Tester<'a> {
    fn new(spheres: &'a Spheres, report: &'a mut dyn FnMut(u32, u32)) -> Self {
        Self {
            centers: spheres.centers(),
            radii: spheres.radii(),
            periods: DVec3::INFINITY,
            report,
            work: Work::default(),
            waiting: Waiting::new(),
        }
    }

    #[inline(always)]
    fn test(&mut self, i: u32, j: u32) {
        let between = self.centers[j as usize] - self.centers[i as usize];
        self.test_displaced(i, j, between);
    }

    /// The same for spheres that may touch across a periodic face of the container.
    #[inline(always)]
    fn test_across(&mut self, i: u32, j: u32) {
        let between = self.centers[j as usize] - self.centers[i as usize];
        let half = 0.5 * self.periods;
        let shift = DVec3::select(
            between.cmpgt(half),
            -self.periods,
            DVec3::select(between.cmplt(-half), self.periods, DVec3::ZERO),
        );
        let between = between + shift;
        self.test_displaced(i, j, between);
    }

    #[inline(always)]
    fn test_displaced(&mut self, i: u32, j: u32, between: DVec3) {
        self.work.pair_tests += 1;
        let reach = self.radii[i as usize] + self.radii[j as usize];
        if between.length_squared() < reach * reach {
            (self.report)(i, j);
        }
    }
}

/// The largest diameter; `None` when no two spheres can touch.
fn largest_diameter(spheres: &Spheres) -> Option<f64> {
    let radius = spheres.radii().iter().copied().fold(0.0, f64::max);
    (spheres.len() > 1 && radius > 0.0).then_some(2.0 * radius)
}

/// The memory of a vector, in bytes.
fn vec_bytes<T>(vec: &Vec<T>) -> usize {
    vec.capacity() * size_of::<T>()
}
