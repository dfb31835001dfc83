//! Number distributions of radii, in the form that the cost model needs: by their partial moments.

use super::constants::{
    BIN_DIGITS, CLASSES_PER_DOUBLING, MAX_SIZE_RATIO, MIN_CLASSES, RADIUS_RANGE,
};
use crate::distribution::SizeDistribution;

/// A distribution of radii for which no cost can be computed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RadiusLawError {
    /// A sample without radii.
    #[error("the sample of radii is empty; at least one radius is needed")]
    Empty,
    /// A radius that is not positive, or too small or too large to compute with.
    #[error(
        "radius {value:?} at position {position} of the sample; it must be a number from {low:e} to {high:e}",
        low = RADIUS_RANGE.start(),
        high = RADIUS_RANGE.end()
    )]
    Radius {
        /// Position in the sample, counted from 0.
        position: usize,
        /// Radius.
        value: f64,
    },
    /// An exponent of a power law that is not finite, or with which powers of the size ratio are not finite.
    #[error(
        "power-law exponent {0:?}; it must be a finite number with which the powers of the size ratio are finite"
    )]
    Exponent(f64),
    /// A size ratio below 1, or above 10¹⁵.
    #[error("size ratio {0:?}; it must be a number from 1 to {MAX_SIZE_RATIO:e}")]
    SizeRatio(f64),
}

/// Moments `∫ r^k f(r) dr` for k = 0, 1, 2, 3 over some range of radii.
pub(super) type Moments = [f64; 4];

/// Returns `a − b`, component by component.
pub(super) fn difference(a: Moments, b: Moments) -> Moments {
    std::array::from_fn(|k| a[k] - b[k])
}

/// Normalized number distribution `f(r)` of radii in units of the smallest radius, so that `1 ≤ r ≤ ω`.
///
/// The distribution is either a truncated power law, with moments in closed form, or a sample of radii from any law. A
/// query of a sample costs O(log n).
#[derive(Clone, Debug)]
pub struct RadiusLaw {
    form: Form,
    size_ratio: f64,
    smallest: f64,
}

#[derive(Clone, Debug)]
enum Form {
    PowerLaw {
        exponent: f64,
        normalization: f64,
    },
    /// Classes sorted by radius: the largest radius of each class, and the moments of all spheres up to this radius.
    Sample {
        radii: Vec<f64>,
        cumulative: Vec<Moments>,
    },
}

impl RadiusLaw {
    /// Creates the truncated power law `f(r) ∝ r^α` on `1 ≤ r ≤ ω` (Krijgsman, Ogarko & Luding 2014, Eqs. 29 and 30).
    ///
    /// The distribution is uniform in size for α = 0, in surface for α = −2 and in volume for α = −3.
    ///
    /// # Errors
    /// If the size ratio is not from 1 to 10¹⁵, or if the powers of the size ratio are not finite with this exponent.
    pub fn power_law(exponent: f64, size_ratio: f64) -> Result<Self, RadiusLawError> {
        check_size_ratio(size_ratio)?;
        let [top, bottom] = [size_ratio, 1.0].map(|r| primitives(exponent, size_ratio, r));
        if top.iter().chain(&bottom).any(|value| !value.is_finite()) {
            return Err(RadiusLawError::Exponent(exponent));
        }
        if size_ratio == 1.0 {
            return Self::from_radii(&[1.0]);
        }
        let [number, ..] = difference(top, bottom);
        let normalization = number.recip();
        if !normalization.is_normal() {
            return Err(RadiusLawError::Exponent(exponent));
        }
        Ok(Self {
            form: Form::PowerLaw {
                exponent,
                normalization,
            },
            size_ratio,
            smallest: 1.0,
        })
    }

    /// Creates the empirical distribution of a sample of radii, in any order and unit. O(n log n).
    ///
    /// # Errors
    /// If the sample is empty, if a radius is not from 10⁻³⁰⁰ to 10³⁰⁰, or if the size ratio is above 10¹⁵.
    pub fn from_radii(radii: &[f64]) -> Result<Self, RadiusLawError> {
        check_radii(radii)?;
        let mut sorted = radii.to_vec();
        sorted.sort_unstable_by(f64::total_cmp);
        let smallest = sorted[0];
        check_size_ratio(sorted[sorted.len() - 1] / smallest)?;
        Ok(Self::from_classes(
            smallest,
            sorted.into_iter().map(|radius| {
                let r = radius / smallest;
                (r, powers(1.0, r))
            }),
        ))
    }

