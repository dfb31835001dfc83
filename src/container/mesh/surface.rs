//! The surface of a solid body: accepted triangles, and signed distances from them.

use glam::DVec3;
use rayon::prelude::*;

use super::{
    super::wall::Wall,
    constants::{LENGTHS, MOST_BEND, MOST_TRIANGLES, REENTRANT},
    error::MeshError,
    exact::is_flat,
    facet::{Nearest, Part},
    intersections::check_intersections,
    shells::{check_shells, volume},
    topology::{Neighbors, neighbors, shells},
    tree::Tree,
};
use crate::machine::parallel::Erase;

/// A closed surface that does not intersect itself, in a bounding box with one corner at the origin.
pub(super) struct Surface {
    pub vertices: Vec<DVec3>,
    pub triangles: Vec<[u32; 3]>,
    /// Lengths of the bounding box.
    pub lengths: DVec3,
    pub volume: f64,
    pub tree: Tree,
    neighbors: Neighbors,
    /// Sum of the normals around each vertex, weighted by angles.
    vertex_normals: Vec<DVec3>,
}

impl Surface {
    /// Accepts a mesh. Its bounding box must start at the origin.
    pub fn new(vertices: Vec<DVec3>, triangles: Vec<[u32; 3]>) -> Result<Self, MeshError> {
        check_numbers(&vertices, &triangles)?;
        let lengths = bounds(&vertices).1;
        for (axis, length) in ['x', 'y', 'z'].into_iter().zip(lengths.to_array()) {
            if !LENGTHS.contains(&length) {
                return Err(MeshError::Length { axis, length });
            }
        }
        let corners = |id: usize| triangles[id].map(|vertex| vertices[vertex as usize]);
        let flat = (0..triangles.len())
            .into_par_iter()
            .find_first(|&id| is_flat(corners(id)));
        if let Some(id) = flat {
            return Err(MeshError::Flat {
                triangle: id + 1,
                corners: corners(id),
            });
        }
        let neighbors = neighbors(&vertices, &triangles)?;
        let mut tree = Tree::new((0..triangles.len()).map(corners), lengths);
        check_intersections(&vertices, &triangles, &tree)?;
        check_shells(&vertices, &triangles, &shells(&neighbors))?;
        let volume = volume((0..triangles.len()).map(corners), 0.5 * lengths);
        let vertex_normals = vertex_normals(vertices.len(), &triangles, &tree);
        let vertex_bends = vertex_bends(&triangles, &tree, &vertex_normals);
        set_edge_slopes(&mut tree, &triangles, &neighbors, &vertex_bends);
        Ok(Self {
            vertices,
            triangles,
            lengths,
            volume,
            tree,
            neighbors,
            vertex_normals,
        })
    }

    /// Returns the volume inside shells that face a hole.
    pub fn hole_volume(&self) -> f64 {
        let corners = |&id: &u32| self.triangles[id as usize].map(|at| self.vertices[at as usize]);
        let shells = shells(&self.neighbors).into_iter();
        let volumes = shells.map(|shell| volume(shell.iter().map(corners), 0.5 * self.lengths));
        volumes.map(|volume| (-volume).max(0.0)).sum()
    }

    /// Returns a vector that points outwards at the closest point of the surface.
    ///
    /// Bærentzen & Aanæs, *Signed distance computation using the angle weighted pseudonormal*, IEEE Trans. Vis. Comput. Graph. 11
    /// (2005) 243.
    fn outwards(&self, nearest: &Nearest) -> DVec3 {
        let normal = |triangle: u32| self.tree.facets[triangle as usize].normal();
        let triangle = nearest.triangle as usize;
        match nearest.part {
            Part::Face => normal(nearest.triangle),
            Part::Edge(k) => normal(nearest.triangle) + normal(self.neighbors[triangle][k]),
            Part::Corner(k) => self.vertex_normals[self.triangles[triangle][k] as usize],
        }
    }

    /// Returns the wall at the closest point of the surface.
    #[inline]
    pub fn wall(&self, p: DVec3, nearest: &Nearest) -> Wall {
        let outwards = self.outwards(nearest);
        let from_wall = p - nearest.point;
        let sign = if from_wall.dot(outwards) <= 0.0 {
            1.0
        } else {
            -1.0
        };
        let inwards = if nearest.distance > 0.0 {
            from_wall * (sign / nearest.distance)
        } else {
            -outwards.normalize_or_zero()
        };
        Wall {
            distance: sign * nearest.distance,
            point: nearest.point,
            inwards,
        }
    }

    /// Returns the triangles beyond the three edges of a triangle, each from a corner to the next.
    pub fn neighbors(&self, triangle: u32) -> [u32; 3] {
        self.neighbors[triangle as usize]
    }

    /// Returns the distance of a point from the surface: positive inside.
    pub fn distance(&self, p: DVec3) -> f64 {
        self.wall(p, &self.tree.nearest(p)).distance
    }

