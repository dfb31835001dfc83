//! Size distributions.

use jostle::{
    SizeSpec,
    distribution::{
        Basis, Component, DiameterList, Sample, SieveCurve, SizeClasses, SizeDistribution,
    },
};
use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;

use super::{
    constants::{BYTES_PER_DIAMETER, MOST_DIAMETERS},
    errors::{self, input},
    memory::check_memory,
    run::interruptible,
};

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

    /// Returns a sieve curve from pairs of sieve size and percent passing.
    #[staticmethod]
    fn of_sieves(
        passing: Vec<[f64; 2]>,
        interpolation: &str,
        name: &str,
        unit: &str,
    ) -> PyResult<Self> {
        let interpolation = interpolation.parse().map_err(input)?;
        let law = SieveCurve::new(passing, interpolation).map_err(input)?;
        Ok(Self(SizeSpec::new(name, unit, "sieve curve", law)))
    }

    /// Returns size classes from pairs of diameter and share.
    #[staticmethod]
    fn of_classes(shares: Vec<[f64; 2]>, by: &str, name: &str, unit: &str) -> PyResult<Self> {
        let law = SizeClasses::new(by.parse().map_err(input)?, shares).map_err(input)?;
        Ok(Self(SizeSpec::new(name, unit, "size classes", law)))
    }

    /// Creates a blend from the label, share, density and sizes of each component.
    #[staticmethod]
    #[pyo3(signature = (components, by, name))]
    fn of_blend(
        components: Vec<(String, f64, Option<f64>, PyRef<Self>)>,
        by: &str,
        name: &str,
    ) -> PyResult<Self> {
        let parts = components.iter().map(|(label, share, density, sizes)| {
            let spec = &sizes.0;
            let component = Component::new(label, *share, spec.distribution.clone());
            (component.density(*density), spec.unit.clone())
        });
        SizeSpec::blend(name, by.parse().map_err(input)?, parts.collect())
            .map(Self)
            .map_err(|error| errors::sizes(&error))
    }

    /// Returns the distribution of columns with names, as of a table in a file.
    #[staticmethod]
    fn of_columns(
        header: Vec<String>,
        columns: Vec<Vec<f64>>,
        name: &str,
        unit: &str,
    ) -> PyResult<Self> {
        let spec = SizeSpec::from_columns(name, header, columns);
        spec.map(|spec| Self(with_unit(spec, unit)))
            .map_err(|error| errors::sizes(&error))
    }

    /// Returns the distribution of diameters given one by one.
    #[staticmethod]
    fn of_diameters(
        diameters: PyReadonlyArray1<'_, f64>,
        name: &str,
        unit: &str,
    ) -> PyResult<Self> {
        let diameters = diameters.as_array().to_vec();
        let source = format!("list of {} diameters", diameters.len());
        let list = DiameterList::new(diameters).map_err(input)?;
        Ok(Self(SizeSpec::new(name, unit, source, list)))
    }

    /// Returns the distribution without the spheres below and above two diameters.
    fn cut(&self, below: Option<f64>, above: Option<f64>) -> PyResult<Self> {
        self.0.clone().cut(below, above).map(Self).map_err(input)
    }

    /// Returns sentences about what was assumed and changed.
    fn notes(&self) -> Vec<String> {
        self.0.notes()
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
        let row = |class: &jostle::distribution::SizeClass| {
            (class.diameter, class.number_share, class.mass_share)
        };
        Some(classes.iter().map(row).collect())
    }

    /// Returns the diameters of `n` spheres, or of spheres with a total `volume`.
    #[pyo3(signature = (n, volume, sampling, seed))]
    fn sample<'py>(
        &self,
        py: Python<'py>,
        n: Option<u64>,
        volume: Option<f64>,
        sampling: &str,
        seed: u64,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let sampling = sampling.parse().map_err(input)?;
        let count = match (n, volume) {
            (Some(n), _) if n > MOST_DIAMETERS => {
                return Err(input(format!(
                    "n is {n}; a whole number of at most {MOST_DIAMETERS} is expected"
                )));
            }
            (Some(n), _) => n as f64,
            // The library refuses a volume of more spheres than a sample may have.
            (None, volume) => (volume.unwrap_or(0.0) / self.0.distribution.mean_volume())
                .min(MOST_DIAMETERS as f64),
        };
        check_memory("the sample", BYTES_PER_DIAMETER * count)?;
        let spec = self.0.clone();
        let sample = interruptible(py, move || match volume {
            Some(volume) => spec.sample_volume(volume, sampling, seed),
            None => Ok(spec.sample_number(count as usize, sampling, seed)),
        })?;
        let Sample { diameters, .. } = sample.map_err(input)?;
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

/// Sets the unit, if it is given.
fn with_unit(mut spec: SizeSpec, unit: &str) -> SizeSpec {
    if !unit.is_empty() {
        unit.clone_into(&mut spec.unit);
    }
    spec
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
