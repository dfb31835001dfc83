//! Packs a size distribution and draws it: `cargo run --release --example picture -- [SIZES] [N] [FILE.png]`.
//!
//! The sky is the light: the brightness of a point is the share of the sky that is visible from it. The spheres are
//! drawn once from the camera and once from each of many directions of the sky, each time into a buffer of depths.

use std::{f64::consts::PI, fs::File, io::BufWriter};

use glam::{DMat3, DVec3};
use jostle::{DEFAULT_PRESET, Effort, PackOptions, Packing, Sampling, SizeSpec, Spheres, pack};
use rayon::prelude::*;

/// Side of the picture in pixels. The picture is drawn twice as large and reduced, which smooths edges.
const SIDE: usize = 640;
/// Number of directions of the sky. More directions give smoother shadows and take more time.
const SKY_DIRECTIONS: usize = 200;
/// Side of the buffer of depths for each direction of the sky, in pixels.
const SKY_SIDE: usize = 700;
/// Direction from the packing to the camera.
const CAMERA: DVec3 = DVec3::new(1.0, 0.62, 0.52);
/// Exponent of a screen: the brightness of a pixel is its number to this power.
const GAMMA: f64 = 2.2;
/// Colour of the floor and of the background.
const PAPER: DVec3 = DVec3::splat(0.965);
/// Colours from the smallest to the largest sphere.
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
    let radii = law.sample_number(n, Sampling::Stratified, 0).radii();
    let options = PackOptions::default()
        .boundary("www".parse()?)
        .effort(Effort::QUICK);
    let packing = pack(&radii, &options)?.packing;

    write_png(&file, &draw(&packing))?;
    println!("{file} shows {n} spheres of {sizes}");
    Ok(())
}

fn write_png(file: &str, pixels: &[u8]) -> Result<(), Box<dyn std::error::Error>> {
    let side = SIDE as u32;
    let mut encoder = png::Encoder::new(BufWriter::new(File::create(file)?), side, side);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::High);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(pixels)?;
    writer.finish()?;
    Ok(())
}

/// Parallel projection onto a square around the centre of the container.
struct View {
    /// Rows: to the right, up, towards the viewer.
    axes: DMat3,
    center: DVec3,
    /// Number of pixels along a side.
    side: usize,
    pixels_per_length: f64,
}

impl View {
    fn new(towards_viewer: DVec3, packing: &Packing, side: usize) -> Self {
        let z = towards_viewer.normalize();
        let x = DVec3::Z.cross(z).normalize_or(DVec3::X);
        let lengths = packing.container.lengths();
        // The square is a little wider than the diagonal of the container.
        let extent = 0.5 * lengths.length() * 1.09;
        Self {
            axes: DMat3::from_cols(x, z.cross(x), z).transpose(),
            center: 0.5 * lengths,
            side,
            pixels_per_length: 0.5 * side as f64 / extent,
        }
    }

    /// Returns column and row of a point in pixels, and its height towards the viewer as a length.
    fn project(&self, point: DVec3) -> DVec3 {
        let p = self.axes * (point - self.center);
        let density = self.pixels_per_length;
        let middle = 0.5 * self.side as f64;
        DVec3::new(middle + density * p.x, middle - density * p.y, p.z)
    }

    /// Returns the point of a pixel: the inverse of [`Self::project`].
    fn unproject(&self, pixel: DVec3) -> DVec3 {
        let density = self.pixels_per_length;
        let middle = 0.5 * self.side as f64;
        let p = DVec3::new(
            (pixel.x - middle) / density,
            (middle - pixel.y) / density,
            pixel.z,
        );
        self.center + self.axes.transpose() * p
    }

