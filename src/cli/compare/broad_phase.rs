//! `jostle compare broad-phase`: the experiments of Schiava D'Albano et al., and one with many sizes.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use jostle::{
    laboratory::broad_phase::BroadPhaseKind,
    laboratory::compare::{
        CYCLES, Case, Experiment, Growth, GrowthRow, Measurement, cell_sizes, growth_rows, measure,
        scene,
    },
};
use serde::Serialize;

use super::{
    index::once_each,
    table::{RowsFile, aligned},
};
use crate::cli::{Outcome, memory, print, print_json, progress::Screen, values, words::rounded};

/// What a scene and any algorithm on it take, in bytes for each sphere.
const BYTES: f64 = 400.0;

/// Compare the broad phase algorithms
#[derive(Args)]
#[command(after_help = "\
Experiments, all with ten cycles of detecting and moving:
  I    a dense block on a raster
  II   a raster at spacings from 1 to 200 diameters
  III  random places
  IV   all in one cell
  V    random places, diameters over a ratio of 10 and of 50

Examples:
  jostle compare broad-phase --experiment III
  jostle compare broad-phase --experiment I -n 1000,10000,100000 --algorithm nbs,mr -o raster.csv

Exit codes:
  0  done
  2  usage or bad input; nothing is written")]
pub struct BroadPhase {
    /// Experiments: I, II, III, IV, V [default: all]
    #[arg(long, value_name = "I|II|III|IV|V", value_delimiter = ',')]
    experiment: Vec<Experiment>,

    /// Numbers of spheres [default: several from 500 to 100000, by experiment]
    #[arg(short, long, value_name = "N,N…", value_delimiter = ',', value_parser = values::whole_number, allow_hyphen_values = true)]
    number: Vec<u64>,

    /// Algorithms: linked-cell, nbs, mr, mr-s, bbts, hgrid-top-down, hgrid-bottom-up, loose-octree, strict-octree, kd-tree
    /// [default: all]
    #[arg(long, value_name = "A,B…", value_delimiter = ',')]
    algorithm: Vec<BroadPhaseKind>,

    /// Seed of places, sizes and moves
    #[arg(
        long,
        value_name = "S",
        default_value_t = 1,
        allow_hyphen_values = true
    )]
    seed: u64,

    /// File to write, as .json or .csv; may be given more than once
    #[arg(short, long, value_name = "FILE")]
    output: Vec<PathBuf>,

    /// Print rows and fits as JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Results {
    rows: Vec<Measurement>,
    fits: Vec<GrowthRow>,
}

impl BroadPhase {
    pub fn run(self) -> Result<Outcome> {
        let files: Vec<RowsFile> = (self.output.iter())
            .map(|path| RowsFile::new(path))
            .collect::<Result<_>>()?;
        let cases = self.cases()?;
        let algorithms = once_each(&self.algorithm, &BroadPhaseKind::ALL);
        let screen = Screen::new(false);
        let mut rows = Vec::new();
        for (done, case) in cases.iter().enumerate() {
            let cell_sizes = cell_sizes(&scene(case)?)?;
            for &algorithm in &algorithms {
                screen.phase(&format!(
                    "scene {} of {}: experiment {}, {} spheres, {algorithm}",
                    done + 1,
                    cases.len(),
                    case.experiment,
                    case.spheres,
                ));
                rows.push(measure(case, algorithm, &cell_sizes)?);
            }
        }
        drop(screen);
        let fits = growth_rows(&rows);
        let results = Results { rows, fits };
        for file in &files {
            file.write(&results, &csv(&results.rows))?;
        }
        if self.json {
            print_json(&results)?;
        } else {
            print(&describe(&results))?;
        }
        Ok(Outcome::Done)
    }

    fn cases(&self) -> Result<Vec<Case>> {
        let counts: Vec<usize> = once_each(&self.number, &[])
            .into_iter()
            .map(|number| {
                memory::check(number as f64, BYTES * number as f64)?;
                Ok(usize::try_from(number)?)
            })
            .collect::<Result<_>>()?;
        let cases = |experiment: Experiment| {
            let usual = usual_counts(experiment);
            experiment.cases(if counts.is_empty() { usual } else { &counts }, self.seed)
        };
        let experiments = once_each(&self.experiment, &Experiment::ALL);
        Ok(experiments.into_iter().flat_map(cases).collect())
    }
}

