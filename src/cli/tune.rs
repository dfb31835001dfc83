//! `jostle tune`: the levels of a hierarchical grid, and the cost of these levels.

use anyhow::{Context, Result};
use clap::Args;

use super::{
    constants::DEFAULT_SWEEP_LEVELS,
    files::load_sizes,
    output::print_result,
    values,
    words::{rounded, with_unit},
};
use crate::{
    SizeSpec,
    laboratory::compare::measure_overhead,
    tuning::{
        Dimension, MAX_OVERHEAD, Method, Plan, PlanOptions, RadiusLaw, Search, TuningError, plan,
        plans_up_to,
    },
};

/// Choose the levels of a hierarchical grid for a size distribution
///
/// The work T is given per sphere, in units of one overlap test: T = T^cd + K T^ca, for T^cd overlap tests and T^ca opened
/// cells. Model: Krijgsman, Ogarko & Luding 2014, Comput. Part. Mech. 1, 357. Method "recipe": Ogarko & Luding 2012,
/// Comput. Phys. Commun. 183, 931.
#[derive(Args)]
#[command(after_help = "\
Examples:
  jostle tune power-law:exponent=-3,d_min=1,d_max=100 --fraction 0.7
  jostle tune din-a16 --method constant --levels 6
  jostle tune din-a16 --method constant --q 1.2
  jostle tune fuller:d_min=1,d_max=64 --k measure --sweep

Exit codes:
  0  done
  2  usage or bad input")]
pub struct Tune {
    /// Size distribution: a preset, a law such as fuller:d_min=1,d_max=16, or a file
    sizes: String,

    /// Packing fraction, between 0 and 1, or in percent, as in 60%
    #[arg(long, default_value_t = PlanOptions::default().packing_fraction, value_parser = values::fraction)]
    fraction: f64,

    /// Cost K of opening a cell, in overlap tests, or "measure" to measure K on this machine [default: 0.3 for the recipe,
    /// 0.2 for the other methods]
    #[arg(long, value_name = "K|measure", value_parser = OverheadFactor::read)]
    k: Option<OverheadFactor>,

    /// Dimension of space: 2 for disks, 3 for spheres
    #[arg(long, value_name = "2|3", default_value = "3", value_parser = dimension)]
    dimension: Dimension,

    /// Method that chooses the cell sizes: linear, exponential, constant, optimal or recipe. The sizes have equal steps (linear), equal ratios
    /// (exponential), equal numbers of spheres per cell, or a constant ratio of these numbers with --q (constant), least work (optimal), or
    /// follow Ogarko & Luding 2012 (recipe)
    #[arg(long, value_name = "METHOD", default_value_t)]
    method: Method,

    /// Number of spheres per cell of a level over that of the next finer level, with --method constant
    #[arg(long, value_name = "Q", default_value_t = PlanOptions::default().ratio, value_parser = values::positive)]
    q: f64,

    /// Number of levels, or with --sweep the largest number [default: the number of least work; with --sweep 20]
    #[arg(long, value_name = "N", value_parser = values::whole_number)]
    levels: Option<u64>,

    /// Levels on which a sphere looks for contacts: top-down, bottom-up or every-level. They are its own and finer levels (top-down), its
    /// own and coarser levels (bottom-up), or all levels, like the index of 'jostle pack' (every-level)
    #[arg(long, value_name = "SEARCH", default_value_t)]
    search: Search,

    /// List the work for each number of levels from 1 to --levels
    #[arg(long)]
    sweep: bool,

    /// Print the result as one JSON object, or with --sweep as an array with one object for each number of levels
    #[arg(long)]
    json: bool,
}

/// Argument of `--k`: the overhead factor K, or the request to measure it.
#[derive(Clone, Copy, Debug)]
enum OverheadFactor {
    Given(f64),
    Measure,
}

impl OverheadFactor {
    fn read(text: &str) -> Result<Self, String> {
        if text == "measure" {
            return Ok(Self::Measure);
        }
        let factor = text
            .parse()
            .map_err(|_| "a number or 'measure' is expected".to_owned())?;
        if (0.0..=MAX_OVERHEAD).contains(&factor) {
            Ok(Self::Given(factor))
        } else {
            Err(TuningError::Overhead(factor).to_string())
        }
    }

    /// Returns K, after half a second of measurement if K is not given.
    fn value(self) -> Result<f64> {
        match self {
            Self::Given(factor) => Ok(factor),
            Self::Measure => measure_overhead()
                .map(|measured| measured.factor())
                .context("K cannot be measured: the times vary too much; give K with --k"),
        }
    }
}

/// Reads the dimension of space.
pub fn dimension(text: &str) -> Result<Dimension, String> {
    let number = text.parse::<u8>().ok();
    number
        .and_then(|number| Dimension::try_from(number).ok())
        .ok_or_else(|| "2 or 3 is expected".to_owned())
}

