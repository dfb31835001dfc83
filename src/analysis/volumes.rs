//! Volumes of spheres that planes, boxes, cylinders and balls cut, and areas of disks that lines, rectangles and circles cut.

use std::f64::consts::{FRAC_PI_2, PI, TAU};

use glam::DVec3;

use super::constants::{NARROW_ANGLE, SHELL_NODES};
use crate::dimension::Dimension;

/// Returns the volume of a sphere below a plane at the height `z` above its center.
pub(super) fn below_plane(dimension: Dimension, radius: f64, z: f64) -> f64 {
    match dimension {
        Dimension::Two => radius * radius * disc_beyond(-z / radius),
        Dimension::Three => cap(radius, z),
    }
}

/// Returns the volume of the part of a sphere in a box: see [`volume_in_box`]. In the plane, the box is a rectangle.
pub(super) fn in_box(
    dimension: Dimension,
    center: DVec3,
    radius: f64,
    [low, high]: [DVec3; 2],
) -> f64 {
    match dimension {
        Dimension::Two => area_in_rectangle(center, radius, low, high),
        Dimension::Three => volume_in_box(center, radius, low, high),
    }
}

/// Returns the area of the part of a disk in a rectangle, like [`volume_in_box`].
fn area_in_rectangle(center: DVec3, radius: f64, low: DVec3, high: DVec3) -> f64 {
    let from = (low - center) / radius;
    let to = ((high - center) / radius).max(from);
    let corner = |x, y| disc_beyond_corner(x, y);
    let area =
        corner(from.x, from.y) - corner(to.x, from.y) - corner(from.x, to.y) + corner(to.x, to.y);
    radius * radius * area.max(0.0)
}

/// Returns the area of the part of the unit disc in which a coordinate exceeds its bound.
fn disc_beyond(bound: f64) -> f64 {
    let bound = bound.clamp(-1.0, 1.0);
    let half_chord = half_chord(bound, 0.0);
    libm::atan2(half_chord, bound) - bound * half_chord
}

/// Returns the area of the part of the unit disc in which both coordinates exceed their bounds: a sector of the center, without two
/// triangles.
fn disc_beyond_corner(a: f64, b: f64) -> f64 {
    let (a, b) = (a.min(b), a.max(b));
    if b >= 1.0 {
        return 0.0;
    }
    if a <= -1.0 {
        return disc_beyond(b);
    }
    if a < 0.0 {
        return disc_beyond(b) - disc_beyond_corner(-a, b);
    }
    if a * a + b * b >= 1.0 {
        return 0.0;
    }
    let (x, y) = (half_chord(b, 0.0), half_chord(a, 0.0));
    let angle = libm::atan2(y, a) - libm::atan2(b, x);
    (0.5 * (angle - a * (y - b) - b * (x - a))).max(0.0)
}

/// Returns the volume of a sphere below a plane at the height `z` above its center.
fn cap(radius: f64, z: f64) -> f64 {
    let height = (radius + z).clamp(0.0, 2.0 * radius);
    PI / 3.0 * height * height * (3.0 * radius - height)
}

/// Returns the volume of the part of a sphere that lies in a box with the corners `low` and `high`. Infinite coordinates leave the box
/// open; the volume is 0 if a coordinate of `low` is above that of `high`.
///
/// The result has a closed form. It is the sum, with signs, of the parts of the sphere beyond each corner of the box. Such a part is
/// bounded by three discs and a piece of the surface. Its volume follows from the divergence theorem, and the area of the piece from
/// the theorem of Gauss & Bonnet. The error is about 10⁻¹⁵ of the volume of the sphere.
///
/// # Reference
/// F. Barter & C. R. K. Windows-Yule, Packing3D: an open-source analytical framework for computing packing density and mixing indices
/// using partial spherical volumes (2025), [arXiv:2506.08852](https://arxiv.org/abs/2506.08852), divide a sphere at one, two and three
/// planes in the same way.
///
/// # Example
/// ```
/// use jostle::{analysis::volume_in_box, glam::DVec3};
///
/// // An eighth of the unit ball.
/// let eighth = volume_in_box(DVec3::ZERO, 1.0, DVec3::ZERO, DVec3::splat(2.0));
/// assert!((eighth - std::f64::consts::PI / 6.0).abs() < 1e-14);
/// ```
pub fn volume_in_box(center: DVec3, radius: f64, low: DVec3, high: DVec3) -> f64 {
    let from = (low - center) / radius;
    let to = ((high - center) / radius).max(from);
    let corners = (0..8).map(|corner| {
        let is_high = |axis: usize| (corner >> axis) & 1 == 1;
        let bound = |axis: usize| if is_high(axis) { to[axis] } else { from[axis] };
        let sign = if (0..3).filter(|&axis| is_high(axis)).count() % 2 == 0 {
            1.0
        } else {
            -1.0
        };
        sign * beyond_corner([bound(0), bound(1), bound(2)])
    });
    radius * radius * radius * corners.sum::<f64>().max(0.0)
}

