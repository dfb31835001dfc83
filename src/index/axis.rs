//! One axis of a container, as cells and nodes see it.

use crate::container::Container;

/// Length and boundary of one axis.
#[derive(Clone, Copy, Debug)]
pub(super) struct Axis {
    length: f64,
    /// Half the length if the axis is periodic, infinite if it is not: no distance is longer.
    longest: f64,
}

impl Axis {
    pub fn of(container: &Container) -> [Self; 3] {
        [0, 1, 2].map(|axis| {
            let length = container.lengths()[axis];
            let longest = if container.is_periodic(axis) {
                0.5 * length
            } else {
                f64::INFINITY
            };
            Self { length, longest }
        })
    }

    pub fn is_periodic(self) -> bool {
        self.longest.is_finite()
    }

    /// Whether the interval from `low` to `high` crosses a periodic face.
    #[inline]
    pub fn is_crossed_by(self, low: f64, high: f64) -> bool {
        self.is_periodic() && (low < 0.0 || high >= self.length)
    }

    /// Where the other image of a point lies that has anything within `reach`, as the step to it, if there is one;
    /// nothing if the point reaches around half the axis, so that images overlap.
    pub fn image_within(self, x: f64, reach: f64) -> Option<Option<f64>> {
        if !self.is_periodic() {
            return Some(None);
        }
        (reach < 0.499 * self.length).then_some(if x < reach {
            Some(self.length)
        } else if x + reach >= self.length {
            Some(-self.length)
        } else {
            None
        })
    }

    /// The distance from `x` to the middle of an interval, across the faces if the axis is periodic.
    #[inline]
    pub fn distance(self, middle: f64, x: f64) -> f64 {
        let distance = (x - middle).abs();
        if distance > self.longest {
            // An interval that starts inside the container but is longer may have its middle outside.
            (self.length - distance).abs().min(self.longest)
        } else {
            distance
        }
    }

    /// The greatest distance to any point of an interval whose middle is at `distance`.
    #[inline]
    pub fn farthest(self, distance: f64, half: f64) -> f64 {
        (distance + half).min(self.longest)
    }

    /// The cells `i` of `count`, from `i·side` to `(i + 1)·side`, that may come within `reach` of `x`.
    #[inline]
    pub fn cells_near(self, x: f64, reach: f64, side: f64, count: u32) -> Cells {
        let cell = |x: f64| ((x / side) as u32).min(count - 1);
        let (low, high) = (x - reach, x + reach);
        if self.is_crossed_by(low, high) {
            // A reach of half the axis or more makes this at least `count`.
            let first = cell(if low < 0.0 { low + self.length } else { low });
            let last = cell(if low < 0.0 { high } else { high - self.length });
            return Cells::new(first, (last + 1 + count - first).min(count), count);
        }
        let first = cell(low);
        Cells::new(first, cell(high) - first + 1, count)
    }
}

/// The distance to the nearest point of an interval whose middle is at `distance`.
#[inline]
pub(super) fn nearest(distance: f64, half: f64) -> f64 {
    // Not `f64::max`, which costs more for the sake of NaN.
    if distance > half {
        distance - half
    } else {
        0.0
    }
}

/// Successive cells along one axis, going on with the first after the last.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cells {
    next: u32,
    left: u32,
    count: u32,
}

impl Cells {
    fn new(next: u32, left: u32, count: u32) -> Self {
        Self { next, left, count }
    }
}

impl Iterator for Cells {
    type Item = u32;

    #[inline]
    fn next(&mut self) -> Option<u32> {
        if self.left == 0 {
            return None;
        }
        self.left -= 1;
        let cell = self.next;
        self.next = if cell + 1 == self.count { 0 } else { cell + 1 };
        Some(cell)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left as usize, Some(self.left as usize))
    }
}

impl ExactSizeIterator for Cells {}
