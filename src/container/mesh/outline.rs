//! Triangles in single precision: lower bounds of distances that read one cache line each.

use glam::{DVec3, Vec3, Vec4};

use super::constants::OUTLINE_ERROR;

/// The triangles of a surface in single precision, in units of its longest length.
pub(super) struct Outlines {
    outlines: Vec<Outline>,
    pub longest: f64,
}

/// Four linear functions of a point: the distance from the plane of a triangle, and in this plane the distances beyond the lines
/// through its edges.
#[derive(Clone, Copy, Default)]
#[repr(align(64))]
pub(super) struct Outline {
    /// Change of the functions over a length along x.
    pub x: Vec4,
    /// Change of the functions over a length along y.
    pub y: Vec4,
    z: Vec4,
    constant: Vec4,
}

impl Outline {
    /// Creates the outline from the gradients of the functions, and their values at the origin in units of the longest length.
    pub fn new(gradients: [DVec3; 4], constants: [f64; 4]) -> Self {
        let column =
            |axis: usize| Vec4::from_array(gradients.map(|gradient| gradient[axis] as f32));
        Self {
            x: column(0),
            y: column(1),
            z: column(2),
            constant: Vec4::from_array(constants.map(|constant| constant as f32)),
        }
    }

    /// Returns the values of the functions.
    #[inline(always)]
    pub fn values(&self, Local(p): Local) -> Vec4 {
        self.x * p.x + self.y * p.y + self.z * p.z + self.constant
    }

    /// Returns the square of a lower bound of the distance, for the values of the functions.
    #[inline(always)]
    pub fn squared(values: Vec4) -> f32 {
        let beside = values.y.max(values.z).max(values.w).max(0.0);
        values.x * values.x + beside * beside
    }

    /// Returns whether the foot of the perpendicular from a point is certainly in the triangle.
    pub fn is_foot_inside(&self, p: Local) -> bool {
        let values = self.values(p);
        values.y.max(values.z).max(values.w) < -OUTLINE_ERROR as f32
    }

    /// Returns upper bounds of the distances of the points of a cube beyond the lines through the edges, each from a corner to the next.
    pub fn beyond_edges(&self, center: Local, half: f32) -> [f32; 3] {
        let most = self.values(center) + self.most_change(half) + OUTLINE_ERROR as f32;
        // The first edge lies opposite to the third corner.
        [most.w, most.y, most.z]
    }

    /// Returns how much the functions change at most from the center of a cube of side 2 `half` to its corners.
    pub fn most_change(&self, half: f32) -> Vec4 {
        (self.x.abs() + self.y.abs() + self.z.abs()) * half
    }
}

/// A point in units of the longest length.
#[derive(Clone, Copy)]
pub(super) struct Local(Vec3);

impl Outlines {
    /// Collects the outlines of a surface.
    pub fn new(outlines: Vec<Outline>, longest: f64) -> Self {
        Self { outlines, longest }
    }

    /// Returns the outline of a triangle.
    #[inline(always)]
    pub fn outline(&self, triangle: u32) -> &Outline {
        &self.outlines[triangle as usize]
    }

    /// Converts a point.
    #[inline(always)]
    pub fn local(&self, p: DVec3) -> Local {
        Local((p / self.longest).as_vec3())
    }

    /// Returns the square of a distance in units of the longest length, up to the error of single precision.
    #[inline(always)]
    pub fn squared_distance(&self, triangle: u32, p: Local) -> f32 {
        Outline::squared(self.outlines[triangle as usize].values(p))
    }

    /// Returns the square of a distance that no triangle at this distance or less exceeds in single precision.
    #[inline(always)]
    pub fn squared_limit(&self, distance: f64) -> f32 {
        let limit = (distance / self.longest + OUTLINE_ERROR) as f32;
        limit * limit
    }

    /// Returns the distance that the triangle of this squared distance has at most, unless its closest point is a corner.
    #[inline(always)]
    pub fn upper_bound(&self, squared: f32) -> f64 {
        (f64::from(squared.sqrt()) + OUTLINE_ERROR) * self.longest
    }

    /// Returns a lower bound of the distance of a triangle at this squared distance.
    #[inline(always)]
    pub fn lower_bound(&self, squared: f32) -> f32 {
        const ERROR: f32 = 1.5 * OUTLINE_ERROR as f32;
        ((squared.sqrt() - ERROR) * self.longest as f32).max(0.0)
    }
}
