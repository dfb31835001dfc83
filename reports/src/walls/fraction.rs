//! The packing fraction of tubes, by their diameter.

use jostle::{Boundary, Container, PackOptions, Packing, pack};

use super::{correlation::benyahia_oneill, mean::Mean, outcome::Outcome};

/// Diameters of the tubes, in diameters of the spheres.
const RATIOS: [f64; 19] = [
    2.0, 2.15, 2.3, 2.5, 2.7, 3.0, 3.3, 3.6, 4.0, 4.5, 5.0, 6.0, 7.0, 8.0, 10.0, 12.5, 16.0, 20.0,
    30.0,
];

/// Number of packings of each tube.
pub const SEEDS: u64 = 5;

/// Smallest number of spheres of a packing; narrow tubes are longer.
pub const FEWEST: f64 = 2000.0;

/// Packings in tubes of nearly one diameter.
pub struct Tube {
    pub spheres: usize,
    /// Diameter of the tube in diameters of the spheres.
    pub ratio: Mean,
    pub packing_fraction: Mean,
}

/// Packs tubes of all diameters.
pub fn measure() -> Outcome<Vec<Tube>> {
    RATIOS.into_iter().map(tube).collect()
}

fn tube(ratio: f64) -> Outcome<Tube> {
    // The ratio follows from the number of spheres, the shape and the packing fraction, which a first packing tells.
    let mut fraction = 1.0 - benyahia_oneill(ratio);
    let aspect = (FEWEST / (1.5 * fraction * ratio.powi(3))).ceil();
    let number = |fraction: f64| (1.5 * fraction * aspect * ratio.powi(3)).round() as usize;
    fraction = packed(number(fraction), aspect, SEEDS)?.packing_fraction();
    let spheres = number(fraction);
    let (mut ratios, mut fractions) = (Vec::new(), Vec::new());
    for seed in 0..SEEDS {
        let packing = packed(spheres, aspect, seed)?;
        ratios.push(packing.container().lengths().x);
        fractions.push(packing.packing_fraction());
    }
    eprintln!("tube of {ratio} diameters");
    Ok(Tube {
        spheres,
        ratio: Mean::of(&ratios),
        packing_fraction: Mean::of(&fractions),
    })
}

/// Packs equal spheres into the smallest periodic tube with this ratio of length and diameter.
fn packed(spheres: usize, aspect: f64, seed: u64) -> Outcome<Packing> {
    let options = PackOptions::default()
        .container(Container::cylinder(1.0, aspect, Boundary::Periodic)?)
        .seed(seed);
    Ok(pack(vec![0.5; spheres], &options)?.packing)
}
