//! The search for vertices that are one.

use std::collections::HashMap;

use glam::DVec3;

/// Returns for each point the number of the first point that takes its place: an earlier one at most `tolerance` away along each axis
/// that no other point replaces, or itself. `low` is the lowest corner of the bounding box.
///
/// Cost: linear in the number of points, as few of them lie within `tolerance` of each other.
pub(super) fn first_of_each(points: &[DVec3], low: DVec3, tolerance: f64) -> Vec<usize> {
    let mut cells: HashMap<[i64; 3], Vec<usize>> = HashMap::new();
    (points.iter().enumerate())
        .map(|(number, &point)| {
            let cell = ((point - low) / tolerance).to_array().map(|x| x as i64);
            let is_near = |&other: &usize| (points[other] - point).abs().max_element() <= tolerance;
            let near = (0..27).find_map(|k| {
                let beside = [k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1];
                let cell = std::array::from_fn(|axis| cell[axis] + beside[axis]);
                cells.get(&cell)?.iter().copied().find(is_near)
            });
            near.unwrap_or_else(|| {
                cells.entry(cell).or_default().push(number);
                number
            })
        })
        .collect()
}
