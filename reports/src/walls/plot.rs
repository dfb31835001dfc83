//! Picture of the porosity near a wall, and of the packing fraction of tubes.

use plotters::{coord::Shift, prelude::*};

use super::{
    chart::{COLORS, draw_labels, line_key, style, text},
    correlation::{benyahia_oneill, continuous_bulk, de_klerk},
    fraction::Tube,
    mean::Mean,
    outcome::Outcome,
    profile::{EXTENT, Profile},
};

const SIZE: (u32, u32) = (960, 400);
const PUBLISHED: RGBColor = RGBColor(90, 90, 90);

/// Points of a published curve.
const POINTS: usize = 400;

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// Draws the first two profiles and the tubes into a file.
pub fn draw(file: &str, profiles: &[Profile], tubes: &[Tube]) -> Outcome {
    let root = SVGBackend::new(file, SIZE).into_drawing_area();
    root.fill(&WHITE)?;
    let areas = root.split_evenly((1, 2));
    profile_panel(&areas[0], &profiles[..2])?;
    tube_panel(&areas[1], tubes)?;
    root.present()?;
    Ok(())
}

fn profile_panel(area: &Area, profiles: &[Profile]) -> Outcome {
    let mut chart = ChartBuilder::on(area)
        .margin(14)
        .caption("Cylinder of 20 diameters", text(16))
        .x_label_area_size(38)
        .y_label_area_size(52)
        .build_cartesian_2d(0.0..EXTENT, 0.0..1.0)?;
    let mut mesh = chart.configure_mesh();
    style(&mut mesh, 12);
    mesh.x_desc("distance from the wall in diameters")
        .y_desc("porosity")
        .draw()?;
    let bulk = continuous_bulk();
    let curve = (0..=POINTS).map(|k| EXTENT * k as f64 / POINTS as f64);
    let published = curve.map(|z| (z, de_klerk(z, bulk)));
    chart
        .draw_series(LineSeries::new(published, PUBLISHED.stroke_width(1)))?
        .label("de Klerk 2003")
        .legend(line_key(PUBLISHED, 1));
    for (profile, color) in profiles.iter().zip(COLORS) {
        let points = profile.points().map(|(z, porosity)| (z, porosity.value));
        chart
            .draw_series(LineSeries::new(points, color.stroke_width(2)))?
            .label(&profile.name)
            .legend(line_key(color, 2));
    }
    draw_labels(&mut chart, SeriesLabelPosition::UpperRight, 12)
}

fn tube_panel(area: &Area, tubes: &[Tube]) -> Outcome {
    let fractions = tubes.iter().map(|tube| tube.packing_fraction.value);
    let loosest = fractions
        .fold(1.0, f64::min)
        .min(1.0 - benyahia_oneill(2.0));
    let mut chart = ChartBuilder::on(area)
        .margin(14)
        .caption("Packing fraction of tubes", text(16))
        .x_label_area_size(38)
        .y_label_area_size(52)
        .build_cartesian_2d((1.9..32.0).log_scale(), loosest - 0.01..0.65)?;
    let mut mesh = chart.configure_mesh();
    style(&mut mesh, 12);
    mesh.y_label_formatter(&|fraction| format!("{fraction:.2}"))
        .x_label_formatter(&|ratio| format!("{ratio:.0}"))
        .x_desc("D/d")
        .y_desc("φ")
        .draw()?;
    let curve = (0..=POINTS).map(|k| 2.0 * 15_f64.powf(k as f64 / POINTS as f64));
    let published = curve.map(|ratio| (ratio, 1.0 - benyahia_oneill(ratio)));
    chart
        .draw_series(LineSeries::new(published, PUBLISHED.stroke_width(1)))?
        .label("Benyahia & O'Neill 2005")
        .legend(line_key(PUBLISHED, 1));
    let [color, _] = COLORS;
    let points = || {
        tubes
            .iter()
            .map(|tube| (tube.ratio.value, tube.packing_fraction))
    };
    chart
        .draw_series(LineSeries::new(
            points().map(|(x, y)| (x, y.value)),
            color.stroke_width(1),
        ))?
        .label("densest packings")
        .legend(move |(x, y)| Circle::new((x + 9, y), 3, color.filled()));
    chart.draw_series(points().map(|(x, y)| Circle::new((x, y.value), 3, color.filled())))?;
    let bar = |(x, Mean { value, error }): (f64, Mean)| {
        let ends = [(x, value - 2.0 * error), (x, value + 2.0 * error)];
        PathElement::new(ends, color.stroke_width(1))
    };
    chart.draw_series(points().map(bar))?;
    draw_labels(&mut chart, SeriesLabelPosition::LowerRight, 12)
}
