//! A continuous size distribution of adjacent power laws: the representation of every continuous law.
//!
//! On each segment the number density per ln d is ∝ d^k, so the mass density is ∝ d^(k + 3), or d^(k + 2) of disks. Shares, quantiles and moments
//! have closed forms. A truncated power law is one segment. A sieve curve has one segment between two sieves: k = −2 if the
//! curve is linear in d, k = −3 if it is linear in ln d. A smooth law is divided into many segments, see
//! [`PowerSegments::fit`]. At the exponents k = 0 and k = −3 the integrals are logarithms. `expm1` and `log1p` cover these
//! exponents without a special case.
//!
//! All functions come from `libm`, not from the platform, so a sample has the same bits on every machine.

use std::{fmt, ops::Range};

use super::{
    basis::Basis,
    class_curve::ClassCurve,
    constants::{FITTED_SEGMENTS, SMALLEST_GAP},
    exponential::{log_integral, log_mean_power, offset_at, part_below},
};
use crate::dimension::Dimension;

/// A segment before the weights of all segments are normalized.
#[derive(Clone, Copy, Debug)]
pub(super) struct RawSegment {
    low: f64,
    high: f64,
    /// ln(high / low).
    width: f64,
    slope: f64,
    /// Logarithm of the weight by number.
    log_number: f64,
}

impl RawSegment {
    /// Creates a segment between two diameters, with number density ∝ d^`slope` per ln d.
    ///
    /// `log_number` is the logarithm of its weight by number.
    pub fn by_number(low: f64, high: f64, slope: f64, log_number: f64) -> Self {
        let width = libm::log(high / low);
        Self {
            low,
            high,
            width,
            slope,
            log_number,
        }
    }

    /// Creates a segment between two diameters, with number density ∝ d^`slope` per ln d and a weight by mass.
    ///
    /// [`PowerSegments::new`] leaves out a segment of weight 0.
    pub fn by_mass(dimension: Dimension, [low, high]: [f64; 2], slope: f64, mass: f64) -> Self {
        let unweighted = Self::by_number(low, high, slope, 0.0);
        Self {
            log_number: libm::log(mass) - unweighted.log_mass(dimension),
            ..unweighted
        }
    }

    fn log_mass(&self, dimension: Dimension) -> f64 {
        let power = dimension.exponent();
        let mean = log_mean_power(self.slope, power, self.width);
        self.log_number + power * libm::log(self.low) + mean
    }
}

/// The shares of the number or the mass below a segment and inside it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Share {
    below: f64,
    inside: f64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Segment {
    low: f64,
    width: f64,
    slope: f64,
    number: Share,
    mass: Share,
}

impl Segment {
    fn share(&self, basis: Basis) -> Share {
        match basis {
            Basis::Number => self.number,
            Basis::Mass => self.mass,
        }
    }

    fn slope(&self, basis: Basis, dimension: Dimension) -> f64 {
        match basis {
            Basis::Number => self.slope,
            Basis::Mass => self.slope + dimension.exponent(),
        }
    }

    fn diameter(&self, offset: f64) -> f64 {
        self.low * libm::exp(offset)
    }
}

/// A point of the curve: a segment, and ln(d / low) inside it.
#[derive(Clone, Copy, Debug, Default)]
struct CurvePoint {
    segment: usize,
    offset: f64,
}

/// Segments sorted by diameter; the module documentation describes them.
#[derive(Clone, PartialEq)]
pub(super) struct PowerSegments {
    dimension: Dimension,
    segments: Vec<Segment>,
    d_min: f64,
    d_max: f64,
    parts: Option<Box<Parts>>,
}

/// The parts of a distribution with gaps, in which no diameter lies.
#[derive(Clone, PartialEq)]
pub(super) struct Parts {
    pub laws: Vec<PowerSegments>,
    /// One class for each part: the diameter of its mean volume, and its shares.
    pub classes: ClassCurve,
}

impl fmt::Debug for PowerSegments {
    /// Writes one line instead of all segments: the law beside the curve shows the parameters.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (count, d_min, d_max) = (self.segments.len(), self.d_min, self.d_max);
        write!(f, "{count} segments from {d_min} to {d_max}")
    }
}

