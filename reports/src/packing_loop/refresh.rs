//! Refreshes at once, as in the paper, and in one batch after each sweep.

use std::time::Instant;

use jostle::{
    Effort,
    laboratory::published_loop::{PublishedLoop, PublishedLoopOptions, RefreshPolicy},
    rearrange::GapShare,
};

use super::MIXTURES;
use crate::{markdown::table, mean::Mean, numbers::grouped, outcome::Outcome, sample::radii};

/// Number of spheres of each packing.
const SPHERES: usize = 4_000;

const SEEDS: u64 = 3;

/// Share of the gap in the runs that move spheres toward their nearest neighbors.
const SHARE: f64 = 0.5;

/// Sweeps after which a run ends in any case.
const MOST_SWEEPS: u64 = 50_000;

/// Ranges of sweeps, by their first sweeps, from 1.
pub const RANGES: [u64; 4] = [1, 2, 11, 101];

/// The missed overlaps in a range of sweeps.
#[derive(Clone, Copy, Debug, Default)]
pub struct Missed {
    pub sweeps: u64,
    /// Overlaps that the lists of the visited spheres miss.
    pub missed: u64,
    /// Overlaps in the lists of the visited spheres.
    pub listed: u64,
}

impl Missed {
    /// Returns the share of the overlaps that are missed.
    pub fn share(self) -> f64 {
        self.missed as f64 / (self.missed + self.listed).max(1) as f64
    }

    fn add(&mut self, other: Self) {
        self.sweeps += other.sweeps;
        self.missed += other.missed;
        self.listed += other.listed;
    }
}

/// Packings of the published loop with several seeds.
pub struct Packings {
    /// Packing fraction in the smallest container without overlap.
    pub fraction: Mean,
    /// Mean number of sweeps.
    pub sweeps: f64,
    /// Mean number of refreshes per sphere.
    pub refreshes: f64,
    /// Mean time on one thread.
    pub seconds: f64,
    /// Missed overlaps of all runs, by range of sweeps.
    pub missed: [Missed; RANGES.len()],
}

impl Packings {
    /// Returns the missed overlaps in all sweeps.
    pub fn all_missed(&self) -> Missed {
        let mut sum = Missed::default();
        self.missed.iter().for_each(|&missed| sum.add(missed));
        sum
    }
}

/// Packs spheres with these options and several seeds, at least two. Each run is made twice: for its time, and to count the missed overlaps.
pub fn packed(radii: &[f64], options: PublishedLoopOptions, seeds: u64) -> Outcome<Packings> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    let mut fractions = Vec::new();
    let (mut sweeps, mut refreshes, mut seconds) = (0, 0, 0.0);
    let mut missed = [Missed::default(); RANGES.len()];
    for seed in 1..=seeds {
        let options = options.seed(seed);
        let mut run = PublishedLoop::new(radii, options)?;
        let clock = Instant::now();
        pool.install(|| {
            let mut count = 0;
            while count < MOST_SWEEPS
                && let Some(sweep) = run.sweep()
            {
                count += 1;
                refreshes += sweep.refreshes;
            }
            sweeps += count;
        });
        seconds += clock.elapsed().as_secs_f64() / seeds as f64;
        fractions.push(run.packing_fraction_without_overlap());
        let counted = pool.install(|| count_missed(PublishedLoop::new(radii, options)?));
        for (sum, of_run) in missed.iter_mut().zip(counted?) {
            sum.add(of_run);
        }
    }
    let per_run = 1.0 / seeds as f64;
    Ok(Packings {
        fraction: Mean::of(&fractions),
        sweeps: sweeps as f64 * per_run,
        refreshes: refreshes as f64 * per_run / radii.len() as f64,
        seconds,
        missed,
    })
}

/// Makes a run, and counts the overlaps that lists miss at the visits of their spheres.
fn count_missed(
    mut run: PublishedLoop,
) -> Result<[Missed; RANGES.len()], jostle::rearrange::PackError> {
    let mut counted = [Missed::default(); RANGES.len()];
    for sweep in 1..=MOST_SWEEPS {
        let range = RANGES.partition_point(|&first| first <= sweep) - 1;
        let in_range = &mut counted[range];
        let found = run.sweep_observed(&mut |run, id| {
            in_range.missed += run.missed(id).len() as u64;
            in_range.listed += listed_overlaps(run, id);
        });
        if found.is_none() {
            break;
        }
        in_range.sweeps += 1;
    }
    Ok(counted)
}

