//! Voxel images: the container as a grid of cells, each with the value of the sphere that contains its center.

mod grid;
mod image;
mod npy;
mod raw;
mod slabs;
mod tif;
mod vti;

pub(super) use npy::write as write_npy;
pub(super) use raw::{header as raw_header, write as write_raw};
pub(super) use tif::write as write_tif;
pub(super) use vti::write as write_vti;
