//! The cells of an image.

use std::io;

use glam::DVec3;

use crate::{
    dimension::Dimension,
    io::export::{ExportOptions, Scene, VoxelValues, invalid},
};

/// Largest number of cells along an axis: programs count them with 32 bits.
const MOST_CELLS: f64 = (1u32 << 31) as f64 - 1.0;

/// Largest number of bytes of a slice, of which one must fit into memory. An image of cubes with such slices has 280 TB.
const MOST_BYTES: f64 = (1u64 << 32) as f64;

/// The cells of an image, and the numbers in them.
pub(in crate::io) struct Grid {
    /// Number of cells along each axis; 1 along z in the plane.
    pub cells: [usize; 3],
    /// Number of axes.
    pub axes: usize,
    /// Lengths of a cell.
    pub spacing: DVec3,
    /// Low corner of the first cell.
    pub low: DVec3,
    pub values: VoxelValues,
    /// Bytes of a number: 1, 2 or 4.
    pub bytes: usize,
}

impl Grid {
    /// Divides the container into cells whose lengths are nearest to the requested one.
    ///
    /// # Errors
    /// When no size of the cells is given, or there are too many cells.
    pub(in crate::io) fn new(scene: &Scene, options: &ExportOptions) -> io::Result<Self> {
        let size = options.voxel.ok_or_else(|| {
            invalid("the option voxel is not given; an image needs the length of its voxels")
        })?;
        if !(size > 0.0 && size.is_finite()) {
            return Err(invalid(format!(
                "the size of the voxels is {size}; it must be a positive length"
            )));
        }
        let (mut lengths, mut low) = (scene.container.lengths(), scene.low);
        let dimension = scene.container.dimension();
        if dimension == Dimension::Two {
            // One layer of cells, with the disks in its middle.
            (lengths.z, low.z) = (size, -0.5 * size);
        }
        let counts = (lengths / size).round().max(DVec3::ONE);
        let largest = match options.voxel_values {
            VoxelValues::Solid => 1,
            VoxelValues::Class => u64::from(scene.type_count),
            VoxelValues::Id => scene.len() as u64,
        };
        let bytes = match largest {
            0..=0xFF => 1,
            0x100..=0xFFFF => 2,
            _ => 4,
        };
        let slice = counts.x * counts.y * bytes as f64;
        if counts.max_element() > MOST_CELLS || slice > MOST_BYTES {
            return Err(invalid(format!(
                "voxels of the size {size} are too many for the lengths {lengths}; they must be larger"
            )));
        }
        Ok(Self {
            cells: counts.to_array().map(|count| count as usize),
            axes: dimension.number(),
            spacing: lengths / counts,
            low,
            values: options.voxel_values,
            bytes,
        })
    }

    /// Returns the number of cells of a slice, which is perpendicular to z.
    pub(super) fn slice(&self) -> usize {
        self.cells[0] * self.cells[1]
    }

    /// Returns the bytes of the whole image.
    pub(super) fn size(&self) -> u64 {
        self.cells
            .iter()
            .map(|&count| count as u64)
            .product::<u64>()
            * self.bytes as u64
    }

    /// Returns the number for a sphere.
    pub(super) fn value(&self, scene: &Scene, sphere: usize) -> u32 {
        match self.values {
            VoxelValues::Solid => 1,
            VoxelValues::Class => scene.type_of(sphere),
            VoxelValues::Id => scene.id(sphere) as u32 + 1,
        }
    }
}
