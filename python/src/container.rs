//! Containers: as arguments, and as a tuple.

use glam::DVec3;
use jostle::{
    Container, Dimension,
    container::{Body, BoundarySpec, ContainerSpec, Solid},
};
use pyo3::{prelude::*, pybacked::PyBackedStr};

use super::errors::input;

/// The fields of `jostle.Container`: lengths, boundary, volume, shape, and the JSON form.
pub type Row = ([f64; 3], String, f64, String, String);

/// Returns the fields of `jostle.Container`.
pub fn row(container: &Container) -> PyResult<Row> {
    Ok((
        container.lengths().to_array(),
        boundary_of(container),
        container.volume(),
        ContainerSpec::exact(container.solid().clone())
            .along(container.axis())
            .to_string(),
        serde_json::to_string(container).map_err(input)?,
    ))
}

/// Returns the boundary of each axis: of two axes in the plane.
fn boundary_of(container: &Container) -> String {
    match container.dimension() {
        Dimension::Two => {
            let boundary = container.boundary().to_string();
            boundary.chars().take(2).collect()
        }
        Dimension::Three => container.boundary().to_string(),
    }
}

/// Returns the fields of the container that a text describes, without a boundary.
#[pyfunction]
#[pyo3(signature = (text))]
pub fn container(py: Python, text: &str) -> PyResult<Row> {
    let spec = py.detach(|| text.parse::<ContainerSpec>()).map_err(input)?;
    row(&spec.container(None).map_err(input)?)
}

/// Returns the boundary that a text names.
pub fn boundary(text: Option<&str>) -> PyResult<Option<BoundarySpec>> {
    text.map(str::parse).transpose().map_err(input)
}

/// Returns the container that `box` or `container` describes; `None` without both.
pub fn spec(lengths: Option<[f64; 3]>, container: Option<&str>) -> PyResult<Option<ContainerSpec>> {
    Ok(match (lengths, container) {
        (Some(_), Some(_)) => {
            return Err(input(
                "box and container are given together; give one of them",
            ));
        }
        (Some(lengths), None) => {
            let lengths = DVec3::from_array(lengths);
            Some(ContainerSpec::exact(Solid::of_lengths(lengths)))
        }
        (None, Some(text)) => Some(text.parse().map_err(input)?),
        (None, None) => None,
    })
}

/// Returns the bodies that texts describe.
pub fn bodies(texts: &[PyBackedStr]) -> PyResult<Vec<Body>> {
    let bodies = texts.iter().map(|text| text.parse().map_err(input));
    bodies.collect()
}

/// Returns the container of a given size that `box` or `container` describes; `None` without both.
pub fn exact(
    lengths: Option<[f64; 3]>,
    container: Option<&str>,
    edges: Option<&str>,
) -> PyResult<Option<Container>> {
    let edges = boundary(edges)?;
    let Some(spec) = spec(lengths, container)? else {
        return Ok(None);
    };
    if !spec.is_exact() {
        return Err(input(format!(
            "the container '{spec}' has no size; expected its lengths, as in cylinder:d=3,h=4"
        )));
    }
    spec.container(edges).map(Some).map_err(input)
}
