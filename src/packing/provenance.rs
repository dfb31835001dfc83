//! The accounts of how a packing was made, poured and jammed.

use glam::DVec3;
use serde::{Deserialize, Serialize};

use crate::{container::Direction, distribution::Sampling};

/// The reason why the packing loop ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum StopReason {
    /// The packing is as dense as the effort allows.
    Converged,
    /// The requested packing fraction is reached.
    FractionReached,
    /// The requested packing fraction is out of reach for the effort.
    Stalled,
    /// The maximum number of sweeps is reached.
    SweepLimit,
    /// The time limit is reached.
    TimeLimit,
    /// The caller ended the run.
    Interrupted,
    /// Spheres overlap that could not be separated. The certificate names two of them.
    Overlapping,
}

/// The request behind a packing, and its run: everything that is needed to make the same bits again from the same radii.
///
/// Times and thread counts are absent on purpose: they do not change the packing, and two runs with the same seed write the
/// same file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Provenance {
    /// Program and version, `"jostle 0.1.0"`.
    pub program: String,
    /// The random number generator by name.
    pub generator: String,
    /// Seed of the random positions, and of all random choices after the start.
    pub seed: u64,
    /// The size distribution as the user named it: a preset, an inline law or a file.
    pub sizes: String,
    /// Method by which the diameters were drawn from the size distribution; absent without one.
    pub sampling: Option<Sampling>,
    /// Seed of the sample; absent without a size distribution.
    #[serde(default)]
    pub sample_seed: Option<u64>,
    /// Requested volume of the sample; absent if its number of spheres was requested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sample_volume: Option<f64>,
    /// Name of the origin of the centers at which the spheres started, such as a file; absent if they started at random.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<String>,
    /// Name of the global index.
    pub index: String,
    /// Effort, from 0 (quick) over 1 (normal) to 2 (thorough).
    pub effort: f64,
    /// Whether the request named no effort, and the run chose the effort that its packing fraction needs.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub effort_is_chosen: bool,
    /// Requested packing fraction, or the one that follows from the requested lengths; absent without a request.
    pub fraction: Option<f64>,
    /// Requested container as the command line names it, such as `box` or `cylinder:aspect=2`; absent for one that only callers of the library
    /// can request, and for meshes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub container: Option<String>,
    /// Requested lengths of the container, or of its bounding box; absent without a request.
    #[serde(default)]
    pub lengths: Option<DVec3>,
    /// Requested smallest gap between spheres.
    pub min_gap: f64,
    /// Requested smallest gap between a sphere and a wall; half of `min_gap` if absent.
    #[serde(default)]
    pub wall_gap: Option<f64>,
    /// Maximum number of sweeps. For a run that ended early, the maximum number that makes the same bits.
    #[serde(default)]
    pub max_sweeps: Option<u64>,
    /// Number of sweeps.
    pub sweeps: u64,
    /// Number of relocations.
    pub relocations: u64,
    /// Requested attempts to exchange two spheres, per sphere and sweep; 0 without exchanges.
    #[serde(default)]
    pub exchange_rate: f64,
    /// Number of sweeps after which exchanges started, because relocations alone did not reach the request; absent otherwise.
    #[serde(default)]
    pub exchange_start: Option<u64>,
    /// Number of exchanges.
    #[serde(default)]
    pub exchanges: u64,
    /// Share of its mean overlap by which the radius of each sphere followed before the given radii returned; 0 without breathing radii.
    #[serde(default, skip_serializing_if = "is_off")]
    pub breathe: f64,
    /// Share of the gap to its nearest neighbor by which a sphere without overlap moved before each sweep; 0 without such moves.
    #[serde(default, skip_serializing_if = "is_off")]
    pub toward_nearest: f64,
    /// Whether fixed spheres were allowed to overlap each other, walls and bodies; absent without fixed spheres.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fixed_may_overlap: Option<bool>,
    /// Number of spheres that found no room around fixed spheres, and are not in the packing.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub left_out: u64,
    /// The deposition under gravity; absent of other packings.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deposition: Option<Deposition>,
    /// The minimization by which the packing was jammed; absent if that was not requested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub jamming: Option<Jamming>,
    /// Reason why the loop ended.
    pub stop: StopReason,
}

fn is_off(share: &f64) -> bool {
    *share == 0.0
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// The request behind a poured packing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Deposition {
    /// Direction of gravity.
    pub gravity: Direction,
    /// Order of the spheres, by name.
    pub order: String,
    /// Text form of the source of the spheres: `rain`, or the points of an outlet.
    pub source: String,
    /// Slope in degrees below which spheres do not roll.
    pub stop_angle: f64,
    /// Probability that a sphere sticks where it touches another one.
    pub sticking: f64,
    /// Requested height of the bed; absent if the number or volume of spheres was requested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub height: Option<f64>,
    /// Number of taps after the deposition.
    #[serde(default)]
    pub taps: u64,
    /// Number of rearrangements of the bed by the packing loop after the deposition.
    #[serde(default)]
    pub rearrangements: u64,
    /// Height of the bed: from the lowest point of the container to the highest point of a sphere.
    pub bed_height: f64,
}

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

/// The minimization by which a packing was jammed.
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
    /// Returns one sentence if the packing should be jammed and is not.
    pub fn shortfall(&self) -> Option<String> {
        let reason = match self.end {
            JamEnd::Jammed | JamEnd::AsRequested => return None,
            JamEnd::Interrupted => return Some("the packing is not jammed".to_owned()),
            JamEnd::Looser => "the jammed packing would be looser".to_owned(),
            JamEnd::Unbalanced => format!(
                "its forces do not balance after {} evaluations",
                self.evaluations
            ),
        };
        Some(format!("the packing is not jammed, because {reason}"))
    }

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
