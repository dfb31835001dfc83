//! The volume that bodies take in a container.

use glam::DVec3;

use super::{
    body::Body,
    constants::{AREA_ERROR, FINE_MESH_AREA_ERROR, FINE_MESH_VOLUME_ERROR, VOLUME_ERROR},
    cylinder::Circle,
    deepest::corners_of_cube,
    quadrature::integral_between,
    shape::{Extent, Shape},
    solid::Solid,
    sphere::Ball,
    walls::Walls,
};
use crate::dimension::Dimension;

/// Returns the volume of the part of a container that lies in any of the bodies.
///
/// The volumes of bodies that lie inside and apart from all others are exact. The union of the other bodies is integrated. Lines
/// parallel to z have exact ends, and the integrals over y and x are divided until they are accurate. The error is below 10⁻⁷ of the
/// volume of the bounding box, or 10⁻⁵ if the surface of a mesh with more than 1000 vertices is involved.
pub(super) fn covered_volume(outer: &Walls, bodies: &[Body]) -> f64 {
    let (lengths, periods) = (outer.lengths, outer.periods());
    let mut volume = 0.0;
    let mut together = Vec::new();
    for (k, body) in bodies.iter().enumerate() {
        let is_apart =
            (bodies.iter().enumerate()).all(|(j, other)| j == k || are_apart(body, other, periods));
        if is_apart && is_inside(body, outer, periods) {
            volume += body.with_ends(lengths).solid.volume();
        } else {
            together.push(body);
        }
    }
    let images: Vec<Body> = together
        .into_iter()
        .flat_map(|body| body.images(lengths, periods))
        .collect();
    let solids: Vec<Placed> = images.iter().map(Placed::new).collect();
    // The lowest corner of the container is the origin.
    let position = 0.5 * lengths - outer.solid.shape().middle();
    let container = Body::new(outer.solid.clone(), position).along(outer.axis);
    volume + union_volume(&Placed::new(&container), &solids)
}

/// Returns the middle of the bounding box of a body, and half of its lengths, which may be infinite.
fn middle_and_half(body: &Body) -> (DVec3, DVec3) {
    let (low, high) = body.bounds();
    let middle = DVec3::select(high.is_finite_mask(), 0.5 * (low + high), DVec3::ZERO);
    let half = DVec3::select(high.is_finite_mask(), 0.5 * (high - low), DVec3::INFINITY);
    (middle, half)
}

/// Returns whether two bodies, with all their images, certainly share no space.
fn are_apart(a: &Body, b: &Body, periods: DVec3) -> bool {
    let ((middle_a, half_a), (middle_b, half_b)) = (middle_and_half(a), middle_and_half(b));
    let is_apart_along = |axis: usize| {
        let mut distance = (middle_a[axis] - middle_b[axis]).abs();
        if periods[axis].is_finite() {
            distance -= periods[axis] * (distance / periods[axis]).round();
        }
        distance.abs() >= half_a[axis] + half_b[axis]
    };
    let is_beside = |sphere: &Body, other: &Body| match &sphere.solid {
        Solid::Sphere(Ball { diameter }) | Solid::Circle(Circle { diameter }) => (other)
            .surface_within(sphere.position, periods, 0.5 * diameter)
            .is_none(),
        _ => false,
    };
    let axes = a.solid.dimension().number();
    (0..axes).any(is_apart_along) || is_beside(a, b) || is_beside(b, a)
}

/// Returns whether a body certainly crosses no wall.
fn is_inside(body: &Body, outer: &Walls, periods: DVec3) -> bool {
    let (low, high) = body.bounds();
    let is_walled = |axis: usize| periods[axis].is_infinite();
    let is_in_box =
        |axis: usize| !is_walled(axis) || low[axis] >= 0.0 && high[axis] <= outer.lengths[axis];
    if !(0..3).all(is_in_box) {
        return false;
    }
    if matches!(outer.solid, Solid::Box(_) | Solid::Rectangle(_)) {
        return true;
    }
    let (middle, half) = middle_and_half(body);
    let radius = match &body.solid {
        Solid::Sphere(ball) => 0.5 * ball.diameter,
        Solid::Circle(circle) => 0.5 * circle.diameter,
        _ => half.length(),
    };
    if outer.distance(middle) >= radius {
        return true;
    }
    // A convex container holds a box if it holds the corners.
    let along = |axis: usize| if is_walled(axis) { half[axis] } else { 0.0 };
    let half = DVec3::from_array([0, 1, 2].map(along));
    outer.solid.is_convex()
        && corners_of_cube().all(|corner| outer.distance(middle + corner * half) >= 0.0)
}

/// A solid at a fixed position.
struct Placed<'a> {
    shape: &'a dyn Shape,
    extent: Extent,
}

