//! Size distributions.

use jostle::{Basis, Sample, SizeDistribution, SizeSpec};
use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;

use super::errors::{self, input};

/// A size distribution with its name, unit and source.
#[pyclass(frozen, module = "jostle._core")]
pub struct Sizes(pub SizeSpec);

#[pymethods]
impl Sizes {
    /// Loads a preset, an inline law or a JSON file.
    #[staticmethod]
    fn load(text: &str) -> PyResult<Self> {
        SizeSpec::load(text)
            .map(Self)
            .map_err(|error| errors::sizes(&error))
    }

    /// Reads the JSON form. Errors call the text `origin`.
    #[staticmethod]
    fn from_json(origin: &str, json: &str) -> PyResult<Self> {
        SizeSpec::from_json(origin, json)
            .map(Self)
            .map_err(|error| errors::sizes(&error))
    }

    /// Returns the names of the presets.
    #[staticmethod]
    fn presets() -> Vec<&'static str> {
        SizeSpec::presets().map(|(name, _)| name).collect()
    }

    /// Returns the JSON form.
    fn to_json(&self) -> PyResult<String> {
        serde_json::to_string(&self.0).map_err(input)
    }

    /// Returns the smallest and the largest diameter, and the mean volume of a sphere.
    fn range(&self) -> (f64, f64, f64) {
        let law = &self.0.distribution;
        (law.d_min(), law.d_max(), law.mean_volume())
    }

    /// Returns diameter, number share and mass share of each class; `None` for a continuous distribution.
    fn classes(&self) -> Option<Vec<(f64, f64, f64)>> {
        let classes = self.0.distribution.classes()?;
        let row =
            |class: &jostle::SizeClass| (class.diameter, class.number_share, class.mass_share);
        Some(classes.iter().map(row).collect())
    }

    /// Returns the diameters of `n` spheres, or of spheres with a total `volume`.
    #[pyo3(signature = (n, volume, sampling, seed))]
    fn sample<'py>(
        &self,
        py: Python<'py>,
        n: Option<usize>,
        volume: Option<f64>,
        sampling: &str,
        seed: u64,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let sampling = sampling.parse().map_err(input)?;
        let sample = py
            .detach(|| match volume {
                Some(volume) => self.0.sample_volume(volume, sampling, seed),
                None => Ok(self.0.sample_number(n.unwrap_or(0), sampling, seed)),
            })
            .map_err(input)?;
        let Sample { diameters, .. } = sample;
        Ok(diameters.into_pyarray(py))
    }

    /// Returns the diameters at or below which these shares lie.
    fn quantiles<'py>(
        &self,
        py: Python<'py>,
        by: &str,
        shares: PyReadonlyArray1<'py, f64>,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        self.map(py, by, &shares, |law, basis, share| match basis {
            Basis::Mass => law.mass_quantile(share),
            _ => law.number_quantile(share),
        })
    }

    /// Returns the shares at or below these diameters.
    fn shares<'py>(
        &self,
        py: Python<'py>,
        by: &str,
        diameters: PyReadonlyArray1<'py, f64>,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        self.map(py, by, &diameters, |law, basis, diameter| match basis {
            Basis::Mass => law.mass_cdf(diameter),
            _ => law.number_cdf(diameter),
        })
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

impl Sizes {
    fn map<'py>(
        &self,
        py: Python<'py>,
        by: &str,
        values: &PyReadonlyArray1<'py, f64>,
        value: impl Fn(&SizeDistribution, Basis, f64) -> f64,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let basis: Basis = by.parse().map_err(input)?;
        let mapped: Vec<f64> = values
            .as_array()
            .iter()
            .map(|&given| value(&self.0.distribution, basis, given))
            .collect();
        Ok(mapped.into_pyarray(py))
    }
}
