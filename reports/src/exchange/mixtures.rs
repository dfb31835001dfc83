//! The mixtures of the page.

use jostle::{SizeSpec, distribution::Sampling};

/// Number of spheres of each packing.
pub const SPHERES: usize = 10_000;

/// A size distribution with its title.
#[derive(Clone, Copy, Debug)]
pub struct Mixture {
    pub title: &'static str,
    pub sizes: &'static str,
}

/// From narrow to wide.
pub const MIXTURES: [Mixture; 6] = [
    Mixture {
        title: "uniform sizes, 1 to 1.3",
        sizes: "uniform-size:d_min=1,d_max=1.3",
    },
    Mixture {
        title: "uniform sizes, 1 to 3",
        sizes: "uniform-size:d_min=1,d_max=3",
    },
    Mixture {
        title: "lognormal sizes, σ = 0.4",
        sizes: "lognormal:d50=1,sigma=0.4",
    },
    Mixture {
        title: "f(r) ∝ r⁻³, ratio 10",
        sizes: "power-law:exponent=-3,d_min=1,d_max=10",
    },
    Mixture {
        title: "f(r) ∝ r⁻³·⁵, ratio 50",
        sizes: "power-law:exponent=-3.5,d_min=1,d_max=50",
    },
    Mixture {
        title: "concrete, line A16 of DIN 1045-2",
        sizes: "din-a16",
    },
];

impl Mixture {
    /// Returns a stratified sample of radii.
    pub fn radii(self) -> Result<Vec<f64>, jostle::distribution::SizeSpecError> {
        let spec = SizeSpec::load(self.sizes)?;
        Ok(spec.sample_number(SPHERES, Sampling::Stratified, 0).radii())
    }
}
