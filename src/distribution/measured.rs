//! Mass curves as they are measured: their ends are completed, and the changes are stated.

use super::{
    constants::{END_TOLERANCE, MOST_FINES, PASSING_ROUNDING},
    sieve_curve::{Interpolation, SieveCurve},
};
use crate::names::short;

/// A mass curve with sentences about what was assumed.
pub(super) struct Measured {
    pub curve: SieveCurve,
    pub notes: Vec<String>,
}

/// Creates a curve from pairs of sieve size and percent of the mass passing, in any order.
///
/// What passes the smallest sieve has no known smallest diameter, and is left out up to [`MOST_FINES`]. The passing of all sieves is
/// divided by that of the largest sieve if it is 100 % within [`END_TOLERANCE`].
///
/// # Errors
/// A sentence about the pairs that make no curve.
pub(super) fn from_passing(
    mut pairs: Vec<[f64; 2]>,
    interpolation: Interpolation,
) -> Result<Measured, String> {
    pairs.sort_by(|a, b| a[0].total_cmp(&b[0]));
    let mut notes = Vec::new();
    if let (Some(&[smallest, fines]), Some(&[largest, all])) = (pairs.first(), pairs.last()) {
        check_ends((smallest, fines), (largest, all))?;
        check_order(&pairs)?;
        if fines > PASSING_ROUNDING {
            notes.push(format!(
                "the {} % of the mass that pass the smallest size {} are left out; a smaller size that nothing passes keeps them",
                brief(fines),
                short(smallest),
            ));
        }
        if (all - 100.0).abs() > PASSING_ROUNDING {
            notes.push(format!(
                "the largest size {} passes {} %, and the passing of all sizes is divided by it",
                short(largest),
                brief(all),
            ));
        }
        let is_exact = fines == 0.0 && all == 100.0;
        for pair in pairs.iter_mut().filter(|_| !is_exact) {
            pair[1] = (100.0 * ((pair[1] - fines) / (all - fines))).clamp(0.0, 100.0);
        }
    }
    let curve = SieveCurve::new(pairs, interpolation).map_err(|error| error.to_string())?;
    Ok(Measured { curve, notes })
}

/// Returns a number with five significant digits, for a sentence.
pub(super) fn brief(value: f64) -> String {
    short(format!("{value:.4e}").parse().unwrap_or(value))
}

/// Rejects a curve whose ends are too far from 0 and 100 %.
fn check_ends((smallest, fines): (f64, f64), (largest, all): (f64, f64)) -> Result<(), String> {
    if !((100.0 - END_TOLERANCE)..=(100.0 + END_TOLERANCE)).contains(&all) {
        return Err(format!(
            "{} % pass the largest size {}, which must pass 100 % (within 1); add a size that everything passes",
            brief(all),
            short(largest),
        ));
    }
    if !(-END_TOLERANCE..=MOST_FINES).contains(&fines) {
        return Err(format!(
            "{} % pass the smallest size {}, where 0 to 10 % may; add the smallest diameter, which 0 % pass",
            brief(fines),
            short(smallest),
        ));
    }
    Ok(())
}

/// Rejects a curve that falls by more than a rounding error.
fn check_order(pairs: &[[f64; 2]]) -> Result<(), String> {
    let falls = |pair: &&[[f64; 2]]| pair[1][1] < pair[0][1] - PASSING_ROUNDING;
    match pairs.windows(2).find(falls) {
        None => Ok(()),
        Some(pair) => Err(format!(
            "{} % pass the size {}, less than the {} % that pass the smaller size {}; what passes must not decrease",
            brief(pair[1][1]),
            short(pair[1][0]),
            brief(pair[0][1]),
            short(pair[0][0]),
        )),
    }
}

