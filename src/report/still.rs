//! Still pictures of packings, without a GPU.
//!
//! The sky is the light: the brightness of a point is the share of the sky that is visible from it. Spheres and bodies are drawn once
//! from the viewer and once from each of many directions of the sky, each time into a buffer of depths.

use std::f64::consts::PI;

use glam::DVec3;
use rayon::prelude::*;

use super::{
    colouring::{Colouring, Paint},
    constants::{
        BATCH, BODY_BRIGHTNESS, BRIGHTNESS_STEPS, FLAT_VIEW, GAMMA, HIGH_LIGHT, LINE_BRIGHTNESS,
        LINE_WIDTH, PAPER, SKY_DIRECTIONS, SKY_SIDE,
    },
    error::ReportError,
    outline::{Segment, outline},
    solids::{Triangle, triangles},
    view::{Part, Pixel, Plane, View},
};
use crate::{packing::Packing, spheres::Spheres};

/// A still picture of a packing.
///
/// # Example
/// ```
/// use jostle::{Effort, PackOptions, pack, report::Still};
///
/// let packing = pack(&[0.5; 100], &PackOptions::default().effort(Effort::QUICK))?.packing;
/// let still = Still::default().side(64);
/// assert_eq!(still.draw(&packing)?.len(), 3 * 64 * 64);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Still {
    /// Direction from the packing to the viewer. Default: from the front, right and above.
    pub view: DVec3,
    /// Cutting plane: the axis (0, 1, 2) and the position in units of the container's length. The half beyond the plane, on the
    /// viewer's side, is removed. Default: no plane.
    pub cut: Option<(usize, f64)>,
    /// The property that colours show. Default: size.
    pub colouring: Colouring,
    /// Side of the square picture in pixels. Default: 640.
    pub side: usize,
    /// Whether the edges of the container are drawn, where no sphere hides them. Default: yes.
    pub outline: bool,
}

impl Default for Still {
    fn default() -> Self {
        Self {
            view: DVec3::new(1.0, 0.62, 0.52),
            cut: None,
            colouring: Colouring::default(),
            side: 640,
            outline: true,
        }
    }
}

impl Still {
    /// Sets the direction from the packing to the viewer.
    #[must_use]
    pub fn view(mut self, view: DVec3) -> Self {
        self.view = view;
        self
    }

    /// Sets the cutting plane: an axis (0, 1, 2) and a position in units of the container's length.
    #[must_use]
    pub fn cut(mut self, axis: usize, position: f64) -> Self {
        self.cut = Some((axis, position));
        self
    }

    /// Sets the property that colours show.
    #[must_use]
    pub fn colouring(mut self, colouring: Colouring) -> Self {
        self.colouring = colouring;
        self
    }

    /// Sets the side of the picture in pixels.
    #[must_use]
    pub fn side(mut self, side: usize) -> Self {
        self.side = side;
        self
    }

    /// Sets whether the edges of the container are drawn.
    #[must_use]
    pub fn outline(mut self, outline: bool) -> Self {
        self.outline = outline;
        self
    }

    /// Draws a packing: rows from top to bottom, three bytes (red, green, blue) for each pixel. Bodies that keep spheres out are grey.
    ///
    /// # Cost
    /// The spheres are drawn about a hundred times, on rayon's threads: about 20 seconds for a million spheres on two threads.
    ///
    /// # Errors
    /// [`ReportError`] if the direction has no length, if the axis, the position (0 to 1) or the side (1 to 8192) is not accepted,
    /// or if contacts cannot be found.
    pub fn draw(&self, packing: &Packing) -> Result<Vec<u8>, ReportError> {
        let cuts = self.checked_cuts(packing)?;
        let paint = Paint::new(packing, self.colouring)?;
        let scene = Scene {
            packing,
            bodies: triangles(&packing.container),
            cuts,
            paint,
        };
        // The picture is drawn twice as large and reduced, which smooths edges.
        let camera = View::new(self.view, &packing.container, 2 * self.side);
        let mut points = scene.visible_points(&camera);
        let full_light = scene.light(&mut points);
        if self.outline {
            scene.draw_outline(&camera, &mut points);
        }
        Ok(self.reduced(&points, full_light))
    }

    /// Checks the settings, and returns the cutting plane.
    fn checked_cuts(&self, packing: &Packing) -> Result<Vec<Plane>, ReportError> {
        let length = self.view.length();
        if !(length > 0.0 && length.is_finite()) {
            return Err(ReportError::View { view: self.view });
        }
        if !(1..=8192).contains(&self.side) {
            return Err(ReportError::Side { side: self.side });
        }
        let Some((axis, position)) = self.cut else {
            return Ok(Vec::new());
        };
        if axis > 2 || !(0.0..=1.0).contains(&position) {
            return Err(ReportError::Cut { axis, position });
        }
        // The side of the viewer is removed.
        let side = if self.view[axis] < 0.0 { -1.0 } else { 1.0 };
        let normal = side * DVec3::AXES[axis];
        let offset = side * position * packing.container.lengths()[axis];
        Ok(vec![Plane { normal, offset }])
    }

