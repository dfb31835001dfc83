//! Parallel projection of spheres onto a square of pixels.

use glam::{DMat3, DVec3};

use super::{constants::MARGIN, solids::Triangle};
use crate::{container::Container, spheres::Spheres};

/// A plane that cuts a part of the packing away: points with `normal · point > offset` are removed.
#[derive(Clone, Copy)]
pub(super) struct Plane {
    /// Unit vector to the removed side.
    pub(super) normal: DVec3,
    /// Position along the normal.
    pub(super) offset: f64,
}

/// Parallel projection onto a square around the center of the container.
pub(super) struct View {
    /// Rows: to the right, up, towards the viewer.
    axes: DMat3,
    center: DVec3,
    /// Number of pixels along a side.
    pub(super) side: usize,
    pub(super) pixels_per_length: f64,
}

/// The uppermost surface in a pixel.
#[derive(Clone, Copy)]
pub(super) struct Pixel {
    /// Height towards the viewer, as a length.
    pub(super) height: f64,
    pub(super) part: Part,
}

/// The surface in a pixel.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    Nothing,
    /// The sphere of this id.
    Sphere(u32),
    /// The triangle of this number, on the surface of a body.
    Triangle(u32),
    /// The inside of a body, at the plane that cuts it.
    CutBody,
    /// The outline of the container.
    Line,
}

impl Pixel {
    const EMPTY: Self = Self {
        height: f64::NEG_INFINITY,
        part: Part::Nothing,
    };
}

impl View {
    /// Looks at a container from the direction `towards_viewer`. The square is a little wider than the diagonal of the
    /// container.
    pub(super) fn new(towards_viewer: DVec3, container: &Container, side: usize) -> Self {
        Self::of_box(towards_viewer, [DVec3::ZERO, container.lengths()], side)
    }

    /// Looks at a box between two corners.
    pub(super) fn of_box(towards_viewer: DVec3, [low, high]: [DVec3; 2], side: usize) -> Self {
        let z = towards_viewer.normalize();
        let x = DVec3::Z.cross(z).normalize_or(DVec3::X);
        let extent = 0.5 * (high - low).length() * MARGIN;
        Self {
            axes: DMat3::from_cols(x, z.cross(x), z).transpose(),
            center: 0.5 * (low + high),
            side,
            pixels_per_length: 0.5 * side as f64 / extent,
        }
    }

    /// Returns the direction to the viewer.
    pub(super) fn towards_viewer(&self) -> DVec3 {
        self.axes.row(2)
    }

    /// Returns column and row of a point in pixels, and its height towards the viewer as a length.
    pub(super) fn project(&self, point: DVec3) -> DVec3 {
        let p = self.axes * (point - self.center);
        let density = self.pixels_per_length;
        let middle = 0.5 * self.side as f64;
        DVec3::new(middle + density * p.x, middle - density * p.y, p.z)
    }

    /// Returns the point of a pixel: the inverse of [`Self::project`].
    pub(super) fn unproject(&self, pixel: DVec3) -> DVec3 {
        let density = self.pixels_per_length;
        let middle = 0.5 * self.side as f64;
        let p = DVec3::new(
            (pixel.x - middle) / density,
            (middle - pixel.y) / density,
            pixel.z,
        );
        self.center + self.axes.transpose() * p
    }

    /// Returns the uppermost surface of spheres and bodies in every pixel, with the parts beyond the planes removed.
    pub(super) fn depths(
        &self,
        spheres: &Spheres,
        bodies: &[Triangle],
        cuts: &[Plane],
    ) -> Vec<Pixel> {
        let cuts: Vec<Cut> = cuts.iter().map(|plane| Cut::new(self, plane)).collect();
        let mut buffer = vec![Pixel::EMPTY; self.side * self.side];
        self.draw_spheres(spheres, &cuts, &mut buffer);
        self.draw_triangles(bodies, &cuts, &mut buffer);
        buffer
    }

    fn draw_spheres(&self, spheres: &Spheres, cuts: &[Cut], buffer: &mut [Pixel]) {
        let density = self.pixels_per_length;
        for (id, (center, radius)) in spheres.iter().enumerate() {
            let c = self.project(center);
            let reach = radius * density;
            let range = |x: f64| {
                let first = (x - reach).floor().max(0.0) as usize;
                first..((x + reach).ceil().max(0.0) as usize).min(self.side)
            };
            for row in range(c.y) {
                for column in range(c.x) {
                    let dx = (column as f64 + 0.5 - c.x) / density;
                    let dy = (row as f64 + 0.5 - c.y) / density;
                    let rest = radius * radius - dx * dx - dy * dy;
                    if rest <= 0.0 {
                        continue;
                    }
                    let half = rest.sqrt();
                    let pixel = &mut buffer[row * self.side + column];
                    if c.z + half > pixel.height {
                        let mut visible = Some([c.z - half, c.z + half]);
                        for cut in cuts {
                            visible = visible.and_then(|ends| cut.keep(row, column, ends));
                        }
                        if let Some([_, height]) = visible
                            && height > pixel.height
                        {
                            *pixel = Pixel {
                                height,
                                part: Part::Sphere(id as u32),
                            };
                        }
                    }
                }
            }
        }
    }
}

/// A plane in the coordinates of a view: heights above or below `height + right · column + down · row` are removed.
pub(super) struct Cut {
    height: f64,
    right: f64,
    down: f64,
    /// Component of the normal towards the viewer. Where it is 0, `height` and slopes tell the removed side by their sign.
    facing: f64,
}

impl Cut {
    fn new(view: &View, plane: &Plane) -> Self {
        let normal = view.axes * plane.normal;
        let corner = view.unproject(DVec3::new(0.5, 0.5, 0.0));
        let offset = plane.offset - plane.normal.dot(corner);
        let step = 1.0 / view.pixels_per_length;
        let facing = if normal.z.abs() < 1e-9 { 0.0 } else { normal.z };
        let scale = if facing == 0.0 { 1.0 } else { 1.0 / facing };
        Self {
            height: offset * scale,
            right: -normal.x * step * scale,
            down: normal.y * step * scale,
            facing,
        }
    }

    /// Returns the part of an interval of heights in a pixel that remains.
    pub(super) fn keep(
        &self,
        row: usize,
        column: usize,
        [low, high]: [f64; 2],
    ) -> Option<[f64; 2]> {
        let plane = self.height + self.right * column as f64 + self.down * row as f64;
        if self.facing == 0.0 {
            (plane >= 0.0).then_some([low, high])
        } else if self.facing > 0.0 {
            (plane > low).then_some([low, high.min(plane)])
        } else {
            (plane < high).then_some([low.max(plane), high])
        }
    }
}
