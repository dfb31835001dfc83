//! Cost of a relocation and of a refresh against the number of spheres.

use std::{hint::black_box, iter, time::Instant};

use jostle::{PackOptions, Packer};

use super::{
    markdown::table,
    mixtures::{EQUAL, Mixture, RATIO_10},
    numbers::grouped,
    outcome::Outcome,
};

const NUMBERS: [usize; 4] = [1_000, 10_000, 100_000, 1_000_000];

/// Number of measured sweeps. In the first sweeps spheres move fast, and most refreshes are made.
const SWEEPS: usize = 100;

/// Number of spheres in all repetitions of a measurement, within the limits of [`REPETITIONS`].
///
/// The fastest repetition counts: a machine is never quite idle, and small packings are disturbed most.
const SPHERES_IN_ALL: usize = 200_000;
const REPETITIONS: [usize; 2] = [3, 20];

/// Cost of a relocation and of a refresh in nanoseconds.
struct Cost {
    relocation: f64,
    refresh: f64,
}

/// Returns the section on the cost of relocations and refreshes.
pub fn section() -> Outcome<String> {
    let mixtures = [EQUAL, RATIO_10];
    let mut header = vec!["spheres".to_owned()];
    for mixture in mixtures {
        header.extend([
            format!("{}: relocation", mixture.title),
            "refresh".to_owned(),
        ]);
    }
    let costs = NUMBERS
        .map(|n| -> Outcome<_> { Ok([cost(mixtures[0], n)?, cost(mixtures[1], n)?]) })
        .into_iter()
        .collect::<Outcome<Vec<_>>>()?;
    let rows = NUMBERS.iter().zip(&costs).map(|(&n, costs)| {
        let mut cells = vec![grouped(n)];
        for cost in costs {
            cells.push(format!("{:.0}", cost.relocation));
            cells.push(format!("{:.0}", cost.refresh));
        }
        cells
    });
    let [_, few, .., many] = &costs[..] else {
        return Err("the table has too few rows".into());
    };
    Ok(format!(
        "
### Cost against the number of spheres

One thread, the first {SWEEPS} sweeps at the default effort, in nanoseconds. A relocation is the time of all visits, divided by the number
of spheres that they moved. A refresh is the time spent on lists and index between the sweeps, divided by the number of rebuilt lists.
{}
From {} to {} equal spheres, {}. At size ratio 10, {}.

The number of operations per sphere is the same in every row, except at size ratio 10 in the first row: a thousand spheres fill such a
small container that they have few small neighbors. The time of memory accesses grows. In the first row all data are in the caches of one
core, and a relocation costs only its arithmetic. In the last row a relocation of equal spheres reads its list (128 bytes at first),
the position of the list in memory (12 bytes), its inflated sphere (16 bytes) and about two points (16 bytes each; the blocks of a sweep share
the points at their faces): about three cache lines. With several sizes it reads more, because spheres that are neighbors in memory are
visited at different times. Reading one cache line in order from memory took {:.1} ns here. So the last row cannot cost less than the first
row and three such reads.
",
        table(&header, rows),
        grouped(NUMBERS[1]),
        grouped(NUMBERS[3]),
        growth(&few[0], &many[0]),
        growth(&few[1], &many[1]),
        nanoseconds_per_line()
    ))
}

fn growth(few: &Cost, many: &Cost) -> String {
    format!(
        "the time of a relocation grows {:.1} times and that of a refresh {:.1} times",
        many.relocation / few.relocation,
        many.refresh / few.refresh
    )
}

/// Returns the time to read one cache line of a large table, in order.
fn nanoseconds_per_line() -> f64 {
    const LINES: usize = 1 << 23;
    const WORDS: usize = 8;
    let table = vec![1u64; WORDS * LINES];
    let passes = (0..3).map(|_| {
        let clock = Instant::now();
        black_box(black_box(&table).iter().sum::<u64>());
        clock.elapsed().as_secs_f64()
    });
    1e9 * passes.fold(f64::INFINITY, f64::min) / LINES as f64
}

fn cost(mixture: Mixture, n: usize) -> Outcome<Cost> {
    let radii = mixture.sample(n)?.radii();
    let options = PackOptions::default().threads(1);
    let mut lowest = Cost {
        relocation: f64::INFINITY,
        refresh: f64::INFINITY,
    };
    for _ in 0..(SPHERES_IN_ALL / n).clamp(REPETITIONS[0], REPETITIONS[1]) {
        let mut packer = Packer::new(&radii, &options)?;
        let sweeps = iter::from_fn(|| packer.sweep());
        let last = sweeps.take(SWEEPS).last();
        let work = last.ok_or("the packing run made no sweep")?.work;
        let relocation = 1e9 * work.relocating.as_secs_f64() / work.relocations as f64;
        let refresh = 1e9 * work.refreshing.as_secs_f64() / work.refreshes as f64;
        lowest.relocation = lowest.relocation.min(relocation);
        lowest.refresh = lowest.refresh.min(refresh);
    }
    Ok(lowest)
}
