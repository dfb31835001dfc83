//! Picture of the porosity of tubes, near a wall, and of layers on the floor.

use plotters::{coord::Shift, prelude::*};

use super::{
    Measured,
    chart::{COLORS, draw_labels, line_key, style, text},
    outcome::Outcome,
    structure,
    tubes::Tube,
};
use crate::walls::{
    correlation::{benyahia_oneill, continuous_bulk, de_klerk},
    profile::EXTENT,
};

const SIZE: (u32, u32) = (1320, 400);
const PUBLISHED: RGBColor = RGBColor(90, 90, 90);

/// Points of a published curve.
const POINTS: usize = 400;

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Points = Vec<(f64, f64)>;

/// A panel with an axis from zero in both directions.
struct Panel {
    caption: &'static str,
    x: &'static str,
    y: &'static str,
    extent: f64,
    range: std::ops::Range<f64>,
}

/// Draws the three panels into a file.
pub fn draw(file: &str, measured: &Measured) -> Outcome {
    let root = SVGBackend::new(file, SIZE).into_drawing_area();
    root.fill(&WHITE)?;
    let areas = root.split_evenly((1, 3));
    draw_tubes(&areas[0], &measured.tubes)?;
    let panel = Panel {
        caption: "Wall of a tube of 20 diameters",
        x: "distance from the wall in diameters",
        y: "porosity",
        extent: EXTENT,
        range: 0.0..1.0,
    };
    let published = (0..=POINTS).map(|k| EXTENT * share(k));
    let published = published.map(|z| (z, de_klerk(z, continuous_bulk())));
    let profiles = measured.profiles.iter().map(|profile| {
        let points = profile.points().map(|(z, porosity)| (z, porosity.value));
        (profile.name.clone(), points.collect())
    });
    panel.draw(
        &areas[1],
        ("de Klerk 2003", published.collect()),
        profiles.collect(),
    )?;
    let panel = Panel {
        caption: "Floor without side walls",
        x: "height in diameters",
        y: "packing fraction",
        extent: structure::EXTENT,
        range: 0.0..1.0,
    };
    let kinds = measured.structures.iter().take(2);
    let kinds = kinds.map(|kind| (kind.name.clone(), kind.profile.clone()));
    panel.draw(&areas[2], ("", Vec::new()), kinds.collect())?;
    root.present()?;
    Ok(())
}

/// Returns the place of a point on the way from the first one to the last one.
fn share(k: usize) -> f64 {
    k as f64 / POINTS as f64
}

/// Draws the porosity of tubes.
fn draw_tubes(area: &Area, tubes: &[Tube]) -> Outcome {
    let points = |porosity: fn(&Tube) -> Option<f64>| -> Points {
        tubes
            .iter()
            .filter_map(|tube| Some((tube.ratio, porosity(tube)?)))
            .collect()
    };
    let panel = Panel {
        caption: "Tubes",
        x: "D/d",
        y: "porosity",
        extent: 32.0,
        range: 0.35..0.7,
    };
    let published = (0..=POINTS).map(|k| 1.5 + 28.5 * share(k));
    let published = published.map(|ratio| (ratio, benyahia_oneill(ratio)));
    panel.draw(
        area,
        ("Benyahia & O'Neill 2005", published.collect()),
        vec![
            (
                "poured".to_owned(),
                points(|tube| Some(tube.porosity.value)),
            ),
            (
                format!("{} taps", structure::TAPS),
                points(|tube| Some(tube.tapped.value)),
            ),
            (
                "jammed".to_owned(),
                points(|tube| tube.jammed.map(|jammed| jammed.value)),
            ),
        ],
    )
}

impl Panel {
    fn draw(
        &self,
        area: &Area,
        published: (&str, Points),
        series: Vec<(String, Points)>,
    ) -> Outcome {
        let mut chart = ChartBuilder::on(area)
            .margin(14)
            .caption(self.caption, text(16))
            .x_label_area_size(38)
            .y_label_area_size(52)
            .build_cartesian_2d(0.0..self.extent, self.range.clone())?;
        let mut mesh = chart.configure_mesh();
        style(&mut mesh, 12);
        mesh.x_desc(self.x).y_desc(self.y).draw()?;
        let (name, points) = published;
        if !points.is_empty() {
            chart
                .draw_series(LineSeries::new(points, PUBLISHED.stroke_width(1)))?
                .label(name)
                .legend(line_key(PUBLISHED, 1));
        }
        for ((name, points), color) in series.into_iter().zip(COLORS) {
            chart
                .draw_series(LineSeries::new(points, color.stroke_width(2)))?
                .label(name)
                .legend(line_key(color, 2));
        }
        draw_labels(&mut chart, SeriesLabelPosition::UpperRight, 12)
    }
}
