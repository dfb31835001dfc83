//! `jostle sizes`: the presets, or one distribution in numbers.

use anyhow::Result;
use clap::Args;
use jostle::{
    Sampling, SizeClass, SizeDistribution, SizeReport, SizeSpec, predicted_packing_fraction,
};
use serde::Serialize;

use super::{
    Outcome, memory, print, print_json,
    progress::Screen,
    values,
    words::{counted, rounded, with_unit},
};

/// Rows of the table of a continuous distribution.
const CURVE_ROWS: usize = 17;
const QUANTILES: [u32; 5] = [10, 25, 50, 75, 90];
/// A sample, its report and what is sorted for it, in bytes for each sphere.
const SAMPLE_BYTES: f64 = 48.0;

/// List the presets, or show a size distribution
#[derive(Args)]
#[command(
    allow_negative_numbers = true,
    after_help = "\
Exit codes:
  0  done
  2  usage or bad input"
)]
pub struct Sizes {
    /// A preset, a law such as fuller:d_min=1,d_max=16, or a .json file; without it, the presets are listed
    sizes: Option<String>,

    /// Also show what a stratified sample of so many spheres achieves
    #[arg(short, long, value_name = "N", value_parser = values::whole_number, requires = "sizes")]
    number: Option<u64>,

    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

impl Sizes {
    pub fn run(self) -> Result<Outcome> {
        match &self.sizes {
            Some(sizes) => self.show(&SizeSpec::load(sizes)?),
            None => self.list(),
        }?;
        Ok(Outcome::Done)
    }

    fn list(&self) -> Result<()> {
        let presets: Vec<SizeSpec> = SizeSpec::presets()
            .map(|(name, json)| SizeSpec::from_json(name, json))
            .collect::<Result<_, _>>()?;
        let presets: Vec<Preset> = presets.iter().map(Preset::new).collect();
        if self.json {
            return print_json(&presets);
        }
        let rows: Vec<_> = presets.iter().map(Preset::describe).collect();
        print(&rows.join("\n"))
    }

    fn show(&self, spec: &SizeSpec) -> Result<()> {
        let sample = match self.number {
            None => None,
            Some(number) => {
                memory::check(number as f64, SAMPLE_BYTES * number as f64)?;
                let count = usize::try_from(number)?;
                let screen = Screen::new(false);
                screen.phase("choosing sizes");
                let sample = spec.distribution.sample(count, Sampling::Stratified, 0);
                Some(SampleNumbers {
                    spheres: number,
                    predicted_packing_fraction: predicted_packing_fraction(&sample.diameters),
                    report: sample.report,
                })
            }
        };
        let numbers = Numbers::new(spec, sample);
        if self.json {
            print_json(&numbers)
        } else {
            print(&numbers.describe())
        }
    }
}

#[derive(Serialize)]
struct Preset<'a> {
    name: &'a str,
    unit: &'a str,
    d_min: f64,
    d_max: f64,
    source: &'a str,
}

impl<'a> Preset<'a> {
    fn new(spec: &'a SizeSpec) -> Self {
        Self {
            name: &spec.name,
            unit: &spec.unit,
            d_min: spec.distribution.d_min(),
            d_max: spec.distribution.d_max(),
            source: &spec.source,
        }
    }

    /// The first words of the source are enough for one line.
    fn describe(&self) -> String {
        let source = self.source.trim_start_matches("Formula: ");
        let end = [", ", "; ", ". "]
            .iter()
            .filter_map(|stop| source.find(stop))
            .min();
        format!(
            "{:<15} {:<17} {}",
            self.name,
            range(self.d_min, self.d_max, self.unit),
            source[..end.unwrap_or(source.len())].trim_end_matches('.'),
        )
    }
}

fn range(d_min: f64, d_max: f64, unit: &str) -> String {
    let range = if d_min == d_max {
        rounded(d_min, 5)
    } else {
        format!("{} to {}", rounded(d_min, 5), rounded(d_max, 5))
    };
    with_unit(&range, unit)
}

/// A distribution in numbers.
#[derive(Serialize)]
struct Numbers<'a> {
    name: &'a str,
    unit: &'a str,
    source: &'a str,
    law: &'a SizeDistribution,
    d_min: f64,
    d_max: f64,
    size_ratio: f64,
    table: Table<'a>,
    quantiles: Vec<Quantile>,
    /// Means of d, d² and d³ by number.
    moments: [f64; 3],
    /// Σd³/Σd².
    sauter_mean: f64,
    /// Σd⁴/Σd³.
    mass_mean: f64,
    largest: Largest,
    sample: Option<SampleNumbers>,
}

#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
enum Table<'a> {
    Classes(&'a [SizeClass]),
    Curve(Vec<Point>),
}

/// Shares at or below a diameter.
#[derive(Serialize)]
struct Point {
    diameter: f64,
    number: f64,
    mass: f64,
}

/// Diameters below which so many percent lie.
#[derive(Serialize)]
struct Quantile {
    percent: u32,
    number: f64,
    mass: f64,
}

/// The largest class, and how many spheres it takes for 1, 10 and 100 of it.
#[derive(Serialize)]
struct Largest {
    number_share: f64,
    from_diameter: f64,
    spheres_for: [(u64, u64); 3],
}

#[derive(Serialize)]
struct SampleNumbers {
    spheres: u64,
    /// After Farr & Groot, for these very diameters.
    predicted_packing_fraction: f64,
    #[serde(flatten)]
    report: SizeReport,
}