    /// Creates the empirical distribution of a sample in 64 classes per factor 2 of the radius. O(n), without sorting.
    ///
    /// Moments up to the largest radius of a class are exact. All spheres of a class count as spheres of its largest
    /// radius when they are assigned to levels.
    ///
    /// # Errors
    /// If the sample is empty, if a radius is not from 10⁻³⁰⁰ to 10³⁰⁰, or if the size ratio is above 10¹⁵.
    pub fn binned(radii: &[f64]) -> Result<Self, RadiusLawError> {
        check_radii(radii)?;
        // The exponent and the leading digits of a positive number rise with the number: a logarithm at no cost.
        let bin =
            |radius: f64| (radius.to_bits() >> (f64::MANTISSA_DIGITS - 1 - BIN_DIGITS)) as usize;
        let (smallest, largest) = radii
            .iter()
            .fold((f64::INFINITY, 0.0_f64), |(low, high), &radius| {
                (low.min(radius), high.max(radius))
            });
        check_size_ratio(largest / smallest)?;
        let first = bin(smallest);
        let mut bins = vec![(0.0_f64, [0.0; 4]); bin(largest) - first + 1];
        for &radius in radii {
            let r = radius / smallest;
            let (highest, moments) = &mut bins[bin(radius) - first];
            *highest = highest.max(r);
            for (moment, power) in moments.iter_mut().zip(powers(1.0, r)) {
                *moment += power;
            }
        }
        Ok(Self::from_classes(
            smallest,
            bins.into_iter().filter(|(_, moments)| moments[0] > 0.0),
        ))
    }

    /// Creates the distribution of the radii of a law.
    ///
    /// Power laws are exact, and so are laws in classes. Other continuous laws are replaced by 256 classes per factor 2 of
    /// the diameter, so that rare large spheres are never lost.
    ///
    /// # Errors
    /// If the size ratio is above 10¹⁵, or if the powers of the size ratio are not finite with the exponent of a power law.
    pub fn from_distribution(law: &SizeDistribution) -> Result<Self, RadiusLawError> {
        let (d_min, d_max) = (law.d_min(), law.d_max());
        check_size_ratio(d_max / d_min)?;
        let exponent = match law {
            SizeDistribution::PowerLaw(law) => Some(law.exponent()),
            SizeDistribution::UniformSize(_) => Some(0.0),
            SizeDistribution::UniformVolume(_) => Some(-3.0),
            _ => None,
        };
        let law = match (exponent, law.classes()) {
            (Some(exponent), _) => Self::power_law(exponent, d_max / d_min)?,
            (None, Some(classes)) => Self::from_classes(
                1.0,
                classes.iter().map(|class| {
                    let r = class.diameter / d_min;
                    (r, powers(class.number_share, r))
                }),
            ),
            (None, None) => Self::from_classes(1.0, fine_classes(law)),
        };
        Ok(Self {
            smallest: 0.5 * d_min,
            ..law
        })
    }

    /// Creates the distribution of at least one class. Classes come sorted by radius, each with the sums of the powers of its
    /// radii.
    fn from_classes(smallest: f64, classes: impl Iterator<Item = (f64, Moments)>) -> Self {
        let mut radii: Vec<f64> = Vec::new();
        let mut cumulative: Vec<Moments> = Vec::new();
        let mut sums = [0.0; 4];
        for (radius, moments) in classes {
            sums = std::array::from_fn(|k| sums[k] + moments[k]);
            if radii.last() == Some(&radius) {
                cumulative.pop();
            } else {
                radii.push(radius);
            }
            cumulative.push(sums);
        }
        for moments in &mut cumulative {
            *moments = moments.map(|moment| moment / sums[0]);
        }
        Self {
            size_ratio: *radii.last().expect("every law and sample has a class"),
            form: Form::Sample { radii, cumulative },
            smallest,
        }
    }

    /// Returns the size ratio ω: the largest radius over the smallest.
    pub fn size_ratio(&self) -> f64 {
        self.size_ratio
    }

