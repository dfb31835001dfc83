//! The account of what was repaired in a mesh.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::names::rounded;

/// Numbers of everything that was changed to make the surface of a body from the triangles of a file. All are 0 for a mesh that was
/// accepted as it is.
///
/// # Example
/// ```
/// use jostle::{container::{Mesh, MeshReader}, glam::DVec3};
///
/// // A box without a lid, and one triangle that faces the inside.
/// let corners = [0, 1, 2, 3, 4, 5, 6, 7].map(|k| [k & 1, k >> 1 & 1, k >> 2 & 1].map(f64::from));
/// let triangles = [
///     [0, 2, 3], [0, 1, 3], [0, 1, 5], [0, 5, 4], [1, 3, 7], [1, 7, 5], [3, 2, 6], [3, 6, 7], [2, 0, 4], [2, 4, 6],
/// ];
/// let vertices: Vec<DVec3> = corners.map(DVec3::from_array).to_vec();
/// let mesh: Mesh = MeshReader::default().cap().triangles(&vertices, &triangles)?;
/// assert_eq!(mesh.volume(), 1.0);
/// assert_eq!(mesh.repairs().to_string(), "1 triangle turned, 1 opening closed by an area of 1");
/// # Ok::<(), jostle::container::MeshError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct MeshRepairs {
    /// Number of vertices that were joined with another vertex.
    pub welded_vertices: u64,
    /// Number of triangles without area, and of triangles with the corners of another one, that were dropped.
    pub dropped_triangles: u64,
    /// Number of triangles that were divided at vertices on their edges.
    pub divided_triangles: u64,
    /// Number of triangles whose other side faces the outside now.
    pub flipped_triangles: u64,
    /// Number of openings that were closed by flat caps.
    pub capped_openings: u64,
    /// Area of the caps.
    pub capped_area: f64,
    /// Number of triangles that do not bound the chosen region.
    pub left_out_triangles: u64,
}

impl MeshRepairs {
    /// Returns whether nothing was changed.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Returns the repairs of a mesh whose lengths are multiplied by `factor`.
    pub(super) fn scaled(self, factor: f64) -> Self {
        Self {
            capped_area: self.capped_area * factor * factor,
            ..self
        }
    }
}

/// Writes all numbers that are not 0, as in `2 vertices joined, 1 triangle dropped`.
impl fmt::Display for MeshRepairs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let counted = |count: u64, one: &str, many: &str, change: &str| {
            let noun = if count == 1 { one } else { many };
            (count > 0).then(|| format!("{count} {noun} {change}"))
        };
        let triangles = |count, change| counted(count, "triangle", "triangles", change);
        let area = format!("closed by an area of {}", rounded(self.capped_area));
        let changes = [
            counted(self.welded_vertices, "vertex", "vertices", "joined"),
            triangles(self.dropped_triangles, "dropped"),
            triangles(self.divided_triangles, "divided"),
            triangles(self.flipped_triangles, "turned"),
            counted(self.capped_openings, "opening", "openings", &area),
            triangles(self.left_out_triangles, "of other shells left out"),
        ];
        let changes: Vec<String> = changes.into_iter().flatten().collect();
        if changes.is_empty() {
            return f.write_str("nothing changed");
        }
        f.write_str(&changes.join(", "))
    }
}
