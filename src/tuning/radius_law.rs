//! Number distributions of radii, as the cost model needs them: by their partial moments.

use crate::distribution::SizeDistribution;

/// A distribution of radii that no cost can be computed for.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum RadiusLawError {
    /// There is no radius at all.
    #[error("the sample of radii is empty; at least one radius is needed")]
    Empty,
    /// A radius that is not positive and finite.
    #[error(
        "radius {value} at position {position} of the sample; it must be a positive, finite number"
    )]
    Radius {
        /// Where in the sample, from 0.
        position: usize,
        /// The radius.
        value: f64,
    },
    /// A power law's exponent that is not finite, or so large that the powers of the size ratio are not.
    #[error(
        "power-law exponent {0}; it must be a finite number and leave the powers of the size ratio finite"
    )]
    Exponent(f64),
    /// A size ratio below 1 or beyond all sense.
    #[error("size ratio {0}; it must be a number from 1 to {MAX_SIZE_RATIO:e}")]
    SizeRatio(f64),
}

/// The largest size ratio, so that moments are finite.
const MAX_SIZE_RATIO: f64 = 1e15;

/// `∫ r^k f(r) dr` for k = 0, 1, 2, 3 over some range of radii.
pub(super) type Moments = [f64; 4];

/// Componentwise `a − b`.
pub(super) fn difference(a: Moments, b: Moments) -> Moments {
    std::array::from_fn(|k| a[k] - b[k])
}

/// A normalised number distribution `f(r)` of radii in units of the smallest, so that `1 ≤ r ≤ ω`.
///
/// Either a truncated power law, with the moments in closed form, or a sample of radii from any law
/// whatever. A sample costs O(log n) per question.
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
        normalisation: f64,
    },
    /// By rising radius: the largest radius of each class and the moments of all spheres up to there.
    Sample {
        radii: Vec<f64>,
        cumulative: Vec<Moments>,
    },
}

impl RadiusLaw {
    /// The truncated power law `f(r) ∝ r^α` on `1 ≤ r ≤ ω` (Krijgsman et al. 2014, Eqs. 29 and 30).
    ///
    /// α = 0 is uniform in size, −2 in surface and −3 in volume.
    ///
    /// # Errors
    /// When the size ratio is not between 1 and 10¹⁵, or the exponent does not leave its powers finite.
    pub fn power_law(exponent: f64, size_ratio: f64) -> Result<Self, RadiusLawError> {
        check_size_ratio(size_ratio)?;
        let ends = [size_ratio, 1.0].map(|r| primitives(exponent, size_ratio, r));
        if ends.as_flattened().iter().any(|value| !value.is_finite()) {
            return Err(RadiusLawError::Exponent(exponent));
        }
        if size_ratio == 1.0 {
            return Self::from_radii(&[1.0]);
        }
        let [number, ..] = difference(ends[0], ends[1]);
        Ok(Self {
            form: Form::PowerLaw {
                exponent,
                normalisation: number.recip(),
            },
            size_ratio,
            smallest: 1.0,
        })
    }

    /// The empirical distribution of a sample, in any order and unit. O(n log n).
    ///
    /// # Errors
    /// When the sample is empty, holds a radius that is not positive and finite, or is wider than a size ratio of 10¹⁵.
    pub fn from_radii(radii: &[f64]) -> Result<Self, RadiusLawError> {
        check(radii)?;
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

    /// The empirical distribution of a sample, gathered into 64 classes per factor 2 of the radius. O(n), without sorting.
    ///
    /// Moments up to the largest radius of a class are those of the sample; in between the class counts
    /// as being of that radius.
    ///
    /// # Errors
    /// When the sample is empty, holds a radius that is not positive and finite, or is wider than a size ratio of 10¹⁵.
    pub fn binned(radii: &[f64]) -> Result<Self, RadiusLawError> {
        check(radii)?;
        // Exponent and leading mantissa bits of a positive number rise with it: a logarithm for free.
        let bin = |radius: f64| (radius.to_bits() >> (f64::MANTISSA_DIGITS - 1 - 6)) as usize;
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

    /// The distribution of the radii of a law: power laws analytically, laws in classes with their exact shares, and
    /// continuous ones in 256 classes per factor 2 of the diameter, so that the rare largest spheres are never left out.
    ///
    /// # Errors
    /// When the law is wider than a size ratio of 10¹⁵, or its exponent does not leave the powers of the ratio finite.
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

    /// From classes by rising radius, each with the sums of the powers of its radii.
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
            size_ratio: *radii.last().expect("a sample is not empty"),
            form: Form::Sample { radii, cumulative },
            smallest,
        }
    }

