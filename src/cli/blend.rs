//! `jostle blend`: chooses the shares of a blend, or maps its packing fraction over the composition.

use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use clap::{ArgGroup, Args};
use serde::Serialize;
use strum::VariantNames;

use super::{
    files::{Output, load_sizes},
    help,
    output::{print_message, print_result},
    progress::Screen,
    values,
    words::{choices, rounded, signed, with_unit},
};
use crate::{
    Request, SizeSpec,
    distribution::{
        Blend as Mixture, BlendBasis, BlendPoint, CurveComparison, PackingModel,
        PackingPredictions, SizeDistribution, compared_sizes,
    },
    names::visible,
    rearrange::{Effort, PackOptions},
    report::{BlendSeries, plot_blends},
};

/// Choose the shares of a blend by a target curve or by density, or map its packing fraction
#[derive(Args)]
#[command(
    group = ArgGroup::new("choice").required(true).args(["target", "densest", "map"]),
    override_usage = "jostle blend [OPTIONS] <--target|--densest|--map> <SIZES>...",
    after_help = "\
Examples:
  jostle blend --target din-a16 sand.csv gravel.csv chippings.csv
  jostle blend --densest sand.csv@2650 gravel.csv@2700
  jostle blend --map 10 -o map.svg sand.csv gravel.csv chippings.csv

The last line of a choice is a text for jostle pack and jostle sizes.

Exit codes:
  0  done
  2  usage or bad input"
)]
pub struct Blend {
    /// Components: presets, files, or laws such as mono:d=2. A density may follow after @, for all components or for none
    #[arg(required = true, num_args = 2.., value_name = "SIZES")]
    components: Vec<String>,

    /// Choose the shares whose mass curve fits this size distribution best. The fit is by least squares at the sieve sizes
    #[arg(long, value_name = "SIZES")]
    target: Option<String>,

    /// Sieve sizes at which the curves are compared, in the unit of the blend [default: the sieves of the target, or 17 sizes in its range]
    #[arg(long, value_name = "DIAMETERS", requires = "target", value_delimiter = ',', value_parser = values::positive)]
    sieves: Vec<f64>,

    #[arg(long, value_name = "MODEL", num_args = 0..=1, require_equals = true, default_missing_value = "rods", help = choices("Choose the shares with the largest packing fraction that a model predicts", PackingModel::VARIANTS, PackingModel::default()))]
    densest: Option<PackingModel>,

    /// Predict the packing fraction of every composition of two or three components in steps of 1/STEPS
    #[arg(long, value_name = "STEPS")]
    map: Option<usize>,

    /// Also pack N spheres of every composition of the map, with effort normal and seed 1
    #[arg(short, long, value_name = "N", requires = "map", value_parser = values::whole_number)]
    number: Option<u64>,

    /// Draw the map to FILE (.svg), or to stdout (-)
    #[arg(short, long, value_name = "FILE", requires = "map", help_heading = help::OUTPUT)]
    output: Option<PathBuf>,

    #[arg(long, value_name = "QUANTITY", default_value_t, hide_default_value = true, help = choices("Shares are of this quantity", BlendBasis::VARIANTS, BlendBasis::default()))]
    by: BlendBasis,

    /// Print the result as one JSON object
    #[arg(long, help_heading = help::OUTPUT)]
    json: bool,
}

impl Blend {
    pub fn run(self) -> Result<()> {
        let equal = vec![1.0 / self.components.len() as f64; self.components.len()];
        let spec = load(&self.text(&equal))?;
        let SizeDistribution::Blend(blend) = &spec.distribution else {
            bail!("two or more components are expected");
        };
        if let Some(steps) = self.map {
            return self.draw_map(&spec, blend, steps);
        }
        let (chosen, curve) = match (&self.target, self.densest) {
            (Some(target), _) => {
                let (fitted, curve) = self.fitted(&spec, blend, target)?;
                (fitted, Some(curve))
            }
            (None, model) => (blend.densest(model.unwrap_or_default())?, None),
        };
        let choice = Choice::new(&self, &spec.unit, &chosen, curve);
        print_result(self.json, &choice, || choice.describe())
    }

    /// Returns the text that names a blend of the components with these shares. Components without a share are left out.
    fn text(&self, shares: &[f64]) -> String {
        let parts = self.components.iter().zip(shares);
        let parts = parts.filter(|(_, share)| **share > 0.0);
        let mut parts: Vec<String> = parts
            .map(|(name, share)| {
                let is_plain = name.starts_with('(') || !name.contains([':', ',', '=']);
                if is_plain {
                    format!("{name}={share}")
                } else {
                    format!("({name})={share}")
                }
            })
            .collect();
        if self.by != BlendBasis::default() {
            parts.push(format!("by={}", self.by));
        }
        format!("blend:{}", parts.join(","))
    }

