//! A poured and a jammed bed in LAMMPS, and a bed that LAMMPS pours.

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
    jam::JamGap,
    pour::PourOptions,
};
use serde::Deserialize;

use super::{
    layers::{fraction, top},
    outcome::Outcome,
    pour::poured,
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

/// What LAMMPS does with beds.
pub struct Settling {
    /// The beds of jostle: as poured, and jammed.
    pub beds: Vec<Bed>,
    pub poured: Poured,
    /// Packing fraction of the bed that LAMMPS pours.
    pub of_lammps: f64,
}

/// A bed of jostle that settles in LAMMPS.
pub struct Bed {
    /// Options of `jostle pour`.
    pub name: &'static str,
    /// Seconds in which jostle makes the bed.
    pub seconds: f64,
    /// Packing fraction before.
    pub before: f64,
    /// Packing fraction after the bed has settled.
    pub after: f64,
    pub settled: Settled,
}

/// The output of the program.
#[derive(Deserialize)]
struct Found {
    settled: Vec<Settled>,
    poured: Poured,
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
    let folder = tempfile::tempdir()?;
    let (mut made, mut files) = (Vec::new(), Vec::new());
    for (name, jam) in [
        ("jostle pour", JamGap::OFF),
        ("jostle pour --jam", JamGap::AUTO),
    ] {
        let start = Instant::now();
        let options = PourOptions::default().jam(jam);
        let packing = poured(vec![0.5; SPHERES], &container, options)?;
        made.push((name, start.elapsed().as_secs_f64(), of_layer(&packing)));
        let file = folder.path().join(format!("{}.data", files.len()));
        export_files(&packing, &[&file], &ExportOptions::default())?;
        files.push(file);
    }
    let output = Command::new(venv.join("bin/python"))
        .arg("-c")
        .arg(PROGRAM)
        .args([
            RATIO.to_string(),
            SPHERES.to_string(),
            STIFFNESS.to_string(),
        ])
        .args(&files)
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
    let beds = made.into_iter().zip(found.settled);
    let bed = |((name, seconds, before), settled): ((_, _, _), Settled)| Bed {
        name,
        seconds,
        before,
        after: of_layer(&packing_of(&settled.centers, &container)),
        settled,
    };
    Ok(Some(Settling {
        beds: beds.map(bed).collect(),
        of_lammps: of_layer(&packing_of(&found.poured.centers, &container)),
        poured: found.poured,
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
