//! The walls of a vessel in coordinates in which gravity points along −z.

use glam::DVec3;

use super::curve::Curve;

/// Cosine of the angle between the normals of one face of a curved wall at the ends of a chord, at least.
const SAME_FACE: f64 = 0.9;

/// Like [`SAME_FACE`], for a mesh: the normal turns only around an edge, by the angle of a chord.
const SAME_EDGE: f64 = 0.96;

/// Reports each surface within a distance of a point: the distance, and the unit vector from the surface to the point.
pub(super) type Field = dyn Fn(DVec3, f64, &mut dyn FnMut(f64, DVec3)) + Send + Sync;

/// A wall.
pub(super) enum Wall {
    /// The side of a plane to which its unit normal points: at a point x, the distance is `normal·x − level`.
    Plane { normal: DVec3, level: f64 },
    /// The inside of a cone around a line parallel to z, or of a cylinder with the slope 0.
    Cone {
        /// A point of the axis at the height 0.
        axis: DVec3,
        /// Radius at the height 0.
        radius: f64,
        /// Increase of the radius with the height.
        slope: f64,
    },
    /// A surface with a distance: a body, or the inside of a solid.
    Field(Box<Field>),
    /// The faces of a mesh, which are planes.
    Faces(Box<Field>),
}

/// A wall near a sphere.
#[derive(Clone, Copy, Debug)]
pub(super) struct Near {
    /// The position in the list of walls.
    pub wall: usize,
    /// Distance of the surface of the sphere.
    pub gap: f64,
    /// Unit vector from the wall to the sphere.
    pub normal: DVec3,
}

/// The walls of a vessel.
pub(super) struct Walls(pub Vec<Wall>);

impl Wall {
    pub fn is_plane(&self) -> bool {
        matches!(self, Self::Plane { .. })
    }
}

impl Walls {
    /// Returns the cosine of the angle between two normals above which they belong to one face of a wall.
    pub fn same_face(&self, wall: usize) -> f64 {
        match self.0[wall] {
            Wall::Faces(_) => SAME_EDGE,
            _ => SAME_FACE,
        }
    }

    /// Calls `visit` with each wall whose gap to a sphere is below `reach`.
    pub fn near(&self, center: DVec3, radius: f64, reach: f64, visit: &mut impl FnMut(Near)) {
        for (number, wall) in self.0.iter().enumerate() {
            let mut report = |distance: f64, normal: DVec3| {
                let gap = distance - radius;
                if gap < reach {
                    visit(Near {
                        wall: number,
                        gap,
                        normal,
                    });
                }
            };
            match *wall {
                Wall::Plane { normal, level } => report(normal.dot(center) - level, normal),
                Wall::Cone {
                    axis,
                    radius: at_zero,
                    slope,
                } => {
                    cone(center - axis, at_zero, slope, radius, &mut report);
                }
                Wall::Field(ref field) | Wall::Faces(ref field) => {
                    field(center, radius + reach, &mut report);
                }
            }
        }
    }

    /// Returns where a sphere that moves along a curve meets an upright cylinder; `None` for other walls, or if the curve has no formula for it.
    pub fn meets_cylinder(&self, wall: usize, curve: &Curve, radius: f64) -> Option<f64> {
        let Wall::Cone {
            axis,
            radius: of_wall,
            slope: 0.0,
        } = self.0[wall]
        else {
            return None;
        };
        curve.leaves_cylinder(axis, of_wall - radius)
    }

    /// Returns the height at which a sphere that falls from a point first touches a wall, if that is above `floor`. A wall that it touches
    /// at the start is ignored while the distance does not shrink.
    pub fn first_below(&self, from: DVec3, radius: f64, floor: f64) -> f64 {
        let mut best = floor;
        for wall in &self.0 {
            let height = match *wall {
                Wall::Plane { normal, level } if normal.z > 0.0 => {
                    let aside = normal.dot(from.with_z(0.0));
                    (level + radius - aside) / normal.z
                }
                Wall::Cone {
                    axis,
                    radius: at_zero,
                    slope,
                } if slope > 0.0 => {
                    let aside = (from - axis).truncate().length();
                    let stretch = (1.0 + slope * slope).sqrt();
                    axis.z + (radius * stretch + aside - at_zero) / slope
                }
                Wall::Field(ref field) | Wall::Faces(ref field) => {
                    traced(field, from, radius, best)
                }
                _ => continue,
            };
            if height <= from.z {
                best = best.max(height);
            }
        }
        best
    }
}

/// Reports the nearest point of a cone, and near the axis also the points around it, which are as near.
fn cone(from: DVec3, at_zero: f64, slope: f64, radius: f64, report: &mut impl FnMut(f64, DVec3)) {
    let aside = from.truncate().length();
    let stretch = (1.0 + slope * slope).sqrt();
    let outwards = if aside > 0.0 {
        from.with_z(0.0) / aside
    } else {
        DVec3::X
    };
    let distance = |aside: f64| (at_zero + slope * from.z - aside) / stretch;
    let normal = |outwards: DVec3| (slope * DVec3::Z - outwards) / stretch;
    report(distance(aside), normal(outwards));
    if aside < 1e-10 * radius {
        let across = DVec3::new(-outwards.y, outwards.x, 0.0);
        let half = 0.75f64.sqrt();
        for around in [
            -0.5 * outwards + half * across,
            -0.5 * outwards - half * across,
        ] {
            report(distance(aside), normal(around));
        }
    }
}

/// Returns the height at which a sphere that falls from a point first touches a surface, or `floor`.
///
/// The sphere falls by its gap, which is safe, or by a small part of its radius beside a wall; a contact is then found by halving. A surface
/// beside or above does not stop a fall, nor one from which the sphere just rolled.
fn traced(field: &Field, from: DVec3, radius: f64, floor: f64) -> f64 {
    let least = 0.05 * radius;
    // The gap, and whether a surface below overlaps.
    let state = |height: f64, reach: f64| {
        let (mut gap, mut overlaps) = (reach, false);
        field(
            from.with_z(height),
            radius + reach,
            &mut |distance, normal| {
                gap = gap.min(distance - radius);
                let limit = if normal.z > 1e-9 {
                    radius
                } else {
                    radius * (1.0 - 1e-9)
                };
                overlaps |= distance < limit;
            },
        );
        (gap, overlaps)
    };
    let mut height = from.z;
    while height > floor {
        let (gap, _) = state(height, height - floor);
        let next = (height - gap.max(least)).max(floor);
        if state(next, least).1 {
            let (mut high, mut low) = (height, next);
            for _ in 0..60 {
                let middle = 0.5 * (high + low);
                if state(middle, least).1 {
                    low = middle;
                } else {
                    high = middle;
                }
            }
            return high;
        }
        height = next;
    }
    floor
}
