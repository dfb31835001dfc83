//! Distances from bodies, for the packing loop.

use glam::DVec3;

use super::body::Body;
#[cfg(feature = "mesh")]
use super::mesh::Mesh;

/// The surface of an obstacle near a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Surface {
    /// Distance of the point from the surface, negative inside the obstacle.
    pub distance: f64,
    /// Unit vector in which the distance grows fastest.
    pub outwards: DVec3,
}

/// A part of a container that no sphere may enter.
pub(super) trait Obstacle {
    /// Returns the surface nearest to a point if its distance is below `reach`, or if the point is inside the obstacle. The
    /// images along axes with finite `periods` count, too.
    fn surface_within(&self, point: DVec3, periods: DVec3, reach: f64) -> Option<Surface>;
}

impl Obstacle for Body {
    fn surface_within(&self, point: DVec3, periods: DVec3, reach: f64) -> Option<Surface> {
        let surface = match *self {
            Self::Cylinder {
                diameter,
                height,
                center,
                axis,
            } => {
                let from_center = nearest_image(point - center, periods);
                let half = height.map(|height| 0.5 * height);
                cylinder(from_center, 0.5 * diameter, half, axis.number())
            }
            Self::Sphere { diameter, center } => {
                ball(nearest_image(point - center, periods), 0.5 * diameter)
            }
            Self::Box { lengths, center } => {
                cuboid(nearest_image(point - center, periods), 0.5 * lengths)
            }
            #[cfg(feature = "mesh")]
            Self::Mesh { ref mesh, corner } => {
                return mesh_within(mesh, point - corner, periods, reach);
            }
        };
        (surface.distance < reach).then_some(surface)
    }
}

/// Returns the shortest vector from any image of the center of a body.
///
/// The bodies are symmetric about the three planes through their centers, convex, and no longer than a period: the nearest image
/// of the center belongs to the nearest image of the body.
pub(super) fn nearest_image(mut from_center: DVec3, periods: DVec3) -> DVec3 {
    for axis in 0..3 {
        if periods[axis].is_finite() {
            from_center[axis] -= periods[axis] * (from_center[axis] / periods[axis]).round();
        }
    }
    from_center
}

pub(super) fn ball(from_center: DVec3, radius: f64) -> Surface {
    let length = from_center.length();
    Surface {
        distance: length - radius,
        outwards: from_center.try_normalize().unwrap_or(DVec3::Z),
    }
}

fn cuboid(from_center: DVec3, half: DVec3) -> Surface {
    let beyond = from_center.abs() - half;
    let signs = from_center.signum();
    let outside = beyond.max(DVec3::ZERO);
    if outside == DVec3::ZERO {
        let nearest = beyond.max_position();
        let mut outwards = DVec3::ZERO;
        outwards[nearest] = signs[nearest];
        return Surface {
            distance: beyond[nearest],
            outwards,
        };
    }
    let distance = outside.length();
    Surface {
        distance,
        outwards: outside * signs / distance,
    }
}

fn cylinder(from_center: DVec3, radius: f64, half_height: Option<f64>, axis: usize) -> Surface {
    let along = from_center[axis];
    let mut across = from_center;
    across[axis] = 0.0;
    let from_axis = across.length();
    let radial = across
        .try_normalize()
        .unwrap_or(DVec3::AXES[(axis + 1) % 3]);
    let axial = DVec3::AXES[axis] * along.signum();
    let beyond_side = from_axis - radius;
    let beyond_end = half_height.map_or(f64::NEG_INFINITY, |half| along.abs() - half);
    let (distance, outwards) = if beyond_side > 0.0 && beyond_end > 0.0 {
        let edge = radial * beyond_side + axial * beyond_end;
        let distance = edge.length();
        (distance, edge / distance)
    } else if beyond_side >= beyond_end {
        (beyond_side, radial)
    } else {
        (beyond_end, axial)
    };
    Surface { distance, outwards }
}

/// Returns the surface of the nearest image of a mesh. `from_corner` is the vector from the lowest corner of the mesh.
#[cfg(feature = "mesh")]
fn mesh_within(mesh: &Mesh, from_corner: DVec3, periods: DVec3, reach: f64) -> Option<Surface> {
    let lengths = mesh.lengths();
    // Along a periodic axis, the image that starts at or below the point, and its neighbors.
    let images = |axis: usize| {
        let (from, period) = (from_corner[axis], periods[axis]);
        let is_periodic = period.is_finite();
        let from = if is_periodic {
            from.rem_euclid(period)
        } else {
            from
        };
        [0.0, 1.0, -1.0]
            .into_iter()
            .take(if is_periodic { 3 } else { 1 })
            .map(move |count| {
                if count == 0.0 {
                    from
                } else {
                    from - count * period
                }
            })
    };
    let mut nearest = None;
    let mut limit = reach;
    for x in images(0) {
        for y in images(1) {
            for z in images(2) {
                let point = DVec3::new(x, y, z);
                let from_box = (-point).max(point - lengths).max(DVec3::ZERO).length();
                if from_box > limit.max(0.0) {
                    continue;
                }
                let Some(wall) = mesh.wall_outside(point, limit) else {
                    continue;
                };
                if -wall.distance < limit {
                    limit = -wall.distance;
                    nearest = Some(Surface {
                        distance: limit,
                        outwards: -wall.inwards,
                    });
                }
            }
        }
    }
    nearest
}
