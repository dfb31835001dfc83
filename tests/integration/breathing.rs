//! Breathing radii: the given radii return, packings are denser, and the bits do not depend on threads.

use jostle::{Effort, PackOptions, Packing, SizeSpec, distribution::Sampling, pack};

fn radii(sizes: &str) -> Vec<f64> {
    let spec = SizeSpec::load(sizes).unwrap();
    spec.sample_number(800, Sampling::Stratified, 0).radii()
}

fn packed(sizes: &str, breathe: &str, threads: usize) -> Packing {
    let options = PackOptions::default()
        .effort(Effort::QUICK)
        .breathe(breathe.parse().unwrap())
        .threads(threads);
    pack(&radii(sizes)[..], &options).unwrap().packing
}

const POWER_LAW: &str = "power-law:exponent=-3,d_min=1,d_max=5.9";

#[test]
fn breathing_packs_denser_and_returns_the_given_radii() {
    let [without, with] = ["off", "auto"].map(|breathe| packed(POWER_LAW, breathe, 1));
    assert!(
        with.packing_fraction() > without.packing_fraction() + 0.01,
        "{} {}",
        with.packing_fraction(),
        without.packing_fraction()
    );
    assert_eq!(with.certificate().max_overlap, 0.0);
    let given = radii(POWER_LAW);
    for (id, (given, sphere)) in given.iter().zip(with.spheres().radii()).enumerate() {
        assert_eq!(given.to_bits(), sphere.to_bits(), "sphere {id}");
    }
}

#[test]
fn breathing_has_the_same_bits_on_all_threads() {
    let [one, two] = [1, 2].map(|threads| packed(POWER_LAW, "auto", threads));
    assert_eq!(one.spheres(), two.spheres());
}

#[test]
fn equal_spheres_do_not_breathe() {
    let [without, with] = ["off", "auto"].map(|breathe| packed("mono:d=1", breathe, 1));
    assert_eq!(with.spheres(), without.spheres());
}
