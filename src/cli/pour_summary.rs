//! The summary that `jostle pour` prints at the end, as text or as JSON.

use std::path::PathBuf;

use anyhow::{Context, Result};
use serde::Serialize;

use super::{
    shortfall::early_end,
    summary::{Summarize, rows_as_text},
    words::{self, counted, rounded, with_unit},
};
use crate::{
    Container,
    analysis::BedSummary,
    packing::{Deposition, Jamming, StabilityCertificate, StopReason},
    pour::PourRun,
};

/// The numbers of a deposition and of its bed.
#[derive(Serialize)]
pub struct PourSummary<'a> {
    status: StopReason,
    spheres: usize,
    /// Number of fixed spheres among `spheres`.
    fixed: usize,
    /// Number of spheres that are not in the bed.
    left_out: usize,
    bed: BedSummary,
    /// Absent if forces keep the spheres at rest together.
    stability: Option<StabilityCertificate>,
    max_overlap: f64,
    min_gap: f64,
    deposition: &'a Deposition,
    /// The minimization by which the bed was jammed; absent if that was not requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    jamming: Option<Jamming>,
    seconds: f64,
    seed: u64,
    unit: &'a str,
    container: &'a Container,
    sizes: Option<Sizes<'a>>,
    files: &'a [PathBuf],
    /// Sentences about the parts of the packing that the files do not hold.
    omissions: &'a [String],
}

/// The achieved diameters.
#[derive(Serialize)]
struct Sizes<'a> {
    d_min: f64,
    d_max: f64,
    mass_curve_error: f64,
    warning: Option<&'a str>,
}

impl<'a> PourSummary<'a> {
    /// Collects the numbers of a run, whose packing was written to `files`, except for the `omissions`.
    pub fn new(
        run: &'a PourRun,
        seed: u64,
        files: &'a [PathBuf],
        omissions: &'a [String],
    ) -> Result<Self> {
        let packing = &run.packing;
        let provenance = packing.provenance.as_ref();
        let provenance = provenance.context("the packing has no provenance")?;
        let bed = BedSummary::new(packing)?;
        Ok(Self {
            status: provenance.stop,
            spheres: packing.spheres().len(),
            fixed: packing.fixed(),
            left_out: run.left_out.len(),
            bed: bed.context("the packing is not at rest")?,
            stability: packing.stability(),
            max_overlap: packing.certificate.max_overlap,
            min_gap: packing.certificate.min_gap,
            deposition: (provenance.deposition.as_ref())
                .context("the packing has no account of its deposition")?,
            jamming: provenance.jamming,
            seconds: run.elapsed.as_secs_f64(),
            seed,
            unit: &packing.unit,
            container: &packing.container,
            sizes: packing.sizes.as_ref().map(|sizes| Sizes {
                d_min: sizes.d_min,
                d_max: sizes.d_max,
                mass_curve_error: sizes.mass_curve_error,
                warning: sizes.warning.as_deref(),
            }),
            files,
            omissions,
        })
    }

    /// Returns a sentence about spheres that do not rest on their supports; `None` if there are none.
    pub fn unsupported(&self) -> Option<String> {
        let count = self.stability.map(|certificate| certificate.unsupported);
        count.filter(|&count| count > 0).map(words::unsupported)
    }

    fn run(&self) -> String {
        let seconds = rounded(self.seconds, 3);
        let ending = early_end(self.status)
            .map_or_else(String::new, |by| format!(", stopped early by {by}"));
        format!("{seconds} s, one thread{ending}")
    }

    fn settings(&self) -> String {
        let Deposition {
            gravity,
            order,
            source,
            stop_angle,
            sticking,
            taps,
            rearrangements,
            ..
        } = self.deposition;
        let mut text = format!(
            "seed {}, gravity {gravity}, order {order}, source {source}",
            self.seed
        );
        if *stop_angle > 0.0 {
            text += &format!(", stop angle {}°", rounded(*stop_angle, 4));
        }
        if *sticking > 0.0 {
            text += &format!(", sticking {}", rounded(*sticking, 4));
        }
        if *rearrangements > 0 {
            text += &format!(", {}", counted(*rearrangements, "rearrangement"));
        }
        if *taps > 0 {
            text += &format!(", {}", counted(*taps, "tap"));
        }
        text
    }
}

impl Summarize for PourSummary<'_> {
    fn status(&self) -> StopReason {
        self.status
    }

    fn describe(&self) -> String {
        let length = |value: f64| with_unit(&rounded(value, 4), self.unit);
        // Of a height, more spheres are drawn than the bed takes. Some are not poured yet when a run is stopped.
        let is_whole = self.deposition.height.is_none() && early_end(self.status).is_none();
        let left_out = if is_whole { self.left_out as u64 } else { 0 };
        let spheres = words::present(self.spheres, self.fixed, left_out);
        let mut rows = vec![("spheres", spheres)];
        rows.extend(words::bed(&self.bed, self.unit));
        rows.extend(
            self.stability
                .map(|certificate| ("rest", words::stability(&certificate))),
        );
        rows.extend(
            self.jamming
                .map(|jamming| ("jammed", words::jammed(&jamming))),
        );
        rows.push(("container", words::container(self.container, self.unit)));
        if let Some(sizes) = &self.sizes {
            let diameters = words::range(sizes.d_min, sizes.d_max, 4);
            rows.push(("diameters", with_unit(&diameters, self.unit)));
            let curve = words::mass_curve(sizes.mass_curve_error, sizes.warning);
            rows.push(("mass curve", curve));
        }
        rows.push(("largest overlap", length(self.max_overlap)));
        rows.push(("run", self.run()));
        rows.push(("settings", self.settings()));
        rows_as_text(rows, self.files)
    }
}
