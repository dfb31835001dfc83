//! A size distribution of any law.

use rand::{Rng, distr::Distribution};
use serde::{Deserialize, Serialize};
use strum::VariantNames;

use super::{
    andreasen::Andreasen,
    basis::Basis,
    bidisperse::Bidisperse,
    blend_curve::BlendCurve,
    class_curve::{ClassCurve, SizeClass},
    constants::COARSEST_SHARE,
    diameter_list::DiameterList,
    fuller::Fuller,
    law::law,
    lognormal::Lognormal,
    mono::Mono,
    normal::Normal,
    power_law::PowerLaw,
    rosin_rammler::RosinRammler,
    sieve_curve::SieveCurve,
    size_classes::SizeClasses,
    sizes_error::SizesError,
    uniform_size::UniformSize,
    uniform_volume::UniformVolume,
};
use crate::{dimension::Dimension, macros::choice};

/// Declares the distribution of any law, and connects the variants with their laws: the curve, the conversion and the random draws.
macro_rules! laws {
    (
        $(#[$attribute:meta])*
        pub enum $name:ident {
            $($(#[$of_variant:meta])* $variant:ident($law:ident),)+
        }
    ) => {
        $(#[$attribute])*
        pub enum $name {
            $($(#[$of_variant])* $variant($law),)+
        }

        impl $name {
            /// Returns this law for spheres of another dimension, with the same parameters. In the plane, mass and volume are areas: the
            /// number density is the mass density over d² instead of d³. Laws are read and created for spheres in space.
            ///
            /// # Errors
            /// If the law has no sizes there.
            pub fn in_dimension(&self, dimension: Dimension) -> Result<Self, SizesError> {
                match self {
                    $(Self::$variant(law) => {
                        law.0.in_dimension(dimension).map($law).map(Self::$variant)
                    })+
                }
            }

            pub(super) fn curve(&self) -> &BlendCurve {
                match self {
                    $(Self::$variant(law) => &law.0.curve,)+
                }
            }
        }

        $(
            impl From<$law> for $name {
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
    /// # Ok::<(), jostle::distribution::SizesError>(())
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
        /// d normally distributed.
        Normal(Normal),
        /// Percent of the mass passing each sieve.
        Sieve(SieveCurve),
        /// Classes given one by one.
        Classes(SizeClasses),
        /// Several distributions, mixed by mass or by volume.
        Blend(Blend),
        /// Diameters given one by one.
        Diameters(DiameterList),
        /// A distribution without its smallest or its largest spheres.
        Cut(Cut),
    }
}

law! {
    /// A distribution without the spheres below or above a diameter, see [`SizeDistribution::cut`].
    // The type is in this file because it and `SizeDistribution` contain each other.
    pub struct Cut(CutParameters) {
        /// The smallest diameter that is kept.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub d_min: Option<f64>,
        /// The largest diameter that is kept.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub d_max: Option<f64>,
        pub law: Box<SizeDistribution>,
    }
}

law! {
    /// A blend of components, each with a size distribution, a share, a label and a density.
    ///
    /// The shares are by mass or by volume, see [`BlendBasis`]. With densities, a share m of the mass is a share ∝ m/ρ of the volume. All
    /// curves of the blend, [`SizeDistribution::mass_cdf`] among them, weigh the components by volume. If all components have one density,
    /// this is their mass.
    ///
    /// A sample keeps the share of each component: see [`SizeDistribution::sample_number`]. Its spheres are those of the first component,
    /// followed by those of the second one, and so on.
    ///
    /// ```
    /// use jostle::distribution::{Blend, BlendBasis, Component, Fuller, Mono};
    ///
    /// let sand = Component::new("sand", 0.6, Fuller::new(0.25, 4.0, 0.5)?).density(2650.0);
    /// let beads = Component::new("beads", 0.4, Mono::new(1.0)?).density(7850.0);
    /// let blend = Blend::new(BlendBasis::Mass, vec![sand, beads])?;
    /// let volume = blend.volume_shares();
    /// assert!((volume[0] - 0.6 / 2650.0 / (0.6 / 2650.0 + 0.4 / 7850.0)).abs() < 1e-12);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    // The types of a blend are in this file because they and `SizeDistribution` contain each other.
    pub struct Blend(BlendParameters) {
        #[serde(default)]
        pub by: BlendBasis,
        pub components: Vec<Component>,
    }
}

/// A component of a blend.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[serde(expecting = "an object with label, share and sizes")]
#[non_exhaustive]
pub struct Component {
    /// The name of the component. The labels of a blend differ.
    pub label: String,
    /// The share of the blend, by mass or by volume: not negative. A component with share 0 has no spheres.
    pub share: f64,
    /// The density of the spheres, in any unit that all components share; absent if all components have one density.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub density: Option<f64>,
    /// The size distribution of the spheres.
    pub sizes: SizeDistribution,
    /// Factor from the unit of `sizes` to the unit of the blend, such as 0.001 from µm to mm.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub scale: f64,
}

choice! {
    "basis of a blend", "kebab-case";
    /// The quantity of which the components of a blend have shares.
    #[derive(Default)]
    #[non_exhaustive]
    pub enum BlendBasis {
        /// The mass of the spheres.
        #[default]
        Mass,
        /// The volume of the spheres.
        Volume,
    }
}

fn one() -> f64 {
    1.0
}

fn is_one(scale: &f64) -> bool {
    *scale == 1.0
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

    /// Returns the share of the mass that is in spheres at or below a diameter. Of a [`Blend`] with several densities, this is the share
    /// of the volume.
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

    /// Returns the dimension of the spheres.
    pub fn dimension(&self) -> Dimension {
        self.curve().dimension()
    }

    /// Returns the mean volume of a sphere; the mean area of a disk.
    pub fn mean_volume(&self) -> f64 {
        let curve = self.curve();
        curve.dimension().of_diameters(curve.mean_power())
    }

    /// Returns the classes sorted by diameter, or `None` for a continuous distribution.
    pub fn classes(&self) -> Option<&[SizeClass]> {
        self.curve().classes().map(ClassCurve::classes)
    }

    /// Returns the diameters of a list, in their order; `None` for another law.
    pub fn listed(&self) -> Option<&[f64]> {
        match self {
            Self::Diameters(list) => Some(list.diameters()),
            _ => None,
        }
    }

    /// Returns a sentence about given shares or percentages that were divided by a sum that is not quite 1 or 100 %; `None` if
    /// nothing was changed.
    pub fn note(&self) -> Option<String> {
        match self {
            Self::Classes(law) => law.note(),
            Self::Sieve(law) => law.note(),
            Self::Blend(law) => law.note(),
            Self::Cut(law) => law.0.parameters.law.note(),
            _ => None,
        }
    }

    /// Returns the share of all spheres that are in the largest class, and the smallest diameter of that class.
    ///
    /// The largest class of a continuous distribution is its coarsest tenth by mass.
    pub fn largest_class(&self) -> (f64, f64) {
        let curve = self.curve();
        match curve.classes() {
            Some(law) => {
                let class = law.classes()[law.classes().len() - 1];
                (class.number_share, class.diameter)
            }
            None => {
                let diameter = curve.quantile(Basis::Mass, 1.0 - COARSEST_SHARE);
                // A blend may have a class at this diameter.
                let below = curve.cdf(Basis::Number, diameter.next_down());
                (1.0 - below, diameter)
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
