//! The account of how a bed was poured.

use serde::{Deserialize, Serialize};

use crate::container::Direction;

/// The request behind a poured packing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Deposition {
    /// Direction of gravity.
    pub gravity: Direction,
    /// Order of the spheres, by name.
    pub order: String,
    /// Text form of the source of the spheres: `rain`, or the points of an outlet.
    pub source: String,
    /// Slope in degrees below which spheres do not roll.
    pub stop_angle: f64,
    /// Probability that a sphere sticks where it touches another one.
    pub sticking: f64,
    /// Requested height of the bed; absent if the number or volume of spheres was requested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub height: Option<f64>,
    /// Number of taps after the deposition.
    #[serde(default)]
    pub taps: u64,
    /// Number of rearrangements of the bed by the packing loop after the deposition.
    #[serde(default)]
    pub rearrangements: u64,
    /// Height of the bed: from the lowest point of the container to the highest point of a sphere.
    pub bed_height: f64,
}
