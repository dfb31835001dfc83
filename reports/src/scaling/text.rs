//! The section.

use super::{
    RUNS,
    markdown::table,
    numbers::grouped,
    record::{Record, Run, THREADS},
    replay::{Replay, Share},
};

/// Regions and parts with a smaller share of the time on one thread are not listed.
const LEAST_SHARE: f64 = 0.0005;

/// Numbers of threads in the tables of regions and of limits.
const MANY: [usize; 2] = [16, 64];

/// Goals of the prediction: number of spheres, number of threads and speed-up.
const GOALS: [(usize, usize, f64); 3] = [
    (1_000_000, 16, 10.0),
    (10_000_000, 16, 13.0),
    (10_000_000, 64, 40.0),
];

/// Goal of the measured speed-up on two threads.
const GOAL_ON_TWO: f64 = 1.85;

type Results<'a> = [(&'a Run, Record)];

impl Run {
    /// Returns the name of the run in tables and in the picture.
    pub fn title(&self) -> String {
        let power = self.spheres.ilog10();
        let number = if power == 6 { "10⁶" } else { "10⁷" };
        format!("{number} {}", self.name)
    }
}

/// Returns the section with a picture.
pub fn section(picture: &str, results: &Results) -> String {
    format!(
        "## Many threads\n\n\
         Written by `cargo run --release -p reports --features trace -- scaling`.\n\n\
         ![Predicted speed-up](../{picture})\n\n\
         {METHOD}{}\n\
         ### Predicted speed-up\n{}\n\
         ### Two threads\n\n{ON_TWO}{}\n\
         ### Goals\n{}\n\
         ### What limits the speed-up\n\n{LIMITS}{}\n\
         ### Serial parts\n\n{SERIAL}{}\n\
         ### Shared regions\n\n{SHARED}{}",
        missing(results),
        speed_ups(results),
        on_two(results),
        goals(results),
        limits(results),
        serial_parts(results),
        shared_regions(results),
    )
}

const METHOD: &str = "\
The speed-up is predicted, because the machine that wrote this section has two cores. The feature `trace` records a run on one thread: the
time of every block, of every other task, of every region that threads share, and of every part that one thread performs alone. A replay
then distributes the tasks of each region over more threads. A thread that is free takes the first task whose predecessors are finished. A
region without tasks is divided evenly. No region begins before the last one ends, and serial parts keep their time.