impl PowerSegments {
    /// Creates one power law from `d_min` to `d_max`.
    pub fn single(dimension: Dimension, d_min: f64, d_max: f64, slope: f64) -> Self {
        let segment = RawSegment::by_number(d_min, d_max, slope, 0.0);
        Self::new(dimension, [segment], d_max)
    }

    /// Creates a distribution from segments sorted by diameter.
    ///
    /// At least one segment has a positive weight. `d_max` is the upper end of the last segment with a positive weight.
    pub fn new(
        dimension: Dimension,
        segments: impl IntoIterator<Item = RawSegment>,
        d_max: f64,
    ) -> Self {
        let raw: Vec<RawSegment> = segments
            .into_iter()
            .filter(|segment| segment.log_number > f64::NEG_INFINITY)
            .collect();
        Self {
            parts: Parts::new(dimension, &raw),
            ..Self::adjoining(dimension, &raw, d_max)
        }
    }

    /// Creates a distribution like [`Self::new`], from segments with positive weights, without a search for gaps.
    fn adjoining(dimension: Dimension, raw: &[RawSegment], d_max: f64) -> Self {
        let number = shares(raw.iter().map(|segment| segment.log_number));
        let mass = shares(raw.iter().map(|raw| raw.log_mass(dimension)));
        let segments: Vec<Segment> = (raw.iter().zip(number).zip(mass))
            .map(|((raw, number), mass)| Segment {
                low: raw.low,
                width: raw.width,
                slope: raw.slope,
                number,
                mass,
            })
            .collect();
        Self {
            dimension,
            d_min: segments[0].low,
            d_max,
            segments,
            parts: None,
        }
    }

    /// Creates a smooth law on `range`, from functions of ln d.
    ///
    /// `log_density` is the logarithm of the number density per ln d, and `slope` the derivative of this logarithm. Outside
    /// the diameters `core`, the law is negligible or a power law, and one segment covers each side. Each segment of the
    /// core holds the number of the law to rounding (Gauss–Legendre quadrature) and has the slope at its middle.
    pub fn fit(
        dimension: Dimension,
        range: (f64, f64),
        core: (f64, f64),
        log_density: impl Fn(f64) -> f64,
        slope: impl Fn(f64) -> f64,
    ) -> Self {
        let ends = (libm::log(range.0), libm::log(range.1));
        let (low, high) = (
            libm::log(core.0.max(range.0)),
            libm::log(core.1.min(range.1)),
        );
        // The segment on one side of the core, from its end `at` on. The sign is that of the direction.
        let beside = |at: f64, width: f64, sign: f64, [low, high]: [f64; 2]| RawSegment {
            low,
            high,
            width,
            slope: slope(at),
            log_number: log_density(at) + log_integral(sign * slope(at), width),
        };
        let mut segments = Vec::with_capacity(FITTED_SEGMENTS + 2);
        if low > ends.0 {
            segments.push(beside(low, low - ends.0, -1.0, [range.0, libm::exp(low)]));
        }
        let step = (high - low) / FITTED_SEGMENTS as f64;
        segments.extend((0..FITTED_SEGMENTS).map(|i| {
            let start = low + step * i as f64;
            let middle = start + 0.5 * step;
            RawSegment {
                low: if start > ends.0 {
                    libm::exp(start)
                } else {
                    range.0
                },
                high: libm::exp(start + step),
                width: step,
                slope: slope(middle),
                log_number: log_number_about(middle, step, &log_density),
            }
        }));
        if high < ends.1 {
            segments.push(beside(high, ends.1 - high, 1.0, [libm::exp(high), range.1]));
        }
        Self::new(dimension, segments, range.1)
    }

    /// Returns the same distribution for diameters that are larger by a factor.
    pub fn scaled(&self, factor: f64) -> Self {
        let segment = |segment: &Segment| Segment {
            low: segment.low * factor,
            ..*segment
        };
        let parts = self.parts.as_deref().map(|parts| Parts {
            laws: parts.laws.iter().map(|law| law.scaled(factor)).collect(),
            classes: parts.classes.scaled(factor),
        });
        Self {
            dimension: self.dimension,
            segments: self.segments.iter().map(segment).collect(),
            d_min: self.d_min * factor,
            d_max: self.d_max * factor,
            parts: parts.map(Box::new),
        }
    }