    /// The size ratio ω: largest radius over smallest.
    pub fn size_ratio(&self) -> f64 {
        self.size_ratio
    }

    /// The smallest radius in the unit of the sample, which is the unit of every length in this module; 1 for a power law.
    pub fn smallest_radius(&self) -> f64 {
        self.smallest
    }

    /// The share of the spheres with radii above `a` and not above `b`, in units of the smallest radius.
    pub fn number_share(&self, a: f64, b: f64) -> f64 {
        self.partial_moment(0, a, b)
    }

    /// `∫_a^b r^k f(r) dr` for k from 0 to 3, with radii in units of the smallest. A sample counts radii in `(a, b]`.
    ///
    /// # Panics
    /// When `k` is above 3.
    pub fn partial_moment(&self, k: usize, a: f64, b: f64) -> f64 {
        self.below(b)[k] - self.below(a)[k]
    }

    /// The moments up to and with radius `r`, less a constant that differences are free of.
    pub(super) fn below(&self, r: f64) -> Moments {
        match &self.form {
            Form::PowerLaw {
                exponent,
                normalisation,
            } => primitives(*exponent, self.size_ratio, r.clamp(1.0, self.size_ratio))
                .map(|value| value * normalisation),
            Form::Sample { radii, cumulative } => {
                match radii.partition_point(|&radius| radius <= r) {
                    0 => [0.0; 4],
                    count => cumulative[count - 1],
                }
            }
        }
    }

    /// The largest radius that occurs in `(a, b]`, or `b` when none does.
    pub(super) fn largest_in(&self, a: f64, b: f64) -> f64 {
        match &self.form {
            Form::PowerLaw { .. } => b,
            Form::Sample { radii, .. } => radii[..radii.partition_point(|&radius| radius <= b)]
                .last()
                .filter(|&&radius| radius > a)
                .map_or(b, |&radius| radius),
        }
    }

