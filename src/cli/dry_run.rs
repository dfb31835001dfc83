//! `jostle pack --dry-run`: the numbers of a run, without the run.

use anyhow::Result;
use serde::Serialize;

use super::{constants::DONE, memory, output::print_result, words};
use crate::{
    Container, Target,
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
}

impl DryRun {
    /// Collects the numbers of a request. The time is estimated by a trial.
    pub fn new(request: &ResolvedRequest, has_checkpoints: bool) -> Result<Self> {
        let options = request.options();
        let unit = match request.sizes() {
            Sizes::Law(spec) => spec.unit.clone(),
            Sizes::Diameters(_) => {
                let source = options.sizes.as_ref();
                source.map_or_else(String::new, |source| source.unit.clone())
            }
        };
        let is_exact = options.target == Target::Exact;
        Ok(Self {
            spheres: request.expected_spheres(),
            memory: memory::needed_by(request, has_checkpoints),
            available_memory: memory::available(options.threads).map(|it| it.bytes),
            expected_packing_fraction: request.expected_fraction(),
            requested_packing_fraction: request.requested_fraction(),
            seconds: (request.estimated_time().ok()).map(|time| time.as_secs_f64()),
            container: is_exact.then(|| options.container.clone()),
            unit,
            warning: request.doubt(),
        })
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
        let rows = [
            ("spheres", format!("{:.0}", self.spheres)),
            ("memory", format!("about {memory}")),
            (
                "requested",
                fraction(self.requested_packing_fraction, "the densest packing"),
            ),
            (
                "expected",
                fraction(
                    self.expected_packing_fraction,
                    "unknown around fixed spheres",
                ),
            ),
            (
                "time",
                self.seconds.map_or_else(
                    || "unknown".to_owned(),
                    |seconds| format!("about {}", words::duration(seconds)),
                ),
            ),
        ];
        let further = [("container", container), ("warning", self.warning.clone())];
        let further = further
            .into_iter()
            .filter_map(|(name, text)| Some((name, text?)));
        let rows = rows.into_iter().chain(further);
        let rows = rows.map(|(name, value)| format!("{name:<18}{value}"));
        rows.collect::<Vec<_>>().join("\n")
    }
}
