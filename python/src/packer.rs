//! A run sweep by sweep.

use std::sync::{Mutex, MutexGuard, PoisonError};

use numpy::PyReadwriteArray2;
use pyo3::prelude::*;

use super::{
    container,
    errors::input,
    packing::Packing,
    progress::{Row, row},
    request::{Prepared, Request},
    run::start,
};

/// A run of the packing loop. It is gone after `finish`.
#[pyclass(frozen, module = "jostle._core")]
pub struct Packer {
    packer: Mutex<Option<jostle::Packer>>,
    /// The requested packing fraction if the number of spheres followed from it.
    fraction: Option<f64>,
}

#[pymethods]
impl Packer {
    #[new]
    fn new(py: Python, request: Request) -> PyResult<Self> {
        let Prepared {
            radii,
            options,
            fraction,
        } = request.prepare(py)?;
        let packer = py.detach(|| start(radii, &options, None))?;
        Ok(Self {
            packer: Mutex::new(Some(packer)),
            fraction,
        })
    }

    /// Performs one sweep. Returns the fields of `jostle.Progress`, or `None` when the run is over.
    fn sweep(&self, py: Python) -> PyResult<Option<Row>> {
        let sweep = |packer: &mut jostle::Packer| packer.sweep().as_ref().map(row);
        py.detach(|| self.with(sweep))
    }

    /// Returns the progress after the last sweep.
    #[getter]
    fn progress(&self, py: Python) -> PyResult<Option<Row>> {
        let progress = |packer: &mut jostle::Packer| packer.progress().as_ref().map(row);
        py.detach(|| self.with(progress))
    }

    /// Returns the reason why the run is over, as JSON.
    #[getter]
    fn stop_reason(&self, py: Python) -> PyResult<String> {
        let reason = |packer: &mut jostle::Packer| packer.stop_reason();
        serde_json::to_string(&py.detach(|| self.with(reason))?).map_err(input)
    }

    /// Returns the fields of `jostle.Container` at its present size.
    #[getter]
    fn container(&self, py: Python) -> PyResult<container::Row> {
        let container = |packer: &mut jostle::Packer| packer.container();
        container::row(&py.detach(|| self.with(container))?)
    }

    /// Returns the number of spheres, pending ones included.
    fn __len__(&self, py: Python) -> PyResult<usize> {
        py.detach(|| self.with(|packer| packer.radii().len()))
    }

    /// Writes the present centers into an array of shape (n, 3).
    fn write_centers(&self, py: Python, mut centers: PyReadwriteArray2<f64>) -> PyResult<()> {
        let found = py.detach(|| self.with(|packer| packer.centers()))?;
        let values = centers.as_slice_mut()?;
        for (row, center) in values.chunks_exact_mut(3).zip(found) {
            row.copy_from_slice(&center.to_array());
        }
        Ok(())
    }

    /// Removes all overlap and returns the packing.
    fn finish(&self, py: Python) -> PyResult<Packing> {
        let run = py.detach(|| {
            let packer = self.lock().take().ok_or_else(over)?;
            Ok::<_, PyErr>(packer.finish())
        })?;
        Ok(Packing::of_run(run, self.fraction))
    }
}

impl Packer {
    fn lock(&self) -> MutexGuard<'_, Option<jostle::Packer>> {
        self.packer.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Calls `operation` without the interpreter's lock, so that other threads may wait for the packer.
    fn with<T>(&self, operation: impl FnOnce(&mut jostle::Packer) -> T) -> PyResult<T> {
        self.lock().as_mut().map(operation).ok_or_else(over)
    }
}

fn over() -> PyErr {
    input("the packer is finished; a new Packer is needed")
}
