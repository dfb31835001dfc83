//! Means and their standard errors.

use crate::numbers::fixed;

/// A mean over independent packings, with its standard error.
#[derive(Clone, Copy, Debug)]
pub struct Mean {
    pub value: f64,
    pub error: f64,
}

impl Mean {
    /// Returns the mean of at least two values.
    pub fn of(values: &[f64]) -> Self {
        let count = values.len() as f64;
        let value = values.iter().sum::<f64>() / count;
        let squares: f64 = values.iter().map(|x| (x - value).powi(2)).sum();
        Self {
            value,
            error: (squares / (count - 1.0) / count).sqrt(),
        }
    }

    /// Returns mean and error as text.
    pub fn describe(self) -> String {
        format!("{} ± {:.4}", fixed(self.value, 4), self.error)
    }
}

/// Returns level and slope of the straight line with the least squares of the deviations of y, through points (x, y).
pub fn line(points: &[[f64; 2]]) -> [f64; 2] {
    let count = points.len() as f64;
    let [x, y] = [0, 1].map(|k| points.iter().map(|point| point[k]).sum::<f64>() / count);
    let products = points.iter().map(|point| (point[0] - x) * (point[1] - y));
    let squares = points.iter().map(|point| (point[0] - x).powi(2));
    let slope = products.sum::<f64>() / squares.sum::<f64>();
    [y - slope * x, slope]
}
