//! The packing fraction to expect from the sizes and the container of a request.

use super::{
    constants::{MOST_WALL_DEFICIT, SAMPLE, WALL_DEFICIT},
    sizes::Sizes,
};
use crate::{
    container::Container,
    distribution::{Sampling, predicted_packing_fraction_with_gap},
    rearrange::Effort,
    spheres::total_volume,
};

/// Returns the mean volume of a sphere.
pub(super) fn mean_volume(sizes: &Sizes) -> f64 {
    match sizes {
        Sizes::Law(spec) => spec.distribution.mean_volume(),
        Sizes::Diameters(diameters) => {
            let radii: Vec<f64> = diameters.iter().map(|diameter| 0.5 * diameter).collect();
            total_volume(&radii) / diameters.len().max(1) as f64
        }
    }
}

/// The packing fraction to expect of spheres of some sizes.
pub(super) struct Expectation {
    /// By Farr & Groot, for random close packing far from walls.
    predicted: f64,
    /// Sum of the cubes of the diameters by the sum of their squares.
    diameter: f64,
}

impl Expectation {
    /// Predicts the packing of spheres of these sizes that keep `min_gap` from each other.
    ///
    /// Cost: that of a sample of 10 000 spheres, or of all given diameters, and of the prediction from it.
    pub fn new(sizes: &Sizes, min_gap: f64) -> Self {
        let radii = match sizes {
            Sizes::Law(spec) => {
                let law = &spec.distribution;
                law.sample_number(SAMPLE, Sampling::Stratified, 0).radii()
            }
            Sizes::Diameters(diameters) => diameters.iter().map(|d| 0.5 * d).collect(),
        };
        let largest = radii.iter().copied().fold(0.0, f64::max);
        // In units of the largest radius no power overflows.
        let moment = |power| radii.iter().map(|r| (r / largest).powi(power)).sum::<f64>();
        Self {
            predicted: predicted_packing_fraction_with_gap(&radii, min_gap),
            diameter: 2.0 * largest * moment(3) / moment(2),
        }
    }

    /// Returns the packing fraction to expect in a container at this effort. Bodies in it are not taken into account.
    pub fn fraction(&self, effort: Effort, container: &Container) -> f64 {
        let lengths = container.lengths();
        // A box, a cylinder and a sphere have this area of walls by their volume.
        let walls: f64 = (0..3)
            .filter(|&axis| !container.is_periodic(axis))
            .map(|axis| 2.0 / lengths[axis])
            .sum();
        let deficit = (WALL_DEFICIT * self.diameter * walls).min(MOST_WALL_DEFICIT);
        effort.expected_fraction(self.predicted) * (1.0 - deficit)
    }
}
