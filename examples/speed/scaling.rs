//! Whether a relocation and a refresh cost the same however many spheres there are.

use std::{fmt::Write, hint::black_box, time::Instant};

use glam::DVec3;
use jostle::{
    Effort, Entry, IndexKind, PackOptions, Packing, Sampling, SizeSpec, VerletLists, pack,
};

use crate::{Outcome, grouped};

const MIXTURES: [(&str, &str); 2] = [
    ("equal spheres", "mono:d=1"),
    (
        "f(r) ∝ r⁻³, size ratio 10",
        "power-law:exponent=-3,d_min=1,d_max=10",
    ),
];
const NUMBERS: [usize; 4] = [1_000, 10_000, 100_000, 1_000_000];

/// Sweeps of each run: those in which spheres move fast and most refreshes fall.
const SWEEPS: u64 = 160;

/// Every so manieth sphere is refreshed at the same time, about as many as in a sweep.
const EVERY: usize = 20;

/// Cost of a sphere in a sweep and of a refresh, in nanoseconds.
struct Cost {
    sweep: f64,
    refresh: f64,
}

pub(crate) fn section(page: &mut String) -> Outcome {
    write!(
        page,
        "
## Cost against the number of spheres

One thread. A sweep: time for each sphere and sweep over the first {SWEEPS} sweeps, in which most of the refreshes fall,
placement, lists, the last step and the certificate included. A refresh: every {EVERY}th sphere of a finished packing is given another place
a hundredth of its radius away, with all that this changes in index and lists, as it is in a sweep. In nanoseconds:

| spheres |{}
|---|{}
",
        MIXTURES.map(|(title, _)| format!(" {title}: sweep | refresh |")).concat(),
        "---|---|".repeat(MIXTURES.len())
    )?;
    for n in NUMBERS {
        write!(page, "| {} |", grouped(n))?;
        for (_, sizes) in MIXTURES {
            let cost = cost(sizes, n)?;
            write!(page, " {:.0} | {:.0} |", cost.sweep, cost.refresh)?;
        }
        writeln!(page)?;
    }
    writeln!(
        page,
        "
The work for each sphere is the same in every row; what grows is the time to fetch it. The lists, the index and the spheres themselves take
from some 0.5 to 1 kilobyte for each sphere, so that the processor's own caches hold all of the first two rows and little of the last."
    )?;
    Ok(())
}

fn cost(sizes: &str, n: usize) -> Outcome<Cost> {
    let law = SizeSpec::load(sizes)?.distribution;
    let sample = law.sample(n, Sampling::Stratified, 0);
    let radii: Vec<f64> = sample.diameters.iter().map(|d| 0.5 * d).collect();
    let options = PackOptions {
        effort: Effort::NORMAL,
        threads: 1,
        max_sweeps: Some(SWEEPS),
        ..PackOptions::default()
    };
    // Small packings take so little time that one run tells nothing.
    let runs = (200_000 / n).clamp(1, 20);
    let mut sweep = f64::INFINITY;
    let mut last = None;
    for _ in 0..runs {
        let run = pack(&radii, &options, &mut ())?;
        let sweeps = run.packing.provenance.as_ref().map_or(1, |p| p.sweeps);
        sweep = sweep.min(1e9 * run.elapsed.as_secs_f64() / (n as f64 * sweeps as f64));
        last = Some(run.packing);
    }
    let packing = last.ok_or("no run was made")?;
    Ok(Cost {
        sweep,
        refresh: refresh(&packing)?,
    })
}

/// Time of one refresh on one thread, in nanoseconds.
fn refresh(packing: &Packing) -> Outcome<f64> {
    let container = packing.container;
    let spheres = numbered_in_space(packing);
    let there = |id: u32| {
        let (center, radius) = spheres[id as usize];
        Entry {
            center,
            radius: 1.2 * radius,
            id,
        }
    };
    let away = |id: u32| {
        let (center, radius) = spheres[id as usize];
        Entry {
            center: container.wrap(center + DVec3::splat(0.01 * radius)),
            ..there(id)
        }
    };
    let mut lists = VerletLists::new(IndexKind::default(), &container, spheres.len(), there);
    let moved: Vec<u32> = (0..spheres.len() as u32).step_by(EVERY).collect();
    let rounds = (20_000 / moved.len()).max(2);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    let seconds = pool.install(|| {
        let clock = Instant::now();
        for _ in 0..rounds {
            lists.refresh(&moved, away);
            lists.refresh(&moved, there);
            black_box(&lists);
        }
        clock.elapsed().as_secs_f64()
    });
    Ok(1e9 * seconds / (2 * rounds * moved.len()) as f64)
}

/// Centres and radii along a Z-order curve: spheres with neighbouring numbers are near each other, as they are in the loop.
fn numbered_in_space(packing: &Packing) -> Vec<(DVec3, f64)> {
    const BITS: u32 = 16;
    let lengths = packing.container.lengths();
    let key = |&(center, _): &(DVec3, f64)| {
        let cell = (center / lengths * f64::from(1 << BITS)).to_array();
        (0..BITS).rev().fold(0u64, |key, bit| {
            cell.iter()
                .fold(key, |key, &x| key << 1 | u64::from(x as u32 >> bit & 1))
        })
    };
    let mut spheres: Vec<(DVec3, f64)> = packing.spheres.iter().collect();
    spheres.sort_by_cached_key(key);
    spheres
}