impl<'a> Numbers<'a> {
    fn new(spec: &'a SizeSpec, sample: Option<SampleNumbers>) -> Self {
        let law = &spec.distribution;
        let moment = |k| law.raw_moment(k);
        let (number_share, from_diameter) = law.largest_class();
        Self {
            name: &spec.name,
            unit: &spec.unit,
            source: &spec.source,
            law,
            d_min: law.d_min(),
            d_max: law.d_max(),
            size_ratio: law.size_ratio(),
            table: match law.classes() {
                Some(classes) => Table::Classes(classes),
                None => Table::Curve(curve(law)),
            },
            quantiles: QUANTILES
                .map(|percent| Quantile {
                    percent,
                    number: law.number_quantile(0.01 * f64::from(percent)),
                    mass: law.mass_quantile(0.01 * f64::from(percent)),
                })
                .into(),
            moments: [1, 2, 3].map(moment),
            sauter_mean: moment(3) / moment(2),
            mass_mean: moment(4) / moment(3),
            largest: Largest {
                number_share,
                from_diameter,
                spheres_for: [1, 10, 100].map(|k| (k, law.spheres_for_largest(k))),
            },
            sample,
        }
    }

    fn describe(&self) -> String {
        let mut lines = vec![self.name.to_owned()];
        if self.source != self.name {
            lines.push(format!("  {}", self.source));
        }
        lines.push(String::new());
        lines.push(format!(
            "  diameters     {}, size ratio {}",
            range(self.d_min, self.d_max, self.unit),
            rounded(self.size_ratio, 5)
        ));
        let [first, second, third] = self.moments.map(|moment| rounded(moment, 5));
        lines.push(format!(
            "  moments       mean d {first}, d² {second}, d³ {third}"
        ));
        lines.push(format!(
            "  mean sizes    Sauter Σd³/Σd² {}, by mass Σd⁴/Σd³ {}",
            rounded(self.sauter_mean, 5),
            rounded(self.mass_mean, 5)
        ));
        lines.push(self.largest.describe(&self.table, self.unit));
        lines.extend(
            self.sample
                .as_ref()
                .map(|sample| sample.describe(self.unit)),
        );
        lines.push(String::new());
        lines.push(format!(
            "{:>15}{:>14}{:>14}",
            "% finer", "d by number", "d by mass"
        ));
        lines.extend(self.quantiles.iter().map(|quantile| {
            let [number, mass] = [quantile.number, quantile.mass].map(|d| rounded(d, 5));
            format!("{:>15}{number:>14}{mass:>14}", quantile.percent)
        }));
        lines.push(String::new());
        lines.extend(self.table.rows());
        lines.join("\n")
    }
}

fn curve(law: &SizeDistribution) -> Vec<Point> {
    let (d_min, d_max) = (law.d_min(), law.d_max());
    (0..CURVE_ROWS)
        .map(|i| {
            let diameter = match i {
                0 => d_min,
                i if i + 1 == CURVE_ROWS => d_max,
                i => d_min * (d_max / d_min).powf(i as f64 / (CURVE_ROWS - 1) as f64),
            };
            Point {
                diameter,
                number: law.number_cdf(diameter),
                mass: law.mass_cdf(diameter),
            }
        })
        .collect()
}

impl Table<'_> {
    fn rows(&self) -> Vec<String> {
        let row = |diameter: f64, number: f64, mass: f64| {
            let [number, mass] = [number, mass].map(|share| rounded(100.0 * share, 5));
            format!("{:>15}{number:>14}{mass:>14}", rounded(diameter, 5))
        };
        let (name, rows): (_, Vec<_>) = match self {
            Self::Classes(classes) => {
                let row = |c: &SizeClass| row(c.diameter, c.number_share, c.mass_share);
                ("class d", classes.iter().map(row).collect())
            }
            Self::Curve(points) => {
                let row = |p: &Point| row(p.diameter, p.number, p.mass);
                ("up to d", points.iter().map(row).collect())
            }
        };
        let head = format!("{name:>15}{:>14}{:>14}", "% of number", "% of mass");
        std::iter::once(head).chain(rows).collect()
    }
}

impl Largest {
    fn describe(&self, table: &Table, unit: &str) -> String {
        let class = match table {
            Table::Classes(_) => "of the largest class",
            Table::Curve(_) => "of the coarsest tenth of the mass",
        };
        let [one, ten, hundred] = self.spheres_for.map(|(_, count)| match count {
            0..1_000_000_000 => count.to_string(),
            _ => rounded(count as f64, 3),
        });
        format!(
            "  largest       1, 10, 100 {class} (d ≥ {}) take {one}, {ten}, {hundred} spheres",
            with_unit(&rounded(self.from_diameter, 4), unit),
        )
    }
}

impl SampleNumbers {
    fn describe(&self, unit: &str) -> String {
        let report = &self.report;
        let line = format!(
            "  sample        {}: {}, mass curve within {} % of the asked one
  expected      packing fraction {:.4} for random close packing, by Farr & Groot",
            counted(self.spheres, "sphere"),
            range(report.d_min, report.d_max, unit),
            rounded(100.0 * report.mass_curve_error, 2),
            self.predicted_packing_fraction,
        );
        match &report.warning {
            Some(warning) => format!("{line}\n  warning       {warning}"),
            None => line,
        }
    }
}
