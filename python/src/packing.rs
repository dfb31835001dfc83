//! A finished packing.

use std::{path::PathBuf, sync::OnceLock};

use jostle::{
    Certificate, Container, PackRun, Provenance, ReadPacking, SizeReport, Spheres,
    analysis::{Analysis, AnalysisOptions},
};
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;
use serde::{Deserialize, Serialize};

use super::{
    arrays::{points, view, view_of_points},
    container,
    errors::{self, input},
    export::Export,
};

/// A packing, whose arrays NumPy uses in place.
#[pyclass(frozen, module = "jostle._core")]
pub struct Packing {
    packing: jostle::Packing,
    /// The ids in a file.
    file_ids: Option<Vec<u64>>,
    /// Wall time of the run in seconds, and its number of threads; absent if the packing was read from a file.
    run: Option<(f64, usize)>,
    ids: OnceLock<Vec<u64>>,
    diameters: OnceLock<Vec<f64>>,
}

/// Everything but the numbers of single spheres.
#[derive(Serialize, Deserialize)]
struct Account {
    container: Container,
    /// Number of fixed spheres, the last ones.
    #[serde(default)]
    fixed: usize,
    /// Absent when it is read: the spheres are certified again.
    #[serde(skip_deserializing)]
    certificate: Option<Certificate>,
    sizes: Option<SizeReport>,
    provenance: Option<Provenance>,
    unit: String,
}

impl Packing {
    /// Takes the packing of a run.
    pub fn of_run(run: PackRun) -> Self {
        let time = (run.elapsed.as_secs_f64(), run.threads);
        Self::new(run.packing, None, Some(time))
    }

    /// Takes a packing that was read from a file.
    pub fn of_file(read: ReadPacking) -> Self {
        Self::new(read.packing, read.ids, None)
    }

    fn new(
        packing: jostle::Packing,
        file_ids: Option<Vec<u64>>,
        run: Option<(f64, usize)>,
    ) -> Self {
        Self {
            packing,
            file_ids,
            run,
            ids: OnceLock::new(),
            diameters: OnceLock::new(),
        }
    }
}

#[pymethods]
impl Packing {
    /// Returns a packing from its parts: arrays, ids if there are any, the result of `account`, and that of `run`.
    #[staticmethod]
    #[pyo3(signature = (centers, radii, ids, account, run))]
    fn from_parts(
        centers: PyReadonlyArray2<f64>,
        radii: PyReadonlyArray1<f64>,
        ids: Option<PyReadonlyArray1<u64>>,
        account: &str,
        run: Option<(f64, usize)>,
    ) -> PyResult<Self> {
        let Account {
            container,
            fixed,
            sizes,
            provenance,
            unit,
            ..
        } = serde_json::from_str(account).map_err(input)?;
        let spheres = Spheres::new(points(&centers)?, radii.to_vec()?);
        let mut packing = jostle::Packing::new(spheres, container);
        packing.fixed = fixed.min(packing.spheres.len());
        packing.sizes = sizes;
        packing.provenance = provenance;
        packing.unit = unit;
        let ids = ids.map(|ids| ids.to_vec()).transpose()?;
        Ok(Self::new(packing, ids, run))
    }

    /// Returns the centres, shape (n, 3).
    #[getter]
    fn centers<'py>(slf: Bound<'py, Self>) -> Bound<'py, PyArray2<f64>> {
        view_of_points(slf.get().packing.spheres.centers(), slf.as_any())
    }

    /// Returns the radii, shape (n,).
    #[getter]
    fn radii<'py>(slf: Bound<'py, Self>) -> Bound<'py, PyArray1<f64>> {
        view(slf.get().packing.spheres.radii(), slf.as_any())
    }

    /// Returns the diameters, shape (n,). The first call computes them.
    #[getter]
    fn diameters<'py>(slf: Bound<'py, Self>) -> Bound<'py, PyArray1<f64>> {
        let this = slf.get();
        let double = || {
            let radii = this.packing.spheres.radii().iter();
            radii.map(|radius| 2.0 * radius).collect()
        };
        view(this.diameters.get_or_init(double), slf.as_any())
    }

    /// Returns the ids in the file, or else the positions from 0, shape (n,).
    #[getter]
    fn ids<'py>(slf: Bound<'py, Self>) -> Bound<'py, PyArray1<u64>> {
        let this = slf.get();
        let positions = || (0..this.packing.spheres.len() as u64).collect();
        let ids = match &this.file_ids {
            Some(ids) => ids,
            None => this.ids.get_or_init(positions),
        };
        view(ids, slf.as_any())
    }

    /// Returns whether the ids come from a file.
    #[getter]
    fn has_file_ids(&self) -> bool {
        self.file_ids.is_some()
    }

    /// Returns the wall time of the run in seconds and its number of threads.
    #[getter]
    fn run(&self) -> Option<(f64, usize)> {
        self.run
    }

    /// Returns the volume of the spheres divided by the volume of the container.
    #[getter]
    fn packing_fraction(&self) -> f64 {
        self.packing.packing_fraction()
    }

    /// Returns the fields of `jostle.Container`.
    #[getter]
    fn container(&self) -> PyResult<container::Row> {
        container::row(&self.packing.container)
    }

    /// Returns container, number of fixed spheres, certificate, sizes, provenance and unit as JSON.
    fn account(&self) -> PyResult<String> {
        let packing = &self.packing;
        serde_json::to_string(&Account {
            container: packing.container.clone(),
            fixed: packing.fixed,
            certificate: Some(packing.certificate),
            sizes: packing.sizes.clone(),
            provenance: packing.provenance.clone(),
            unit: packing.unit.clone(),
        })
        .map_err(input)
    }

    /// Returns all quantities as JSON. `points` is the number of random points, or the usual number.
    #[pyo3(signature = (tolerance, axis, points))]
    fn analyze(
        &self,
        py: Python,
        tolerance: Option<f64>,
        axis: usize,
        points: Option<usize>,
    ) -> PyResult<String> {
        let mut options = AnalysisOptions::default().axis(axis);
        options.tolerance = tolerance;
        options.points = points.unwrap_or(options.points);
        let analysis = py.detach(|| Analysis::new(&self.packing, &options));
        serde_json::to_string(&analysis.map_err(input)?).map_err(input)
    }

    /// Writes the packing to files. Returns sentences about the parts of the packing that the files do not hold.
    fn save(&self, py: Python, paths: Vec<PathBuf>, options: Export) -> PyResult<Vec<String>> {
        let options = options.options()?;
        py.detach(|| jostle::export_files(&self.packing, &paths, &options))
            .map_err(|error| errors::write(&error))
    }

    fn __len__(&self) -> usize {
        self.packing.spheres.len()
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.packing == other.packing && self.file_ids == other.file_ids
    }
}
