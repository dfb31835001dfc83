//! Distances from bodies, for the packing loop.

use glam::DVec3;

use super::{
    body::Body,
    shape::{Place, Surface},
};

impl Body {
    /// Returns the surface nearest to a point if its distance is below `reach`, or if the point is inside the body. The images
    /// along axes with finite `periods` count, too.
    pub(super) fn surface_within(
        &self,
        point: DVec3,
        periods: DVec3,
        reach: f64,
    ) -> Option<Surface> {
        let shape = self.solid.shape();
        let (lengths, axis) = (self.lengths(), self.axis.number());
        let from_position = point - self.position;
        if self.solid.is_symmetric() {
            // The position is the middle.
            let image = nearest_image(from_position, periods);
            let place = Place::outside(image + 0.5 * lengths, image, lengths, axis);
            return shape.surface_within(&place, reach);
        }
        let middle = shape.middle();
        let low = middle - 0.5 * lengths;
        let mut nearest = None;
        let mut limit = reach;
        for image in images(from_position, periods) {
            let place = Place::outside(image - low, image - middle, lengths, axis);
            let from_low = place.from_low;
            let from_box = (-from_low).max(from_low - lengths).max(DVec3::ZERO);
            if from_box.length() > limit.max(0.0) {
                continue;
            }
            if let Some(surface) = shape.surface_within(&place, limit) {
                limit = surface.distance;
                nearest = Some(surface);
            }
        }
        nearest
    }
}

/// Returns the shortest vector from any image of the middle of a body.
///
/// If a body is symmetric about the three planes through its middle, convex, and no longer than a period, then the nearest image
/// of the middle belongs to the nearest image of the body.
pub(super) fn nearest_image(mut from_middle: DVec3, periods: DVec3) -> DVec3 {
    for axis in 0..3 {
        if periods[axis].is_finite() {
            from_middle[axis] -= periods[axis] * (from_middle[axis] / periods[axis]).round();
        }
    }
    from_middle
}

/// Returns the vectors from those images of a body that may be nearest: along a periodic axis, the image that starts at or below the
/// point, and its neighbors.
fn images(from_position: DVec3, periods: DVec3) -> impl Iterator<Item = DVec3> {
    let along = move |axis: usize| {
        let (from, period) = (from_position[axis], periods[axis]);
        let count = if period.is_finite() { 3 } else { 1 };
        (0..count).map(move |k| match k {
            0 if count == 1 => from,
            0 => from.rem_euclid(period),
            1 => from.rem_euclid(period) - period,
            _ => from.rem_euclid(period) + period,
        })
    };
    along(0)
        .flat_map(move |x| along(1).flat_map(move |y| along(2).map(move |z| DVec3::new(x, y, z))))
}
