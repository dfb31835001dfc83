//! Pictures on paper: the SVG documents of this module as PDF and as PNG.
//!
//! A document has few kinds of elements, which are read once; each format draws the same shapes.

mod bitmap;
mod drawing;
mod pdf;
mod strokes;

use super::error::ReportError;
pub(super) use bitmap::png_file;
use drawing::Drawing;

/// Returns a figure, which is an SVG document of this module, as a PDF page. A pixel of the SVG is 0.75 points, as in a browser.
///
/// Texts are in Helvetica, which every reader has. Letters that it lacks become question marks.
///
/// # Errors
/// [`ReportError::Document`] if the document is not one of this module.
pub fn svg_as_pdf(svg: &str) -> Result<Vec<u8>, ReportError> {
    Ok(pdf::page(&Drawing::read(svg)?))
}

/// Returns a figure, which is an SVG document of this module, as a PNG file with light colors, in which `width` pixels show the width of
/// the figure.
///
/// # Errors
/// [`ReportError::Document`] if the document is not one of this module. [`ReportError::Side`] if the width or the height is not from 1 to
/// 8192 pixels.
pub fn svg_as_png(svg: &str, width: usize) -> Result<Vec<u8>, ReportError> {
    bitmap::png(&Drawing::read(svg)?, width)
}
