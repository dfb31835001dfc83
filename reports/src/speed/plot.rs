//! Picture of packing fraction against time, with a panel for each size distribution.

use plotters::{
    coord::{Shift, combinators::WithKeyPoints, types::RangedCoordf64},
    element::DashedPathElement,
    prelude::*,
    style::text_anchor::{HPos, Pos, VPos},
};

use super::{
    chart::{COLORS, draw_labels, line_key, style, text},
    curve::Curve,
    numbers::grouped,
    outcome::Outcome,
};

const SIZE: (u32, u32) = (960, 760);
/// Labeled times on the axis, in microseconds per sphere.
const TICKS: [f64; 10] = [10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1e3, 2e3, 5e3, 1e4];

type Panel<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Chart<'a, 'b> =
    ChartContext<'a, SVGBackend<'b>, Cartesian2d<WithKeyPoints<LogCoord<f64>>, RangedCoordf64>>;

/// Draws the panels, which have a title each, into a file.
pub fn draw(file: &str, panels: &[(&str, Vec<Curve>)]) -> Outcome {
    let root = SVGBackend::new(file, SIZE).into_drawing_area();
    root.fill(&WHITE)?;
    let areas = root.split_evenly((2, panels.len() / 2));
    for (area, (title, curves)) in areas.iter().zip(panels) {
        panel(area, title, curves)?;
    }
    root.present()?;
    Ok(())
}

fn panel(area: &Panel, title: &str, curves: &[Curve]) -> Outcome {
    let costs = || {
        curves
            .iter()
            .flat_map(|curve| curve.points.iter().map(|point| point.cost(curve.spheres)))
    };
    let fractions = || {
        let points = curves.iter().flat_map(|curve| &curve.points);
        (points.map(|point| point.packing_fraction)).chain(curves.iter().map(|c| c.predicted))
    };
    let lowest = |values: &mut dyn Iterator<Item = f64>| values.fold(f64::INFINITY, f64::min);
    let highest = |values: &mut dyn Iterator<Item = f64>| values.fold(0.0, f64::max);
    let x = 0.8 * lowest(&mut costs())..1.25 * highest(&mut costs());
    let y = lowest(&mut fractions()) - 0.006..highest(&mut fractions()) + 0.006;
    let (left, right) = (x.start, x.end);
    let ticks = TICKS.into_iter().filter(|tick| x.contains(tick)).collect();
    let decimals = if y.end - y.start < 0.06 { 3 } else { 2 };
    let mut chart = ChartBuilder::on(area)
        .margin(14)
        .caption(title, text(17))
        .x_label_area_size(38)
        .y_label_area_size(52)
        .build_cartesian_2d(x.log_scale().with_key_points(ticks), y)?;
    let mut mesh = chart.configure_mesh();
    style(&mut mesh, 13);
    mesh.x_label_formatter(&|cost| format!("{cost:.0}"))
        .y_label_formatter(&|fraction| format!("{fraction:.decimals$}"))
        .y_labels(7)
        .x_desc("µs per sphere")
        .y_desc("φ")
        .draw()?;
    for (curve, color) in curves.iter().zip(COLORS) {
        draw_curve(&mut chart, curve, color, [left, right])?;
    }
    draw_legend(&mut chart, left, curves[0].predicted)
}

/// Draws the points of a curve, the line through them, and the predicted packing fraction between two times.
fn draw_curve(
    chart: &mut Chart,
    curve: &Curve,
    color: RGBColor,
    [left, right]: [f64; 2],
) -> Outcome {
    let points = || {
        let points = curve.points.iter();
        points.map(|point| (point.cost(curve.spheres), point.packing_fraction))
    };
    chart
        .draw_series(LineSeries::new(points(), color.stroke_width(2)))?
        .label(format!("{} spheres", grouped(curve.spheres)))
        .legend(line_key(color, 2));
    chart.draw_series(points().map(|at| Circle::new(at, 3, color.filled())))?;
    let line = [(left, curve.predicted), (right, curve.predicted)];
    let dashed = DashedPathElement::new(line, 5, 4, color.mix(0.8));
    chart.draw_series(std::iter::once(dashed))?;
    Ok(())
}

/// Draws the labels of the curves, and the source of the predictions above the first prediction.
fn draw_legend<'a, 'b: 'a>(chart: &mut Chart<'a, 'b>, left: f64, predicted: f64) -> Outcome {
    let note = text(12);
    let above = note.pos(Pos::new(HPos::Left, VPos::Bottom));
    let source = Text::new("Farr & Groot", (1.04 * left, predicted), above);
    chart.draw_series(std::iter::once(source))?;
    draw_labels(chart, SeriesLabelPosition::LowerRight, 13)
}
