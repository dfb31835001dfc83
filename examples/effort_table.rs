//! Measures density and time against effort: `cargo run --release --example effort_table > docs/effort.md`.
//!
//! One thread; a few minutes on a machine that does nothing else.

use jostle::{Effort, PackOptions, Sampling, SizeDistribution, SizeSpec, pack};

const SPHERES: usize = 10_000;
const EFFORTS: [f64; 5] = [0.0, 0.5, 1.0, 1.5, 2.0];

/// A mixture, and what Farr & Groot (2009) predict for it.
struct Mixture {
    title: &'static str,
    sizes: &'static str,
    predicted: Option<f64>,
}

/// The predictions are those of the one-dimensional rod model for the whole law, infinitely many spheres.
const MIXTURES: [Mixture; 4] = [
    Mixture {
        title: "equal spheres",
        sizes: "mono:d=1",
        predicted: Some(0.6435),
    },
    Mixture {
        title: "f(r) ∝ r⁻³, size ratio 10",
        sizes: "power-law:exponent=-3,d_min=1,d_max=10",
        predicted: Some(0.7467),
    },
    Mixture {
        title: "Fuller, f(r) ∝ r⁻³·⁵, size ratio 50",
        sizes: "fuller:d_min=1,d_max=50",
        predicted: Some(0.8451),
    },
    Mixture {
        title: "DIN 1045-2 line A16, size ratio 128",
        sizes: "din-a16",
        predicted: None,
    },
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!(
        "# What effort buys\n
Written by `cargo run --release --example effort_table > docs/effort.md`.\n
{SPHERES} spheres, periodic cube, seed 0, one thread. φ is the packing fraction; no packing has any overlap. Seconds are
wall-clock time for placement, sweeps, the exact last step and the certificate, and belong to the machine that wrote this
page; φ and sweeps are the same on every machine."
    );
    for mixture in MIXTURES {
        let law = SizeSpec::load(mixture.sizes)?.distribution;
        table(&mixture, &law)?;
    }
    println!(
        "\nPredictions are those of Farr & Groot, J. Chem. Phys. 131, 244104 (2009), good to about 0.01 for size ratios up to
10. A sample of {SPHERES} spheres holds few of the largest ones when the size ratio is wide, and a narrower sample packs
less densely than its law."
    );
    Ok(())
}

fn table(mixture: &Mixture, law: &SizeDistribution) -> Result<(), Box<dyn std::error::Error>> {
    let diameters = law.sample(SPHERES, Sampling::Stratified, 0).diameters;
    let largest = diameters.iter().copied().fold(0.0, f64::max);
    let smallest = diameters.iter().copied().fold(f64::INFINITY, f64::min);
    print!(
        "\n## {}\n\nThe sample's size ratio is {:.1}.",
        mixture.title,
        largest / smallest
    );
    if let Some(predicted) = mixture.predicted {
        print!(" Predicted for the whole law: {predicted:.4}.");
    }
    println!("\n\n| effort | φ | sweeps | seconds |\n|---|---|---|---|");
    let radii: Vec<f64> = diameters.iter().map(|d| 0.5 * d).collect();
    for effort in EFFORTS {
        let options = PackOptions {
            effort: Effort::try_from(effort)?,
            threads: 1,
            ..PackOptions::default()
        };
        let run = pack(&radii, &options, &mut ())?;
        let sweeps = run.packing.provenance.as_ref().map_or(0, |p| p.sweeps);
        println!(
            "| {effort} | {:.4} | {sweeps} | {:.2} |",
            run.packing.packing_fraction(),
            run.elapsed.as_secs_f64()
        );
    }
    Ok(())
}
