//! The rate of exchange moves.

use crate::{
    macros::named_number,
    rearrange::constants::{AUTO_EXCHANGE_RATE, LARGEST_EXCHANGE_RATE},
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
