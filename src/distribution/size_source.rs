//! The origin of the diameters of a sample, for the provenance of a packing.

use serde::{Deserialize, Serialize};

use super::{sampling::Sampling, size_report::SizeReport};

/// The origin of the diameters of a sample: distribution, unit, sampling and agreement with the distribution.
///
/// [`Sample::source`](crate::distribution::Sample::source) holds it. A packing keeps it with its spheres.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct SizeSource {
    /// The name of the distribution: a preset, an inline law or the name in a file. Empty for a law without a name.
    pub name: String,
    /// The unit of all diameters, such as `"mm"`. Empty if it is unknown.
    pub unit: String,
    /// The method that chose the diameters.
    pub sampling: Sampling,
    /// The seed of the sample. Stratified samples are the same for every seed.
    pub seed: u64,
    /// The requested volume of all spheres; absent if their number was requested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub volume: Option<f64>,
    /// The requested and the achieved mass curve.
    pub report: SizeReport,
    /// The components of a blend, in the order of their spheres in the sample; none of another law.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub components: Vec<SampledComponent>,
}

/// A component of a blend in a sample.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct SampledComponent {
    /// The name of the component.
    pub label: String,
    /// The density of the spheres; absent if all components have one density.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub density: Option<f64>,
    /// The number of spheres, on all ranks.
    pub spheres: u64,
}

impl SampledComponent {
    /// Creates a component of this number of spheres.
    pub fn new(label: impl Into<String>, density: Option<f64>, spheres: u64) -> Self {
        Self {
            label: label.into(),
            density,
            spheres,
        }
    }
}

impl SizeSource {
    /// Creates the origin of diameters that do not come from a [`Sample`](crate::distribution::Sample).
    pub fn new(
        name: impl Into<String>,
        unit: impl Into<String>,
        sampling: Sampling,
        seed: u64,
        report: SizeReport,
    ) -> Self {
        Self {
            name: name.into(),
            unit: unit.into(),
            sampling,
            seed,
            volume: None,
            report,
            components: Vec::new(),
        }
    }
}
