//! A size distribution of any law.

use std::f64::consts::PI;

use rand::{Rng, distr::Distribution};
use serde::{Deserialize, Serialize};
use strum::VariantNames;

use super::{
    andreasen::Andreasen, basis::Basis, bidisperse::Bidisperse, class_curve::SizeClass,
    constants::COARSEST_SHARE, curve::Curve, fuller::Fuller, lognormal::Lognormal, mono::Mono,
    power_law::PowerLaw, rosin_rammler::RosinRammler, sieve_curve::SieveCurve,
    size_classes::SizeClasses, uniform_size::UniformSize, uniform_volume::UniformVolume,
};

/// A distribution of sphere diameters, in the user's unit.
///
/// Its JSON form is one object with the name and the parameters of the law, `{"fuller": {"d_min": 1, "d_max": 16}}`. Each
/// law converts with `From`.
///
/// All values come from the portable functions of `libm`, so they have the same bits on every machine. A quantile or a
/// share costs a binary search over the classes or segments of the law, about 0.1 µs.
///
/// # Random diameters
///
/// `SizeDistribution` and each law implement `rand_distr::Distribution<f64>`. A draw is one diameter by number and
/// consumes one uniform number. [`sample_number`](Self::sample_number) and [`sample_volume`](Self::sample_volume) also
/// report the agreement of the sample with the law.
///
/// ```
/// use jostle::distribution::{Fuller, Sampling, SizeDistribution};
/// use rand::SeedableRng;
/// use rand_distr::Distribution;
///
/// let law = SizeDistribution::from(Fuller::new(1.0, 16.0, 0.5)?);
/// assert!((law.mass_cdf(6.25) - 0.5).abs() < 1e-12);
/// let sample = law.sample_number(10_000, Sampling::Stratified, 0);
/// assert!(sample.report().mass_curve_error < 0.02);
///
/// let generator = rand_pcg::Pcg64::seed_from_u64(1);
/// let diameters: Vec<f64> = law.sample_iter(generator).take(100).collect();
/// assert!(diameters.iter().all(|d| (1.0..=16.0).contains(d)));
/// # Ok::<(), jostle::distribution::FullerError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, VariantNames)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
#[non_exhaustive]
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

/// Connects the variants with their laws: the curve, the conversion and the random draws.
macro_rules! laws {
    ($($variant:ident($law:ty),)+) => {
        impl SizeDistribution {
            pub(super) fn curve(&self) -> &Curve {
                match self {
                    $(Self::$variant(law) => &law.0.curve,)+
                }
            }
        }

        $(
            impl From<$law> for SizeDistribution {
                fn from(law: $law) -> Self {
                    Self::$variant(law)
                }
            }

            impl Distribution<f64> for $law {
                fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> f64 {
                    self.0.curve.draw(rng)
                }
            }
        )+
    };
}

laws! {
    Mono(Mono),
    Bidisperse(Bidisperse),
    PowerLaw(PowerLaw),
    UniformSize(UniformSize),
    UniformVolume(UniformVolume),
    Fuller(Fuller),
    Andreasen(Andreasen),
    RosinRammler(RosinRammler),
    Lognormal(Lognormal),
    Sieve(SieveCurve),
    Classes(SizeClasses),
}

impl Distribution<f64> for SizeDistribution {
    fn sample<R: Rng + ?Sized>(&self, rng: &mut R) -> f64 {
        self.curve().draw(rng)
    }
}

impl SizeDistribution {
    /// Returns the smallest diameter.
    pub fn d_min(&self) -> f64 {
        self.curve().range().0
    }

    /// Returns the largest diameter.
    pub fn d_max(&self) -> f64 {
        self.curve().range().1
    }

    /// Returns the size ratio ω: the largest diameter over the smallest.
    pub fn size_ratio(&self) -> f64 {
        self.d_max() / self.d_min()
    }

    /// Returns the share of all spheres that are at or below a diameter.
    pub fn number_cdf(&self, diameter: f64) -> f64 {
        self.curve().cdf(Basis::Number, diameter)
    }

    /// Returns the share of the mass that is in spheres at or below a diameter.
    pub fn mass_cdf(&self, diameter: f64) -> f64 {
        self.curve().cdf(Basis::Mass, diameter)
    }

    /// Returns the smallest diameter at or below which the given share of all spheres lies.
    ///
    /// Shares below 0 count as 0, and shares above 1 count as 1.
    pub fn number_quantile(&self, share: f64) -> f64 {
        self.curve().quantile(Basis::Number, share)
    }

    /// Returns the smallest diameter at or below which the given share of the mass lies.
    ///
    /// Shares below 0 count as 0, and shares above 1 count as 1.
    pub fn mass_quantile(&self, share: f64) -> f64 {
        self.curve().quantile(Basis::Mass, share)
    }

    /// Returns the mean of d^`k` over all spheres.
    ///
    /// Most laws have a closed form. For Rosin–Rammler and lognormal the relative error is about 1e-10. The result is 0 or
    /// infinite where it leaves the range of `f64`. The third moment is always a normal, finite number.
    pub fn raw_moment(&self, k: u32) -> f64 {
        self.curve().raw_moment(f64::from(k))
    }

    /// Returns the mean volume of a sphere.
    pub fn mean_volume(&self) -> f64 {
        PI / 6.0 * self.raw_moment(3)
    }

    /// Returns the classes sorted by diameter, or `None` for a continuous distribution.
    pub fn classes(&self) -> Option<&[SizeClass]> {
        match self.curve() {
            Curve::Classes(curve) => Some(curve.classes()),
            Curve::Segments(_) => None,
        }
    }

    /// Returns a sentence about given shares or percentages that were divided by a sum that is not quite 1 or 100 %; `None` if
    /// nothing was changed.
    pub fn note(&self) -> Option<String> {
        match self {
            Self::Classes(law) => law.note(),
            Self::Sieve(law) => law.note(),
            _ => None,
        }
    }

    /// Returns the share of all spheres that are in the largest class, and the smallest diameter of that class.
    ///
    /// The largest class of a continuous distribution is its coarsest tenth by mass.
    pub fn largest_class(&self) -> (f64, f64) {
        match self.curve() {
            Curve::Classes(law) => {
                let class = law.classes()[law.classes().len() - 1];
                (class.number_share, class.diameter)
            }
            Curve::Segments(law) => {
                let diameter = law.quantile(Basis::Mass, 1.0 - COARSEST_SHARE);
                (1.0 - law.cdf(Basis::Number, diameter), diameter)
            }
        }
    }

    /// Returns the expected number of spheres of which `k` are in the [largest class](Self::largest_class).
    ///
    /// The result is [`u64::MAX`] for distributions that need more spheres than that.
    pub fn spheres_for_largest(&self, k: u64) -> u64 {
        (k as f64 / self.largest_class().0).ceil() as u64
    }
}