    /// Returns the pixels of the picture from points at twice the resolution.
    fn reduced(&self, points: &[Visible], full_light: f64) -> Vec<u8> {
        let mut pixels = Vec::with_capacity(3 * self.side * self.side);
        for row in 0..self.side {
            for column in 0..self.side {
                let mut sum = DVec3::ZERO;
                for (y, x) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
                    let visible = &points[(2 * row + y) * 2 * self.side + 2 * column + x];
                    let light = (visible.light / full_light).min(1.0);
                    sum += visible.colour * light.powf(1.0 / GAMMA);
                }
                // Coarse steps of brightness keep the file small.
                let step = 255.0 / BRIGHTNESS_STEPS;
                let byte = |value: f64| {
                    let level = (value / 4.0 * BRIGHTNESS_STEPS).round();
                    (level.min(BRIGHTNESS_STEPS) * step) as u8
                };
                pixels.extend(sum.to_array().map(byte));
            }
        }
        pixels
    }
}

/// Point that is visible from the camera.
struct Visible {
    point: DVec3,
    normal: DVec3,
    colour: DVec3,
    /// Sum of the light from all visible directions of the sky.
    light: f64,
    /// Whether the point is on a sphere or a body.
    is_solid: bool,
}

/// What is drawn.
struct Scene<'a> {
    packing: &'a Packing,
    bodies: Vec<Triangle>,
    cuts: Vec<Plane>,
    paint: Paint,
}

impl Scene<'_> {
    fn spheres(&self) -> &Spheres {
        &self.packing.spheres
    }

    /// Returns the visible point of every pixel.
    fn visible_points(&self, camera: &View) -> Vec<Visible> {
        let floor = self.floor();
        let depths = camera.depths(self.spheres(), &self.bodies, &self.cuts);
        let points = depths.iter().enumerate().map(|(i, pixel)| {
            let (row, column) = (i / camera.side, i % camera.side);
            let [x, y] = [column, row].map(|at| at as f64 + 0.5);
            self.visible(camera, DVec3::new(x, y, pixel.height), pixel, floor)
        });
        points.collect()
    }

    /// Returns the height of the floor: that of the lowest point of all spheres and bodies.
    fn floor(&self) -> f64 {
        let spheres = self.spheres().iter();
        let bottoms = spheres.map(|(center, radius)| center.z - radius);
        let corners = self.bodies.iter().flat_map(|triangle| triangle.corners);
        bottoms
            .chain(corners.map(|corner| corner.z))
            .fold(f64::INFINITY, f64::min)
    }

    /// Returns the visible point of a pixel: on a sphere, on a body, or on the floor under the packing.
    fn visible(&self, camera: &View, at: DVec3, pixel: &Pixel, floor: f64) -> Visible {
        let point = camera.unproject(at);
        let body = DVec3::splat(BODY_BRIGHTNESS);
        let (normal, colour) = match pixel.part {
            Part::Nothing => return background(camera, at, floor),
            Part::Sphere(id) => {
                let normal = self.sphere_normal(id as usize, point, camera.towards_viewer());
                (normal, self.paint.colour(id as usize))
            }
            Part::Triangle(number) => (self.bodies[number as usize].normal_at(point), body),
            Part::CutBody => {
                let distance = |plane: &Plane| (plane.normal.dot(point) - plane.offset).abs();
                let nearest = (self.cuts.iter()).min_by(|a, b| distance(a).total_cmp(&distance(b)));
                let normal = nearest.map_or(camera.towards_viewer(), |plane| plane.normal);
                (normal, body)
            }
        };
        Visible {
            point,
            normal,
            colour,
            light: 0.0,
            is_solid: true,
        }
    }

    /// Returns the direction away from a sphere at a point of its surface or of its cut.
    fn sphere_normal(&self, id: usize, point: DVec3, towards_viewer: DVec3) -> DVec3 {
        let from_center = point - self.spheres().centers()[id];
        let radius = self.spheres().radii()[id];
        let is_cut = |plane: &&Plane| {
            (plane.normal.dot(point) - plane.offset).abs() < 1e-6 * radius
                && from_center.length() < radius * (1.0 - 1e-6)
        };
        match self.cuts.iter().find(is_cut) {
            Some(plane) => plane.normal,
            None => from_center.normalize_or(towards_viewer),
        }
    }

    /// Draws the edges of the container over the points behind them.
    fn draw_outline(&self, camera: &View, points: &mut [Visible]) {
        // A line along a wall must not be hidden by a sphere that touches the wall there.
        let tolerance = 2.0 / camera.pixels_per_length;
        let half = LINE_WIDTH / 2;
        let brushes: Vec<[i64; 2]> = (-half..=half)
            .flat_map(|y| (-half..=half).map(move |x| [x, y]))
            .collect();
        for segment in outline(&self.packing.container) {
            let Some(ends) = self.uncut(segment) else {
                continue;
            };
            let [from, to] = ends.map(|point| camera.project(point));
            let steps = (to - from).truncate().abs().max_element().ceil();
            for step in 0..=steps as usize {
                let at = from.lerp(to, step as f64 / steps.max(1.0));
                for [x, y] in &brushes {
                    let [column, row] = [at.x as i64 + x, at.y as i64 + y];
                    let range = 0..camera.side as i64;
                    if !(range.contains(&column) && range.contains(&row)) {
                        continue;
                    }
                    let visible = &mut points[row as usize * camera.side + column as usize];
                    let is_hidden =
                        visible.is_solid && camera.project(visible.point).z > at.z + tolerance;
                    if !is_hidden {
                        visible.colour = DVec3::splat(LINE_BRIGHTNESS);
                        visible.light = f64::INFINITY;
                    }
                }
            }
        }
    }

    /// Returns the part of a line segment that no plane cuts away.
    fn uncut(&self, segment: Segment) -> Option<Segment> {
        let cut = |[from, to]: Segment, plane: &Plane| {
            let beyond = |point: DVec3| plane.normal.dot(point) - plane.offset;
            let [first, last] = [beyond(from), beyond(to)];
            let crossing = || from.lerp(to, first / (first - last));
            match (first > 0.0, last > 0.0) {
                (false, false) => Some([from, to]),
                (true, false) => Some([crossing(), to]),
                (false, true) => Some([from, crossing()]),
                (true, true) => None,
            }
        };
        self.cuts.iter().try_fold(segment, cut)
    }

    /// Lights all points from the sky. Returns the light of a point under the free sky.
    fn light(&self, points: &mut [Visible]) -> f64 {
        let directions: Vec<DVec3> = sky().collect();
        let mut full_light = 0.0;
        for batch in directions.chunks(BATCH) {
            let views = batch.par_iter().map(|&direction| {
                let view = View::new(direction, &self.packing.container, SKY_SIDE);
                let depths = view.depths(self.spheres(), &self.bodies, &self.cuts);
                (view, depths)
            });
            let views: Vec<(View, Vec<Pixel>)> = views.collect();
            // The order of the sum does not depend on threads.
            points.par_iter_mut().for_each(|visible| {
                for (view, depths) in &views {
                    add_light(visible, view, depths);
                }
            });
            full_light += batch
                .iter()
                .map(|&direction| weight(direction) * direction.z)
                .sum::<f64>();
        }
        full_light
    }
}

