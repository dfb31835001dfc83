//! Packing fraction against time, a panel for each mixture.

use plotters::{
    coord::Shift,
    element::DashedPathElement,
    prelude::*,
    style::text_anchor::{HPos, Pos, VPos},
};

use super::{Curve, Outcome, grouped};

const SIZE: (u32, u32) = (960, 760);
const COLOURS: [RGBColor; 2] = [RGBColor(32, 98, 148), RGBColor(216, 108, 42)];
/// Of the axis of time.
const TICKS: [f64; 10] = [10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1e3, 2e3, 5e3, 1e4];
const TEXT: RGBColor = RGBColor(60, 60, 60);

type Panel<'a> = DrawingArea<SVGBackend<'a>, Shift>;

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
    let least = |values: &mut dyn Iterator<Item = f64>| values.fold(f64::INFINITY, f64::min);
    let most = |values: &mut dyn Iterator<Item = f64>| values.fold(0.0, f64::max);
    let x = 0.8 * least(&mut costs())..1.25 * most(&mut costs());
    let y = least(&mut fractions()) - 0.006..most(&mut fractions()) + 0.006;
    let (left, right) = (x.start, x.end);
    let ticks = TICKS.into_iter().filter(|tick| x.contains(tick)).collect();
    let decimals = if y.end - y.start < 0.06 { 3 } else { 2 };
    let mut chart = ChartBuilder::on(area)
        .margin(14)
        .caption(title, ("sans-serif", 17).into_font().color(&TEXT))
        .x_label_area_size(38)
        .y_label_area_size(52)
        .build_cartesian_2d(x.log_scale().with_key_points(ticks), y)?;
    chart
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .bold_line_style(RGBColor(228, 228, 228))
        .axis_style(RGBColor(150, 150, 150))
        .label_style(("sans-serif", 13).into_font().color(&TEXT))
        .x_label_formatter(&|cost| format!("{cost:.0}"))
        .y_label_formatter(&|fraction| format!("{fraction:.decimals$}"))
        .y_labels(7)
        .x_desc("µs for each sphere")
        .y_desc("φ")
        .draw()?;
    for (curve, colour) in curves.iter().zip(COLOURS) {
        let points = || {
            let place = |point: &super::Point| (point.cost(curve.spheres), point.packing_fraction);
            curve.points.iter().map(place)
        };
        chart
            .draw_series(LineSeries::new(points(), colour.stroke_width(2)))?
            .label(format!("{} spheres", grouped(curve.spheres)))
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], colour.stroke_width(2)));
        chart.draw_series(points().map(|at| Circle::new(at, 3, colour.filled())))?;
        let line = [(left, curve.predicted), (right, curve.predicted)];
        let dashed = DashedPathElement::new(line, 5, 4, colour.mix(0.8));
        chart.draw_series(std::iter::once(dashed))?;
    }
    let note = ("sans-serif", 12).into_font().color(&TEXT);
    let predicted = curves[0].predicted;
    let above = note.pos(Pos::new(HPos::Left, VPos::Bottom));
    chart.draw_series(std::iter::once(Text::new(
        "Farr & Groot",
        (1.04 * left, predicted),
        above,
    )))?;
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::LowerRight)
        .label_font(("sans-serif", 13).into_font().color(&TEXT))
        .background_style(WHITE.mix(0.8))
        .draw()?;
    Ok(())
}
