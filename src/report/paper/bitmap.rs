//! A drawing as pixels.

use noto_sans_mono_bitmap::{FontWeight, RasterHeight, RasterizedChar, get_raster};

use super::{
    super::{colors::Color, constants::LARGEST_SIDE, error::ReportError},
    drawing::{Drawing, Shape, Text, decoded},
    pdf::unraised,
    strokes::{Stroke, strokes},
};

/// Points along the side of a pixel.
const FINE: usize = 3;

/// Height of the rows of the font, and its base line and the width of a letter, in sizes of the text. Capital letters are as high as those
/// of the usual fonts, 0.714 sizes; they are 17 of the 32 rows.
const ROWS: f64 = 1.34;
const BASE: f64 = 0.78 * ROWS;
const ADVANCE: f64 = 14.0 / 32.0 * ROWS;

/// Size of raised and lowered characters, in sizes of the text.
const SMALL: f64 = 0.75;

/// Width of the pen that draws letters which the font lacks, regular and bold, in sizes of the text.
const PEN: [f64; 2] = [0.085, 0.13];

/// Letters for characters that the font lacks, and that have no strokes.
const SUBSTITUTES: [(char, &str); 4] = [('—', "–"), ('’', "'"), ('…', "..."), ('•', "·")];

/// Returns the file, in which `width` pixels show the width of the drawing.
pub(super) fn png(drawing: &Drawing, width: usize) -> Result<Vec<u8>, ReportError> {
    let scale = width as f64 / drawing.size[0];
    let height = (scale * drawing.size[1]).round() as usize;
    for side in [width, height] {
        if !(1..=LARGEST_SIDE).contains(&side) {
            return Err(ReportError::Side { side });
        }
    }
    let mut canvas = Canvas::new(width, height, scale);
    for shape in &drawing.shapes {
        canvas.draw(shape)?;
    }
    png_file(&canvas.pixels(), [width, height])
}

/// Returns a PNG file of pixels, three bytes each, row by row.
pub(in crate::report) fn png_file(
    pixels: &[u8],
    [width, height]: [usize; 2],
) -> Result<Vec<u8>, ReportError> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width as u32, height as u32);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::High);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(pixels)?;
    writer.finish()?;
    Ok(bytes)
}

/// Points of a picture, [`FINE`] along each side of a pixel.
struct Canvas {
    columns: usize,
    rows: usize,
    /// Points in a pixel of the drawing.
    scale: f64,
    points: Vec<Color>,
    /// Rectangle outside of which nothing is drawn.
    clip: Option<[[f64; 2]; 2]>,
}

impl Canvas {
    /// Creates white paper.
    fn new(width: usize, height: usize, scale: f64) -> Self {
        let (columns, rows) = (FINE * width, FINE * height);
        Self {
            columns,
            rows,
            scale: FINE as f64 * scale,
            points: vec![[255; 3]; columns * rows],
            clip: None,
        }
    }

    /// Returns the means of the points of each pixel.
    fn pixels(&self) -> Vec<u8> {
        let mut pixels = Vec::with_capacity(3 * self.points.len() / (FINE * FINE));
        for row in (0..self.rows).step_by(FINE) {
            for column in (0..self.columns).step_by(FINE) {
                for part in 0..3 {
                    let mut sum = 0;
                    for y in row..row + FINE {
                        let from = y * self.columns + column;
                        let points = &self.points[from..from + FINE];
                        sum += points
                            .iter()
                            .map(|point| usize::from(point[part]))
                            .sum::<usize>();
                    }
                    pixels.push(((sum + FINE * FINE / 2) / (FINE * FINE)) as u8);
                }
            }
        }
        pixels
    }

    /// Mixes a color into the points of a rectangle, by the share that a function of the position in the drawing returns.
    fn mix(
        &mut self,
        [mut low, mut high]: [[f64; 2]; 2],
        color: Color,
        share: impl Fn([f64; 2]) -> f64,
    ) {
        if let Some([corner, other]) = self.clip {
            low = [0, 1].map(|axis| low[axis].max(corner[axis]));
            high = [0, 1].map(|axis| high[axis].min(other[axis]));
        }
        let first = |at: f64| (at * self.scale).floor().max(0.0) as usize;
        let last = |at: f64, most: usize| ((at * self.scale).ceil().max(0.0) as usize).min(most);
        for row in first(low[1])..last(high[1], self.rows) {
            for column in first(low[0])..last(high[0], self.columns) {
                let at = [column, row].map(|index| (index as f64 + 0.5) / self.scale);
                let share = share(at);
                if share > 0.0 {
                    let point = &mut self.points[row * self.columns + column];
                    for (old, new) in point.iter_mut().zip(color) {
                        *old = (f64::from(*old) + share * (f64::from(new) - f64::from(*old)))
                            .round() as u8;
                    }
                }
            }
        }
    }

