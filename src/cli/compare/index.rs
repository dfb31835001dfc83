//! `jostle compare index`: candidates, memory and times of every index on the same packings.

use anyhow::{Result, ensure};
use clap::Args;

use strum::{VariantArray, VariantNames};

use super::{
    constants::EXIT_CODES,
    output::OutputOptions,
    paper::{PaperExperiment, describe_fig_9, describe_table_1},
    selection::distinct_or_all,
};
use crate::cli::{
    files::load_sizes,
    memory,
    progress::Screen,
    table::{aligned, table},
    values,
    words::{choices, counted, rounded},
};
use crate::{
    Boundaries, Effort, IndexKind, PackOptions, SizeSpec,
    distribution::{DEFAULT_PRESET, Sampling},
    laboratory::compare::{
        IndexComparison, IndexRow, PaperSizes, PaperStep, compare_indexes, fig_9, table_1,
    },
};

const EXPLANATION_AND_EXAMPLES: &str = "\
Candidates are the other spheres in the nodes or cells that a query opens, before any distance test. \
Neighbors are the candidates within the Verlet distance. \
The number after ± is the standard deviation over the runs.

Experiments of Raschdorf & Kolonko 2011, each beside the paper. Equal spheres, \
the continuous Fuller curve and its 70 classes; the diameters are quantiles \
of the number:
  table-1  candidates in the paper's grid and octrees, and in these indexes
  fig-9    spheres on the levels of the octrees, and the nodes of Eq. 3

Examples:
  jostle compare index mono:d=1
  jostle compare index --experiment table-1 -o table-1.csv
  jostle compare index --experiment fig-9 --boundary ppp";

/// Compare the indexes on finished packings
#[derive(Args)]
#[command(after_help = format!("{EXPLANATION_AND_EXAMPLES}\n\n{EXIT_CODES}"))]
pub struct Index {
    /// Size distribution: a preset, a law such as fuller:d_min=1,d_max=16, or a .json file [default: concrete]
    #[arg(conflicts_with = "experiment")]
    sizes: Option<String>,

    #[arg(long, value_name = "NAME", help = choices("Make this experiment of the paper with its own sizes", <PaperExperiment as VariantNames>::VARIANTS, "none"))]
    experiment: Option<PaperExperiment>,

    /// Pack N spheres
    #[arg(short, long, value_name = "N", default_value = "10000", value_parser = values::whole_number, allow_hyphen_values = true)]
    number: u64,

    /// Boundary of the x, y and z axis: periodic (p) or wall (w)
    #[arg(long, default_value = "www")]
    boundary: Boundaries,

    /// Search for neighbors within LENGTH of the surface of a sphere, in the unit of the diameters [default: a tenth
    /// of the smallest diameter, in an experiment of the mean diameter]
    #[arg(long, value_name = "LENGTH", value_parser = values::gap, allow_hyphen_values = true)]
    verlet_distance: Option<f64>,

    /// Average over RUNS packings with different seeds
    #[arg(long, value_name = "RUNS", default_value = "10", value_parser = values::whole_number, allow_hyphen_values = true)]
    runs: u64,

    #[arg(
        long,
        value_name = "NAME,…",
        value_delimiter = ',',
        help = choices("Compare these indexes", <IndexKind as VariantNames>::VARIANTS, "all"),
    )]
    index: Vec<IndexKind>,

    /// Choose the diameters as near to the curve as N allows (stratified), or at random (random) [default: stratified, in
    /// an experiment quantiles]
    #[arg(long, value_name = "HOW")]
    sampling: Option<Sampling>,

    /// Effort of the packing runs: quick, normal, thorough, or a number from 0 to 2; more effort gives denser packings
    /// [default: normal, in an experiment quick]
    #[arg(long, value_name = "EFFORT", allow_hyphen_values = true)]
    effort: Option<Effort>,

    /// Seed of the first run; each further run adds 1
    #[arg(
        long,
        value_name = "SEED",
        default_value_t = 1,
        allow_hyphen_values = true
    )]
    seed: u64,

    /// Run on THREADS threads, which do not change the result; 0 means one for each core
    #[arg(
        long,
        value_name = "THREADS",
        default_value_t = 1,
        allow_hyphen_values = true
    )]
    threads: usize,

    #[command(flatten)]
    output: OutputOptions,
}

impl Index {
    /// Packs with every index, measures it, and reports one row per index; or makes an experiment.
    pub fn run(self) -> Result<()> {
        match self.experiment {
            None => self.compare(),
            Some(PaperExperiment::Table1) => {
                let comparison = self.paper_comparison()?;
                let rows = self.on_screen(|begin| Ok(table_1(&comparison, begin)?))?;
                self.output
                    .write(&rows, &rows, |rows| describe_table_1(rows))
            }
            Some(PaperExperiment::Fig9) => {
                ensure!(
                    self.index.is_empty() && self.verlet_distance.is_none(),
                    "fig-9 uses neither --index nor --verlet-distance, because it counts spheres on the levels of the paper's octrees"
                );
                let comparison = self.paper_comparison()?;
                let results = self.on_screen(|begin| Ok(fig_9(&comparison, begin)?))?;
                self.output.write(&results, &results.levels, describe_fig_9)
            }
        }
    }

