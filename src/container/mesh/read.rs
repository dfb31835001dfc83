//! Meshes from files and from triangles as they come, with their repair.

use std::path::{Path, PathBuf};

use glam::DVec3;

use super::{
    error::MeshError,
    obj,
    patchwork::Patchwork,
    ply,
    solid::Mesh,
    soup::{MeshFault, Soup},
    stl,
    surface::check_numbers,
};
use crate::macros::setters;

/// A file that is no mesh.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{}: {fault}", path.display())]
pub struct ReadMeshError {
    /// The file.
    pub path: PathBuf,
    /// The fault.
    pub fault: MeshFault,
}

/// Options to read a mesh. Triangles that are the surface of a body are taken as they are; others are repaired:
///
/// - Vertices that differ by rounding to single precision (2.4 × 10⁻⁷ of the longest length of the bounding box along each axis) are joined in
///   every mesh, and triangles without area are dropped. All further repairs apply to a mesh that is not accepted then.
/// - Triangles with the corners of another one are dropped.
/// - Vertices at open edges are joined if they are at most 10⁻⁵ diagonals of the bounding box apart along each axis. Triangles are divided at vertices
///   that lie on their open edges, within the same distance.
/// - Triangles are turned to the side that their neighbors face, and shells to the outside. A shell inside an odd number of other
///   shells is a hole: it faces the hole.
///
/// [`Mesh::repairs`] states what was changed. Triangles that cross, and edges of more than two triangles, are errors.
///
/// # Example
/// ```no_run
/// use jostle::{container::MeshReader, glam::DVec3};
///
/// let hopper = MeshReader::default().scale(1000.0).cap().read("hopper.stl".as_ref())?;
/// println!("{}", hopper.repairs());
/// let cavity = MeshReader::default().inside(DVec3::new(0.0, 0.0, 5.0)).read("vessel.stl".as_ref())?;
/// # Ok::<(), jostle::container::ReadMeshError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeshReader {
    scale: f64,
    caps: bool,
    inside: Option<DVec3>,
}

impl Default for MeshReader {
    fn default() -> Self {
        Self {
            scale: 1.0,
            caps: false,
            inside: None,
        }
    }
}

impl MeshReader {
    setters! {
        /// Multiplies all lengths by `scale`, which must be positive.
        scale: f64;
        /// Chooses the region that contains a point, in the coordinates of the file after the factor of [`Self::scale`]: the innermost shell
        /// around the point bounds it, and the shells directly inside this one are holes. All other shells are left out.
        inside: DVec3;
    }

    /// Closes each opening by a flat cap: a loop of open edges that lies in a plane within 10⁻⁴ of its extent or 10⁻⁵ diagonals of the bounding box of
    /// the mesh. With [`Self::inside`], it also closes the openings of the cavity of a vessel with thick walls, at its flat rims.
    #[must_use]
    pub fn cap(self) -> Self {
        Self { caps: true, ..self }
    }

    /// Reads the body in a file with the extension `.stl`, `.obj` or `.ply`.
    ///
    /// # Errors
    /// [`ReadMeshError`] if the file cannot be read, or if its triangles are not the surface of a body after the repairs.
    pub fn read(self, path: &Path) -> Result<Mesh, ReadMeshError> {
        self.read_file(path).map_err(|fault| ReadMeshError {
            path: path.to_owned(),
            fault,
        })
    }

    /// Creates the body of triangles as if they came from a file, each given by the numbers of its vertices from 0.
    ///
    /// # Cost
    /// That of [`Mesh::new`], and twice as much for a mesh that needs a repair.
    ///
    /// # Errors
    /// [`MeshError`] if the triangles are not the surface of a body after the repairs.
    pub fn triangles(self, vertices: &[DVec3], triangles: &[[u32; 3]]) -> Result<Mesh, MeshError> {
        check_numbers(vertices, triangles)?;
        let mut soup = Soup::default();
        for corners in triangles {
            soup.add(corners.map(|vertex| vertices[vertex as usize]));
        }
        self.body(soup)
    }

