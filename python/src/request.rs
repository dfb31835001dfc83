//! Arguments of `jostle.pack` and `jostle.Packer`, as the library takes them.

use std::{path::PathBuf, time::Duration};

use glam::DVec3;
use jostle::{
    Container, ContainerShape, ContainerSpec, Effort, ExchangeRate, FixedSpheres, Mono, PackError,
    PackOptions, SizeDistribution, SizeSpec, Target, cli::prepare_memory,
};
use numpy::{PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::{prelude::*, pybacked::PyBackedStr};

use super::{
    arrays::spheres,
    constants::{DEFAULT_NUMBER, MOST_THREADS},
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
    /// Centres and radii.
    fixed: Option<(Bound<'py, PyAny>, Bound<'py, PyAny>)>,
    fixed_may_overlap: bool,
    min_gap: f64,
    wall_gap: Option<f64>,
    effort: Option<NameOrNumber>,
    exchange: NameOrNumber,
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

/// The number of spheres to draw, or their volume.
enum Amount {
    Number(u64),
    Volume(f64),
}

/// The source of the diameters.
enum Source {
    Law(Box<SizeSpec>),
    Diameters(Vec<f64>),
}

impl Request<'_> {
    /// Rejects a bad request and returns the radii with their options.
    pub fn prepare(&self, py: Python) -> PyResult<Prepared> {
        let options = self.options()?;
        match self.source()? {
            Source::Diameters(diameters) => self.of_diameters(&diameters, options),
            Source::Law(spec) => self.of_law(py, &spec, options),
        }
    }

    fn source(&self) -> PyResult<Source> {
        if let Ok(sizes) = self.sizes.cast::<Sizes>() {
            return Ok(Source::Law(Box::new(sizes.get().0.clone())));
        }
        let diameters: PyReadonlyArray1<f64> = self.sizes.extract()?;
        Ok(Source::Diameters(diameters.to_vec()?))
    }

    fn options(&self) -> PyResult<PackOptions> {
        if self.threads > MOST_THREADS {
            return Err(input(format!(
                "threads is {}; a whole number from 0 to {MOST_THREADS} is expected",
                self.threads
            )));
        }
        self.fraction.map_or(Ok(()), check_fraction)?;
        let mut options = PackOptions::default()
            .min_gap(self.min_gap)
            .exchange(exchange(&self.exchange)?)
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

    /// Prepares spheres of given diameters, whose number is known.
    fn of_diameters(&self, diameters: &[f64], options: PackOptions) -> PyResult<Prepared> {
        if let Some(n) = self.n
            && n != diameters.len() as u64
        {
            return Err(input(format!(
                "n is {n}, but {} diameters are given; leave n out",
                diameters.len()
            )));
        }
        let (container, size) = self.container()?;
        let target = match (size, self.fraction) {
            (Some(size), Some(_)) => {
                return Err(input(format!(
                    "{size}, fraction and diameters are given together; give {size} or fraction, and the other follows"
                )));
            }
            (Some(_), None) => Target::Exact,
            (None, Some(fraction)) => Target::Fraction(fraction),
            (None, None) => Target::Densest,
        };
        let options = options.container(container).target(target);
        // No distribution takes more memory for each sphere than equal spheres.
        let equal = SizeDistribution::from(Mono::new(1.0).map_err(input)?);
        self.check_memory(diameters.len() as f64, &options, &equal)?;
        let radii = diameters.iter().map(|diameter| 0.5 * diameter).collect();
        Ok(Prepared {
            radii,
            options,
            fraction: None,
        })
    }

    fn of_law(&self, py: Python, spec: &SizeSpec, options: PackOptions) -> PyResult<Prepared> {
        let (container, size) = self.container()?;
        let present = options
            .fixed
            .as_ref()
            .map_or(0.0, |fixed| fixed.spheres.volume());
        let (amount, target) = self.amount_and_target(&container, size, present)?;
        let options = options.container(container).target(target);
        let count = match amount {
            Amount::Number(count) => count as f64,
            Amount::Volume(volume) => (volume / spec.distribution.mean_volume()).ceil(),
        };
        self.check_memory(count, &options, &spec.distribution)?;
        let sampling = self.sampling.parse().map_err(input)?;
        let seed = self.seed;
        let sample = py.detach(|| match amount {
            Amount::Number(count) => Ok(spec.sample_number(count as usize, sampling, seed)),
            Amount::Volume(volume) => spec.sample_volume(volume, sampling, seed),
        });
        let sample = sample.map_err(input)?;
        if let (true, Some(warning)) = (self.strict, &sample.report().warning) {
            return Err(PackingError::new_err(warning.clone()));
        }
        Ok(Prepared {
            radii: sample.radii(),
            options: options.sizes(sample.source),
            fraction: self.fraction.filter(|_| size.is_some()),
        })
    }

    fn check_memory(
        &self,
        count: f64,
        options: &PackOptions,
        sizes: &SizeDistribution,
    ) -> PyResult<()> {
        let share = 1.0;
        prepare_memory(count, share, options, sizes, self.checkpoint.is_some()).map_err(input)
    }

    /// Returns the container, and the name of the argument that gives its size, if one does.
    fn container(&self) -> PyResult<(Container, Option<&'static str>)> {
        let edges = container::boundary(self.boundary.as_deref())?;
        let given = container::spec(self.lengths, self.container.as_deref())?;
        let (spec, size) = match given {
            Some((spec, name)) => {
                let size = spec.is_exact().then_some(name);
                (spec, size)
            }
            None => {
                let lengths = DVec3::ONE;
                (
                    ContainerSpec::smallest(ContainerShape::Box { lengths }),
                    None,
                )
            }
        };
        let container = spec.container(edges).map_err(input)?;
        if !container.volume().is_normal() {
            return Err(input(PackError::ContainerVolume(container.volume())));
        }
        let needs_size = [
            ("keep_out", !self.keep_out.is_empty()),
            ("fixed", self.fixed.is_some()),
        ];
        if let (None, Some((name, _))) = (size, needs_size.iter().find(|(_, is_given)| *is_given)) {
            return Err(input(format!(
                "{name} is given without the size of the container; add box, or container with its lengths, as in cylinder:d=3,h=4"
            )));
        }
        Ok((container::around(&container, &self.keep_out)?, size))
    }

    /// Returns the number or volume of the spheres that are not fixed, and the size of the container. `size` is the argument that
    /// gives the size, and `present` the volume of the fixed spheres.
    fn amount_and_target(
        &self,
        container: &Container,
        size: Option<&str>,
        present: f64,
    ) -> PyResult<(Amount, Target)> {
        let Some(size) = size else {
            let number = self.n.unwrap_or(DEFAULT_NUMBER);
            let target = self.fraction.map_or(Target::Densest, Target::Fraction);
            return Ok((Amount::Number(number), target));
        };
        let amount = match (self.fraction, self.n) {
            (Some(_), Some(_)) => {
                return Err(input(format!(
                    "{size}, fraction and n are given together; give two of them, and the third follows"
                )));
            }
            (None, None) => {
                return Err(input(format!(
                    "{size} is given alone; add n for n spheres in this container, or fraction for as many as fill it to that packing fraction"
                )));
            }
            (Some(fraction), None) => {
                let volume = fraction * container.volume() - present;
                if volume <= 0.0 {
                    return Err(input(format!(
                        "the fixed spheres fill the container to packing fraction {:.4}; fraction counts them and must be larger",
                        present / container.volume()
                    )));
                }
                Amount::Volume(volume)
            }
            (None, Some(n)) => Amount::Number(n),
        };
        Ok((amount, Target::Exact))
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
