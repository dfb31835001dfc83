//! The sides that shells face: outer shells face the outside, and shells of holes face the hole.

use std::f64::consts::TAU;

use glam::DVec3;
use rayon::prelude::*;

use super::error::MeshError;
use crate::machine::parallel::Erase;

/// Returns six times the volume of the tetrahedron from the origin to a triangle.
fn sixfold_volume([a, b, c]: [DVec3; 3]) -> f64 {
    a.dot(b.cross(c))
}

/// Returns the volume inside triangles that face the outside, by the divergence theorem. `middle` is a point near them, from
/// which rounding errors are smallest.
pub(super) fn volume(triangles: impl Iterator<Item = [DVec3; 3]>, middle: DVec3) -> f64 {
    let from_middle = triangles.map(|corners| corners.map(|corner| corner - middle));
    from_middle.map(sixfold_volume).sum::<f64>() / 6.0
}

/// Returns how often triangles that face the outside wind around a point.
pub(super) fn winding(triangles: impl Iterator<Item = [DVec3; 3]>, point: DVec3) -> i64 {
    let angles = triangles.map(|corners| solid_angle(corners.map(|corner| corner - point)));
    (angles.sum::<f64>() / (2.0 * TAU)).round() as i64
}

/// Rejects shells that face the wrong side. Shells do not intersect.
///
/// Around a point of a shell, all other shells must wind 0 times if the shell encloses a body, and once if it encloses a hole.
///
/// Cost: each pair of a shell and a triangle.
pub(super) fn check_shells(
    vertices: &[DVec3],
    triangles: &[[u32; 3]],
    shells: &[Vec<u32>],
) -> Result<(), MeshError> {
    let corners = |id: u32| triangles[id as usize].map(|vertex| vertices[vertex as usize]);
    let mut shell_of = vec![0u32; triangles.len()];
    for (k, shell) in (0..).zip(shells) {
        for &id in shell {
            shell_of[id as usize] = k;
        }
    }
    for (k, shell) in (0..).zip(shells) {
        let point = corners(shell[0])[0];
        let is_body = volume(shell.iter().map(|&id| corners(id)), point) > 0.0;
        let angles: Vec<f64> = (0..triangles.len() as u32)
            .into_par_iter()
            .erased()
            .filter(|&id| shell_of[id as usize] != k)
            .map(|id| solid_angle(corners(id).map(|corner| corner - point)))
            .collect();
        let winding = (angles.iter().sum::<f64>() / (2.0 * TAU)).round() as i64;
        let triangle = shell[0] as usize + 1;
        match (is_body, winding) {
            (true, 0) | (false, 1) => {}
            (false, _) => return Err(MeshError::Inverted { triangle }),
            (true, _) => return Err(MeshError::Nested { triangle }),
        }
    }
    Ok(())
}

/// Returns the signed solid angle of a triangle seen from the origin: positive from inside.
///
/// Van Oosterom & Strackee, *The solid angle of a plane triangle*, IEEE Trans. Biomed. Eng. 30 (1983) 125.
fn solid_angle([a, b, c]: [DVec3; 3]) -> f64 {
    let (la, lb, lc) = (a.length(), b.length(), c.length());
    let across = a.dot(b.cross(c));
    let along = la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb;
    2.0 * libm::atan2(across, along)
}