/// Creates a curve from D-values: pairs of percent of the mass and the diameter below which it lies, in any order.
///
/// The mass curve is straight in ln d between the D-values. Its first and its last line continue to 0 and 100 %, unless D-values of 0 and
/// 100 % are given.
///
/// # Errors
/// A sentence about the pairs that make no curve.
pub(super) fn from_d_values(mut pairs: Vec<[f64; 2]>) -> Result<Measured, String> {
    pairs.sort_by(|a, b| a[0].total_cmp(&b[0]));
    if pairs.len() < 2 {
        return Err("D-values need at least two pairs of percent and diameter".to_owned());
    }
    if let Some([percent, _]) = pairs.iter().find(|pair| !(0.0..=100.0).contains(&pair[0])) {
        return Err(format!(
            "{} is not a percentage from 0 to 100",
            short(*percent)
        ));
    }
    for pair in pairs.windows(2) {
        let [[below, smaller], [percent, larger]] = [pair[0], pair[1]];
        if percent <= below || !(smaller > 0.0 && larger > smaller) {
            return Err(format!(
                "D{} = {} must be smaller than D{} = {}, and both must be diameters",
                short(below),
                short(smaller),
                short(percent),
                short(larger),
            ));
        }
    }
    let (first, last) = (&pairs[..2], &pairs[pairs.len() - 2..]);
    let ends =
        [(0.0, first), (100.0, last)].map(|(percent, line)| [percent, on_line(percent, line)]);
    let mut notes = Vec::new();
    if pairs[0][0] > 0.0 {
        notes.push(continued("0", ends[0][1]));
        pairs.insert(0, ends[0]);
    }
    if pairs[pairs.len() - 1][0] < 100.0 {
        notes.push(continued("100", ends[1][1]));
        pairs.push(ends[1]);
    }
    let passing = pairs
        .into_iter()
        .map(|[percent, diameter]| [diameter, percent]);
    let curve = SieveCurve::new(passing.collect(), Interpolation::Log);
    let curve = curve.map_err(|error| error.to_string())?;
    Ok(Measured { curve, notes })
}

fn continued(percent: &str, diameter: f64) -> String {
    let diameter = brief(diameter);
    format!(
        "the line through the outer D-values continues to {percent} % at {diameter}; {percent}=D sets another end"
    )
}

/// Returns the diameter at a percentage on the line through two D-values, straight in ln d.
fn on_line(percent: f64, line: &[[f64; 2]]) -> f64 {
    let [[p, d], [other_p, other_d]] = [line[0], line[1]];
    d * libm::pow(other_d / d, (percent - p) / (other_p - p))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_through_d_values_continue_to_both_ends() {
        let Measured { curve, notes } =
            from_d_values(vec![[90.0, 60.0], [10.0, 5.0], [50.0, 20.0]]).unwrap();
        let ends = [curve.passing()[0][0], curve.passing()[4][0]];
        // 40 % take a factor of 4 at the fine side and of 3 at the coarse side; a quarter of it is left.
        let expected = [5.0 / 4f64.powf(0.25), 60.0 * 3f64.powf(0.25)];
        for (end, expected) in ends.iter().zip(expected) {
            assert!((end / expected - 1.0).abs() < 1e-14, "{end} {expected}");
        }
        assert_eq!(
            curve.passing()[1..4],
            [[5.0, 10.0], [20.0, 50.0], [60.0, 90.0]]
        );
        assert_eq!(notes.len(), 2);
        let given = from_d_values(vec![[0.0, 1.0], [50.0, 2.0], [100.0, 4.0]]).unwrap();
        assert_eq!((given.curve.passing().len(), given.notes.len()), (3, 0));
    }

    #[test]
    fn fines_are_left_out_and_sums_divided() {
        let pairs = vec![[16.0, 99.5], [0.25, 3.0], [1.0, 12.0]];
        let Measured { curve, notes } = from_passing(pairs, Interpolation::Log).unwrap();
        let passing = curve.passing();
        assert_eq!(passing[0], [0.25, 0.0]);
        assert!((passing[1][1] - 100.0 * 9.0 / 96.5).abs() < 1e-12);
        assert_eq!(passing[2], [16.0, 100.0]);
        assert_eq!(notes.len(), 2);
        for (pairs, word) in [
            (
                vec![[1.0, 0.0], [2.0, 98.0]],
                "98 % pass the largest size 2",
            ),
            (
                vec![[1.0, 11.0], [2.0, 100.0]],
                "11 % pass the smallest size 1",
            ),
        ] {
            let error = from_passing(pairs, Interpolation::Log).err().unwrap();
            assert!(error.starts_with(word), "{error}");
        }
    }
}
