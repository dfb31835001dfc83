//! The rate of exchange moves.

use serde::{Deserialize, Serialize};

use crate::rearrange::constants::{AUTO_EXCHANGE_RATE, LARGEST_EXCHANGE_RATE};

/// The number of attempts to exchange two spheres, per sphere and sweep; 0 is `off`.
///
/// With exchanges, packings become denser than random close packing. `docs/reports/exchange.md` has the packing fractions and the
/// structure by rate.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd, Serialize, Deserialize)]
#[serde(try_from = "f64", into = "f64")]
pub struct ExchangeRate(f64);

impl ExchangeRate {
    /// No exchanges, unless a requested packing fraction is out of reach without them: the default.
    pub const OFF: Self = Self(0.0);
    /// The largest rate at which the structure does not differ from that of relocations alone, at equal packing fraction.
    pub const AUTO: Self = Self(AUTO_EXCHANGE_RATE);
}

impl From<ExchangeRate> for f64 {
    fn from(rate: ExchangeRate) -> Self {
        rate.0
    }
}

/// A text or number that is no exchange rate.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error(
    "unknown exchange rate '{0}'; expected off, auto or a number of attempts per sphere and sweep from 0 to {LARGEST_EXCHANGE_RATE}"
)]
pub struct ExchangeRateError(String);

impl TryFrom<f64> for ExchangeRate {
    type Error = ExchangeRateError;

    fn try_from(value: f64) -> Result<Self, Self::Error> {
        (0.0..=LARGEST_EXCHANGE_RATE)
            .contains(&value)
            .then_some(Self(value))
            .ok_or_else(|| ExchangeRateError(value.to_string()))
    }
}

impl std::str::FromStr for ExchangeRate {
    type Err = ExchangeRateError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "off" => Ok(Self::OFF),
            "auto" => Ok(Self::AUTO),
            _ => text
                .parse()
                .ok()
                .and_then(|value: f64| Self::try_from(value).ok())
                .ok_or_else(|| ExchangeRateError(text.to_owned())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exchange_rates_take_names_and_numbers() {
        assert_eq!("off".parse(), Ok(ExchangeRate::default()));
        assert_eq!("auto".parse(), Ok(ExchangeRate::AUTO));
        assert_eq!("0.5".parse::<ExchangeRate>().map(f64::from), Ok(0.5));
        for bad in ["", "on", "-0.1", "11", "NaN", "inf"] {
            assert!(bad.parse::<ExchangeRate>().is_err(), "{bad} was accepted");
        }
    }
}
