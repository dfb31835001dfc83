//! Arguments of `jostle.pack` and `jostle.Packer`, as the library takes them.

use std::{fmt::Display, path::PathBuf, str::FromStr, time::Duration};

use jostle::{
    Container, PackOptions,
    cli::Demand,
    container::{Body, ContainerSpec},
    glam::DVec3,
    pour::{PourError, PourRequest},
    ranks::Ranks,
    rearrange::{FixedSpheres, PackError},
    request::{ResolvedRequest, in_unit},
};
use numpy::{PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::{prelude::*, pybacked::PyBackedStr};

use super::{
    arrays::spheres,
    constants::MOST_THREADS,
    container,
    errors::{PackingError, input},
    pour::Deposition,
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
    /// `Sizes`, or an array of diameters, or `None` with a start.
    sizes: Bound<'py, PyAny>,
    start: Option<Start<'py>>,
    /// Factor on all diameters of the start.
    scale_sizes: f64,
    /// Whether the smallest container similar to that of the start is requested.
    densest: bool,
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
    fixed_at: Option<[f64; 3]>,
    fixed_crop: bool,
    min_gap: f64,
    wall_gap: Option<f64>,
    effort: Option<NameOrNumber>,
    exchange: NameOrNumber,
    breathe: NameOrNumber,
    toward_nearest: NameOrNumber,
    jam: NameOrNumber,
    index: PyBackedStr,
    sampling: PyBackedStr,
    seed: u64,
    threads: usize,
    time_limit: Option<f64>,
    max_sweeps: Option<u64>,
    /// Whether a sample that misses its distribution is refused.
    strict: bool,
    pub checkpoint: Option<PathBuf>,
    /// Receives a sentence about a request that is expected to be out of reach.
    warn: Option<Bound<'py, PyAny>>,
}

/// Spheres that start at their positions.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct Start<'py> {
    centers: Bound<'py, PyAny>,
    radii: Bound<'py, PyAny>,
    /// The JSON form of the container; the requested one if absent.
    container: Option<PyBackedStr>,
    unit: PyBackedStr,
    name: PyBackedStr,
}

/// Spheres, bytes, expected and requested packing fraction, seconds, and a warning of a run that is not begun.
pub type Estimate = (f64, f64, Option<f64>, Option<f64>, f64, Option<String>);

/// Radii to pack, and the options of their run.
pub struct Prepared {
    pub radii: Vec<f64>,
    pub options: PackOptions,
    /// The requested packing fraction if the number of spheres follows from it.
    pub fraction: Option<f64>,
}

/// Returns the words of this interface that leave out the spheres below a diameter.
pub fn cut_advice(diameter: &str) -> String {
    format!("SizeDistribution.cut(below={diameter})")
}