/// Returns the point of the floor in a pixel.
fn background(camera: &View, mut at: DVec3, floor: f64) -> Visible {
    let towards_viewer = camera.towards_viewer();
    at.z = 0.0;
    let mut point = camera.unproject(at);
    let mut light = 0.0;
    if towards_viewer.z > FLAT_VIEW {
        point -= towards_viewer * ((point.z - floor) / towards_viewer.z);
    } else {
        // From below or from the side, there is no floor behind the packing, but bright paper.
        light = f64::INFINITY;
    }
    Visible {
        point,
        normal: DVec3::Z,
        colour: DVec3::splat(PAPER),
        light,
        is_solid: false,
    }
}

/// Returns directions spread evenly over the hemisphere (Fibonacci lattice).
fn sky() -> impl Iterator<Item = DVec3> {
    (0..SKY_DIRECTIONS).map(|i| {
        let z = (i as f64 + 0.5) / SKY_DIRECTIONS as f64;
        let (sin, cos) = libm::sincos(i as f64 * PI * (3.0 - 5f64.sqrt()));
        let r = (1.0 - z * z).sqrt();
        DVec3::new(r * cos, r * sin, z)
    })
}

/// Returns the brightness of the sky in a direction.
fn weight(direction: DVec3) -> f64 {
    HIGH_LIGHT + direction.z
}

/// Adds the light of one direction of the sky to a point from which this direction is visible.
fn add_light(visible: &mut Visible, view: &View, depths: &[Pixel]) {
    let direction = view.towards_viewer();
    let slope = visible.normal.dot(direction);
    if slope <= 0.0 {
        return;
    }
    let p = view.project(visible.point);
    let inside = |x: f64| (0.0..view.side as f64).contains(&x);
    // Two pixels: a point must not be hidden by the surface on which it lies.
    let tolerance = 2.0 / view.pixels_per_length;
    let hidden = inside(p.x)
        && inside(p.y)
        && depths[p.y as usize * view.side + p.x as usize].height > p.z + tolerance;
    if !hidden {
        visible.light += weight(direction) * slope;
    }
}
