//! Picture of the packing fraction of two sizes over the composition.

use plotters::prelude::*;

use super::{
    binary::Curve,
    chart::{draw_labels, line_key, style},
    outcome::Outcome,
};

const SIZE: (u32, u32) = (820, 520);

/// Colors from light to dark, one for each ratio.
const COLORS: [RGBColor; 6] = [
    RGBColor(240, 170, 60),
    RGBColor(222, 120, 80),
    RGBColor(190, 80, 110),
    RGBColor(140, 60, 130),
    RGBColor(80, 50, 130),
    RGBColor(20, 30, 90),
];

/// Draws the measured curves with their errors, and the curve of an infinite ratio.
pub fn draw(file: &str, curves: &[Curve], limit: impl Fn(f64) -> f64) -> Outcome {
    let root = SVGBackend::new(file, SIZE).into_drawing_area();
    root.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&root)
        .margin(14)
        .x_label_area_size(40)
        .y_label_area_size(54)
        .build_cartesian_2d(0.0..1.0, 0.62..0.88)?;
    let mut mesh = chart.configure_mesh();
    style(&mut mesh, 13);
    mesh.y_label_formatter(&|fraction| format!("{fraction:.2}"))
        .x_desc("mass share of the small spheres")
        .y_desc("packing fraction")
        .draw()?;
    let shares = (0..=200).map(|k| f64::from(k) / 200.0);
    let gray = RGBColor(150, 150, 150);
    chart
        .draw_series(LineSeries::new(
            shares.map(|share| (share, limit(share))),
            gray.stroke_width(1),
        ))?
        .label("infinite ratio")
        .legend(line_key(gray, 1));
    for (curve, color) in curves.iter().zip(COLORS) {
        let at = || {
            curve
                .points
                .iter()
                .map(|point| (point.share, point.measured.value))
        };
        chart
            .draw_series(LineSeries::new(at(), color.stroke_width(2)))?
            .label(format!("ratio {}", curve.ratio))
            .legend(line_key(color, 2));
        chart.draw_series(curve.points.iter().map(|point| {
            let (middle, error) = (point.measured.value, point.measured.error);
            let ends = [(point.share, middle - error), (point.share, middle + error)];
            PathElement::new(ends, color.stroke_width(4))
        }))?;
    }
    draw_labels(&mut chart, SeriesLabelPosition::UpperRight, 13)?;
    root.present()?;
    Ok(())
}
