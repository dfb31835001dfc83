//! Picture of the predicted speed-up.

use plotters::prelude::*;

use super::{
    chart::{COLORS, draw_labels, line_key, style},
    outcome::Outcome,
    record::{Record, Run, THREADS},
};

const SIZE: (u32, u32) = (640, 440);
const IDEAL: RGBColor = RGBColor(150, 150, 150);

/// Draws the speed-up of all runs into a file.
pub fn draw(file: &str, results: &[(&Run, Record)]) -> Outcome {
    let most = THREADS[THREADS.len() - 1] as f64;
    let root = SVGBackend::new(file, SIZE).into_drawing_area();
    root.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&root)
        .margin(14)
        .x_label_area_size(38)
        .y_label_area_size(52)
        .build_cartesian_2d(
            (1.0..most).log_scale().base(2.0),
            (1.0..most).log_scale().base(2.0),
        )?;
    let mut mesh = chart.configure_mesh();
    style(&mut mesh, 12);
    mesh.x_label_formatter(&|threads| format!("{threads:.0}"))
        .y_label_formatter(&|speed_up| format!("{speed_up:.0}"))
        .x_desc("threads")
        .y_desc("predicted speed-up")
        .draw()?;
    chart
        .draw_series(LineSeries::new(
            [(1.0, 1.0), (most, most)],
            IDEAL.stroke_width(1),
        ))?
        .label("number of threads")
        .legend(line_key(IDEAL, 1));
    let colors = COLORS.iter().cycle();
    for ((run, record), &color) in results.iter().zip(colors) {
        let width = if run.spheres > 1_000_000 { 3 } else { 1 };
        let points = THREADS.map(|threads| (threads as f64, record.speed_up(threads)));
        chart
            .draw_series(LineSeries::new(points, color.stroke_width(width)))?
            .label(run.title())
            .legend(line_key(color, width));
    }
    draw_labels(&mut chart, SeriesLabelPosition::UpperLeft, 12)?;
    root.present()?;
    Ok(())
}
