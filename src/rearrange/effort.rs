//! The effort: how slowly the container grows.

use serde::{Deserialize, Serialize};

/// The effort of a run: 0 is `quick`, 1 `normal`, 2 `thorough`; intermediate values are allowed.
///
/// With each whole step the container grows five times slower, the run takes about four times longer, and the packing is
/// denser; `docs/speed.md` has the measured figures.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Serialize, Deserialize)]
#[serde(try_from = "f64", into = "f64")]
pub struct Effort(f64);

impl Effort {
    /// Effort 0: fast and loose.
    pub const QUICK: Self = Self(0.0);
    /// Effort 1: the default.
    pub const NORMAL: Self = Self(1.0);
    /// Effort 2: slow and dense.
    pub const THOROUGH: Self = Self(2.0);
}

impl Default for Effort {
    fn default() -> Self {
        Self::NORMAL
    }
}

impl From<Effort> for f64 {
    fn from(effort: Effort) -> Self {
        effort.0
    }
}

/// A text or number that is no effort.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error(
    "unknown effort '{0}'; expected quick, normal, thorough or a number from 0 (quick) to 2 (thorough)"
)]
pub struct EffortError(String);

impl TryFrom<f64> for Effort {
    type Error = EffortError;

    fn try_from(value: f64) -> Result<Self, Self::Error> {
        (0.0..=2.0)
            .contains(&value)
            .then_some(Self(value))
            .ok_or_else(|| EffortError(value.to_string()))
    }
}

impl std::str::FromStr for Effort {
    type Err = EffortError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "quick" => Ok(Self::QUICK),
            "normal" => Ok(Self::NORMAL),
            "thorough" => Ok(Self::THOROUGH),
            _ => text
                .parse()
                .ok()
                .and_then(|value: f64| Self::try_from(value).ok())
                .ok_or_else(|| EffortError(text.to_owned())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn effort_takes_names_and_numbers_between() {
        assert_eq!("thorough".parse(), Ok(Effort::THOROUGH));
        assert_eq!("0.5".parse::<Effort>().map(f64::from), Ok(0.5));
        for bad in ["", "slow", "-1", "2.1", "NaN", "inf"] {
            assert!(bad.parse::<Effort>().is_err(), "{bad} was accepted");
        }
    }
}
