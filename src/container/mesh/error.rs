//! The reasons to reject a mesh.

use glam::DVec3;

/// A point as messages show it.
struct At<'a>(&'a DVec3);

impl std::fmt::Display for At<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let DVec3 { x, y, z } = self.0;
        write!(f, "({x:?}, {y:?}, {z:?})")
    }
}

/// Vertices and triangles that are not the surface of a solid body. Triangles and vertices are numbered from 1.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum MeshError {
    /// There are too few triangles or too many.
    #[error("the mesh has {0} triangles; it must have at least 4 and at most 1073741824")]
    Count(usize),
    /// A triangle names a vertex that does not exist.
    #[error("triangle {triangle} names vertex {vertex}, but the mesh has {count} vertices")]
    Vertex {
        /// The triangle.
        triangle: usize,
        /// The number of the vertex, from 1.
        vertex: u64,
        /// Number of vertices.
        count: usize,
    },
    /// A coordinate is not finite.
    #[error("vertex {vertex} is {at}; its coordinates must be finite numbers", at = At(at))]
    Coordinate {
        /// The vertex.
        vertex: usize,
        /// Its coordinates.
        at: DVec3,
    },
    /// The bounding box is flat, or beyond the range of numbers.
    #[error(
        "the mesh is {length:e} long along {axis}; a mesh must have a length between 1e-30 and 1e30 along each axis"
    )]
    Length {
        /// The axis by name.
        axis: char,
        /// The length.
        length: f64,
    },
    /// The corners of a triangle lie on one line.
    #[error(
        "triangle {triangle} is flat: its corners {a}, {b} and {c} lie on one line",
        a = At(&corners[0]), b = At(&corners[1]), c = At(&corners[2])
    )]
    Flat {
        /// The triangle.
        triangle: usize,
        /// Its corners.
        corners: [DVec3; 3],
    },
    /// An edge belongs to one triangle only.
    #[error(
        "the mesh is open: the edge from {a} to {b} belongs to triangle {triangle} only",
        a = At(&edge[0]), b = At(&edge[1])
    )]
    Open {
        /// The triangle.
        triangle: usize,
        /// The ends of the edge.
        edge: [DVec3; 2],
    },
    /// Two triangles run along their common edge in the same direction.
    #[error(
        "triangles {first} and {second} face opposite sides: both run along their common edge from {a} to {b}",
        a = At(&edge[0]), b = At(&edge[1])
    )]
    Turned {
        /// One triangle.
        first: usize,
        /// The other triangle.
        second: usize,
        /// The ends of the edge.
        edge: [DVec3; 2],
    },
    /// More than two triangles meet at an edge.
    #[error(
        "{count} triangles meet at the edge from {a} to {b}, among them triangle {triangle}; there must be two",
        a = At(&edge[0]), b = At(&edge[1])
    )]
    Crowded {
        /// One of the triangles.
        triangle: usize,
        /// Number of triangles at the edge.
        count: usize,
        /// The ends of the edge.
        edge: [DVec3; 2],
    },
    /// Two triangles share a point that is no common edge and no common corner.
    #[error("the mesh intersects itself: triangles {first} and {second} cross or touch")]
    Intersecting {
        /// One triangle.
        first: usize,
        /// The other triangle.
        second: usize,
    },
    /// The triangles of a shell face the inside of the body.
    #[error(
        "the mesh is inverted: triangle {triangle}, and the shell that it belongs to, face the inside of the body"
    )]
    Inverted {
        /// A triangle of the shell.
        triangle: usize,
    },
    /// A shell lies in a body and faces away from it.
    #[error(
        "the shell of triangle {triangle} lies inside another shell that faces the same side; the shell of a hole must face the hole"
    )]
    Nested {
        /// A triangle of the shell.
        triangle: usize,
    },
}

impl MeshError {
    /// Replaces the corners and the ends of edges.
    pub(super) fn with_points(mut self, new: impl Fn(DVec3) -> DVec3) -> Self {
        match &mut self {
            Self::Flat { corners, .. } => *corners = corners.map(new),
            Self::Open { edge, .. } | Self::Turned { edge, .. } | Self::Crowded { edge, .. } => {
                *edge = edge.map(new);
            }
            _ => {}
        }
        self
    }
}
