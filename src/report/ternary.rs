//! Ternary figures: numbers over the shares of three components.

use std::fmt::Write;

use super::{
    colors::{hex, scale},
    svg::{escaped, line, text},
};

/// Corners of the triangle in pixels: the first component on the left, the second one on the right, the third one at the top.
const CORNERS: [[f64; 2]; 3] = [[84.0, 280.0], [334.0, 280.0], [209.0, 63.5]];
/// Length of a side of the triangle.
const SIDE: f64 = 250.0;
/// Largest radius of a disc; with few compositions, larger discs would leave the figure.
const LARGEST_DISC: f64 = 19.0;
/// Least radius of a disc that holds three digits.
const DISC_WITH_TEXT: f64 = 12.0;
/// Left edge, top edge, width and height of the color scale.
const BAR: [f64; 4] = [400.0, 63.5, 14.0, 216.5];
/// Number of colors of the color scale.
const BAR_STEPS: usize = 32;
/// Share of the scale above which viridis is so light that it needs dark letters.
const LIGHT: f64 = 0.6;

/// Returns the content of a figure: a disc for each composition, whose color shows the value between the ends of a range.
pub(super) fn triangle(
    labels: &[String],
    shares: &[Vec<f64>],
    (name, values): (&str, &[f64]),
    [low, high]: [f64; 2],
) -> String {
    let mut svg = String::new();
    let title = "font-size=\"13\" font-weight=\"600\" fill=\"var(--ink)\"";
    text(&mut svg, [62.0, 20.0], title, name);
    for k in 0..3 {
        let stroke = "stroke=\"var(--muted)\"";
        line(&mut svg, CORNERS[k], CORNERS[(k + 1) % 3], stroke);
    }
    // A grid of n steps has (n + 1)(n + 2)/2 compositions.
    let steps = ((8.0 * shares.len() as f64 + 1.0).sqrt() - 3.0) / 2.0;
    let radius = (0.46 * SIDE / steps.max(1.0)).min(LARGEST_DISC);
    let best = values.iter().copied().fold(f64::NAN, f64::max);
    for (shares, &value) in shares.iter().zip(values) {
        if value.is_finite() {
            let position = if high > low {
                (value - low) / (high - low)
            } else {
                0.5
            };
            let names = labels.iter().zip(shares);
            let names: Vec<String> = names
                .map(|(label, share)| format!("{label} {share:.3}"))
                .collect();
            let hint = format!("{}: {value:.4}", names.join(", "));
            let disc = Disc {
                radius,
                position,
                is_best: value == best,
            };
            disc.draw(&mut svg, at(shares), value, &hint);
        }
    }
    corners(&mut svg, labels, radius);
    color_scale(&mut svg, [low, high]);
    svg
}

/// Returns the position of a composition, the mean of the corners weighted by the shares.
fn at(shares: &[f64]) -> [f64; 2] {
    let mean = |axis: usize| -> f64 {
        let corners = CORNERS.iter().zip(shares);
        corners.map(|(corner, share)| share * corner[axis]).sum()
    };
    [mean(0), mean(1)]
}

/// A composition in the triangle.
struct Disc {
    radius: f64,
    /// Position on the color scale, from 0 to 1.
    position: f64,
    /// Whether no other value is larger.
    is_best: bool,
}

impl Disc {
    /// Draws the disc with its value. The reader's program shows `hint` at the pointer.
    fn draw(&self, svg: &mut String, [x, y]: [f64; 2], value: f64, hint: &str) {
        let stroke = if self.is_best {
            " stroke=\"var(--ink)\" stroke-width=\"2\""
        } else {
            ""
        };
        let fill = hex(scale(self.position));
        // Writing to a String cannot fail.
        let _ = write!(
            svg,
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{:.1}\" fill=\"{fill}\"{stroke}><title>{}</title></circle>",
            self.radius,
            escaped(hint)
        );
        if self.radius >= DISC_WITH_TEXT {
            let ink = if self.position > LIGHT {
                "#000"
            } else {
                "#fff"
            };
            let style = format!(
                "font-size=\"9\" text-anchor=\"middle\" pointer-events=\"none\" fill=\"{ink}\""
            );
            text(svg, [x, y + 3.0], &style, &format!("{value:.3}"));
        }
    }
}

/// Writes the names of the components beside the corners.
fn corners(svg: &mut String, labels: &[String], radius: f64) {
    let style = "font-size=\"12\" fill=\"var(--ink)\" text-anchor=\"middle\"";
    for ((label, [x, y]), distance) in labels.iter().zip(CORNERS).zip([14.0, 14.0, -6.0]) {
        let beyond = if distance > 0.0 { radius } else { -radius };
        text(svg, [x, y + beyond + distance], style, label);
    }
}

/// Draws the colors from the lowest to the highest value.
fn color_scale(svg: &mut String, [low, high]: [f64; 2]) {
    if low > high {
        return;
    }
    let [left, top, width, height] = BAR;
    let step = height / BAR_STEPS as f64;
    for k in 0..BAR_STEPS {
        let fill = hex(scale(k as f64 / (BAR_STEPS - 1) as f64));
        let y = top + height - (k + 1) as f64 * step;
        // Rows overlap, so that no line is seen between them.
        let _ = write!(
            svg,
            "<rect x=\"{left}\" y=\"{y:.2}\" width=\"{width}\" height=\"{:.2}\" fill=\"{fill}\"/>",
            step + 0.3
        );
    }
    let style = "font-size=\"11\" fill=\"var(--muted)\"";
    for (value, y) in [(low, top + height), (high, top + 8.0)] {
        text(svg, [left + width + 6.0, y], style, &format!("{value:.3}"));
    }
    text(svg, [left - 24.0, top - 9.0], style, "packing fraction");
}
