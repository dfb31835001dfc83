//! A sieve analysis of your own, packed and written for LAMMPS: `cargo run --release --example custom_curve`.

use std::path::PathBuf;

use jostle::{
    Effort, Interpolation, PackOptions, Sampling, SieveCurve, SizeDistribution, pack, write_files,
};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Sieve in mm, percent of the mass that passes it.
    let passing = vec![[1.0, 0.0], [2.0, 30.0], [4.0, 62.0], [8.0, 100.0]];
    let gravel = SizeDistribution::Sieve(SieveCurve::new(passing, Interpolation::Log)?);

    let sample = gravel.sample(3_000, Sampling::Stratified, 0);
    let radii: Vec<f64> = sample.diameters.iter().map(|d| 0.5 * d).collect();
    println!(
        "{} spheres, mass curve met to {:.1} %",
        radii.len(),
        100.0 * sample.report.mass_curve_error
    );

    let options = PackOptions {
        boundary: "ppw".parse()?,
        effort: Effort::QUICK,
        seed: 1,
        ..PackOptions::default()
    };
    let mut packing = pack(&radii, &options, &mut ())?.packing;
    packing.sizes = Some(sample.report);
    packing.unit = "mm".to_owned();
    println!(
        "packing fraction {:.4} in a box of {:.2} mm, largest overlap {}",
        packing.packing_fraction(),
        packing.container.lengths().x,
        packing.certificate.max_overlap
    );

    let file = PathBuf::from("gravel.data");
    write_files(&packing, &[&file])?;
    println!("written to {}", file.display());
    Ok(())
}
