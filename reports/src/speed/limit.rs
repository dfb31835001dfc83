//! Distance of relocations and refreshes to the limit of the processor.

use jostle::{
    PackOptions,
    rearrange::{Progress, pack_observed},
};

use super::{
    markdown::table,
    mixtures::{EQUAL, Mixture, RATIO_10},
    outcome::Outcome,
};

const SPHERES: usize = 10_000;

/// The fastest of these runs counts.
const REPETITIONS: usize = 9;

/// Mean times of one run.
#[derive(Clone, Copy, Debug)]
struct Times {
    total: f64,
    /// Of a relocation and of a refresh, in nanoseconds.
    relocation: f64,
    refresh: f64,
    /// Of all relocations and of all refreshes, as shares of the total.
    relocating: f64,
    refreshing: f64,
}

/// Returns the section.
pub fn section() -> Outcome<String> {
    let mut rows = Vec::new();
    for mixture in [EQUAL, RATIO_10] {
        let times = fastest(mixture)?;
        let rest = 1.0 - times.relocating - times.refreshing;
        let percent = |share: f64| format!("{:.0} %", 100.0 * share);
        rows.push(vec![
            mixture.title.to_owned(),
            format!("{:.0} ns", times.relocation),
            format!("{:.2} µs", 1e-3 * times.refresh),
            percent(times.relocating),
            percent(times.refreshing),
            percent(rest),
        ]);
    }
    let header = [
        "10 000 spheres",
        "relocation",
        "refresh",
        "relocations, of the run",
        "refreshes, of the run",
        "rest",
    ];
    Ok(format!("{HEAD}{}{TEXT}", table(&header, rows)))
}

const HEAD: &str = "
### Distance to the limit

Whole runs at normal effort on one thread, the fastest of nine. The rest is the placement, the growth, the order of visits and the
certificate.
";

const TEXT: &str = "
A relocation of a sphere with about ten neighbors reads sixteen points in two vectors of eight lanes. The arithmetic of two vectors, if
it waited for nothing, would take about 25 ns. The rest is waiting. Successive spheres of a sweep lie side by side, so that most
relocations need the result of the relocation before: its store, then the load and transposition of the points, a square root, a
division, the sums over the lanes, the conversion to whole steps, and the next store follow each other. A processor can overlap
two relocations only where they do not depend on each other. The order of visits cannot change without changing the bits.

What was tried (relocations of 2 000 to 10 000 equal spheres unless stated, minima of interleaved runs): comparing squares first, to skip the
root and division of vectors without overlap: 10 % slower, as the branch is hard to predict. A conversion to whole steps without
the check for infinite numbers, and walls without a function call: a sixth faster, and part of the program. One branch for the
activity flags of eight neighbors: no gain. Prefetching a fixed number of lines: no gain beyond 3 % in mixtures. Whole-program
optimization, and one unit of code generation: no gain.

A refresh consists of an index query shared by neighboring spheres, the tests of its candidates, a sort, the comparison of the old
list with the new one, and the changes of the lists of other spheres. Changes of lists work on eight entries at a time, and the
comparison does not branch on equality: 5 % of the refresh. No single part of the remainder takes more than a sixth of it.
";

fn fastest(mixture: Mixture) -> Outcome<Times> {
    let radii = mixture.sample(SPHERES)?.radii();
    let mut runs = Vec::new();
    for _ in 0..REPETITIONS {
        runs.push(times(&radii)?);
    }
    let fastest = runs.into_iter().min_by(|a, b| a.total.total_cmp(&b.total));
    Ok(fastest.ok_or("no run was made")?)
}

fn times(radii: &[f64]) -> Outcome<Times> {
    let mut last: Option<Progress> = None;
    let run = pack_observed(
        radii,
        &PackOptions::default().threads(1),
        &mut |progress: &Progress| {
            last = Some(*progress);
            std::ops::ControlFlow::Continue(())
        },
    )?;
    let work = last.ok_or("the run made no sweep")?.work;
    let total = run.elapsed.as_secs_f64();
    let [relocating, refreshing] =
        [work.relocating, work.refreshing].map(|time| time.as_secs_f64());
    Ok(Times {
        total,
        relocation: 1e9 * relocating / work.relocations as f64,
        refresh: 1e9 * refreshing / work.refreshes as f64,
        relocating: relocating / total,
        refreshing: refreshing / total,
    })
}
