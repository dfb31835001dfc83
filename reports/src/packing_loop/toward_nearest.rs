//! The effect of steps toward the nearest neighbor.

use jostle::{Effort, PackOptions, pack, rearrange::GapShare};

use super::MIXTURES;
use crate::{
    markdown::table,
    mean::Mean,
    numbers::{grouped, signed},
    outcome::Outcome,
    sample::radii,
};

/// Number of spheres of each packing.
const SPHERES: usize = 10_000;

const SEEDS: u64 = 5;

/// Shares of the gap, in the order of the table. The first one is the default.
const SHARES: [f64; 4] = [0.0, 0.1, 0.5, 1.0];

/// Packings with several seeds.
#[derive(Clone, Copy)]
pub struct Packings {
    pub fraction: Mean,
    /// Mean number of sweeps.
    pub sweeps: f64,
    /// Mean time on one thread.
    pub seconds: f64,
}

/// Packs spheres with a share of the gap and several seeds, at least two.
pub fn packed(radii: &[f64], effort: Effort, share: f64, seeds: u64) -> Outcome<Packings> {
    let (mut fractions, mut sweeps, mut seconds) = (Vec::new(), 0.0, 0.0);
    for seed in 1..=seeds {
        let options = PackOptions::default()
            .effort(effort)
            .toward_nearest(GapShare::try_from(share)?)
            .threads(1)
            .seed(seed);
        let run = pack(radii, &options)?;
        let provenance = run
            .packing
            .provenance
            .ok_or("a packing has no provenance")?;
        fractions.push(run.packing_fraction);
        sweeps += provenance.sweeps as f64 / seeds as f64;
        seconds += run.elapsed.as_secs_f64() / seeds as f64;
    }
    Ok(Packings {
        fraction: Mean::of(&fractions),
        sweeps,
        seconds,
    })
}

/// Returns the section.
pub fn section() -> Outcome<String> {
    let mut rows = Vec::new();
    let (mut largest_change, mut times) = (0f64, Vec::new());
    for (title, sizes) in MIXTURES {
        let radii = radii(sizes, SPHERES)?;
        let mut all = Vec::new();
        for share in SHARES {
            eprintln!("{title}, share {share}");
            let packings = packed(&radii, Effort::NORMAL, share, SEEDS)?;
            all.push(packings);
            let change = packings.fraction.value - all[0].fraction.value;
            let time = packings.seconds / all[0].seconds;
            if share > 0.0 {
                largest_change = largest_change.max(change.abs());
                times.push(time);
            }
            rows.push(vec![
                title.to_owned(),
                if share > 0.0 {
                    share.to_string()
                } else {
                    "off".to_owned()
                },
                packings.fraction.describe(),
                signed(change, 4),
                format!("{:.0}", packings.sweeps),
                format!("{:.2} s", packings.seconds),
                format!("{time:.2}"),
            ]);
        }
    }
    times.sort_by(f64::total_cmp);
    let [least, most] = [times[0], times[times.len() - 1]];
    let header = [
        "sizes",
        "share of the gap",
        "φ",
        "change of φ",
        "sweeps",
        "time",
        "time over off",
    ];
    Ok(format!(
        "
## Toward the nearest neighbor

\"If σ has no overlap, it is moved towards its nearest neighbour as the aim is a dense packing.\" The paper does not state how far. In jostle
such a sphere stays at its position, unless `--toward-nearest SHARE` moves it by a share of the gap before each sweep. {} spheres in a periodic
cube, normal effort, one thread; means over {SEEDS} seeds, φ with its standard error.
{}
The packing fraction changes by at most {largest_change:.4}, and the time by a factor from {least:.2} to {most:.2}: every sphere is visited
once more before each sweep, and no sphere can become inactive.
",
        grouped(SPHERES),
        table(&header, rows)
    ))
}
