//! Compaction of a poured bed.

use serde::{Deserialize, Serialize};

/// What follows the deposition. A bed in an upright box or cylinder can be compacted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Compaction {
    /// Nothing: the bed remains as it was poured.
    #[default]
    None,
    /// This number of taps. Each one presses the bed together by the packing loop, and lets the spheres settle again.
    Taps(u64),
    /// Taps until the bed has about this packing fraction between its floor and its mean surface, or until taps no longer help.
    Fraction(f64),
}
