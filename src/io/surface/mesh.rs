//! A closed surface of triangles.

use glam::DVec3;

/// A closed surface. The vertices of a triangle are in counter-clockwise order when seen from outside.
#[derive(Clone, Debug, Default)]
pub(crate) struct Mesh {
    pub vertices: Vec<DVec3>,
    pub triangles: Vec<[u32; 3]>,
}

impl Mesh {
    /// Returns the corners of each triangle.
    pub(crate) fn corners(&self) -> impl Iterator<Item = [DVec3; 3]> + '_ {
        self.triangles
            .iter()
            .map(|triangle| triangle.map(|vertex| self.vertices[vertex as usize]))
    }
}
