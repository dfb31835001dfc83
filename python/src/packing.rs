//! A finished packing.

use std::{path::PathBuf, sync::OnceLock};

use jostle::{
    Certificate, Container, Spheres,
    analysis::Analysis,
    cli::shortfall,
    distribution::SizeReport,
    glam::DVec3,
    io::{Format, ReadPacking},
    packing::{ContactForces, PackedComponent, Provenance, StopReason, Supports},
    pour::PourRun,
    rearrange::PackRun,
    report,
};
use numpy::{IntoPyArray, PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::{prelude::*, types::PyBytes};
use serde::{Deserialize, Serialize};

use super::{
    arrays::{points, view, view_of_points},
    constants::BYTES_PER_VOXEL,
    container,
    errors::{self, input},
    export::Export,
    memory::check_memory,
    pictures::analysis_options,
    run::interruptible,
};

/// A packing, whose arrays NumPy uses in place.
#[pyclass(frozen, module = "jostle._core")]
pub struct Packing {
    packing: jostle::Packing,
    /// The ids in a file.
    file_ids: Option<Vec<i64>>,
    /// Absent if the packing was read from a file.
    run: Option<Run>,
    ids: OnceLock<Vec<i64>>,
    diameters: OnceLock<Vec<f64>>,
}

/// Wall time of a run in seconds, its number of threads, and sentences about parts of the request that it did not meet.
type Run = (f64, usize, Vec<String>);

/// Everything but the numbers of single spheres.
#[derive(Serialize, Deserialize)]
struct Account {
    container: Container,
    /// Number of fixed spheres, the last ones.
    #[serde(default)]
    fixed: usize,
    /// The components of a blend.
    #[serde(default)]
    components: Vec<PackedComponent>,
    /// Absent when it is read: the spheres are certified again.
    #[serde(skip_deserializing)]
    certificate: Option<Certificate>,
    sizes: Option<SizeReport>,
    provenance: Option<Provenance>,
    unit: String,
}

impl Packing {
    /// Takes the packing of a run. `fraction` is the requested packing fraction if the number of spheres followed from it.
    pub fn of_run(run: PackRun, fraction: Option<f64>) -> Self {
        let account = (
            run.elapsed.as_secs_f64(),
            run.threads,
            unmet(&run, fraction),
        );
        Self::new(run.packing, None, Some(account))
    }

    /// Takes the packing of a deposition.
    pub fn of_pour(run: PourRun) -> Self {
        let warning = (run.packing.sizes.as_ref()).and_then(|sizes| sizes.warning.clone());
        let unmet = warning.into_iter().chain(run.shortfall).collect();
        let account = (run.elapsed.as_secs_f64(), 1, unmet);
        Self::new(run.packing, None, Some(account))
    }

    /// Takes a packing that was read from a file.
    pub fn of_file(read: ReadPacking) -> PyResult<Self> {
        let signed = |ids: Vec<u64>| ids.into_iter().map(signed).collect();
        let ids = read.ids.map(signed).transpose()?;
        Ok(Self::new(read.packing, ids, None))
    }

    /// Returns the packing of the library.
    pub fn library(&self) -> &jostle::Packing {
        &self.packing
    }

    fn new(packing: jostle::Packing, file_ids: Option<Vec<i64>>, run: Option<Run>) -> Self {
        Self {
            packing,
            file_ids,
            run,
            ids: OnceLock::new(),
            diameters: OnceLock::new(),
        }
    }
}

/// Returns sentences about parts of its request that a run did not meet. An interrupted run has met what the caller wanted.
fn unmet(run: &PackRun, fraction: Option<f64>) -> Vec<String> {
    let packing = &run.packing;
    let sizes = packing.sizes.iter();
    let stop = packing.provenance.as_ref().map(|it| it.stop);
    let shortfall = (stop != Some(StopReason::Interrupted)).then(|| shortfall(run, fraction));
    // The sentence names an option of the command line.
    let shortfall = shortfall
        .flatten()
        .map(|it| it.replace("--effort", "effort"));
    sizes
        .filter_map(|sizes| sizes.warning.clone())
        .chain(shortfall)
        .collect()
}

/// Returns the id of a sphere as NumPy's usual integer, with which differences of ids do not wrap around.
fn signed(id: u64) -> PyResult<i64> {
    i64::try_from(id).map_err(|_| {
        input(format!(
            "the id {id} is too large; at most {} is accepted",
            i64::MAX
        ))
    })
}

#[pymethods]
impl Packing {
    /// Returns a packing from its parts: arrays, ids if there are any, and the results of `account`, `run`, `forces` and `supports_text`.
    #[staticmethod]
    #[pyo3(signature = (centers, radii, ids, account, run, forces = None, supports = None))]
    fn from_parts(
        centers: PyReadonlyArray2<f64>,
        radii: PyReadonlyArray1<f64>,
        ids: Option<PyReadonlyArray1<i64>>,
        account: &str,
        run: Option<Run>,
        forces: Option<&str>,
        supports: Option<&str>,
    ) -> PyResult<Self> {
        let Account {
            container,
            fixed,
            components,
            sizes,
            provenance,
            unit,
            ..
        } = serde_json::from_str(account).map_err(input)?;
        let spheres = Spheres::new(
            points(&centers, || Ok(container.dimension()))?,
            radii.to_vec()?,
        );
        let fixed = fixed.min(spheres.len());
        let packing = jostle::Packing::new(spheres, container).with_fixed(fixed);
        let packing = packing.with_components(components).map_err(input)?;
        let forces: Option<ContactForces> = forces
            .map(|json| serde_json::from_str(json).map_err(input))
            .transpose()?;
        let mut packing = packing.with_forces(forces).map_err(input)?;
        if let Some(supports) = supports {
            let supports: Supports = serde_json::from_str(supports).map_err(input)?;
            packing = packing.with_supports(supports).map_err(input)?;
        }
        packing.sizes = sizes;
        packing.provenance = provenance;
        packing.unit = unit;
        let ids = ids.map(|ids| ids.to_vec()).transpose()?;
        Ok(Self::new(packing, ids, run))
    }

    /// Returns the centers, shape (n, 3), or (n, 2) of disks.
    #[getter]
    fn centers<'py>(slf: Bound<'py, Self>) -> Bound<'py, PyArray2<f64>> {
        let packing = &slf.get().packing;
        let (dimension, centers) = (packing.container().dimension(), packing.spheres().centers());
        view_of_points(dimension, centers, slf.as_any())
    }

    /// Returns the radii, shape (n,).
    #[getter]
    fn radii<'py>(slf: Bound<'py, Self>) -> Bound<'py, PyArray1<f64>> {
        view(slf.get().packing.spheres().radii(), slf.as_any())
    }

    /// Returns the diameters, shape (n,). The first call computes them.
    #[getter]
    fn diameters<'py>(slf: Bound<'py, Self>) -> Bound<'py, PyArray1<f64>> {
        let this = slf.get();
        let double = || {
            let radii = this.packing.spheres().radii().iter();
            radii.map(|radius| 2.0 * radius).collect()
        };
        view(this.diameters.get_or_init(double), slf.as_any())
    }

    /// Returns the ids in the file, or else the positions from 0, shape (n,).
    #[getter]
    fn ids<'py>(slf: Bound<'py, Self>) -> Bound<'py, PyArray1<i64>> {
        let this = slf.get();
        let positions = || (0..this.packing.spheres().len() as i64).collect();
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

    /// Returns the position of the component of each sphere, or -1, shape (n,).
    #[getter]
    fn component_ids<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        let ids = self.packing.component_ids().into_iter();
        let ids: Vec<i64> = ids.map(|id| id.map_or(-1, i64::from)).collect();
        ids.into_pyarray(py)
    }

    /// Returns the wall time of the run in seconds, its number of threads, and sentences about what it did not meet.
    #[getter]
    fn run(&self) -> Option<Run> {
        self.run.clone()
    }

    /// Returns the volume of the spheres divided by the volume of the container.
    #[getter]
    fn packing_fraction(&self) -> f64 {
        self.packing.packing_fraction()
    }

    /// Returns the fields of `jostle.Container`.
    #[getter]
    fn container(&self) -> PyResult<container::Row> {
        container::row(self.packing.container())
    }

    /// Returns container, number of fixed spheres, components, certificate, sizes, provenance and unit as JSON.
    fn account(&self) -> PyResult<String> {
        let packing = &self.packing;
        serde_json::to_string(&Account {
            container: packing.container().clone(),
            fixed: packing.fixed(),
            components: packing.components().to_vec(),
            certificate: Some(packing.certificate()),
            sizes: packing.sizes.clone(),
            provenance: packing.provenance.clone(),
            unit: packing.unit.clone(),
        })
        .map_err(input)
    }

    /// Returns the forces of the contacts as JSON; `None` if they are not known.
    fn forces(&self) -> PyResult<Option<String>> {
        let forces = self.packing.forces().map(serde_json::to_string);
        forces.transpose().map_err(input)
    }

    /// Returns the supports of spheres at rest as JSON; `None` of other packings.
    fn supports_text(&self) -> PyResult<Option<String>> {
        let supports = self.packing.supports().map(serde_json::to_string);
        supports.transpose().map_err(input)
    }

    /// Returns all quantities as JSON. `points` is the number of random points, or the usual number.
    #[pyo3(signature = (tolerance, axis, points))]
    fn analyze(
        slf: Bound<Self>,
        tolerance: Option<f64>,
        axis: Option<usize>,
        points: Option<usize>,
    ) -> PyResult<String> {
        let options = analysis_options((tolerance, axis, points))?;
        let (py, this) = (slf.py(), slf.clone().unbind());
        let analysis = interruptible(py, move || Analysis::new(&this.get().packing, &options))?;
        serde_json::to_string(&analysis.map_err(input)?).map_err(input)
    }

    /// Returns lines around the container, shape (n, 2, 3), and the triangles of its bodies, shape (n, 3, 3), in one dimension.
    fn outline<'py>(
        &self,
        py: Python<'py>,
    ) -> (Bound<'py, PyArray1<f64>>, Bound<'py, PyArray1<f64>>) {
        let container = &self.packing.container();
        let array = |points: Vec<f64>| points.into_pyarray(py);
        let lines = report::outline(container).into_iter().flatten();
        let triangles = report::body_surfaces(container).into_iter().flatten();
        (
            array(lines.flat_map(|point| point.to_array()).collect()),
            array(triangles.flat_map(|point| point.to_array()).collect()),
        )
    }

    /// Writes the packing to files. Returns sentences about the parts of the packing that the files do not hold.
    fn save(&self, py: Python, paths: Vec<PathBuf>, options: Export) -> PyResult<Vec<String>> {
        let options = options.options()?;
        py.detach(|| jostle::io::export_files(&self.packing, &paths, &options))
            .map_err(|error| errors::write(&error))
    }

    /// Writes the packing to bytes in memory. Returns them, and the sentences of `save`.
    fn to_bytes<'py>(
        &self,
        py: Python<'py>,
        options: Export,
    ) -> PyResult<(Bound<'py, PyBytes>, Vec<String>)> {
        let options = options.options()?;
        let format = options.format.unwrap_or(Format::Json);
        let files = jostle::io::exported_paths("packing.json", &options);
        if files.map_err(|error| errors::write(&error))?.len() > 1 {
            return Err(input(format!(
                "the format {format} has several files; the name of a file is expected"
            )));
        }
        if let Some(voxel) = options.voxel {
            let cells = (self.packing.container().lengths() / voxel).max(DVec3::ONE);
            let number = cells.element_product();
            check_memory("the voxels", BYTES_PER_VOXEL * number)?;
        }
        let mut content = Vec::new();
        let sentences = py
            .detach(|| jostle::io::export_packing(&self.packing, format, &options, &mut content))
            .map_err(input)?;
        Ok((PyBytes::new(py, &content), sentences))
    }

    fn __len__(&self) -> usize {
        self.packing.spheres().len()
    }

    /// Returns whether centers, radii, container and fixed spheres have the same bits. A file may lack everything else.
    fn __eq__(&self, other: &Self) -> bool {
        let (a, b) = (&self.packing, &other.packing);
        a.spheres() == b.spheres() && a.container() == b.container() && a.fixed() == b.fixed()
    }
}
