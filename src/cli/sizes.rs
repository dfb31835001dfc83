//! `jostle sizes`: lists the presets, or shows one distribution in numbers.

use anyhow::Result;
use clap::Args;
use serde::Serialize;

use crate::names::visible;

use super::{
    cut::CutOptions,
    files::load_sizes,
    help, memory,
    output::{print_message, print_result},
    progress::Screen,
    tune::dimension,
    values,
    words::{self, counted, range, rounded, with_unit},
};
use crate::{
    Dimension, SizeSpec,
    distribution::{
        PackingModel, Sampling, SizeClass, SizeDistribution, SizeReport, VolumeClasses,
        prediction_with_gap,
    },
    machine::divided::Divided,
};

/// Number of rows in the table of a continuous distribution: the table and the text above it fit on one screen.
const CURVE_ROWS: usize = 17;
/// Printed quantiles in percent: the quartiles, and d10, d50 and d90, as the field quotes them.
const QUANTILES: [u32; 5] = [10, 25, 50, 75, 90];
/// Estimated memory of a sample and its report, in bytes per sphere: the diameters, their sorted copies and running totals.
const SAMPLE_BYTES: f64 = 48.0;
/// Column at which the values start.
const INDENT: usize = 16;

/// List the presets, or show a size distribution
#[derive(Args)]
#[command(after_help = "\
Diameters are in the unit of the preset or file. An inline law has no unit.

Examples:
  jostle sizes din-a16
  jostle sizes sieves.csv --cut-below 0.5 -n 10000

Exit codes:
  0  done
  2  usage or bad input")]
pub struct Sizes {
    /// Size distribution: a preset, a law such as fuller:d_min=1,d_max=16, or a file. 'jostle pack --help' lists the laws. Files are JSON,
    /// tables of sieves or lists of diameters (.csv, .tsv or .txt) [default: list the presets]
    sizes: Option<String>,

    /// Also draw a stratified sample of N spheres. Its deviation from the mass curve and its expected packing fraction are shown
    #[arg(help_heading = help::SIZES, short, long, value_name = "N", value_parser = values::whole_number, requires = "sizes")]
    number: Option<u64>,

    #[command(flatten)]
    cut: CutOptions,

    /// Dimension of space. In 2, the law is that of disks, and mass is area
    #[arg(help_heading = help::SIZES, long, value_name = "2|3", value_parser = dimension, default_value = "3")]
    dimension: Dimension,

    /// Print the result as one JSON object, or without SIZES as an array of objects
    #[arg(long, help_heading = help::OUTPUT)]
    json: bool,
}

impl Sizes {
    pub fn run(self) -> Result<()> {
        match &self.sizes {
            Some(sizes) => {
                let spec = self.cut.apply(load_sizes(sizes)?)?;
                self.show(&spec.in_dimension(self.dimension)?)
            }
            None => {
                self.cut.reject_without_sizes()?;
                self.list()
            }
        }
    }

    fn list(&self) -> Result<()> {
        let presets: Vec<SizeSpec> = SizeSpec::presets()
            .map(|(name, json)| SizeSpec::from_json(name, json))
            .collect::<Result<_, _>>()?;
        let presets: Vec<Preset> = presets.iter().map(Preset::new).collect();
        print_result(self.json, &presets, || {
            let rows: Vec<_> = presets.iter().map(Preset::describe).collect();
            rows.join("\n")
        })
    }

    fn show(&self, spec: &SizeSpec) -> Result<()> {
        let sample = match self.number {
            None => None,
            Some(number) => {
                memory::check(number as f64, 1, |number| SAMPLE_BYTES * number)?;
                let count = usize::try_from(number)?;
                let screen = Screen::new(false);
                screen.phase("choosing sizes");
                let sample = spec.sample_number(count, Sampling::Stratified, 0);
                Some(SampleNumbers {
                    spheres: number,
                    predicted_packing_fraction: prediction_with_gap(
                        self.dimension,
                        &Divided::alone(&sample.diameters[..]),
                        0.0,
                    ),
                    compressible_packing_fraction: (self.dimension == Dimension::Three).then(
                        || {
                            let classes = VolumeClasses::of_radii(&sample.diameters);
                            PackingModel::Compressible.packing_fraction(&classes)
                        },
                    ),
                    report: sample.source.report,
                })
            }
        };
        for note in spec.notes() {
            print_message(&format!("note: {note}"));
        }
        let numbers = Numbers::new(spec, sample);
        print_result(self.json, &numbers, || numbers.describe())
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

    /// Returns one line: the name, the range of diameters and the first words of the source.
    fn describe(&self) -> String {
        let source = self.source.trim_start_matches("Formula: ");
        let end = [", ", "; ", ". "]
            .iter()
            .filter_map(|stop| source.find(stop))
            .min();
        format!(
            "{:<15} {:<17} {}",
            self.name,
            diameters(self.d_min, self.d_max, self.unit),
            source[..end.unwrap_or(source.len())].trim_end_matches('.'),
        )
    }
}

fn diameters(d_min: f64, d_max: f64, unit: &str) -> String {
    with_unit(&range(d_min, d_max, 5), unit)
}

/// A distribution in numbers.
#[derive(Serialize)]
struct Numbers<'a> {
    name: &'a str,
    unit: &'a str,
    source: &'a str,
    law: &'a SizeDistribution,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    notes: &'a [String],
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
    /// The components of a blend.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    components: Vec<ComponentNumbers<'a>>,
    sample: Option<SampleNumbers>,
}