impl Request<'_> {
    /// Rejects a bad request and returns the radii with their options.
    pub fn prepare(&self, py: Python) -> PyResult<Prepared> {
        let request = self.resolve(py)?;
        if let (Some(warn), Some(doubt)) = (&self.warn, request.doubt()) {
            warn.call1((doubt,))?;
        }
        let (share, checkpoints) = (1.0, self.checkpoint.is_some());
        let demand = Demand::of_request(&request, share, checkpoints);
        demand.prepare(cut_advice).map_err(input)?;
        drop(demand);
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

    /// Returns the numbers of the run, without the run.
    pub fn estimate(&self, py: Python) -> PyResult<Estimate> {
        let request = self.resolve(py)?;
        let time = py.detach(|| {
            request
                .check_sizes()
                .and_then(|()| request.estimated_time())
        });
        let time = time.map_err(input)?;
        Ok((
            request.expected_spheres(),
            Demand::of_request(&request, 1.0, self.checkpoint.is_some()).total(),
            request.expected_fraction(),
            request.requested_fraction(),
            time.as_secs_f64(),
            request.doubt(),
        ))
    }

    /// Returns whether a sample that misses its distribution is refused.
    pub fn strict(&self) -> bool {
        self.strict
    }

    /// Returns the request for a bed.
    pub fn poured(&self, deposition: &Deposition) -> PyResult<PourRequest> {
        let vessel = self.spec()?.ok_or_else(|| input(PourError::NoVessel))?;
        let boundary = container::boundary(self.boundary.as_deref())?;
        let fixed = self.fixed(|| deposition.around_fixed(&vessel, boundary))?;
        let mut options = deposition.options(self.seed)?;
        options.time_limit = self.time_limit.map(time).transpose()?;
        options.jam = named(&self.jam)?;
        let request = PourRequest::new(self.source()?, vessel)
            .sampling(self.sampling.parse().map_err(input)?)
            .number(self.n)
            .boundary(boundary)
            .bodies(self.bodies()?)
            .fixed(fixed)
            .options(options);
        Ok(deposition.complete(request))
    }

    /// Returns the bodies that keep spheres out.
    fn bodies(&self) -> PyResult<Vec<Body>> {
        let unit = self.unit();
        let texts = self.keep_out.iter().map(|text| in_unit(text, &unit));
        let bodies: Vec<String> = texts.collect::<Result<_, _>>().map_err(input)?;
        bodies
            .iter()
            .map(|text| text.parse().map_err(input))
            .collect()
    }

    /// Returns the described container.
    fn spec(&self) -> PyResult<Option<ContainerSpec>> {
        let unit = self.unit();
        let text = self.container.as_deref().map(|text| in_unit(text, &unit));
        let text = text.transpose().map_err(input)?;
        container::spec(self.lengths, text.as_deref())
    }

    fn resolve(&self, py: Python) -> PyResult<ResolvedRequest> {
        let spec = self.spec()?;
        let request = self
            .base(py, spec.as_ref())?
            .sampling(self.sampling.parse().map_err(input)?)
            .number(self.n)
            .fraction(self.fraction)
            .boundary(container::boundary(self.boundary.as_deref())?)
            .bodies(self.bodies()?)
            .container(spec)
            .options(self.options()?);
        let fixed = self.fixed(|| request.requested_container().map_err(input))?;
        let request = request.fixed(fixed);
        request.resolve().map_err(input)
    }

    /// Returns the unit of the sizes; empty without one.
    fn unit(&self) -> String {
        match (&self.start, self.sizes.cast::<Sizes>()) {
            (Some(start), _) => start.unit.to_string(),
            (None, Ok(sizes)) => sizes.get().0.unit.clone(),
            (None, Err(_)) => String::new(),
        }
    }

    /// Returns a request for the sizes, or for the spheres of the start.
    fn base(&self, py: Python, spec: Option<&ContainerSpec>) -> PyResult<jostle::Request> {
        let Some(start) = &self.start else {
            return Ok(jostle::Request::new(self.source()?));
        };
        let centers: PyReadonlyArray2<f64> = start.centers.extract()?;
        let radii: PyReadonlyArray1<f64> = start.radii.extract()?;
        let container = match (&start.container, spec.filter(|spec| spec.is_exact())) {
            (Some(json), _) => serde_json::from_str(json).map_err(input)?,
            (None, Some(spec)) => {
                let boundary = container::boundary(self.boundary.as_deref())?;
                spec.container(boundary).map_err(input)?
            }
            (None, None) => {
                return Err(input(
                    "start is arrays, which have no container; expected box or container of a given size",
                ));
            }
        };
        let dimension = || Ok(container.dimension());
        let spheres = spheres(&centers, &radii, "start has", dimension)?;
        let mut packing = py.detach(|| jostle::Packing::new(spheres, container));
        packing.unit = start.unit.to_string();
        let name = start.name.to_string();
        let request = jostle::Request::starting_from(packing, name).scale_sizes(self.scale_sizes);
        Ok(if self.densest {
            request.densest()
        } else {
            request
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
            .exchange(named(&self.exchange)?)
            .breathe(named(&self.breathe)?)
            .toward_nearest(named(&self.toward_nearest)?)
            .jam(named(&self.jam)?)
            .index(self.index.parse().map_err(input)?)
            .seed(self.seed)
            .threads(self.threads);
        options.effort = self.effort.as_ref().map(named).transpose()?;
        options.wall_gap = self.wall_gap;
        options.max_sweeps = self.max_sweeps;
        options.time_limit = self.time_limit.map(time).transpose()?;
        Ok(options)
    }

    /// Returns the fixed spheres, which are moved and cropped in a container.
    fn fixed(&self, container: impl Fn() -> PyResult<Container>) -> PyResult<Option<FixedSpheres>> {
        let Some((centers, radii)) = &self.fixed else {
            return Ok(None);
        };
        let centers: PyReadonlyArray2<f64> = centers.extract()?;
        let radii: PyReadonlyArray1<f64> = radii.extract()?;
        let dimension = || Ok(container()?.dimension());
        let spheres = spheres(&centers, &radii, "fixed has", dimension)?;
        let mut fixed = FixedSpheres::new(spheres).may_overlap(self.fixed_may_overlap);
        if self.fixed_at.is_none() && !self.fixed_crop {
            return Ok(Some(fixed));
        }
        let container = container()?;
        if let Some(shift) = self.fixed_at {
            fixed = fixed.moved(DVec3::from_array(shift), &container);
        }
        if self.fixed_crop {
            fixed = fixed.cropped(&container);
        }
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

/// Returns an option that has names and numbers.
fn named<T>(value: &NameOrNumber) -> PyResult<T>
where
    T: FromStr<Err: Display> + TryFrom<f64, Error: Display>,
{
    match value {
        NameOrNumber::Name(name) => name.parse().map_err(input),
        NameOrNumber::Number(number) => T::try_from(*number).map_err(input),
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
