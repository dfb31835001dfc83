//! The search for the largest sphere between walls.

use glam::DVec3;
use rayon::prelude::*;

use super::{
    constants::{LAST_STEP, MOST_STEPS, SEARCH_CELLS, SEARCH_END},
    frame::dimension_of,
};
use crate::machine::parallel::Erase;

/// A sphere that touches a wall from inside.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Inscribed {
    pub center: DVec3,
    pub radius: f64,
}

/// Returns the largest sphere that crosses no wall, or one that is slightly smaller, in a bounding box with one corner at the origin.
///
/// `distance` returns the distance of a point from the nearest wall, negative beyond a wall, if it is at least the second argument,
/// or else any number below that.
///
/// The search starts from `best`. The distance changes by at most the distance between two points. A search over cells therefore
/// drops each cell that cannot hold the center of a larger sphere. Where more than `width` cells remain, as in a tube, the search
/// keeps the best ones. [`refined`] improves the result.
pub(super) fn largest_sphere(
    lengths: DVec3,
    width: usize,
    mut best: Inscribed,
    distance: &(impl Fn(DVec3, f64) -> f64 + Sync),
) -> Inscribed {
    let mut half = lengths.max_element() / (2.0 * SEARCH_CELLS);
    let mut centers = first_centers(lengths, half);
    loop {
        let diagonal = 1.7321 * half;
        let found = distances(distance, &centers, (best.radius - diagonal).max(0.0));
        for (&center, &radius) in centers.iter().zip(&found) {
            if radius > best.radius {
                best = Inscribed { center, radius };
            }
        }
        if best.radius > 0.0 && half <= SEARCH_END * best.radius || half <= 0.0 {
            return best;
        }
        let mut kept: Vec<(f64, usize)> = found
            .into_iter()
            .enumerate()
            .filter(|&(_, distance)| distance + diagonal > best.radius)
            .map(|(k, distance)| (distance, k))
            .collect();
        kept.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        kept.truncate(width);
        half *= 0.5;
        let divided = kept
            .iter()
            .flat_map(|&(_, k)| corners_of_cell(lengths).map(move |corner| (k, corner)));
        centers = divided
            .map(|(k, corner)| centers[k] + corner * half)
            .collect();
        if centers.is_empty() {
            return best;
        }
    }
}

/// Returns the distances of points that are at least `least` from all walls, and smaller numbers for the other points.
fn distances(
    distance: &(impl Fn(DVec3, f64) -> f64 + Sync),
    points: &[DVec3],
    least: f64,
) -> Vec<f64> {
    points
        .par_iter()
        .erased()
        .map(|&p| distance(p, least))
        .collect()
}

/// Returns the centers of cells that cover a bounding box.
fn first_centers(lengths: DVec3, half: f64) -> Vec<DVec3> {
    let counts = lengths
        .to_array()
        .map(|length| ((0.5 * length / half).ceil() as usize).max(1));
    let mut centers = Vec::new();
    for z in 0..counts[2] {
        for y in 0..counts[1] {
            for x in 0..counts[0] {
                let cell = DVec3::new(x as f64, y as f64, z as f64);
                centers.push((2.0 * cell + 1.0) * half * extended(lengths));
            }
        }
    }
    centers
}

/// Returns 1 for each axis along which a bounding box has a length, and 0 for the others.
fn extended(lengths: DVec3) -> DVec3 {
    DVec3::select(lengths.cmpgt(DVec3::ZERO), DVec3::ONE, DVec3::ZERO)
}

/// Returns the corners of a cube from −1 to 1, or those of a square where a bounding box is flat.
fn corners_of_cell(lengths: DVec3) -> impl Iterator<Item = DVec3> {
    let corners = corners_of_cube().map(move |corner| corner * extended(lengths));
    corners.take(1 << dimension_of(lengths).number())
}

/// Returns the corners of a cube from −1 to 1.
pub(super) fn corners_of_cube() -> impl Iterator<Item = DVec3> {
    (0..8).map(|k| {
        let sign = |bit: usize| if k >> bit & 1 == 1 { 1.0 } else { -1.0 };
        DVec3::new(sign(0), sign(1), sign(2))
    })
}

/// Moves a sphere to larger ones nearby, in a bounding box of these lengths, by ever shorter steps along axes and diagonals.
pub(super) fn refined(
    lengths: DVec3,
    distance: &(impl Fn(DVec3, f64) -> f64 + Sync),
    mut best: Inscribed,
) -> Inscribed {
    let axes = [DVec3::X, DVec3::Y, DVec3::Z].into_iter();
    let directions: Vec<DVec3> = axes
        .flat_map(|axis| [axis, -axis])
        .chain(corners_of_cube().map(|corner| corner / 3f64.sqrt()))
        .map(|direction| direction * extended(lengths))
        .collect();
    let mut step = SEARCH_END * best.radius;
    for _ in 0..MOST_STEPS {
        if step <= LAST_STEP * best.radius || best.radius <= 0.0 {
            break;
        }
        let tried: Vec<DVec3> = directions
            .iter()
            .map(|&direction| best.center + step * direction)
            .collect();
        let found = distances(distance, &tried, best.radius);
        let (k, &radius) = found
            .iter()
            .enumerate()
            .max_by(|a, b| a.1.total_cmp(b.1))
            .unwrap_or((0, &0.0));
        if radius > best.radius {
            best = Inscribed {
                center: tried[k],
                radius,
            };
        } else {
            step *= 0.5;
        }
    }
    best
}
