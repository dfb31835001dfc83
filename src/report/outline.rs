//! The edges of a container, as line segments.

use glam::DVec3;

use crate::container::Container;

/// Returns the ends of line segments that outline a container.
pub(super) fn outline(container: &Container) -> Vec<[DVec3; 2]> {
    let lengths = container.lengths();
    let corner = |number: usize| {
        let share = [0, 1, 2].map(|axis| (number >> axis & 1) as f64);
        DVec3::from_array(share) * lengths
    };
    let mut segments = Vec::new();
    for number in 0..8 {
        for axis in (0..3).filter(|axis| number >> axis & 1 == 0) {
            segments.push([corner(number), corner(number | 1 << axis)]);
        }
    }
    segments
}
