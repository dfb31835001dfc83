//! The share of a gap by which spheres without overlap move.

use crate::macros::named_number;

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
    fn shares_take_off_and_numbers() {
        assert_eq!("off".parse(), Ok(GapShare::default()));
        assert!("0".parse::<GapShare>().unwrap().is_off());
        assert_eq!("0.5".parse::<GapShare>().map(f64::from), Ok(0.5));
        for bad in ["", "on", "auto", "-0.1", "1.01", "NaN", "inf"] {
            assert!(bad.parse::<GapShare>().is_err(), "{bad} was accepted");
        }
    }
}
