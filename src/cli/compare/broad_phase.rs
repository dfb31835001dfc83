//! `jostle compare broad-phase`: the experiments of Schiava D'Albano et al., and one with many sizes.

use anyhow::Result;
use clap::Args;
use serde::Serialize;
use strum::{VariantArray, VariantNames};

use super::{
    constants::{BROAD_PHASE_BYTES, EXIT_CODES, default_counts},
    output::OutputOptions,
    selection::distinct_or_all,
};
use crate::cli::{
    memory,
    progress::Screen,
    table::{aligned, table},
    values,
    words::{choices, rounded},
};
use crate::{
    laboratory::broad_phase::BroadPhaseKind,
    laboratory::compare::{
        Case, Experiment, GrowthRow, Measurement, Steps, cell_sizes, first_snapshot, growth_rows,
        measure,
    },
};

const EXPERIMENTS_AND_EXAMPLES: &str = "\
Experiments, each with ten cycles of detecting and moving:
  I    dense block: cubic lattice at a spacing of one diameter
  II   cubic lattice at spacings from 1 to 200 diameters
  III  random positions
  IV   all spheres in one cell
  V    random positions, diameters with size ratios of 10 and of 50

Steps between the cycles:
  random     by less than one diameter along each axis, at random
  published  as printed in the paper: truncated, so that no sphere moves
  rounded    as printed, but rounded: layers of spheres move by one diameter

Examples:
  jostle compare broad-phase --experiment III
  jostle compare broad-phase --experiment I -n 1e3,1e4 --algorithm nbs,mr";

/// Compare the broad phase algorithms
#[derive(Args)]
#[command(after_help = format!("{EXPERIMENTS_AND_EXAMPLES}\n\n{EXIT_CODES}"))]
pub struct BroadPhase {
    #[arg(
        long,
        value_name = "NAME,…",
        value_delimiter = ',',
        help = choices("Make these experiments", <Experiment as VariantNames>::VARIANTS, "all"),
    )]
    experiment: Vec<Experiment>,

    /// Use these numbers of spheres, such as 1000,1e4 [default: 500 to 100000, by experiment]
    #[arg(short, long, value_name = "N,…", value_delimiter = ',', value_parser = values::whole_number, allow_hyphen_values = true)]
    number: Vec<u64>,

    #[arg(
        long,
        value_name = "NAME,…",
        value_delimiter = ',',
        help = choices("Compare these algorithms", <BroadPhaseKind as VariantNames>::VARIANTS, "all"),
    )]
    algorithm: Vec<BroadPhaseKind>,

    #[arg(
        long,
        value_name = "NAME",
        help = choices("Move spheres by these steps", <Steps as VariantNames>::VARIANTS, "random"),
    )]
    steps: Option<Steps>,

    /// Seed of the positions, sizes and displacements
    #[arg(
        long,
        value_name = "SEED",
        default_value_t = 1,
        allow_hyphen_values = true
    )]
    seed: u64,

    #[command(flatten)]
    output: OutputOptions,
}

#[derive(Serialize)]
struct Results {
    rows: Vec<Measurement>,
    fits: Vec<GrowthRow>,
}

/// A row of a CSV file, which has the difference of two columns, too.
#[derive(Serialize)]
struct Row<'a> {
    #[serde(flatten)]
    measurement: &'a Measurement,
    search_seconds: Option<f64>,
}

impl<'a> Row<'a> {
    fn new(measurement: &'a Measurement) -> Self {
        Self {
            measurement,
            search_seconds: measurement.search_seconds(),
        }
    }
}