    /// Fits the blend to a target, whose unit may be another one.
    fn fitted(
        &self,
        spec: &SizeSpec,
        blend: &Mixture,
        target: &str,
    ) -> Result<(Mixture, CurveComparison)> {
        let target = load(target)?.in_unit(&spec.unit)?;
        let sizes = if self.sieves.is_empty() {
            compared_sizes(&target.distribution)
        } else {
            self.sieves.clone()
        };
        let fitted = blend.fitted_to(&target.distribution, &sizes)?;
        let curve = fitted.compared_with(&target.distribution, &sizes)?;
        Ok((fitted, curve))
    }

    /// Predicts the packing fraction of each composition, and packs spheres of it if their number is given.
    fn rows(&self, spec: &SizeSpec, blend: &Mixture, steps: usize) -> Result<Vec<MapRow>> {
        let screen = Screen::new(self.json);
        screen.phase("predicting packing fractions");
        let points = blend.map(steps)?;
        let count = points.len();
        let row = |(k, point): (usize, BlendPoint)| {
            screen.phase(&format!("packing composition {} of {count}", k + 1));
            let measured = self.number.map(|number| {
                let packed = measured(spec, blend, &point, number);
                packed.with_context(|| format!("composition {} of the map", k + 1))
            });
            let measured = measured.transpose()?;
            Ok(MapRow { point, measured })
        };
        points.into_iter().enumerate().map(row).collect()
    }

    /// Prints the map as a table, and draws it.
    fn draw_map(&self, spec: &SizeSpec, blend: &Mixture, steps: usize) -> Result<()> {
        let output = self.output.as_deref();
        let output = output.map(|file| Output::new(Some(file), ""));
        if let Some(output) = &output {
            output.check()?;
        }
        let labels = blend.components().iter();
        let map = Map {
            components: labels.map(|component| component.label.clone()).collect(),
            by: self.by,
            points: self.rows(spec, blend, steps)?,
        };
        if let Some(output) = output {
            output.write(map.picture()?.as_bytes())?;
            print_message(&format!("the map is in {}", output.path().display()));
        }
        print_result(self.json, &map, || map.table())
    }
}

/// Loads a size distribution, and prints what was assumed about it.
fn load(text: &str) -> Result<SizeSpec> {
    let spec = load_sizes(text)?;
    for note in spec.notes() {
        print_message(&format!("note: {note}"));
    }
    Ok(spec)
}

/// Packs spheres of a composition, and returns the packing fraction.
fn measured(spec: &SizeSpec, blend: &Mixture, point: &BlendPoint, number: u64) -> Result<f64> {
    let law = blend.with_shares(&point.shares)?;
    let spec = SizeSpec::new(&*spec.name, &*spec.unit, &*spec.source, law);
    let options = PackOptions::default().effort(Effort::NORMAL);
    let run = Request::new(spec).number(number).options(options).pack()?;
    Ok(run.packing.packing_fraction())
}

/// A blend with chosen shares.
#[derive(Serialize)]
struct Choice<'a> {
    unit: &'a str,
    by: BlendBasis,
    components: Vec<Share<'a>>,
    /// The mass curve beside the target, if there is one.
    #[serde(flatten)]
    curve: Option<CurveComparison>,
    predicted: PackingPredictions,
    /// The text that names the blend, with shares to four decimals.
    blend: String,
}

#[derive(Serialize)]
struct Share<'a> {
    label: &'a str,
    share: f64,
}

impl<'a> Choice<'a> {
    fn new(
        command: &Blend,
        unit: &'a str,
        chosen: &'a Mixture,
        curve: Option<CurveComparison>,
    ) -> Self {
        let shares = chosen.shares();
        let labels = chosen.components().iter().map(|part| &*part.label);
        let components = labels
            .zip(&shares)
            .map(|(label, &share)| Share { label, share });
        Self {
            unit,
            by: command.by,
            components: components.collect(),
            curve,
            predicted: chosen.predicted(),
            blend: command.text(&to_four_decimals(&shares)),
        }
    }

