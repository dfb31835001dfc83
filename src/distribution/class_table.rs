//! Tables of classes: their bounds, and the number of spheres in each.

use super::{
    constants::{CLASS_TOLERANCE, CUMULATIVE_WORDS},
    size_words::unit_of,
    table_text::NumberTable,
};
use crate::names::short;

/// Returns which of two columns of sizes has the lower bounds of classes and which the upper ones, if that is so in each row.
pub(super) fn bounds(table: &NumberTable, first: usize, second: usize) -> Option<(usize, usize)> {
    let columns = [first, second].map(|column| &table.columns[column].values);
    let has_one_unit = unit_of(table, first) == unit_of(table, second);
    let is_below = |lower: &[f64], upper: &[f64]| lower.iter().zip(upper).all(|(a, b)| a < b);
    if !has_one_unit {
        None
    } else if is_below(columns[0], columns[1]) {
        Some((first, second))
    } else if is_below(columns[1], columns[0]) {
        Some((second, first))
    } else {
        None
    }
}

/// Returns the rows of a sieve table with what lies above each size: those of the classes, and a row without mass at the end of each class
/// that no other one follows.
///
/// Numbers of spheres become volumes: the mass of a class is uniform in ln d, as in the curve that the rows define.
pub(super) fn class_rows(
    table: &NumberTable,
    (lower, upper, share): (usize, usize, usize),
    are_numbers: bool,
) -> Result<Vec<(usize, f64, f64)>, String> {
    let value = |row: usize, column: usize| table.columns[column].values[row];
    let mut order: Vec<usize> = (0..table.lines.len()).collect();
    order.sort_by(|&a, &b| value(a, lower).total_cmp(&value(b, lower)));
    let mut rows = Vec::with_capacity(order.len() + 1);
    for (k, &row) in order.iter().enumerate() {
        let [low, high, part] = [lower, upper, share].map(|column| value(row, column));
        let next = order.get(k + 1).map(|&next| (next, value(next, lower)));
        if let Some((next, begin)) = next
            && begin < high * (1.0 - CLASS_TOLERANCE)
        {
            return Err(format!(
                "{}: the class begins at {}, inside of the class from {} to {}",
                table.place(next, lower),
                short(begin),
                short(low),
                short(high),
            ));
        }
        if are_numbers && part > 0.0 && low <= 0.0 {
            return Err(format!(
                "{}: spheres below {} need a lower bound above 0, because their volume depends on it",
                table.place(row, lower),
                short(high),
            ));
        }
        let factor = if are_numbers && part > 0.0 {
            mean_cube(low, high)
        } else {
            1.0
        };
        rows.push((row, low, part * factor));
        if next.is_none_or(|(_, begin)| begin > high * (1.0 + CLASS_TOLERANCE)) {
            rows.push((row, high, 0.0));
        }
    }
    Ok(rows)
}

/// Returns the mean d³ of spheres whose mass is uniform in ln d between two diameters.
fn mean_cube(low: f64, high: f64) -> f64 {
    let width = 3.0 * libm::log(high / low);
    low * low * low * width / -libm::expm1(-width)
}

/// Rejects cumulative numbers, and the numbers of the rows.
pub(super) fn reject_other_numbers(table: &NumberTable, column: usize) -> Result<(), String> {
    let name = table.name(column);
    let words = table.header[column].to_lowercase();
    if CUMULATIVE_WORDS.iter().any(|part| words.contains(part)) {
        return Err(format!(
            "{name} is cumulative; the number of spheres in each class is expected"
        ));
    }
    let values = &table.columns[column].values;
    let counts_rows = (1..)
        .zip(values)
        .all(|(row, &value)| value == f64::from(row));
    if counts_rows && values.len() > 2 {
        return Err(format!(
            "{name} counts the rows from 1; leave it out, or give the number of spheres in each class"
        ));
    }
    Ok(())
}