fn usual_counts(experiment: Experiment) -> &'static [usize] {
    match experiment {
        Experiment::I | Experiment::Iii => &[1_000, 3_000, 10_000, 30_000, 100_000],
        Experiment::Ii => &[30_000],
        Experiment::Iv => &[500, 1_000, 2_000, 4_000],
        Experiment::V => &[1_000, 2_000, 4_000, 8_000, 16_000],
    }
}

fn describe(results: &Results) -> String {
    let rows = results.rows.iter().map(|row| {
        vec![
            row.algorithm.to_string(),
            row.case.experiment.to_string(),
            row.case.spheres.to_string(),
            scene_words(row.case.experiment, row.case.spacing, row.case.size_ratio),
            rounded(row.seconds, 3),
            rounded(row.first_seconds, 3),
            row.pairs.to_string(),
            rounded(per_sphere(row, row.pair_tests), 4),
            rounded(per_sphere(row, row.cell_accesses), 4),
            rounded(row.bytes_per_sphere, 3),
        ]
    });
    let header = [
        "algorithm",
        "experiment",
        "spheres",
        "scene",
        "seconds",
        "first",
        "pairs",
        "tests",
        "cells",
        "bytes",
    ];
    let mut text = aligned(&header, &rows.collect::<Vec<_>>());
    if !results.fits.is_empty() {
        let fits = results.fits.iter().map(|row| {
            vec![
                row.algorithm.to_string(),
                row.experiment.to_string(),
                scene_words(row.experiment, row.spacing, row.size_ratio),
                format!("{:.2}", row.time_exponent),
                format!("{:.2}", row.work_exponent),
                row.growth.map_or("", growth_words).to_owned(),
                row.fits
                    .iter()
                    .map(|fit| format!("{:.1} %", 100.0 * fit.residual))
                    .collect::<Vec<_>>()
                    .join(", "),
            ]
        });
        let header = [
            "algorithm",
            "experiment",
            "scene",
            "time ~ N^",
            "work ~ N^",
            "best fit",
            "residuals",
        ];
        text += "\n\n";
        text += &aligned(&header, &fits.collect::<Vec<_>>());
    }
    text + "\n\nTests and cells are per sphere and cycle; residuals are those of a N, a N log N and a N² + b N + c."
}

fn per_sphere(row: &Measurement, count: u64) -> f64 {
    count as f64 / (row.case.spheres * CYCLES) as f64
}

fn scene_words(experiment: Experiment, spacing: f64, size_ratio: f64) -> String {
    match experiment {
        Experiment::I => String::new(),
        Experiment::Ii | Experiment::Iii => format!("spacing {spacing}"),
        Experiment::Iv => "one cell".to_owned(),
        Experiment::V => format!("ratio {size_ratio}"),
    }
}

fn growth_words(growth: Growth) -> &'static str {
    match growth {
        Growth::Linear => "a N",
        Growth::Linearithmic => "a N log N",
        Growth::Quadratic => "a N² + b N + c",
    }
}

fn csv(rows: &[Measurement]) -> Vec<Vec<String>> {
    const HEADER: [&str; 13] = [
        "experiment",
        "spheres",
        "spacing",
        "size_ratio",
        "seed",
        "algorithm",
        "seconds",
        "first_seconds",
        "pairs",
        "pair_tests",
        "cell_accesses",
        "bytes_per_sphere",
        "paper_bytes_per_sphere",
    ];
    let rows = rows.iter().map(|row| {
        let paper_bytes = row.paper_bytes_per_sphere;
        vec![
            row.case.experiment.to_string(),
            row.case.spheres.to_string(),
            row.case.spacing.to_string(),
            row.case.size_ratio.to_string(),
            row.case.seed.to_string(),
            row.algorithm.to_string(),
            row.seconds.to_string(),
            row.first_seconds.to_string(),
            row.pairs.to_string(),
            row.pair_tests.to_string(),
            row.cell_accesses.to_string(),
            row.bytes_per_sphere.to_string(),
            paper_bytes.map_or(String::new(), |bytes| bytes.to_string()),
        ]
    });
    std::iter::once(HEADER.map(str::to_owned).to_vec())
        .chain(rows)
        .collect()
}