    fn describe(&self) -> String {
        let mut lines = vec![format!("{:>15}  component", format!("% of {}", self.by))];
        lines.extend(self.components.iter().map(|part| {
            let percent = 100.0 * part.share;
            format!("{percent:>15.2}  {}", visible(part.label, ""))
        }));
        lines.push(String::new());
        if let Some(curve) = &self.curve {
            lines.push(format!(
                "{:>15}{:>14}{:>14}{:>14}",
                with_unit("d", self.unit),
                "target, %",
                "blend, %",
                "difference"
            ));
            lines.extend(curve.curve.iter().map(|&[size, target, blend]| {
                let [target, blend] = [100.0 * target, 100.0 * blend];
                let size = rounded(size, 5);
                let difference = signed(blend - target, 2);
                format!("{size:>15}{target:>14.2}{blend:>14.2}{difference:>14}")
            }));
            let largest = 100.0 * curve.largest_difference;
            lines.push(format!("  largest difference {largest:.2} %\n"));
        }
        lines.push(format!(
            "  expected packing fraction {:.4} by the rods of Farr & Groot,\n                            {:.4} by the model of de Larrard",
            self.predicted.rods, self.predicted.compressible
        ));
        lines.push(format!("  {}", visible(&self.blend, "")));
        lines.join("\n")
    }
}

/// Returns shares as multiples of 1/10 000 whose sum is 1. The largest share takes the difference of the rounded sum.
fn to_four_decimals(shares: &[f64]) -> Vec<f64> {
    let mut parts: Vec<i64> = shares
        .iter()
        .map(|share| (1e4 * share).round() as i64)
        .collect();
    let rest = 10_000 - parts.iter().sum::<i64>();
    if let Some(largest) = parts.iter_mut().max() {
        *largest += rest;
    }
    parts.into_iter().map(|part| part as f64 / 1e4).collect()
}

/// Packing fractions over the composition.
#[derive(Serialize)]
struct Map {
    components: Vec<String>,
    by: BlendBasis,
    points: Vec<MapRow>,
}

#[derive(Serialize)]
struct MapRow {
    #[serde(flatten)]
    point: BlendPoint,
    #[serde(skip_serializing_if = "Option::is_none")]
    measured: Option<f64>,
}

impl Map {
    /// Returns the names and the values of the columns of packing fractions.
    fn series(&self) -> Vec<BlendSeries> {
        let series = |name: &str, value: &dyn Fn(&MapRow) -> Option<f64>| {
            let fractions: Option<Vec<f64>> = self.points.iter().map(value).collect();
            let name = name.to_owned();
            fractions.map(|fractions| BlendSeries { name, fractions })
        };
        let predicted = |row: &MapRow| row.point.predicted;
        [
            series("measured", &|row| row.measured),
            series("rods of Farr & Groot", &|row| Some(predicted(row).rods)),
            series("compressible packing model", &|row| {
                Some(predicted(row).compressible)
            }),
        ]
        .into_iter()
        .flatten()
        .collect()
    }

    fn picture(&self) -> Result<String> {
        let shares = self.points.iter().map(|row| row.point.shares.clone());
        let shares: Vec<Vec<f64>> = shares.collect();
        Ok(plot_blends(&self.components, &shares, &self.series())?)
    }

    /// Returns the map as CSV.
    fn table(&self) -> String {
        let series = self.series();
        let quoted = |name: &str| match name.contains(['"', ',']) {
            true => format!("\"{}\"", name.replace('"', "\"\"")),
            false => name.to_owned(),
        };
        let labels = self.components.iter().map(|label| quoted(label));
        let names = series.iter().map(|one| quoted(&one.name));
        let head: Vec<String> = labels.chain(names).collect();
        let rows = self.points.iter().enumerate().map(|(k, row)| {
            let shares = row.point.shares.iter().map(|&share| rounded(share, 6));
            let fractions = series.iter().map(|one| format!("{:.4}", one.fractions[k]));
            shares.chain(fractions).collect::<Vec<_>>().join(",")
        });
        std::iter::once(head.join(","))
            .chain(rows)
            .collect::<Vec<_>>()
            .join("\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounded_shares_sum_to_1() {
        for shares in [vec![1.0 / 3.0; 3], vec![0.123_45, 0.876_55], vec![0.0, 1.0]] {
            let rounded = to_four_decimals(&shares);
            assert!(
                (rounded.iter().sum::<f64>() - 1.0).abs() < 1e-12,
                "{rounded:?}"
            );
            let near = rounded.iter().zip(&shares);
            assert!(near.into_iter().all(|(a, b)| (a - b).abs() <= 2e-4));
        }
    }
}
