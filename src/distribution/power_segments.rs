//! A continuous size distribution made of power laws, piece by piece: the engine of every continuous law.
//!
//! On each piece the number density per ln d is ∝ d^k, so the mass density is ∝ d^(k + 3), and shares, quantiles and
//! moments have closed forms. A truncated power law is one piece; a sieve curve is one piece between two sieves
//! (k = −2 where the curve is linear in d, k = −3 where it is linear in ln d); a smooth law is cut into many
//! pieces, see [`PowerSegments::fit`]. The special exponents k = 0 and k = −3, whose integrals are logarithms,
//! need no case of their own because everything is written with `expm1` and `log1p`.
//!
//! All functions come from `libm`, not from the platform, so that a sample has the same bits on every machine.

use std::fmt;

use super::Basis;

/// Pieces of a fitted law; the error of moments and shares falls with the fourth power of this.
const FITTED_PIECES: usize = 2048;

/// What a piece is made from.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece {
    low: f64,
    width: f64,
    slope: f64,
    log_number: f64,
}

impl Piece {
    /// A piece between two diameters with number density ∝ d^`slope` per ln d and the logarithm of its weight by number.
    pub fn by_number(low: f64, high: f64, slope: f64, log_number: f64) -> Self {
        let width = libm::log(high / low);
        Self {
            low,
            width,
            slope,
            log_number,
        }
    }

    /// The same with its weight by mass. A weight of 0 makes a piece that is left out.
    pub fn by_mass(low: f64, high: f64, slope: f64, mass: f64) -> Self {
        let piece = Self::by_number(low, high, slope, 0.0);
        Self {
            log_number: libm::log(mass) - piece.log_mass(),
            ..piece
        }
    }

    fn log_mass(&self) -> f64 {
        self.log_number + 3.0 * libm::log(self.low) + log_mean_power(self.slope, 3.0, self.width)
    }
}

/// The part of a basis (number or mass) that lies below a segment, and in it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Share {
    below: f64,
    here: f64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Segment {
    low: f64,
    /// ln(high / low).
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

    fn slope(&self, basis: Basis) -> f64 {
        match basis {
            Basis::Number => self.slope,
            Basis::Mass => self.slope + 3.0,
        }
    }

    fn diameter(&self, offset: f64) -> f64 {
        self.low * libm::exp(offset)
    }
}

/// A place in the distribution: a segment, and ln(d / low) within it.
#[derive(Clone, Copy, Debug)]
struct Position {
    segment: usize,
    offset: f64,
}

/// The distribution; see the module's text.
#[derive(Clone, PartialEq)]
pub(super) struct PowerSegments {
    segments: Vec<Segment>,
    d_min: f64,
    d_max: f64,
}

impl fmt::Debug for PowerSegments {
    /// In one line: the parameters of the law beside it say more than two thousand segments.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            segments,
            d_min,
            d_max,
        } = self;
        write!(f, "{} segments from {d_min} to {d_max}", segments.len())
    }
}

impl PowerSegments {
    /// One power law from `d_min` to `d_max`.
    pub fn single(d_min: f64, d_max: f64, slope: f64) -> Self {
        Self::new([Piece::by_number(d_min, d_max, slope, 0.0)], d_max)
    }

    /// Pieces by rising diameter, of which at least one has weight; `d_max` is the upper end of the last that has.
    pub fn new(pieces: impl IntoIterator<Item = Piece>, d_max: f64) -> Self {
        let pieces: Vec<Piece> = pieces
            .into_iter()
            .filter(|piece| piece.log_number > f64::NEG_INFINITY)
            .collect();
        let number = shares(pieces.iter().map(|piece| piece.log_number));
        let mass = shares(pieces.iter().map(Piece::log_mass));
        let segments: Vec<Segment> = (pieces.iter().zip(number).zip(mass))
            .map(|((piece, number), mass)| Segment {
                low: piece.low,
                width: piece.width,
                slope: piece.slope,
                number,
                mass,
            })
            .collect();
        Self {
            d_min: segments[0].low,
            d_max,
            segments,
        }
    }