    /// Returns the distribution between two diameters; `None` if no sphere lies there.
    pub fn cut(&self, low: f64, high: f64) -> Option<Self> {
        let high = high.min(self.d_max);
        let between = |segment: &Segment| {
            let &Segment { slope, width, .. } = segment;
            let (from, end) = (segment.low.max(low), segment.diameter(width));
            let is_inside = end * (1.0 + SMALLEST_GAP) < high;
            let to = if is_inside { end } else { high };
            // ∫ e^(kx) from a on is e^(ka) ∫ e^(kx) from 0 on.
            let start = slope * libm::log(from / segment.low) - log_integral(slope, width);
            let log_number = libm::log(segment.number.inside) + start;
            let inside = RawSegment::by_number(from, to, slope, log_number);
            (from < to && segment.number.inside > 0.0).then(|| RawSegment {
                log_number: log_number + log_integral(slope, inside.width),
                ..inside
            })
        };
        let raw: Vec<RawSegment> = self.segments.iter().filter_map(between).collect();
        let d_max = raw.last()?.high;
        Some(Self::new(self.dimension, raw, d_max))
    }

    /// Returns the dimension of the spheres.
    pub fn dimension(&self) -> Dimension {
        self.dimension
    }

    pub fn d_min(&self) -> f64 {
        self.d_min
    }

    pub fn d_max(&self) -> f64 {
        self.d_max
    }

    /// Returns the parts between gaps; `None` for a distribution without gaps.
    pub fn parts(&self) -> Option<&Parts> {
        self.parts.as_deref()
    }

    /// Returns the nearest diameter of the support, on a logarithmic scale.
    pub fn within_support(&self, diameter: f64) -> f64 {
        let Some(parts) = &self.parts else {
            return diameter.clamp(self.d_min, self.d_max);
        };
        let laws = &parts.laws;
        let above = laws.partition_point(|law| law.d_max < diameter);
        match (above.checked_sub(1).map(|i| &laws[i]), laws.get(above)) {
            (Some(below), Some(above)) if diameter < above.d_min => {
                if diameter / below.d_max < above.d_min / diameter {
                    below.d_max
                } else {
                    above.d_min
                }
            }
            _ => diameter.clamp(self.d_min, self.d_max),
        }
    }

    /// Returns the share of the number or the mass at or below a diameter.
    pub fn cdf(&self, basis: Basis, diameter: f64) -> f64 {
        if diameter >= self.d_max {
            return 1.0;
        }
        let after = self
            .segments
            .partition_point(|segment| segment.low < diameter);
        let Some(segment) = after.checked_sub(1).map(|i| &self.segments[i]) else {
            return 0.0;
        };
        let offset = libm::log(diameter / segment.low).min(segment.width);
        let Share { below, inside } = segment.share(basis);
        let part = part_below(segment.slope(basis, self.dimension), offset, segment.width);
        // With rounding errors, the sum of the shares can exceed 1.
        (below + inside * part).min(1.0)
    }

    /// Returns the diameter below which the given share of the number or the mass lies.
    pub fn quantile(&self, basis: Basis, share: f64) -> f64 {
        let CurvePoint { segment, offset } = self.point(basis, share);
        let diameter = self.segments[segment].diameter(offset);
        self.within_support(diameter)
    }

    /// Returns the mean of d^`power` by number.
    pub fn raw_moment(&self, power: f64) -> f64 {
        self.segments
            .iter()
            .map(|segment| {
                let mean = log_mean_power(segment.slope, power, segment.width);
                segment.number.inside * libm::exp(power * libm::log(segment.low) + mean)
            })
            .sum()
    }

    /// Returns the diameters of a share of `n` spheres, sorted: one for each `1/n` of the number, with the mean volume of that part.
    ///
    /// The distribution must have no gaps: a mean can lie in a gap.
    pub fn strata(&self, n: usize, share: Range<usize>) -> Vec<f64> {
        let end = CurvePoint {
            segment: self.segments.len() - 1,
            offset: f64::INFINITY,
        };
        let at = |i: usize| match i {
            0 => CurvePoint::default(),
            i if i == n => end,
            i => self.point(Basis::Number, i as f64 / n as f64),
        };
        let mut from = at(share.start);
        share
            .map(|i| {
                let to = at(i + 1);
                let diameter = self.dimension.root(self.mean_cube(from, to));
                from = to;
                diameter.clamp(self.d_min, self.d_max)
            })
            .collect()
    }

