//! Voxel images: the container as a grid of cells, each with the value of the sphere that contains its center.

mod files;
mod grid;
mod png;
mod slabs;
mod tif;

pub(super) use files::{raw_header, write_npy, write_vti};
pub(super) use grid::Grid;
pub(super) use png::write as write_png;
pub(super) use slabs::write_cells;
pub(super) use tif::write as write_tif;
