//! `jostle compare index`: candidates, memory and times of every index on the same packings.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use jostle::{
    Boundaries, DEFAULT_PRESET, Effort, IndexKind, Sampling, SizeSpec, estimated_bytes,
    laboratory::compare::{IndexComparison, IndexRow, compare_indexes},
};

use super::table::{RowsFile, aligned};
use crate::cli::{
    Outcome, memory, print, print_json,
    progress::Screen,
    values,
    words::{counted, rounded},
};

/// Compare the indexes on finished packings
#[derive(Args)]
#[command(after_help = "\
Candidates are the other spheres in the nodes or cells that a query opens, before any distance test; neighbours are
those within the Verlet distance. Levels count the spheres on each level, coarsest first. Behind ± stands the
standard deviation over the runs.

Examples:
  jostle compare index mono:d=1
  jostle compare index fuller-2011 --sampling random --boundary www --runs 10 -o table-1.csv

Exit codes:
  0  done
  2  usage or bad input; nothing is written")]
pub struct Index {
    /// A preset, a law such as fuller:d_min=1,d_max=16, or a .json file [default: concrete]
    sizes: Option<String>,

    /// Number of spheres
    #[arg(short, long, value_name = "N", default_value = "10000", value_parser = values::whole_number, allow_hyphen_values = true)]
    number: u64,

    /// Periodic (p) or wall (w) for the x, y and z axis
    #[arg(long, value_name = "ppp|www|ppw…", default_value = "www")]
    boundary: Boundaries,

    /// How far beyond its surface a sphere looks for neighbours, in the unit of the diameters [default: a tenth of the
    /// smallest diameter]
    #[arg(long, value_name = "D", value_parser = verlet_distance, allow_hyphen_values = true)]
    verlet_distance: Option<f64>,

    /// Number of packings, with different seeds, to average over
    #[arg(long, value_name = "R", default_value = "10", value_parser = values::whole_number, allow_hyphen_values = true)]
    runs: u64,

    /// Indexes: loose-octree, strict-octree, grid, hgrid, kd-tree [default: all]
    #[arg(long, value_name = "A,B…", value_delimiter = ',')]
    index: Vec<IndexKind>,

    /// How diameters are chosen: stratified (as near to the curve as N allows) or random
    #[arg(long, value_name = "HOW", default_value_t)]
    sampling: Sampling,

    /// How dense the packings are made: quick, normal, thorough, or a number from 0 to 2 between them
    #[arg(
        long,
        value_name = "EFFORT",
        default_value = "normal",
        allow_hyphen_values = true
    )]
    effort: Effort,

    /// Seed of the first run
    #[arg(
        long,
        value_name = "S",
        default_value_t = 1,
        allow_hyphen_values = true
    )]
    seed: u64,

    /// Number of threads of the packing runs; 0 takes one for each core
    #[arg(
        long,
        value_name = "T",
        default_value_t = 1,
        allow_hyphen_values = true
    )]
    threads: usize,

    /// File to write, as .json or .csv; may be given more than once
    #[arg(short, long, value_name = "FILE")]
    output: Vec<PathBuf>,

    /// Print the rows as JSON
    #[arg(long)]
    json: bool,
}

fn verlet_distance(text: &str) -> Result<f64, String> {
    text.parse()
        .ok()
        .filter(|&distance: &f64| distance >= 0.0 && distance.is_finite())
        .ok_or_else(|| "a finite length of at least 0 is expected".to_owned())
}

impl Index {
    pub fn run(self) -> Result<Outcome> {
        let sizes = SizeSpec::load(self.sizes.as_deref().unwrap_or(DEFAULT_PRESET))?;
        let files: Vec<RowsFile> = (self.output.iter())
            .map(|path| RowsFile::new(path))
            .collect::<Result<_>>()?;
        memory::check(self.number as f64, estimated_bytes(self.number))?;
        let comparison = IndexComparison {
            spheres: usize::try_from(self.number)?,
            sampling: self.sampling,
            boundary: self.boundary,
            effort: self.effort,
            verlet_distance: self.verlet_distance,
            runs: self.runs,
            seed: self.seed,
            indexes: once_each(&self.index, &IndexKind::ALL),
            threads: self.threads,
        };
        let screen = Screen::new(false);
        let rows = compare_indexes(&sizes, &comparison, &mut |step| {
            screen.phase(&format!(
                "run {} of {}: {}",
                step.run, self.runs, step.index
            ));
        })?;
        drop(screen);
        for file in &files {
            file.write(&rows, &csv(&rows))?;
        }
        if self.json {
            print_json(&rows)?;
        } else {
            print(&describe(&rows))?;
        }
        Ok(Outcome::Done)
    }
}

