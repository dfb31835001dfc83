//! One axis of a container: distances along it, across its faces if it is periodic.

use crate::container::Container;

/// Length and boundary of one axis.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Axis {
    length: f64,
    /// Greatest distance along the axis: half the length if the axis is periodic, else infinite.
    max_distance: f64,
}

impl Axis {
    /// Returns the three axes of a container.
    pub fn of(container: &Container) -> [Self; 3] {
        [0, 1, 2].map(|axis| Self::new(container.lengths()[axis], container.is_periodic(axis)))
    }

    /// Creates an axis from 0 to `length`.
    pub fn new(length: f64, is_periodic: bool) -> Self {
        let max_distance = if is_periodic {
            0.5 * length
        } else {
            f64::INFINITY
        };
        Self {
            length,
            max_distance,
        }
    }

    pub fn length(self) -> f64 {
        self.length
    }

    pub fn is_periodic(self) -> bool {
        self.max_distance.is_finite()
    }

    /// Returns whether the interval from `low` to `high` crosses a periodic face.
    #[inline]
    pub fn is_crossed_by(self, low: f64, high: f64) -> bool {
        self.is_periodic() && (low < 0.0 || high >= self.length)
    }

    /// Returns the distance from `x` to the middle of an interval, across the faces if the axis is periodic.
    #[inline]
    pub fn distance(self, middle: f64, x: f64) -> f64 {
        let distance = (x - middle).abs();
        if distance > self.max_distance {
            // An interval that starts inside the container but is longer may have its middle outside.
            (self.length - distance).abs().min(self.max_distance)
        } else {
            distance
        }
    }

    /// Returns the greatest distance to any point of an interval of this half length whose middle is at `distance`.
    #[inline]
    pub fn farthest(self, distance: f64, half: f64) -> f64 {
        (distance + half).min(self.max_distance)
    }
}

/// Returns the distance to the nearest point of an interval of this half length whose middle is at `distance`.
#[inline]
pub(super) fn nearest(distance: f64, half: f64) -> f64 {
    // `f64::max` takes longer, because it handles NaN.
    if distance > half {
        distance - half
    } else {
        0.0
    }
}