/// Returns the volume of the part of the unit ball in which each coordinate exceeds its bound.
fn beyond_corner(mut bounds: [f64; 3]) -> f64 {
    bounds.sort_unstable_by(f64::total_cmp);
    let [a, b, c] = bounds;
    if c >= 1.0 {
        return 0.0;
    }
    if a <= -1.0 {
        return beyond_edge([b, c]);
    }
    if a < 0.0 {
        return beyond_edge([b, c]) - beyond_corner([-a, b, c]);
    }
    if a * a + b * b + c * c >= 1.0 {
        return 0.0;
    }
    // Angle of the arc of the circle x = a, and area of the part of its disc, where y > b and z > c.
    let side = |a: f64, b: f64, c: f64| {
        let (y, z) = (half_chord(a, c), half_chord(a, b));
        let angle = libm::atan2(z, b) - libm::atan2(c, y);
        let area = 0.5 * ((1.0 - a * a) * angle - b * (z - c) - c * (y - b));
        a * (angle + area)
    };
    let vertices = vertex(a, b) + vertex(b, c) + vertex(c, a);
    (TAU - vertices - side(a, b, c) - side(b, c, a) - side(c, a, b)).max(0.0) / 3.0
}

/// Returns the volume of the part of the unit ball in which two coordinates exceed their bounds.
fn beyond_edge(mut bounds: [f64; 2]) -> f64 {
    bounds.sort_unstable_by(f64::total_cmp);
    let [a, b] = bounds;
    if a <= -1.0 {
        return cap(1.0, -b);
    }
    if a < 0.0 {
        return cap(1.0, -b) - beyond_edge([-a, b]);
    }
    if a * a + b * b >= 1.0 {
        return 0.0;
    }
    let side = |a: f64, b: f64| {
        let z = half_chord(a, b);
        let angle = 2.0 * libm::atan2(z, b);
        let area = 0.5 * (1.0 - a * a) * angle - b * z;
        a * (angle + area)
    };
    (TAU - 2.0 * vertex(a, b) - side(a, b) - side(b, a)).max(0.0) / 3.0
}

/// Returns half the length of the line x = a, y = b in the unit ball.
fn half_chord(a: f64, b: f64) -> f64 {
    (1.0 - a * a - b * b).max(0.0).sqrt()
}

/// Returns the exterior angle at a point of the unit sphere where the circles x = a and y = b meet.
fn vertex(a: f64, b: f64) -> f64 {
    libm::atan2(half_chord(a, b), -a * b)
}

/// Returns the nodes of Fejér's first rule for t in −π/2 … π/2 and x = sin t. An integrand that starts and ends with a power 3/2 in x is
/// smooth in t, so that the error decreases exponentially with the number of nodes.
pub(super) fn nodes() -> Vec<(f64, f64)> {
    let count = SHELL_NODES as f64;
    (0..SHELL_NODES)
        .map(|k| {
            let angle = (k as f64 + 0.5) * PI / count;
            let term = |j: usize| libm::cos((2 * j) as f64 * angle) / (4 * j * j - 1) as f64;
            let sum: f64 = (1..=SHELL_NODES / 2).map(term).sum();
            let (sin, cos) = libm::sincos(FRAC_PI_2 * libm::cos(angle));
            (sin, FRAC_PI_2 * cos * 2.0 / count * (1.0 - 2.0 * sum))
        })
        .collect()
}

/// Returns the volume of a sphere inside a cylinder, whose axis is at `distance` from the center of the sphere, between two heights above
/// the center. Infinite heights mean an infinite cylinder.
pub(super) fn in_cylinder(
    nodes: &[(f64, f64)],
    radius: f64,
    distance: f64,
    cylinder: f64,
    [low, high]: [f64; 2],
) -> f64 {
    let up_to = |height: f64| {
        let volume = half_in_cylinder(nodes, radius, distance, cylinder, height.abs().min(radius));
        volume.copysign(height)
    };
    up_to(high) - up_to(low)
}

