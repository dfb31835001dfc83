//! The packing fraction near the axis of a wide cylinder, and that of a periodic cube.

use jostle::{
    Boundary, Container, PackOptions, Packing,
    analysis::{Analysis, AnalysisOptions},
    pack,
};

use super::{
    mean::Mean,
    outcome::Outcome,
    profile::{CORE, within},
};

/// Diameter of the cylinder, in diameters of the spheres.
pub const RATIO: f64 = 40.0;

/// Length of the cylinder in units of its diameter.
const ASPECT: f64 = 0.5;

/// Number of packings of each container.
pub const SEEDS: u64 = 6;

/// Packing fractions of the densest packings that are found.
pub struct CoreDensity {
    pub spheres: usize,
    /// Of the whole cylinders.
    pub cylinder: Mean,
    /// Of the cylinders within their axis and the distance [`CORE`] from the wall.
    pub core: Mean,
    /// Of periodic cubes with as many spheres.
    pub cube: Mean,
}

impl CoreDensity {
    /// Returns the difference between core and cube with its standard error.
    pub fn difference(&self) -> Mean {
        Mean {
            value: self.core.value - self.cube.value,
            error: self.core.error.hypot(self.cube.error),
        }
    }
}

/// Packs cylinders and cubes.
pub fn measure() -> Outcome<CoreDensity> {
    let spheres = (1.5 * 0.633 * ASPECT * RATIO.powi(3)).round() as usize;
    let cylinder = Container::cylinder(1.0, ASPECT, Boundary::Periodic)?;
    let (mut cylinders, mut cores, mut cubes) = (Vec::new(), Vec::new(), Vec::new());
    for seed in 0..SEEDS {
        let packing = packed(spheres, &cylinder, seed)?;
        let options = AnalysisOptions::default().points(1000);
        let shells = Analysis::new(&packing, &options)?.profile.radius;
        let share = 1.0 - 2.0 * CORE / packing.container().lengths().x;
        cores.push(within(&shells.packing_fraction, share));
        cylinders.push(packing.packing_fraction());
        cubes.push(packed(spheres, &Container::default(), seed)?.packing_fraction());
        eprintln!("core {seed}");
    }
    Ok(CoreDensity {
        spheres,
        cylinder: Mean::of(&cylinders),
        core: Mean::of(&cores),
        cube: Mean::of(&cubes),
    })
}

fn packed(spheres: usize, container: &Container, seed: u64) -> Outcome<Packing> {
    let options = PackOptions::default()
        .container(container.clone())
        .seed(seed);
    Ok(pack(vec![0.5; spheres], &options)?.packing)
}
