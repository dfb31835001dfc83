//! The cells of one slice inside one sphere.

use glam::DVec3;

use super::grid::Grid;

/// A sphere or a periodic image of one, in units of cells, with its number.
pub(super) struct Painted {
    pub center: DVec3,
    pub radius: f64,
    pub value: u32,
}

/// Sets the cells of slice `z` whose centers lie in the sphere or on its surface.
pub(super) fn paint(body: &Painted, grid: &Grid, z: usize, slice: &mut [u8]) {
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
