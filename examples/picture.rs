//! Packs a size distribution and draws it: `cargo run --release --example picture -- [SIZES] [N] [FILE.png]`.
//!
//! The light is a bright sky: the brightness of a point is the share of the sky that it sees. To find it, the spheres
//! are drawn once from the camera and once from each of many directions of the sky, always into a buffer of depths.

use std::{f64::consts::PI, fs::File, io::BufWriter};

use glam::{DMat3, DVec3};
use jostle::{DEFAULT_PRESET, Effort, PackOptions, Packing, Sampling, SizeSpec, Spheres, pack};
use rayon::prelude::*;

/// Side of the picture in pixels; it is drawn twice as large.
const SIDE: usize = 640;
const SKY_DIRECTIONS: usize = 200;
const SKY_SIDE: usize = 700;
/// The direction from which the camera looks.
const CAMERA: DVec3 = DVec3::new(1.0, 0.62, 0.52);
/// The screen's: what is half as bright is given more than half the number.
const GAMMA: f64 = 2.2;
const PAPER: DVec3 = DVec3::splat(0.965);
/// From the smallest to the largest sphere.
const COLOURS: [DVec3; 4] = [
    DVec3::new(0.95, 0.76, 0.42),
    DVec3::new(0.90, 0.50, 0.34),
    DVec3::new(0.46, 0.50, 0.62),
    DVec3::new(0.20, 0.38, 0.56),
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let sizes = args.next().unwrap_or_else(|| DEFAULT_PRESET.to_owned());
    let n = args.next().map_or(Ok(5000), |n| n.parse())?;
    let file = args.next().unwrap_or_else(|| "packing.png".to_owned());

    let law = SizeSpec::load(&sizes)?.distribution;
    let diameters = law.sample(n, Sampling::Stratified, 0).diameters;
    let radii: Vec<f64> = diameters.iter().map(|d| 0.5 * d).collect();
    let options = PackOptions {
        boundary: "www".parse()?,
        effort: Effort::QUICK,
        ..PackOptions::default()
    };
    let packing = pack(&radii, &options, &mut ())?.packing;

    let pixels = draw(&packing);
    let mut encoder = png::Encoder::new(
        BufWriter::new(File::create(&file)?),
        SIDE as u32,
        SIDE as u32,
    );
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::High);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&pixels)?;
    writer.finish()?;
    println!("{n} spheres of {sizes} drawn to {file}");
    Ok(())
}

/// Parallel projection onto a square of side `2 extent` round the centre of the box.
struct View {
    /// Rows: to the right, up, towards the viewer.
    axes: DMat3,
    center: DVec3,
    extent: f64,
    side: usize,
}

impl View {
    fn new(towards_viewer: DVec3, packing: &Packing, side: usize) -> Self {
        let z = towards_viewer.normalize();
        let x = DVec3::Z.cross(z).normalize_or(DVec3::X);
        let lengths = packing.container.lengths();
        Self {
            axes: DMat3::from_cols(x, z.cross(x), z).transpose(),
            center: 0.5 * lengths,
            extent: 0.5 * lengths.length() * 1.09,
            side,
        }
    }

    /// Column and row in pixels, and height towards the viewer in units of length.
    fn project(&self, point: DVec3) -> DVec3 {
        let p = self.axes * (point - self.center);
        let scale = 0.5 * self.side as f64 / self.extent;
        let middle = 0.5 * self.side as f64;
        DVec3::new(middle + scale * p.x, middle - scale * p.y, p.z)
    }

    fn unproject(&self, pixel: DVec3) -> DVec3 {
        let scale = 0.5 * self.side as f64 / self.extent;
        let middle = 0.5 * self.side as f64;
        let p = DVec3::new(
            (pixel.x - middle) / scale,
            (middle - pixel.y) / scale,
            pixel.z,
        );
        self.center + self.axes.transpose() * p
    }

    /// The height of the uppermost sphere in every pixel, and which sphere it is.
    fn depths(&self, spheres: &Spheres) -> Vec<(f64, u32)> {
        let scale = 0.5 * self.side as f64 / self.extent;
        let mut buffer = vec![(f64::NEG_INFINITY, u32::MAX); self.side * self.side];
        for (id, (center, radius)) in spheres.iter().enumerate() {
            let c = self.project(center);
            let reach = radius * scale;
            let range = |x: f64| {
                let first = (x - reach).floor().max(0.0) as usize;
                first..((x + reach).ceil().max(0.0) as usize).min(self.side)
            };
            for row in range(c.y) {
                for column in range(c.x) {
                    let dx = (column as f64 + 0.5 - c.x) / scale;
                    let dy = (row as f64 + 0.5 - c.y) / scale;
                    let rest = radius * radius - dx * dx - dy * dy;
                    if rest > 0.0 {
                        let pixel = &mut buffer[row * self.side + column];
                        let height = c.z + rest.sqrt();
                        if height > pixel.0 {
                            *pixel = (height, id as u32);
                        }
                    }
                }
            }
        }
        buffer
    }
}

