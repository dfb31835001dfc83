//! `jostle pack --dry-run` and `jostle pour --dry-run`: the numbers of a run, without the run.

use anyhow::Result;
use serde::Serialize;

use super::{
    constants::DONE,
    memory::{self, Demand},
    output::print_result,
    words,
};
use crate::{
    Container, Target,
    distribution::SizeSource,
    pour::{Ceiling, Compaction, ResolvedPour},
    request::{ResolvedRequest, Sizes},
};

/// The numbers of a run that is not begun.
#[derive(Serialize)]
pub struct DryRun {
    spheres: f64,
    /// Estimated peak memory in bytes.
    memory: f64,
    /// Available memory in bytes; `null` if the system reports no limit.
    available_memory: Option<f64>,
    /// `null` around fixed spheres.
    expected_packing_fraction: Option<f64>,
    /// `null` for the densest packing.
    requested_packing_fraction: Option<f64>,
    /// Estimated wall time in seconds; `null` if the trial cannot be packed.
    seconds: Option<f64>,
    /// The requested container; `null` if its size is not given.
    container: Option<Container>,
    unit: String,
    warning: Option<String>,
    /// Whether the run is a deposition, whose packing fraction is not predicted.
    #[serde(skip)]
    is_poured: bool,
    /// Whether the packing is jammed at last, whose time is not estimated.
    #[serde(skip)]
    is_jammed: bool,
}

impl DryRun {
    /// Collects the numbers of a packing. The time is estimated by a trial.
    pub fn of_request(request: &ResolvedRequest, has_checkpoints: bool) -> Self {
        let options = request.options();
        let unit = unit_of(request.sizes(), options.sizes.as_ref());
        let is_exact = options.target == Target::Exact;
        Self {
            expected_packing_fraction: request.expected_fraction(),
            requested_packing_fraction: request.requested_fraction(),
            seconds: (request.estimated_time().ok()).map(|time| time.as_secs_f64()),
            is_jammed: !options.jam.is_off(),
            container: is_exact.then(|| options.container.clone()),
            unit,
            warning: request.doubt(),
            ..Self::of_demand(&Demand::of_request(request, 1.0, has_checkpoints))
        }
    }

    /// Collects the numbers of a deposition. The time is estimated by a trial.
    pub fn of_pour(request: &ResolvedPour, has_checkpoints: bool) -> Self {
        let options = request.options();
        Self {
            requested_packing_fraction: match options.compaction {
                Compaction::Fraction(fraction) => Some(fraction),
                _ => None,
            },
            seconds: (request.estimated_time().ok()).map(|time| time.as_secs_f64()),
            container: (options.ceiling != Ceiling::Free).then(|| options.container.clone()),
            unit: unit_of(request.sizes(), None),
            is_poured: true,
            is_jammed: !options.jam.is_off(),
            ..Self::of_demand(&Demand::of_pour(request, has_checkpoints))
        }
    }

    fn of_demand(demand: &Demand) -> Self {
        Self {
            spheres: demand.spheres,
            memory: demand.total(),
            available_memory: memory::available(demand.threads).map(|it| it.bytes),
            expected_packing_fraction: None,
            requested_packing_fraction: None,
            seconds: None,
            container: None,
            unit: String::new(),
            warning: None,
            is_poured: false,
            is_jammed: false,
        }
    }

    /// Prints the numbers as text or as JSON. Returns the exit code.
    pub fn print(&self, as_json: bool) -> Result<u8> {
        print_result(as_json, self, || self.describe())?;
        Ok(DONE)
    }

    fn describe(&self) -> String {
        let fraction =
            |value: Option<f64>, none: &str| value.map_or_else(|| none.to_owned(), words::fraction);
        let of_available = |bytes| {
            let verdict = if self.memory > bytes {
                ": too much"
            } else {
                ""
            };
            format!(", of {} available{verdict}", memory::amount(bytes))
        };
        let available = self.available_memory.map(of_available);
        let memory = memory::amount(self.memory) + &available.unwrap_or_default();
        let container = self.container.as_ref();
        let container = container.map(|it| words::container(it, &self.unit));
        let mut rows = vec![
            ("spheres", format!("{:.0}", self.spheres)),
            ("memory", format!("about {memory}")),
        ];
        if !self.is_poured {
            let (requested, expected) = (
                self.requested_packing_fraction,
                self.expected_packing_fraction,
            );
            rows.push(("requested", fraction(requested, "the densest packing")));
            rows.push((
                "expected",
                fraction(expected, "unknown around fixed spheres"),
            ));
        } else if let Some(requested) = self.requested_packing_fraction {
            rows.push(("requested", words::fraction(requested)));
        }
        let time = self.seconds.map(words::duration);
        let mut time = time.map_or_else(|| "unknown".to_owned(), |time| format!("about {time}"));
        if self.is_jammed {
            time += ", without the jamming";
        }
        rows.push(("time", time));
        let further = [("container", container), ("warning", self.warning.clone())];
        let further = further
            .into_iter()
            .filter_map(|(name, text)| Some((name, text?)));
        let rows = rows.into_iter().chain(further);
        let rows = rows.map(|(name, value)| format!("{name:<18}{value}"));
        rows.collect::<Vec<_>>().join("\n")
    }
}

/// Returns the unit of sizes; that of given diameters is that of their origin.
fn unit_of(sizes: &Sizes, origin: Option<&SizeSource>) -> String {
    match sizes {
        Sizes::Law(spec) => spec.unit.clone(),
        Sizes::Diameters(_) => origin.map_or_else(String::new, |origin| origin.unit.clone()),
    }
}
