//! Samples of size distributions.

use jostle::{SizeSpec, distribution::Sampling};

use crate::outcome::Outcome;

/// Returns the radii of a stratified sample of a size distribution.
pub fn radii(sizes: &str, spheres: usize) -> Outcome<Vec<f64>> {
    let law = SizeSpec::load(sizes)?.distribution;
    Ok(law.sample_number(spheres, Sampling::Stratified, 0).radii())
}
