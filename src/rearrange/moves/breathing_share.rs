//! The share by which radii breathe.

use crate::{macros::named_number, rearrange::constants::AUTO_BREATHING_SHARE};

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