/// Returns the volume between the center of the sphere and a plane at the height `end`, which is at most the radius.
///
/// A plane perpendicular to the axis cuts a disc from the sphere. Seen from the center of the sphere, the disc first encloses the
/// cylinder (if the sphere is large enough), then crosses its side, and at last lies inside or outside.
fn half_in_cylinder(
    nodes: &[(f64, f64)],
    radius: f64,
    distance: f64,
    cylinder: f64,
    end: f64,
) -> f64 {
    let height = |half_width: f64| (radius * radius - half_width * half_width).max(0.0).sqrt();
    let enclosing = height(distance + cylinder).min(end);
    let crossing = height(distance - cylinder).min(end);
    let inside = if cylinder > distance {
        cap(radius, -crossing) - cap(radius, -end)
    } else {
        0.0
    };
    let (middle, half) = (0.5 * (crossing + enclosing), 0.5 * (crossing - enclosing));
    let crossed: f64 = if half > 0.0 {
        let area = |&(at, weight): &(f64, f64)| {
            let disc = height(middle + half * at);
            weight * lens(disc, cylinder, distance)
        };
        half * nodes.iter().map(area).sum::<f64>()
    } else {
        0.0
    };
    PI * cylinder * cylinder * enclosing + crossed + inside
}

/// Returns the common area of two discs whose edges cross.
///
/// It is the sum of two circular segments. Differences are multiplied out, so that a narrow lens keeps its digits.
fn lens(a: f64, b: f64, distance: f64) -> f64 {
    let product = (a + b - distance) * (distance + a - b) * (distance - a + b) * (distance + a + b);
    let half_chord = 0.5 * product.max(0.0).sqrt();
    let part = |radius: f64, other: f64| {
        let along = 0.5 * ((distance - other) * (distance + other) + radius * radius);
        segment(radius, 2.0 * libm::atan2(half_chord, along))
    };
    part(a, b) + part(b, a)
}

/// Returns the area between an arc of an angle and its chord.
fn segment(radius: f64, angle: f64) -> f64 {
    let square = angle * angle;
    let difference = if angle < NARROW_ANGLE {
        angle * square / 6.0 * (1.0 - square / 20.0 * (1.0 - square / 42.0))
    } else {
        angle - libm::sin(angle)
    };
    0.5 * radius * radius * difference
}

/// Returns the common volume of two balls.
pub(super) fn in_ball(radius: f64, distance: f64, reach: f64) -> f64 {
    let depth = radius + reach - distance;
    if depth <= 0.0 {
        return 0.0;
    }
    if distance <= (radius - reach).abs() {
        return ball(Dimension::Three, radius.min(reach));
    }
    let difference = radius - reach;
    let factor =
        distance * distance + 2.0 * distance * (radius + reach) - 3.0 * difference * difference;
    PI * depth * depth * factor / (12.0 * distance)
}

/// Returns the common area of two discs.
pub(super) fn in_disc(radius: f64, distance: f64, reach: f64) -> f64 {
    if distance >= radius + reach {
        0.0
    } else if distance <= (radius - reach).abs() {
        ball(Dimension::Two, radius.min(reach))
    } else {
        lens(radius, reach, distance)
    }
}

/// Returns the volume of a sphere.
pub(super) fn ball(dimension: Dimension, radius: f64) -> f64 {
    match dimension {
        Dimension::Two => PI * radius * radius,
        Dimension::Three => 4.0 / 3.0 * PI * radius * radius * radius,
    }
}

/// Returns the point of the unit ball that belongs to a point of the unit cube. Equal volumes belong to equal volumes.
pub(super) fn in_unit_ball(dimension: Dimension, point: DVec3) -> DVec3 {
    if dimension == Dimension::Two {
        let (sin, cos) = libm::sincos(TAU * point.y);
        return point.x.sqrt() * DVec3::new(cos, sin, 0.0);
    }
    let height = 1.0 - 2.0 * point.y;
    let (sin, cos) = libm::sincos(TAU * point.z);
    let across = (1.0 - height * height).max(0.0).sqrt();
    libm::cbrt(point.x) * DVec3::new(across * cos, across * sin, height)
}