    /// The largest radius above `a` for which `fits` holds, which must hold up to some radius and not beyond;
    /// a sample's next radius above `a` if it holds for none.
    pub(super) fn largest_that(&self, a: f64, fits: impl Fn(f64) -> bool) -> f64 {
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

/// The moments of a share of spheres with one radius.
fn powers(share: f64, r: f64) -> Moments {
    [share, share * r, share * r * r, share * r * r * r]
}

/// A continuous law in narrow classes: the largest radius of each, in units of the smallest, and its moments.
///
/// A share is taken from the curve by number or by mass, whichever tells it more exactly: where small spheres abound,
/// shares of number near the top are lost in rounding, and shares of mass near the bottom.
fn fine_classes(law: &SizeDistribution) -> impl Iterator<Item = (f64, Moments)> {
    let (d_min, size_ratio) = (law.d_min(), law.size_ratio());
    let count = (256.0 * size_ratio.log2()).ceil().max(64.0) as usize;
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

fn check(radii: &[f64]) -> Result<(), RadiusLawError> {
    if radii.is_empty() {
        return Err(RadiusLawError::Empty);
    }
    match radii
        .iter()
        .position(|&radius| !(radius > 0.0 && radius.is_finite()))
    {
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

/// Antiderivatives of `r^(α+k)` at `r` for k = 0…3.
fn primitives(exponent: f64, size_ratio: f64, r: f64) -> Moments {
    std::array::from_fn(|k| {
        let n = exponent + k as f64 + 1.0;
        // Each branch keeps differences exact: r^n/n would lose them as n → 0, and expm1 at the
        // far end of a steep law.
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

    /// Simpson's rule in ln r.
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
                    let found = law.partial_moment(k, a, b);
                    assert!(
                        (found / expected - 1.0).abs() < 1e-9,
                        "α = {exponent}, k = {k}, {a}..{b}: {found} instead of {expected}"
                    );
                }
            }
        }
    }

    #[test]
    fn a_sample_counts_what_it_holds() {
        let law = RadiusLaw::from_radii(&[4.0, 2.0, 2.0, 6.0]).unwrap();
        assert_eq!(law.smallest_radius(), 2.0);
        assert_eq!(law.size_ratio(), 3.0);
        assert_eq!(law.number_share(0.0, 1.0), 0.5);
        assert_eq!(law.number_share(1.0, 2.0), 0.25);
        assert_eq!(law.number_share(1.0, 1.99), 0.0);
        assert_eq!(
            law.partial_moment(3, 0.0, 3.0),
            (1.0 + 1.0 + 8.0 + 27.0) / 4.0
        );
    }

    #[test]
    fn binned_classes_hold_the_same_moments() {
        let radii: Vec<f64> = (0..5000).map(|i| 0.3 * (1.0 + 0.01 * i as f64)).collect();
        let (exact, binned) = (
            RadiusLaw::from_radii(&radii).unwrap(),
            RadiusLaw::binned(&radii).unwrap(),
        );
        let Form::Sample { radii: classes, .. } = &binned.form else {
            panic!("a binned sample is a sample");
        };
        assert!(classes.len() < 64 * 6 + 1, "{} classes", classes.len());
        assert_eq!(binned.size_ratio(), exact.size_ratio());
        for &radius in classes {
            for k in 0..4 {
                let (a, b) = (
                    exact.partial_moment(k, 0.0, radius),
                    binned.partial_moment(k, 0.0, radius),
                );
                assert!(
                    (a / b - 1.0).abs() < 1e-9,
                    "r = {radius}, k = {k}: {a}, {b}"
                );
            }
        }
    }

    #[test]
    fn laws_of_sizes_give_their_moments() {
        let law = |text: &str| {
            let sizes = SizeSpec::load(text).unwrap().distribution;
            RadiusLaw::from_distribution(&sizes).unwrap()
        };
        let close = |a: &RadiusLaw, b: &RadiusLaw, tolerance: f64| {
            assert_eq!(a.smallest_radius(), b.smallest_radius());
            assert!((a.size_ratio() / b.size_ratio() - 1.0).abs() < 1e-12);
            for k in 0..4 {
                for (from, to) in [(0.0, 3.0), (2.0, 25.0), (0.0, 1e9), (900.0, 1e9)] {
                    let (a, b) = (a.partial_moment(k, from, to), b.partial_moment(k, from, to));
                    assert!(
                        (a / b - 1.0).abs() < tolerance,
                        "k = {k}, {from}..{to}: {a}, {b}"
                    );
                }
            }
        };
        // Mass in proportion to the diameter is a power law by another name.
        let uniform_volume = law("uniform-volume:d_min=2,d_max=2000");
        assert!(matches!(uniform_volume.form, Form::PowerLaw { .. }));
        close(
            &law("andreasen:d_min=2,d_max=2000,q=1"),
            &uniform_volume,
            0.01,
        );
        let equal = law("mono:d=3");
        assert_eq!((equal.size_ratio(), equal.smallest_radius()), (1.0, 1.5));
        // A tenth of the mass in spheres ten times as wide: one in 9001.
        let mixed = law("bidisperse:d_small=1,d_large=10,mass_small=0.9");
        assert!((mixed.number_share(1.0, 10.0) * 9001.0 - 1.0).abs() < 1e-9);
    }

    #[test]
    fn bad_laws_are_named() {
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