    fn point(&self, basis: Basis, share: f64) -> CurvePoint {
        let after = self
            .segments
            .partition_point(|segment| segment.share(basis).below < share);
        let segment = after.saturating_sub(1);
        let Segment { width, .. } = self.segments[segment];
        let Share { below, inside } = self.segments[segment].share(basis);
        // A share that underflowed to 0 cannot be divided.
        let part = if inside > 0.0 {
            ((share - below) / inside).clamp(0.0, 1.0)
        } else {
            1.0
        };
        let slope = self.segments[segment].slope(basis, self.dimension);
        CurvePoint {
            segment,
            offset: offset_at(slope, part, width),
        }
    }

    /// Returns the mean of d³ by number, or of d² of disks, between two points of the curve.
    fn mean_cube(&self, from: CurvePoint, to: CurvePoint) -> f64 {
        let dimension = self.dimension;
        let (mut number, mut cubes) = (0.0, 0.0);
        for i in from.segment..=to.segment {
            let segment = &self.segments[i];
            let start = if i == from.segment { from.offset } else { 0.0 };
            let end = if i == to.segment {
                to.offset.min(segment.width)
            } else {
                segment.width
            };
            if end <= start {
                continue;
            }
            let slope = segment.slope;
            let low = segment.diameter(start);
            let mean = log_mean_power(slope, dimension.exponent(), end - start);
            let cube = dimension.power(low) * libm::exp(mean);
            if from.segment == to.segment {
                return cube;
            }
            let part =
                part_below(slope, end, segment.width) - part_below(slope, start, segment.width);
            number += segment.number.inside * part;
            cubes += segment.number.inside * part * cube;
        }
        if number > 0.0 {
            cubes / number
        } else {
            let segment = &self.segments[to.segment];
            let diameter = segment.diameter(to.offset.min(segment.width));
            dimension.power(diameter)
        }
    }
}

impl Parts {
    /// Divides segments at gaps; `None` without gaps.
    fn new(dimension: Dimension, raw: &[RawSegment]) -> Option<Box<Self>> {
        let adjoin = |a: &RawSegment, b: &RawSegment| b.low <= a.high * (1.0 + SMALLEST_GAP);
        let laws: Vec<PowerSegments> = raw
            .chunk_by(adjoin)
            .map(|part| PowerSegments::adjoining(dimension, part, part[part.len() - 1].high))
            .collect();
        if laws.len() < 2 {
            return None;
        }
        let mut masses = shares(raw.iter().map(|raw| raw.log_mass(dimension))).into_iter();
        let classes: Vec<(f64, f64)> = laws
            .iter()
            .map(|law| {
                let masses = masses.by_ref().take(law.segments.len());
                let mass = masses.map(|share| share.inside).sum();
                let mean = law.raw_moment(dimension.exponent());
                (dimension.root(mean), mass)
            })
            .collect();
        let classes = ClassCurve::new(dimension, Basis::Mass, &classes);
        Some(Box::new(Self { laws, classes }))
    }
}

/// Returns the logarithm of ∫ exp(`log_density`) over an interval, by Gauss–Legendre quadrature with three points.
fn log_number_about(middle: f64, width: f64, log_density: impl Fn(f64) -> f64) -> f64 {
    let peak = log_density(middle);
    let distance = 0.5 * width * 0.6_f64.sqrt();
    let sum: f64 = [(-distance, 5.0), (0.0, 8.0), (distance, 5.0)]
        .iter()
        .map(|(at, weight)| weight * libm::exp(log_density(middle + at) - peak))
        .sum();
    peak + libm::log(sum / 18.0 * width)
}

