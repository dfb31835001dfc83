//! The limit that a few large spheres set to the packing fraction.

use jostle::{Effort, PackOptions, pack};

use super::{markdown::table, numbers::grouped, outcome::Outcome};
use crate::sample::radii;

const SIZES: [&str; 2] = ["din-a16", "din-a32"];
const NUMBERS: [usize; 2] = [10_000, 100_000];

/// Numbers of the largest spheres that are packed alone.
const LARGEST: [usize; 3] = [32, 128, 512];

const SEEDS: u64 = 5;

/// The mean and the highest value of several runs.
struct Runs {
    mean: f64,
    highest: f64,
}

/// Returns the section.
pub fn section() -> Outcome<String> {
    let mut header = vec!["sizes".to_owned(), "spheres".to_owned(), "φ".to_owned()];
    header.extend(LARGEST.map(|number| format!("limit of {number} spheres")));
    let mut rows = Vec::new();
    for sizes in SIZES {
        for spheres in NUMBERS {
            let mut radii = radii(sizes, spheres)?;
            radii.sort_unstable_by(|a, b| b.total_cmp(a));
            let mut cells = vec![format!("`{sizes}`"), grouped(spheres)];
            cells.push(packed(&radii, Effort::NORMAL)?.text(1.0));
            for number in LARGEST {
                let largest = &radii[..number];
                let per_volume = volume(&radii) / volume(largest);
                cells.push(packed(largest, Effort::THOROUGH)?.text(per_volume));
            }
            rows.push(cells);
        }
    }
    Ok(format!("{HEAD}{}", table(&header, rows)))
}

const HEAD: &str = "
### Few large spheres

A sample of few spheres of a wide distribution has only a few large spheres, which carry much of the mass. The cube of all spheres
cannot be smaller than the cube of the largest spheres alone. The limit is the volume of all spheres divided by the volume of that cube.
The largest spheres are packed alone at thorough effort, and all spheres at normal effort. Each cell shows the mean of seeds 0 to 4, and
the highest value in brackets. A packing of one seed, as in [the first section](#packing-fraction-against-time), can differ from the mean by more than 0.01. The largest
512 of 10 000 spheres need nearly the volume in which all 10 000 are packed. That is why 10 000 spheres pack looser than 100 000 spheres of
the same distribution.
";

/// Packs spheres with several seeds, and returns the packing fractions.
fn packed(radii: &[f64], effort: Effort) -> Outcome<Runs> {
    let mut fractions = Vec::new();
    for seed in 0..SEEDS {
        let options = PackOptions::default().effort(effort).seed(seed);
        fractions.push(pack(radii, &options)?.packing.packing_fraction());
    }
    Ok(Runs {
        mean: fractions.iter().sum::<f64>() / SEEDS as f64,
        highest: fractions.iter().copied().fold(0.0, f64::max),
    })
}

impl Runs {
    fn text(&self, factor: f64) -> String {
        format!("{:.4} ({:.4})", factor * self.mean, factor * self.highest)
    }
}

/// Returns the volume of spheres, as a multiple of that of a sphere of radius 1.
fn volume(radii: &[f64]) -> f64 {
    radii.iter().map(|radius| radius.powi(3)).sum()
}
