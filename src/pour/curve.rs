//! The curves on which a sphere moves: lines and arcs, with the places where it touches spheres and planes.

use glam::DVec3;

/// A line or an arc. Its parameter is the length along a line. On an arc it is the diamond angle, which increases from 0 at the start to 4
/// after a full turn, and needs no trigonometric function.
#[derive(Clone, Copy, Debug)]
pub(super) enum Curve {
    Line {
        from: DVec3,
        along: DVec3,
    },
    Arc {
        middle: DVec3,
        radius: f64,
        /// Unit vector from the middle to the start.
        start: DVec3,
        /// Unit vector along the arc at the start.
        along: DVec3,
    },
}

impl Curve {
    /// Returns the point at a parameter.
    pub fn point(&self, at: f64) -> DVec3 {
        match *self {
            Self::Line { from, along } => from + at * along,
            Self::Arc {
                middle,
                radius,
                start,
                along,
            } => {
                let [cosine, sine] = of_diamond(at);
                middle + radius * (cosine * start + sine * along)
            }
        }
    }

    /// Returns the parameter at a straight distance from the start, of an arc at most a quarter turn.
    pub fn at_distance(&self, distance: f64) -> f64 {
        match *self {
            Self::Line { .. } => distance,
            Self::Arc { radius, .. } => {
                let cosine = 1.0 - 0.5 * (distance / radius) * (distance / radius);
                if cosine <= 0.0 {
                    return 1.0;
                }
                diamond(cosine, (1.0 - cosine * cosine).sqrt())
            }
        }
    }

    /// Returns the largest straight distance from the start up to a parameter.
    pub fn reach(&self, at: f64) -> f64 {
        match *self {
            Self::Line { .. } => at,
            Self::Arc { radius, .. } if at >= 2.0 => 2.0 * radius,
            Self::Arc {
                middle,
                radius,
                start,
                ..
            } => self.point(at).distance(middle + radius * start),
        }
    }

    /// Returns the first parameter at which the curve comes nearer to a point than `reach`.
    pub fn meets_sphere(&self, center: DVec3, reach: f64) -> f64 {
        match *self {
            Self::Line { from, along } => {
                let to = center - from;
                let (b, c) = (to.dot(along), to.length_squared() - reach * reach);
                let root = b * b - c;
                if b <= 0.0 || root <= 0.0 {
                    return f64::INFINITY;
                }
                // The smaller root, without a difference of nearly equal numbers.
                c / (b + root.sqrt())
            }
            Self::Arc {
                middle,
                radius,
                start,
                along,
            } => {
                let from = middle - center;
                let sum = reach * reach - radius * radius - from.length_squared();
                sinks(from.dot(start), from.dot(along), sum / (2.0 * radius))
            }
        }
    }

    /// Returns the first parameter at which the curve is farther from a point than `reach`. It starts nearer.
    pub fn leaves_sphere(&self, center: DVec3, reach: f64) -> f64 {
        match *self {
            Self::Line { from, along } => {
                let to = center - from;
                let (b, c) = (to.dot(along), to.length_squared() - reach * reach);
                b + (b * b - c).max(0.0).sqrt()
            }
            Self::Arc {
                middle,
                radius,
                start,
                along,
            } => {
                let from = center - middle;
                let sum = radius * radius + from.length_squared() - reach * reach;
                sinks(from.dot(start), from.dot(along), sum / (2.0 * radius))
            }
        }
    }

    /// Returns the first parameter at which the curve is farther from a vertical axis than `reach`; `None` unless it lies in a vertical plane.
    pub fn leaves_cylinder(&self, axis: DVec3, reach: f64) -> Option<f64> {
        let (from, aside) = match *self {
            Self::Line { from, along } => (from, along),
            Self::Arc { start, along, .. } if start.cross(along).z.abs() > 1e-14 => return None,
            Self::Arc { along, .. } => (self.point(0.0), along),
        };
        // The direction of a steep start is not exact.
        let aside = aside.with_z(0.0);
        let aside = (aside.length() > 1e-3).then(|| aside.normalize())?;
        let from = (from - axis).with_z(0.0);
        let b = from.dot(aside);
        let root = b * b + reach * reach - from.length_squared();
        (root >= 0.0).then(|| self.sinks_below(-aside, -(root.sqrt() + axis.dot(aside))))
    }

    /// Returns the first parameter at which the coordinate along a unit vector sinks below `level`.
    pub fn sinks_below(&self, normal: DVec3, level: f64) -> f64 {
        match *self {
            Self::Line { from, along } => {
                let speed = along.dot(normal);
                if speed >= 0.0 {
                    return f64::INFINITY;
                }
                (level - from.dot(normal)) / speed
            }
            Self::Arc {
                middle,
                radius,
                start,
                along,
            } => {
                let level = (level - middle.dot(normal)) / radius;
                sinks(start.dot(normal), along.dot(normal), level)
            }
        }
    }

    /// Returns the parameter of the lowest point.
    pub fn lowest(&self) -> f64 {
        match *self {
            Self::Line { .. } => f64::INFINITY,
            Self::Arc { start, along, .. } => diamond(-start.z, -along.z),
        }
    }
}

/// Returns the first diamond angle at which a cos t + b sin t sinks below `level`.
fn sinks(a: f64, b: f64, level: f64) -> f64 {
    let square = a * a + b * b;
    let root = square - level * level;
    if root <= 0.0 {
        return f64::INFINITY;
    }
    let root = root.sqrt();
    let (cosine, sine) = (a * level - b * root, b * level + a * root);
    // Rounding at the start.
    if sine < 0.0 && sine > -1e-9 * square && cosine > 0.0 {
        return 0.0;
    }
    diamond(cosine, sine)
}

/// Returns the diamond angle of a vector.
fn diamond(x: f64, y: f64) -> f64 {
    match (x >= 0.0, y >= 0.0) {
        (true, true) => y / (x + y),
        (false, true) => 1.0 - x / (y - x),
        (false, false) => 2.0 + y / (x + y),
        (true, false) => 3.0 + x / (x - y),
    }
}

/// Returns the cosine and the sine of a diamond angle.
fn of_diamond(at: f64) -> [f64; 2] {
    let [x, y] = match at {
        at if at < 1.0 => [1.0 - at, at],
        at if at < 2.0 => [1.0 - at, 2.0 - at],
        at if at < 3.0 => [at - 3.0, 2.0 - at],
        at => [at - 3.0, at - 4.0],
    };
    let length = (x * x + y * y).sqrt();
    [x / length, y / length]
}