    /// Returns the smallest radius in the user's unit. It is the unit of every length in this module.
    ///
    /// The smallest radius of [`RadiusLaw::power_law`] is 1.
    pub fn smallest_radius(&self) -> f64 {
        self.smallest
    }

    /// Returns the share of the spheres with radii above `a` and not above `b`, both in units of the smallest radius.
    pub fn number_share(&self, a: f64, b: f64) -> f64 {
        self.partial_moments(a, b)[0]
    }

    /// Returns the moments `∫_a^b r^k f(r) dr` for k = 0, 1, 2, 3, with radii in units of the smallest radius.
    ///
    /// A sample counts the radii above `a` and not above `b`. The moments are negative if `a > b`. A limit that is NaN
    /// counts as a limit below the smallest radius.
    pub fn partial_moments(&self, a: f64, b: f64) -> [f64; 4] {
        difference(self.moments_up_to(b), self.moments_up_to(a))
    }

    /// Returns the moments of all radii up to `r`, plus a constant that differences do not contain.
    pub(super) fn moments_up_to(&self, r: f64) -> Moments {
        match &self.form {
            Form::PowerLaw {
                exponent,
                normalization,
            } => {
                // Unlike `clamp`, `max` turns NaN into 1.
                let r = r.max(1.0).min(self.size_ratio);
                primitives(*exponent, self.size_ratio, r).map(|value| value * normalization)
            }
            Form::Sample { radii, cumulative } => {
                match radii.partition_point(|&radius| radius <= r) {
                    0 => [0.0; 4],
                    count => cumulative[count - 1],
                }
            }
        }
    }

    /// Returns the largest radius that occurs in `(a, b]`; `b` if none occurs.
    pub(super) fn largest_in(&self, a: f64, b: f64) -> f64 {
        match &self.form {
            Form::PowerLaw { .. } => b,
            Form::Sample { radii, .. } => radii[..radii.partition_point(|&radius| radius <= b)]
                .last()
                .filter(|&&radius| radius > a)
                .map_or(b, |&radius| radius),
        }
    }

    /// Returns the largest radius above `a` for which `fits` holds. `fits` must hold up to some radius and not beyond it.
    ///
    /// If `fits` holds for no radius of a sample above `a`, the result is the smallest of these radii.
    pub(super) fn largest_fitting(&self, a: f64, fits: impl Fn(f64) -> bool) -> f64 {
        match &self.form {
            Form::PowerLaw { .. } => {
                if fits(self.size_ratio) {
                    return self.size_ratio;
                }
                let (mut low, mut high) = (a, self.size_ratio);
                loop {
                    let middle = 0.5 * (low + high);
                    if middle <= low || middle >= high {
                        return low;
                    }
                    *(if fits(middle) { &mut low } else { &mut high }) = middle;
                }
            }
            Form::Sample { radii, .. } => {
                let above = &radii[radii.partition_point(|&radius| radius <= a)..];
                let count = above.partition_point(|&radius| fits(radius));
                above
                    .get(count.saturating_sub(1))
                    .copied()
                    .unwrap_or(self.size_ratio)
            }
        }
    }
}

/// Returns the moments of a share of spheres with radius `r`.
fn powers(share: f64, r: f64) -> Moments {
    [share, share * r, share * r * r, share * r * r * r]
}

/// Returns narrow classes of a continuous law: for each class its largest radius, in units of the smallest radius of the
/// law, and its moments.
///
/// The number share of a class follows from the curve by number or from the curve by mass, whichever is more exact.
/// Where small spheres abound, rounding loses number shares near the top and mass shares near the bottom.
fn fine_classes(law: &SizeDistribution) -> impl Iterator<Item = (f64, Moments)> {
    let (d_min, size_ratio) = (law.d_min(), law.size_ratio());
    let count = (CLASSES_PER_DOUBLING * size_ratio.log2())
        .ceil()
        .max(MIN_CLASSES) as usize;
    let mean_cube = law.raw_moment(3) / (d_min * d_min * d_min);
    let edge = move |i: usize| match i {
        i if i == count => size_ratio,
        i => size_ratio.powf(i as f64 / count as f64),
    };
    (0..count).map(move |i| {
        let (from, to) = (edge(i), edge(i + 1));
        let between = |share: &dyn Fn(f64) -> f64| {
            share(to * d_min) - if i == 0 { 0.0 } else { share(from * d_min) }
        };
        let number = between(&|d| law.number_cdf(d));
        let mass = between(&|d| law.mass_cdf(d));
        let r = (from * to).sqrt();
        let share = if number >= mass {
            number
        } else {
            mass * mean_cube / (r * r * r)
        };
        (to, powers(share, r))
    })
}

