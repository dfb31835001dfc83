//! The largest gap of contacts in a jammed packing.

use super::constants::{AUTO_GAP, LARGEST_GAP};
use crate::macros::named_number;

named_number! {
    /// The largest gap of contacts that bear force in a jammed packing, in diameters of the smaller sphere; 0 is `off`.
    pub struct JamGap up to LARGEST_GAP => {
        /// The packing is not jammed: the default.
        "off": OFF = 0.0;
        /// 10⁻⁶ diameters.
        "auto": AUTO = AUTO_GAP;
    }
    /// A text or number that is no gap of jammed contacts.
    error JamGapError
        "unknown gap of jammed contacts '{0}'; expected off, auto or a number of diameters from 0 to {LARGEST_GAP}";
}

impl JamGap {
    /// Returns whether the packing is not jammed.
    pub fn is_off(&self) -> bool {
        *self == Self::OFF
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_take_names_and_numbers() {
        assert_eq!("off".parse(), Ok(JamGap::default()));
        assert_eq!("auto".parse(), Ok(JamGap::AUTO));
        assert_eq!("1e-8".parse::<JamGap>().map(f64::from), Ok(1e-8));
        for bad in ["", "on", "-1e-6", "0.1", "NaN"] {
            assert!(bad.parse::<JamGap>().is_err(), "{bad} was accepted");
        }
    }
}