impl BroadPhase {
    /// Measures the algorithms in all cases and reports the rows and their growth.
    pub fn run(self) -> Result<()> {
        self.output.check()?;
        let cases = self.cases()?;
        let algorithms =
            distinct_or_all(&self.algorithm, <BroadPhaseKind as VariantArray>::VARIANTS);
        let screen = Screen::new(false);
        let mut rows = Vec::new();
        for (done, case) in cases.iter().enumerate() {
            let cell_sizes = cell_sizes(&first_snapshot(case)?)?;
            for &algorithm in &algorithms {
                screen.phase(&format!(
                    "case {} of {}: experiment {}, {} spheres, {algorithm}",
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
        let rows: Vec<Row> = results.rows.iter().map(Row::new).collect();
        self.output.write(&results, &rows, describe)
    }

    fn cases(&self) -> Result<Vec<Case>> {
        let counts: Vec<usize> = distinct_or_all(&self.number, &[])
            .into_iter()
            .map(|number| {
                memory::check(number as f64, 1, |number| BROAD_PHASE_BYTES * number)?;
                Ok(usize::try_from(number)?)
            })
            .collect::<Result<_>>()?;
        let cases = |experiment: Experiment| {
            let counts = match &counts[..] {
                [] => default_counts(experiment),
                counts => counts,
            };
            let mut cases = experiment.cases(counts, self.seed);
            for case in &mut cases {
                case.steps = self.steps.unwrap_or_default();
            }
            cases
        };
        let experiments = distinct_or_all(&self.experiment, <Experiment as VariantArray>::VARIANTS);
        Ok(experiments.into_iter().flat_map(cases).collect())
    }
}

/// Returns the tables of all cases: one for each experiment, spacing and size ratio, and its growth.
fn describe(results: &Results) -> String {
    let of_row = |row: &Measurement| {
        let case = &row.case;
        title(case.experiment, case.spacing, case.size_ratio)
    };
    let mut parts = Vec::new();
    for rows in results.rows.chunk_by(|a, b| of_row(a) == of_row(b)) {
        let of_rows = of_row(&rows[0]);
        parts.push(format!("{of_rows}\n\n{}", measurements(rows)));
        let fits: Vec<&GrowthRow> = results
            .fits
            .iter()
            .filter(|row| title(row.experiment, row.spacing, row.size_ratio) == of_rows)
            .collect();
        if !fits.is_empty() {
            parts.push(growth(&fits));
        }
    }
    parts.push(explanation(!results.fits.is_empty()));
    parts.join("\n\n")
}

/// Returns the name of an experiment, and the parameter that distinguishes its cases.
fn title(experiment: Experiment, spacing: f64, size_ratio: f64) -> String {
    let parameter = match experiment {
        Experiment::Ii | Experiment::Iii => format!(", spacing {spacing}"),
        Experiment::Iv => ", one cell".to_owned(),
        Experiment::V => format!(", size ratio {size_ratio}"),
        _ => String::new(),
    };
    format!("Experiment {experiment}{parameter}")
}

fn measurements(rows: &[Measurement]) -> String {
    aligned(&table(rows, |row| {
        let per_sphere = |total: f64| rounded(row.per_sphere_and_cycle(total), 4);
        let time = row.per_sphere_and_cycle(1e9 * row.seconds);
        let sort = row.sort_seconds.map(|seconds| 1e9 * seconds);
        let sort = sort.map(|sort| rounded(row.per_sphere_and_cycle(sort), 3));
        let sort = sort.unwrap_or_else(|| "-".to_owned());
        let first = 1e9 * row.first_seconds / row.case.spheres as f64;
        [
            ("algorithm", row.algorithm.to_string()),
            ("spheres", row.case.spheres.to_string()),
            ("time", rounded(time, 3)),
            ("sort", sort),
            ("first", rounded(first, 3)),
            ("pairs", row.pairs.to_string()),
            ("tests", per_sphere(row.pair_tests as f64)),
            ("cells", per_sphere(row.cell_accesses as f64)),
            ("bytes", rounded(row.bytes_per_sphere, 3)),
        ]
    }))
}

fn growth(fits: &[&GrowthRow]) -> String {
    aligned(&table(fits, |row| {
        let best = row.growth.map(|growth| growth.formula().to_owned());
        let residuals = row.fits.iter();
        let residuals = residuals.map(|fit| format!("{:.0} %", 100.0 * fit.residual));
        let residuals: Vec<String> = residuals.collect();
        [
            ("algorithm", row.algorithm.to_string()),
            ("time ~ N^", format!("{:.2}", row.time_exponent)),
            ("operations ~ N^", format!("{:.2}", row.operations_exponent)),
            ("best fit", best.unwrap_or_default()),
            ("residuals", residuals.join(", ")),
        ]
    }))
}

fn explanation(with_growth: bool) -> String {
    let mut text = "\
Time is in nanoseconds per sphere and cycle. Sort is the part of the time in
which spheres are sorted into the data structure; the rest is the search. NBS
sorts while it searches. First is the time of the first cycle. Pairs are the
touching pairs of all cycles. Tests are tested pairs, and cells are opened
cells, per sphere and cycle. Bytes are per sphere."
        .to_owned();
    if with_growth {
        text += "\n
N is the number of spheres. Operations are tests and opened cells. Residuals are
those of a N, a N log N and a N² + b N + c.";
    }
    text
}
