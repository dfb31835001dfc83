//! A voxel image as a stack of TIFF pages, one for each slice along z.
//!
//! The pages are written one after the other. Each page has its own directory before its cells, because the size of a page is
//! known, and a stack need not fit into memory. Stacks of 4 GiB and more have the form BigTIFF.

use std::io::{self, Write};

use super::{grid::Grid, slabs::write_cells};
use crate::io::export::Scene;

/// Codes of the types of fields.
const SHORT: u16 = 3;
const LONG: u16 = 4;
const LONG8: u16 = 16;

/// Number of fields of a directory.
const FIELDS: usize = 9;

pub(in crate::io) fn write(scene: &Scene, grid: &Grid, out: &mut dyn Write) -> io::Result<()> {
    let page = grid.slice() * grid.bytes;
    let classic = Layout { is_big: false };
    let total =
        classic.header().len() as u64 + (classic.directory() + page) as u64 * grid.cells[2] as u64;
    let layout = Layout {
        is_big: total > u64::from(u32::MAX),
    };
    out.write_all(layout.header())?;
    let mut pages = Pages {
        grid,
        layout,
        page,
        written: 0,
        out,
    };
    write_cells(scene, grid, &mut pages)
}

/// The sizes of numbers in a classic TIFF or a BigTIFF.
#[derive(Clone, Copy)]
struct Layout {
    is_big: bool,
}

impl Layout {
    /// Returns the bytes before the first directory. The last ones state its position.
    fn header(self) -> &'static [u8] {
        if self.is_big {
            b"II\x2b\0\x08\0\0\0\x10\0\0\0\0\0\0\0"
        } else {
            b"II\x2a\0\x08\0\0\0"
        }
    }

    /// Returns the bytes of a directory: the number of fields, the fields, and the position of the next directory.
    fn directory(self) -> usize {
        if self.is_big {
            8 + 20 * FIELDS + 8
        } else {
            2 + 12 * FIELDS + 4
        }
    }

    fn write_offset(self, offset: u64, out: &mut dyn Write) -> io::Result<()> {
        let length = if self.is_big { 8 } else { 4 };
        out.write_all(&offset.to_le_bytes()[..length])
    }

    /// Writes a field with one number.
    fn write_field(self, tag: u16, kind: u16, value: u64, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(&tag.to_le_bytes())?;
        out.write_all(&kind.to_le_bytes())?;
        self.write_offset(1, out)?;
        // Short numbers fill the low bytes.
        self.write_offset(value, out)
    }
}

/// Inserts a directory before the cells of each page.
struct Pages<'a> {
    grid: &'a Grid,
    layout: Layout,
    /// Bytes of the cells of a page.
    page: usize,
    /// Bytes of cells written so far.
    written: u64,
    out: &'a mut dyn Write,
}

impl Pages<'_> {
    fn write_directory(&mut self) -> io::Result<()> {
        let (layout, page) = (self.layout, self.page as u64);
        let number = self.written / page;
        let directory = layout.directory() as u64;
        let start = layout.header().len() as u64 + number * (directory + page);
        let next = if number + 1 == self.grid.cells[2] as u64 {
            0
        } else {
            start + directory + page
        };
        let out = &mut *self.out;
        let (count, offset) = if layout.is_big { (8, LONG8) } else { (2, LONG) };
        out.write_all(&(FIELDS as u64).to_le_bytes()[..count])?;
        let [width, height, _] = self.grid.cells.map(|count| count as u64);
        // Black is 0, there is one number for each cell, and one strip with all rows.
        for (tag, kind, value) in [
            (256, LONG, width),
            (257, LONG, height),
            (258, SHORT, 8 * self.grid.bytes as u64),
            (259, SHORT, 1),
            (262, SHORT, 1),
            (273, offset, start + directory),
            (277, SHORT, 1),
            (278, LONG, height),
            (279, offset, page),
        ] {
            layout.write_field(tag, kind, value, out)?;
        }
        layout.write_offset(next, out)
    }
}

impl Write for Pages<'_> {
    fn write(&mut self, cells: &[u8]) -> io::Result<usize> {
        let place = (self.written % self.page as u64) as usize;
        if place == 0 && !cells.is_empty() {
            self.write_directory()?;
        }
        let count = cells.len().min(self.page - place);
        self.out.write_all(&cells[..count])?;
        self.written += count as u64;
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
