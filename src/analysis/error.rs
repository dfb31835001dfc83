//! Reasons why an analysis is impossible.

use glam::DVec3;

use super::constants::{
    MAX_BINS, MAX_CELLS_PER_AXIS, MAX_CLASSES, MAX_GROUPS, MAX_TOLERANCE, MOST_POINTS,
};
use crate::dimension::Dimension;

/// Reason why spheres cannot be analyzed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum AnalysisError {
    /// A coordinate of a center is infinite, not a number, or beyond a wall.
    #[error(
        "sphere {id} has the center {center}; each coordinate must be a finite number, and from 0 to the container's length \
         along an axis with walls"
    )]
    Center {
        /// Position of the sphere in the arrays.
        id: usize,
        /// Rejected center.
        center: DVec3,
    },
    /// A radius is not positive and finite.
    #[error("sphere {id} has the radius {radius}; it must be a positive, finite number")]
    Radius {
        /// Position of the sphere in the arrays.
        id: usize,
        /// Rejected radius.
        radius: f64,
    },
    /// There are more spheres than ids.
    #[error("there are {spheres} spheres; at most {} are accepted", u32::MAX)]
    TooManySpheres {
        /// Number of spheres.
        spheres: usize,
    },
    /// The quantity is known in the plane or in space only.
    #[error("{quantity} is known for {}, not for {}", words(*dimension)[0], words(*dimension)[1])]
    OtherDimension {
        /// The quantity.
        quantity: &'static str,
        /// The dimension in which it is known.
        dimension: Dimension,
    },
    /// The volume of the container or of the spheres is 0 or infinite in f64.
    #[error(
        "the volumes of the spheres or of the container, whose longest side is {longest:e}, leave the range of numbers; lengths and \
         diameters must be from 1e-100 to 1e100"
    )]
    Volume {
        /// Longest side of the bounding box of the container.
        longest: f64,
    },
    /// Too many spheres overlap at one place.
    #[error(
        "a sphere has more than {most} neighbors of about its size or larger; spheres that overlap so much cannot be analyzed"
    )]
    Crowded {
        /// Largest accepted number.
        most: usize,
    },
    /// The tolerance of a contact is not accepted.
    #[error(
        "the contact tolerance is {tolerance}; it must be from 0 to {MAX_TOLERANCE} smaller diameters"
    )]
    Tolerance {
        /// Rejected tolerance, in units of the smaller diameter.
        tolerance: f64,
    },
    /// The axis of the profile is not accepted.
    #[error("the axis of the profile is {axis}; it must be 0, 1 or 2 for x, y or z")]
    Axis {
        /// Rejected axis.
        axis: usize,
    },
    /// There are too many random points.
    #[error("the number of random points is {points}; at most {MOST_POINTS} are accepted")]
    Points {
        /// Rejected number.
        points: usize,
    },
    /// The contacts belong to other spheres.
    #[error(
        "the contacts are those of {contacts} spheres, but {spheres} spheres are given; the numbers must be equal"
    )]
    OtherSpheres {
        /// Number of spheres for which the contacts were found.
        contacts: usize,
        /// Number of spheres given.
        spheres: usize,
    },
    /// A mean over contacts does not exist.
    #[error(
        "no two spheres with different centers touch; the fabric tensor needs at least one contact"
    )]
    NoContacts,
    /// The number of cells is not accepted.
    #[error(
        "the number of cells per axis is {cells_per_axis}; it must be from 2 to {MAX_CELLS_PER_AXIS}"
    )]
    CellsPerAxis {
        /// Rejected number.
        cells_per_axis: usize,
    },
    /// The radial distribution function is defined for periodic containers only.
    #[error(
        "the {axis} axis of the container has walls; the radial distribution function needs three periodic axes"
    )]
    NotPeriodic {
        /// The axis by name.
        axis: char,
    },
    /// The largest distance is not accepted.
    #[error(
        "the largest distance is {r_max}; it must be above 0 and at most {limit}, half the shortest length of the container"
    )]
    Distance {
        /// Rejected distance.
        r_max: f64,
        /// Half the shortest length of the container.
        limit: f64,
    },
    /// The cutoff of a search for neighbors is not accepted.
    #[error("the cutoff is {cutoff}; it must be above 0 and {}", at_most(*limit))]
    Cutoff {
        /// Rejected cutoff.
        cutoff: f64,
        /// Half of the shortest periodic length of the container; infinite without periodic axes.
        limit: f64,
    },
    /// The radical tessellation is computed in convex containers only.
    #[error(
        "the container has bodies or is a mesh; cells of spheres need a box, a cylinder, a sphere or a cone without bodies"
    )]
    NotConvex,
    /// The number of bins is not accepted.
    #[error("the number of bins is {bins}; it must be from 1 to {MAX_BINS}")]
    Bins {
        /// Rejected number.
        bins: usize,
    },
    /// A limit between two size classes is not accepted.
    #[error(
        "limit {position} of the size classes is {limit}; the limits must be finite, above 0 and increasing"
    )]
    ClassLimit {
        /// Position in the list of limits, from 0.
        position: usize,
        /// Rejected diameter.
        limit: f64,
    },
    /// There are too many size classes.
    #[error("there are {classes} size classes; at most {MAX_CLASSES} are accepted")]
    TooManyClasses {
        /// Number of classes, one more than the limits.
        classes: usize,
    },
    /// There are too many groups of spheres.
    #[error("there are {groups} groups of spheres; at most {MAX_GROUPS} are accepted")]
    TooManyGroups {
        /// Number of groups.
        groups: usize,
    },
    /// A sphere belongs to no group.
    #[error("sphere {id} has the group {group}; it must be below {groups}, the number of groups")]
    Group {
        /// Position of the sphere in the arrays.
        id: usize,
        /// Rejected group.
        group: u32,
        /// Number of groups.
        groups: usize,
    },
    /// The groups belong to other spheres.
    #[error(
        "the groups are those of {grouped} spheres, but {spheres} spheres are given; the numbers must be equal"
    )]
    OtherGroups {
        /// Number of spheres that were divided into groups.
        grouped: usize,
        /// Number of spheres given.
        spheres: usize,
    },
    /// The packing was not made from a blend.
    #[error(
        "the packing has no components, because it was not made from a blend; divide it by class"
    )]
    NoComponents,
    /// The depth from the walls is defined in containers with walls only.
    #[error(
        "the container has neither walls nor bodies; the profile of the depth needs one of them"
    )]
    NoWalls,
}

/// Returns what a dimension holds, and what the other one holds.
fn words(dimension: Dimension) -> [&'static str; 2] {
    match dimension {
        Dimension::Two => ["disks", "spheres"],
        Dimension::Three => ["spheres", "disks"],
    }
}

/// Returns the largest accepted cutoff in words.
fn at_most(limit: f64) -> String {
    if limit.is_finite() {
        format!("at most {limit}, half of the shortest periodic length of the container")
    } else {
        "finite".to_owned()
    }
}