    /// A smooth law on `range`, from the logarithm of its number density per ln d and the slope of that logarithm,
    /// both as functions of ln d, and the `core`: the diameters outside which the law has nothing to speak of
    /// or is a power law.
    ///
    /// Each piece holds the law's number to rounding (Gauss–Legendre) and follows its slope at the middle.
    pub fn fit(
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
        let step = (high - low) / FITTED_PIECES as f64;
        let mut pieces = Vec::with_capacity(FITTED_PIECES + 2);
        if low > ends.0 {
            let (slope, width) = (slope(low), low - ends.0);
            let log_number = log_density(low) + log_integral(-slope, width);
            pieces.push(Piece {
                low: range.0,
                width,
                slope,
                log_number,
            });
        }
        for i in 0..FITTED_PIECES {
            let start = low + step * i as f64;
            let middle = start + 0.5 * step;
            let peak = log_density(middle);
            let reach = 0.5 * step * 0.6_f64.sqrt();
            let sum: f64 = [(-reach, 5.0), (0.0, 8.0), (reach, 5.0)]
                .iter()
                .map(|(at, weight)| weight * libm::exp(log_density(middle + at) - peak))
                .sum();
            pieces.push(Piece {
                low: if start > ends.0 {
                    libm::exp(start)
                } else {
                    range.0
                },
                width: step,
                slope: slope(middle),
                log_number: peak + libm::log(sum / 18.0 * step),
            });
        }
        if high < ends.1 {
            let (slope, width) = (slope(high), ends.1 - high);
            let log_number = log_density(high) + log_integral(slope, width);
            pieces.push(Piece {
                low: libm::exp(high),
                width,
                slope,
                log_number,
            });
        }
        Self::new(pieces, range.1)
    }

    pub fn d_min(&self) -> f64 {
        self.d_min
    }

    pub fn d_max(&self) -> f64 {
        self.d_max
    }

    /// Share of the number or the mass at or below a diameter.
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
        let Share { below, here } = segment.share(basis);
        let part = part_below(segment.slope(basis), offset, segment.width);
        // The shares add up to 1 but for rounding.
        (below + here * part).min(1.0)
    }

    /// The diameter below which the share `u` of the number or the mass lies.
    pub fn quantile(&self, basis: Basis, u: f64) -> f64 {
        let Position { segment, offset } = self.position(basis, u);
        let diameter = self.segments[segment].diameter(offset);
        diameter.clamp(self.d_min, self.d_max)
    }

    /// The mean of d^`power` by number.
    pub fn raw_moment(&self, power: f64) -> f64 {
        self.segments
            .iter()
            .map(|segment| {
                let mean = log_mean_power(segment.slope, power, segment.width);
                segment.number.here * libm::exp(power * libm::log(segment.low) + mean)
            })
            .sum()
    }

    /// The diameters, rising, of `n` spheres: one for each `1/n` of the number, with the mean volume of that part.
    pub fn strata(&self, n: usize) -> Vec<f64> {
        let end = Position {
            segment: self.segments.len() - 1,
            offset: f64::INFINITY,
        };
        let mut from = Position {
            segment: 0,
            offset: 0.0,
        };
        (1..=n)
            .map(|i| {
                let to = if i == n {
                    end
                } else {
                    self.position(Basis::Number, i as f64 / n as f64)
                };
                let diameter = libm::cbrt(self.mean_cube(from, to));
                from = to;
                diameter.clamp(self.d_min, self.d_max)
            })
            .collect()
    }

    fn position(&self, basis: Basis, u: f64) -> Position {
        let after = self
            .segments
            .partition_point(|segment| segment.share(basis).below < u);
        let segment = after.saturating_sub(1);
        let Segment { width, .. } = self.segments[segment];
        let Share { below, here } = self.segments[segment].share(basis);
        // A share that underflowed holds nothing to divide.
        let part = if here > 0.0 {
            ((u - below) / here).clamp(0.0, 1.0)
        } else {
            1.0
        };
        let slope = self.segments[segment].slope(basis);
        Position {
            segment,
            offset: offset_at(slope, part, width),
        }
    }

    /// The mean of d³ by number between two positions.
    fn mean_cube(&self, from: Position, to: Position) -> f64 {
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
            let cube = low * low * low * libm::exp(log_mean_power(slope, 3.0, end - start));
            if from.segment == to.segment {
                return cube;
            }
            let part =
                part_below(slope, end, segment.width) - part_below(slope, start, segment.width);
            number += segment.number.here * part;
            cubes += segment.number.here * part * cube;
        }
        if number > 0.0 {
            cubes / number
        } else {
            let segment = &self.segments[to.segment];
            let diameter = segment.diameter(to.offset.min(segment.width));
            diameter * diameter * diameter
        }
    }
}

