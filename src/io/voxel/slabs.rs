//! The image slab by slab, so that it need not fit into memory, and the cells of one slice inside one sphere.

use std::{
    io::{self, Write},
    ops::Range,
};

use glam::DVec3;
use rayon::prelude::*;

use super::grid::Grid;
use crate::{
    io::export::{Scene, image_shifts},
    machine::parallel::Erase,
};

/// Bytes of a slab: large enough for many slices, which threads fill at the same time, and small beside other memory.
const SLAB: usize = 1 << 26;

/// Writes the cells with x running fastest and z slowest, as little-endian numbers.
pub(in crate::io) fn write_cells(
    scene: &Scene,
    grid: &Grid,
    out: &mut dyn Write,
) -> io::Result<()> {
    let slices = (SLAB / (grid.slice() * grid.bytes).max(1)).clamp(1, grid.cells[2]);
    let mut bodies = bodies(scene, grid);
    // By the first slice that a body may reach, so that each slab needs one pass over few bodies.
    bodies.sort_by(|a, b| lowest(a, grid).total_cmp(&lowest(b, grid)));
    let mut buffer = vec![0u8; slices * grid.slice() * grid.bytes];
    let mut active: Vec<&Painted> = Vec::new();
    let mut next = 0;
    for first in (0..grid.cells[2]).step_by(slices) {
        let slab = first..(first + slices).min(grid.cells[2]);
        active.retain(|body| body.center.z + body.radius / grid.spacing.z >= slab.start as f64);
        while next < bodies.len() && lowest(&bodies[next], grid) <= slab.end as f64 {
            active.push(&bodies[next]);
            next += 1;
        }
        let bytes = slab.len() * grid.slice() * grid.bytes;
        fill(&active, grid, slab, &mut buffer[..bytes]);
        out.write_all(&buffer[..bytes])?;
    }
    Ok(())
}

/// Returns the lowest z that a body reaches, in cells.
fn lowest(body: &Painted, grid: &Grid) -> f64 {
    body.center.z - body.radius / grid.spacing.z
}

/// Fills the slices of a slab, on all threads.
fn fill(bodies: &[&Painted], grid: &Grid, slab: Range<usize>, bytes: &mut [u8]) {
    bytes
        .par_chunks_mut(grid.slice() * grid.bytes)
        .zip(slab)
        .erased()
        .for_each(|(slice, z)| {
            slice.fill(0);
            for body in bodies {
                paint(body, grid, z, slice);
            }
        });
}

/// Returns the spheres, and their images across periodic faces that reach into the container. Centers are in cells.
fn bodies(scene: &Scene, grid: &Grid) -> Vec<Painted> {
    let mut bodies = Vec::with_capacity(scene.len());
    for (sphere, (center, radius)) in scene.spheres.iter().enumerate() {
        for shift in image_shifts(&scene.container, center - scene.low, radius) {
            bodies.push(Painted {
                center: (center - grid.low + shift) / grid.spacing,
                radius,
                value: grid.value(scene, sphere),
            });
        }
    }
    bodies
}

/// A sphere or a periodic image of one, in units of cells, with its number.
struct Painted {
    pub center: DVec3,
    pub radius: f64,
    pub value: u32,
}

/// Sets the cells of slice `z` whose centers lie in the sphere or on its surface.
fn paint(body: &Painted, grid: &Grid, z: usize, slice: &mut [u8]) {
    let square = |cell: usize, axis: usize| {
        let distance = (cell as f64 + 0.5 - body.center[axis]) * grid.spacing[axis];
        distance * distance
    };
    let radius2 = body.radius * body.radius;
    let rest = radius2 - square(z, 2);
    if rest < 0.0 {
        return;
    }
    for y in candidates(body.center.y, rest.sqrt() / grid.spacing.y, grid.cells[1]) {
        let rest = radius2 - square(z, 2) - square(y, 1);
        if rest < 0.0 {
            continue;
        }
        let mut xs = candidates(body.center.x, rest.sqrt() / grid.spacing.x, grid.cells[0]);
        // The square root is rounded; the squares decide.
        while !xs.is_empty() && square(xs.start, 0) > rest {
            xs.start += 1;
        }
        while !xs.is_empty() && square(xs.end - 1, 0) > rest {
            xs.end -= 1;
        }
        let row = y * grid.cells[0];
        let cells = &mut slice[(row + xs.start) * grid.bytes..(row + xs.end) * grid.bytes];
        let value = body.value.to_le_bytes();
        if grid.bytes == 1 {
            cells.fill(value[0]);
        } else {
            for cell in cells.chunks_exact_mut(grid.bytes) {
                cell.copy_from_slice(&value[..grid.bytes]);
            }
        }
    }
}

/// Returns the cells whose centers are within `reach` of `center`, and at most one further cell on each side.
fn candidates(center: f64, reach: f64, cells: usize) -> std::ops::Range<usize> {
    let low = (center - reach - 0.5).floor().max(0.0) as usize;
    let high = ((center + reach - 0.5).ceil() + 1.0).max(0.0) as usize;
    low.min(cells)..high.min(cells).max(low.min(cells))
}
