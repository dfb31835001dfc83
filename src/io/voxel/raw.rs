//! A voxel image as bare numbers, with a MetaImage header (`.mhd`) in a file beside it.

use std::io::{self, Write};

use super::{grid::Grid, slabs::write_cells};
use crate::io::export::{ExportOptions, Scene};

pub(in crate::io) fn write(
    scene: &Scene,
    options: &ExportOptions,
    out: &mut dyn Write,
) -> io::Result<()> {
    write_cells(scene, &Grid::new(scene, options)?, out)
}

/// Returns the header, which names the `file` of the numbers. Its offset is the center of the first cell.
pub(in crate::io) fn header(
    scene: &Scene,
    options: &ExportOptions,
    file: &str,
) -> io::Result<String> {
    let grid = Grid::new(scene, options)?;
    let [nx, ny, nz] = grid.cells;
    let [sx, sy, sz] = grid.spacing.to_array();
    let [x, y, z] = (grid.low + 0.5 * grid.spacing).to_array();
    let kind = match grid.bytes {
        1 => "MET_UCHAR",
        2 => "MET_USHORT",
        _ => "MET_UINT",
    };
    Ok(format!(
        "ObjectType = Image\nNDims = 3\nBinaryData = True\nBinaryDataByteOrderMSB = False\n\
         CompressedData = False\nOffset = {x} {y} {z}\nElementSpacing = {sx} {sy} {sz}\n\
         DimSize = {nx} {ny} {nz}\nElementType = {kind}\nElementDataFile = {file}\n"
    ))
}