/// What was asked for without repetitions; everything if nothing was.
pub fn once_each<T: Copy + PartialEq>(asked: &[T], all: &[T]) -> Vec<T> {
    let asked = if asked.is_empty() { all } else { asked };
    let mut once = Vec::new();
    for &item in asked {
        if !once.contains(&item) {
            once.push(item);
        }
    }
    once
}

fn describe(rows: &[IndexRow]) -> String {
    let Some(first) = rows.first() else {
        return String::new();
    };
    let with_spread = |mean: f64, spread: f64| {
        if first.runs > 1 {
            format!("{} ± {}", rounded(mean, 4), rounded(spread, 2))
        } else {
            rounded(mean, 4)
        }
    };
    let counts = rows.iter().map(|row| {
        vec![
            row.index.to_string(),
            with_spread(row.candidates_mean, row.candidates_spread),
            with_spread(row.neighbours_mean, row.neighbours_spread),
            with_spread(row.nodes_opened_mean, row.nodes_opened_spread),
            levels(row, 4),
        ]
    });
    let costs = rows.iter().map(|row| {
        vec![
            row.index.to_string(),
            rounded(row.bytes_per_sphere, 3),
            with_spread(row.insert_ns, row.insert_ns_spread),
            with_spread(row.relocate_ns, row.relocate_ns_spread),
            with_spread(row.query_ns, row.query_ns_spread),
            with_spread(row.pack_seconds, row.pack_seconds_spread),
        ]
    });
    format!(
        "{} of {}, boundary {}, packing fraction {}, Verlet distance {}, {}\n\n{}\n\n{}",
        counted(first.spheres as u64, "sphere"),
        first.sizes,
        first.boundary,
        rounded(first.packing_fraction_mean, 4),
        rounded(first.verlet_distance_mean, 4),
        counted(first.runs, "run"),
        aligned(
            &[
                "index",
                "candidates",
                "neighbours",
                "nodes opened",
                "levels"
            ],
            &counts.collect::<Vec<_>>()
        ),
        aligned(
            &[
                "index",
                "bytes",
                "insert ns",
                "relocate ns",
                "query ns",
                "packing s"
            ],
            &costs.collect::<Vec<_>>()
        ),
    )
}

fn levels(row: &IndexRow, digits: usize) -> String {
    let levels: Vec<String> = row.levels.iter().map(|&n| rounded(n, digits)).collect();
    levels.join(" ")
}

/// A header and the rows; the levels are one field, separated by spaces.
fn csv(rows: &[IndexRow]) -> Vec<Vec<String>> {
    const HEADER: [&str; 23] = [
        "index",
        "sizes",
        "boundary",
        "spheres",
        "runs",
        "packing_fraction_mean",
        "verlet_distance_mean",
        "candidates_mean",
        "candidates_spread",
        "neighbours_mean",
        "neighbours_spread",
        "nodes_opened_mean",
        "nodes_opened_spread",
        "levels",
        "bytes_per_sphere",
        "insert_ns",
        "insert_ns_spread",
        "relocate_ns",
        "relocate_ns_spread",
        "query_ns",
        "query_ns_spread",
        "pack_seconds",
        "pack_seconds_spread",
    ];
    let header = HEADER.map(str::to_owned).to_vec();
    let rows = rows.iter().map(|row| {
        let words = [
            row.index.to_string(),
            row.sizes.clone(),
            row.boundary.to_string(),
            row.spheres.to_string(),
            row.runs.to_string(),
        ];
        let before = [
            row.packing_fraction_mean,
            row.verlet_distance_mean,
            row.candidates_mean,
            row.candidates_spread,
            row.neighbours_mean,
            row.neighbours_spread,
            row.nodes_opened_mean,
            row.nodes_opened_spread,
        ];
        let after = [
            row.bytes_per_sphere,
            row.insert_ns,
            row.insert_ns_spread,
            row.relocate_ns,
            row.relocate_ns_spread,
            row.query_ns,
            row.query_ns_spread,
            row.pack_seconds,
            row.pack_seconds_spread,
        ];
        words
            .into_iter()
            .chain(before.map(|value| value.to_string()))
            .chain([levels(row, 17)])
            .chain(after.map(|value| value.to_string()))
            .collect()
    });
    std::iter::once(header).chain(rows).collect()
}
