//! Figures as SVG, in light and dark mode.

use crate::names::visible;
use std::fmt::Write;

use super::{
    colors::{CATEGORIES, hex, scale},
    panel::{Mark, Panel, Series},
    scale::Scale,
};

/// Width and height of one figure in pixels.
pub(super) const SIZE: [f64; 2] = [480.0, 320.0];
/// Distances from the left, right, top and bottom edge to the axes.
const MARGINS: [f64; 4] = [62.0, 16.0, 34.0, 48.0];
/// Width of a letter of the legend.
const LETTER: f64 = 6.2;
/// Number of steps between the two corners of a side where the legend may be.
const HEIGHTS: u8 = 8;
/// Largest number of entries of the legend.
const ENTRIES: usize = 8;

/// Style of a figure that stands alone. Pages define the same variables.
const STYLE: &str = "svg{--paper:#ffffff;--ink:#1b1f24;--muted:#57606a;--grid:#e4e7eb}\
@media(prefers-color-scheme:dark){svg{--paper:#15181d;--ink:#e8eaed;--muted:#9aa4b0;--grid:#2b3038}}\
text{font-family:system-ui,-apple-system,'Segoe UI','DejaVu Sans',sans-serif}";

/// Returns one SVG document with panels in rows.
pub(super) fn document(panels: &[Panel]) -> String {
    in_rows(&panels.iter().map(content).collect::<Vec<_>>())
}

/// Returns one SVG document with the contents of figures: up to three below each other, and more in rows of two.
pub(super) fn in_rows(figures: &[String]) -> String {
    let columns = if figures.len() > 3 { 2 } else { 1 };
    let rows = figures.len().div_ceil(columns);
    let [width, height] = [SIZE[0] * columns as f64, SIZE[1] * rows as f64];
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\">\
         <style>{STYLE}</style><rect width=\"{width}\" height=\"{height}\" fill=\"var(--paper)\"/>"
    );
    for (number, figure) in figures.iter().enumerate() {
        let [x, y] = [number % columns, number / columns];
        let [x, y] = [SIZE[0] * x as f64, SIZE[1] * y as f64];
        svg += &format!("<g transform=\"translate({x} {y})\">{figure}</g>");
    }
    svg + "</svg>\n"
}

/// Returns one figure for a page that defines the colors.
pub(super) fn inline(panel: &Panel) -> String {
    let [width, height] = SIZE;
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"{}\">{}</svg>",
        escaped(&panel.title),
        content(panel)
    )
}

