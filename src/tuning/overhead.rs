//! The overhead factor K of a machine, from timed contact searches.

/// What one timed contact search did.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SearchTiming {
    /// Overlap tests made.
    pub pair_tests: f64,
    /// Cells opened.
    pub cell_accesses: f64,
    /// Time taken.
    pub seconds: f64,
}

/// The times of the two elementary steps of a search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Overhead {
    /// Seconds per overlap test.
    pub test_seconds: f64,
    /// Seconds per cell opened.
    pub access_seconds: f64,
}

impl Overhead {
    /// The overhead factor K of Eq. 27.
    pub fn factor(&self) -> f64 {
        self.access_seconds / self.test_seconds
    }
}

/// The times per step that explain the timings best, by least squares in relative error; `None` when the timings do
/// not tell the steps apart or a time would be negative.
///
/// Searches of the same spheres on few and on many levels tell them apart well.
pub fn fit_overhead(timings: &[SearchTiming]) -> Option<Overhead> {
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
    // False for NaN too, as from a search that took no time.
    let distinct = determinant > 1e-9 * tt * aa;
    if !distinct {
        return None;
    }
    let overhead = Overhead {
        test_seconds: (t * aa - a * ta) / determinant,
        access_seconds: (a * tt - t * ta) / determinant,
    };
    (overhead.test_seconds > 0.0 && overhead.access_seconds >= 0.0).then_some(overhead)
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
    fn known_times_are_found_again() {
        let overhead =
            fit_overhead(&[timing(1e6, 1e4), timing(1e5, 1e5), timing(2e4, 3e6)]).unwrap();
        assert!((overhead.test_seconds / 5e-9 - 1.0).abs() < 1e-9);
        assert!((overhead.factor() - 0.4).abs() < 1e-9);
    }

    #[test]
    fn timings_that_say_nothing_are_refused() {
        assert_eq!(fit_overhead(&[]), None);
        assert_eq!(fit_overhead(&[timing(1e6, 1e5)]), None);
        assert_eq!(fit_overhead(&[timing(1e6, 1e5), timing(2e6, 2e5)]), None);
        let impossible = SearchTiming {
            seconds: 1e-9,
            ..timing(1e3, 1e6)
        };
        assert_eq!(fit_overhead(&[timing(1e6, 1e3), impossible]), None);
    }
}
