//! The effort: how slowly the container grows.

use super::constants::{EFFORT_GAINS, GAINS_STEP, PREDICTION_EXCESS, SLOWER};
use crate::macros::named_number;

named_number! {
    /// The effort of a run: 0 is `quick`, 1 `normal`, 2 `thorough`; intermediate values are allowed.
    ///
    /// With each whole step the container grows five times slower, the run takes about four times longer, and the packing is
    /// denser; `docs/reports/performance.md` has the measured figures.
    pub struct Effort up to 2.0 => {
        /// Effort 1: the default.
        "normal": NORMAL = 1.0;
        /// Effort 0: fast and loose.
        "quick": QUICK = 0.0;
        /// Effort 2: slow and dense.
        "thorough": THOROUGH = 2.0;
    }
    /// A text or number that is no effort.
    error EffortError
        "unknown effort '{0}'; expected quick, normal, thorough or a number from 0 (quick) to 2 (thorough)";
}

impl Effort {
    /// Returns the packing fraction of equal spheres at this effort, less that at normal effort. That of mixtures differs by more.
    ///
    /// Measured with 10 000 spheres, and interpolated.
    pub fn gain(self) -> f64 {
        let steps = self.0 / GAINS_STEP;
        let below = (steps as usize).min(EFFORT_GAINS.len() - 2);
        let [low, high] = [EFFORT_GAINS[below], EFFORT_GAINS[below + 1]];
        low + (steps - below as f64) * (high - low)
    }

    /// Returns the packing fraction that a run at this effort is expected to reach far from walls, from the one that Farr & Groot predict
    /// for random close packing. That of mixtures differs by more than that of equal spheres.
    pub fn expected_fraction(self, predicted: f64) -> f64 {
        predicted - PREDICTION_EXCESS + self.gain()
    }

    /// Returns the least effort, in steps of a quarter, that is expected to reach the packing fraction `requested` where normal effort
    /// reaches `normal`.
    pub(super) fn expected_to_reach(requested: f64, normal: f64) -> Self {
        let gains = EFFORT_GAINS
            .iter()
            .take_while(|gain| normal + *gain < requested);
        Self((GAINS_STEP * gains.count() as f64).min(Self::THOROUGH.0))
    }

    /// Returns the effort one half slower, up to thorough; `None` after thorough.
    pub(super) fn slower(self) -> Option<Self> {
        (self < Self::THOROUGH).then(|| Self((self.0 + SLOWER).min(Self::THOROUGH.0)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gains_are_interpolated() {
        assert_eq!(Effort::QUICK.gain(), EFFORT_GAINS[0]);
        assert_eq!(Effort::NORMAL.gain(), 0.0);
        assert_eq!(Effort::THOROUGH.gain(), EFFORT_GAINS[8]);
        assert!((Effort(0.125).gain() - 0.5 * (EFFORT_GAINS[0] + EFFORT_GAINS[1])).abs() < 1e-15);
    }

    #[test]
    fn requests_begin_with_the_least_effort_that_should_suffice() {
        let first = |requested| f64::from(Effort::expected_to_reach(requested, 0.64));
        assert_eq!(
            [0.3, 0.62, 0.625, 0.639, 0.642, 0.645, 0.7].map(first),
            [0.0, 0.0, 0.25, 1.0, 1.25, 1.75, 2.0]
        );
        assert_eq!(Effort(1.8).slower(), Some(Effort::THOROUGH));
        assert_eq!(Effort::THOROUGH.slower(), None);
    }

    #[test]
    fn effort_takes_names_and_numbers_between() {
        assert_eq!("thorough".parse(), Ok(Effort::THOROUGH));
        assert_eq!("0.5".parse::<Effort>().map(f64::from), Ok(0.5));
        for bad in ["", "slow", "-1", "2.1", "NaN", "inf"] {
            assert!(bad.parse::<Effort>().is_err(), "{bad} was accepted");
        }
    }
}
