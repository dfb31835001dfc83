//! The section.

use super::{
    FEW, PER_RANK, RANKS, Sizes,
    cost::Cost,
    law::{ALL_GATHER, ALL_TO_ALL, EXCHANGES, Law, Laws, exponent},
    markdown::table,
    model,
    numbers::grouped,
};

type Results<'a> = [(&'a Sizes, Vec<Cost>)];

/// Returns the section.
pub fn section(results: &Results) -> String {
    let laws: Vec<(&Sizes, Laws)> = results
        .iter()
        .map(|(sizes, costs)| (*sizes, Laws::new(costs)))
        .collect();
    format!(
        "## Many processes\n\n\
         Written by `cargo run --release -p reports --features mpi -- ranks-cost`. [parallel.md](../method/parallel.md#ranks) explains the work of the ranks.\n\n\
         {METHOD}\n\
         ### The same spheres on more ranks\n\n{STRONG}{}\n\
         ### More spheres on more ranks\n\n{WEAK}{}\n\
         ### Memory of the ranks\n\n{MEMORY}{}\n\
         ### Laws\n\n{LAWS}{}\n{}\n\
         ### A billion spheres\n\n{MODEL}{}\n{NETWORKS}",
        traffic(results, |sizes, cost| sizes
            .spheres
            .contains(&cost.run.spheres)),
        traffic(results, |_, cost| cost.run.spheres
            == PER_RANK * cost.run.ranks),
        memory(results),
        formulas(&laws),
        exponents(results),
        model::predictions(&laws),
    )
}

const METHOD: &str = "\
Each run makes a packing in a periodic cube with effort 0 and seed 0, from the sizes to the certificate, with one thread for each rank. A
`Communicator` counts the messages and bytes that each rank sends to others. All ranks ran on the two cores of one machine, so that this
section states no measured time. There are three kinds of messages:

- **phases**: at the end of each phase, the positions of moved spheres (16 bytes each) go to the ranks that hold copies;
- **refreshes**: at the end of a sweep, and when all lists are rebuilt, refreshed spheres (80 bytes each) go to the ranks that need them
  or become their owners. Each rank sends a message to every other rank, perhaps an empty one;
- **sums**: each rank sends its number, or the overlaps of its blocks (16 bytes each), to every other rank.
";

const STRONG: &str = "\
Messages and bytes per phase, and bytes of a whole run in the other columns, are those of the rank that sends most. The last column is the
number of bytes that all ranks send per sphere in the run.
";

const WEAK: &str = "\
A number of spheres in proportion to the ranks. From 2 to 8 ranks, the share of a rank has more and more faces to other ranks: 2, 4 and 6.
With more ranks, it has 6.
";

const MEMORY: &str = "\
Largest resident memory of the processes. The runs of a thousand spheres show what the program and the MPI library need.
";

const LAWS: &str = "\
N is the number of spheres, and P the number of ranks. A is the number of planes between ranks across the periodic cube: 2, 4 and 6 for 2, 4
and 8 ranks, 8, 12 and 20 for 16, 64 and 256, and about 3 P^(1/3) for many. So the bytes per phase grow as N^(2/3) P^(1/3), and those of one
rank as (N/P)^(2/3). The law of the phases belongs to the runs with most spheres, and the other laws to all runs on several ranks. In that of
the memory, the first factor is that of one rank with most spheres. The other factors have the least squares of the relative errors, and
none is negative. The last column is the largest relative error.
";

