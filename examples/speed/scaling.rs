//! Whether a relocation and a refresh cost the same however many spheres there are.

use std::{fmt::Write, hint::black_box, ops::ControlFlow, time::Instant};

use jostle::{Observer, PackOptions, Progress, Sampling, SizeSpec, Work, pack};

use crate::{Outcome, grouped};

const MIXTURES: [(&str, &str); 2] = [
    ("equal spheres", "mono:d=1"),
    (
        "f(r) ∝ r⁻³, size ratio 10",
        "power-law:exponent=-3,d_min=1,d_max=10",
    ),
];
const NUMBERS: [usize; 4] = [1_000, 10_000, 100_000, 1_000_000];

/// Sweeps looked at: those in which spheres move fast, and in which most refreshes fall.
const SWEEPS: u64 = 100;

/// Cost of a relocation and of a refresh, in nanoseconds.
struct Cost {
    relocation: f64,
    refresh: f64,
}

pub(crate) fn section(page: &mut String) -> Outcome {
    write!(
        page,
        "
## Cost against the number of spheres

One thread, the first {SWEEPS} sweeps at the default effort. A relocation: the time of all visits by the number of spheres they moved. A
refresh: the time spent on lists and index between the sweeps, by the number of lists made anew. In nanoseconds:

| spheres |{}
|---|{}
",
        MIXTURES
            .map(|(title, _)| format!(" {title}: relocation | refresh |"))
            .concat(),
        "---|---|".repeat(MIXTURES.len())
    )?;
    let mut rows = Vec::new();
    for n in NUMBERS {
        write!(page, "| {} |", grouped(n))?;
        let mut row = Vec::new();
        for (_, sizes) in MIXTURES {
            let cost = cost(sizes, n)?;
            write!(page, " {:.0} | {:.0} |", cost.relocation, cost.refresh)?;
            row.push(cost);
        }
        writeln!(page)?;
        rows.push(row);
    }
    let [_, few, .., many] = &rows[..] else {
        return Err("the table has too few rows".into());
    };
    let growth = |mixture: usize| {
        let (few, many) = (&few[mixture], &many[mixture]);
        let relocation = many.relocation / few.relocation;
        let refresh = many.refresh / few.refresh;
        format!("a relocation takes {relocation:.1} times as long and a refresh {refresh:.1} times")
    };
    writeln!(
        page,
        "
For a hundred times as many spheres, from the second row to the last, {} where they are equal, and at the ratio of 10 {}. The work for
each sphere is the same in every row, but for the ratio of 10 in the first: a thousand spheres fill so small a container that they have few
small neighbours. What grows is the time to fetch. In the first row all is in the caches of one core, and a relocation costs its
arithmetic. In the last, a relocation of equal spheres brings in its list (128 bytes at first), where that lies (12), its inflated sphere (16)
and some two points (16 each; the blocks of a sweep share those at their faces): about three cache lines. Where there are several
sizes, it brings in more, as its neighbours in memory are visited at another time. One line, read in order from memory, took {:.1} ns
here. So the first row and three lines are the least that the last row can cost.",
        growth(0),
        growth(1),
        nanoseconds_per_line()
    )?;
    Ok(())
}

/// Time to read one cache line of a large table, in order.
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

fn cost(sizes: &str, n: usize) -> Outcome<Cost> {
    let law = SizeSpec::load(sizes)?.distribution;
    let sample = law.sample(n, Sampling::Stratified, 0);
    let radii: Vec<f64> = sample.diameters.iter().map(|d| 0.5 * d).collect();
    let options = PackOptions {
        threads: 1,
        ..PackOptions::default()
    };
    // The least of several: a machine is never quite idle, and small packings take so little time that one run tells nothing.
    let runs = (200_000 / n).clamp(3, 20);
    let mut least = Cost {
        relocation: f64::INFINITY,
        refresh: f64::INFINITY,
    };
    for _ in 0..runs {
        let mut begin = Beginning::default();
        pack(&radii, &options, &mut begin)?;
        let Work {
            relocations,
            relocating,
            refreshes,
            refreshing,
        } = begin.work;
        let relocation = 1e9 * relocating.as_secs_f64() / relocations as f64;
        let refresh = 1e9 * refreshing.as_secs_f64() / refreshes as f64;
        least.relocation = least.relocation.min(relocation);
        least.refresh = least.refresh.min(refresh);
    }
    Ok(least)
}

/// Looks at the first sweeps, and ends the loop after them.
#[derive(Default)]
struct Beginning {
    work: Work,
}

impl Observer for Beginning {
    fn sweep(&mut self, progress: &Progress) -> ControlFlow<()> {
        self.work = progress.work;
        if progress.sweeps < SWEEPS {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    }
}
