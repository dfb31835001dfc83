//! The volume that bodies take in a container.

use std::f64::consts::{FRAC_PI_4, PI};

use glam::DVec3;

use super::{
    body::Body,
    constants::{AREA_ERROR, FINE_MESH_AREA_ERROR, FINE_MESH_VOLUME_ERROR, VOLUME_ERROR},
    obstacle::Obstacle,
    parameters::ContainerShape,
    quadrature::integral_between,
    shape::Shape,
    solid::Solid,
};

/// Returns the volume of the part of a container that lies in any of the bodies.
///
/// The volumes of bodies that lie inside and apart from all others are exact. The union of the other bodies is integrated. Lines
/// parallel to z have exact ends, and the integrals over y and x are divided until they are accurate. The error is below 10⁻⁷ of the
/// volume of the bounding box, or 10⁻⁵ if the surface of a mesh with more than 1000 vertices is involved.
pub(super) fn covered_volume(outer: &dyn Shape, bodies: &[Body]) -> f64 {
    let lengths = outer.lengths();
    let periods = outer.boundary().periods(lengths);
    let mut volume = 0.0;
    let mut together = Vec::new();
    for (k, body) in bodies.iter().enumerate() {
        let others = bodies.iter().enumerate().filter(|&(other, _)| other != k);
        let is_apart = others
            .into_iter()
            .all(|(_, other)| are_apart(body, other, periods));
        if is_apart && is_inside(body, outer, periods) {
            volume += exact_volume(body, lengths);
        } else {
            together.push(body);
        }
    }
    let solids: Vec<Solid> = together
        .into_iter()
        .flat_map(|body| body.images(lengths, periods))
        .map(|image| Solid::of_body(&image))
        .collect();
    volume + union_volume(&Solid::of_container(&outer.parameters(), lengths), &solids)
}

/// Returns the volume of a body; for a cylinder without ends, that of one period.
fn exact_volume(body: &Body, period: DVec3) -> f64 {
    match *body {
        Body::Cylinder {
            diameter,
            height,
            axis,
            ..
        } => FRAC_PI_4 * diameter * diameter * height.unwrap_or(period[axis.number()]),
        Body::Sphere { diameter, .. } => PI / 6.0 * diameter * diameter * diameter,
        Body::Box { lengths, .. } => lengths.element_product(),
        #[cfg(feature = "mesh")]
        Body::Mesh { ref mesh, .. } => mesh.volume(),
    }
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
    let is_beside = |sphere: &Body, other: &Body| match *sphere {
        Body::Sphere { diameter, center } => other
            .surface_within(center, periods, 0.5 * diameter)
            .is_none(),
        _ => false,
    };
    (0..3).any(is_apart_along) || is_beside(a, b) || is_beside(b, a)
}

/// Returns whether a body certainly crosses no wall.
fn is_inside(body: &Body, outer: &dyn Shape, periods: DVec3) -> bool {
    let (low, high) = body.bounds();
    let lengths = outer.lengths();
    let is_walled = |axis: usize| periods[axis].is_infinite();
    let is_in_box =
        |axis: usize| !is_walled(axis) || low[axis] >= 0.0 && high[axis] <= lengths[axis];
    if !(0..3).all(is_in_box) {
        return false;
    }
    let shape = outer.parameters();
    if matches!(shape, ContainerShape::Box { .. }) {
        return true;
    }
    let (middle, half) = middle_and_half(body);
    let radius = match *body {
        Body::Sphere { diameter, .. } => 0.5 * diameter,
        _ => half.length(),
    };
    if outer.wall_distance(middle) >= radius {
        return true;
    }
    // A convex container holds a box if it holds the corners.
    let is_convex = matches!(
        shape,
        ContainerShape::Cylinder { .. }
            | ContainerShape::Sphere { .. }
            | ContainerShape::Cone { .. }
    );
    let along = |axis: usize| if is_walled(axis) { half[axis] } else { 0.0 };
    let half = DVec3::from_array([0, 1, 2].map(along));
    is_convex
        && (0..8).all(|corner| {
            let sign = |axis: usize| if corner >> axis & 1 == 1 { 1.0 } else { -1.0 };
            let signs = DVec3::from_array([0, 1, 2].map(sign));
            outer.wall_distance(middle + signs * half) >= 0.0
        })
}

/// Returns the volume of the union of solids, as far as it lies in `outer`.
fn union_volume(outer: &Solid, solids: &[Solid]) -> f64 {
    let low = solids.iter().fold(DVec3::INFINITY, |low, s| low.min(s.low));
    let high = (solids.iter()).fold(DVec3::NEG_INFINITY, |high, s| high.max(s.high));
    let (low, high) = (low.max(outer.low), high.min(outer.high));
    if !low.cmplt(high).all() {
        return 0.0;
    }
    let lengths = high - low;
    let is_divided = solids.iter().chain([outer]).all(Solid::has_breaks);
    let [volume_error, area_error] = if is_divided {
        [VOLUME_ERROR, AREA_ERROR]
    } else {
        [FINE_MESH_VOLUME_ERROR, FINE_MESH_AREA_ERROR]
    };
    let area_error = area_error * lengths.y * lengths.z;
    let mut lines = Lines::default();
    let mut slice = |x: f64| {
        let here: Vec<&Solid> = solids.iter().filter(|solid| solid.has_x(x)).collect();
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
    fn covered(&mut self, outer: &Solid, solids: &[&Solid], x: f64, y: f64) -> f64 {
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
