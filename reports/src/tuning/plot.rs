//! Panels of curves with linear or logarithmic axes, below one legend.

use std::{collections::HashSet, ops::Range};

use plotters::{
    coord::{
        Shift,
        ranged1d::{DefaultFormatting, KeyPointHint, Ranged},
    },
    element::DashedPathElement,
    prelude::*,
};

use crate::{
    chart::{COLORS, style, text},
    outcome::Outcome,
};

/// Colors of the curves of a panel.
pub const PALETTE: [RGBColor; 5] = [
    COLORS[0],
    COLORS[1],
    RGBColor(74, 140, 74),
    RGBColor(140, 84, 160),
    RGBColor(110, 110, 110),
];

/// Width and height of a panel in pixels.
const PANEL: (u32, u32) = (480, 360);
/// Width and height of a label in the legend in pixels.
const LABEL: (u32, u32) = (230, 22);
/// Half the range of the coordinates that stays free beside the outermost points.
const MARGIN: f64 = 0.04;

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// How the points of a curve are drawn.
#[derive(Clone, Copy)]
pub enum Mark {
    /// A line through the points.
    Line,
    /// A dashed line through the points.
    Dashed,
    /// A line through the points, which are dots.
    Joined,
    /// Dots.
    Dots,
    /// Circles.
    Circles,
    /// Crosses.
    Crosses,
}

/// Points with a label in the legend. Curves with equal labels have one entry, and curves without a label none.
pub struct Curve {
    pub label: String,
    pub color: RGBColor,
    pub mark: Mark,
    pub points: Vec<(f64, f64)>,
}

/// An axis of a panel. Its range is that of the points.
#[derive(Clone, Copy)]
pub struct Axis {
    pub title: &'static str,
    pub is_log: bool,
}

impl Axis {
    /// Creates a linear axis.
    pub const fn linear(title: &'static str) -> Self {
        Self {
            title,
            is_log: false,
        }
    }

    /// Creates a logarithmic axis.
    pub const fn log(title: &'static str) -> Self {
        Self {
            title,
            is_log: true,
        }
    }
}

/// A diagram with two axes.
pub struct Panel {
    pub title: String,
    pub x: Axis,
    pub y: Axis,
    pub curves: Vec<Curve>,
}

/// Draws panels into a file, row by row, with so many columns.
pub fn draw(file: &str, panels: &[Panel], columns: usize) -> Outcome {
    let mut seen = HashSet::new();
    let labeled: Vec<&Curve> = panels
        .iter()
        .flat_map(|panel| &panel.curves)
        .filter(|curve| !curve.label.is_empty() && seen.insert(&curve.label))
        .collect();
    let rows = panels.len().div_ceil(columns) as u32;
    let width = columns as u32 * PANEL.0;
    let labels = (width / LABEL.0) as usize;
    let legend = 10 + LABEL.1 * labeled.len().div_ceil(labels) as u32;
    let size = (width, legend + rows * PANEL.1);
    let root = SVGBackend::new(file, size).into_drawing_area();
    root.fill(&WHITE)?;
    for (i, curve) in labeled.iter().enumerate() {
        draw_label(&root, curve, [i % labels, i / labels])?;
    }
    let (_, below) = root.split_vertically(legend);
    for (area, panel) in below
        .split_evenly((rows as usize, columns))
        .iter()
        .zip(panels)
    {
        draw_panel(&root, area, panel)?;
    }
    root.present()?;
    Ok(())
}

/// Draws the entry of a curve in a column and a row of the legend.
fn draw_label(root: &Area, curve: &Curve, [column, row]: [usize; 2]) -> Outcome {
    let left = 20 + column as i32 * LABEL.0 as i32;
    let middle = 16 + row as i32 * LABEL.1 as i32;
    let sample = match curve.mark {
        Mark::Line | Mark::Dashed => vec![(left, middle), (left + 26, middle)],
        Mark::Joined => vec![(left, middle), (left + 13, middle), (left + 26, middle)],
        Mark::Dots | Mark::Circles | Mark::Crosses => vec![(left + 13, middle)],
    };
    draw_marks(root, &sample, curve)?;
    let label = Text::new(curve.label.as_str(), (left + 34, middle - 7), text(14));
    root.draw(&label)?;
    Ok(())
}

fn draw_panel(root: &Area, area: &Area, panel: &Panel) -> Outcome {
    let points = || panel.curves.iter().flat_map(|curve| &curve.points);
    let x = Scale::over(points().map(|point| point.0), panel.x.is_log);
    let y = Scale::over(points().map(|point| point.1), panel.y.is_log);
    let mut chart = ChartBuilder::on(area)
        .margin(12)
        .caption(&panel.title, text(16))
        .x_label_area_size(40)
        .y_label_area_size(58)
        .build_cartesian_2d(x, y)?;
    let mut mesh = chart.configure_mesh();
    style(&mut mesh, 13);
    mesh.x_label_formatter(&|value| number(*value))
        .y_label_formatter(&|value| number(*value))
        .x_desc(panel.x.title)
        .y_desc(panel.y.title)
        .draw()?;
    for curve in &panel.curves {
        let pixels: Vec<(i32, i32)> = curve
            .points
            .iter()
            .map(|point| chart.plotting_area().map_coordinate(point))
            .collect();
        draw_marks(root, &pixels, curve)?;
    }
    Ok(())
}

