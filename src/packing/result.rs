//! The result: spheres in a container, with the proof that none overlap and the account of how they came there.

use serde::{Deserialize, Serialize};

use crate::{
    container::Container,
    distribution::{Sampling, SizeReport},
    index::IndexKind,
    spheres::Spheres,
};

/// A finished packing.
#[derive(Clone, Debug)]
pub struct Packing {
    /// Centres and radii, in the user's unit, centres inside the container.
    pub spheres: Spheres,
    /// The box.
    pub container: Container,
    /// What an independent check found on exactly these numbers.
    pub certificate: Certificate,
    /// The asked and the achieved sizes; absent when the spheres came without a distribution.
    pub sizes: Option<SizeReport>,
    /// How the packing was made; absent when it was read from a file that does not say.
    pub provenance: Option<Provenance>,
    /// The unit of all lengths, as the user named it (`"mm"`), or empty.
    pub unit: String,
}

impl Packing {
    /// Share of the container's volume that the spheres fill.
    pub fn packing_fraction(&self) -> f64 {
        self.spheres.volume() / self.container.volume()
    }
}

/// Which two bodies came closest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ClosestPair {
    /// Two spheres, by their position in the arrays.
    Spheres(usize, usize),
    /// A sphere and a wall of the given axis (0, 1, 2).
    Wall(usize, usize),
    /// A sphere and its own periodic image along the given axis.
    Image(usize, usize),
}

/// The result of the independent overlap check.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Certificate {
    /// Largest `r_i + r_j − distance` over all pairs, walls and periodic images; 0 when none overlap.
    pub max_overlap: f64,
    /// Smallest `distance − r_i − r_j` (or distance to a wall, less the radius): negative when there is overlap,
    /// infinite (`null` in JSON) for spheres that have nothing beside them.
    pub min_gap: f64,
    /// Where that smallest gap is; absent when there is nothing to compare.
    pub closest: Option<ClosestPair>,
}

/// Why the packing loop ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StopReason {
    /// As dense as this effort gets.
    Converged,
    /// The asked packing fraction is reached.
    FractionReached,
    /// The asked packing fraction is out of reach for this effort.
    Stalled,
    /// The sweep limit came first.
    SweepLimit,
    /// The time limit came first.
    TimeLimit,
    /// The caller asked to stop.
    Interrupted,
}

/// How a packing was made: what is needed to make the same bits again.
///
/// Times and thread counts are left out on purpose: they do not change the packing, and two runs with
/// the same seed write the same file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Provenance {
    /// Program and version, `"jostle 0.1.0"`.
    pub program: String,
    /// The random number generator by name.
    pub generator: String,
    /// The seed.
    pub seed: u64,
    /// The size distribution as the user gave it: a preset's name, an inline law or a file's name.
    pub sizes: String,
    /// How the diameters were drawn from it; absent when the spheres came without a distribution.
    pub sampling: Option<Sampling>,
    /// The global index.
    pub index: IndexKind,
    /// From 0 (quick) over 1 (normal) to 2 (thorough).
    pub effort: f64,
    /// The asked packing fraction, if one was asked.
    pub fraction: Option<f64>,
    /// The asked smallest gap between spheres.
    pub min_gap: f64,
    /// Sweeps made.
    pub sweeps: u64,
    /// Relocations made.
    pub relocations: u64,
    /// Why the loop ended.
    pub stop: StopReason,
}
