//! Picture of packing fraction against time, with a panel for each mixture.

use plotters::{coord::Shift, prelude::*};

use super::{
    chart::{COLORS, draw_labels, line_key, style, text},
    curve::{Curves, Point},
    outcome::Outcome,
};

const SIZE: (u32, u32) = (960, 620);

/// Draws the panels, which have a title each, into a file.
pub fn draw(file: &str, panels: &[(&str, Curves)]) -> Outcome {
    let root = SVGBackend::new(file, SIZE).into_drawing_area();
    root.fill(&WHITE)?;
    let areas = root.split_evenly((2, panels.len().div_ceil(2)));
    for (area, (title, curves)) in areas.iter().zip(panels) {
        panel(area, title, curves)?;
    }
    root.present()?;
    Ok(())
}

fn panel(area: &DrawingArea<SVGBackend, Shift>, title: &str, curves: &Curves) -> Outcome {
    let points = || curves.without.iter().chain(&curves.with);
    let range = |value: fn(&Point) -> f64| {
        let values = points().map(value);
        values.fold([f64::INFINITY, 0.0], |[low, high], value| {
            [value.min(low), value.max(high)]
        })
    };
    let [shortest, longest] = range(|point| point.seconds);
    let [loosest, densest] = range(|point| point.packing_fraction);
    let x = 0.8 * shortest..1.25 * longest;
    let y = loosest - 0.004..densest + 0.004;
    let mut chart = ChartBuilder::on(area)
        .margin(14)
        .caption(title, text(16))
        .x_label_area_size(38)
        .y_label_area_size(52)
        .build_cartesian_2d(x.log_scale(), y)?;
    let mut mesh = chart.configure_mesh();
    style(&mut mesh, 12);
    mesh.y_label_formatter(&|fraction| format!("{fraction:.2}"))
        .y_labels(6)
        .x_desc("seconds")
        .y_desc("φ")
        .draw()?;
    let named = [
        ("without exchanges", &curves.without),
        ("with exchanges", &curves.with),
    ];
    for ((name, points), color) in named.into_iter().zip(COLORS) {
        let at = || {
            points
                .iter()
                .map(|point| (point.seconds, point.packing_fraction))
        };
        chart
            .draw_series(LineSeries::new(at(), color.stroke_width(2)))?
            .label(name)
            .legend(line_key(color, 2));
        chart.draw_series(at().map(|at| Circle::new(at, 3, color.filled())))?;
    }
    draw_labels(&mut chart, SeriesLabelPosition::LowerRight, 12)
}
