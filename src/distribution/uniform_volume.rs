//! The same volume of spheres at every diameter.

use serde::{Deserialize, Serialize};

use super::{law::Law, sizes_error::SizesError, uniform_size::Parameters};

/// The same volume of spheres in every interval of diameters of the same width: f(r) ∝ r⁻³ by number, and r⁻² of disks.
///
/// Ogarko & Luding 2012, Comput. Phys. Commun. 183, 931, doi:10.1016/j.cpc.2011.12.019, section 4.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct UniformVolume(pub(super) Law<Parameters<-1>>);

impl UniformVolume {
    /// Creates a law from the smallest and the largest diameter.
    ///
    /// # Errors
    /// `d_min` is not below `d_max`, or one of them is not a number from 1e-60 to 1e60.
    pub fn new(d_min: f64, d_max: f64) -> Result<Self, SizesError> {
        Law::new(Parameters { d_min, d_max }).map(Self)
    }
}
