//! Drives a packer sweep by sweep, stops it at a chosen packing fraction, and finishes the packing.
//!
//! `cargo run --release --example step_by_step -- [PACKING FRACTION]`

use jostle::{
    Effort, PackOptions, Packer,
    distribution::{PowerLaw, Sampling, SizeDistribution},
};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let wanted: f64 = std::env::args()
        .nth(1)
        .map_or(Ok(0.75), |text| text.parse())?;
    let law = SizeDistribution::from(PowerLaw::new(-3.0, 1.0, 10.0)?);
    let radii = law.sample_number(5_000, Sampling::Stratified, 0).radii();
    let options = PackOptions::default().effort(Effort::QUICK);

    let mut packer = Packer::new(&radii, &options)?;
    println!("sweep  packing fraction  mean overlap");
    // The container starts too small and grows: the packing fraction falls from sweep to sweep.
    while let Some(progress) = packer.sweep() {
        if progress.sweeps % 10 == 0 {
            println!(
                "{:5}  {:16.4}  {:12.5}",
                progress.sweeps, progress.packing_fraction, progress.mean_overlap
            );
        }
        if progress.packing_fraction < wanted {
            break;
        }
    }
    match packer.stop_reason() {
        Some(reason) => println!("the run is over: {reason:?}"),
        None => println!("stopped at a packing fraction of {wanted}"),
    }

    // The last step compacts the spheres quickly and removes all overlap.
    let packing = packer.finish().packing;
    assert_eq!(packing.certificate().max_overlap, 0.0);
    println!(
        "{} spheres without overlap, packing fraction {:.4}",
        packing.spheres().len(),
        packing.packing_fraction()
    );
    Ok(())
}