    fn draw(&mut self, shape: &Shape) -> Result<(), ReportError> {
        match shape {
            Shape::Rectangle {
                corner: [x, y],
                size: [width, height],
                fill,
            } => {
                let ends = [[*x, *y], [x + width, y + height]];
                self.mix(ends, *fill, |at| f64::from(is_between(at, ends)));
            }
            Shape::Disc {
                center,
                radius,
                fill,
                border,
            } => {
                if let Some((color, width)) = border {
                    self.disc(*center, radius + 0.5 * width, *color);
                    self.disc(*center, radius - 0.5 * width, *fill);
                } else {
                    self.disc(*center, *radius, *fill);
                }
            }
            Shape::Area { rings, fill } => self.area(rings, *fill),
            Shape::Clip(rectangle) => self.clip = *rectangle,
            Shape::Line {
                points,
                color,
                width,
                opacity,
            } => {
                for ends in points.windows(2) {
                    self.segment([ends[0], ends[1]], *color, *width, *opacity);
                }
            }
            Shape::Text(text) => self.text(text),
            Shape::Image { corner, size, png } => self.image(*corner, *size, png)?,
        }
        Ok(())
    }

    fn disc(&mut self, [x, y]: [f64; 2], radius: f64, color: Color) {
        let ends = [[x - radius, y - radius], [x + radius, y + radius]];
        self.mix(ends, color, |at| {
            f64::from((at[0] - x).hypot(at[1] - y) <= radius)
        });
    }

    fn area(&mut self, rings: &[Vec<[f64; 2]>], color: Color) {
        let corners = || rings.iter().flatten();
        let end = |axis: usize, least: f64, choose: fn(f64, f64) -> f64| {
            corners().fold(least, |end, corner| choose(end, corner[axis]))
        };
        let low = [0, 1].map(|axis| end(axis, f64::INFINITY, f64::min));
        let high = [0, 1].map(|axis| end(axis, f64::NEG_INFINITY, f64::max));
        self.mix([low, high], color, |[x, y]| {
            let mut is_inside = false;
            for ring in rings {
                for (k, [x1, y1]) in ring.iter().enumerate() {
                    let [x2, y2] = ring[(k + 1) % ring.len()];
                    if (*y1 > y) != (y2 > y) && x < x1 + (y - y1) / (y2 - y1) * (x2 - x1) {
                        is_inside = !is_inside;
                    }
                }
            }
            f64::from(is_inside)
        });
    }

    fn segment(&mut self, [a, b]: [[f64; 2]; 2], color: Color, width: f64, opacity: f64) {
        let half = 0.5 * width;
        let low = [a[0].min(b[0]) - half, a[1].min(b[1]) - half];
        let high = [a[0].max(b[0]) + half, a[1].max(b[1]) + half];
        let along = [b[0] - a[0], b[1] - a[1]];
        let square = along[0].powi(2) + along[1].powi(2);
        self.mix([low, high], color, |at| {
            let from = [at[0] - a[0], at[1] - a[1]];
            let share = (from[0] * along[0] + from[1] * along[1]) / square.max(1e-12);
            let share = share.clamp(0.0, 1.0);
            let distance = (from[0] - share * along[0]).hypot(from[1] - share * along[1]);
            if distance <= half { opacity } else { 0.0 }
        });
    }

    fn text(&mut self, text: &Text) {
        let letters = letters(&text.content);
        let width = |rise: f64| {
            if rise == 0.0 {
                ADVANCE
            } else {
                SMALL * ADVANCE
            }
        };
        let length: f64 = letters
            .iter()
            .map(|(_, rise)| width(*rise) * text.size)
            .sum();
        let mut from = -text.before * length;
        let weight = if text.is_bold {
            FontWeight::Bold
        } else {
            FontWeight::Regular
        };
        if text.has_halo {
            let [x, y] = [text.at[0] + from, text.at[1]];
            let ends = [[x, y - 0.8 * text.size], [x + length, y + 0.25 * text.size]];
            self.mix(ends, [255; 3], |at| {
                if is_between(at, ends) { 0.85 } else { 0.0 }
            });
        }
        for (letter, rise) in letters {
            let size = if rise == 0.0 { 1.0 } else { SMALL } * text.size;
            let base = [from, -rise * text.size];
            if let Some(glyph) = get_raster(letter, weight, RasterHeight::Size32) {
                self.glyph(&glyph, base, size, text);
            } else {
                let strokes = strokes(letter).unwrap_or_default();
                strokes
                    .iter()
                    .for_each(|stroke| self.stroke(stroke, base, size, text));
            }
            from += width(rise) * text.size;
        }
    }

