//! Numbers by which users choose moves: the rate of exchanges, and the shares of breathing and of gaps.

use crate::{
    macros::named_number,
    rearrange::constants::{AUTO_BREATHING_SHARE, AUTO_EXCHANGE_RATE, LARGEST_EXCHANGE_RATE},
};

named_number! {
    /// The number of attempts to exchange two spheres, per sphere and sweep; 0 is `off`.
    ///
    /// With exchanges, packings become denser than random close packing. `docs/reports/exchange.md` has the packing fractions and the
    /// structure by rate.
    pub struct ExchangeRate up to LARGEST_EXCHANGE_RATE => {
        /// No exchanges, unless a requested packing fraction is out of reach without them: the default.
        "off": OFF = 0.0;
        /// The largest rate at which the structure does not differ from that of relocations alone, at equal packing fraction.
        "auto": AUTO = AUTO_EXCHANGE_RATE;
    }
    /// A text or number that is no exchange rate.
    error ExchangeRateError
        "unknown exchange rate '{0}'; expected off, auto or a number of attempts per sphere and sweep from 0 to {LARGEST_EXCHANGE_RATE}";
}

named_number! {
    /// The share of its mean overlap by which the radius of a sphere follows in a round of breathing, from 0 (`off`) to 1.
    ///
    /// With breathing radii, packings become denser than with exchanges of pairs alone, and have fewer rattlers. `docs/method/exchanges.md`
    /// describes the move.
    pub struct BreathingShare up to 1.0 => {
        /// Each sphere keeps its radius: the default.
        "off": OFF = 0.0;
        /// The share with the densest packings of those measured.
        "auto": AUTO = AUTO_BREATHING_SHARE;
    }
    /// A text or number that is no share of breathing.
    error BreathingShareError "unknown share of breathing '{0}'; expected off, auto or a number from 0 to 1";
}

impl BreathingShare {
    /// Returns whether each sphere keeps its radius.
    pub fn is_off(&self) -> bool {
        *self == Self::OFF
    }
}

named_number! {
    /// The share of the gap to its nearest neighbor by which a sphere without overlap moves before each sweep, from 0 (`off`) to 1.
    ///
    /// Raschdorf & Kolonko 2011 move such a sphere toward its nearest neighbor, and do not state how far. `docs/method/algorithm.md`
    /// describes the move.
    pub struct GapShare up to 1.0 => {
        /// Spheres without overlap stay at their positions: the default.
        "off": OFF = 0.0;
    }
    /// A text or number that is no share of a gap.
    error GapShareError
        "unknown share of the gap to the nearest neighbor '{0}'; expected off or a number from 0 to 1";
}

impl GapShare {
    /// Returns whether spheres without overlap stay at their positions.
    pub fn is_off(&self) -> bool {
        *self == Self::OFF
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

    #[test]
    fn shares_take_names_and_numbers() {
        assert!("off".parse::<BreathingShare>().unwrap().is_off());
        assert_eq!("auto".parse(), Ok(BreathingShare::AUTO));
        assert_eq!("0.5".parse::<BreathingShare>().map(f64::from), Ok(0.5));
        for bad in ["", "on", "-0.1", "1.01", "NaN", "inf"] {
            assert!(bad.parse::<BreathingShare>().is_err(), "{bad} was accepted");
        }
    }

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
