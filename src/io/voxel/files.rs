//! Files whose cells follow one after the other: a NumPy array, VTK image data, and the MetaImage header of bare numbers.

use std::io::{self, Write};

use super::{grid::Grid, slabs::write_cells};
use crate::io::{
    export::Scene,
    npy::{Order, write_header},
};

/// Writes a voxel image as a NumPy array `image[x, y, z]`, of disks `image[x, y]`.
pub(in crate::io) fn write_npy(scene: &Scene, grid: &Grid, out: &mut dyn Write) -> io::Result<()> {
    let kind = match grid.bytes {
        1 => "|u1",
        2 => "<u2",
        _ => "<u4",
    };
    // x runs fastest in the file, as in the order of Fortran.
    write_header(kind, &grid.cells[..grid.axes], Order::Fortran, out)?;
    write_cells(scene, grid, out)
}

/// Writes a voxel image as VTK image data, with the numbers as cell data.
pub(in crate::io) fn write_vti(scene: &Scene, grid: &Grid, out: &mut dyn Write) -> io::Result<()> {
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
    write_cells(scene, grid, out)?;
    write!(out, "\n</AppendedData>\n</VTKFile>\n")
}

/// Returns the MetaImage header (`.mhd`) that names the `file` of the bare numbers. Its offset is the center of the first cell.
pub(in crate::io) fn raw_header(grid: &Grid, file: &str) -> String {
    let offset = joined(&(grid.low + 0.5 * grid.spacing).to_array()[..grid.axes]);
    let (spacing, cells) = (
        joined(&grid.spacing.to_array()[..grid.axes]),
        joined(&grid.cells[..grid.axes]),
    );
    let kind = match grid.bytes {
        1 => "MET_UCHAR",
        2 => "MET_USHORT",
        _ => "MET_UINT",
    };
    format!(
        "ObjectType = Image\nNDims = {}\nBinaryData = True\nBinaryDataByteOrderMSB = False\n\
         CompressedData = False\nOffset = {offset}\nElementSpacing = {spacing}\n\
         DimSize = {cells}\nElementType = {kind}\nElementDataFile = {file}\n",
        grid.axes
    )
}

/// Returns the numbers with blanks between them.
fn joined(numbers: &[impl ToString]) -> String {
    let numbers: Vec<String> = numbers.iter().map(ToString::to_string).collect();
    numbers.join(" ")
}
