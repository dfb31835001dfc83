//! Means, their standard errors, and the test for equal means.

/// Values of one quantity.
#[derive(Clone, Debug, Default)]
pub struct Sample(Vec<f64>);

impl Sample {
    /// Adds a value.
    pub fn add(&mut self, value: f64) {
        self.0.push(value);
    }

    /// Returns the mean.
    pub fn mean(&self) -> f64 {
        self.0.iter().sum::<f64>() / self.0.len() as f64
    }

    /// Returns the median.
    pub fn median(&self) -> f64 {
        let mut values = self.0.clone();
        values.sort_by(f64::total_cmp);
        values[values.len() / 2]
    }

    /// Returns the square of the standard error of the mean.
    fn error_squared(&self) -> f64 {
        let mean = self.mean();
        let squares = self.0.iter().map(|value| (value - mean).powi(2));
        let count = self.0.len() as f64;
        squares.sum::<f64>() / (count - 1.0) / count
    }

    /// Returns the standard error of the difference of two means.
    pub fn error_of_difference(&self, other: &Self) -> f64 {
        (self.error_squared() + other.error_squared()).sqrt()
    }

    /// Returns Welch's t: the difference of two means in standard errors.
    pub fn welch_t(&self, other: &Self) -> f64 {
        let difference = self.mean() - other.mean();
        if difference == 0.0 {
            return 0.0;
        }
        difference / self.error_of_difference(other)
    }

    /// Returns mean and standard error as text.
    pub fn describe(&self) -> String {
        format!("{:.4} ± {:.4}", self.mean(), self.error_squared().sqrt())
    }
}

/// Critical value of |t|: 5 % for all twelve structural quantities together, that is 5 %/12 for each (Bonferroni), for 18
/// degrees of freedom.
pub const CRITICAL: f64 = 3.29;
