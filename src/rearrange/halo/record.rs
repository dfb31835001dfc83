//! Spheres as messages between ranks.

use bytemuck::{Pod, Zeroable};

use crate::container::frame::Point;

/// Most spheres that one message to other ranks describes. More spheres take several messages, so that messages take little memory.
pub(super) const PER_MESSAGE: usize = 1 << 14;

/// The complete state of one sphere.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub(super) struct Record {
    /// With its radius at scale 1.
    pub sphere: Point,
    /// The inflated sphere of the Verlet lists.
    pub outer: Point,
    /// The inflated sphere of the shortlists; without shortlists the outer one.
    pub inner: Point,
    pub id: u32,
    /// The caller's number.
    pub original: u32,
    pub level: u32,
    /// The rank that owns the sphere, or [`Record::NO_OWNER`].
    pub owner: u32,
    /// The sweep of the last refresh.
    pub refreshed: u32,
    /// 1 if the next sweep must visit the sphere.
    pub is_active: u32,
    /// 1 if the inflated sphere of the Verlet lists or the level may be new to a rank that holds the sphere.
    pub has_new_outer: u32,
    pub padding: u32,
}

impl Record {
    /// The owner in a record that tells a rank to remove a sphere.
    pub const NO_OWNER: u32 = u32::MAX;

    /// Returns the state of a sphere that has no level and no owner yet.
    pub fn new(id: u32, original: u32, sphere: Point, outer: Point, refreshed: u32) -> Self {
        Self {
            sphere,
            outer,
            inner: outer,
            id,
            original,
            level: 0,
            owner: Self::NO_OWNER,
            refreshed,
            is_active: 1,
            has_new_outer: 1,
            padding: 0,
        }
    }

    /// Returns the record that tells a rank to remove the sphere.
    pub fn forgotten(self) -> Self {
        Self {
            owner: Self::NO_OWNER,
            ..self
        }
    }
}

/// A sphere that was moved in a color.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub(super) struct Moved {
    pub id: u32,
    pub at: [i32; 3],
}
