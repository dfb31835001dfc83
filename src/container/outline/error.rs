//! Reasons why rings are no outline.

use std::path::PathBuf;

use glam::DVec2;

use super::constants::{LENGTHS, MOST_EDGES};

/// Reason why rings of points do not enclose a region of the plane.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum OutlineError {
    /// There is no ring.
    #[error("the outline has no ring; at least one ring of three points is expected")]
    Empty,
    /// A ring has too few points.
    #[error("ring {ring} of the outline has {points} different points; at least 3 are expected")]
    Points {
        /// Number of the ring, from 1.
        ring: usize,
        /// Number of its points.
        points: usize,
    },
    /// A coordinate is infinite or no number.
    #[error("ring {ring} of the outline has the point {point}; coordinates must be finite")]
    Number {
        /// Number of the ring, from 1.
        ring: usize,
        /// The point.
        point: DVec2,
    },
    /// There are too many edges.
    #[error("the outline has {edges} edges; at most {MOST_EDGES} are accepted")]
    TooManyEdges {
        /// Number of edges.
        edges: usize,
    },
    /// The bounding box is too small or too large.
    #[error(
        "the bounding box of the outline has the length {length:e} along {axis}; it must be from {:e} to {:e}",
        LENGTHS.start(),
        LENGTHS.end()
    )]
    Length {
        /// The axis by name.
        axis: char,
        /// The length.
        length: f64,
    },
    /// Two edges cross or touch.
    #[error(
        "edges of the outline cross or touch near {at}; rings must not meet themselves or each other"
    )]
    Crossing {
        /// A point near both edges.
        at: DVec2,
    },
}

/// A file that holds no outline.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{}: {problem}", path.display())]
pub struct ReadOutlineError {
    /// The file.
    pub path: PathBuf,
    /// The problem, in words.
    pub problem: String,
}
