//! The body inside a mesh, as a container and as a body that keeps spheres out.

use std::sync::{Arc, OnceLock};

use glam::DVec3;

use super::{
    super::{deepest::Inscribed, wall::Wall},
    error::MeshError,
    field::Field,
    inscribed,
    repairs::MeshRepairs,
    surface::{Surface, bounds},
};
use crate::names::rounded;

/// The body inside a closed triangle mesh, in a bounding box with one corner at the origin.
///
/// Triangles face the outside: seen from there, their corners run counterclockwise. Each edge belongs to two triangles. Concave
/// bodies and several shells are allowed. A shell inside another one that faces the inside of that one is a hole.
///
/// Clones share the triangles and everything that was computed from them.
///
/// # Example
/// ```
/// use jostle::{container::Mesh, glam::DVec3};
///
/// let corners = [[0, 0, 0], [3, 0, 0], [0, 3, 0], [0, 0, 3]];
/// let vertices = corners.map(|corner| DVec3::from_array(corner.map(f64::from)));
/// let faces = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
/// let tetrahedron = Mesh::new(vertices.to_vec(), faces.to_vec())?;
/// assert_eq!(tetrahedron.volume(), 4.5);
///
/// let message = Mesh::new(vertices.to_vec(), faces[..3].to_vec()).unwrap_err().to_string();
/// assert_eq!(message, "the mesh has 3 triangles; it must have at least 4 and at most 1073741824");
/// # Ok::<(), jostle::container::MeshError>(())
/// ```
#[derive(Clone)]
pub struct Mesh {
    shared: Arc<Shared>,
    /// The lowest corner of the bounding box in the coordinates from which the mesh was made, before any factor.
    origin: DVec3,
    /// Factor of all lengths.
    scale: f64,
    repairs: MeshRepairs,
}

/// The properties that do not depend on the scale.
struct Shared {
    surface: Surface,
    field: OnceLock<Field>,
    largest_sphere: OnceLock<Inscribed>,
}

impl Mesh {
    /// Creates the body inside triangles, each given by the numbers of its vertices from 0. The body is moved to the origin. Nothing is
    /// repaired: see [`MeshReader`](super::MeshReader) for that.
    ///
    /// # Cost
    /// O(T log T) for T triangles, with exact tests of neighboring triangles; for several shells, also the number of shells
    /// times the number of triangles.
    ///
    /// # Errors
    /// [`MeshError`] if a triangle is flat, or if the triangles are not the whole surface of a body: if an edge is open, if
    /// triangles cross or touch, or if a shell faces the wrong side.
    pub fn new(mut vertices: Vec<DVec3>, triangles: Vec<[u32; 3]>) -> Result<Self, MeshError> {
        let (low, _) = bounds(&vertices);
        let origin = if low.is_finite() { low } else { DVec3::ZERO };
        let given = vertices.clone();
        for vertex in &mut vertices {
            *vertex -= origin;
        }
        let surface = Surface::new(vertices, triangles).map_err(|error| {
            // Messages show the coordinates from which the mesh was made.
            error.with_points(|point| {
                let vertex = given.iter().find(|&&vertex| vertex - origin == point);
                *vertex.unwrap_or(&point)
            })
        })?;
        Ok(Self {
            shared: Arc::new(Shared {
                surface,
                field: OnceLock::new(),
                largest_sphere: OnceLock::new(),
            }),
            origin,
            scale: 1.0,
            repairs: MeshRepairs::default(),
        })
    }

    /// Returns the vertices. The lowest coordinate along each axis is 0.
    pub fn vertices(&self) -> impl ExactSizeIterator<Item = DVec3> {
        self.shared.surface.vertices.iter().map(|&v| v * self.scale)
    }

