//! `jostle tune`: the levels of a hierarchical grid, and what they cost.

use std::str::FromStr;

use anyhow::{Context, Result};
use clap::{Args, ValueEnum};
use jostle::{
    SizeSpec,
    laboratory::compare::measure_overhead,
    tuning::{
        Dimension, MAX_OVERHEAD, Method, Plan, PlanOptions, RadiusLaw, Search, TuningError, plan,
        sweep,
    },
};

use super::{
    Outcome, print, print_json, values,
    words::{rounded, with_unit},
};

/// Levels of the curve if none are given.
const CURVE_LEVELS: usize = 20;

/// Choose the levels of a hierarchical grid for a size distribution
///
/// Work is counted for each sphere, in overlap tests: T = T^cd + K T^ca, with T^cd overlap tests and T^ca opened cells.
/// After Krijgsman, Ogarko and Luding, Comp. Part. Mech. 1 (2014) 357, and, for the recipe, Ogarko and Luding, Comput.
/// Phys. Commun. 183 (2012) 931.
#[derive(Args)]
#[command(after_help = "\
Examples:
  jostle tune power-law:exponent=-3,d_min=1,d_max=100 --fraction 0.7
  jostle tune din-a16 --method constant --levels 6
  jostle tune fuller:d_min=1,d_max=64 --k measure --sweep levels

Exit codes:
  0  done
  2  usage or bad input")]
pub struct Tune {
    /// A preset, a law such as fuller:d_min=1,d_max=16, or a .json file
    sizes: String,

    /// Packing fraction
    #[arg(long, value_name = "F", default_value_t = PlanOptions::default().packing_fraction, value_parser = values::fraction, allow_hyphen_values = true)]
    fraction: f64,

    /// Cost of opening a cell, in overlap tests; `measure` takes it from this machine [default: 0.2, for the recipe 0.3]
    #[arg(long, value_name = "K|measure", allow_hyphen_values = true)]
    k: Option<Overhead>,

    /// 2 or 3
    #[arg(long, value_name = "D", default_value = "3", value_parser = dimension, allow_hyphen_values = true)]
    dimension: Dimension,

    /// How cell sizes are chosen: linear, exponential, constant (particles per cell), optimal or recipe
    #[arg(long, value_name = "NAME", default_value_t)]
    method: Method,

    /// Number of levels [default: the best]; with --sweep, the most
    #[arg(long, value_name = "L", value_parser = values::whole_number, allow_hyphen_values = true)]
    levels: Option<u64>,

    /// Where spheres look for contacts: top-down, bottom-up, or every-level as the index of `jostle pack` is asked
    #[arg(long, value_name = "NAME", default_value_t)]
    search: Search,

    /// Show the work for each number of levels up to --levels, or 20
    #[arg(long, value_name = "levels")]
    sweep: Option<Sweep>,

    /// Print the result as JSON; an array for --sweep
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum Sweep {
    Levels,
}

/// The overhead factor K.
#[derive(Clone, Copy, Debug)]
enum Overhead {
    Given(f64),
    Measure,
}

impl FromStr for Overhead {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
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
}

fn dimension(text: &str) -> Result<Dimension, String> {
    let number = text.parse::<u8>().ok();
    number
        .and_then(|number| Dimension::try_from(number).ok())
        .ok_or_else(|| "2 or 3 is expected".to_owned())
}

impl Tune {
    pub fn run(self) -> Result<Outcome> {
        let spec = SizeSpec::load(&self.sizes)?;
        let law = RadiusLaw::from_distribution(&spec.distribution)?;
        let levels = self.levels.map(usize::try_from).transpose()?;
        let options = PlanOptions {
            method: self.method,
            search: self.search,
            dimension: self.dimension,
            packing_fraction: self.fraction,
            overhead: match self.k {
                None => None,
                Some(Overhead::Given(factor)) => Some(factor),
                Some(Overhead::Measure) => {
                    let measured = measure_overhead().context(
                        "K cannot be measured while times vary so much; give it with --k",
                    )?;
                    Some(measured.factor())
                }
            },
            levels,
        };
        if self.sweep.is_some() {
            let plans = sweep(&law, &options, levels.unwrap_or(CURVE_LEVELS))?;
            if self.json {
                print_json(&plans)?;
            } else {
                print(&curve(&plans, &spec))?;
            }
        } else {
            let plan = plan(&law, &options)?;
            if self.json {
                print_json(&plan)?;
            } else {
                print(&levels_of(&plan, &spec, law.smallest_radius()))?;
            }
        }
        Ok(Outcome::Done)
    }
}

fn heading(plan: &Plan, spec: &SizeSpec) -> String {
    format!(
        "{}\n  size ratio {}, ν = {}, d = {}, K = {}; {}, {} cell sizes",
        spec.name,
        rounded(plan.size_ratio, 5),
        rounded(plan.packing_fraction, 5),
        u8::from(plan.dimension),
        rounded(plan.overhead, 3),
        plan.search,
        plan.method,
    )
}

fn levels_of(plan: &Plan, spec: &SizeSpec, smallest_radius: f64) -> String {
    let mut lines = vec![
        heading(plan, spec),
        String::new(),
        format!(
            "{:>6}{:>14}{:>14}{:>14}{:>11}{:>11}{:>11}{:>11}",
            "level",
            "cell / r_min",
            with_unit("cell size", &spec.unit),
            "spheres/cell",
            "% number",
            "T",
            "T^cd",
            "T^ca"
        ),
    ];
    lines.extend(plan.per_level.iter().enumerate().map(|(below, level)| {
        let [size, in_unit, filling, share, work, tests, cells] = [
            level.cell_size,
            level.cell_size * smallest_radius,
            level.particles_per_cell,
            100.0 * level.number_share,
            level.collision_work + plan.overhead * level.access_work,
            level.collision_work,
            level.access_work,
        ]
        .map(|value| rounded(value, 4));
        format!(
            "{:>6}{size:>14}{in_unit:>14}{filling:>14}{share:>11}{work:>11}{tests:>11}{cells:>11}",
            below + 1
        )
    }));
    let [work, tests, cells] =
        [plan.work, plan.collision_work, plan.access_work].map(|value| rounded(value, 4));
    lines.push(format!(
        "{:>6}{:>53}{work:>11}{tests:>11}{cells:>11}",
        "all", ""
    ));
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

fn curve(plans: &[Plan], spec: &SizeSpec) -> String {
    let best = plans.iter().min_by(|a, b| a.work.total_cmp(&b.work));
    let mut lines = Vec::new();
    lines.extend(plans.first().map(|plan| heading(plan, spec)));
    lines.push(String::new());
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
        .map(|value| rounded(value, 4));
        format!(
            "{:>6}{work:>12}{tests:>12}{cells:>12}{gain:>12}",
            plan.levels
        )
    }));
    lines.push(String::new());
    lines.extend(best.map(|best| {
        format!(
            "Least work at L = {}: T = {}. {}",
            best.levels,
            with_unit(&rounded(best.work, 4), "overlap tests for each sphere"),
            best.verdict()
        )
    }));
    lines.join("\n")
}
