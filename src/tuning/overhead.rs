//! Overhead factor K of a machine, from timed contact searches.

use super::constants::LEAST_DETERMINANT;

/// Counts and time of one contact search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SearchTiming {
    /// Number of overlap tests.
    pub pair_tests: f64,
    /// Number of cells opened.
    pub cell_accesses: f64,
    /// Time in seconds.
    pub seconds: f64,
}

impl SearchTiming {
    fn is_valid(&self) -> bool {
        let numbers = [self.pair_tests, self.cell_accesses, self.seconds];
        self.seconds > 0.0
            && numbers
                .iter()
                .all(|number| (0.0..=f64::MAX).contains(number))
    }
}

/// Times of the two elementary steps of a search.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Overhead {
    /// Seconds per overlap test; positive.
    pub test_seconds: f64,
    /// Seconds per cell opened; not negative.
    pub access_seconds: f64,
}

impl Overhead {
    /// Returns the overhead factor K of Eq. 27.
    pub fn factor(&self) -> f64 {
        self.access_seconds / self.test_seconds
    }
}

/// Returns the times per step that explain the timings best, by least squares of the relative error.
///
/// Searches of the same spheres on few and on many levels determine the two times well. The result is `None` if a timing
/// holds a number that is negative or not finite, or took no time; if the timings do not separate the two steps; or if a
/// time per step would be negative.
pub fn fit_overhead(timings: &[SearchTiming]) -> Option<Overhead> {
    if !timings.iter().all(SearchTiming::is_valid) {
        return None;
    }
    let mut sums = [0.0; 5];
    for timing in timings {
        let (t, a) = (
            timing.pair_tests / timing.seconds,
            timing.cell_accesses / timing.seconds,
        );
        for (sum, term) in sums.iter_mut().zip([t * t, t * a, a * a, t, a]) {
            *sum += term;
        }
    }
    let [tt, ta, aa, t, a] = sums;
    let determinant = tt * aa - ta * ta;
    // The comparison also fails for NaN, as from sums that overflow.
    let distinct = determinant > LEAST_DETERMINANT * tt * aa;
    if !distinct {
        return None;
    }
    let overhead = Overhead {
        test_seconds: (t * aa - a * ta) / determinant,
        access_seconds: (a * tt - t * ta) / determinant,
    };
    let valid = overhead.test_seconds > 0.0
        && overhead.test_seconds.is_finite()
        && overhead.access_seconds >= 0.0
        && overhead.factor().is_finite();
    valid.then_some(overhead)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn timing(pair_tests: f64, cell_accesses: f64) -> SearchTiming {
        SearchTiming {
            pair_tests,
            cell_accesses,
            seconds: 5e-9 * pair_tests + 2e-9 * cell_accesses,
        }
    }

    #[test]
    fn the_fit_returns_known_times() {
        let overhead =
            fit_overhead(&[timing(1e6, 1e4), timing(1e5, 1e5), timing(2e4, 3e6)]).unwrap();
        assert!((overhead.test_seconds / 5e-9 - 1.0).abs() < 1e-9);
        assert!((overhead.factor() - 0.4).abs() < 1e-9);
    }

    #[test]
    fn timings_without_information_give_none() {
        assert_eq!(fit_overhead(&[]), None);
        assert_eq!(fit_overhead(&[timing(1e6, 1e5)]), None);
        assert_eq!(fit_overhead(&[timing(1e6, 1e5), timing(2e6, 2e5)]), None);
        let impossible = SearchTiming {
            seconds: 1e-9,
            ..timing(1e3, 1e6)
        };
        assert_eq!(fit_overhead(&[timing(1e6, 1e3), impossible]), None);
    }

    #[test]
    fn degenerate_timings_give_none_or_finite_times() {
        let values = [
            0.0,
            f64::NAN,
            f64::INFINITY,
            f64::NEG_INFINITY,
            5e-324,
            1e308,
        ];
        let good = [timing(1e6, 1e4), timing(1e5, 1e5)];
        for value in values {
            for change in [
                |timing: &mut SearchTiming, value| timing.pair_tests = value,
                |timing: &mut SearchTiming, value| timing.cell_accesses = value,
                |timing: &mut SearchTiming, value| timing.seconds = value,
            ] {
                let mut bad = timing(2e4, 3e6);
                change(&mut bad, value);
                if let Some(fit) = fit_overhead(&[good[0], good[1], bad]) {
                    assert!(bad.seconds > 0.0 && value.is_finite(), "{bad:?}: {fit:?}");
                    assert!(fit.test_seconds.is_finite() && fit.factor().is_finite());
                }
            }
        }
        let extreme = |pair_tests, cell_accesses| SearchTiming {
            pair_tests,
            cell_accesses,
            seconds: 1e-200,
        };
        assert_eq!(fit_overhead(&[extreme(1e6, 1.0), extreme(1.0, 1e6)]), None);
    }
}
