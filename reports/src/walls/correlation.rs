//! Published correlations for beds of equal spheres in tubes.

use std::f64::consts::PI;

/// Distance from the wall, in diameters, up to which the first layer determines the porosity.
const FIRST_LAYER: f64 = 0.637;

/// Returns the porosity at a distance `z` from the wall, in diameters of the spheres, for the porosity `bulk` far from the wall.
///
/// A. de Klerk, AIChE J. 49 (2003) 2022.
pub fn de_klerk(z: f64, bulk: f64) -> f64 {
    if z <= FIRST_LAYER {
        return 2.14 * z * z - 2.53 * z + 1.0;
    }
    let wave = (2.3 * PI * (z - 0.16)).cos();
    bulk + 0.29 * (-0.6 * z).exp() * wave + 0.15 * (-0.9 * z).exp()
}

/// Returns the porosity far from the wall for which the two branches of de Klerk's correlation meet.
pub fn continuous_bulk() -> f64 {
    let beyond = FIRST_LAYER + f64::EPSILON;
    de_klerk(FIRST_LAYER, 0.0) - de_klerk(beyond, 0.0)
}

/// Returns the mean porosity of a poured bed of spheres in a tube of `ratio` diameters.
///
/// F. Benyahia & K. E. O'Neill, Part. Sci. Technol. 23 (2005) 169, for ratios from 1.5 to 50.
pub fn benyahia_oneill(ratio: f64) -> f64 {
    0.390 + 1.740 / (ratio + 1.140).powi(2)
}

/// Returns a point of de Klerk's correlation by thousandths of a diameter.
pub fn published_point(thousandths: u32) -> (f64, f64) {
    let z = f64::from(thousandths) / 1000.0;
    (z, de_klerk(z, continuous_bulk()))
}
