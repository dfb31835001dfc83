//! Packs a size distribution and draws it: `cargo run --release --example picture -- [SIZES] [N] [FILE.png]`.

use jostle::{
    Boundaries, Effort, PackOptions, SizeSpec,
    distribution::{DEFAULT_PRESET, Sampling},
    pack,
    report::Still,
};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let sizes = args.next().unwrap_or_else(|| DEFAULT_PRESET.to_owned());
    let n = args.next().map_or(Ok(5000), |n| n.parse())?;
    let file = args.next().unwrap_or_else(|| "packing.png".to_owned());

    let law = SizeSpec::load(&sizes)?.distribution;
    let radii = law.sample_number(n, Sampling::Stratified, 0).radii();
    let options = PackOptions::default()
        .container("www".parse::<Boundaries>()?)
        .effort(Effort::QUICK);
    let packing = pack(&radii, &options)?.packing;

    std::fs::write(&file, Still::default().png(&packing)?)?;
    println!("{file} shows {n} spheres of {sizes}");
    Ok(())
}
