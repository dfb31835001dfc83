//! A voxel image as VTK image data, with the numbers as cell data.

use std::io::{self, Write};

use super::{grid::Grid, slabs::write_cells};
use crate::io::export::{ExportOptions, Scene};

pub(in crate::io) fn write(
    scene: &Scene,
    options: &ExportOptions,
    out: &mut dyn Write,
) -> io::Result<()> {
    let grid = Grid::new(scene, options)?;
    let [nx, ny, nz] = grid.cells;
    let [sx, sy, sz] = grid.spacing.to_array();
    let [x, y, z] = grid.low.to_array();
    let name: &'static str = grid.values.into();
    let extent = format!("0 {nx} 0 {ny} 0 {nz}");
    write!(
        out,
        "<?xml version=\"1.0\"?>\n\
         <VTKFile type=\"ImageData\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n\
         <ImageData WholeExtent=\"{extent}\" Origin=\"{x} {y} {z}\" Spacing=\"{sx} {sy} {sz}\">\n\
         <Piece Extent=\"{extent}\">\n\
         <CellData Scalars=\"{name}\">\n\
         <DataArray Name=\"{name}\" type=\"UInt{}\" format=\"appended\" offset=\"0\"/>\n\
         </CellData>\n</Piece>\n</ImageData>\n\
         <AppendedData encoding=\"raw\">\n_",
        8 * grid.bytes
    )?;
    out.write_all(&grid.size().to_le_bytes())?;
    write_cells(scene, &grid, out)?;
    write!(out, "\n</AppendedData>\n</VTKFile>\n")
}
