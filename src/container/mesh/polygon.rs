//! Division of flat polygons into triangles.

use earcut::{Earcut, utils3d::project3d_to_2d};
use glam::DVec3;

use super::exact::PROJECTIONS;

/// Divides a flat polygon, which may be concave, into triangles that face the same side. Each corner belongs to a triangle.
pub(super) fn triangles(corners: &[DVec3]) -> Vec<[usize; 3]> {
    let whole = vec![[0, 1, 2]];
    if corners.len() == 3 {
        return whole;
    }
    let points: Vec<[f64; 3]> = corners.iter().map(DVec3::to_array).collect();
    let mut flat = Vec::new();
    if !project3d_to_2d(&points, points.len(), &mut flat) {
        // The polygon has no area.
        return whole;
    }
    divided(&flat)
}

/// Like [`triangles`], for corners near a plane with this normal, around which the polygon runs counterclockwise.
///
/// The polygon is projected along an axis. A rotation would round corners on a straight line to corners beside it.
pub(super) fn triangles_across(normal: DVec3, corners: &[DVec3]) -> Vec<[usize; 3]> {
    let axis = normal.abs().max_position();
    let project = |&corner: &DVec3| {
        let [x, y] = PROJECTIONS[axis](corner).to_array();
        if normal[axis] > 0.0 { [x, y] } else { [y, x] }
    };
    let flat: Vec<[f64; 2]> = corners.iter().map(project).collect();
    divided(&flat)
}

/// Divides a polygon that runs counterclockwise.
fn divided(corners: &[[f64; 2]]) -> Vec<[usize; 3]> {
    let mut numbers: Vec<usize> = Vec::new();
    Earcut::new().earcut_slice(corners, &[], &mut numbers);
    let mut triangles: Vec<[usize; 3]> = numbers.as_chunks().0.to_vec();
    // The crate omits corners on a straight line between their neighbors, which are corners of other faces.
    let is_used = |triangles: &[[usize; 3]], corner| triangles.as_flattened().contains(&corner);
    let count = corners.len();
    let start = (0..count).find(|&corner| is_used(&triangles, corner));
    for corner in start.into_iter().flat_map(|start| start + 1..start + count) {
        let (before, corner) = ((corner - 1) % count, corner % count);
        if is_used(&triangles, corner) {
            continue;
        }
        let next = (1..count).map(|k| (corner + k) % count);
        let after = next.into_iter().find(|&next| is_used(&triangles, next));
        let divided = triangles.iter().enumerate().find_map(|(k, triangle)| {
            let edge = (0..3).find(|&edge| {
                triangle[edge] == before && Some(triangle[(edge + 1) % 3]) == after
            })?;
            Some((k, triangle[(edge + 1) % 3], triangle[(edge + 2) % 3]))
        });
        if let Some((k, after, opposite)) = divided {
            triangles[k] = [before, corner, opposite];
            triangles.push([corner, after, opposite]);
        }
    }
    triangles
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn concave_faces_keep_their_area_and_all_their_corners() {
        // An L with a corner in the middle of its longest edge, from above and from below.
        let corners = [[0, 0], [5, 0], [10, 0], [10, 4], [4, 4], [4, 10], [0, 10]];
        let mut corners: Vec<DVec3> = (corners.into_iter())
            .map(|[x, y]| DVec3::new(x.into(), y.into(), 1.0))
            .collect();
        for normal in [1.0, -1.0] {
            let divided = triangles(&corners);
            let mut area = 0.0;
            for [a, b, c] in divided.iter().map(|triangle| triangle.map(|k| corners[k])) {
                let twice = (b - a).cross(c - a).z * normal;
                assert!(twice > 0.0, "{divided:?}");
                area += 0.5 * twice;
            }
            assert!((area - 64.0).abs() < 1e-12, "{divided:?}");
            assert_eq!(divided.len(), 5);
            corners.reverse();
        }
    }
}
