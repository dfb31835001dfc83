//! The size distributions of the page, and samples of them.

use jostle::{
    SizeSpec,
    distribution::{Sample, Sampling},
};

use super::outcome::Outcome;

/// Size distribution with its title on the page and its name on the command line.
#[derive(Clone, Copy)]
pub struct Mixture {
    pub title: &'static str,
    pub sizes: &'static str,
}

/// The four size distributions of the page.
pub const MIXTURES: [Mixture; 4] = [
    EQUAL,
    RATIO_10,
    Mixture {
        title: "Fuller, size ratio 50",
        sizes: "fuller:d_min=1,d_max=50",
    },
    Mixture {
        title: "DIN 1045-2 line A16, size ratio 128",
        sizes: "din-a16",
    },
];

/// Equal spheres.
pub const EQUAL: Mixture = Mixture {
    title: "equal spheres",
    sizes: "mono:d=1",
};

/// Power law with size ratio 10.
pub const RATIO_10: Mixture = Mixture {
    title: "f(r) ∝ r⁻³, size ratio 10",
    sizes: "power-law:exponent=-3,d_min=1,d_max=10",
};

impl Mixture {
    /// Returns a stratified sample of `n` spheres.
    pub fn sample(self, n: usize) -> Outcome<Sample> {
        let law = SizeSpec::load(self.sizes)?.distribution;
        Ok(law.sample_number(n, Sampling::Stratified, 0))
    }
}