    /// Returns the triangles: the numbers of their vertices, from 0.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.shared.surface.triangles
    }

    /// Returns the lowest corner of the bounding box, in the coordinates from which the mesh was made.
    pub fn origin(&self) -> DVec3 {
        self.origin * self.scale
    }

    /// Returns this mesh with the lowest corner of its bounding box at `origin`, in the coordinates from which it was made.
    pub(crate) fn with_origin(self, origin: DVec3) -> Self {
        let origin = origin / self.scale;
        Self { origin, ..self }
    }

    /// Returns what was repaired in the triangles of a file. Meshes of [`Self::new`] are never repaired.
    pub fn repairs(&self) -> MeshRepairs {
        self.repairs
    }

    /// Returns this mesh with the account of its repairs.
    pub(crate) fn with_repairs(self, repairs: MeshRepairs) -> Self {
        Self { repairs, ..self }
    }

    /// Returns the lengths of the bounding box.
    pub fn lengths(&self) -> DVec3 {
        self.shared.surface.lengths * self.scale
    }

    /// Returns the volume of the body.
    pub fn volume(&self) -> f64 {
        self.shared.surface.volume * self.scale * self.scale * self.scale
    }

    /// Returns the sentence about a body whose holes are larger than itself, which is the wall of a vessel.
    ///
    /// # Cost
    /// Linear in the number of triangles.
    pub(crate) fn cavity_note(&self) -> Option<String> {
        let unit = self.scale * self.scale * self.scale;
        let [walls, holes] = [self.volume(), self.shared.surface.hole_volume() * unit];
        (holes > walls).then(|| {
            format!(
                "the mesh is the wall of a cavity, which 'inside=x,y,z' with a point of it chooses: the wall has the volume {}, the cavity {}",
                rounded(walls),
                rounded(holes)
            )
        })
    }

    /// Returns this mesh with every length multiplied by `factor`, which must be positive.
    #[must_use]
    pub fn scaled(&self, factor: f64) -> Self {
        Self {
            scale: self.scale * factor,
            repairs: self.repairs.scaled(factor),
            ..self.clone()
        }
    }

    /// Returns the factor of all lengths since the mesh was made.
    pub(crate) fn scale(&self) -> f64 {
        self.scale
    }

    /// Returns the surface before any factor.
    pub(super) fn surface(&self) -> &Surface {
        &self.shared.surface
    }

    /// Returns the vertices before any factor.
    pub(crate) fn unscaled_vertices(&self) -> &[DVec3] {
        &self.shared.surface.vertices
    }

    /// Returns the center and the radius of the largest sphere inside, or of one that is slightly smaller.
    pub(crate) fn largest_sphere(&self) -> (DVec3, f64) {
        let surface = &self.shared.surface;
        let found = (self.shared.largest_sphere).get_or_init(|| inscribed::largest_sphere(surface));
        (found.center * self.scale, found.radius * self.scale)
    }

    /// Returns the wall nearest to a point.
    pub(super) fn wall(&self, point: DVec3) -> Wall {
        let (surface, point) = (&self.shared.surface, point / self.scale);
        self.scaled_wall(surface.wall(point, &surface.tree.nearest(point)))
    }

    /// Returns the wall nearest to a point if the point is inside the body or closer to it than `reach`.
    pub(super) fn wall_outside(&self, point: DVec3, reach: f64) -> Option<Wall> {
        let surface = &self.shared.surface;
        let point = point / self.scale;
        let nearest = if self.field().is_outside(point) {
            surface.tree.nearest_within(point, reach / self.scale)?
        } else {
            surface.tree.nearest(point)
        };
        Some(self.scaled_wall(surface.wall(point, &nearest)))
    }

    /// Returns whether a point is inside and at least `reach` from the wall.
    pub(super) fn is_clear(&self, point: DVec3, reach: f64) -> bool {
        let surface = &self.shared.surface;
        (self.field()).is_clear(surface, point / self.scale, reach / self.scale)
    }

    /// Returns the wall nearest to a point if the point is beyond the wall or closer to it than `reach`.
    #[inline]
    pub(super) fn wall_within(&self, point: DVec3, reach: f64) -> Option<Wall> {
        let surface = &self.shared.surface;
        let per_length = 1.0 / self.scale;
        let wall = (self.field()).wall_within(surface, point * per_length, reach * per_length)?;
        Some(self.scaled_wall(wall))
    }

    #[inline(always)]
    fn field(&self) -> &Field {
        (self.shared.field).get_or_init(|| Field::new(&self.shared.surface))
    }

    #[inline(always)]
    fn scaled_wall(&self, wall: Wall) -> Wall {
        Wall {
            distance: wall.distance * self.scale,
            point: wall.point * self.scale,
            inwards: wall.inwards,
        }
    }
}

impl PartialEq for Mesh {
    fn eq(&self, other: &Self) -> bool {
        let (own, theirs) = (&self.shared.surface, &other.shared.surface);
        let is_same = Arc::ptr_eq(&self.shared, &other.shared)
            || own.vertices == theirs.vertices && own.triangles == theirs.triangles;
        is_same && self.scale == other.scale
    }
}

impl std::fmt::Debug for Mesh {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Mesh")
            .field("triangles", &self.triangles().len())
            .field("lengths", &self.lengths())
            .finish_non_exhaustive()
    }
}
