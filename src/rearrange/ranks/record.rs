//! Spheres as messages between ranks.

use bytemuck::{Pod, Zeroable};

pub(super) use crate::machine::messages::{from_bytes, gather, in_turn, send_to_each, to_bytes};

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
    /// The owner in a record that tells a rank to forget a sphere.
    pub const NO_OWNER: u32 = u32::MAX;

    /// Returns the record that tells a rank to forget the sphere.
    pub fn forgotten(self) -> Self {
        Self {
            owner: Self::NO_OWNER,
            ..self
        }
    }
}

/// All spheres by their numbers.
pub(in crate::rearrange) struct Gathered {
    /// With radii at scale 1; one more point pads lists.
    pub points: Vec<Point>,
    pub original: Vec<u32>,
    /// The inflated spheres of the Verlet lists.
    pub outer: Vec<Point>,
    /// Those of the shortlists; without shortlists the outer ones.
    pub inner: Vec<Point>,
    /// The sweep of each sphere's last refresh.
    pub refreshed: Vec<u32>,
    /// Whether the next sweep must visit a sphere.
    pub active: Vec<bool>,
}

/// A sphere that was moved in a phase.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub(super) struct Moved {
    pub id: u32,
    pub at: [i32; 3],
}
