//! Still pictures of packings, without a GPU.
//!
//! The sky is the light: the brightness of a point is the share of the sky that is visible from it. Spheres and bodies are drawn once
//! from the viewer and once from each of many directions of the sky, each time into a buffer of depths.

use std::f64::consts::PI;

use glam::DVec3;
use rayon::prelude::*;

use super::{
    coloring::{Coloring, Paint},
    constants::{
        BATCH, BODY_BRIGHTNESS, BRIGHTNESS_STEPS, FLAT_VIEW, GAMMA, HIGH_LIGHT, LARGEST_SIDE,
        LINE_BRIGHTNESS, LINE_WIDTH, MOST_LAYERS, PAPER, SHARED_LIGHT, SKY_DIRECTIONS, SKY_SIDE,
    },
    error::ReportError,
    outline::{Segment, outline},
    solids::{Triangle, triangles},
    view::{Part, Pixel, Plane, View},
};
use crate::{
    dimension::Dimension, machine::parallel::Erase, macros::setters, packing::Packing,
    spheres::Spheres,
};

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
    /// Direction from the packing to the viewer. Default: from the front, right and above. Disks are always seen along z.
    pub view: DVec3,
    /// Cutting plane: the axis (0, 1, 2) and the position in units of the container's length. The half beyond the plane, on the
    /// viewer's side, is removed. Default: no plane.
    pub cut: Option<(usize, f64)>,
    /// The property that colors show. Default: size.
    pub coloring: Coloring,
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
            coloring: Coloring::default(),
            side: 640,
            outline: true,
        }
    }
}

impl Still {
    /// Sets the cutting plane: an axis (0, 1, 2) and a position in units of the container's length.
    #[must_use]
    pub fn cut(mut self, axis: usize, position: f64) -> Self {
        self.cut = Some((axis, position));
        self
    }

    setters! {
        /// Sets the direction from the packing to the viewer.
        view: DVec3;
        /// Sets the property that colors show.
        coloring: Coloring;
        /// Sets the side of the picture in pixels.
        side: usize;
        /// Sets whether the edges of the container are drawn.
        outline: bool;
    }

    /// Draws a packing: rows from top to bottom, three bytes (red, green, blue) for each pixel. Bodies that keep spheres out are gray. Disks
    /// fill the picture up to the border of the container, with their periodic images.
    ///
    /// # Cost
    /// The spheres are drawn about a hundred times, on rayon's threads: about 20 seconds for a million spheres on two threads.
    ///
    /// # Errors
    /// [`ReportError`] if the direction has no length, if the axis, the position (0 to 1) or the side (1 to 8192) is not accepted,
    /// if the spheres cover the picture too often, if contacts cannot be found, or if disks are seen along another axis than z, are cut, or
    /// have the colors of levels.
    pub fn draw(&self, packing: &Packing) -> Result<Vec<u8>, ReportError> {
        if packing.container.dimension() == Dimension::Two {
            return self.draw_disks(packing);
        }
        let cuts = self.checked_cuts(packing)?;
        let paint = Paint::new(packing, self.coloring)?;
        let scene = Scene {
            packing,
            bodies: triangles(&packing.container),
            cuts,
            paint,
        };
        // The picture is drawn twice as large and reduced, which smooths edges.
        let camera = View::of_box(self.view, self.kept_box(packing), 2 * self.side);
        check_layers(packing, &camera)?;
        let mut picture = Picture::new(&scene, camera);
        let full_light = picture.light(self.sky_side());
        if self.outline {
            picture.draw_outline();
        }
        Ok(self.reduced(&picture, full_light))
    }

    /// Returns the memory that [`Still::draw`] takes beside the packing and its bodies, in bytes: mostly 96 for each pixel of the picture.
    pub fn estimated_memory(&self) -> f64 {
        let pixels = self.side as f64 * self.side as f64;
        let sky = (BATCH * self.sky_side().pow(2) * size_of::<Pixel>()) as f64;
        pixels * (4 * (size_of::<Pixel>() + size_of::<f64>()) + 3) as f64 + sky
    }

    /// Returns the side of the buffer for a direction of the sky, in pixels. More pixels than the camera has would be lost.
    fn sky_side(&self) -> usize {
        SKY_SIDE.min(2 * self.side)
    }

    /// Checks the sizes of the container and of the picture.
    pub(super) fn check_sizes(&self, packing: &Packing) -> Result<(), ReportError> {
        let longest = packing.container.lengths().max_element();
        if !(1e-150..=1e150).contains(&longest) {
            return Err(ReportError::Container { longest });
        }
        if !(1..=LARGEST_SIDE).contains(&self.side) {
            return Err(ReportError::Side { side: self.side });
        }
        Ok(())
    }

