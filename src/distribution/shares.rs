//! Shares that sum to 1: all of a grid, those of least squares, and those with the largest value of a function.

use super::constants::{
    LEAST_SLOPE, LEAST_SQUARES_STEPS, SEARCH_STEPS, SEARCHED_COMPOSITIONS, SHARE_PRECISION,
};

/// Returns all shares of `parts` parts that are multiples of 1/`steps` and sum to 1. The first share is 0 in the first rows.
///
/// There are none without parts or steps. The number of rows is that of combinations, `(steps + parts − 1)` over `(parts − 1)`.
///
/// ```
/// let shares = jostle::distribution::share_grid(2, 2);
/// assert_eq!(shares, [[0.0, 1.0], [0.5, 0.5], [1.0, 0.0]]);
/// ```
pub fn share_grid(parts: usize, steps: usize) -> Vec<Vec<f64>> {
    if parts == 0 || steps == 0 {
        return Vec::new();
    }
    let mut rows: Vec<Vec<usize>> = vec![Vec::new()];
    for _ in 1..parts {
        let longer = |row: &Vec<usize>| {
            let row = row.clone();
            let left = steps - row.iter().sum::<usize>();
            (0..=left).map(move |part| [&row[..], &[part]].concat())
        };
        rows = rows.iter().flat_map(longer).collect();
    }
    let complete = |row: Vec<usize>| {
        let last = steps - row.iter().sum::<usize>();
        let whole = row.into_iter().chain([last]);
        whole.map(|part| part as f64 / steps as f64).collect()
    };
    rows.into_iter().map(complete).collect()
}

/// Returns the number of rows of [`share_grid`], or infinity.
fn grid_size(parts: usize, steps: usize) -> f64 {
    (1..parts).fold(1.0, |size, k| size * (steps + k) as f64 / k as f64)
}

/// Returns the shares with the least sum of the squares of `Σ share · column − target`.
///
/// This is a convex problem with few unknowns. Each step moves share between two columns: from the one with the steepest ascent to the one with
/// the steepest descent, as far as the sum falls or the share lasts. At the least sum no pair has a descent (the conditions of Karush, Kuhn &
/// Tucker). Such pairs are those of sequential minimal optimization: S. S. Keerthi et al., Neural Computation 13 (2001) 637,
/// doi:10.1162/089976601300014493. Crates for this problem do not fit: `quadprog` has the license GPL, `nnls` lacks the constraint on the sum
/// and may panic, and `clarabel`, an interior point method, returns small numbers in place of shares that are 0.
pub(super) fn least_squares(columns: &[Vec<f64>], target: &[f64]) -> Vec<f64> {
    let count = columns.len();
    let mut shares = vec![1.0 / count as f64; count];
    let product = |a: &[f64], b: &[f64]| -> f64 { a.iter().zip(b).map(|(a, b)| a * b).sum() };
    let rows = 0..target.len();
    let mut residual: Vec<f64> = rows
        .map(|row| {
            product(&shares, &columns.iter().map(|c| c[row]).collect::<Vec<_>>()) - target[row]
        })
        .collect();
    for _ in 0..LEAST_SQUARES_STEPS {
        let slopes: Vec<f64> = columns.iter().map(|c| product(c, &residual)).collect();
        let order = |a: &usize, b: &usize| slopes[*a].total_cmp(&slopes[*b]);
        let to = (0..count).min_by(order);
        let from = (0..count).filter(|&k| shares[k] > 0.0).max_by(order);
        let (Some(to), Some(from)) = (to, from) else {
            break;
        };
        let slope = slopes[from] - slopes[to];
        if slope <= LEAST_SLOPE {
            break;
        }
        let difference: Vec<f64> = (columns[to].iter().zip(&columns[from]))
            .map(|(to, from)| to - from)
            .collect();
        let step = (slope / product(&difference, &difference)).min(shares[from]);
        shares[to] += step;
        // A share that is used up becomes exactly 0.
        shares[from] = if step < shares[from] {
            shares[from] - step
        } else {
            0.0
        };
        for (residual, difference) in residual.iter_mut().zip(difference) {
            *residual += step * difference;
        }
    }
    shares
}

/// Returns the shares with the largest value of a function: the best of a grid, improved by moves of share from one part to another. The moves are
/// halved when none of them is better.
pub(super) fn largest(parts: usize, value: impl Fn(&[f64]) -> f64) -> Vec<f64> {
    let is_small = |steps: &usize| grid_size(parts, *steps) <= SEARCHED_COMPOSITIONS as f64;
    let steps = (1..=SEARCH_STEPS).rev().find(is_small).unwrap_or(1);
    let with_value = |shares: Vec<f64>| (value(&shares), shares);
    let better = |a: &(f64, Vec<f64>), b: &(f64, Vec<f64>)| a.0.total_cmp(&b.0);
    let grid = share_grid(parts, steps).into_iter().map(with_value);
    let Some(mut best) = grid.max_by(better) else {
        return Vec::new();
    };
    let mut step = 0.5 / steps as f64;
    while step >= SHARE_PRECISION {
        let pairs = (0..parts).flat_map(|from| (0..parts).map(move |to| (from, to)));
        let moved = pairs
            .filter(|&(from, to)| from != to && best.1[from] > 0.0)
            .map(|(from, to)| {
                let mut shares = best.1.clone();
                let moved = step.min(shares[from]);
                shares[from] -= moved;
                shares[to] += moved;
                with_value(shares)
            });
        match moved.max_by(better) {
            Some(found) if found.0 > best.0 => best = found,
            _ => step *= 0.5,
        }
    }
    best.1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_grid_has_every_composition_once() {
        for (parts, steps, rows) in [(1, 5, 1), (2, 6, 7), (3, 6, 28), (4, 3, 20)] {
            let mut grid = share_grid(parts, steps);
            assert_eq!(grid.len(), rows);
            assert_eq!(grid_size(parts, steps), rows as f64);
            assert!(
                grid.iter()
                    .all(|row| (row.iter().sum::<f64>() - 1.0).abs() < 1e-12)
            );
            grid.dedup();
            assert_eq!(grid.len(), rows);
        }
        assert!(share_grid(0, 3).is_empty() && share_grid(3, 0).is_empty());
    }

    #[test]
    fn the_largest_value_is_found_inside_and_at_the_edge() {
        let inside = largest(3, |s| -(s[0] - 0.21).powi(2) - (s[1] - 0.47).powi(2));
        assert!((inside[0] - 0.21).abs() < 1e-3 && (inside[1] - 0.47).abs() < 1e-3);
        let edge = largest(3, |s| s[0] + 0.5 * s[1]);
        assert_eq!(edge, [1.0, 0.0, 0.0]);
    }

    #[test]
    fn equal_columns_need_no_decision() {
        let column = vec![0.0, 0.5, 1.0];
        let shares = least_squares(&[column.clone(), column.clone()], &column);
        assert!((shares[0] + shares[1] - 1.0).abs() < 1e-15);
    }
}
