//! Mean and spread of repeated measurements.

/// Returns the mean and the sample standard deviation; the deviation of a single value is 0.
///
/// Both are NaN without any value.
pub fn mean_and_spread(values: &[f64]) -> (f64, f64) {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    (mean, (squares / (count - 1.0).max(1.0)).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spread_is_the_sample_standard_deviation() {
        assert_eq!(mean_and_spread(&[3.0]), (3.0, 0.0));
        assert_eq!(mean_and_spread(&[1.0, 3.0]), (2.0, 2f64.sqrt()));
    }
}