    /// Checks the settings, and returns the cutting plane.
    fn checked_cuts(&self, packing: &Packing) -> Result<Vec<Plane>, ReportError> {
        let length = self.view.length();
        if !(length > 0.0 && length.is_finite()) {
            return Err(ReportError::View { view: self.view });
        }
        self.check_sizes(packing)?;
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

    /// Returns the corners of the part of the container that the cutting plane leaves.
    fn kept_box(&self, packing: &Packing) -> [DVec3; 2] {
        let mut corners = [DVec3::ZERO, packing.container.lengths()];
        if let Some((axis, position)) = self.cut {
            let at = position * corners[1][axis];
            let removed = usize::from(self.view[axis] >= 0.0);
            corners[removed][axis] = at;
        }
        corners
    }

    /// Returns the pixels of the picture from points at twice the resolution.
    fn reduced(&self, picture: &Picture, full_light: f64) -> Vec<u8> {
        let mut pixels = Vec::with_capacity(3 * self.side * self.side);
        for row in 0..self.side {
            for column in 0..self.side {
                let mut sum = DVec3::ZERO;
                for (y, x) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
                    let at = (2 * row + y) * 2 * self.side + 2 * column + x;
                    let light = (picture.lights[at] / full_light).min(1.0);
                    sum += picture.visible(at).color * light.powf(1.0 / GAMMA);
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

/// Refuses spheres that cover the picture more often than spheres without overlap.
fn check_layers(packing: &Packing, camera: &View) -> Result<(), ReportError> {
    let width = camera.side as f64 / camera.pixels_per_length;
    let radii = packing.spheres.radii();
    let area = |&radius: &f64| (PI * (radius / width).powi(2)).min(1.0);
    let layers: f64 = radii.iter().map(area).sum();
    let most = MOST_LAYERS * (libm::cbrt(radii.len() as f64) + 1.0);
    if layers > most {
        return Err(ReportError::Layers {
            layers,
            most,
            spheres: radii.len(),
        });
    }
    Ok(())
}

/// Point that is visible from the camera.
struct Visible {
    point: DVec3,
    normal: DVec3,
    color: DVec3,
    /// Whether the point is on a sphere or a body.
    is_solid: bool,
}

/// The content of a picture.
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

    /// Returns the height of the floor: that of the lowest point of all spheres and bodies.
    fn floor(&self) -> f64 {
        let spheres = self.spheres().iter();
        let bottoms = spheres.map(|(center, radius)| center.z - radius);
        let corners = self.bodies.iter().flat_map(|triangle| triangle.corners);
        bottoms
            .chain(corners.map(|corner| corner.z))
            .fold(f64::INFINITY, f64::min)
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
}

/// The picture that the camera sees.
struct Picture<'a> {
    scene: &'a Scene<'a>,
    camera: View,
    /// The height of the floor, if the camera sees it.
    floor: Option<f64>,
    /// A [`Visible`] for each pixel would take four times the memory.
    pixels: Vec<Pixel>,
    /// Sum of the light from all visible directions of the sky, for each pixel.
    lights: Vec<f64>,
}

impl<'a> Picture<'a> {
    /// Returns the picture without light.
    fn new(scene: &'a Scene<'a>, camera: View) -> Self {
        let pixels = camera.depths(scene.spheres(), &scene.bodies, &scene.cuts);
        // From below or from the side, there is no floor behind the packing, but bright paper.
        let has_floor = camera.towards_viewer().z > FLAT_VIEW;
        let light = |pixel: &Pixel| {
            if pixel.part == Part::Nothing && !has_floor {
                f64::INFINITY
            } else {
                0.0
            }
        };
        Self {
            scene,
            floor: has_floor.then(|| scene.floor()),
            camera,
            lights: pixels.iter().map(light).collect(),
            pixels,
        }
    }

    /// Returns the visible point of a pixel: on a sphere, on a body, or on the floor under the packing.
    fn visible(&self, at: usize) -> Visible {
        let (scene, camera) = (self.scene, &self.camera);
        let pixel = self.pixels[at];
        let [x, y] = [at % camera.side, at / camera.side].map(|at| at as f64 + 0.5);
        let point = camera.unproject(DVec3::new(x, y, pixel.height));
        let body = DVec3::splat(BODY_BRIGHTNESS);
        let (normal, color) = match pixel.part {
            Part::Nothing => return self.background(DVec3::new(x, y, 0.0)),
            Part::Line => (camera.towards_viewer(), DVec3::splat(LINE_BRIGHTNESS)),
            Part::Sphere(id) => {
                let normal = scene.sphere_normal(id as usize, point, camera.towards_viewer());
                (normal, scene.paint.color(id as usize))
            }
            Part::Triangle(number) => (scene.bodies[number as usize].normal_at(point), body),
            Part::CutBody => {
                let distance = |plane: &Plane| (plane.normal.dot(point) - plane.offset).abs();
                let nearest =
                    (scene.cuts.iter()).min_by(|a, b| distance(a).total_cmp(&distance(b)));
                let normal = nearest.map_or(camera.towards_viewer(), |plane| plane.normal);
                (normal, body)
            }
        };
        Visible {
            point,
            normal,
            color,
            is_solid: true,
        }
    }

    /// Returns the point of the floor in a pixel.
    fn background(&self, at: DVec3) -> Visible {
        let towards_viewer = self.camera.towards_viewer();
        let mut point = self.camera.unproject(at);
        if let Some(floor) = self.floor {
            point -= towards_viewer * ((point.z - floor) / towards_viewer.z);
        }
        Visible {
            point,
            normal: DVec3::Z,
            color: DVec3::splat(PAPER),
            is_solid: false,
        }
    }

    /// Draws the edges of the container over the points behind them.
    fn draw_outline(&mut self) {
        let side = self.camera.side;
        // A line along a wall must not be hidden by a sphere that touches the wall there.
        let tolerance = 2.0 / self.camera.pixels_per_length;
        let half = LINE_WIDTH / 2;
        let brushes: Vec<[i64; 2]> = (-half..=half)
            .flat_map(|y| (-half..=half).map(move |x| [x, y]))
            .collect();
        for segment in outline(&self.scene.packing.container) {
            let Some(ends) = self.scene.uncut(segment) else {
                continue;
            };
            let [from, to] = ends.map(|point| self.camera.project(point));
            let steps = (to - from).truncate().abs().max_element().ceil();
            for step in 0..=steps as usize {
                let at = from.lerp(to, step as f64 / steps.max(1.0));
                for [x, y] in &brushes {
                    let [column, row] = [at.x as i64 + x, at.y as i64 + y];
                    let range = 0..side as i64;
                    if !(range.contains(&column) && range.contains(&row)) {
                        continue;
                    }
                    let at_pixel = row as usize * side + column as usize;
                    if self.pixels[at_pixel].part == Part::Line {
                        continue;
                    }
                    let visible = self.visible(at_pixel);
                    let is_hidden =
                        visible.is_solid && self.camera.project(visible.point).z > at.z + tolerance;
                    if !is_hidden {
                        self.pixels[at_pixel].part = Part::Line;
                        self.lights[at_pixel] = f64::INFINITY;
                    }
                }
            }
        }
    }

    /// Lights all points from the sky. Returns the light of a point under the free sky.
    fn light(&mut self, sky_side: usize) -> f64 {
        let scene = self.scene;
        let mut lights = std::mem::take(&mut self.lights);
        let directions: Vec<DVec3> = sky().collect();
        let mut full_light = 0.0;
        for batch in directions.chunks(BATCH) {
            let views = batch.par_iter().erased().map(|&direction| {
                let view = View::new(direction, &scene.packing.container, sky_side);
                let depths = view.depths(scene.spheres(), &scene.bodies, &scene.cuts);
                (view, depths)
            });
            let views: Vec<(View, Vec<Pixel>)> = views.collect();
            // The order of the sum does not depend on threads.
            lights
                .par_iter_mut()
                .enumerate()
                .erased()
                .filter(|(at, _)| self.source_of_light(*at) == *at)
                .for_each(|(at, light)| {
                    let visible = self.visible(at);
                    for (view, depths) in &views {
                        *light += light_from(&visible, view, depths);
                    }
                });
            full_light += batch
                .iter()
                .map(|&direction| weight(direction) * direction.z)
                .sum::<f64>();
        }
        for at in 0..lights.len() {
            lights[at] = lights[self.source_of_light(at)];
        }
        self.lights = lights;
        full_light
    }

    /// Returns the point whose light a point has: its own, or in large pictures that of the first point of its block.
    fn source_of_light(&self, at: usize) -> usize {
        let side = self.camera.side;
        let block = 2 * (side / (2 * SHARED_LIGHT));
        if block == 0 {
            return at;
        }
        let first = at / side / block * block * side + at % side / block * block;
        if self.pixels[first].part == self.pixels[at].part {
            first
        } else {
            at
        }
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

/// Returns the light of one direction of the sky on a point; 0 if this direction is hidden.
fn light_from(visible: &Visible, view: &View, depths: &[Pixel]) -> f64 {
    let direction = view.towards_viewer();
    let slope = visible.normal.dot(direction);
    if slope <= 0.0 {
        return 0.0;
    }
    let p = view.project(visible.point);
    let inside = |x: f64| (0.0..view.side as f64).contains(&x);
    // Two pixels: a point must not be hidden by the surface on which it lies.
    let tolerance = 2.0 / view.pixels_per_length;
    let hidden = inside(p.x)
        && inside(p.y)
        && depths[p.y as usize * view.side + p.x as usize].height > p.z + tolerance;
    if hidden {
        0.0
    } else {
        weight(direction) * slope
    }
}
