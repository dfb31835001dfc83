//! Blends: the choice of their shares, and maps of their packing fraction.

use jostle::{
    SizeSpec,
    distribution::{Blend, PackingModel, SizeDistribution, VolumeClasses, compared_sizes},
    report::BlendSeries,
};
use pyo3::prelude::*;

use super::{errors::input, sizes::Sizes};

/// Returns a blend of the same components with other shares.
#[pyfunction]
pub fn with_shares(sizes: &Sizes, shares: Vec<f64>) -> PyResult<Sizes> {
    let blend = blend(sizes)?;
    let (found, expected) = (shares.len(), blend.components().len());
    if found != expected {
        return Err(input(format!(
            "there are {found} shares; {expected} are expected, one for each component"
        )));
    }
    renamed(sizes, blend.with_shares(&shares).map_err(input)?)
}

/// Returns the blend of the same components that fits a target at some sieve sizes best.
#[pyfunction]
#[pyo3(signature = (sizes, target, sieves))]
pub fn fitted(sizes: &Sizes, target: &Sizes, sieves: Option<Vec<f64>>) -> PyResult<Sizes> {
    let target = target.0.in_unit(&sizes.0.unit).map_err(input)?.distribution;
    let sieves = sieves.unwrap_or_else(|| compared_sizes(&target));
    let fitted = blend(sizes)?.fitted_to(&target, &sieves).map_err(input)?;
    renamed(sizes, fitted)
}

/// Returns the blend of the same components with the largest predicted packing fraction.
#[pyfunction]
pub fn densest(py: Python, sizes: &Sizes, model: &str) -> PyResult<Sizes> {
    let model: PackingModel = model.parse().map_err(input)?;
    let blend = blend(sizes)?;
    let densest = py.detach(|| blend.densest(model)).map_err(input)?;
    renamed(sizes, densest)
}

/// Returns the packing fraction that a model predicts for a distribution.
#[pyfunction]
pub fn predicted_of(py: Python, sizes: &Sizes, model: &str) -> PyResult<f64> {
    let model: PackingModel = model.parse().map_err(input)?;
    let law = &sizes.0.distribution;
    Ok(py.detach(|| model.packing_fraction(&VolumeClasses::of(law))))
}

/// The shares of a composition, and the packing fractions by rods and by the compressible packing model.
type Row = (Vec<f64>, f64, f64);

/// Returns the labels of the components, and for each composition in steps of 1/`steps` the shares and the predictions of both models.
#[pyfunction]
pub fn blend_map(py: Python, sizes: &Sizes, steps: usize) -> PyResult<(Vec<String>, Vec<Row>)> {
    let blend = blend(sizes)?;
    let points = py.detach(|| blend.map(steps)).map_err(input)?;
    let labels = blend.components().iter();
    let row = |point: jostle::distribution::BlendPoint| {
        (
            point.shares,
            point.predicted.rods,
            point.predicted.compressible,
        )
    };
    Ok((
        labels.map(|component| component.label.clone()).collect(),
        points.into_iter().map(row).collect(),
    ))
}

/// Returns the picture of a map as SVG. `series` has the name and the packing fractions of each figure.
#[pyfunction]
pub fn plot_blends(
    labels: Vec<String>,
    shares: Vec<Vec<f64>>,
    series: Vec<(String, Vec<f64>)>,
) -> PyResult<String> {
    let one = |(name, fractions)| BlendSeries { name, fractions };
    let series: Vec<BlendSeries> = series.into_iter().map(one).collect();
    jostle::report::plot_blends(&labels, &shares, &series).map_err(input)
}

fn blend(sizes: &Sizes) -> PyResult<&Blend> {
    match &sizes.0.distribution {
        SizeDistribution::Blend(blend) => Ok(blend),
        _ => Err(input(format!(
            "'{}' is not a blend; a blend is expected, such as blend:sand.json=0.6,gravel.json=0.4",
            sizes.0.name
        ))),
    }
}

/// Returns a blend whose name states its shares.
fn renamed(sizes: &Sizes, blend: Blend) -> PyResult<Sizes> {
    let parts = blend.components().iter().zip(blend.shares());
    let parts = parts.map(|(component, share)| format!("{} {share:.4}", component.label));
    let name = parts.collect::<Vec<_>>().join(", ");
    Ok(Sizes(SizeSpec::new(name, &*sizes.0.unit, "blend", blend)))
}
