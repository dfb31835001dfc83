//! Positions and labels along the axes of a figure.

use super::panel::Axis;

/// The range of an axis, and its position on paper.
pub(super) struct Scale {
    is_log: bool,
    low: f64,
    high: f64,
    /// Position of the low and of the high end in pixels.
    ends: [f64; 2],
    /// Values of the ticks; empty for round values.
    marks: Vec<f64>,
}

/// Least distance of two ticks with labels in pixels.
const LEAST_DISTANCE: f64 = 30.0;

impl Scale {
    /// Chooses the range that holds all values.
    pub(super) fn new(axis: &Axis, values: impl Iterator<Item = f64>, ends: [f64; 2]) -> Self {
        let usable = |value: &f64| value.is_finite() && (!axis.is_log || *value > 0.0);
        let values = values.chain(axis.includes).filter(usable);
        let nothing = (f64::INFINITY, f64::NEG_INFINITY);
        let (mut low, mut high) = values.fold(nothing, |(low, high), v| (low.min(v), high.max(v)));
        if low > high {
            (low, high) = if axis.is_log { (1.0, 10.0) } else { (0.0, 1.0) };
        }
        if low == high {
            let by = 0.1 * low.abs();
            (low, high) = if low == 0.0 {
                (0.0, 1.0)
            } else {
                (low - by, high + by)
            };
        }
        if !axis.is_log {
            // A little space above the highest point; none below an axis that starts at zero.
            let space = 0.04 * (high - low);
            high += space;
            if low != 0.0 {
                low -= space;
            }
        }
        Self {
            is_log: axis.is_log,
            low,
            high,
            ends,
            marks: axis.marks.clone(),
        }
    }

    /// Returns the position of a value in pixels, within the range; `None` if a log scale cannot show it.
    pub(super) fn at(&self, value: f64) -> Option<f64> {
        if self.is_log && value <= 0.0 {
            return None;
        }
        let share = if self.is_log {
            libm::log(value / self.low) / libm::log(self.high / self.low)
        } else {
            (value - self.low) / (self.high - self.low)
        };
        let [start, end] = self.ends;
        Some(start + share.clamp(0.0, 1.0) * (end - start))
    }

    /// Returns round values and their labels.
    pub(super) fn ticks(&self) -> Vec<(f64, String)> {
        if !self.marks.is_empty() {
            self.marked()
        } else if self.is_log && self.high / self.low >= 10.0 {
            self.decades()
        } else {
            self.steps()
        }
    }

    /// Returns the given ticks, with labels where there is room.
    fn marked(&self) -> Vec<(f64, String)> {
        let mut free_from = f64::NEG_INFINITY;
        let tick = |&value: &f64| {
            let at = self.at(value)?;
            let has_room = at >= free_from;
            if has_room {
                free_from = at + LEAST_DISTANCE;
            }
            Some((
                value,
                if has_room {
                    short(value)
                } else {
                    String::new()
                },
            ))
        };
        self.marks.iter().filter_map(tick).collect()
    }

    fn steps(&self) -> Vec<(f64, String)> {
        let rough = (self.high - self.low) / 5.0;
        let decade = libm::exp10(libm::floor(libm::log10(rough)));
        let mut factors = [1.0, 2.0, 5.0].into_iter();
        let factor = factors.find(|factor| factor * decade >= rough);
        let step = decade * factor.unwrap_or(10.0);
        let decimals = (-libm::floor(libm::log10(step) + 1e-9)).max(0.0);
        let (first, last) = (
            (self.low / step).ceil() as i64,
            (self.high / step).floor() as i64,
        );
        (first..=last)
            .map(|number| {
                let value = number as f64 * step;
                (value, label(value, decimals as usize))
            })
            .collect()
    }

    fn decades(&self) -> Vec<(f64, String)> {
        let [low, high] = [self.low, self.high].map(libm::log10);
        let step = ((high - low) / 6.0).ceil().max(1.0) as i32;
        let few = high - low < 2.0;
        let factors: &[f64] = if few { &[1.0, 2.0, 5.0] } else { &[1.0] };
        let mut ticks = Vec::new();
        for power in (low.floor() as i32..=high.ceil() as i32).step_by(step as usize) {
            for factor in factors {
                let value = factor * libm::exp10(f64::from(power));
                if value >= self.low * (1.0 - 1e-9) && value <= self.high * (1.0 + 1e-9) {
                    let text = if (-2..4).contains(&power) {
                        label(value, (-power).max(0) as usize)
                    } else if *factor == 1.0 {
                        format!("10{}", superscript(power))
                    } else {
                        format!("{factor}·10{}", superscript(power))
                    };
                    ticks.push((value, text));
                }
            }
        }
        ticks
    }
}

/// Returns a number with at most four significant digits.
fn short(value: f64) -> String {
    let rounded: f64 = format!("{value:.3e}").parse().unwrap_or(value);
    rounded.to_string()
}

fn label(value: f64, decimals: usize) -> String {
    if decimals > 5 || value.abs() >= 1e6 {
        format!("{value:.1e}")
    } else {
        // No negative zero.
        format!("{:.decimals$}", value + 0.0)
    }
}

fn superscript(power: i32) -> String {
    let raised = |character| match character {
        '-' => '⁻',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        digit => char::from_u32(0x2070 + (digit as u32 - '0' as u32)).unwrap_or(digit),
    };
    power.to_string().chars().map(raised).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(axis: &Axis, values: [f64; 2]) -> Vec<String> {
        let scale = Scale::new(axis, values.into_iter(), [0.0, 100.0]);
        scale.ticks().into_iter().map(|(_, label)| label).collect()
    }

    #[test]
    fn ticks_are_round_numbers() {
        assert_eq!(labels(&Axis::linear(""), [0.0, 1.0]), ["0.0", "0.5", "1.0"]);
        assert_eq!(
            labels(&Axis::linear(""), [0.0, 0.74]),
            ["0.0", "0.2", "0.4", "0.6"]
        );
        assert_eq!(
            labels(&Axis::log(""), [1.0, 50.0]),
            ["1", "2", "5", "10", "20", "50"]
        );
        assert_eq!(labels(&Axis::log(""), [1e-6, 1.0])[0], "10⁻⁶");
    }

    #[test]
    fn values_lie_between_the_ends() {
        let scale = Scale::new(&Axis::log(""), [1.0, 100.0].into_iter(), [0.0, 100.0]);
        assert_eq!(scale.at(0.0), None);
        assert!((scale.at(10.0).unwrap() - 50.0).abs() < 1e-9);
        assert_eq!(scale.at(1e9), Some(100.0));
    }
}
