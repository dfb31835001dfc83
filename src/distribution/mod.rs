//! Particle size distributions: the laws, their files, and samples drawn from them.
//!
//! Every law comes down to one of two engines: separate classes (`class_curve`) or a continuous curve of power laws
//! (`power_segments`).

mod andreasen;
mod bidisperse;
mod class_curve;
mod curve;
mod fuller;
mod lognormal;
mod mono;
mod power_law;
mod power_segments;
mod presets;
mod range;
mod rosin_rammler;
mod sample;
mod sieve_curve;
mod size_classes;
mod size_report;
mod spec;
mod uniform_size;
mod uniform_volume;

use std::f64::consts::PI;

use serde::{Deserialize, Serialize};

use curve::Curve;

pub use andreasen::{Andreasen, AndreasenError};
pub use bidisperse::{Bidisperse, BidisperseError};
pub use class_curve::SizeClass;
pub use fuller::{FirstClass, Fuller, FullerError};
pub use lognormal::{Lognormal, LognormalError};
pub use mono::Mono;
pub use power_law::{PowerLaw, PowerLawError};
pub use presets::DEFAULT_PRESET;
pub use range::SizeRangeError;
pub use rosin_rammler::{RosinRammler, RosinRammlerError};
pub use sample::{Sample, Sampling};
pub use sieve_curve::{Interpolation, SieveCurve, SieveCurveError};
pub use size_classes::{SizeClasses, SizeClassesError};
pub use size_report::SizeReport;
pub use spec::{SizeSpec, SizeSpecError};
pub use uniform_size::UniformSize;
pub use uniform_volume::UniformVolume;

/// What a share is a share of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Basis {
    /// The number of spheres.
    #[default]
    Number,
    /// Their mass, which is their volume: all spheres have one density.
    Mass,
}

/// A distribution of sphere diameters, in the user's unit.
///
/// Its JSON form is one object with the law's name and parameters, `{"fuller": {"d_min": 1, "d_max": 16}}`.
///
/// Values come from the portable functions of `libm` alone: the same bits on every machine. A quantile or a share
/// costs a binary search over the classes or pieces of the law, about 0.1 µs.
///
/// ```
/// use jostle::{Fuller, Sampling, SizeDistribution};
///
/// let law = SizeDistribution::Fuller(Fuller::new(1.0, 16.0, 0.5)?);
/// assert!((law.mass_cdf(6.25) - 0.5).abs() < 1e-12);
/// let sample = law.sample(10_000, Sampling::Stratified, 0);
/// assert!(sample.report.mass_curve_error < 0.02);
/// # Ok::<(), jostle::FullerError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SizeDistribution {
    /// Equal spheres.
    Mono(Mono),
    /// Two diameters, mixed by mass.
    Bidisperse(Bidisperse),
    /// f(r) ∝ r^α by number.
    PowerLaw(PowerLaw),
    /// All diameters equally frequent.
    UniformSize(UniformSize),
    /// The same volume of spheres at every diameter.
    UniformVolume(UniformVolume),
    /// Mass curve (d/d_max)^n, continuous or in classes.
    Fuller(Fuller),
    /// Modified Andreasen (Dinger–Funk) mass curve.
    Andreasen(Andreasen),
    /// Mass residue exp(−(d/d′)^n).
    RosinRammler(RosinRammler),
    /// ln d normally distributed.
    Lognormal(Lognormal),
    /// Percent of the mass passing each sieve.
    Sieve(SieveCurve),
    /// Classes given one by one.
    Classes(SizeClasses),
}

impl SizeDistribution {
    /// The smallest diameter.
    pub fn d_min(&self) -> f64 {
        self.curve().range().0
    }

    /// The largest diameter.
    pub fn d_max(&self) -> f64 {
        self.curve().range().1
    }

    /// The largest diameter over the smallest.
    pub fn size_ratio(&self) -> f64 {
        self.d_max() / self.d_min()
    }

    /// Share of all spheres at or below a diameter.
    pub fn number_cdf(&self, diameter: f64) -> f64 {
        self.curve().cdf(Basis::Number, diameter)
    }

    /// Share of the mass in spheres at or below a diameter.
    pub fn mass_cdf(&self, diameter: f64) -> f64 {
        self.curve().cdf(Basis::Mass, diameter)
    }

    /// The smallest diameter at or below which the share `u` of all spheres lies. Shares outside 0 to 1 count as 0 or 1.
    pub fn number_quantile(&self, u: f64) -> f64 {
        self.curve().quantile(Basis::Number, u)
    }

    /// The smallest diameter at or below which the share `u` of the mass lies. Shares outside 0 to 1 count as 0 or 1.
    pub fn mass_quantile(&self, u: f64) -> f64 {
        self.curve().quantile(Basis::Mass, u)
    }

    /// The mean of d^`k` over all spheres: in closed form, or for Rosin–Rammler and lognormal to about 1e-10 of it.
    pub fn raw_moment(&self, k: u32) -> f64 {
        self.curve().raw_moment(f64::from(k))
    }

    /// The mean volume of a sphere.
    pub fn mean_volume(&self) -> f64 {
        PI / 6.0 * self.raw_moment(3)
    }

    /// The classes by rising diameter; `None` for a continuous distribution.
    pub fn classes(&self) -> Option<&[SizeClass]> {
        match self.curve() {
            Curve::Classes(curve) => Some(curve.classes()),
            Curve::Segments(_) => None,
        }
    }

    fn curve(&self) -> &Curve {
        match self {
            Self::Mono(law) => law.curve(),
            Self::Bidisperse(law) => law.curve(),
            Self::PowerLaw(law) => law.curve(),
            Self::UniformSize(law) => law.curve(),
            Self::UniformVolume(law) => law.curve(),
            Self::Fuller(law) => law.curve(),
            Self::Andreasen(law) => law.curve(),
            Self::RosinRammler(law) => law.curve(),
            Self::Lognormal(law) => law.curve(),
            Self::Sieve(law) => law.curve(),
            Self::Classes(law) => law.curve(),
        }
    }
}