/// Returns the number of neighbors in the list of a sphere that overlap it.
fn listed_overlaps(run: &PublishedLoop, id: u32) -> u64 {
    let (center, radius) = (run.center(id), run.radius(id));
    let overlaps = |&&other: &&u32| {
        let apart = run.container().displacement(center, run.center(other));
        apart.length() < radius + run.radius(other)
    };
    run.neighbors(id).iter().filter(overlaps).count() as u64
}

/// Returns the section.
pub fn section() -> Outcome<String> {
    let at_once = PublishedLoopOptions::default();
    let after_sweep = at_once.refresh(RefreshPolicy::AfterSweep);
    let toward = at_once.toward_nearest(GapShare::try_from(SHARE)?);
    let variants = [
        ("at once", at_once),
        ("after the sweep", after_sweep),
        ("at once, toward the nearest neighbor", toward),
    ];
    let [runs, counts] = rows(variants)?;
    let header = [
        "sizes",
        "refresh",
        "φ",
        "sweeps",
        "refreshes per sphere",
        "missed overlaps",
        "time",
        "time over at once",
    ];
    let ranges = ["sizes", "sweep 1", "2 to 10", "11 to 100", "later"];
    Ok(format!(
        "
## Refresh at once or after the sweep

The paper refreshes a sphere as soon as it has moved by half the Verlet distance δ_V. Then no list misses an overlap. The packing loop refreshes
in one batch after each sweep: until then, an overlap with a sphere that left its inflated sphere may be missing in a list. `PublishedLoop`, in
the laboratory of the library, visits one sphere after the other as the paper does, and refreshes by either policy. Relocations, growth and
tolerance are those of the packing loop; δ_V is the same for all spheres. {} spheres, all placed at the start in a periodic cube, normal effort,
one thread, means over {SEEDS} seeds. φ is that of the smallest container without overlap. The last row of each mixture moves spheres without
overlap toward their nearest neighbors at their visits, by {SHARE} of the gap. An overlap is missed if it exists at the visit of a sphere and
is not in the list of the sphere; the counts are sums over the {SEEDS} runs. `tests/integration/papers_2011_loop.rs` compares them with brute force.
{}
Missed overlaps per sweep with the batch, and their share among all overlaps that the visits met:
{}",
        grouped(SPHERES),
        table(&header, runs),
        table(&ranges, counts)
    ))
}

/// Returns the rows of the runs, and those of the missed overlaps per sweep with the batch.
fn rows(variants: [(&str, PublishedLoopOptions); 3]) -> Outcome<[Vec<Vec<String>>; 2]> {
    let (mut runs, mut counts) = (Vec::new(), Vec::new());
    for (title, sizes) in MIXTURES {
        let radii = radii(sizes, SPHERES)?;
        let mut first = None;
        for (name, options) in variants {
            eprintln!("published loop: {title}, {name}");
            let packings = packed(&radii, options.effort(Effort::NORMAL), SEEDS)?;
            let reference = *first.get_or_insert(packings.seconds);
            runs.push(vec![
                title.to_owned(),
                name.to_owned(),
                packings.fraction.describe(),
                format!("{:.0}", packings.sweeps),
                format!("{:.1}", packings.refreshes),
                packings.all_missed().missed.to_string(),
                format!("{:.2} s", packings.seconds),
                format!("{:.2}", packings.seconds / reference),
            ]);
            if options.refresh == RefreshPolicy::AfterSweep {
                let mut cells = vec![title.to_owned()];
                cells.extend(packings.missed.map(per_sweep));
                counts.push(cells);
            }
        }
    }
    Ok([runs, counts])
}

/// Returns the missed overlaps per sweep and their share, as text.
fn per_sweep(missed: Missed) -> String {
    let per_sweep = missed.missed as f64 / missed.sweeps.max(1) as f64;
    format!("{per_sweep:.2} ({:.3} %)", 100.0 * missed.share())
}
