//! Compaction of a poured bed.

use serde::{Deserialize, Serialize};

/// What follows the deposition.
///
/// In a tap, from the lowest sphere up, each one falls again from several places near its own, and takes the lowest position that it
/// finds. The number of places doubles with each tap, from 2 to 64. Equal spheres then fill 0.586 to 0.605 of the space far from walls, and
/// each one still rests on spheres that were there before.
///
/// In a rearrangement, the packing loop compresses the bed along gravity to a packing fraction, and then each sphere falls from the place
/// that it has there. With a stop angle, most spheres stay near this place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Compaction {
    /// Nothing: the bed remains as it was poured.
    #[default]
    None,
    /// This number of taps.
    Taps(u64),
    /// Rearrangements and taps until the bed has this packing fraction between its floor and its mean surface, or until they no longer help.
    /// Beds are rearranged with a stop angle, in boxes and cylinders without bodies and fixed spheres.
    Fraction(f64),
}