/// A component of a blend.
#[derive(Serialize)]
struct ComponentNumbers<'a> {
    label: &'a str,
    density: Option<f64>,
    mass_share: f64,
    volume_share: f64,
    number_share: f64,
    d_min: f64,
    d_max: f64,
    /// Median diameter by mass.
    d50: f64,
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

/// The diameters below which a percentage of the number and of the mass lies.
#[derive(Serialize)]
struct Quantile {
    percent: u32,
    number: f64,
    mass: f64,
}

/// The largest class, and the expected numbers of spheres that include 1, 10 and 100 of it.
#[derive(Serialize)]
struct Largest {
    number_share: f64,
    from_diameter: f64,
    spheres_for: [(u64, u64); 3],
}

#[derive(Serialize)]
struct SampleNumbers {
    spheres: u64,
    /// The prediction of Farr & Groot for the diameters of the sample, or the estimate from their spread in the plane.
    predicted_packing_fraction: f64,
    /// The prediction of the compressible packing model of de Larrard for the diameters of the sample; `None` in the plane.
    compressible_packing_fraction: Option<f64>,
    #[serde(flatten)]
    report: SizeReport,
}

impl<'a> Numbers<'a> {
    fn new(spec: &'a SizeSpec, sample: Option<SampleNumbers>) -> Self {
        let law = &spec.distribution;
        let moment = |k| law.raw_moment(k);
        let (number_share, from_diameter) = law.largest_class();
        let power = law.dimension().number() as u32;
        Self {
            name: &spec.name,
            unit: &spec.unit,
            source: &spec.source,
            law,
            notes: spec.given_notes(),
            d_min: law.d_min(),
            d_max: law.d_max(),
            size_ratio: law.size_ratio(),
            // The rows of a list would not fit on a screen.
            table: match law.classes().filter(|_| law.listed().is_none()) {
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
            mass_mean: moment(power + 1) / moment(power),
            largest: Largest {
                number_share,
                from_diameter,
                spheres_for: [1, 10, 100].map(|k| (k, law.spheres_for_largest(k))),
            },
            components: components(law),
            sample,
        }
    }

    fn describe(&self) -> String {
        let mut lines = vec![visible(self.name, "")];
        if self.source != self.name {
            lines.push(wrapped("", &visible(self.source, ""), 2));
        }
        lines.push(String::new());
        lines.push(labeled(
            "diameters",
            &format!(
                "{}, size ratio {}",
                diameters(self.d_min, self.d_max, self.unit),
                rounded(self.size_ratio, 5)
            ),
        ));
        let [first, second, third] = self.moments.map(|moment| rounded(moment, 5));
        lines.push(labeled(
            "moments",
            &format!("mean d {first}, d² {second}, d³ {third}"),
        ));
        lines.push(labeled(
            "mean sizes",
            &match self.law.dimension() {
                Dimension::Two => format!("by area Σd³/Σd² {}", rounded(self.mass_mean, 5)),
                Dimension::Three => format!(
                    "Sauter Σd³/Σd² {}, by mass Σd⁴/Σd³ {}",
                    rounded(self.sauter_mean, 5),
                    rounded(self.mass_mean, 5)
                ),
            },
        ));
        lines.push(self.largest.describe(&self.table, self.unit));
        lines.extend(
            self.sample
                .as_ref()
                .map(|sample| sample.describe(self.unit)),
        );
        if !self.components.is_empty() {
            lines.push(String::new());
            lines.extend(component_rows(&self.components, self.unit));
        }
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

/// Returns the numbers of each component of a blend; none of another law.
fn components(law: &SizeDistribution) -> Vec<ComponentNumbers<'_>> {
    let SizeDistribution::Blend(blend) = law else {
        return Vec::new();
    };
    let shares = blend.mass_shares().into_iter();
    let shares = shares.zip(blend.volume_shares()).zip(blend.number_shares());
    let components = blend.components().iter().zip(shares);
    let numbers = components.map(|(component, ((mass, volume), number))| {
        let (sizes, scale) = (&component.sizes, component.scale);
        ComponentNumbers {
            label: &component.label,
            density: component.density,
            mass_share: mass,
            volume_share: volume,
            number_share: number,
            d_min: sizes.d_min() * scale,
            d_max: sizes.d_max() * scale,
            d50: sizes.mass_quantile(0.5) * scale,
        }
    });
    numbers.collect()
}

/// Returns a table of the components of a blend.
fn component_rows(components: &[ComponentNumbers], unit: &str) -> Vec<String> {
    let labels = || {
        components
            .iter()
            .map(|component| visible(component.label, ""))
    };
    let width = labels()
        .map(|label| label.chars().count())
        .max()
        .unwrap_or(0)
        .max(13)
        + 2;
    let head = format!(
        "{:>width$}{:>12}{:>12}{:>12}{:>12}  diameters",
        "component", "% of mass", "% of volume", "% of number", "d50 by mass"
    );
    let row = |(component, label): (&ComponentNumbers, String)| {
        let [mass, volume, number] = [
            component.mass_share,
            component.volume_share,
            component.number_share,
        ]
        .map(|share| rounded(100.0 * share, 4));
        let density = component.density.map_or_else(String::new, |density| {
            format!(", density {}", rounded(density, 5))
        });
        format!(
            "{label:>width$}{mass:>12}{volume:>12}{number:>12}{:>12}  {}{density}",
            rounded(component.d50, 4),
            diameters(component.d_min, component.d_max, unit),
        )
    };
    std::iter::once(head)
        .chain(components.iter().zip(labels()).map(row))
        .collect()
}

/// Returns points of a continuous distribution: the sieves of a sieve curve, or diameters in geometric progression.
fn curve(law: &SizeDistribution) -> Vec<Point> {
    let (d_min, d_max) = (law.d_min(), law.d_max());
    let diameters: Vec<f64> = match law {
        SizeDistribution::Sieve(curve) => curve.passing().iter().map(|sieve| sieve[0]).collect(),
        _ => (0..CURVE_ROWS)
            .map(|i| match i {
                0 => d_min,
                i if i + 1 == CURVE_ROWS => d_max,
                i => d_min * (d_max / d_min).powf(i as f64 / (CURVE_ROWS - 1) as f64),
            })
            .collect(),
    };
    let point = |diameter: f64| Point {
        diameter,
        number: law.number_cdf(diameter),
        mass: law.mass_cdf(diameter),
    };
    diameters.into_iter().map(point).collect()
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
            Table::Curve(_) => "of the coarsest tenth by mass",
        };
        let [one, ten, hundred] = self.spheres_for.map(|(_, count)| match count {
            0..1_000_000_000 => count.to_string(),
            _ => rounded(count as f64, 3),
        });
        labeled(
            "largest",
            &format!(
                "{one}, {ten}, {hundred} spheres include 1, 10, 100 {class} (d ≥ {}) on average",
                with_unit(&rounded(self.from_diameter, 4), unit),
            ),
        )
    }
}

