//! The account of how a packing was jammed.

use serde::{Deserialize, Serialize};

/// How the minimization of the container ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum JamEnd {
    /// The forces balance, and the gaps of contacts are as small as requested.
    Jammed,
    /// The forces do not balance, or a gap is larger than requested.
    Unbalanced,
    /// The result would be looser than the packing at the start, which is kept.
    Looser,
    /// The requested container or packing fraction was reached before, and the packing keeps it.
    AsRequested,
    /// The caller ended the run.
    Interrupted,
}

/// The minimization of the container by which a packing was jammed.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Jamming {
    /// Requested largest gap of contacts that bear force, in diameters of the smaller sphere.
    pub requested_gap: f64,
    /// Largest gap of contacts that bear force, in diameters of the smaller sphere; absent if no forces balance.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gap: Option<f64>,
    /// Largest sum of the forces on a sphere, in mean forces; absent if no forces balance.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub residual: Option<f64>,
    /// Packing fraction at the start.
    pub start_fraction: f64,
    /// Number of evaluations of all forces.
    pub evaluations: u64,
    /// How the minimization ended.
    pub end: JamEnd,
}

impl Jamming {
    /// Creates the account of a minimization that has not begun.
    pub(crate) fn new(requested_gap: f64, start_fraction: f64, end: JamEnd) -> Self {
        Self {
            requested_gap,
            gap: None,
            residual: None,
            start_fraction,
            evaluations: 0,
            end,
        }
    }
}
