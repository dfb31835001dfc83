//! Numbers and names as people read them.

use jostle::{Boundary, Container};

/// A number with so many significant digits, no trailing zeros, in powers of ten where that is shorter.
pub fn rounded(value: f64, digits: usize) -> String {
    if value == 0.0 || !value.is_finite() {
        return value.abs().to_string();
    }
    // The exponent after rounding, so that 9.9999 counts as 10.
    let scientific = format!("{value:.*e}", digits - 1);
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if (-4..9).contains(&exponent) {
        let decimals = (digits as i32 - 1 - exponent).max(0) as usize;
        trimmed(&format!("{value:.decimals$}")).to_owned()
    } else {
        format!("{}e{exponent}", trimmed(mantissa))
    }
}

fn trimmed(decimal: &str) -> &str {
    if decimal.contains('.') {
        decimal.trim_end_matches('0').trim_end_matches('.')
    } else {
        decimal
    }
}

/// A value with its unit, if there is one.
pub fn with_unit(value: &str, unit: &str) -> String {
    if unit.is_empty() {
        value.to_owned()
    } else {
        format!("{value} {unit}")
    }
}

/// `1 sphere`, `2 spheres`.
pub fn counted(count: u64, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// A container: lengths and what its faces are.
pub fn container(container: &Container, unit: &str) -> String {
    let lengths = container.lengths().to_array();
    let names = |boundary: Boundary| -> String {
        let axes = (0..3).filter(|&axis| container.boundary().0[axis] == boundary);
        axes.map(|axis| ["x", "y", "z"][axis])
            .collect::<Vec<_>>()
            .join(", ")
    };
    let faces = match (names(Boundary::Periodic), names(Boundary::Wall)) {
        (_, walls) if walls.is_empty() => "periodic".to_owned(),
        (periodic, _) if periodic.is_empty() => "walls".to_owned(),
        (periodic, walls) => format!("periodic along {periodic}, walls along {walls}"),
    };
    let size = lengths.map(|length| rounded(length, 5)).join(" × ");
    format!("{}, {faces}", with_unit(&size, unit))
}

/// File names in a row.
pub fn files(paths: &[std::path::PathBuf]) -> String {
    let names: Vec<_> = paths
        .iter()
        .map(|path| path.display().to_string())
        .collect();
    names.join(", ")
}