impl SampleNumbers {
    fn describe(&self, unit: &str) -> String {
        let report = &self.report;
        let sample = format!(
            "{} of {}, mass curve at most {} % off",
            counted(self.spheres, "sphere"),
            diameters(report.d_min, report.d_max, unit),
            rounded(100.0 * report.mass_curve_error, 2),
        );
        let predicted = self.predicted_packing_fraction;
        let expected = match self.compressible_packing_fraction {
            None => format!(
                "packing fraction {predicted:.4} for random close packing of disks, from the spread of the sizes"
            ),
            Some(compressible) => format!(
                "packing fraction {predicted:.4} for random close packing, by Farr & Groot; {compressible:.4} by the compressible packing model of de Larrard"
            ),
        };
        let mut lines = vec![labeled("sample", &sample), labeled("expected", &expected)];
        lines.extend((report.warning.iter()).map(|warning| labeled("warning", warning)));
        lines.join("\n")
    }
}

/// Returns a label and its text, wrapped.
fn labeled(label: &str, text: &str) -> String {
    wrapped(label, text, INDENT)
}

/// Returns a text in lines that fit a terminal, indented, with a label before the first line.
fn wrapped(label: &str, text: &str, indent: usize) -> String {
    words::row(&format!("  {label}"), text, indent)
}

#[cfg(test)]
mod tests {
    use super::super::constants::RESULT_WIDTH;
    use super::*;

    #[test]
    fn long_texts_wrap_at_the_width_and_keep_their_words() {
        let text = "µm and words of some length ".repeat(9);
        let text = text.trim_end();
        let printed = labeled("label", text);
        let lines: Vec<&str> = printed.lines().collect();
        assert!(lines.len() > 3);
        assert!(lines[0].starts_with("  label         µm"));
        for (i, line) in lines.iter().enumerate() {
            let columns = line.chars().count();
            assert!(columns <= RESULT_WIDTH, "{columns} columns: {line}");
            assert!(i + 1 == lines.len() || columns > RESULT_WIDTH - 8, "{line}");
            assert!(i == 0 || line.starts_with(&" ".repeat(INDENT)), "{line}");
        }
        let words: Vec<&str> = printed.split_whitespace().skip(1).collect();
        assert_eq!(words.join(" "), text);
    }
}
