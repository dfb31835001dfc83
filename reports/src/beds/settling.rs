//! A poured bed in LAMMPS, and a bed that LAMMPS pours.

use std::{
    env,
    path::PathBuf,
    process::{Command, Stdio},
    time::Instant,
};

use jostle::{
    Boundary, Container, Packing, Spheres,
    glam::DVec3,
    io::{ExportOptions, export_files},
};
use serde::Deserialize;

use super::{
    layers::{fraction, top},
    outcome::Outcome,
    pour::bed,
};

/// The program that runs LAMMPS.
const PROGRAM: &str = include_str!("settle.py");

/// Diameter of the tube, in diameters of the spheres.
pub const RATIO: f64 = 10.0;

/// Number of spheres.
pub const SPHERES: usize = 2000;

/// Stiffness of the contacts in LAMMPS, in units of the weight of a sphere by its diameter. The lowest spheres then overlap by about a
/// thousandth of a diameter.
pub const STIFFNESS: f64 = 2e4;

/// Distance of the measured layer from the floor and from the surface, in diameters.
const MARGIN: f64 = 3.0;

/// What LAMMPS does with a bed.
pub struct Settling {
    /// Seconds in which jostle pours its bed.
    pub seconds: f64,
    /// Packing fraction of the bed of jostle.
    pub poured: f64,
    pub found: Found,
    /// Packing fraction of that bed after it has settled in LAMMPS.
    pub settled: f64,
    /// Packing fraction of the bed that LAMMPS pours.
    pub of_lammps: f64,
}

/// The output of the program.
#[derive(Deserialize)]
pub struct Found {
    pub settled: Settled,
    pub poured: Poured,
}

/// A bed that settles; displacements in diameters.
#[derive(Deserialize)]
pub struct Settled {
    pub seconds: f64,
    pub at_rest: bool,
    pub median: f64,
    pub mean: f64,
    pub share_90: f64,
    pub largest: f64,
    pub mean_sinking: f64,
    centers: Vec<[f64; 3]>,
}

/// A bed that LAMMPS pours.
#[derive(Deserialize)]
pub struct Poured {
    pub seconds: f64,
    pub at_rest: bool,
    centers: Vec<[f64; 3]>,
}

/// Returns the virtual environment of `tests/readers/run`, if it is there.
fn environment() -> Option<PathBuf> {
    let program = env::current_exe().ok()?;
    let target = program.parent()?.parent()?;
    let venv = target.join("readers/venv");
    venv.join("bin/python").exists().then_some(venv)
}

/// Lets LAMMPS settle and pour; `None` if it is not installed.
pub fn measure() -> Outcome<Option<Settling>> {
    let Some(venv) = environment() else {
        eprintln!("LAMMPS is not installed: tests/readers/run dem installs it");
        return Ok(None);
    };
    let height = SPHERES as f64 / (1.5 * 0.5 * RATIO * RATIO) + 5.0;
    let container = Container::cylinder(RATIO, height, Boundary::Wall)?;
    let start = Instant::now();
    let packing = bed(vec![0.5; SPHERES], &container, 1)?;
    let seconds = start.elapsed().as_secs_f64();
    let folder = tempfile::tempdir()?;
    let data = folder.path().join("bed.data");
    export_files(&packing, &[&data], &ExportOptions::default())?;
    let output = Command::new(venv.join("bin/python"))
        .arg("-c")
        .arg(PROGRAM)
        .arg(&data)
        .args([
            RATIO.to_string(),
            SPHERES.to_string(),
            STIFFNESS.to_string(),
        ])
        // LAMMPS finds its MPI library there.
        .env("LD_LIBRARY_PATH", venv.join("lib"))
        .env("OMP_NUM_THREADS", "1")
        .stderr(Stdio::inherit())
        .output()?;
    if !output.status.success() {
        return Err("LAMMPS has failed".into());
    }
    let found: Found = serde_json::from_slice(&output.stdout)?;
    eprintln!("LAMMPS has settled and poured");
    Ok(Some(Settling {
        seconds,
        poured: of_layer(&packing),
        settled: of_layer(&packing_of(&found.settled.centers, &container)),
        of_lammps: of_layer(&packing_of(&found.poured.centers, &container)),
        found,
    }))
}

fn packing_of(centers: &[[f64; 3]], container: &Container) -> Packing {
    let centers: Vec<DVec3> = centers.iter().copied().map(DVec3::from).collect();
    let radii = vec![0.5; centers.len()];
    Packing::new(Spheres::new(centers, radii), container.clone())
}

/// Returns the packing fraction far from the floor and from the surface.
fn of_layer(packing: &Packing) -> f64 {
    let area = std::f64::consts::FRAC_PI_4 * RATIO * RATIO;
    fraction(packing, area, [MARGIN, top(packing) - MARGIN])
}
