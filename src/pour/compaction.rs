//! Compaction of a poured bed.

use serde::{Deserialize, Serialize};

/// What follows the deposition.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Compaction {
    /// Nothing: the bed remains as it was poured.
    #[default]
    None,
    /// This number of taps. Each one loosens the bed, and the spheres settle again.
    Taps(u64),
    /// Taps until the bed has this packing fraction between its floor and its surface, or until taps no longer help.
    Fraction(f64),
}
