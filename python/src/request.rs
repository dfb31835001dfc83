//! Arguments of `jostle.pack` and `jostle.Packer`, as the library takes them.

use std::{path::PathBuf, time::Duration};

use jostle::{
    Effort, PackOptions,
    cli::prepare_memory,
    ranks::Ranks,
    rearrange::{ExchangeRate, FixedSpheres, GapShare, PackError},
};
use numpy::{PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::{prelude::*, pybacked::PyBackedStr};

use super::{
    arrays::spheres,
    constants::MOST_THREADS,
    container,
    errors::{PackingError, input},
    sizes::Sizes,
};

/// A value that has a name or a number, such as the effort.
#[derive(FromPyObject)]
pub enum NameOrNumber {
    Name(PyBackedStr),
    Number(f64),
}

/// The arguments of a run. The Python files provide every item.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct Request<'py> {
    /// `Sizes`, or an array of diameters.
    sizes: Bound<'py, PyAny>,
    n: Option<u64>,
    #[pyo3(item("box"))]
    lengths: Option<[f64; 3]>,
    fraction: Option<f64>,
    boundary: Option<PyBackedStr>,
    container: Option<PyBackedStr>,
    keep_out: Vec<PyBackedStr>,
    /// Centers and radii.
    fixed: Option<(Bound<'py, PyAny>, Bound<'py, PyAny>)>,
    fixed_may_overlap: bool,
    min_gap: f64,
    wall_gap: Option<f64>,
    effort: Option<NameOrNumber>,
    exchange: NameOrNumber,
    toward_nearest: NameOrNumber,
    index: PyBackedStr,
    sampling: PyBackedStr,
    seed: u64,
    threads: usize,
    time_limit: Option<f64>,
    max_sweeps: Option<u64>,
    /// Whether a sample that misses its distribution is refused.
    strict: bool,
    pub checkpoint: Option<PathBuf>,
}

/// Radii to pack, and the options of their run.
pub struct Prepared {
    pub radii: Vec<f64>,
    pub options: PackOptions,
    /// The requested packing fraction if the number of spheres follows from it.
    pub fraction: Option<f64>,
}

impl Request<'_> {
    /// Rejects a bad request and returns the radii with their options.
    pub fn prepare(&self, py: Python) -> PyResult<Prepared> {
        let request = jostle::Request::new(self.source()?)
            .sampling(self.sampling.parse().map_err(input)?)
            .number(self.n)
            .fraction(self.fraction)
            .boundary(container::boundary(self.boundary.as_deref())?)
            .bodies(container::bodies(&self.keep_out)?)
            .options(self.options()?);
        let request = match container::spec(self.lengths, self.container.as_deref())? {
            Some(spec) => request.container(spec),
            None => request,
        };
        let request = request.resolve().map_err(input)?;
        let (share, checkpoints) = (1.0, self.checkpoint.is_some());
        let advice = |diameter: &str| format!("SizeDistribution.cut(below={diameter})");
        prepare_memory(&request, share, checkpoints, advice).map_err(input)?;
        let fraction = request.fraction_of_container();
        let (radii, options) = py
            .detach(|| request.draw(&Ranks::default()))
            .map_err(input)?;
        let report = options.sizes.as_ref().map(|source| &source.report);
        if let (true, Some(warning)) = (self.strict, report.and_then(|it| it.warning.as_ref())) {
            return Err(PackingError::new_err(warning.clone()));
        }
        Ok(Prepared {
            radii,
            options,
            fraction,
        })
    }

    fn source(&self) -> PyResult<jostle::request::Sizes> {
        if let Ok(sizes) = self.sizes.cast::<Sizes>() {
            return Ok(sizes.get().0.clone().into());
        }
        let diameters: PyReadonlyArray1<f64> = self.sizes.extract()?;
        Ok(diameters.to_vec()?.into())
    }

    fn options(&self) -> PyResult<PackOptions> {
        if self.threads > MOST_THREADS {
            return Err(input(format!(
                "threads is {}; a whole number from 0 to {MOST_THREADS} is expected",
                self.threads
            )));
        }
        let mut options = PackOptions::default()
            .min_gap(self.min_gap)
            .exchange(exchange(&self.exchange)?)
            .toward_nearest(gap_share(&self.toward_nearest)?)
            .index(self.index.parse().map_err(input)?)
            .seed(self.seed)
            .threads(self.threads);
        options.effort = self.effort.as_ref().map(effort).transpose()?;
        options.fixed = self.fixed()?;
        options.wall_gap = self.wall_gap;
        options.max_sweeps = self.max_sweeps;
        options.time_limit = self.time_limit.map(time).transpose()?;
        Ok(options)
    }

    fn fixed(&self) -> PyResult<Option<FixedSpheres>> {
        let Some((centers, radii)) = &self.fixed else {
            return Ok(None);
        };
        let centers: PyReadonlyArray2<f64> = centers.extract()?;
        let radii: PyReadonlyArray1<f64> = radii.extract()?;
        let spheres = spheres(&centers, &radii, "fixed has")?;
        let fixed = FixedSpheres::new(spheres).may_overlap(self.fixed_may_overlap);
        Ok(Some(fixed))
    }
}

/// Rejects a number that is no packing fraction.
pub fn check_fraction(fraction: f64) -> PyResult<()> {
    if fraction > 0.0 && fraction < 1.0 {
        Ok(())
    } else {
        Err(input(PackError::Fraction(fraction)))
    }
}

fn effort(value: &NameOrNumber) -> PyResult<Effort> {
    match value {
        NameOrNumber::Name(name) => name.parse().map_err(input),
        NameOrNumber::Number(number) => Effort::try_from(*number).map_err(input),
    }
}

fn exchange(value: &NameOrNumber) -> PyResult<ExchangeRate> {
    match value {
        NameOrNumber::Name(name) => name.parse().map_err(input),
        NameOrNumber::Number(number) => ExchangeRate::try_from(*number).map_err(input),
    }
}

fn gap_share(value: &NameOrNumber) -> PyResult<GapShare> {
    match value {
        NameOrNumber::Name(name) => name.parse().map_err(input),
        NameOrNumber::Number(number) => GapShare::try_from(*number).map_err(input),
    }
}

fn time(seconds: f64) -> PyResult<Duration> {
    Duration::try_from_secs_f64(seconds)
        .ok()
        .filter(|&time| time > Duration::ZERO)
        .ok_or_else(|| {
            input(format!(
                "time_limit is {seconds}; a number of seconds above 0 is expected"
            ))
        })
}