    fn compare(self) -> Result<()> {
        let sizes = load_sizes(self.sizes.as_deref().unwrap_or(DEFAULT_PRESET))?;
        self.output.check()?;
        self.check_memory(&sizes)?;
        let comparison = self.comparison(IndexComparison::default())?;
        let screen = Screen::new(false);
        let rows = compare_indexes(&sizes, &comparison, &mut |step| {
            screen.phase(&format!(
                "run {} of {}: {}",
                step.run, self.runs, step.index
            ));
        })?;
        drop(screen);
        self.output.write(&rows, &rows, |rows| describe(rows))
    }

    /// Returns the settings with all options of the command line.
    fn comparison(&self, default: IndexComparison) -> Result<IndexComparison> {
        let indexes = distinct_or_all(&self.index, <IndexKind as VariantArray>::VARIANTS);
        let mut comparison = default
            .spheres(usize::try_from(self.number)?)
            .boundary(self.boundary)
            .runs(self.runs)
            .seed(self.seed)
            .indexes(indexes)
            .threads(self.threads);
        comparison.effort = self.effort.unwrap_or(comparison.effort);
        comparison.sampling = self.sampling;
        comparison.verlet_distance = self.verlet_distance;
        Ok(comparison)
    }

    /// Checks the outputs and the memory of an experiment, and returns its settings.
    fn paper_comparison(&self) -> Result<IndexComparison> {
        self.output.check()?;
        for sizes in PaperSizes::ALL {
            self.check_memory(&SizeSpec::load(&sizes.to_string())?)?;
        }
        self.comparison(IndexComparison::of_the_paper())
    }

    fn check_memory(&self, sizes: &SizeSpec) -> Result<()> {
        let options = PackOptions::default().threads(self.threads);
        memory::check(self.number as f64, self.threads, |count| {
            let estimate = options.estimated_memory(count, &sizes.distribution);
            estimate.total()
        })
    }

    /// Makes an experiment and shows its steps.
    fn on_screen<T>(&self, make: impl FnOnce(&mut dyn FnMut(PaperStep)) -> Result<T>) -> Result<T> {
        let screen = Screen::new(false);
        make(&mut |step| {
            screen.phase(&format!(
                "run {} of {}: {}",
                step.run, self.runs, step.sizes
            ));
        })
    }
}

/// Returns the tables of counts, costs and levels.
fn describe(rows: &[IndexRow]) -> String {
    let Some(first) = rows.first() else {
        return String::new();
    };
    format!(
        "{} of {}, boundary {}, {}\n\
         packing fraction {}, Verlet distance {}\n\n{}\n\n{}\n\n\
         Insert, relocate and query are mean times per operation; bytes are per sphere.\n\n\
         Mean number of spheres on each level, coarsest first:\n\n{}",
        counted(first.spheres as u64, "sphere"),
        first.sizes,
        first.boundary,
        counted(first.runs, "run"),
        rounded(first.packing_fraction_mean, 4),
        rounded(first.verlet_distance_mean, 4),
        counts(rows),
        costs(rows),
        levels(rows),
    )
}

fn with_spread(row: &IndexRow, mean: f64, spread: f64) -> String {
    if row.runs > 1 {
        format!("{} ± {}", rounded(mean, 4), rounded(spread, 2))
    } else {
        rounded(mean, 4)
    }
}

fn counts(rows: &[IndexRow]) -> String {
    aligned(&table(rows, |row| {
        let candidates = with_spread(row, row.candidates_mean, row.candidates_spread);
        let neighbors = with_spread(row, row.neighbors_mean, row.neighbors_spread);
        let nodes_opened = with_spread(row, row.nodes_opened_mean, row.nodes_opened_spread);
        [
            ("index", row.index.to_string()),
            ("candidates", candidates),
            ("neighbors", neighbors),
            ("nodes opened", nodes_opened),
        ]
    }))
}

fn costs(rows: &[IndexRow]) -> String {
    aligned(&table(rows, |row| {
        let insert = with_spread(row, row.insert_ns, row.insert_ns_spread);
        let relocate = with_spread(row, row.relocate_ns, row.relocate_ns_spread);
        let query = with_spread(row, row.query_ns, row.query_ns_spread);
        let packing = with_spread(row, 1e3 * row.pack_seconds, 1e3 * row.pack_seconds_spread);
        [
            ("index", row.index.to_string()),
            ("bytes", rounded(row.bytes_per_sphere, 3)),
            ("insert ns", insert),
            ("relocate ns", relocate),
            ("query ns", query),
            ("packing ms", packing),
        ]
    }))
}

fn levels(rows: &[IndexRow]) -> String {
    let depth = rows.iter().map(|row| row.levels.len()).max().unwrap_or(0);
    let mut lines = vec![vec!["index".to_owned()]];
    lines[0].extend((0..depth).map(|level| level.to_string()));
    lines.extend(rows.iter().map(|row| {
        let counts = row.levels.iter().map(|&count| rounded(count, 3));
        std::iter::once(row.index.to_string())
            .chain(counts)
            .collect()
    }));
    aligned(&lines)
}