    /// Returns the height and the id of the uppermost sphere in every pixel; the id is `u32::MAX` without a sphere.
    fn depths(&self, spheres: &Spheres) -> Vec<(f64, u32)> {
        let density = self.pixels_per_length;
        let mut buffer = vec![(f64::NEG_INFINITY, u32::MAX); self.side * self.side];
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

/// Point that is visible from the camera.
struct Visible {
    point: DVec3,
    normal: DVec3,
    colour: DVec3,
    /// Sum of the light from all visible directions of the sky.
    light: f64,
}

/// Returns the pixels of the picture, three bytes each.
fn draw(packing: &Packing) -> Vec<u8> {
    let spheres = &packing.spheres;
    let camera = View::new(CAMERA, packing, 2 * SIDE);
    let mut points: Vec<Visible> = camera
        .depths(spheres)
        .iter()
        .enumerate()
        .map(|(i, &(height, id))| {
            let (row, column) = (i / camera.side, i % camera.side);
            let pixel = DVec3::new(column as f64 + 0.5, row as f64 + 0.5, height);
            visible(&camera, packing, pixel, id)
        })
        .collect();
    let mut full_light = 0.0;
    for direction in sky() {
        let weight = 0.6 + direction.z.max(0.0);
        full_light += weight * direction.z;
        add_light(&mut points, packing, direction, weight);
    }
    let mut pixels = Vec::with_capacity(3 * SIDE * SIDE);
    for row in 0..SIDE {
        for column in 0..SIDE {
            let mut sum = DVec3::ZERO;
            for (y, x) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
                let visible = &points[(2 * row + y) * camera.side + 2 * column + x];
                sum += visible.colour * (visible.light / full_light).min(1.0).powf(1.0 / GAMMA);
            }
            // Coarse steps of brightness keep the file small.
            let byte = |value: f64| (value / 4.0 * 85.0).round().min(85.0) as u8 * 3;
            pixels.extend(sum.to_array().map(byte));
        }
    }
    pixels
}

/// Returns the visible point of a pixel: on the sphere `id`, or on the floor under the packing without a sphere.
fn visible(camera: &View, packing: &Packing, mut pixel: DVec3, id: u32) -> Visible {
    let spheres = &packing.spheres;
    let (point, normal, colour) = if id == u32::MAX {
        pixel.z = 0.0;
        let on_screen = camera.unproject(pixel);
        let towards_viewer = camera.axes.row(2);
        let height = on_screen.z - lowest(spheres);
        let point = on_screen - towards_viewer * (height / towards_viewer.z);
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

/// Returns the height of the floor, which is that of the lowest point of all spheres.
fn lowest(spheres: &Spheres) -> f64 {
    spheres
        .iter()
        .map(|(center, radius)| center.z - radius)
        .fold(f64::INFINITY, f64::min)
}

/// Returns the colour of a sphere, by the logarithm of its radius.
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
    let position = share * (COLOURS.len() - 1) as f64;
    let below = (position as usize).min(COLOURS.len() - 2);
    COLOURS[below].lerp(COLOURS[below + 1], position - below as f64)
}

/// Returns directions spread evenly over the hemisphere (Fibonacci lattice).
fn sky() -> impl Iterator<Item = DVec3> {
    (0..SKY_DIRECTIONS).map(|i| {
        let z = (i as f64 + 0.5) / SKY_DIRECTIONS as f64;
        let (sin, cos) = (i as f64 * PI * (3.0 - 5f64.sqrt())).sin_cos();
        let r = (1.0 - z * z).sqrt();
        DVec3::new(r * cos, r * sin, z)
    })
}

/// Adds the light of one direction of the sky to every point from which this direction is visible.
fn add_light(points: &mut [Visible], packing: &Packing, direction: DVec3, weight: f64) {
    let view = View::new(direction, packing, SKY_SIDE);
    let depths = view.depths(&packing.spheres);
    // Two pixels: a point must not be hidden by the surface on which it lies.
    let tolerance = 2.0 / view.pixels_per_length;
    points.par_iter_mut().for_each(|visible| {
        let slope = visible.normal.dot(direction);
        if slope <= 0.0 {
            return;
        }
        let p = view.project(visible.point);
        let inside = |x: f64| (0.0..SKY_SIDE as f64).contains(&x);
        let hidden = inside(p.x)
            && inside(p.y)
            && depths[p.y as usize * SKY_SIDE + p.x as usize].0 > p.z + tolerance;
        if !hidden {
            visible.light += weight * slope;
        }
    });
}