/// Draws the mark of a curve at points in pixels.
fn draw_marks(root: &Area, points: &[(i32, i32)], curve: &Curve) -> Outcome {
    let color = curve.color;
    let line = || PathElement::new(points, color.stroke_width(2));
    let dots = |root: &Area| -> Outcome {
        for &point in points {
            root.draw(&Circle::new(point, 3, color.filled()))?;
        }
        Ok(())
    };
    match curve.mark {
        Mark::Line => root.draw(&line())?,
        Mark::Dashed => {
            let points = points.to_vec();
            root.draw(&DashedPathElement::new(points, 7, 4, color.stroke_width(2)))?;
        }
        Mark::Joined => {
            root.draw(&line())?;
            dots(root)?;
        }
        Mark::Dots => dots(root)?,
        Mark::Circles => {
            for &point in points {
                root.draw(&Circle::new(point, 5, color.stroke_width(2)))?;
            }
        }
        Mark::Crosses => {
            for &point in points {
                root.draw(&Cross::new(point, 4, color.stroke_width(2)))?;
            }
        }
    }
    Ok(())
}

/// Range of an axis, with its labeled values.
struct Scale {
    range: Range<f64>,
    is_log: bool,
    ticks: Vec<f64>,
}

impl Scale {
    /// Creates the scale of some values, which must be positive on a logarithmic axis.
    fn over(values: impl Iterator<Item = f64>, is_log: bool) -> Self {
        let (low, high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| {
            (x.min(low), x.max(high))
        });
        if is_log {
            let margin = (high / low).powf(MARGIN).max(1.02);
            let range = low / margin..high * margin;
            let ticks = log_ticks(&range);
            return Self {
                range,
                is_log,
                ticks,
            };
        }
        let margin = MARGIN * (high - low).max(0.01 * high.abs());
        let range = low - margin..high + margin;
        let ticks = linear_ticks(&range);
        Self {
            range,
            is_log,
            ticks,
        }
    }

    fn along(&self, value: f64) -> f64 {
        if self.is_log { value.ln() } else { value }
    }
}

impl Ranged for Scale {
    type FormatOption = DefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, (start, end): (i32, i32)) -> i32 {
        let [low, high, at] = [self.range.start, self.range.end, *value].map(|x| self.along(x));
        start + ((at - low) / (high - low) * f64::from(end - start)).round() as i32
    }

    fn key_points<Hint: KeyPointHint>(&self, hint: Hint) -> Vec<f64> {
        if hint.weight().allow_light_points() {
            Vec::new()
        } else {
            self.ticks.clone()
        }
    }

    fn range(&self) -> Range<f64> {
        self.range.clone()
    }
}

/// Returns the labeled values of a logarithmic axis: powers of ten, and their multiples by 2 and 5 if the range is short.
fn log_ticks(range: &Range<f64>) -> Vec<f64> {
    let decades = (range.end / range.start).log10();
    if decades < 0.7 {
        return linear_ticks(range);
    }
    let factors: &[f64] = if decades < 2.6 {
        &[1.0, 2.0, 5.0]
    } else {
        &[1.0]
    };
    let first = range.start.log10().floor() as i32;
    let last = range.end.log10().ceil() as i32;
    // At most about eight powers of ten are labeled.
    let step = ((last - first) / 8 + 1) as usize;
    (first..=last)
        .step_by(step)
        .flat_map(|power| {
            factors
                .iter()
                .map(move |factor| factor * 10_f64.powi(power))
        })
        .filter(|tick| range.contains(tick))
        .collect()
}

/// Returns the labeled values of a linear axis: multiples of 1, 2 or 5 times a power of ten.
fn linear_ticks(range: &Range<f64>) -> Vec<f64> {
    let rough = (range.end - range.start) / 6.0;
    let power = 10_f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0]
        .map(|factor| factor * power)
        .into_iter()
        .find(|&step| step >= rough)
        .unwrap_or(rough);
    let first = (range.start / step).ceil() as i64;
    let last = (range.end / step).floor() as i64;
    (first..=last).map(|i| i as f64 * step).collect()
}

/// Returns a labeled value as text.
fn number(value: f64) -> String {
    let power = value.abs().log10().round();
    let is_power = (value / 10_f64.powf(power) - 1.0).abs() < 1e-9;
    if is_power && !(-2.0..=4.0).contains(&power) {
        let digits = format!("{power:.0}");
        return format!("10{}", digits.chars().map(raised).collect::<String>());
    }
    let text = format!("{value:.6}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Returns a digit or the minus sign as a superscript.
fn raised(character: char) -> char {
    match character {
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        '4'..='9' => {
            char::from_u32('⁴' as u32 + (character as u32 - '4' as u32)).unwrap_or(character)
        }
        '0' => '⁰',
        _ => '⁻',
    }
}
