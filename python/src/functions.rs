//! Functions of the package beside the packing loop.

use std::{
    ffi::{CString, OsString},
    fmt::{self, Display, Formatter},
    path::PathBuf,
    str::FromStr,
};

use jostle::{
    Boundaries, Boundary,
    container::BoundarySpec,
    distribution::{
        PackingModel, VolumeClasses, predicted_packing_fraction as predicted_packing_fraction_of,
    },
    io::{ContainerHint, Format, ReadError, ReadOptions, ReadPacking, read_packing_from},
    laboratory::compare::measure_overhead,
    tuning::{Dimension, PlanOptions, RadiusLaw, plan},
};
use numpy::{PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::{
    exceptions::PyUserWarning,
    prelude::*,
    pybacked::{PyBackedBytes, PyBackedStr},
};

use super::{
    arrays::spheres,
    container,
    errors::{self, input},
    export,
    packing::Packing,
    request::{NameOrNumber, check_fraction},
    run::interruptible,
    sizes::Sizes,
};

/// A file by its name, or its content.
#[derive(FromPyObject)]
pub enum Source {
    Content(PyBackedBytes),
    Name(PathBuf),
}

impl Source {
    /// Reads the packing. Bytes without a format are JSON, like those that `Packing.to_bytes` returns.
    fn read(self, options: ReadOptions) -> Result<ReadPacking, ReadError> {
        match self {
            Self::Name(path) => jostle::read_packing(path, options),
            Self::Content(content) => {
                let format = options.format.unwrap_or(Format::Json);
                read_packing_from(&content[..], format, options)
            }
        }
    }
}

/// Writes the name of the file, as it begins a warning.
impl Display for Source {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(path) => write!(f, "'{}'", path.display()),
            Self::Content(_) => f.write_str("the given bytes"),
        }
    }
}

/// Reads a packing in a format, or in that of the extension. `lengths`, `boundary` and `container` state what the file may lack. `choices`
/// are the frame, the origin and the names of the columns, and the diameter of all spheres of a file with centers only. A warning names what is not used of the file.
#[pyfunction]
#[pyo3(signature = (source, format, lengths, boundary, container, choices))]
pub fn read(
    py: Python,
    source: Source,
    format: Option<&str>,
    lengths: Option<[f64; 3]>,
    boundary: Option<&str>,
    container: Option<&str>,
    choices: ([Option<PyBackedStr>; 3], Option<f64>),
) -> PyResult<Packing> {
    let against = container::exact(lengths, container, boundary)?;
    let hint = match (&against, container::boundary(boundary)?) {
        (Some(container), _) => Some(ContainerHint::from(container.clone())),
        (None, Some(BoundarySpec::Axes(boundary))) => Some(boundary.into()),
        (None, Some(BoundarySpec::Plane([x, y]))) => {
            Some(Boundaries([x, y, Boundary::Wall]).into())
        }
        // Files without a boundary hold boxes.
        (None, _) => None,
    };
    let mut options = ReadOptions::from(hint);
    options.format = export::format(format)?;
    let ([frame, origin, columns], diameter) = choices;
    options.frame = parsed(frame)?.unwrap_or_default();
    options.origin = parsed(origin)?;
    options.columns = parsed(columns)?;
    options.diameter = diameter;
    let name = source.to_string();
    let read = interruptible(py, move || source.read(options))?;
    let read = read.map_err(|error| errors::read(&error))?;
    for sentence in &read.unused {
        let warning = CString::new(format!("{name}: {sentence}"))?;
        PyErr::warn(py, &py.get_type::<PyUserWarning>(), &warning, 2)?;
    }
    Packing::of_file(read)
}

/// Reads a value from a text, if there is one.
fn parsed<T: FromStr<Err = String>>(text: Option<PyBackedStr>) -> PyResult<Option<T>> {
    text.map(|text| text.parse()).transpose().map_err(input)
}

/// Returns the certificate of spheres in a container, as JSON.
#[pyfunction]
#[pyo3(signature = (centers, radii, lengths, boundary, container, keep_out))]
pub fn certify(
    py: Python,
    centers: PyReadonlyArray2<f64>,
    radii: PyReadonlyArray1<f64>,
    lengths: Option<[f64; 3]>,
    boundary: Option<&str>,
    container: Option<&str>,
    keep_out: Vec<PyBackedStr>,
) -> PyResult<String> {
    let container = container::exact(lengths, container, boundary)?
        .ok_or_else(|| input("the container is missing; give box or container"))?;
    let bodies = container::bodies(&keep_out)?;
    let container = container.without(bodies).map_err(input)?;
    let dimension = || Ok(container.dimension());
    let spheres = spheres(&centers, &radii, "there are", dimension)?;
    let certificate = interruptible(py, move || jostle::certify(&spheres, &container))?;
    serde_json::to_string(&certificate).map_err(input)
}

/// Returns the packing fraction that a model predicts for these sizes.
#[pyfunction]
pub fn predicted_packing_fraction(
    py: Python,
    sizes: PyReadonlyArray1<f64>,
    model: &str,
) -> PyResult<f64> {
    let sizes = sizes.to_vec()?;
    let model: PackingModel = model.parse().map_err(input)?;
    Ok(py.detach(|| match model {
        PackingModel::Rods => predicted_packing_fraction_of(&sizes),
        _ => model.packing_fraction(&VolumeClasses::of_radii(&sizes)),
    }))
}

/// Returns the levels of a hierarchical grid, as JSON. `method` is the name of the method with its ratio q.
#[pyfunction]
#[pyo3(signature = (sizes, fraction, k, dimension, method, levels, search))]
pub fn tune(
    sizes: &Sizes,
    fraction: f64,
    k: Option<NameOrNumber>,
    dimension: u8,
    method: (PyBackedStr, f64),
    levels: Option<usize>,
    search: &str,
) -> PyResult<String> {
    check_fraction(fraction)?;
    let law = RadiusLaw::from_distribution(&sizes.0.distribution).map_err(input)?;
    let (method, ratio) = method;
    let mut options = PlanOptions::default()
        .method(method.parse().map_err(input)?)
        .ratio(ratio)
        .search(search.parse().map_err(input)?)
        .dimension(Dimension::try_from(dimension).map_err(input)?)
        .packing_fraction(fraction);
    options.overhead = k.map(overhead).transpose()?;
    options.levels = levels;
    let plan = plan(&law, &options).map_err(input)?;
    serde_json::to_string(&plan).map_err(input)
}

/// Returns the overhead factor, after half a second of measurement if it is not given.
fn overhead(k: NameOrNumber) -> PyResult<f64> {
    match k {
        NameOrNumber::Number(factor) => Ok(factor),
        NameOrNumber::Name(name) if &*name == "measure" => measure_overhead()
            .map(|measured| measured.factor())
            .ok_or_else(|| {
                input("K cannot be measured: the times vary too much; give k as a number")
            }),
        NameOrNumber::Name(name) => Err(input(format!(
            "unknown k '{name}'; expected a number or 'measure'"
        ))),
    }
}

/// Runs the command line with these arguments, and returns the exit code.
#[pyfunction]
pub fn command(py: Python, arguments: Vec<OsString>) -> u8 {
    py.detach(|| jostle::cli::run(arguments))
}