/// Returns the shares of a whole from the logarithms of its parts.
fn shares(logs: impl Iterator<Item = f64> + Clone) -> Vec<Share> {
    let largest = logs.clone().fold(f64::NEG_INFINITY, f64::max);
    let weights: Vec<f64> = logs.map(|log| libm::exp(log - largest)).collect();
    let total: f64 = weights.iter().sum();
    let mut below = 0.0;
    weights
        .into_iter()
        .map(|weight| {
            let share = Share {
                below,
                inside: weight / total,
            };
            below += share.inside;
            share
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns `∫ d^(power + slope) dln d / ∫ d^slope dln d` by Simpson's rule.
    fn moment_by_quadrature(low: f64, high: f64, slope: f64, power: f64) -> f64 {
        let integral = |exponent: f64| {
            let steps = 20_000;
            let width = (high / low).ln() / steps as f64;
            (0..=steps)
                .map(|i| {
                    let weight = if i == 0 || i == steps {
                        1.0
                    } else {
                        2.0 + 2.0 * (i % 2) as f64
                    };
                    weight * (exponent * (low.ln() + width * i as f64)).exp()
                })
                .sum::<f64>()
        };
        integral(slope + power) / integral(slope)
    }

    #[test]
    fn moments_and_shares_are_right_at_and_beside_the_special_exponents() {
        for slope in [0.0, 1e-20, 1e-12, -3.0, -3.0 + 1e-12, -2.0, 1.0, -7.5, 12.0] {
            let law = PowerSegments::single(Dimension::Three, 0.5, 8.0, slope);
            for power in 1..=4 {
                let expected = moment_by_quadrature(0.5, 8.0, slope, f64::from(power));
                let ratio = law.raw_moment(f64::from(power)) / expected;
                assert!(
                    (ratio - 1.0).abs() < 1e-11,
                    "slope {slope} power {power}: {ratio}"
                );
            }
            for basis in [Basis::Number, Basis::Mass] {
                for u in [0.0, 1e-9, 0.25, 0.5, 0.999, 1.0] {
                    let there_and_back = law.cdf(basis, law.quantile(basis, u));
                    assert!(
                        (there_and_back - u).abs() < 1e-14,
                        "slope {slope} u {u}: {there_and_back}"
                    );
                }
            }
        }
    }

    #[test]
    fn a_power_law_divided_into_segments_stays_the_same() {
        let whole = PowerSegments::single(Dimension::Three, 1.0, 100.0, -2.5);
        let cut = PowerSegments::fit(
            Dimension::Three,
            (1.0, 100.0),
            (2.0, 50.0),
            |x| -2.5 * x,
            |_| -2.5,
        );
        for i in 0..=50 {
            let diameter = 100f64.powf(f64::from(i) / 50.0);
            for basis in [Basis::Number, Basis::Mass] {
                let difference = whole.cdf(basis, diameter) - cut.cdf(basis, diameter);
                assert!(
                    difference.abs() < 1e-12,
                    "{basis:?} at {diameter}: {difference}"
                );
            }
        }
        let strata = [&whole, &cut].map(|law| law.strata(1000, 0..1000));
        for (a, b) in strata[0].iter().zip(&strata[1]) {
            assert!((a / b - 1.0).abs() < 1e-9, "{a} {b}");
        }
    }

    #[test]
    fn strata_keep_the_mean_volume() {
        for slope in [-2.5, 0.0, -3.0, 4.0] {
            let law = PowerSegments::single(Dimension::Three, 0.1, 30.0, slope);
            for n in [1, 2, 7, 1000] {
                let cubes: f64 = law.strata(n, 0..n).iter().map(|d| d * d * d).sum();
                let ratio = cubes / (n as f64 * law.raw_moment(3.0));
                assert!(
                    (ratio - 1.0).abs() < 1e-10,
                    "slope {slope}, {n} spheres: {ratio}"
                );
            }
        }
    }

    #[test]
    fn extreme_size_ratios_stay_finite() {
        for slope in [-100.0, -3.0, 0.0, 100.0] {
            let law = PowerSegments::single(Dimension::Three, 1e-60, 1e60, slope);
            assert!(law.raw_moment(3.0).is_finite());
            for diameter in law.strata(10, 0..10) {
                assert!((1e-60..=1e60).contains(&diameter), "{diameter}");
            }
            assert!(law.cdf(Basis::Mass, 1.0).is_finite());
        }
    }
}
