//! Packs the spheres of a sieve analysis and writes them for LAMMPS: `cargo run --release --example custom_curve`.

use std::path::PathBuf;

use jostle::{
    Boundaries, Effort, PackOptions, SizeSpec,
    distribution::{Interpolation, Sampling, SieveCurve},
    pack, write_files,
};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Sieve size in mm, and percent of the mass that passes the sieve.
    let passing = vec![[1.0, 0.0], [2.0, 30.0], [4.0, 62.0], [8.0, 100.0]];
    let law = SieveCurve::new(passing, Interpolation::Log)?;
    let gravel = SizeSpec::new("gravel", "mm", "own sieve analysis", law);

    let sample = gravel.sample_number(3_000, Sampling::Stratified, 0);
    println!(
        "{} spheres, at most {:.1} % off the mass curve",
        sample.diameters.len(),
        100.0 * sample.report().mass_curve_error
    );

    let options = PackOptions::default()
        .container("ppw".parse::<Boundaries>()?)
        .effort(Effort::QUICK)
        .seed(1)
        .sizes(sample.source.clone());
    let packing = pack(sample.radii(), &options)?.packing;
    println!(
        "packing fraction {:.4} in a box of {:.2} mm, largest overlap {}",
        packing.packing_fraction(),
        packing.container().lengths().x,
        packing.certificate().max_overlap
    );

    let file = PathBuf::from("gravel.data");
    write_files(&packing, &[&file])?;
    println!("written to {}", file.display());
    Ok(())
}
