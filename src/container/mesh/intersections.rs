//! The search for triangles that cross or touch.

use glam::DVec3;
use rayon::prelude::*;

use super::{
    error::MeshError,
    exact::{are_folded, corners_meet, triangles_meet},
    tree::Tree,
};

/// Rejects a mesh in which two triangles have a common point that belongs to no common edge and is no common corner.
///
/// Cost: a few exact tests for each pair of neighbors.
pub(super) fn check_intersections(
    vertices: &[DVec3],
    triangles: &[[u32; 3]],
    tree: &Tree,
) -> Result<(), MeshError> {
    let first_partner = |id: u32| {
        let corners = triangles[id as usize];
        let meets = |&other: &u32| do_meet(vertices, corners, triangles[other as usize]);
        tree.overlapping(id)
            .filter(|&other| other > id)
            .filter(meets)
            .min()
            .map(|other| (id, other))
    };
    let pair = (0..triangles.len() as u32)
        .into_par_iter()
        .find_map_first(first_partner);
    match pair {
        None => Ok(()),
        Some((first, second)) => Err(MeshError::Intersecting {
            first: first as usize + 1,
            second: second as usize + 1,
        }),
    }
}

/// Returns whether two triangles have a common point beyond their common edge or corner.
fn do_meet(vertices: &[DVec3], first: [u32; 3], second: [u32; 3]) -> bool {
    let at = |vertex: u32| vertices[vertex as usize];
    let is_common = |vertex: &u32| second.contains(vertex);
    match first.iter().filter(|vertex| is_common(vertex)).count() {
        0 => triangles_meet(first.map(at), second.map(at)),
        1 => {
            let common = first.into_iter().find(is_common).unwrap_or(first[0]);
            corners_meet(
                starting_at(common, first).map(at),
                starting_at(common, second).map(at),
            )
        }
        2 => {
            let own = first.into_iter().position(|vertex| !is_common(&vertex));
            let [c, a, b] = starting_at(first[own.unwrap_or(0)], first);
            let other = second
                .into_iter()
                .find(|&vertex| vertex != a && vertex != b);
            are_folded(at(a), at(b), at(c), at(other.unwrap_or(c)))
        }
        _ => true,
    }
}

/// Returns the corners of a triangle in their order, from `start` on.
fn starting_at(start: u32, mut corners: [u32; 3]) -> [u32; 3] {
    let position = corners.iter().position(|&corner| corner == start);
    corners.rotate_left(position.unwrap_or(0));
    corners
}
