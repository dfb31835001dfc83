//! How dense to start, how fast to let the container grow, when to be content.
//!
//! What decides positions is computed with `libm`: the standard library's logarithms differ between machines.

use serde::{Deserialize, Serialize};

/// From quick to dense: 0 is `quick`, 1 `normal`, 2 `thorough`, and anything between is meant too.
///
/// Each whole step lets the container grow about five times slower, takes about four times longer and packs denser;
/// `docs/speed.md` has the measured figures.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Serialize, Deserialize)]
#[serde(try_from = "f64", into = "f64")]
pub struct Effort(f64);

impl Effort {
    /// Fast and loose.
    pub const QUICK: Self = Self(0.0);
    /// The default.
    pub const NORMAL: Self = Self(1.0);
    /// Slow and dense.
    pub const THOROUGH: Self = Self(2.0);
}

impl Default for Effort {
    fn default() -> Self {
        Self::NORMAL
    }
}

impl From<Effort> for f64 {
    fn from(effort: Effort) -> Self {
        effort.0
    }
}

/// An effort that is neither one of the three names nor a number from 0 to 2.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error(
    "effort '{0}' is neither quick, normal, thorough nor a number from 0 (quick) to 2 (thorough)"
)]
pub struct EffortError(String);

impl TryFrom<f64> for Effort {
    type Error = EffortError;

    fn try_from(value: f64) -> Result<Self, Self::Error> {
        (0.0..=2.0)
            .contains(&value)
            .then_some(Self(value))
            .ok_or_else(|| EffortError(value.to_string()))
    }
}

impl std::str::FromStr for Effort {
    type Err = EffortError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "quick" => Ok(Self::QUICK),
            "normal" => Ok(Self::NORMAL),
            "thorough" => Ok(Self::THOROUGH),
            _ => text
                .parse()
                .ok()
                .and_then(|value: f64| Self::try_from(value).ok())
                .ok_or_else(|| EffortError(text.to_owned())),
        }
    }
}

/// The mean relative overlap below which growth slows down, with its square root.
const TAPER: f64 = 0.03;

/// By the time the container's lengths have grown by this share, all spheres have come in. Later, more of the growth is left to large
/// spheres that have the room for themselves; sooner, more overlaps are to be mended at full number.
const ADMISSION_GROWTH: f64 = 0.018;

/// Each group of those that wait comes in at least so many sweeps after the one before, which then have spread out. With few spheres in,
/// that costs little; with three or four sweeps each, a Fuller mixture of 10⁶ packed to 0.856 in place of 0.868.
const LEAST_INTERVAL: f64 = 20.0;

/// The numbers that steer the loop.
#[derive(Clone, Copy, Debug)]
pub(super) struct Schedule {
    /// Packing fraction of the random placement, well above what can be reached: the structure is decided while the
    /// spheres are pressed, and a start just above the goal packs looser.
    pub start_fraction: f64,
    /// Relative growth of the container's lengths in a sweep, at most.
    growth: f64,
    /// How much of a sphere's share of its overlaps a relocation clears; above 1 is over-relaxation.
    pub relaxation: f32,
    /// Largest relative overlap at which the loop hands over to the exact last step.
    pub tolerance: f64,
}

/// How groups of those that wait come in.
#[derive(Clone, Copy, Debug)]
pub(super) struct Admission {
    /// Sweeps from one group to the next.
    pub interval: f64,
    /// The factor by which the container grows after a sweep while some wait.
    pub growth: f64,
}

impl Schedule {
    pub fn new(effort: Effort, radii: &[f64]) -> Self {
        Self {
            start_fraction: 1.15 * estimated_fraction(radii),
            growth: 2e-4 * libm::pow(5.0, 1.0 - effort.0),
            relaxation: 1.95,
            tolerance: 1e-4 * libm::pow(10.0, 0.5 * (1.0 - effort.0)),
        }
    }

    /// How so many groups come in.
    pub fn admission(&self, groups: usize) -> Admission {
        let groups = groups as f64;
        let growth = self
            .growth
            .min(ADMISSION_GROWTH / (LEAST_INTERVAL * groups));
        Admission {
            interval: ADMISSION_GROWTH / (growth * groups),
            growth: 1.0 + growth,
        }
    }

    /// The factor by which the container grows after a sweep that found this mean relative overlap.
    pub fn growth(&self, mean_overlap: f64) -> f64 {
        1.0 + self.growth * (mean_overlap / TAPER).sqrt().min(1.0)
    }
}

/// A guess, good to some 0.04, of the random close packing fraction of these radii.
///
/// From 0.64 for equal spheres, the porosity falls with the spread of ln r by volume; the slope is fitted to the
/// predictions of Farr & Groot (2009) for lognormal and Fuller distributions. It only chooses where to start.
pub(super) fn estimated_fraction(radii: &[f64]) -> f64 {
    let (mut weight, mut first, mut second) = (0.0, 0.0, 0.0);
    let reference = radii.first().copied().unwrap_or(1.0);
    for &radius in radii {
        let ratio = radius / reference;
        let volume = ratio * ratio * ratio;
        let log = libm::log(ratio);
        weight += volume;
        first += volume * log;
        second += volume * log * log;
    }
    let mean = first / weight;
    let spread = (second / weight - mean * mean).max(0.0).sqrt();
    1.0 - 0.36 * libm::exp(-0.7 * spread)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn effort_takes_names_and_numbers_between() {
        assert_eq!("thorough".parse(), Ok(Effort::THOROUGH));
        assert_eq!("0.5".parse::<Effort>().map(f64::from), Ok(0.5));
        for bad in ["", "slow", "-1", "2.1", "NaN", "inf"] {
            assert!(bad.parse::<Effort>().is_err(), "{bad} was accepted");
        }
    }

    #[test]
    fn groups_come_in_as_the_container_grows_but_never_in_haste() {
        for (effort, interval) in [(Effort::QUICK, 20.0), (Effort::THOROUGH, 50.0)] {
            let schedule = Schedule::new(effort, &[0.5; 10]);
            let admission = schedule.admission(9);
            assert!((admission.interval - interval).abs() < 1e-9);
            assert!(((admission.growth - 1.0) * interval * 9.0 - 0.018).abs() < 1e-12);
            assert!(admission.growth <= schedule.growth(f64::INFINITY));
        }
    }

    #[test]
    fn estimate_is_near_known_packings() {
        assert!((estimated_fraction(&[0.5; 100]) - 0.64).abs() < 1e-9);
        // f(r) ∝ r⁻³ from 1 to 10: 0.7467 by Farr & Groot.
        let radii: Vec<f64> = (0..10_000)
            .map(|i| {
                let u = (f64::from(i) + 0.5) / 10_000.0;
                (1.0 + u * (0.01 - 1.0)).powf(-0.5)
            })
            .collect();
        assert!((estimated_fraction(&radii) - 0.7467).abs() < 0.04);
    }
}
