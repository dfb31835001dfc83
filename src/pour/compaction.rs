//! Compaction of a poured bed.

use serde::{Deserialize, Serialize};

/// What follows the deposition. Taps keep a bed that each sphere can leave upwards, and make it denser by about a hundredth at most: dense
/// beds need the packing loop, which starts from the bed by [`Request::starting_from`](crate::Request::starting_from).
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Compaction {
    /// Nothing: the bed remains as it was poured.
    #[default]
    None,
    /// This number of taps. Each one displaces all spheres a little, from the lowest one up, and lets them roll down again.
    Taps(u64),
    /// Taps until the bed has this packing fraction between its floor and its mean surface, or until taps no longer help.
    Fraction(f64),
}
