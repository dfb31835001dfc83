//! Time of mixtures of two sizes, relative to equal spheres.

use jostle::{PackOptions, pack};

use super::{markdown::table, numbers::grouped, outcome::Outcome};
use crate::sample::radii;

const RATIOS: [u32; 6] = [2, 4, 10, 20, 60, 200];
const SHARES: [f64; 5] = [0.05, 0.15, 0.25, 0.4, 0.6];

/// Spheres of a mixture of which the large ones are more than [`FEWEST_LARGE`].
const SPHERES: usize = 100_000;

/// Large spheres in other mixtures, which have more spheres.
const FEWEST_LARGE: f64 = 2.0;
const MOST_SPHERES: usize = 1_000_000;

/// Returns the section.
pub fn section() -> Outcome<String> {
    let equal = cost("mono:d=1", SPHERES)?;
    let mut header = vec!["size ratio".to_owned()];
    header.extend(SHARES.map(|share| share.to_string()));
    let mut rows = Vec::new();
    for ratio in RATIOS {
        let mut cells = vec![ratio.to_string()];
        for share in SHARES {
            let spheres = spheres(ratio, share);
            cells.push(if spheres > MOST_SPHERES {
                "–".to_owned()
            } else {
                let text = format!("bidisperse:d_small=1,d_large={ratio},mass_small={share}");
                format!("{:.2}", cost(&text, spheres)? / equal)
            });
        }
        rows.push(cells);
    }
    Ok(format!(
        "
### Time of two sizes

Time per sphere relative to {} equal spheres, at normal effort on one thread. Columns are shares of the small spheres in the mass. A
mixture has {} spheres, or as many as {FEWEST_LARGE} large spheres need. Mixtures that need more than {} spheres are left out.
{}",
        grouped(SPHERES),
        grouped(SPHERES),
        grouped(MOST_SPHERES),
        table(&header, rows)
    ))
}

/// Returns the number of spheres in a mixture.
fn spheres(ratio: u32, share: f64) -> usize {
    let small_per_large = share / (1.0 - share) * f64::from(ratio).powi(3);
    SPHERES.max((FEWEST_LARGE * (1.0 + small_per_large)).ceil() as usize)
}

/// Returns the time in seconds per sphere.
fn cost(sizes: &str, spheres: usize) -> Outcome<f64> {
    let run = pack(radii(sizes, spheres)?, &PackOptions::default().threads(1))?;
    Ok(run.elapsed.as_secs_f64() / spheres as f64)
}
