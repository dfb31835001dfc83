//! `jostle pack --compare-efforts`: packing fraction and time of each effort, over several seeds.

use anyhow::{Result, bail};
use serde::Serialize;

use super::{
    constants::DONE,
    output::print_result,
    progress::Screen,
    signals,
    table::aligned,
    words::{fraction, rounded},
};
use crate::{Effort, rearrange::PackRun};

/// The compared efforts.
const EFFORTS: [(&str, Effort); 3] = [
    ("quick", Effort::QUICK),
    ("normal", Effort::NORMAL),
    ("thorough", Effort::THOROUGH),
];

/// Results of all efforts.
#[derive(Serialize)]
pub struct EffortComparison {
    /// Number of seeds.
    seeds: u64,
    /// Number of spheres of the last packing.
    spheres: usize,
    efforts: Vec<EffortRow>,
}

/// Means over the seeds of one effort.
#[derive(Serialize)]
struct EffortRow {
    effort: &'static str,
    packing_fraction: Estimate,
    /// Wall time in seconds.
    seconds: Estimate,
}

/// A mean over the seeds.
#[derive(Clone, Copy, Serialize)]
struct Estimate {
    mean: f64,
    /// Standard error of the mean; `null` for one seed.
    error: Option<f64>,
}

impl EffortComparison {
    /// Packs with each effort and each of `seeds` seeds from `first_seed` on.
    pub fn new(
        first_seed: u64,
        seeds: u64,
        screen: &Screen,
        mut pack: impl FnMut(Effort, u64) -> Result<PackRun>,
    ) -> Result<Self> {
        let mut comparison = Self {
            seeds,
            spheres: 0,
            efforts: Vec::new(),
        };
        for (name, effort) in EFFORTS {
            let mut values = Vec::new();
            for number in 0..seeds {
                screen.phase(&format!("effort {name}, packing {} of {seeds}", number + 1));
                let run = pack(effort, first_seed.wrapping_add(number))?;
                if let Some(signal) = signals::ending() {
                    bail!("ended by signal {signal} before all efforts were compared");
                }
                comparison.spheres = run.spheres;
                values.push([run.packing_fraction, run.elapsed.as_secs_f64()]);
            }
            let [packing_fraction, seconds] =
                [0, 1].map(|column| Estimate::of(values.iter().map(|row| row[column])));
            comparison.efforts.push(EffortRow {
                effort: name,
                packing_fraction,
                seconds,
            });
        }
        Ok(comparison)
    }

    /// Prints the table, or one JSON object. Returns the exit code.
    pub fn print(&self, as_json: bool) -> Result<u8> {
        print_result(as_json, self, || self.describe())?;
        Ok(DONE)
    }

    fn describe(&self) -> String {
        let header = ["effort", "packing fraction", "seconds"].map(str::to_owned);
        let rows = self.efforts.iter().map(|row| {
            let fraction = row.packing_fraction.text(fraction);
            let seconds = row.seconds.text(|value| rounded(value, 2));
            vec![row.effort.to_owned(), fraction, seconds]
        });
        let lines: Vec<_> = std::iter::once(header.to_vec()).chain(rows).collect();
        format!(
            "{} spheres, {} seeds; ± is the standard error of the mean\n{}",
            self.spheres,
            self.seeds,
            aligned(&lines)
        )
    }
}

impl Estimate {
    /// Returns the mean of some values, with its standard error.
    fn of(values: impl ExactSizeIterator<Item = f64> + Clone) -> Self {
        let count = values.len() as f64;
        let mean = values.clone().sum::<f64>() / count;
        let squares: f64 = values.map(|value| (value - mean).powi(2)).sum();
        let error = (count > 1.0).then(|| (squares / (count * (count - 1.0))).sqrt());
        Self { mean, error }
    }

    fn text(self, number: impl Fn(f64) -> String) -> String {
        let error = self.error.map(|error| format!(" ± {}", rounded(error, 2)));
        number(self.mean) + &error.unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_error_is_that_of_the_mean() {
        // Variance 5/3 of four values, divided by four.
        let estimate = Estimate::of([1.0, 2.0, 3.0, 4.0].into_iter());
        assert_eq!(estimate.mean, 2.5);
        assert!((estimate.error.unwrap() - (5.0_f64 / 12.0).sqrt()).abs() < 1e-15);
        assert_eq!(Estimate::of([2.0].into_iter()).error, None);
    }
}
