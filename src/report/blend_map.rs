//! The map of a blend: packing fractions over its composition.

use super::{
    error::ReportError,
    panel::{Axis, Mark, Panel},
    svg::{document, in_rows},
    ternary::triangle,
};

/// Packing fractions of one origin, such as measured ones, at all compositions of a map.
#[derive(Clone, Debug, PartialEq)]
pub struct BlendSeries {
    /// Name in the picture.
    pub name: String,
    /// One packing fraction for each composition; NaN where it is unknown.
    pub fractions: Vec<f64>,
}

/// Returns packing fractions over the composition of a blend as one SVG document, in light or dark mode as the reader prefers.
///
/// Two components give one figure with a curve for each series, over the share of the first. Three components give a ternary figure for each
/// series: a corner is a pure component, and colors show the packing fraction, on one scale for all figures.
///
/// # Errors
/// [`ReportError`] if there are not two or three components, less than two compositions, or a wrong number of shares or packing fractions.
///
/// # Example
/// ```
/// use jostle::report::{BlendSeries, plot_blends};
///
/// let labels = ["sand".to_owned(), "gravel".to_owned()];
/// let shares = [vec![0.0, 1.0], vec![0.3, 0.7], vec![1.0, 0.0]];
/// let series = BlendSeries { name: "predicted".to_owned(), fractions: vec![0.64, 0.75, 0.64] };
/// let svg = plot_blends(&labels, &shares, &[series])?;
/// assert!(svg.starts_with("<svg") && svg.contains("share of sand"));
/// # Ok::<(), jostle::report::ReportError>(())
/// ```
pub fn plot_blends(
    labels: &[String],
    shares: &[Vec<f64>],
    series: &[BlendSeries],
) -> Result<String, ReportError> {
    let (components, points) = (labels.len(), shares.len());
    if !(2..=3).contains(&components) || points < 2 {
        return Err(ReportError::BlendMap { components, points });
    }
    let rows = shares.iter().enumerate();
    let rows = rows.map(|(k, row)| (format!("composition {}", k + 1), row.len(), components));
    let columns = series.iter();
    let columns = columns.map(|one| (one.name.clone(), one.fractions.len(), points));
    for (name, found, expected) in rows.chain(columns) {
        if found != expected {
            return Err(ReportError::BlendNumbers {
                name,
                found,
                expected,
            });
        }
    }
    if components == 2 {
        return Ok(document(&[curves(&labels[0], shares, series)]));
    }
    let values = series.iter().flat_map(|one| &one.fractions);
    let values = values.copied().filter(|value| value.is_finite());
    let range = values.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], value| {
        [low.min(value), high.max(value)]
    });
    let figures = series
        .iter()
        .map(|one| triangle(labels, shares, (&*one.name, &*one.fractions), range));
    Ok(in_rows(&figures.collect::<Vec<_>>()))
}

/// Returns the curves of two components.
fn curves(label: &str, shares: &[Vec<f64>], series: &[BlendSeries]) -> Panel {
    let x = Axis::linear(format!("share of {label}"));
    let mut panel = Panel::new(
        "Packing fraction of the blend",
        x,
        Axis::linear("packing fraction"),
    );
    let mut order: Vec<usize> = (0..shares.len()).collect();
    order.sort_by(|&a, &b| shares[a][0].total_cmp(&shares[b][0]));
    let xs: Vec<f64> = order.iter().map(|&k| shares[k][0]).collect();
    for one in series {
        let ys: Vec<f64> = order.iter().map(|&k| one.fractions[k]).collect();
        panel.add(one.name.clone(), Mark::Line, &xs, &ys);
    }
    panel
}
