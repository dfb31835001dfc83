//! Containers, as a tuple.

use jostle::Container;
use pyo3::PyResult;

use super::errors::input;

/// The fields of `jostle.Container`: lengths, boundary, volume, and the JSON form.
pub type Row = ([f64; 3], String, f64, String);

/// Returns the fields of `jostle.Container`.
pub fn row(container: &Container) -> PyResult<Row> {
    Ok((
        container.lengths().to_array(),
        container.boundary().to_string(),
        container.volume(),
        serde_json::to_string(container).map_err(input)?,
    ))
}
