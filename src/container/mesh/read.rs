//! Meshes from files.

use std::path::{Path, PathBuf};

use super::{
    obj,
    solid::Mesh,
    soup::{MeshFault, Soup},
    stl,
};

/// A file that is no mesh.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{}: {fault}", path.display())]
pub struct ReadMeshError {
    /// The file.
    pub path: PathBuf,
    /// The fault.
    pub fault: MeshFault,
}

impl Mesh {
    /// Reads the body in an STL file (ASCII or binary). Corners that differ by rounding to single precision become one
    /// vertex, and triangles without area are dropped.
    ///
    /// # Errors
    /// [`MeshFault`] if the bytes are no STL file, or if the triangles are not the surface of a body.
    pub fn from_stl(bytes: &[u8]) -> Result<Self, MeshFault> {
        body(stl::parse(bytes)?, 1.0)
    }

    /// Reads the body in an OBJ file. A face with more than three corners must be flat. Groups and materials are ignored, and
    /// so are texture coordinates and normals. Vertices are joined as in [`Self::from_stl`].
    ///
    /// # Errors
    /// [`MeshFault`] if the bytes are no OBJ file, or if the triangles are not the surface of a body.
    pub fn from_obj(bytes: &[u8]) -> Result<Self, MeshFault> {
        body(obj::parse(bytes)?, 1.0)
    }

    /// Reads the body in a file with the extension `.stl` or `.obj`, and multiplies all lengths by `scale`, which must be positive.
    ///
    /// # Errors
    /// [`ReadMeshError`] if the file cannot be read, or if its triangles are not the surface of a body.
    pub fn read(path: &Path, scale: f64) -> Result<Self, ReadMeshError> {
        read(path, scale).map_err(|fault| ReadMeshError {
            path: path.to_owned(),
            fault,
        })
    }
}

fn read(path: &Path, scale: f64) -> Result<Mesh, MeshFault> {
    let extension = path.extension().unwrap_or_default().to_ascii_lowercase();
    let parse = match extension.to_str() {
        Some("stl") => stl::parse,
        Some("obj") => obj::parse,
        _ => {
            let fault = "the extension of a mesh file must be .stl or .obj";
            return Err(MeshFault::File(fault.to_owned()));
        }
    };
    let bytes = std::fs::read(path).map_err(|error| MeshFault::File(error.to_string()))?;
    body(parse(&bytes)?, scale)
}

fn body(soup: Soup, scale: f64) -> Result<Mesh, MeshFault> {
    let soup = soup.welded();
    let vertices = soup.vertices.into_iter().map(|vertex| vertex * scale);
    Ok(Mesh::new(vertices.collect(), soup.triangles)?)
}
