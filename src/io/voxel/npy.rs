//! A voxel image as a NumPy array `image[x, y, z]`.

use std::io::{self, Write};

use super::{grid::Grid, slabs::write_cells};
use crate::io::{
    export::{ExportOptions, Scene},
    npy::{Order, write_header},
};

pub(in crate::io) fn write(
    scene: &Scene,
    options: &ExportOptions,
    out: &mut dyn Write,
) -> io::Result<()> {
    let grid = Grid::new(scene, options)?;
    let kind = match grid.bytes {
        1 => "|u1",
        2 => "<u2",
        _ => "<u4",
    };
    // x runs fastest in the file, as in the order of Fortran.
    write_header(kind, &grid.cells, Order::Fortran, out)?;
    write_cells(scene, &grid, out)
}