/// Shares of a whole from the logarithms of its parts.
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
                here: weight / total,
            };
            below += share.here;
            share
        })
        .collect()
}

/// ln ∫₀ʷ e^(kx) dx.
fn log_integral(k: f64, width: f64) -> f64 {
    if is_flat(k, width) {
        libm::log(width)
    } else if k > 0.0 {
        k * width + libm::log(-libm::expm1(-k * width) / k)
    } else {
        libm::log(libm::expm1(k * width) / k)
    }
}

/// The logarithm of the mean of e^(px) under the density e^(kx) on (0, w).
fn log_mean_power(k: f64, p: f64, width: f64) -> f64 {
    log_integral(k + p, width) - log_integral(k, width)
}

/// The part of ∫₀ʷ e^(kx) dx that lies below `offset`.
fn part_below(k: f64, offset: f64, width: f64) -> f64 {
    if is_flat(k, width) {
        offset / width
    } else if k > 0.0 {
        libm::exp(k * (offset - width)) * libm::expm1(-k * offset) / libm::expm1(-k * width)
    } else {
        libm::expm1(k * offset) / libm::expm1(k * width)
    }
}

/// The inverse of [`part_below`].
fn offset_at(k: f64, part: f64, width: f64) -> f64 {
    let offset = if is_flat(k, width) {
        part * width
    } else if k > 0.0 {
        width + libm::log1p((1.0 - part) * libm::expm1(-k * width)) / k
    } else {
        libm::log1p(part * libm::expm1(k * width)) / k
    };
    offset.clamp(0.0, width)
}

/// Whether e^(kx) is 1 over the whole width, to the last bit.
fn is_flat(k: f64, width: f64) -> bool {
    (k * width).abs() < 1e-18
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `∫ d^(power + slope) dln d / ∫ d^slope dln d` by Simpson's rule.
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
    fn moments_and_shares_hold_at_and_beside_the_special_exponents() {
        for slope in [0.0, 1e-20, 1e-12, -3.0, -3.0 + 1e-12, -2.0, 1.0, -7.5, 12.0] {
            let law = PowerSegments::single(0.5, 8.0, slope);
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
    fn cut_into_pieces_a_power_law_stays_the_same() {
        let whole = PowerSegments::single(1.0, 100.0, -2.5);
        let cut = PowerSegments::fit((1.0, 100.0), (2.0, 50.0), |x| -2.5 * x, |_| -2.5);
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
        for (a, b) in whole.strata(1000).iter().zip(cut.strata(1000)) {
            assert!((a / b - 1.0).abs() < 1e-9, "{a} {b}");
        }
    }

    #[test]
    fn strata_keep_the_mean_volume() {
        for slope in [-2.5, 0.0, -3.0, 4.0] {
            let law = PowerSegments::single(0.1, 30.0, slope);
            for n in [1, 2, 7, 1000] {
                let cubes: f64 = law.strata(n).iter().map(|d| d * d * d).sum();
                let ratio = cubes / (n as f64 * law.raw_moment(3.0));
                assert!(
                    (ratio - 1.0).abs() < 1e-10,
                    "slope {slope}, {n} spheres: {ratio}"
                );
            }
        }
    }

    #[test]
    fn absurd_ratios_stay_finite() {
        for slope in [-100.0, -3.0, 0.0, 100.0] {
            let law = PowerSegments::single(1e-60, 1e60, slope);
            assert!(law.raw_moment(3.0).is_finite());
            for diameter in law.strata(10) {
                assert!((1e-60..=1e60).contains(&diameter), "{diameter}");
            }
            assert!(law.cdf(Basis::Mass, 1.0).is_finite());
        }
    }
}