All runs have effort 0: a periodic cube, seed 0, from the placement to the certificate. The replay knows neither the bandwidth of the
memory, which all threads share, nor the time to wake threads, nor lower clock rates of busy processors. So it is an upper bound.
[Many processes](#many-processes) has the messages of several processes.
";

const ON_TWO: &str = "\
Medians of runs on one and on two threads, in turn. The replay of the recorded run predicts the fifth column. Then two separate runs, each
on one thread, ran at the same time. They share nothing but the machine. The last column shows how much more they did in the same time than
one run alone: the limit that the caches, the memory and the clock rate of this machine set.
";

const LIMITS: &str = "\
Shares of the time on 16 and on 64 threads. Work is the time on one thread of all regions, divided by the number of threads. While
threads wait, too few blocks or tasks are ready: blocks are at least as wide as two diameters of the inflated spheres of their level, and
the large spheres of a mixture fill few of them.
";

const SERIAL: &str = "\
Shares of the time on one thread. One thread forms the sums over all sizes, whose terms have a fixed order, joins the results of tasks,
builds the grid of an insertion, and frees memory.
";

const SHARED: &str = "\
Share of the time on one thread, and the speed-up on 16 and 64 threads.
";

/// Returns a paragraph about the runs without a result.
fn missing(results: &Results) -> String {
    let is_missing = |run: &&Run| {
        results
            .iter()
            .all(|(known, _)| known.title() != run.title())
    };
    let missing: Vec<String> = RUNS.iter().filter(is_missing).map(Run::title).collect();
    match missing.is_empty() {
        true => String::new(),
        false => format!("\nNot measured yet: {}.\n", missing.join(", ")),
    }
}

fn titles(first: &str, results: &Results) -> Vec<String> {
    let titles = results.iter().map(|(run, _)| run.title());
    [first.to_owned()].into_iter().chain(titles).collect()
}

fn speed_ups(results: &Results) -> String {
    let rows = THREADS.iter().map(|&threads| {
        let speed_up = |(_, record): &(&Run, Record)| format!("{:.1}", record.speed_up(threads));
        let speed_ups = results.iter().map(speed_up);
        [threads.to_string()].into_iter().chain(speed_ups).collect()
    });
    table(&titles("threads", results), rows)
}

fn on_two(results: &Results) -> String {
    let rows = results.iter().filter_map(|(run, record)| {
        let measured = record.measured?;
        Some(vec![
            run.title(),
            format!("{:.1}", measured.on_one),
            format!("{:.1}", measured.on_two),
            format!("{:.2}", measured.speed_up()),
            format!("{:.2}", record.speed_up(2)),
            format!("{:.1}", measured.beside),
            format!("{:.2}", measured.throughput()),
        ])
    });
    let header = [
        "run",
        "s on one thread",
        "s on two threads",
        "measured speed-up",
        "predicted",
        "s of two runs at the same time",
        "limit of this machine",
    ];
    table(&header, rows)
}

fn goals(results: &Results) -> String {
    let met = |value: f64, goal: f64| if value >= goal { "met" } else { "missed" };
    let rows = results.iter().flat_map(|(run, record)| {
        let goals = GOALS.iter().filter(|goal| goal.0 == run.spheres);
        let predicted = goals.map(|&(_, threads, goal)| {
            let value = record.speed_up(threads);
            (format!("predicted, {threads} threads"), goal, value)
        });
        let measured = record.measured.map(|measured| {
            let name = "measured, 2 threads".to_owned();
            (name, GOAL_ON_TWO, measured.speed_up())
        });
        let row = |(name, goal, value)| {
            vec![
                run.title(),
                name,
                format!("{goal}"),
                format!("{value:.2}"),
                met(value, goal).to_owned(),
            ]
        };
        predicted.chain(measured).map(row).collect::<Vec<_>>()
    });
    table(&["run", "speed-up", "goal", "value", ""], rows)
}

fn limits(results: &Results) -> String {
    let rows = results.iter().flat_map(|(run, record)| {
        MANY.map(|threads| {
            let replay = record.on(threads);
            let percent = |time: f64| percent(time / replay.total());
            let is_visit = |share: &&Share| share.name == "visits";
            let alone = replay.shared.iter().map(|share| share.alone);
            vec![
                run.title(),
                threads.to_string(),
                percent(alone.sum::<f64>() / threads as f64),
                percent(replay.serial),
                percent(waiting(replay, is_visit)),
                percent(waiting(replay, |share| !is_visit(share))),
            ]
        })
    });
    let header = [
        "run",
        "threads",
        "work",
        "serial parts",
        "waiting in visits",
        "waiting in other regions",
    ];
    table(&header, rows)
}

/// Returns the time on all threads in which some threads wait, as if all others worked, in seconds.
fn waiting(replay: &Replay, is_counted: impl Fn(&&Share) -> bool) -> f64 {
    let waiting = |share: &Share| share.together - share.alone / replay.threads as f64;
    replay.shared.iter().filter(is_counted).map(waiting).sum()
}

fn serial_parts(results: &Results) -> String {
    let share = |record: &Record, name: &str| {
        let part = record.serial.iter().find(|(part, _)| part == name);
        part.map_or(0.0, |(_, time)| time / record.alone)
    };
    let names = named(results, |record| {
        record
            .serial
            .iter()
            .map(|(name, _)| name.as_str())
            .collect()
    });
    let rows = names
        .into_iter()
        .filter(|name| {
            results
                .iter()
                .any(|(_, record)| share(record, name) >= LEAST_SHARE)
        })
        .map(|name| row(name, results, |record| percent(share(record, name))));
    let all = row("all serial parts", results, |record| {
        percent(record.on(1).serial / record.alone)
    });
    table(&titles("serial part", results), rows.chain([all]))
}

fn shared_regions(results: &Results) -> String {
    let share = |record: &Record, threads: usize, name: &str| {
        let shared = &record.on(threads).shared;
        let share = shared.iter().find(|share| share.name == name);
        share
            .cloned()
            .filter(|share| share.alone >= LEAST_SHARE * record.alone)
    };
    let names = named(results, |record| {
        let shared = &record.on(1).shared;
        shared.iter().map(|share| share.name.as_str()).collect()
    });
    let rows = names
        .into_iter()
        .filter(|name| {
            results
                .iter()
                .any(|(_, record)| share(record, 1, name).is_some())
        })
        .map(|name| {
            row(name, results, |record| {
                let Some(alone) = share(record, 1, name) else {
                    return String::new();
                };
                let on = |threads| {
                    let share = share(record, threads, name).unwrap_or_default();
                    format!("{:.1}", share.alone / share.together)
                };
                let [sixteen, many] = MANY.map(on);
                format!("{}; {sixteen}, {many}", percent(alone.alone / record.alone))
            })
        });
    let tasks = row("blocks visited", results, |record| {
        let visits = record
            .on(1)
            .shared
            .iter()
            .find(|share| share.name == "visits");
        visits.map_or_else(String::new, |visits| {
            format!(
                "{} in {} sweeps",
                grouped(visits.tasks),
                grouped(visits.calls)
            )
        })
    });
    table(&titles("region", results), rows.chain([tasks]))
}

/// Returns the names of all records, each at its first occurrence.
fn named<'a>(results: &'a Results, names: impl Fn(&'a Record) -> Vec<&'a str>) -> Vec<&'a str> {
    let mut all = Vec::new();
    for name in results.iter().flat_map(|(_, record)| names(record)) {
        if !all.contains(&name) {
            all.push(name);
        }
    }
    all
}

/// Returns a row with one cell for each run.
fn row(name: &str, results: &Results, cell: impl Fn(&Record) -> String) -> Vec<String> {
    let cells = results.iter().map(|(_, record)| cell(record));
    [name.to_owned()].into_iter().chain(cells).collect()
}

fn percent(share: f64) -> String {
    format!("{:.2} %", 100.0 * share)
}
