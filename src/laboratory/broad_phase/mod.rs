//! Broad phase algorithms: all touching pairs of a snapshot, which is a set of spheres at one instant.
//!
//! One trait, one file per algorithm, each after its paper. They serve to compare the algorithms with one
//! another ([`crate::laboratory::compare`]). The packing loop uses the indexes of the crate instead, which answer queries for one
//! sphere at a time.
//!
//! Two spheres touch when the squared distance of their centers is below the square of the sum of their radii, in
//! `f64`: a distance exactly equal to the sum of the radii is not a contact (Ogarko & Luding 2012, Section 2.2).
//!
//! | algorithm | source | cost of a snapshot of N equal spheres |
//! |---|---|---|
//! | [`LinkedCell`] | Quentrec & Brot 1973, Hockney & Eastwood 1981 | N |
//! | [`Nbs`] | Munjiza & Andrews 1998 | N |
//! | [`Mr`], [`MrS`] | Munjiza, Rougier & John 2006, Schiava D'Albano 2014 | N, first snapshot N log N |
//! | [`Bbts`] | Knott 1971, Schiava D'Albano 2014 | N log N |
//! | [`SortedHGrid`] | Ogarko & Luding 2012, Krijgsman, Ogarko & Luding 2014 | N, for any sizes |
//! | [`Indexed`] | any [`GlobalIndex`](crate::index::GlobalIndex): octrees, kd-tree | depends on the index |
//!
//! The first five use one cell size, the largest diameter: with wide size distributions many small spheres share a
//! cell and the cost becomes quadratic. All work in open space, without boundaries; [`SortedHGrid`] also in a container.

mod algorithm;
#[cfg(feature = "laboratory")]
mod bbts;
#[cfg(feature = "laboratory")]
mod cell_list;
mod cell_table;
mod constants;
#[cfg(feature = "laboratory")]
mod indexed;
#[cfg(feature = "laboratory")]
mod kind;
mod lattice;
#[cfg(feature = "laboratory")]
mod mr;
#[cfg(feature = "laboratory")]
mod nbs;
mod short_rows;
mod sorted_hgrid;
mod tester;

pub use self::{
    algorithm::{BroadPhase, OperationCounts},
    sorted_hgrid::{HGridSearch, PairTest, SortedHGrid, SortedHGridError},
};
#[cfg(feature = "laboratory")]
pub use self::{
    bbts::Bbts,
    cell_list::LinkedCell,
    indexed::Indexed,
    kind::BroadPhaseKind,
    mr::{Mr, MrS},
    nbs::Nbs,
};
