//! The summary that `jostle pack` prints at the end, as text or as JSON.

use std::path::PathBuf;

use anyhow::{Result, bail};
use serde::Serialize;

use super::{
    shortfall::early_end,
    values::BoxLengths,
    words::{self, counted, rounded, with_unit},
};
use crate::names::visible;
use crate::{
    Container,
    packing::{Jamming, StopReason},
    rearrange::PackRun,
};

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
    /// The minimization by which the packing was jammed; absent if that was not requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    jamming: Option<Jamming>,
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
    /// The request, if it was met.
    #[serde(skip)]
    reached: Option<&'static str>,
}

/// The achieved diameters.
#[derive(Serialize)]
struct Sizes {
    d_min: f64,
    d_max: f64,
    mass_curve_error: f64,
    /// Number of spheres that would have the requested sizes; `null` if these spheres have them, or if no number has.
    sufficient_spheres: Option<u64>,
    /// Lengths of a box whose spheres would have the requested sizes.
    sufficient_box: Option<[f64; 3]>,
}

/// A summary of a run, which is also printed as JSON.
pub trait Summarize: Serialize {
    /// Returns the reason why the run ended.
    fn status(&self) -> StopReason;

    /// Returns the summary as rows of a name and a value.
    fn describe(&self) -> String;
}

/// Column of the values of a summary.
const VALUES: usize = 18;

/// Returns rows of a name and a value as text, and a row for each file.
pub fn rows_as_text(
    rows: impl IntoIterator<Item = (&'static str, String)>,
    files: &[PathBuf],
) -> String {
    let files = files
        .iter()
        .map(|file| visible(&file.display().to_string(), ""));
    let names = std::iter::once("files").chain(std::iter::repeat(""));
    let rows = rows.into_iter();
    let rows = rows.map(|(name, value)| words::row(name, &value, VALUES));
    let files = (names.zip(files)).map(|(name, file)| format!("{name:<VALUES$}{file}"));
    rows.chain(files).collect::<Vec<_>>().join("\n")
}

impl Summarize for Summary<'_> {
    fn status(&self) -> StopReason {
        self.status
    }

    fn describe(&self) -> String {
        let length = |value: f64| with_unit(&rounded(value, 4), self.unit);
        let diameters = words::range(self.sizes.d_min, self.sizes.d_max, 4);
        let rows = [
            (
                "spheres",
                words::present(self.spheres, self.fixed, self.left_out),
            ),
            ("packing fraction", self.fraction()),
            ("expected", self.expected()),
            ("container", words::container(&self.container, self.unit)),
            ("diameters", with_unit(&diameters, self.unit)),
            ("mass curve", self.mass_curve()),
            ("largest overlap", self.largest_overlap()),
            ("smallest gap", length(self.min_gap)),
            ("run", self.run()),
            ("settings", self.settings()),
        ];
        let exchanged = self.exchanged();
        let rows = rows
            .into_iter()
            .chain(exchanged.map(|value| ("exchanges", value)))
            .chain(
                self.jamming
                    .map(|jamming| ("jammed", words::jammed(&jamming))),
            );
        rows_as_text(rows, self.files)
    }
}

impl<'a> Summary<'a> {
    /// Collects the numbers of a run, whose packing was written to `files`, except for the `omissions`. `reached` is that of
    /// [`reached`](super::shortfall::reached).
    pub fn new(
        run: &'a PackRun,
        predicted_packing_fraction: f64,
        files: &'a [PathBuf],
        omissions: &'a [String],
        reached: Option<&'static str>,
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
            jamming: provenance.jamming,
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
                sufficient_spheres: sizes.sufficient.map(|sample| sample.spheres),
                sufficient_box: None,
            },
            files,
            omissions,
            warning: sizes.warning.as_deref(),
            reached,
        })
    }

    /// Adds the lengths of a box in which a sample has the requested sizes, if this box does not do.
    pub fn with_sufficient_box(mut self, lengths: Option<BoxLengths>) -> Self {
        self.sizes.sufficient_box = lengths.map(|BoxLengths(lengths)| lengths.to_array());
        self
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
        let ending = match (self.status, self.reached) {
            (StopReason::Converged, _) => "as dense as this effort allows".to_owned(),
            (StopReason::FractionReached, Some(request)) => request.to_owned(),
            (StopReason::FractionReached | StopReason::Stalled, _) => {
                "less than requested".to_owned()
            }
            (StopReason::Overlapping, _) => "with overlap".to_owned(),
            (status, _) => {
                early_end(status).map_or_else(String::new, |by| format!("stopped early by {by}"))
            }
        };
        format!("{}, {ending}", words::fraction(self.packing_fraction))
    }

    fn expected(&self) -> String {
        let mut text = format!(
            "{} {}",
            words::fraction(self.predicted_packing_fraction),
            words::prediction(&self.container)
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

    fn mass_curve(&self) -> String {
        let text = words::mass_curve(self.sizes.mass_curve_error, self.warning);
        if self.warning.is_none() {
            return text;
        }
        let spheres = self.sizes.sufficient_spheres;
        let lengths = self
            .sizes
            .sufficient_box
            .map(|lengths| BoxLengths(lengths.into()));
        let remedies = (spheres.map(|count| counted(count, "sphere")).into_iter())
            .chain(lengths.map(|lengths| format!("--box {lengths}")));
        let remedies: Vec<String> = remedies.collect();
        let remedy = match remedies.len() {
            0 => String::new(),
            _ => format!("; {} would have the requested sizes", remedies.join(" or ")),
        };
        text + &remedy
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
