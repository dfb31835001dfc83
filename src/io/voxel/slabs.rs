//! The image slab by slab, so that it need not fit into memory.

use std::{
    io::{self, Write},
    ops::Range,
};

use rayon::prelude::*;

use super::{
    grid::Grid,
    image::{Painted, paint},
};
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
