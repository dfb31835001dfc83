//! Still pictures of disks, seen along z and without shade.

use std::fmt::Write;

use glam::{DVec2, DVec3};

use super::{
    coloring::Paint,
    colors::hex,
    constants::{BODY_BRIGHTNESS, FLAT_LINE_WIDTH, FLAT_MARGIN, LINE_BRIGHTNESS, PAPER},
    error::ReportError,
    outline::{body_rings, outline, periodic_images},
    still::Still,
};
use crate::packing::Packing;

/// Projection of a flat container onto a square of pixels, whose rows run downwards.
struct Map {
    low: DVec2,
    lengths: DVec2,
    side: usize,
    pixels_per_length: f64,
}

impl Map {
    fn new(packing: &Packing, side: usize) -> Self {
        let lengths = packing.container.lengths().truncate();
        let extent = lengths.max_element() * FLAT_MARGIN;
        Self {
            low: 0.5 * (lengths - DVec2::splat(extent)),
            lengths,
            side,
            pixels_per_length: side as f64 / extent,
        }
    }

    /// Returns column and row of a point.
    fn project(&self, point: DVec2) -> DVec2 {
        let DVec2 { x, y } = (point - self.low) * self.pixels_per_length;
        DVec2::new(x, self.side as f64 - y)
    }

    /// Returns the point in the middle of a pixel.
    fn unproject(&self, column: usize, row: usize) -> DVec2 {
        let (x, y) = (column as f64 + 0.5, (self.side - row) as f64 - 0.5);
        self.low + DVec2::new(x, y) / self.pixels_per_length
    }

    /// Returns the corner of the container at the upper left, and the sides, in pixels.
    fn frame(&self) -> [DVec2; 2] {
        let corner = self.project(DVec2::new(0.0, self.lengths.y));
        [corner, self.lengths * self.pixels_per_length]
    }
}

/// The pixels of a picture, from 0 to 1.
struct Canvas<'a> {
    map: &'a Map,
    pixels: Vec<DVec3>,
}

impl Canvas<'_> {
    /// Blends a color into the pixels between two corners, as much as `cover` tells for the middle of a pixel.
    fn blend(&mut self, corners: [DVec2; 2], color: DVec3, cover: impl Fn(DVec2) -> f64) {
        let side = self.map.side;
        let [a, b] = corners.map(|corner| self.map.project(corner));
        // The conversion of numbers below zero or beyond usize gives the nearest usize.
        let range = |a: f64, b: f64| {
            let (first, end) = (a.min(b) - 1.0, a.max(b) + 2.0);
            first as usize..(end as usize).min(side)
        };
        for row in range(a.y, b.y) {
            for column in range(a.x, b.x) {
                let share = cover(self.map.unproject(column, row)).clamp(0.0, 1.0);
                let pixel = &mut self.pixels[row * side + column];
                *pixel += (color - *pixel) * share;
            }
        }
    }
}

