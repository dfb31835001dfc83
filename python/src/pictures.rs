//! The report of a packing, its view, figures and still pictures.

use std::path::PathBuf;

use glam::DVec3;
use jostle::{
    analysis::{Analysis, AnalysisError, AnalysisOptions, Groups},
    io::write_atomically,
    report::{self, Figure, ReportError, Still},
};
use pyo3::{
    prelude::*,
    pybacked::{PyBackedBytes, PyBackedStr},
    types::PyBytes,
};

use super::{
    constants::BYTES_PER_POINT,
    errors::{self, input},
    memory::check_memory,
    packing::Packing,
    run::interruptible,
};

/// Tolerance of contacts, axis of the profile and number of random points of an analysis; `None` for the usual ones.
pub type Settings = (Option<f64>, Option<usize>, Option<usize>);

/// Returns the options of an analysis. Refuses more random points than fit into the memory.
pub fn analysis_options((tolerance, axis, points): Settings) -> PyResult<AnalysisOptions> {
    let mut options = AnalysisOptions::default().axis(axis);
    options.tolerance = tolerance;
    options.points = points.unwrap_or(options.points);
    check_memory("the random points", BYTES_PER_POINT * options.points as f64)?;
    Ok(options)
}

/// Returns an analysis with the profiles of the usual groups, which figures show.
fn analysis(
    packing: &jostle::Packing,
    options: AnalysisOptions,
) -> Result<Analysis, AnalysisError> {
    Analysis::new(packing, &options.groups(Groups::usual(packing)))
}

/// Returns the HTML report.
#[pyfunction]
pub fn report_page(py: Python, packing: Py<Packing>, settings: Settings) -> PyResult<String> {
    let options = analysis_options(settings)?;
    let work = move || -> Result<String, ReportError> {
        let packing = packing.get().library();
        report::report(packing, &analysis(packing, options)?, None)
    };
    interruptible(py, work)?.map_err(input)
}

/// Returns the HTML page with the three-dimensional view only.
#[pyfunction]
pub fn viewer(py: Python, packing: Py<Packing>) -> PyResult<String> {
    interruptible(py, move || report::viewer(packing.get().library()))?.map_err(input)
}

/// Returns axes and series of a figure as JSON.
#[pyfunction]
pub fn figure(
    py: Python,
    packing: Py<Packing>,
    name: &str,
    settings: Settings,
) -> PyResult<String> {
    let figure: Figure = name.parse().map_err(input)?;
    let options = analysis_options(settings)?;
    let work = move || -> Result<String, ReportError> {
        let packing = packing.get().library();
        report::figure_json(packing, &analysis(packing, options)?, figure)
    };
    interruptible(py, work)?.map_err(input)
}

/// The choices of a still picture. The Python files provide every item.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct Picture {
    view: [f64; 3],
    cut: Option<(usize, f64)>,
    color: PyBackedStr,
    side: usize,
    outline: bool,
    legend: bool,
    /// `png`, `svg` or `pdf`.
    format: PyBackedStr,
}

/// Returns the bytes of a still picture.
#[pyfunction]
pub fn still<'py>(
    py: Python<'py>,
    packing: Py<Packing>,
    picture: Picture,
) -> PyResult<Bound<'py, PyBytes>> {
    let mut still = Still::default()
        .view(DVec3::from_array(picture.view))
        .coloring(picture.color.parse().map_err(input)?)
        .side(picture.side)
        .outline(picture.outline);
    still.cut = picture.cut;
    check_memory("the picture", still.estimated_memory())?;
    let work = move || -> Result<Vec<u8>, ReportError> {
        let packing = packing.get().library();
        Ok(match (&*picture.format, picture.legend) {
            ("svg", _) => still.svg(packing)?.into_bytes(),
            ("pdf", _) => still.pdf(packing)?,
            (_, true) => still.png_with_legend(packing)?,
            (_, false) => still.png(packing)?,
        })
    };
    let content = interruptible(py, work)?.map_err(input)?;
    Ok(PyBytes::new(py, &content))
}

/// Writes bytes to a file, which appears when it is complete.
#[pyfunction]
pub fn write_file(py: Python, path: PathBuf, content: PyBackedBytes) -> PyResult<()> {
    py.detach(|| write_atomically(path, |file| file.write_all(&content)))
        .map_err(|error| errors::write(&error))
}
