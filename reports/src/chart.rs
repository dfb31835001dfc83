//! Style of the charts of the results pages.

use plotters::{
    chart::{MeshStyle, SeriesLabelPosition},
    coord::{CoordTranslate, ranged1d::ValueFormatter},
    prelude::*,
};

use crate::outcome::Outcome;

/// Colors of the first two curves of a chart.
#[allow(dead_code, reason = "a chart of many curves has a scale of colors")]
pub const COLORS: [RGBColor; 2] = [RGBColor(32, 98, 148), RGBColor(216, 108, 42)];

const TEXT: RGBColor = RGBColor(60, 60, 60);
const LINES: RGBColor = RGBColor(228, 228, 228);
const AXES: RGBColor = RGBColor(150, 150, 150);

/// Returns the style of text of a height in pixels.
pub fn text(height: u32) -> TextStyle<'static> {
    ("sans-serif", height).into_font().color(&TEXT)
}

/// Sets the colors of the axes and of the lines behind the curves, and the height of the labels.
pub fn style<X, Y, DB>(mesh: &mut MeshStyle<X, Y, DB>, height: u32)
where
    X: Ranged<ValueType = f64> + ValueFormatter<f64>,
    Y: Ranged<ValueType = f64> + ValueFormatter<f64>,
    DB: DrawingBackend,
{
    mesh.light_line_style(TRANSPARENT)
        .bold_line_style(LINES)
        .axis_style(AXES)
        .label_style(text(height));
}

/// Returns the piece of a line that stands beside the label of a curve.
pub fn line_key(color: RGBColor, width: u32) -> impl Fn((i32, i32)) -> PathElement<(i32, i32)> {
    move |(x, y)| PathElement::new([(x, y), (x + 18, y)], color.stroke_width(width))
}

/// Draws the labels of the curves.
pub fn draw_labels<'a, DB, CT>(
    chart: &mut ChartContext<'a, DB, CT>,
    position: SeriesLabelPosition,
    height: u32,
) -> Outcome
where
    DB: DrawingBackend<ErrorType: 'static> + 'a,
    CT: CoordTranslate,
{
    chart
        .configure_series_labels()
        .position(position)
        .label_font(text(height))
        .background_style(WHITE.mix(0.8))
        .draw()?;
    Ok(())
}