    fn read_file(self, path: &Path) -> Result<Mesh, MeshFault> {
        let extension = path.extension().unwrap_or_default().to_ascii_lowercase();
        let parse = match extension.to_str() {
            Some("stl") => stl::parse,
            Some("obj") => obj::parse,
            Some("ply") => ply::parse,
            _ => {
                let fault = "the extension of a mesh file must be .stl, .obj or .ply";
                return Err(MeshFault::File(fault.to_owned()));
            }
        };
        let bytes = std::fs::read(path).map_err(|error| MeshFault::File(error.to_string()))?;
        Ok(self.body(parse(&bytes)?)?)
    }

    fn body(self, soup: Soup) -> Result<Mesh, MeshError> {
        let mut patchwork = Patchwork::welded(soup, self.scale);
        match Mesh::new(patchwork.vertices.clone(), patchwork.triangles.clone()) {
            Ok(mesh) if self.inside.is_none() => Ok(mesh.with_repairs(patchwork.repairs)),
            Err(error) if !is_repairable(&error) => Err(patchwork.explain(error)),
            _ => (self.repaired(&mut patchwork)).map_err(|error| patchwork.explain(error)),
        }
    }

    fn repaired(self, patchwork: &mut Patchwork) -> Result<Mesh, MeshError> {
        patchwork.drop_useless();
        patchwork.join_cracks();
        patchwork.divide_at_vertices();
        if self.caps {
            if let Some(point) = self.inside {
                patchwork.open_rims(point)?;
            }
            patchwork.cap_openings()?;
        } else {
            patchwork.reject_openings()?;
        }
        let shells = patchwork.orient();
        if let Some(point) = self.inside {
            patchwork.choose(&shells, point)?;
        }
        patchwork.count_caps();
        patchwork.drop_vertices();
        let mesh = Mesh::new(patchwork.vertices.clone(), patchwork.triangles.clone())?;
        Ok(mesh.with_repairs(patchwork.repairs))
    }
}

/// Returns whether a repair can help. Coordinates and lengths are valid then.
fn is_repairable(error: &MeshError) -> bool {
    matches!(
        error,
        MeshError::Open { .. }
            | MeshError::Turned { .. }
            | MeshError::Crowded { .. }
            | MeshError::Inverted { .. }
            | MeshError::Nested { .. }
    )
}

impl Mesh {
    /// Reads the body in an STL file (ASCII or binary), with the repairs of a [`MeshReader`] without options.
    ///
    /// # Errors
    /// [`MeshFault`] if the bytes are no STL file, or if the triangles are not the surface of a body.
    pub fn from_stl(bytes: &[u8]) -> Result<Self, MeshFault> {
        Ok(MeshReader::default().body(stl::parse(bytes)?)?)
    }

    /// Reads the body in an OBJ file. A face with more than three corners must be flat. Groups and materials are ignored, and
    /// so are texture coordinates and normals. The repairs are those of a [`MeshReader`] without options.
    ///
    /// # Errors
    /// [`MeshFault`] if the bytes are no OBJ file, or if the triangles are not the surface of a body.
    pub fn from_obj(bytes: &[u8]) -> Result<Self, MeshFault> {
        Ok(MeshReader::default().body(obj::parse(bytes)?)?)
    }

    /// Reads the body in a PLY file (ASCII or binary). A face with more than three corners must be flat. Elements and properties other
    /// than coordinates and the corners of faces are ignored. The repairs are those of a [`MeshReader`] without options.
    ///
    /// # Errors
    /// [`MeshFault`] if the bytes are no PLY file, or if the triangles are not the surface of a body.
    pub fn from_ply(bytes: &[u8]) -> Result<Self, MeshFault> {
        Ok(MeshReader::default().body(ply::parse(bytes)?)?)
    }

    /// Reads the body in a file with the extension `.stl`, `.obj` or `.ply`, and multiplies all lengths by `scale`, which must be positive.
    /// [`MeshReader`] has further options.
    ///
    /// # Errors
    /// [`ReadMeshError`] if the file cannot be read, or if its triangles are not the surface of a body.
    pub fn read(path: &Path, scale: f64) -> Result<Self, ReadMeshError> {
        MeshReader::default().scale(scale).read(path)
    }
}
