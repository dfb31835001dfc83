//! The summary that `jostle pack` prints at the end, as text or as JSON.

use std::path::PathBuf;

use anyhow::{Result, bail};
use jostle::{Container, PackRun, StopReason};
use serde::Serialize;

use super::words::{self, counted, rounded, with_unit};

/// The numbers of a run and of its packing.
#[derive(Serialize)]
pub struct Summary<'a> {
    status: StopReason,
    spheres: usize,
    /// Number of fixed spheres among `spheres`.
    fixed: usize,
    /// Number of spheres that found no room around fixed ones.
    left_out: u64,
    packing_fraction: f64,
    predicted_packing_fraction: f64,
    max_overlap: f64,
    min_gap: f64,
    /// Requested smallest gap.
    #[serde(skip)]
    requested_gap: f64,
    seconds: f64,
    sweeps: u64,
    relocations: u64,
    exchange_rate: f64,
    exchange_start: Option<u64>,
    exchanges: u64,
    seed: u64,
    index: String,
    effort: f64,
    #[serde(skip)]
    effort_is_chosen: bool,
    threads: usize,
    unit: &'a str,
    container: Container,
    sizes: Sizes,
    files: &'a [PathBuf],
    /// Sentences about the parts of the packing that the files do not hold.
    omissions: &'a [String],
    warning: Option<&'a str>,
}

/// The achieved diameters.
#[derive(Serialize)]
struct Sizes {
    d_min: f64,
    d_max: f64,
    mass_curve_error: f64,
}

impl<'a> Summary<'a> {
    /// Collects the numbers of a run, whose packing was written to `files`, except for the `omissions`.
    pub fn new(
        run: &'a PackRun,
        predicted_packing_fraction: f64,
        files: &'a [PathBuf],
        omissions: &'a [String],
    ) -> Result<Self> {
        let packing = &run.packing;
        let (Some(sizes), Some(provenance)) = (&packing.sizes, &packing.provenance) else {
            bail!("the packing has no sizes or no provenance");
        };
        Ok(Self {
            status: provenance.stop,
            spheres: run.spheres,
            fixed: run.fixed,
            left_out: provenance.left_out,
            packing_fraction: run.packing_fraction,
            predicted_packing_fraction,
            requested_gap: provenance.min_gap,
            max_overlap: packing.certificate.max_overlap,
            min_gap: packing.certificate.min_gap,
            seconds: run.elapsed.as_secs_f64(),
            sweeps: provenance.sweeps,
            relocations: provenance.relocations,
            exchange_rate: provenance.exchange_rate,
            exchange_start: provenance.exchange_start,
            exchanges: provenance.exchanges,
            seed: provenance.seed,
            index: provenance.index.to_string(),
            effort: provenance.effort,
            effort_is_chosen: provenance.effort_is_chosen,
            threads: run.threads,
            unit: &packing.unit,
            container: packing.container.clone(),
            sizes: Sizes {
                d_min: sizes.d_min,
                d_max: sizes.d_max,
                mass_curve_error: sizes.mass_curve_error,
            },
            files,
            omissions,
            warning: sizes.warning.as_deref(),
        })
    }

    /// Returns the reason why the run ended.
    pub fn status(&self) -> StopReason {
        self.status
    }

    /// Returns the warning about the sample, if there is one.
    pub fn warning(&self) -> Option<&'a str> {
        self.warning
    }

    /// Returns the summary as rows of a name and a value.
    pub fn describe(&self) -> String {
        let length = |value: f64| with_unit(&rounded(value, 4), self.unit);
        let rows = [
            ("spheres", self.spheres()),
            ("packing fraction", self.fraction()),
            ("expected", self.expected()),
            ("container", words::container(&self.container, self.unit)),
            ("diameters", self.diameters()),
            ("mass curve", self.mass_curve()),
            ("largest overlap", self.largest_overlap()),
            ("smallest gap", length(self.min_gap)),
            ("run", self.run()),
            ("settings", self.settings()),
        ];
        let exchanged = self.exchanged();
        let rows = rows
            .into_iter()
            .chain(exchanged.map(|value| ("exchanges", value)));
        let files = self.files.iter().map(|file| file.display().to_string());
        let names = std::iter::once("files").chain(std::iter::repeat(""));
        let rows = rows.chain(names.zip(files));
        rows.map(|(name, value)| format!("{name:<18}{value}"))
            .collect::<Vec<_>>()
            .join("\n")
    }

    fn spheres(&self) -> String {
        let mut text = self.spheres.to_string();
        if self.fixed > 0 {
            text += &format!(", of which {} fixed", self.fixed);
        }
        if self.left_out > 0 {
            text += &format!("; {} found no room", self.left_out);
        }
        text
    }

    fn largest_overlap(&self) -> String {
        let length = with_unit(&rounded(self.max_overlap, 4), self.unit);
        if self.max_overlap > 0.0 && self.status != StopReason::Overlapping {
            format!("{length}, of fixed spheres with each other, walls or bodies")
        } else {
            length
        }
    }

    fn fraction(&self) -> String {
        let ending = match self.status {
            StopReason::Converged => "as dense as this effort allows",
            StopReason::FractionReached => "as requested",
            StopReason::Stalled => "less than requested",
            StopReason::SweepLimit => "stopped by --max-sweeps",
            StopReason::TimeLimit => "stopped by --time-limit",
            StopReason::Interrupted => "interrupted",
            StopReason::Overlapping => "with overlap",
        };
        format!("{:.4}, {ending}", self.packing_fraction)
    }

    fn expected(&self) -> String {
        let mut text = format!(
            "{:.4} for random close packing (Farr & Groot 2009)",
            self.predicted_packing_fraction
        );
        if self.requested_gap > 0.0 {
            text += " with the smallest gap";
        }
        if let Some(reason) = words::lowering(&self.container, self.sizes.d_max) {
            text += "; ";
            text += reason;
        }
        if self.exchanges > 0 {
            text += "; exchanges go beyond it";
        }
        text
    }

    /// Returns the number of exchanges and their cause; `None` without exchanges.
    fn exchanged(&self) -> Option<String> {
        match self.exchange_start {
            Some(sweep) => Some(format!(
                "{}, from sweep {sweep} on, as relocations alone did not reach the request",
                self.exchanges
            )),
            None => (self.exchanges > 0).then(|| {
                let rate = rounded(self.exchange_rate, 3);
                format!(
                    "{}, from {rate} attempts per sphere and sweep",
                    self.exchanges
                )
            }),
        }
    }

    fn diameters(&self) -> String {
        let [smallest, largest] = [self.sizes.d_min, self.sizes.d_max].map(|d| rounded(d, 4));
        if smallest == largest {
            with_unit(&largest, self.unit)
        } else {
            with_unit(&format!("{smallest} to {largest}"), self.unit)
        }
    }

    fn mass_curve(&self) -> String {
        let percent = rounded(100.0 * self.sizes.mass_curve_error, 2);
        format!("within {percent} % of the requested one")
    }

    fn run(&self) -> String {
        let sweeps = counted(self.sweeps, "sweep");
        let threads = counted(self.threads as u64, "thread");
        format!("{} s, {sweeps}, {threads}", rounded(self.seconds, 3))
    }

    fn settings(&self) -> String {
        let effort = rounded(self.effort, 3);
        let chosen = if self.effort_is_chosen {
            " (chosen)"
        } else {
            ""
        };
        format!(
            "seed {}, effort {effort}{chosen}, index {}",
            self.seed, self.index
        )
    }
}
