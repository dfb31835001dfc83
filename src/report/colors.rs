//! Colors that are perceptually uniform and safe for color-blind readers.

/// A color: red, green and blue from 0 to 255.
pub(super) type Color = [u8; 3];

/// Colors of classes and curves that color-blind readers can tell apart, on light and on dark paper.
///
/// Source: M. Okabe & K. Ito, Color Universal Design (2008), <https://jfly.uni-koeln.de/color/>, without black and yellow, which
/// one of the two papers hides.
pub(super) const CATEGORIES: [Color; 6] = [
    [0, 114, 178],
    [230, 159, 0],
    [0, 158, 115],
    [204, 121, 167],
    [86, 180, 233],
    [213, 94, 0],
];

/// The color of spheres that belong to no category: a gray that all categories differ from.
pub(super) const NONE: Color = [160, 160, 160];

/// Returns the color of a number from 0 to 1: viridis, whose lightness rises evenly.
///
/// Source: S. van der Walt & N. Smith (2015), <https://bids.github.io/colormap/>, by the crate `colorous`.
pub(super) fn scale(share: f64) -> Color {
    let colorous::Color { r, g, b } = colorous::VIRIDIS.eval_continuous(share.clamp(0.0, 1.0));
    [r, g, b]
}

/// Returns the color of a class.
pub(super) fn category(class: usize) -> Color {
    CATEGORIES[class % CATEGORIES.len()]
}

/// Returns a color as `#rrggbb`.
pub(super) fn hex([r, g, b]: Color) -> String {
    format!("#{r:02x}{g:02x}{b:02x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lightness of the scale rises from end to end, so that it survives a gray printer.
    #[test]
    fn the_scale_becomes_lighter() {
        let luminance = |step: i32| {
            let [r, g, b] = scale(f64::from(step) / 100.0).map(f64::from);
            0.2126 * r + 0.7152 * g + 0.0722 * b
        };
        assert!((1..=100).all(|step| luminance(step) > luminance(step - 1) - 0.5));
        assert!(luminance(100) - luminance(0) > 150.0);
        assert_eq!(hex(scale(0.0)), "#440154");
    }
}