const MODEL: &str = "\
One rank for each node, which has 64 threads. The work takes the time per sphere on one thread of a million spheres, divided by the speed-up
on 64 threads that [Many threads](#many-threads) predicts for ten million. Messages follow the laws: a message takes the latency, and the bytes
of a rank follow each other at the bandwidth. A phase has a message to each neighbor (11 on 16 nodes, 26 on more); refreshes and sums have
one to each other rank. Nothing overlaps. The three terms of the messages are phases, refreshes and sums; the share in parentheses is that
of all messages in the time of the run. GB per node follow the law of the peak memory.
";

const NETWORKS: &str = "\
The network of 40 Gb/s has a latency of 1.93 µs and a bandwidth of 37.23 Gb/s, [measured with Open MPI over
Ethernet](https://blogs.cisco.com/performance/mpi-over-40gb-ethernet). For 200 Gb/s, the rate of one link of HDR InfiniBand, the model assumes
the full rate and the same latency.

The model ignores that ranks wait for the slowest one, that visits of copies repeat work, and that the memory of a node serves all threads.
The laws are extrapolated from a million spheres on 8 ranks.
";

/// Returns the table of the messages of some runs.
fn traffic(results: &Results, is_shown: impl Fn(&Sizes, &Cost) -> bool) -> String {
    let rows = results.iter().flat_map(|(sizes, costs)| {
        let shown = costs
            .iter()
            .filter(|cost| cost.run.ranks > 1 && is_shown(sizes, cost));
        shown.map(|cost| {
            let phases = cost.calls(EXCHANGES);
            let megabytes = |bytes: f64| format!("{:.2}", bytes / 1e6);
            let kinds = [EXCHANGES, ALL_TO_ALL, ALL_GATHER];
            let all: f64 = kinds.iter().map(|&kind| cost.bytes(kind).1).sum();
            vec![
                sizes.name.to_owned(),
                grouped(cost.run.spheres),
                cost.run.ranks.to_string(),
                cost.sweeps().to_string(),
                phases.to_string(),
                format!("{:.1}", cost.messages(EXCHANGES) / phases),
                format!("{:.2}", cost.bytes(EXCHANGES).0 / phases / 1e3),
                cost.messages(ALL_TO_ALL).to_string(),
                megabytes(cost.bytes(ALL_TO_ALL).0),
                cost.messages(ALL_GATHER).to_string(),
                megabytes(cost.bytes(ALL_GATHER).0),
                format!("{:.0}", all / cost.run.spheres as f64),
            ]
        })
    });
    let head = [
        "sizes",
        "N",
        "ranks",
        "sweeps",
        "phases",
        "messages per phase",
        "kB per phase",
        "messages of refreshes",
        "MB of refreshes",
        "messages of sums",
        "MB of sums",
        "bytes per sphere",
    ];
    table(&head, rows)
}

/// Returns the table of the peak memory of the runs with fewest and with most spheres.
fn memory(results: &Results) -> String {
    let rows = results.iter().flat_map(|(sizes, costs)| {
        let most = sizes.spheres.iter().max();
        let large = costs
            .iter()
            .filter(move |cost| cost.run.spheres == FEW || Some(&cost.run.spheres) == most);
        large.map(|cost| {
            let (largest, all) = cost.peak();
            vec![
                sizes.name.to_owned(),
                grouped(cost.run.spheres),
                cost.run.ranks.to_string(),
                format!("{:.0}", largest / 1e6),
                format!("{:.0}", all / 1e6),
                format!("{:.2}", largest * cost.run.ranks as f64 / all),
            ]
        })
    });
    let head = [
        "sizes",
        "N",
        "ranks",
        "largest rank, MB",
        "all ranks, MB",
        "largest / mean",
    ];
    table(&head, rows)
}

/// Returns the table of the laws.
fn formulas(laws: &[(&Sizes, Laws)]) -> String {
    let rows = laws.iter().flat_map(|(sizes, laws)| {
        let phases = laws.phases;
        let row = |what: &str, law: &Law, divisor: f64, terms: [&str; 2]| {
            let parts = law.factors.iter().zip(terms);
            let parts = parts.filter(|&(&factor, _)| factor > 0.0);
            let parts: Vec<String> = parts
                .map(|(factor, term)| format!("{}{term}", rounded(factor / divisor)))
                .collect();
            vec![
                sizes.name.to_owned(),
                what.to_owned(),
                parts.join(" + "),
                format!("{:.0} %", 100.0 * law.error),
            ]
        };
        [
            row(
                "bytes per phase, all ranks",
                &laws.exchanges,
                phases,
                [" A N^(2/3)", ""],
            ),
            row(
                "bytes of refreshes, all ranks",
                &laws.all_to_all,
                1.0,
                [" A N^(2/3)", " N (1 − 1/P)"],
            ),
            row(
                "bytes of sums, all ranks",
                &laws.all_gather,
                1.0,
                [" N (P − 1)", " P (P − 1)"],
            ),
            row(
                "calls of refreshes",
                &laws.all_to_all_calls,
                1.0,
                [" N/P", ""],
            ),
            row("calls of sums", &laws.all_gather_calls, 1.0, [" N/P", ""]),
            row(
                "peak memory of a rank above that of few spheres, bytes",
                &laws.memory,
                1.0,
                [" N/P", " A N^(2/3) / P"],
            ),
        ]
    });
    table(&["sizes", "quantity", "law", "error"], rows)
}

/// Returns the sentence about the exponents of N.
fn exponents(results: &Results) -> String {
    let of_sizes = results.iter().map(|(sizes, costs)| {
        let exponents = RANKS[1..].iter().map(|&ranks| {
            let is_shown = |cost: &&Cost| cost.run.ranks == ranks && cost.run.spheres != FEW;
            format!("{:.2}", exponent(costs.iter().filter(is_shown)))
        });
        let exponents: Vec<String> = exponents.collect();
        format!("{} for {}", exponents.join(", "), sizes.name)
    });
    let of_sizes: Vec<String> = of_sizes.collect();
    format!(
        "Fitted to runs on 2, 4 and 8 ranks, the exponents of N in the bytes per phase are\n{}.\n\
         The law with the exponent 2/3 is an upper bound where the fitted exponents are smaller.\n",
        of_sizes.join(", and ")
    )
}

/// Returns a number with three digits.
fn rounded(number: f64) -> String {
    let power = number.log10().floor() as i32;
    if power > 2 {
        let unit = 10f64.powi(power - 2);
        return grouped(((number / unit).round() * unit) as usize);
    }
    let digits = (2 - power) as usize;
    format!("{number:.digits$}")
}
