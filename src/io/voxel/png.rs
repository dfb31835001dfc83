//! An image of disks as a PNG file of gray values.

use std::io::{self, Write};

use super::{grid::Grid, slabs::write_cells};
use crate::io::export::{Scene, invalid};

/// Writes the layer of cells, with the rows of the TIFF format: from the lowest y.
pub(in crate::io) fn write(scene: &Scene, grid: &Grid, out: &mut dyn Write) -> io::Result<()> {
    let depth = match grid.bytes {
        1 => png::BitDepth::Eight,
        2 => png::BitDepth::Sixteen,
        _ => {
            return Err(invalid(format!(
                "PNG holds numbers up to {}; choose --voxel-values solid, or tif",
                u16::MAX
            )));
        }
    };
    let mut cells = Vec::new();
    write_cells(scene, grid, &mut cells)?;
    if grid.bytes == 2 {
        // Numbers of PNG begin with the high byte.
        cells.chunks_exact_mut(2).for_each(<[u8]>::reverse);
    }
    let [width, height] = [grid.cells[0], grid.cells[1]].map(|count| count as u32);
    let mut encoder = png::Encoder::new(out, width, height);
    encoder.set_color(png::ColorType::Grayscale);
    encoder.set_depth(depth);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&cells)?;
    Ok(writer.finish()?)
}
