//! The reasons to reject a mesh.

use glam::DVec3;

use crate::names::rounded;

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
        /// Coordinates of the vertex.
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
        /// Corners of the triangle.
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
    /// The triangles of a file leave an opening.
    #[error("the mesh is open: {}", opening(*count, *edges, *length, place, *fault))]
    Opening {
        /// Number of openings.
        count: usize,
        /// Number of edges of one of them.
        edges: usize,
        /// Sum of the lengths of these edges.
        length: f64,
        /// The mean of the vertices around this opening.
        place: DVec3,
        /// The reason why a cap cannot close it; absent if it can.
        fault: Option<&'static str>,
    },
    /// The cap of an opening crosses the mesh.
    #[error(
        "the cap of the opening around {} crosses or touches {}; 'cap' closes an opening only if its plane is free within the opening",
        near(place),
        triangle.map_or_else(|| "another cap".to_owned(), |triangle| format!("triangle {triangle}"))
    )]
    Cap {
        /// The mean of the vertices around the opening.
        place: DVec3,
        /// The triangle; absent for another cap.
        triangle: Option<usize>,
    },
    /// No shell encloses the point that chooses a region.
    #[error(
        "the point {at} is outside of all shells of the mesh; 'inside' must be a point within a closed shell, or with 'cap' in a cavity that ends at flat rims, in the coordinates of the file after its scale",
        at = At(point)
    )]
    Outside {
        /// The point.
        point: DVec3,
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

/// Returns a point with few digits.
fn near(place: &DVec3) -> String {
    format!("({})", place.to_array().map(rounded).join(", "))
}

/// Returns the account of an opening, and whether `cap` closes it.
fn opening(count: usize, edges: usize, length: f64, place: &DVec3, fault: Option<&str>) -> String {
    let which = match count {
        1 => "an opening".to_owned(),
        _ => format!("one of {count} openings"),
    };
    let end = match fault {
        None => "lies in a plane; 'cap' closes it, as in mesh:part.stl,cap".to_owned(),
        Some(fault) => format!("{fault}; 'cap' closes simple loops of edges in one plane"),
    };
    let (length, place) = (rounded(length), near(place));
    format!("{which} of {edges} edges, {length} long, around {place} {end}")
}

impl MeshError {
    /// Replaces the numbers of triangles.
    pub(super) fn with_triangles(mut self, new: impl Fn(usize) -> usize) -> Self {
        match &mut self {
            Self::Vertex { triangle, .. }
            | Self::Flat { triangle, .. }
            | Self::Open { triangle, .. }
            | Self::Crowded { triangle, .. }
            | Self::Inverted { triangle }
            | Self::Nested { triangle } => *triangle = new(*triangle),
            Self::Turned { first, second, .. } | Self::Intersecting { first, second } => {
                (*first, *second) = (new(*first), new(*second));
            }
            _ => {}
        }
        self
    }

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