impl Tune {
    pub fn run(self) -> Result<()> {
        let spec = load_sizes(&self.sizes)?;
        let law = RadiusLaw::from_distribution(&spec.distribution)?;
        let mut options = PlanOptions::default()
            .method(self.method)
            .search(self.search)
            .dimension(self.dimension)
            .packing_fraction(self.fraction)
            .ratio(self.q);
        options.overhead = self.k.map(OverheadFactor::value).transpose()?;
        options.levels = self.levels.map(usize::try_from).transpose()?;
        if self.sweep {
            let max_levels = options.levels.unwrap_or(DEFAULT_SWEEP_LEVELS);
            let plans = plans_up_to(&law, &options, max_levels)?;
            return print_result(self.json, &plans, || sweep_table(&plans, &spec));
        }
        let plan = plan(&law, &options)?;
        print_result(self.json, &plan, || {
            level_table(&plan, &spec, law.smallest_radius())
        })
    }
}

fn heading(plan: &Plan, spec: &SizeSpec) -> String {
    let ratio = plan.ratio.filter(|&ratio| ratio != 1.0);
    let ratio = ratio.map_or_else(String::new, |q| format!(" with q = {}", rounded(q, 3)));
    format!(
        "{}\n  size ratio {}, packing fraction {}, dimension {}, K = {}\n  {} cell sizes{ratio}, {} search\n",
        spec.name,
        rounded(plan.size_ratio, 5),
        rounded(plan.packing_fraction, 5),
        u8::from(plan.dimension),
        rounded(plan.overhead, 3),
        plan.method,
        plan.search,
    )
}

/// Returns a table of the levels, at most 80 columns wide.
fn level_table(plan: &Plan, spec: &SizeSpec, smallest_radius: f64) -> String {
    let row = |level: &str, columns: [&str; 7]| {
        let [relative, size, filling, share, work, tests, cells] = columns;
        format!(
            "{level:>5}{relative:>11}{size:>13}{filling:>13}{share:>10}{work:>9}{tests:>9}{cells:>9}"
        )
    };
    let size_header = with_unit("cell size", &spec.unit);
    let headers = [
        "cell/r_min",
        &size_header,
        "spheres/cell",
        "% number",
        "T",
        "T^cd",
        "T^ca",
    ];
    let mut lines = vec![heading(plan, spec), row("level", headers)];
    lines.extend(plan.per_level.iter().enumerate().map(|(below, level)| {
        let columns = [
            level.cell_size,
            level.cell_size * smallest_radius,
            level.particles_per_cell,
            100.0 * level.number_share,
            level.collision_work + plan.overhead * level.access_work,
            level.collision_work,
            level.access_work,
        ]
        .map(short);
        row(
            &(below + 1).to_string(),
            columns.each_ref().map(String::as_str),
        )
    }));
    let [work, tests, cells] = [plan.work, plan.collision_work, plan.access_work].map(short);
    lines.push(row("all", ["", "", "", "", &work, &tests, &cells]));
    lines.push(String::new());
    if plan.levels > 1 {
        lines.push(format!(
            "One level would cost T = {}, {} times as much.",
            rounded(plan.work_single_level, 4),
            rounded(plan.speedup, 4)
        ));
    }
    lines.push(plan.verdict());
    lines.join("\n")
}

/// Returns a table of the plans for each number of levels.
fn sweep_table(plans: &[Plan], spec: &SizeSpec) -> String {
    let best = plans.iter().min_by(|a, b| a.work.total_cmp(&b.work));
    let mut lines = Vec::new();
    lines.extend(plans.first().map(|plan| heading(plan, spec)));
    lines.push(format!(
        "{:>6}{:>12}{:>12}{:>12}{:>12}",
        "L", "T", "T^cd", "T^ca", "gain"
    ));
    lines.extend(plans.iter().map(|plan| {
        let [work, tests, cells, gain] = [
            plan.work,
            plan.collision_work,
            plan.access_work,
            plan.speedup,
        ]
        .map(short);
        format!(
            "{:>6}{work:>12}{tests:>12}{cells:>12}{gain:>12}",
            plan.levels
        )
    }));
    lines.push(String::new());
    lines.extend(best.map(|best| {
        format!(
            "Least work at L = {}: T = {} overlap tests per sphere.\n{}",
            best.levels,
            rounded(best.work, 4),
            best.verdict()
        )
    }));
    lines.join("\n")
}

/// Returns a number with four significant digits, or three in powers of ten: at most eight characters.
fn short(value: f64) -> String {
    let text = rounded(value, 4);
    if text.len() <= 8 {
        text
    } else {
        format!("{value:.2e}")
    }
}
