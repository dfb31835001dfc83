//! The edges of a mesh: each belongs to two triangles, which run along it in opposite directions.

use glam::DVec3;
use rayon::prelude::*;

use super::error::MeshError;
use crate::machine::parallel::Erase;

/// The three other triangles at the edges of each triangle: edge k runs from corner k to the next corner.
pub(super) type Neighbors = Vec<[u32; 3]>;

/// One side of an edge: the triangle that runs along it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Side {
    low: u32,
    high: u32,
    /// Whether the triangle runs from the higher vertex to the lower one.
    pub is_reversed: bool,
    pub triangle: u32,
    pub edge: u32,
}

impl Side {
    /// Returns the vertices at the ends of the edge.
    pub fn ends(&self) -> [u32; 2] {
        [self.low, self.high]
    }
}

/// Returns the sides of all edges, with those of one edge beside each other.
pub(super) fn sides(triangles: &[[u32; 3]]) -> Vec<Side> {
    let mut sides: Vec<Side> = triangles
        .par_iter()
        .zip(0u32..triangles.len() as u32)
        .erased()
        .flat_map_iter(|(corners, triangle)| {
            (0..3).map(move |edge| {
                let (from, to) = (corners[edge], corners[(edge + 1) % 3]);
                Side {
                    low: from.min(to),
                    high: from.max(to),
                    is_reversed: from > to,
                    triangle,
                    edge: edge as u32,
                }
            })
        })
        .collect();
    sides.par_sort_unstable();
    sides
}

/// Returns the sides of each edge.
pub(super) fn edges(sides: &[Side]) -> impl Iterator<Item = &[Side]> {
    sides.chunk_by(|a, b| a.ends() == b.ends())
}

/// Returns the edges that belong to one triangle only.
pub(super) fn open_edges(sides: &[Side]) -> impl Iterator<Item = &Side> {
    edges(sides).filter_map(|edge| match edge {
        [side] => Some(side),
        _ => None,
    })
}

/// Returns the neighbors of each triangle, or an edge that does not belong to exactly two triangles of opposite direction.
pub(super) fn neighbors(
    vertices: &[DVec3],
    triangles: &[[u32; 3]],
) -> Result<Neighbors, MeshError> {
    let sides = sides(triangles);
    let mut neighbors = vec![[0; 3]; triangles.len()];
    for edge in edges(&sides) {
        match edge {
            [a, b] if a.is_reversed != b.is_reversed => {
                neighbors[a.triangle as usize][a.edge as usize] = b.triangle;
                neighbors[b.triangle as usize][b.edge as usize] = a.triangle;
            }
            _ => return Err(fault(vertices, edge)),
        }
    }
    Ok(neighbors)
}

/// Returns the fault of an edge.
pub(super) fn fault(vertices: &[DVec3], sides: &[Side]) -> MeshError {
    let edge = sides[0].ends().map(|vertex| vertices[vertex as usize]);
    let number = |k: usize| sides[k].triangle as usize + 1;
    match sides {
        [_] => MeshError::Open {
            triangle: number(0),
            edge,
        },
        [a, _] => MeshError::Turned {
            first: number(0),
            second: number(1),
            edge: if a.is_reversed {
                [edge[1], edge[0]]
            } else {
                edge
            },
        },
        _ => MeshError::Crowded {
            triangle: number(0),
            count: sides.len(),
            edge,
        },
    }
}

/// Returns the shells: the triangles that hang together by edges, each shell in ascending order.
pub(super) fn shells(neighbors: &Neighbors) -> Vec<Vec<u32>> {
    let mut is_found = vec![false; neighbors.len()];
    let mut shells = Vec::new();
    for seed in 0..neighbors.len() as u32 {
        if is_found[seed as usize] {
            continue;
        }
        is_found[seed as usize] = true;
        let mut shell = vec![seed];
        let mut next = 0;
        while next < shell.len() {
            for other in neighbors[shell[next] as usize] {
                if !is_found[other as usize] {
                    is_found[other as usize] = true;
                    shell.push(other);
                }
            }
            next += 1;
        }
        shell.sort_unstable();
        shells.push(shell);
    }
    shells
}
