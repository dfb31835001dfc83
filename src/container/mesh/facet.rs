//! A triangle of a surface, and the closest points of triangles.

use glam::DVec3;
use parry3d_f64::{
    bounding_volume::Aabb,
    math::Vector,
    query::PointQueryWithLocation,
    shape::{Triangle, TrianglePointLocation},
};

use super::{
    constants::{PRISM_MARGIN, SLIVER},
    outline::Outline,
};

/// The part of a triangle that a point lies on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Part {
    Face,
    /// The edge from this corner to the next.
    Edge(usize),
    Corner(usize),
}

/// The closest point of a surface.
#[derive(Clone, Copy, Debug)]
pub(super) struct Nearest {
    pub distance: f64,
    pub point: DVec3,
    pub triangle: u32,
    pub part: Part,
}

impl Nearest {
    /// Returns whether a point was found that is closer than the bound.
    pub fn is_found(&self) -> bool {
        self.triangle != u32::MAX
    }

    /// A distance that another point may improve on.
    pub fn bound(distance: f64) -> Self {
        Self {
            distance,
            point: DVec3::NAN,
            triangle: u32::MAX,
            part: Part::Face,
        }
    }
}

/// A linear function of a point.
#[derive(Clone, Copy)]
pub(super) struct Linear {
    pub gradient: DVec3,
    pub constant: f64,
}

impl Linear {
    /// A distance beyond a line that no point is near.
    pub const NOWHERE: Self = Self {
        gradient: DVec3::ZERO,
        constant: f64::NEG_INFINITY,
    };

    /// Returns the function of this gradient that is 0 at `root`.
    pub fn new(gradient: DVec3, root: DVec3) -> Self {
        Self {
            gradient,
            constant: -gradient.dot(root),
        }
    }

    #[inline(always)]
    pub fn at(&self, p: DVec3) -> f64 {
        self.gradient.dot(p) + self.constant
    }
}

/// A triangle with the functions that find the foot of a perpendicular.
///
/// The fields that most searches read come first.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub(super) struct Facet {
    /// Distance from the plane, positive outside.
    pub height: Linear,
    /// Error of the distance from the plane.
    uncertainty: f64,
    /// Tangent of the greatest angle at which a point inside the body may lie from its closest point, if that is on an edge or at a
    /// corner: 0 if no edge is reentrant, and infinite if the plane is uncertain.
    pub edge_slope: f64,
    /// Shares of the second and the third corner in a point of the plane.
    shares: [Linear; 2],
    triangle: Triangle,
}

impl Facet {
    /// Creates a triangle from its corners.
    pub fn new([a, b, c]: [DVec3; 3]) -> Self {
        let (ab, ac) = (b - a, c - a);
        let across = ab.cross(ac);
        let longest = ab.length().max((c - b).length()).max(ac.length());
        let normal = across.normalize_or_zero();
        let is_sliver = across.length() < SLIVER * longest * longest;
        let squared = across.length_squared();
        Self {
            height: Linear::new(normal, a),
            shares: [
                Linear::new(ac.cross(across) / squared, a),
                Linear::new(across.cross(ab) / squared, a),
            ],
            // The error of the normal is at most 10⁻¹⁶ / SLIVER.
            uncertainty: if is_sliver {
                f64::INFINITY
            } else {
                1e-7 * longest
            },
            edge_slope: if is_sliver { f64::INFINITY } else { 0.0 },
            triangle: Triangle::new(vector(a), vector(b), vector(c)),
        }
    }

    /// Returns the corners.
    pub fn corners(&self) -> [DVec3; 3] {
        [self.triangle.a, self.triangle.b, self.triangle.c].map(point)
    }

    /// Returns the unit normal, outwards.
    pub fn normal(&self) -> DVec3 {
        self.height.gradient
    }

    /// Returns whether a point is certainly on the inner side of the plane.
    #[inline(always)]
    pub fn is_inside(&self, p: DVec3) -> bool {
        self.height.at(p) < -self.uncertainty
    }

    pub fn bounds(&self) -> Aabb {
        self.triangle.local_aabb()
    }

    /// Returns the closest point of this triangle, with its number.
    pub fn nearest(&self, p: DVec3, triangle: u32) -> Nearest {
        let (projection, location) = self
            .triangle
            .project_local_point_and_get_location(vector(p), false);
        let closest = point(projection.point);
        let part = match location {
            TrianglePointLocation::OnVertex(k) => Part::Corner(k as usize),
            TrianglePointLocation::OnEdge(k, _) => Part::Edge(k as usize),
            _ => Part::Face,
        };
        Nearest {
            distance: (p - closest).length(),
            point: closest,
            triangle,
            part,
        }
    }

    /// Returns the outline in units of a length. That of a triangle whose plane is uncertain is 0 everywhere.
    pub fn outline(&self, length: f64) -> Outline {
        if !self.has_plane() {
            return Outline::default();
        }
        let [second, third] = self.shares;
        let first = Linear {
            gradient: -(second.gradient + third.gradient),
            constant: 1.0 - (second.constant + third.constant),
        };
        let beyond = |share: Linear| {
            let slope = share.gradient.length();
            Linear {
                gradient: -share.gradient / slope,
                constant: -share.constant / slope,
            }
        };
        let functions = [self.height, beyond(first), beyond(second), beyond(third)];
        Outline::new(
            functions.map(|function| function.gradient),
            functions.map(|function| function.constant / length),
        )
    }

    /// Returns whether the plane of the triangle is precise enough to replace the triangle.
    pub fn has_plane(&self) -> bool {
        self.uncertainty.is_finite()
    }

    /// Replaces `best` by the closest point of this triangle if that is closer.
    #[inline(always)]
    pub fn improve(&self, p: DVec3, triangle: u32, best: &mut Nearest) {
        if self.height.at(p).abs() - self.uncertainty <= best.distance {
            let nearest = self.nearest(p, triangle);
            if nearest.distance < best.distance {
                *best = nearest;
            }
        }
    }

    /// Like [`Self::improve`], for a point inside the body, and as exact as the loop needs it.
    ///
    /// From inside, the closest point of the surface lies in a face, or on an edge or corner that is reentrant. Where this
    /// triangle has neither, another triangle is closer.
    #[inline(always)]
    pub fn improve_from_inside(&self, p: DVec3, triangle: u32, best: &mut Nearest) {
        let height = self.height.at(p);
        if height.abs() - self.uncertainty > best.distance {
            return;
        }
        let [second, third] = self.shares.map(|share| share.at(p));
        let is_in_prism = second >= -PRISM_MARGIN
            && third >= -PRISM_MARGIN
            && second + third <= 1.0 + PRISM_MARGIN;
        if is_in_prism && self.has_plane() {
            if height.abs() < best.distance {
                *best = Nearest {
                    distance: height.abs(),
                    point: p - height * self.height.gradient,
                    triangle,
                    part: Part::Face,
                };
            }
        } else if self.edge_slope > 0.0 {
            let nearest = self.nearest(p, triangle);
            if nearest.distance < best.distance {
                *best = nearest;
            }
        }
    }
}

/// Converts a point to the vectors of parry.
pub(super) fn vector(p: DVec3) -> Vector {
    Vector::new(p.x, p.y, p.z)
}

fn point(v: Vector) -> DVec3 {
    DVec3::new(v.x, v.y, v.z)
}