impl<'a> Placed<'a> {
    fn new(body: &'a Body) -> Self {
        let (low, high) = body.bounds();
        let shape = body.solid.shape();
        // Of prisms with height 1, the volume is the area.
        let high = match body.solid.dimension() {
            Dimension::Two => high.with_z(1.0),
            Dimension::Three => high,
        };
        let extent = Extent {
            low,
            middle: body.position + shape.middle(),
            high,
            axis: body.axis.number(),
        };
        Self { shape, extent }
    }

    /// Returns whether the plane of points with this coordinate `x` meets the bounding box.
    fn has_x(&self, x: f64) -> bool {
        self.extent.low.x < x && x < self.extent.high.x
    }

    fn add_chords(&self, x: f64, y: f64, chords: &mut Vec<[f64; 2]>) {
        if self.has_x(x) && self.extent.low.y < y && y < self.extent.high.y {
            self.shape.add_chords(&self.extent, x, y, chords);
        }
    }

    fn add_x_breaks(&self, breaks: &mut Vec<f64>) {
        let (low, high) = (self.extent.low.x, self.extent.high.x);
        breaks.extend([low, high, 0.5 * (low + high)]);
        self.shape.add_x_breaks(&self.extent, breaks);
    }

    fn add_y_breaks(&self, x: f64, breaks: &mut Vec<f64>) {
        if self.has_x(x) {
            breaks.push(0.5 * (self.extent.low.y + self.extent.high.y));
            self.shape.add_y_breaks(&self.extent, x, breaks);
        }
    }
}

/// Returns the volume of the union of solids, as far as it lies in `outer`.
fn union_volume(outer: &Placed, solids: &[Placed]) -> f64 {
    let extents = || solids.iter().map(|solid| &solid.extent);
    let low = extents().fold(DVec3::INFINITY, |low, extent| low.min(extent.low));
    let high = extents().fold(DVec3::NEG_INFINITY, |high, extent| high.max(extent.high));
    let (low, high) = (low.max(outer.extent.low), high.min(outer.extent.high));
    if !low.cmplt(high).all() {
        return 0.0;
    }
    let lengths = high - low;
    let is_divided = (solids.iter().chain([outer])).all(|solid| solid.shape.has_breaks());
    let [volume_error, area_error] = if is_divided {
        [VOLUME_ERROR, AREA_ERROR]
    } else {
        [FINE_MESH_VOLUME_ERROR, FINE_MESH_AREA_ERROR]
    };
    let area_error = area_error * lengths.y * lengths.z;
    let mut lines = Lines::default();
    let mut slice = |x: f64| {
        let here: Vec<&Placed> = solids.iter().filter(|solid| solid.has_x(x)).collect();
        if here.is_empty() {
            return 0.0;
        }
        let mut breaks = vec![low.y, high.y];
        outer.add_y_breaks(x, &mut breaks);
        for solid in &here {
            solid.add_y_breaks(x, &mut breaks);
        }
        let breaks = in_range(breaks, low.y, high.y);
        let mut line = |y: f64| lines.covered(outer, &here, x, y);
        integral_between(&breaks, &mut line, area_error)
    };
    let mut breaks = vec![low.x, high.x];
    outer.add_x_breaks(&mut breaks);
    for solid in solids {
        solid.add_x_breaks(&mut breaks);
    }
    let breaks = in_range(breaks, low.x, high.x);
    integral_between(
        &breaks,
        &mut slice,
        volume_error * lengths.element_product(),
    )
}

/// Returns the points between two ends, in ascending order.
fn in_range(mut points: Vec<f64>, low: f64, high: f64) -> Vec<f64> {
    points.retain(|point| (low..=high).contains(point));
    points.sort_unstable_by(f64::total_cmp);
    points.dedup();
    points
}

/// Memory for the parts of a line.
#[derive(Default)]
struct Lines {
    outer: Vec<[f64; 2]>,
    inner: Vec<[f64; 2]>,
}

impl Lines {
    /// Returns the length of the line through (x, y) that lies both in `outer` and in any of the solids.
    fn covered(&mut self, outer: &Placed, solids: &[&Placed], x: f64, y: f64) -> f64 {
        self.inner.clear();
        for solid in solids {
            solid.add_chords(x, y, &mut self.inner);
        }
        if self.inner.is_empty() {
            return 0.0;
        }
        self.outer.clear();
        outer.add_chords(x, y, &mut self.outer);
        self.inner.sort_unstable_by(|a, b| a[0].total_cmp(&b[0]));
        let mut length = 0.0;
        for &[bottom, top] in &self.outer {
            // Everything below is counted.
            let mut counted = bottom;
            for &[low, high] in &self.inner {
                let end = high.min(top);
                length += (end - low.max(counted)).max(0.0);
                counted = counted.max(end);
            }
        }
        length
    }
}