/// Returns a text without characters that have a meaning in XML.
pub(super) fn escaped(text: &str) -> String {
    visible(text, "\n\t")
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

fn content(panel: &Panel) -> String {
    let [left, right, top, bottom] = MARGINS;
    let (x_ends, y_ends) = ([left, SIZE[0] - right], [SIZE[1] - bottom, top]);
    let points = || panel.series.iter().flat_map(|series| &series.points);
    let x = if panel.groups.is_empty() {
        Scale::new(&panel.x, points().map(|point| point[0]), x_ends)
    } else {
        let ends = [-0.5, panel.groups.len() as f64 - 0.5];
        Scale::new(&panel.x, ends.into_iter(), x_ends)
    };
    let with_errors = points().flat_map(|&[_, y, error]| [y - error, y + error]);
    let y = Scale::new(&panel.y, with_errors.chain(stacked(panel)), y_ends);
    let mut svg = String::new();
    axes(&mut svg, panel, &x, &y);
    for (number, series) in panel.series.iter().enumerate() {
        if series.mark == Mark::Bars {
            continue;
        }
        draw(&mut svg, series, &color(number, panel.series.len()), &x, &y);
    }
    bars(&mut svg, panel, &x, &y);
    legend(&mut svg, panel, &x, &y);
    svg
}

/// Returns the heights of stacked bars.
fn stacked(panel: &Panel) -> Vec<f64> {
    let bars = panel
        .series
        .iter()
        .filter(|series| series.mark == Mark::Bars);
    let mut heights = vec![0.0; panel.groups.len()];
    for series in bars {
        for (height, point) in heights.iter_mut().zip(&series.points) {
            *height += point[1];
        }
    }
    heights
}

/// Returns the color of a series: one of the categories, or a step of the scale where there are more series.
fn color(number: usize, of: usize) -> String {
    match CATEGORIES.get(number) {
        Some(&color) if of <= CATEGORIES.len() => hex(color),
        _ => hex(scale(number as f64 / (of - 1).max(1) as f64 * 0.9)),
    }
}

pub(super) fn text(svg: &mut String, [x, y]: [f64; 2], attributes: &str, content: &str) {
    let content = escaped(content);
    // Writing to a String cannot fail.
    let _ = write!(
        svg,
        "<text x=\"{x:.1}\" y=\"{y:.1}\" {attributes}>{content}</text>"
    );
}

pub(super) fn line(svg: &mut String, [x1, y1]: [f64; 2], [x2, y2]: [f64; 2], attributes: &str) {
    let _ = write!(
        svg,
        "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" {attributes}/>"
    );
}

fn axes(svg: &mut String, panel: &Panel, x: &Scale, y: &Scale) {
    let [left, right, top, bottom] = MARGINS;
    let (low, high) = (SIZE[1] - bottom, SIZE[0] - right);
    let small = "font-size=\"11\" fill=\"var(--muted)\"";
    let grid = "stroke=\"var(--grid)\"";
    for (value, label) in y.ticks() {
        if let Some(at) = y.at(value) {
            line(svg, [left, at], [high, at], grid);
            text(
                svg,
                [left - 6.0, at + 4.0],
                &format!("{small} text-anchor=\"end\""),
                &label,
            );
        }
    }
    let middle = format!("{small} text-anchor=\"middle\"");
    if panel.groups.is_empty() {
        for (value, label) in x.ticks() {
            if let Some(at) = x.at(value) {
                line(svg, [at, top], [at, low], grid);
                text(svg, [at, low + 16.0], &middle, &label);
            }
        }
    } else {
        // Many long names would overlap.
        let every = (panel.groups.len().div_ceil(11)).max(1);
        for (number, name) in panel.groups.iter().enumerate().step_by(every) {
            if let Some(at) = x.at(number as f64) {
                text(svg, [at, low + 16.0], &middle, name);
            }
        }
    }
    line(svg, [left, low], [high, low], "stroke=\"var(--muted)\"");
    line(svg, [left, top], [left, low], "stroke=\"var(--muted)\"");
    let strong = "font-size=\"12\" fill=\"var(--ink)\" text-anchor=\"middle\"";
    text(
        svg,
        [0.5 * (left + high), SIZE[1] - 12.0],
        strong,
        &panel.x.label,
    );
    let turned = format!(
        "{strong} transform=\"rotate(-90 16 {})\"",
        0.5 * (top + low)
    );
    text(svg, [16.0, 0.5 * (top + low)], &turned, &panel.y.label);
    let title = "font-size=\"13\" font-weight=\"600\" fill=\"var(--ink)\"";
    text(svg, [left, 20.0], title, &panel.title);
}

fn draw(svg: &mut String, series: &Series, color: &str, x: &Scale, y: &Scale) {
    let mut path = String::new();
    for &[value_x, value_y, error] in &series.points {
        let (Some(at_x), Some(at_y)) = (x.at(value_x), y.at(value_y)) else {
            continue;
        };
        if error > 0.0
            && let (Some(low), Some(high)) = (y.at(value_y - error), y.at(value_y + error))
        {
            let stroke = format!("stroke=\"{color}\" stroke-opacity=\"0.5\"");
            line(svg, [at_x, low], [at_x, high], &stroke);
        }
        if series.mark == Mark::Dots {
            let _ = write!(
                svg,
                "<circle cx=\"{at_x:.1}\" cy=\"{at_y:.1}\" r=\"2.2\" fill=\"{color}\"/>"
            );
        } else {
            let command = if path.is_empty() { 'M' } else { 'L' };
            let _ = write!(path, "{command}{at_x:.1} {at_y:.1}");
        }
    }
    if !path.is_empty() {
        let _ = write!(
            svg,
            "<path d=\"{path}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"1.8\" stroke-linejoin=\"round\"/>"
        );
    }
}

/// Draws bars on top of each other.
fn bars(svg: &mut String, panel: &Panel, x: &Scale, y: &Scale) {
    let mut below = vec![0.0; panel.groups.len()];
    for (number, series) in panel.series.iter().enumerate() {
        if series.mark != Mark::Bars {
            continue;
        }
        let fill = color(number, panel.series.len());
        for (group, &[_, height, _]) in series.points.iter().enumerate() {
            let ends = [below[group], below[group] + height].map(|value| y.at(value));
            let sides = [group as f64 - 0.36, group as f64 + 0.36].map(|value| x.at(value));
            if let ([Some(low), Some(high)], [Some(left), Some(right)]) = (ends, sides) {
                let _ = write!(
                    svg,
                    "<rect x=\"{left:.1}\" y=\"{high:.1}\" width=\"{:.1}\" height=\"{:.1}\" fill=\"{fill}\"/>",
                    right - left,
                    low - high
                );
            }
            below[group] += height;
        }
    }
}

/// Writes the names of the series where they cover the fewest marks.
fn legend(svg: &mut String, panel: &Panel, x: &Scale, y: &Scale) {
    let named = panel
        .series
        .iter()
        .enumerate()
        .filter(|(_, series)| !series.label.is_empty());
    let named: Vec<_> = named.take(ENTRIES).collect();
    if named.len() < 2 {
        return;
    }
    let letters = named.iter().map(|(_, series)| series.label.chars().count());
    let width = 36.0 + LETTER * letters.max().unwrap_or(0) as f64;
    let size = [width, 15.0 * named.len() as f64 + 8.0];
    let [low_x, low_y] = corner(size, &marks(panel, x, y), panel.is_rising);
    let is_left = low_x < 0.5 * SIZE[0];
    let (at_x, toward, anchor) = if is_left {
        (low_x + 8.0, 1.0, "start")
    } else {
        (low_x + width - 8.0, -1.0, "end")
    };
    for (row, (number, series)) in named.into_iter().enumerate() {
        let at_y = low_y + 14.0 + 15.0 * row as f64;
        let style = format!(
            "font-size=\"11\" text-anchor=\"{anchor}\" fill=\"var(--ink)\" paint-order=\"stroke\" stroke=\"var(--paper)\" \
             stroke-width=\"3\" stroke-opacity=\"0.85\""
        );
        text(svg, [at_x + 24.0 * toward, at_y], &style, &series.label);
        let color = color(number, panel.series.len());
        let [from, middle] = [18.0, 9.0].map(|far| [at_x + far * toward, at_y - 4.0]);
        let _ = match series.mark {
            Mark::Line => {
                let stroke = format!("stroke=\"{color}\" stroke-width=\"1.8\"");
                line(svg, from, [at_x, at_y - 4.0], &stroke);
                Ok(())
            }
            Mark::Dots => {
                let [x, y] = middle;
                write!(
                    svg,
                    "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"2.2\" fill=\"{color}\"/>"
                )
            }
            Mark::Bars => {
                let [x, y] = middle.map(|at| at - 4.0);
                write!(
                    svg,
                    "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"9\" height=\"9\" fill=\"{color}\"/>"
                )
            }
        };
    }
}

/// Returns the low corner of a legend of this size at the side of the plot where it covers the fewest marks. Of equal places, the legend has
/// the first one of a corner on the right, and `is_rising` prefers the bottom.
fn corner(size: [f64; 2], marks: &[[[f64; 2]; 2]], is_rising: bool) -> [f64; 2] {
    let [left, right, top, bottom] = MARGINS;
    let (right, bottom) = (SIZE[0] - right - size[0], SIZE[1] - bottom - size[1]);
    let (usual, other) = if is_rising {
        (bottom, top)
    } else {
        (top, bottom)
    };
    let between = (1..HEIGHTS).map(|step| f64::from(step) / f64::from(HEIGHTS));
    let between = between.map(|share| usual + share * (other - usual));
    let heights: Vec<f64> = [usual, other].into_iter().chain(between).collect();
    let at = |side: f64| heights.iter().map(move |&height| [side, height]);
    let covered = |corner: &[f64; 2]| {
        let meets = |mark: &&[[f64; 2]; 2]| {
            (0..2).all(|axis| {
                mark[0][axis] <= corner[axis] + size[axis] && mark[1][axis] >= corner[axis]
            })
        };
        marks.iter().filter(meets).count()
    };
    let best = at(right).chain(at(left)).min_by_key(covered);
    best.unwrap_or([right, usual])
}

/// Returns the low and the high corner of each point and each bar.
fn marks(panel: &Panel, x: &Scale, y: &Scale) -> Vec<[[f64; 2]; 2]> {
    let lines = panel
        .series
        .iter()
        .filter(|series| series.mark != Mark::Bars);
    let points = lines.flat_map(|series| &series.points);
    let points = points.filter_map(|point| {
        let at = [x.at(point[0])?, y.at(point[1])?];
        Some([at, at])
    });
    let bars = stacked(panel).into_iter().enumerate();
    let bars = bars.filter_map(|(group, height)| {
        let sides = [group as f64 - 0.36, group as f64 + 0.36];
        Some([
            [x.at(sides[0])?, y.at(height)?],
            [x.at(sides[1])?, y.at(0.0)?],
        ])
    });
    points.chain(bars).collect()
}