    /// Draws a letter. Its base line begins at a point along the text, from the position of the text.
    fn glyph(&mut self, glyph: &RasterizedChar, [along, down]: [f64; 2], size: f64, text: &Text) {
        let step = ROWS * size / glyph.height() as f64;
        let [width, height] = [glyph.width(), glyph.height()].map(|side| side as f64 * step);
        let [x, y] = text.at;
        let top = down - BASE * size;
        let ends = if text.is_turned {
            [[x + top, y - along - width], [x + top + height, y - along]]
        } else {
            [[x + along, y + top], [x + along + width, y + top + height]]
        };
        let is_turned = text.is_turned;
        self.mix(ends, text.color, |at| {
            let [right, below] = if is_turned {
                [y - at[1] - along, at[0] - x - top]
            } else {
                [at[0] - x - along, at[1] - y - top]
            };
            shade(glyph, right / step, below / step)
        });
    }

    /// Draws a part of a letter, as [`Self::glyph`] draws a letter.
    fn stroke(&mut self, stroke: &Stroke, [along, down]: [f64; 2], size: f64, text: &Text) {
        let [x, y] = text.at;
        let point = |[right, up]: [f64; 2]| {
            let (along, down) = (along + size * right, down - size * up);
            if text.is_turned {
                [x + down, y - along]
            } else {
                [x + along, y + down]
            }
        };
        let points: Vec<[f64; 2]> = stroke.points().into_iter().map(point).collect();
        let width = PEN[usize::from(text.is_bold)] * size;
        for ends in points.windows(2) {
            self.segment([ends[0], ends[1]], text.color, width, 1.0);
        }
    }

    /// Draws a picture.
    fn image(&mut self, [x, y]: [f64; 2], size: [f64; 2], png: &[u8]) -> Result<(), ReportError> {
        let (pixels, [width, height]) = decoded(png).ok_or(ReportError::Document)?;
        let steps = [size[0] / width as f64, size[1] / height as f64];
        for row in 0..self.rows {
            for column in 0..self.columns {
                let at = [column, row].map(|index| (index as f64 + 0.5) / self.scale);
                let [i, j] = [(at[0] - x) / steps[0], (at[1] - y) / steps[1]];
                if (0.0..width as f64).contains(&i) && (0.0..height as f64).contains(&j) {
                    let from = 3 * (j as usize * width + i as usize);
                    let point = [pixels[from], pixels[from + 1], pixels[from + 2]];
                    self.points[row * self.columns + column] = point;
                }
            }
        }
        Ok(())
    }
}

fn is_between(at: [f64; 2], [low, high]: [[f64; 2]; 2]) -> bool {
    (0..2).all(|axis| (low[axis]..high[axis]).contains(&at[axis]))
}

/// Returns the letters of a text that can be drawn, with the height of their base lines in sizes of the text.
fn letters(text: &str) -> Vec<(char, f64)> {
    let mut letters = Vec::new();
    for character in text.chars() {
        let (character, rise) = unraised(character);
        let has = get_raster(character, FontWeight::Regular, RasterHeight::Size32).is_some()
            || strokes(character).is_some();
        match SUBSTITUTES.iter().find(|(it, _)| *it == character) {
            _ if has => letters.push((character, rise)),
            Some((_, words)) => letters.extend(words.chars().map(|letter| (letter, rise))),
            None => letters.push(('?', rise)),
        }
    }
    letters
}

/// Returns the share of ink at a point of a letter, between its pixels.
fn shade(glyph: &RasterizedChar, x: f64, y: f64) -> f64 {
    let (x, y) = (x - 0.5, y - 0.5);
    let (left, top) = (x.floor(), y.floor());
    let pixel = |column: f64, row: f64| {
        if column < 0.0 || row < 0.0 {
            return 0.0;
        }
        let byte = glyph.pixel(column as usize, row as usize);
        f64::from(byte.unwrap_or(0)) / 255.0
    };
    let row = |row: f64| {
        let share = x - left;
        (1.0 - share) * pixel(left, row) + share * pixel(left + 1.0, row)
    };
    let share = y - top;
    (1.0 - share) * row(top) + share * row(top + 1.0)
}