    /// Returns the distance of a point from the surface if that is at least `least ≥ 0`, or else a number below `least`.
    pub fn distance_beyond(&self, p: DVec3, least: f64) -> f64 {
        let nearest = self.tree.nearest_beyond(p, least);
        if nearest.distance < least {
            nearest.distance
        } else {
            self.wall(p, &nearest).distance
        }
    }
}

/// Returns the lowest corner and the lengths of the bounding box.
pub(super) fn bounds(vertices: &[DVec3]) -> (DVec3, DVec3) {
    let low = vertices.iter().copied().fold(DVec3::INFINITY, DVec3::min);
    let high = vertices
        .iter()
        .copied()
        .fold(DVec3::NEG_INFINITY, DVec3::max);
    (low, high - low)
}

/// Rejects a wrong number of triangles, coordinates that are not finite, and vertices that do not exist.
pub(super) fn check_numbers(vertices: &[DVec3], triangles: &[[u32; 3]]) -> Result<(), MeshError> {
    if !(4..=MOST_TRIANGLES).contains(&triangles.len()) {
        return Err(MeshError::Count(triangles.len()));
    }
    if let Some(vertex) = vertices.iter().position(|vertex| !vertex.is_finite()) {
        return Err(MeshError::Coordinate {
            vertex: vertex + 1,
            at: vertices[vertex],
        });
    }
    let count = vertices.len();
    for (triangle, corners) in triangles.iter().enumerate() {
        if let Some(&vertex) = corners.iter().find(|&&vertex| vertex as usize >= count) {
            return Err(MeshError::Vertex {
                triangle: triangle + 1,
                vertex: u64::from(vertex) + 1,
                count,
            });
        }
    }
    Ok(())
}

fn vertex_normals(count: usize, triangles: &[[u32; 3]], tree: &Tree) -> Vec<DVec3> {
    let mut normals = vec![DVec3::ZERO; count];
    for (vertices, facet) in triangles.iter().zip(&tree.facets) {
        let corners = facet.corners();
        for k in 0..3 {
            let (to_next, to_last) = (
                corners[(k + 1) % 3] - corners[k],
                corners[(k + 2) % 3] - corners[k],
            );
            let across = to_next.cross(to_last).length();
            let angle = libm::atan2(across, to_next.dot(to_last));
            normals[vertices[k] as usize] += facet.normal() * angle;
        }
    }
    normals
}

/// Sets the slopes of the triangles with reentrant edges: edges at which the body has an angle above 180°.
///
/// A point inside the body lies from its closest point on an edge or at a corner in a direction between the inward normals around
/// the corner.
fn set_edge_slopes(
    tree: &mut Tree,
    triangles: &[[u32; 3]],
    neighbors: &Neighbors,
    vertex_bends: &[f64],
) {
    let slopes: Vec<f64> = (tree
        .facets
        .par_iter()
        .zip(triangles)
        .zip(neighbors)
        .erased())
    .map(|((facet, vertices), others)| {
        let corners = facet.corners();
        let is_reentrant = (0..3).any(|k| {
            let other = &tree.facets[others[k] as usize];
            let along = (corners[(k + 1) % 3] - corners[k]).normalize_or_zero();
            // Positive where the surface bends towards the outside.
            let bend = facet.normal().cross(other.normal()).dot(along);
            bend < REENTRANT || other.normal().dot(facet.normal()) < 0.0 && bend < 0.5
        });
        let bends = vertices.map(|vertex| vertex_bends[vertex as usize]);
        if is_reentrant {
            edge_slope(bends.into_iter().fold(0.0, f64::max))
        } else {
            0.0
        }
    })
    .collect();
    for (facet, slope) in tree.facets.iter_mut().zip(slopes) {
        facet.edge_slope = facet.edge_slope.max(slope);
    }
}

/// Returns the greatest angle between the normal of a triangle and the mean normal, for each vertex.
fn vertex_bends(triangles: &[[u32; 3]], tree: &Tree, vertex_normals: &[DVec3]) -> Vec<f64> {
    let mut bends = vec![0.0f64; vertex_normals.len()];
    for (vertices, facet) in triangles.iter().zip(&tree.facets) {
        for &vertex in vertices {
            let mean = vertex_normals[vertex as usize];
            let normal = facet.normal();
            let bend = libm::atan2(normal.cross(mean).length(), normal.dot(mean));
            bends[vertex as usize] = bends[vertex as usize].max(bend);
        }
    }
    bends
}

/// Returns the tangent of an angle that no direction at a vertex exceeds, measured from the normal of a triangle there.
///
/// Directions are within one bend from the mean normal, and the normal is within another one. The third bend is a reserve for
/// saddles. The result is infinite where the angle is large.
fn edge_slope(bend: f64) -> f64 {
    let angle = 3.0 * bend;
    if angle < MOST_BEND {
        libm::tan(angle)
    } else {
        f64::INFINITY
    }
}
