//! Samples, containers and pairs that several suites need.

// Most of them belong to the suites of the laboratory.
#![cfg_attr(not(feature = "laboratory"), allow(dead_code, unused_imports))]

#[cfg(feature = "laboratory")]
use jostle::laboratory::broad_phase::BroadPhase;
use jostle::{
    Container, Spheres,
    container::{BoundarySpec, ContainerSpec},
    distribution::{PowerLaw, Sampling, SizeDistribution},
};

/// Returns the container that a text describes.
pub fn container(shape: &str, boundary: &str) -> Container {
    let spec: ContainerSpec = shape.parse().unwrap();
    let boundary: BoundarySpec = boundary.parse().unwrap();
    spec.container(Some(boundary)).unwrap()
}

/// Returns the radii of a stratified sample.
pub fn radii(law: impl Into<SizeDistribution>, count: usize) -> Vec<f64> {
    let law: SizeDistribution = law.into();
    law.sample_number(count, Sampling::Stratified, 0).radii()
}

/// Returns a stratified sample with f(r) ∝ r^α and smallest radius 1; equal radii for ω = 1.
pub fn power_law(exponent: f64, size_ratio: f64, count: usize) -> Vec<f64> {
    if size_ratio == 1.0 {
        return vec![1.0; count];
    }
    let law = PowerLaw::new(exponent, 2.0, 2.0 * size_ratio).unwrap();
    radii(law, count)
}

/// Returns every touching pair, by the distance test that `BroadPhase` documents.
pub fn touching_pairs(spheres: &Spheres, container: Option<&Container>) -> Vec<(u32, u32)> {
    let (centers, radii) = (spheres.centers(), spheres.radii());
    let mut pairs = Vec::new();
    for i in 0..spheres.len() {
        for j in i + 1..spheres.len() {
            let between = match container {
                Some(container) => container.displacement(centers[i], centers[j]),
                None => centers[j] - centers[i],
            };
            if between.length_squared() < (radii[i] + radii[j]).powi(2) {
                pairs.push((i as u32, j as u32));
            }
        }
    }
    pairs
}

/// Returns the sorted pairs that an algorithm finds.
#[cfg(feature = "laboratory")]
pub fn detected(algorithm: &mut dyn BroadPhase, spheres: &Spheres) -> Vec<(u32, u32)> {
    let mut pairs = Vec::new();
    let counts = algorithm.detect(spheres, &mut |i, j| pairs.push((i.min(j), i.max(j))));
    assert!(counts.pair_tests >= pairs.len() as u64);
    pairs.sort_unstable();
    pairs
}
