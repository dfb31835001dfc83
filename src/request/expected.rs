//! The packing fraction to expect from the sizes and the container of a request.

use super::{
    constants::{FILL_MARGIN, FILL_WALL_MARGIN, MOST_WALL_DEFICIT, SAMPLE, WALL_DEFICIT},
    sizes::Sizes,
};
use crate::{
    container::Container,
    dimension::Dimension,
    distribution::{Sampling, prediction_with_gap},
    machine::divided::Divided,
    rearrange::Effort,
};

/// Returns the mean volume of a sphere of this dimension, which is that of the law, too.
pub(super) fn mean_volume(dimension: Dimension, sizes: &Sizes) -> f64 {
    match sizes {
        Sizes::Law(spec) => spec.distribution.mean_volume(),
        Sizes::Diameters(diameters) => {
            let radii: Vec<f64> = diameters.iter().map(|diameter| 0.5 * diameter).collect();
            dimension.volume(&radii) / diameters.len().max(1) as f64
        }
    }
}

/// The packing fraction to expect of spheres of some sizes.
pub(super) struct Expectation {
    /// By Farr & Groot, for random close packing far from walls; an estimate in the plane.
    predicted: f64,
    /// Sum of the cubes of the diameters by the sum of their squares; of disks, sum of the squares by the sum of the diameters.
    diameter: f64,
}

impl Expectation {
    /// Predicts the packing of spheres of these sizes that keep `min_gap` from each other.
    ///
    /// Cost: that of a sample of 10 000 spheres, or of all given diameters, and of the prediction from it.
    pub fn new(dimension: Dimension, sizes: &Sizes, min_gap: f64) -> Self {
        let radii = match sizes {
            Sizes::Law(spec) => {
                let law = &spec.distribution;
                law.sample_number(SAMPLE, Sampling::Stratified, 0).radii()
            }
            Sizes::Diameters(diameters) => diameters.iter().map(|d| 0.5 * d).collect(),
        };
        let largest = radii.iter().copied().fold(0.0, f64::max);
        // In units of the largest radius no power overflows.
        let power = dimension.number() as i32;
        let moment = |power| radii.iter().map(|r| (r / largest).powi(power)).sum::<f64>();
        Self {
            diameter: 2.0 * largest * moment(power) / moment(power - 1),
            predicted: prediction_with_gap(dimension, &Divided::alone(radii), min_gap),
        }
    }

    /// Returns the packing fraction to expect in a container at this effort. Bodies in it are not taken into account.
    pub fn fraction(&self, effort: Effort, container: &Container) -> f64 {
        effort.expected_fraction(self.predicted) * (1.0 - self.deficit(container))
    }

    /// Returns a packing fraction that most runs reach in a container at this effort.
    pub fn filling(&self, effort: Effort, container: &Container) -> f64 {
        let deficit = (1.0 + FILL_WALL_MARGIN) * self.deficit(container);
        effort.expected_fraction(self.predicted) * (1.0 - deficit) - FILL_MARGIN
    }

    /// Returns the share by which walls lower the packing fraction.
    fn deficit(&self, container: &Container) -> f64 {
        let lengths = container.lengths();
        // A box, a cylinder and a sphere have this area of walls by their volume, and a rectangle and a circle this length by their area.
        let walls: f64 = (0..container.dimension().number())
            .filter(|&axis| !container.is_periodic(axis))
            .map(|axis| 2.0 / lengths[axis])
            .sum();
        (WALL_DEFICIT * self.diameter * walls).min(MOST_WALL_DEFICIT)
    }
}
