//! The share of a gap by which spheres without overlap move.

use serde::{Deserialize, Serialize};

/// The share of the gap to its nearest neighbor by which a sphere without overlap moves before each sweep, from 0 (`off`) to 1.
///
/// Raschdorf & Kolonko 2011 move such a sphere toward its nearest neighbor, and do not state how far. `docs/method/algorithm.md` describes
/// the move.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd, Serialize, Deserialize)]
#[serde(try_from = "f64", into = "f64")]
pub struct GapShare(f64);

impl GapShare {
    /// Spheres without overlap stay at their positions: the default.
    pub const OFF: Self = Self(0.0);

    /// Returns whether spheres without overlap stay at their positions.
    pub fn is_off(&self) -> bool {
        *self == Self::OFF
    }
}

impl From<GapShare> for f64 {
    fn from(share: GapShare) -> Self {
        share.0
    }
}

/// A text or number that is no share of a gap.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error(
    "unknown share of the gap to the nearest neighbor '{0}'; expected off or a number from 0 to 1"
)]
pub struct GapShareError(String);

impl TryFrom<f64> for GapShare {
    type Error = GapShareError;

    fn try_from(value: f64) -> Result<Self, Self::Error> {
        (0.0..=1.0)
            .contains(&value)
            .then_some(Self(value))
            .ok_or_else(|| GapShareError(value.to_string()))
    }
}

impl std::str::FromStr for GapShare {
    type Err = GapShareError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text == "off" {
            return Ok(Self::OFF);
        }
        let share = text.parse().ok();
        share
            .and_then(|value: f64| Self::try_from(value).ok())
            .ok_or_else(|| GapShareError(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_take_off_and_numbers() {
        assert_eq!("off".parse(), Ok(GapShare::default()));
        assert!("0".parse::<GapShare>().unwrap().is_off());
        assert_eq!("0.5".parse::<GapShare>().map(f64::from), Ok(0.5));
        for bad in ["", "on", "auto", "-0.1", "1.01", "NaN", "inf"] {
            assert!(bad.parse::<GapShare>().is_err(), "{bad} was accepted");
        }
    }
}
