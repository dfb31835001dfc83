//! The share by which radii breathe.

use serde::{Deserialize, Serialize};

use crate::rearrange::constants::AUTO_BREATHING_SHARE;

/// The share of its mean overlap by which the radius of a sphere follows in a round of breathing, from 0 (`off`) to 1.
///
/// With breathing radii, packings become denser than with exchanges of pairs alone, and have fewer rattlers. `docs/method/exchanges.md`
/// describes the move.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd, Serialize, Deserialize)]
#[serde(try_from = "f64", into = "f64")]
pub struct BreathingShare(f64);

impl BreathingShare {
    /// Each sphere keeps its radius: the default.
    pub const OFF: Self = Self(0.0);
    /// The share with the densest packings of those measured.
    pub const AUTO: Self = Self(AUTO_BREATHING_SHARE);

    /// Returns whether each sphere keeps its radius.
    pub fn is_off(&self) -> bool {
        *self == Self::OFF
    }
}

impl From<BreathingShare> for f64 {
    fn from(share: BreathingShare) -> Self {
        share.0
    }
}

/// A text or number that is no share of breathing.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("unknown share of breathing '{0}'; expected off, auto or a number from 0 to 1")]
pub struct BreathingShareError(String);

impl TryFrom<f64> for BreathingShare {
    type Error = BreathingShareError;

    fn try_from(value: f64) -> Result<Self, Self::Error> {
        (0.0..=1.0)
            .contains(&value)
            .then_some(Self(value))
            .ok_or_else(|| BreathingShareError(value.to_string()))
    }
}

impl std::str::FromStr for BreathingShare {
    type Err = BreathingShareError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "off" => Ok(Self::OFF),
            "auto" => Ok(Self::AUTO),
            _ => text
                .parse()
                .ok()
                .and_then(|value: f64| Self::try_from(value).ok())
                .ok_or_else(|| BreathingShareError(text.to_owned())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_take_names_and_numbers() {
        assert!("off".parse::<BreathingShare>().unwrap().is_off());
        assert_eq!("auto".parse(), Ok(BreathingShare::AUTO));
        assert_eq!("0.5".parse::<BreathingShare>().map(f64::from), Ok(0.5));
        for bad in ["", "on", "-0.1", "1.01", "NaN", "inf"] {
            assert!(bad.parse::<BreathingShare>().is_err(), "{bad} was accepted");
        }
    }
}
