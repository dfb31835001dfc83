//! Units of length, and openings of sieves that have a number or a width in inches.

/// A unit of length: `factor` · 10^`power` meters.
pub(crate) struct LengthUnit {
    pub symbol: &'static str,
    names: &'static [&'static str],
    factor: u32,
    power: i32,
}

/// Units by symbol. `m` and `in` are words of headers as well.
pub(crate) const LENGTH_UNITS: [LengthUnit; 9] = [
    unit("pm", &[], 1, -12),
    unit("nm", &["nanometer", "nanometers", "nanometre"], 1, -9),
    // The symbol has the micro sign, the first name the Greek letter.
    unit(
        "µm",
        &[
            "\u{3bc}m",
            "um",
            "micron",
            "microns",
            "micrometer",
            "micrometers",
            "micrometre",
            "mikrometer",
        ],
        1,
        -6,
    ),
    unit("mm", &["millimeter", "millimeters", "millimetre"], 1, -3),
    unit("cm", &["centimeter", "centimeters", "centimetre"], 1, -2),
    unit("in", &["inch", "inches", "\""], 254, -4),
    unit("dm", &[], 1, -1),
    unit("m", &["meter", "meters", "metre"], 1, 0),
    unit("km", &[], 1, 3),
];

const fn unit(
    symbol: &'static str,
    names: &'static [&'static str],
    factor: u32,
    power: i32,
) -> LengthUnit {
    LengthUnit {
        symbol,
        names,
        factor,
        power,
    }
}

impl LengthUnit {
    /// Returns the unit of this symbol or name.
    pub fn find(name: &str) -> Option<&'static Self> {
        let is_named = |unit: &&Self| unit.symbol == name || unit.names.contains(&name);
        LENGTH_UNITS.iter().find(is_named)
    }

    /// Returns the length in meters.
    pub fn meters(&self) -> f64 {
        f64::from(self.factor) * libm::pow(10.0, f64::from(self.power))
    }

    /// Returns one of these units in another one, as a factor and a power of ten. The factor of decimal units is 1.
    pub fn in_unit(&self, other: &Self) -> (f64, i32) {
        let factor = f64::from(self.factor) / f64::from(other.factor);
        (factor, self.power - other.power)
    }
}

/// Numbers of sieves and their openings in micrometers: ASTM E11, Table 1.
const SIEVE_NUMBERS: [(u16, u16); 29] = [
    (4, 4750),
    (5, 4000),
    (6, 3350),
    (7, 2800),
    (8, 2360),
    (10, 2000),
    (12, 1700),
    (14, 1400),
    (16, 1180),
    (18, 1000),
    (20, 850),
    (25, 710),
    (30, 600),
    (35, 500),
    (40, 425),
    (45, 355),
    (50, 300),
    (60, 250),
    (70, 212),
    (80, 180),
    (100, 150),
    (120, 125),
    (140, 106),
    (170, 90),
    (200, 75),
    (230, 63),
    (270, 53),
    (325, 45),
    (400, 38),
];

/// Sieves by width in inches and their openings in millimeters, which are no exact inches: ASTM E11, Table 1.
const SIEVES_IN_INCHES: [(&str, f64); 15] = [
    ("1/4", 6.3),
    ("5/16", 8.0),
    ("3/8", 9.5),
    ("7/16", 11.2),
    ("1/2", 12.5),
    ("5/8", 16.0),
    ("3/4", 19.0),
    ("7/8", 22.4),
    ("1", 25.0),
    ("1 1/4", 31.5),
    ("1 1/2", 37.5),
    ("1 3/4", 45.0),
    ("2", 50.0),
    ("2 1/2", 63.0),
    ("3", 75.0),
];

/// Returns the opening of a sieve in millimeters: `#40`, `No. 40`, `3/8"` or `3/8 in`.
pub(super) fn sieve_opening(name: &str) -> Option<f64> {
    let lower = name.to_lowercase();
    if let Some(number) = lower.strip_prefix('#').or(lower.strip_prefix("no")) {
        let number: u16 = number.trim_start_matches('.').trim().parse().ok()?;
        let found = SIEVE_NUMBERS.iter().find(|sieve| sieve.0 == number);
        return found.map(|&(_, micrometers)| f64::from(micrometers) / 1000.0);
    }
    let lower = lower.trim_end_matches('.');
    let inches = lower.strip_suffix("in").or(lower.strip_suffix('"'))?;
    let inches = inches.trim_end_matches('"').trim();
    let found = SIEVES_IN_INCHES.iter().find(|sieve| sieve.0 == inches);
    found.map(|&(_, opening)| opening)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sieves_have_names_in_several_forms() {
        for (name, opening) in [
            ("#4", 4.75),
            ("No. 200", 0.075),
            ("no.10", 2.0),
            ("3/8\"", 9.5),
            ("1 1/2 in.", 37.5),
            ("3/8\"\"", 9.5),
        ] {
            assert_eq!(sieve_opening(name), Some(opening), "{name}");
        }
        for name in ["#9", "4", "north", "1/3\"", "in", "#"] {
            assert_eq!(sieve_opening(name), None, "{name}");
        }
        let is_finer = |pair: &[(u16, u16)]| pair[0].0 < pair[1].0 && pair[0].1 > pair[1].1;
        assert!(SIEVE_NUMBERS.windows(2).all(is_finer));
    }
}