fn check_radii(radii: &[f64]) -> Result<(), RadiusLawError> {
    if radii.is_empty() {
        return Err(RadiusLawError::Empty);
    }
    match radii.iter().position(|r| !RADIUS_RANGE.contains(r)) {
        Some(position) => Err(RadiusLawError::Radius {
            position,
            value: radii[position],
        }),
        None => Ok(()),
    }
}

fn check_size_ratio(size_ratio: f64) -> Result<(), RadiusLawError> {
    if (1.0..=MAX_SIZE_RATIO).contains(&size_ratio) {
        Ok(())
    } else {
        Err(RadiusLawError::SizeRatio(size_ratio))
    }
}

/// Returns the antiderivatives of `r^(α+k)` at `r` for k = 0…3.
fn primitives(exponent: f64, size_ratio: f64, r: f64) -> Moments {
    std::array::from_fn(|k| {
        let n = exponent + k as f64 + 1.0;
        // Each branch keeps differences exact. The difference of r^n/n vanishes in rounding as n → 0; expm1 loses
        // differences at the far end of a steep law.
        if n == 0.0 {
            r.ln()
        } else if n.abs() * size_ratio.ln() < 1.0 {
            (n * r.ln()).exp_m1() / n
        } else {
            r.powf(n) / n
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::distribution::SizeSpec;

    /// Returns `∫_a^b r^(α+k) dr` by Simpson's rule in ln r.
    fn integral(exponent: f64, k: usize, a: f64, b: f64) -> f64 {
        let steps = 2000;
        let width = (b / a).ln() / steps as f64;
        (0..=steps)
            .map(|i| {
                let weight = match i {
                    0 => 1.0,
                    i if i == steps => 1.0,
                    i if i % 2 == 1 => 4.0,
                    _ => 2.0,
                };
                let r = a * (width * i as f64).exp();
                weight * r.powf(exponent + k as f64 + 1.0)
            })
            .sum::<f64>()
            * width
            / 3.0
    }

    #[test]
    fn power_law_moments_agree_with_quadrature_at_every_special_exponent() {
        for exponent in [
            1.5,
            0.0,
            -1.0,
            -1.0 + 1e-12,
            -2.0,
            -2.5,
            -3.0,
            -4.0,
            -5.0,
            -9.0,
        ] {
            let law = RadiusLaw::power_law(exponent, 30.0).unwrap();
            let norm = integral(exponent, 0, 1.0, 30.0);
            for k in 0..4 {
                for (a, b) in [(1.0, 30.0), (1.0, 1.5), (7.0, 8.0), (29.0, 30.0)] {
                    let expected = integral(exponent, k, a, b) / norm;
                    let found = law.partial_moments(a, b)[k];
                    assert!(
                        (found / expected - 1.0).abs() < 1e-9,
                        "α = {exponent}, k = {k}, {a}..{b}: {found} instead of {expected}"
                    );
                }
            }
        }
    }

    #[test]
    fn shares_and_moments_of_a_sample_are_exact() {
        let law = RadiusLaw::from_radii(&[4.0, 2.0, 2.0, 6.0]).unwrap();
        assert_eq!(law.smallest_radius(), 2.0);
        assert_eq!(law.size_ratio(), 3.0);
        assert_eq!(law.number_share(0.0, 1.0), 0.5);
        assert_eq!(law.number_share(1.0, 2.0), 0.25);
        assert_eq!(law.number_share(1.0, 1.99), 0.0);
        assert_eq!(
            law.partial_moments(0.0, 3.0)[3],
            (1.0 + 1.0 + 8.0 + 27.0) / 4.0
        );
    }

    #[test]
    fn classes_keep_the_moments_of_the_sample() {
        let radii: Vec<f64> = (0..5000).map(|i| 0.3 * (1.0 + 0.01 * i as f64)).collect();
        let (exact, binned) = (
            RadiusLaw::from_radii(&radii).unwrap(),
            RadiusLaw::binned(&radii).unwrap(),
        );
        let Form::Sample { radii: classes, .. } = &binned.form else {
            panic!("a sample in classes has the form of a sample");
        };
        assert!(classes.len() < 64 * 6 + 1, "{} classes", classes.len());
        assert_eq!(binned.size_ratio(), exact.size_ratio());
        for &radius in classes {
            for k in 0..4 {
                let (a, b) = (
                    exact.partial_moments(0.0, radius)[k],
                    binned.partial_moments(0.0, radius)[k],
                );
                assert!(
                    (a / b - 1.0).abs() < 1e-9,
                    "r = {radius}, k = {k}: {a}, {b}"
                );
            }
        }
    }

    #[test]
    fn distributions_keep_their_moments() {
        let law = |text: &str| {
            let sizes = SizeSpec::load(text).unwrap().distribution;
            RadiusLaw::from_distribution(&sizes).unwrap()
        };
        let close = |a: &RadiusLaw, b: &RadiusLaw, tolerance: f64| {
            assert_eq!(a.smallest_radius(), b.smallest_radius());
            assert!((a.size_ratio() / b.size_ratio() - 1.0).abs() < 1e-12);
            for k in 0..4 {
                for (from, to) in [(0.0, 3.0), (2.0, 25.0), (0.0, 1e9), (900.0, 1e9)] {
                    let (a, b) = (
                        a.partial_moments(from, to)[k],
                        b.partial_moments(from, to)[k],
                    );
                    assert!(
                        (a / b - 1.0).abs() < tolerance,
                        "k = {k}, {from}..{to}: {a}, {b}"
                    );
                }
            }
        };
        // A mass curve proportional to the diameter is also a power law.
        let uniform_volume = law("uniform-volume:d_min=2,d_max=2000");
        assert!(matches!(uniform_volume.form, Form::PowerLaw { .. }));
        close(
            &law("andreasen:d_min=2,d_max=2000,q=1"),
            &uniform_volume,
            0.01,
        );
        let equal = law("mono:d=3");
        assert_eq!((equal.size_ratio(), equal.smallest_radius()), (1.0, 1.5));
        // The narrowest and the widest diameters that a law accepts.
        for range in ["d_min=1e-60,d_max=1e-46", "d_min=1e46,d_max=1e60"] {
            let extreme = law(&format!("fuller:{range}"));
            let share = extreme.number_share(0.0, 2.0);
            assert!(share > 0.5 && share < 1.0, "{range}: {share}");
        }
        // A tenth of the mass lies in spheres ten times as wide: one sphere in 9001.
        let mixed = law("bidisperse:d_small=1,d_large=10,mass_small=0.9");
        assert!((mixed.number_share(1.0, 10.0) * 9001.0 - 1.0).abs() < 1e-9);
    }

    #[test]
    fn invalid_laws_are_named() {
        assert_eq!(
            RadiusLaw::from_radii(&[]).unwrap_err(),
            RadiusLawError::Empty
        );
        for bad in [0.0, -1.0, f64::INFINITY] {
            assert_eq!(
                RadiusLaw::binned(&[1.0, bad]).unwrap_err(),
                RadiusLawError::Radius {
                    position: 1,
                    value: bad
                }
            );
        }
        assert!(RadiusLaw::from_radii(&[f64::NAN]).is_err());
        for exponent in [f64::NAN, 2000.0] {
            let error = RadiusLaw::power_law(exponent, 2.0).unwrap_err();
            assert!(matches!(error, RadiusLawError::Exponent(_)), "{error}");
        }
        for size_ratio in [0.5, f64::NAN, 1e16] {
            let error = RadiusLaw::power_law(-3.0, size_ratio).unwrap_err();
            assert!(matches!(error, RadiusLawError::SizeRatio(_)), "{error}");
        }
        for law in [RadiusLaw::from_radii, RadiusLaw::binned] {
            let error = law(&[1e-300, 1e300]).unwrap_err();
            assert!(matches!(error, RadiusLawError::SizeRatio(_)), "{error}");
        }
    }
}
