//! Colors by diameter.

use super::export::Scene;

/// Red, green and blue, from 0 to 1, from the smallest spheres to the largest: blue, green, yellow. The colors are five of
/// the map viridis of matplotlib, which prints well and suits color-blind readers.
const COLORS: [[f32; 3]; 5] = [
    [0.267, 0.005, 0.329],
    [0.229, 0.322, 0.546],
    [0.128, 0.567, 0.551],
    [0.369, 0.789, 0.383],
    [0.993, 0.906, 0.144],
];

/// The colors of the spheres of a scene.
pub(super) struct Colors {
    smallest: f64,
    ratio: f64,
}

impl Colors {
    pub(super) fn new(scene: &Scene) -> Self {
        let radii = scene.spheres.radii();
        let largest = radii.iter().copied().fold(0.0, f64::max);
        let smallest = radii.iter().copied().fold(largest, f64::min);
        Self {
            smallest,
            ratio: libm::log(largest / smallest),
        }
    }

    /// Returns red, green and blue of a sphere. The position among the colors is linear in the logarithm of the radius.
    pub(super) fn of(&self, radius: f64) -> [f32; 3] {
        let share = if self.ratio > 0.0 {
            libm::log(radius / self.smallest) / self.ratio
        } else {
            0.5
        };
        let position = share.clamp(0.0, 1.0) as f32 * (COLORS.len() - 1) as f32;
        let below = (position as usize).min(COLORS.len() - 2);
        let rest = position - below as f32;
        std::array::from_fn(|i| COLORS[below][i] + rest * (COLORS[below + 1][i] - COLORS[below][i]))
    }
}