/// A point that the camera sees.
struct Visible {
    point: DVec3,
    normal: DVec3,
    colour: DVec3,
    light: f64,
}

fn draw(packing: &Packing) -> Vec<u8> {
    let spheres = &packing.spheres;
    let camera = View::new(CAMERA, packing, 2 * SIDE);
    let mut scene: Vec<Visible> = camera
        .depths(spheres)
        .iter()
        .enumerate()
        .map(|(i, &(height, id))| {
            let (row, column) = (i / camera.side, i % camera.side);
            let pixel = DVec3::new(column as f64 + 0.5, row as f64 + 0.5, height);
            visible(&camera, packing, pixel, id)
        })
        .collect();
    let mut full = 0.0;
    for direction in sky() {
        let weight = 0.6 + direction.z.max(0.0);
        full += weight * direction.z;
        cast_light(&mut scene, packing, direction, weight);
    }
    let mut pixels = Vec::with_capacity(3 * SIDE * SIDE);
    for row in 0..SIDE {
        for column in 0..SIDE {
            let mut sum = DVec3::ZERO;
            for (y, x) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
                let seen = &scene[(2 * row + y) * camera.side + 2 * column + x];
                sum += seen.colour * (seen.light / full).min(1.0).powf(1.0 / GAMMA);
            }
            // Coarse steps of brightness keep the file small.
            let level = |value: f64| (value / 4.0 * 85.0).round().min(85.0) as u8 * 3;
            pixels.extend(sum.to_array().map(level));
        }
    }
    pixels
}

/// What stands in one pixel: a sphere, or the floor under the box.
fn visible(camera: &View, packing: &Packing, mut pixel: DVec3, id: u32) -> Visible {
    let spheres = &packing.spheres;
    let (point, normal, colour) = if id == u32::MAX {
        pixel.z = 0.0;
        let on_screen = camera.unproject(pixel);
        let sight = camera.axes.row(2);
        let floor = lowest(spheres);
        let point = on_screen - sight * ((on_screen.z - floor) / sight.z);
        (point, DVec3::Z, PAPER)
    } else {
        let point = camera.unproject(pixel);
        let center = spheres.centers()[id as usize];
        let colour = colour(spheres, spheres.radii()[id as usize]);
        (point, (point - center).normalize(), colour)
    };
    Visible {
        point,
        normal,
        colour,
        light: 0.0,
    }
}

fn lowest(spheres: &Spheres) -> f64 {
    spheres
        .iter()
        .map(|(center, radius)| center.z - radius)
        .fold(f64::INFINITY, f64::min)
}

/// The colour of a sphere, by the logarithm of its radius.
fn colour(spheres: &Spheres, radius: f64) -> DVec3 {
    let smallest = spheres
        .radii()
        .iter()
        .copied()
        .fold(f64::INFINITY, f64::min);
    let largest = spheres.radii().iter().copied().fold(0.0, f64::max);
    if largest == smallest {
        return COLOURS[0];
    }
    let share = (radius / smallest).ln() / (largest / smallest).ln();
    let place = share * (COLOURS.len() - 1) as f64;
    let below = (place as usize).min(COLOURS.len() - 2);
    COLOURS[below].lerp(COLOURS[below + 1], place - below as f64)
}

/// Directions spread evenly over the hemisphere (Fibonacci lattice).
fn sky() -> impl Iterator<Item = DVec3> {
    (0..SKY_DIRECTIONS).map(|i| {
        let z = (i as f64 + 0.5) / SKY_DIRECTIONS as f64;
        let (sin, cos) = (i as f64 * PI * (3.0 - 5f64.sqrt())).sin_cos();
        let r = (1.0 - z * z).sqrt();
        DVec3::new(r * cos, r * sin, z)
    })
}

/// Gives light to every point that sees the sky in this direction.
fn cast_light(scene: &mut [Visible], packing: &Packing, direction: DVec3, weight: f64) {
    let view = View::new(direction, packing, SKY_SIDE);
    let depths = view.depths(&packing.spheres);
    let tolerance = 4.0 * view.extent / SKY_SIDE as f64;
    scene.par_iter_mut().for_each(|seen| {
        let slope = seen.normal.dot(direction);
        if slope <= 0.0 {
            return;
        }
        let p = view.project(seen.point);
        let inside = |x: f64| (0.0..SKY_SIDE as f64).contains(&x);
        let hidden = inside(p.x)
            && inside(p.y)
            && depths[p.y as usize * SKY_SIDE + p.x as usize].0 > p.z + tolerance;
        if !hidden {
            seen.light += weight * slope;
        }
    });
}