impl Still {
    /// Draws a packing of disks.
    pub(super) fn draw_disks(&self, packing: &Packing) -> Result<Vec<u8>, ReportError> {
        self.check_disks(packing)?;
        let paint = Paint::new(packing, self.coloring)?;
        let (container, map) = (&packing.container, Map::new(packing, self.side));
        let density = map.pixels_per_length;
        let mut canvas = Canvas {
            map: &map,
            pixels: vec![DVec3::splat(PAPER); self.side * self.side],
        };
        let all = [DVec2::ZERO, map.lengths];
        // A pixel is covered as far as its middle lies behind an edge.
        let covered = |depth: f64| 0.5 + density * depth;
        let inside = |point: DVec2| covered(point.min(map.lengths - point).min_element()).min(1.0);
        for number in 0..container.bodies().len() {
            let depth = |point: DVec2| {
                let reach = f64::INFINITY;
                let nearest = container.nearest_of_body(number, point.extend(0.0), reach);
                nearest.map_or(f64::NEG_INFINITY, |(distance, _)| -distance)
            };
            let body = DVec3::splat(BODY_BRIGHTNESS);
            canvas.blend(all, body, |point| covered(depth(point)).min(inside(point)));
        }
        for (id, (center, radius)) in packing.spheres.iter().enumerate() {
            for center in periodic_images(container, center, radius) {
                let corners = [-radius, radius].map(|reach| center + DVec2::splat(reach));
                canvas.blend(corners, paint.color(id), |point| {
                    covered(radius - point.distance(center)).min(inside(point))
                });
            }
        }
        let lines = outline(container).into_iter().filter(|_| self.outline);
        for [from, to] in lines.map(|ends| ends.map(DVec3::truncate)) {
            let half = 0.5 * FLAT_LINE_WIDTH / density;
            let line = DVec3::splat(LINE_BRIGHTNESS);
            canvas.blend([from, to], line, |point| {
                let along = to - from;
                let share = (point - from).dot(along) / along.length_squared();
                let nearest = from + along * share.clamp(0.0, 1.0);
                covered(half - point.distance(nearest))
            });
        }
        let bytes = |pixel: &DVec3| pixel.to_array().map(|part| (255.0 * part).round() as u8);
        Ok(canvas.pixels.iter().flat_map(bytes).collect())
    }

    /// Returns the container, the bodies and the disks of a packing as elements of an SVG file.
    pub(super) fn shapes(&self, packing: &Packing) -> Result<String, ReportError> {
        self.check_disks(packing)?;
        let paint = Paint::new(packing, self.coloring)?;
        let (container, map) = (&packing.container, Map::new(packing, self.side));
        let [DVec2 { x, y }, sides] = map.frame();
        let mut svg = format!(
            "<clipPath id=\"box\"><rect x=\"{x:.3}\" y=\"{y:.3}\" width=\"{:.3}\" height=\"{:.3}\"/></clipPath>\n\
             <g clip-path=\"url(#box)\">\n",
            sides.x, sides.y
        );
        let gray = |brightness: f64| hex([(255.0 * brightness).round() as u8; 3]);
        for rings in body_rings(container) {
            svg += "<path fill-rule=\"evenodd\" d=\"";
            for ring in rings {
                for (number, point) in ring.iter().enumerate() {
                    let DVec2 { x, y } = map.project(*point);
                    let _ = write!(svg, "{}{x:.3} {y:.3}", if number == 0 { 'M' } else { 'L' });
                }
                svg += "Z";
            }
            let _ = writeln!(svg, "\" fill=\"{}\"/>", gray(BODY_BRIGHTNESS));
        }
        for (id, (center, radius)) in packing.spheres.iter().enumerate() {
            for center in periodic_images(container, center, radius) {
                let DVec2 { x, y } = map.project(center);
                let radius = radius * map.pixels_per_length;
                let _ = writeln!(
                    svg,
                    "<circle cx=\"{x:.3}\" cy=\"{y:.3}\" r=\"{radius:.3}\" fill=\"{}\"/>",
                    hex(paint.of(id))
                );
            }
        }
        svg += "</g>\n";
        if self.outline {
            let _ = write!(
                svg,
                "<path stroke=\"{}\" fill=\"none\" d=\"",
                gray(LINE_BRIGHTNESS)
            );
            for ends in outline(container) {
                let [from, to] = ends.map(|end| map.project(end.truncate()));
                let _ = write!(svg, "M{:.3} {:.3}L{:.3} {:.3}", from.x, from.y, to.x, to.y);
            }
            svg += "\"/>\n";
        }
        Ok(svg)
    }

    /// Rejects settings that disks cannot have.
    fn check_disks(&self, packing: &Packing) -> Result<(), ReportError> {
        let refused = |setting| Err(ReportError::Flat { setting });
        if self.view != Self::default().view && self.view.normalize_or_zero() != DVec3::Z {
            return refused("the view");
        }
        if self.cut.is_some() {
            return refused("the cut");
        }
        self.check_sizes(packing)
    }
}
