//! Requests of users: from sizes, and two of number, container and packing fraction, to radii and options of a run.

mod constants;
mod error;
mod expected;
mod length_unit;
mod sizes;
mod start;
mod trial;

use std::ops::ControlFlow;

use glam::DVec3;

pub(crate) use constants::MOST_CHECKED;
use constants::{FIRST_FRACTION, FREE_LENGTH_STEPS};
pub use error::RequestError;
use expected::{Expectation, mean_volume};
pub use length_unit::{UnitError, has_units, in_unit};
use serde::Serialize;
pub use sizes::Sizes;
use start::StartingPacking;

use crate::{
    container::{Body, BoundarySpec, Container, ContainerSpec, Cuboid, Solid},
    dimension::Dimension,
    distribution::Sampling,
    machine::{divided::Divided, ranks::Ranks},
    macros::setters,
    packing::Packing,
    rearrange::{Effort, FixedSpheres, PackError, PackOptions, PackRun, Packer, Progress, Target},
};

/// The number of spheres of a request that names none.
pub const DEFAULT_NUMBER: u64 = 10_000;

/// A request for a packing: sizes, and what is known of number, container and packing fraction.
///
/// A list of diameters has its own number, in place of 10 000 or of none.
///
/// | number | container | packing fraction | packing |
/// |---|---|---|---|
/// | yes or 10 000 | its shape, or none for a cube | no | as dense as the effort allows |
/// | yes or 10 000 | its shape, or none for a cube | yes | of this packing fraction |
/// | yes | its size | no | in exactly this container |
/// | no | its size | yes | of as many spheres as fill this container to the packing fraction |
/// | no | its size | no | of as many spheres as are expected to fill this container densely |
/// | yes | its size but for a free length | no or yes | in the container that they fill densely, or to the packing fraction |
///
/// [`Request::starting_from`] asks for the spheres of a packing, which start at their positions instead of at random.
///
/// # Example
/// ```
/// use jostle::{Request, distribution::Fuller};
///
/// let run = Request::new(Fuller::new(1.0, 8.0, 0.5)?).number(2_000).pack()?;
/// assert_eq!(run.packing.certificate().max_overlap, 0.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Request {
    sizes: Sizes,
    sampling: Sampling,
    number: Option<u64>,
    fraction: Option<f64>,
    /// Absent for the smallest cube, or for the container of the packing at whose positions the spheres start.
    container: Option<ContainerSpec>,
    boundary: Option<BoundarySpec>,
    bodies: Vec<Body>,
    options: PackOptions,
    start: Option<StartingPacking>,
}

impl Request {
    /// Asks for spheres of these sizes: a law, or diameters.
    pub fn new(sizes: impl Into<Sizes>) -> Self {
        Self {
            sizes: sizes.into(),
            sampling: Sampling::default(),
            number: None,
            fraction: None,
            container: None,
            boundary: None,
            bodies: Vec::new(),
            options: PackOptions::default(),
            start: None,
        }
    }

    /// Asks for the spheres of a packing, fixed ones included, which start at their positions instead of at random, with overlaps or
    /// without. `name` is that of the packing in the provenance, such as its file.
    ///
    /// The container is that of the packing, with its bodies, unless another one is [requested](Self::container). With a packing
    /// [fraction](Self::fraction), or as the [densest](Self::densest) packing, it is similar to that of the packing. Where the lengths of
    /// the container change, the centers move with its faces.
    ///
    /// # Example
    /// ```
    /// use jostle::{Request, distribution::Mono};
    ///
    /// let loose = Request::new(Mono::new(1.0)?).number(300).fraction(0.5).pack()?.packing;
    /// let dense = Request::starting_from(loose, "loose").fraction(0.6).pack()?.packing;
    /// assert!((dense.packing_fraction() - 0.6).abs() < 1e-9);
    /// assert_eq!(dense.provenance.unwrap().start.as_deref(), Some("loose"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn starting_from(packing: Packing, name: impl Into<String>) -> Self {
        let (diameters, start) = StartingPacking::new(packing, name.into());
        Self {
            start: Some(start),
            ..Self::new(diameters)
        }
    }

    /// Multiplies all diameters of [`Self::starting_from`] by a factor. The centers stay.
    #[must_use]
    pub fn scale_sizes(mut self, factor: f64) -> Self {
        self.start
            .iter_mut()
            .for_each(|start| start.scale_sizes = factor);
        self
    }

    /// Asks for the smallest container similar to that of [`Self::starting_from`] that the effort finds, instead of exactly that one.
    #[must_use]
    pub fn densest(mut self) -> Self {
        self.start
            .iter_mut()
            .for_each(|start| start.is_densest = true);
        self
    }

    setters! {
        /// Sets the method by which diameters are drawn from a law.
        sampling: Sampling;

        /// Sets the number of spheres, fixed ones not counted.
        number: impl Into<Option<u64>>;

        /// Sets the packing fraction, in which fixed spheres count.
        fraction: impl Into<Option<f64>>;

        /// Sets the container: its size, or its shape alone.
        container: impl Into<Option<ContainerSpec>>;

        /// Sets the boundary. Without one, a box is periodic along all axes, and other shapes have walls; a start keeps that of its packing.
        boundary: impl Into<Option<BoundarySpec>>;

        /// Sets the bodies that keep spheres out of a container of given size.
        bodies: Vec<Body>;
    }

    /// Sets the spheres that keep their positions in a container of given size.
    #[must_use]
    pub fn fixed(mut self, fixed: Option<FixedSpheres>) -> Self {
        self.options.fixed = fixed;
        self
    }

    /// Sets everything else. The request replaces container and target of the options, and keeps its fixed spheres. The seed also
    /// determines the diameters.
    #[must_use]
    pub fn options(self, options: PackOptions) -> Self {
        let fixed = options.fixed.clone().or(self.options.fixed);
        Self {
            options: PackOptions { fixed, ..options },
            ..self
        }
    }

    /// Returns the container, of the requested size if it is given. A free length is that of the expected volume of the spheres.
    ///
    /// # Errors
    /// [`RequestError`] if there is no such container.
    pub fn requested_container(&self) -> Result<Container, RequestError> {
        let container = match (&self.container, &self.start) {
            (Some(spec), _) if spec.has_free_length() => {
                let (free, volume) = self.free_length(spec)?;
                free.container(volume)?
            }
            (Some(spec), _) => spec.container(self.boundary_of(spec))?,
            (None, Some(start)) => start.container(self.boundary)?,
            (None, None) => {
                let lengths = DVec3::ONE;
                let cube = ContainerSpec::smallest(Solid::Box(Cuboid { lengths }));
                cube.container(self.boundary)?
            }
        };
        if !container.volume().is_normal() {
            return Err(PackError::ContainerVolume(container.volume()).into());
        }
        let has_bodies = !self.bodies.is_empty() || !container.bodies().is_empty();
        if has_bodies && !self.is_exact() {
            return Err(RequestError::NoSize("bodies that keep spheres out"));
        }
        Ok(container.without(self.bodies.iter().cloned())?)
    }

    /// Returns the dimension of space.
    fn dimension(&self) -> Dimension {
        match (&self.container, &self.start) {
            (Some(spec), _) => spec.solid().dimension(),
            (None, Some(start)) => start.dimension(),
            (None, None) => Dimension::Three,
        }
    }

    /// Returns the boundary of a container that is described.
    fn boundary_of(&self, spec: &ContainerSpec) -> Option<BoundarySpec> {
        let of_start = || self.start.as_ref()?.boundary_for(spec);
        self.boundary.or_else(of_start)
    }

    /// Returns whether the size of the container is given.
    fn is_exact(&self) -> bool {
        match (&self.container, &self.start) {
            (Some(spec), _) => spec.is_exact(),
            (None, Some(start)) => self.fraction.is_none() && !start.is_densest,
            (None, None) => false,
        }
    }

    /// Returns what determines a free length, and the expected volume of the spheres.
    fn free_length(&self, spec: &ContainerSpec) -> Result<(FreeLength, f64), RequestError> {
        let number = self.given_number().or_else(|| self.sizes.listed());
        let number = number.ok_or(RequestError::FreeLength)?;
        let sizes = self.sizes.in_dimension(self.dimension())?;
        let volume = number as f64 * mean_volume(self.dimension(), &sizes);
        let mut free = FreeLength {
            spec: spec.clone(),
            boundary: self.boundary_of(spec),
            fraction: self.fraction.unwrap_or(FIRST_FRACTION),
        };
        if self.fraction.is_none() {
            let expectation = Expectation::new(self.dimension(), &sizes, self.options.min_gap);
            let effort = self.options.effort.unwrap_or_default();
            // Walls lower the packing fraction, and their distance follows from it.
            for _ in 0..FREE_LENGTH_STEPS {
                free.fraction = expectation.filling(effort, &free.container(volume)?);
            }
        }
        Ok((free, volume))
    }

    /// Determines what follows from the request before diameters are drawn.
    ///
    /// # Errors
    /// [`RequestError`] if too much or too little is given.
    pub fn resolve(mut self) -> Result<ResolvedRequest, RequestError> {
        self.apply_scale()?;
        let dimension = self.dimension();
        if let Some(start) = &self.start
            && start.dimension() != dimension
        {
            return Err(RequestError::StartDimension {
                start: start.dimension().number(),
                container: dimension.number(),
            });
        }
        self.sizes = self.sizes.in_dimension(dimension)?;
        if let Some(fraction) = self.fraction
            && !(fraction > 0.0 && fraction < 1.0)
        {
            return Err(PackError::Fraction(fraction).into());
        }
        let free = self
            .container
            .as_ref()
            .filter(|spec| spec.has_free_length());
        let free = free.map(|spec| self.free_length(spec)).transpose()?;
        let container = self.requested_container()?;
        let is_exact = self.is_exact();
        if self.options.fixed.is_some() && !is_exact {
            return Err(RequestError::NoSize("fixed spheres"));
        }
        let target = match self.fraction {
            _ if is_exact || free.is_some() => Target::Exact,
            Some(fraction) => Target::Fraction(fraction),
            None => Target::Densest,
        };
        let amount = self.amount(&container)?;
        let mut options = self.options.container(container.clone()).target(target);
        if let (Some(start), Sizes::Diameters(diameters)) = (self.start, &self.sizes) {
            let sizes = start.size_source(diameters, options.seed);
            options = options.sizes(sizes).start(start.in_container(&container));
        }
        Ok(ResolvedRequest {
            amount,
            fraction_of_container: self.fraction.filter(|_| is_exact),
            free: free.map(|(free, _)| free),
            sizes: self.sizes,
            sampling: self.sampling,
            options,
        })
    }

    /// Multiplies the diameters of a start by its factor.
    fn apply_scale(&mut self) -> Result<(), RequestError> {
        let factor = self.start.as_ref().map_or(1.0, |start| start.scale_sizes);
        if !(factor > 0.0 && factor.is_finite()) {
            return Err(RequestError::ScaleSizes(factor));
        }
        if let Sizes::Diameters(diameters) = &mut self.sizes
            && factor != 1.0
        {
            diameters
                .iter_mut()
                .for_each(|diameter| *diameter *= factor);
        }
        Ok(())
    }

    /// Draws the diameters and packs the spheres.
    ///
    /// # Errors
    /// [`RequestError`] if the request cannot be packed.
    pub fn pack(self) -> Result<PackRun, RequestError> {
        let packer = self.packer(&Ranks::default())?;
        Ok(packer.run(&mut |_: &Progress| ControlFlow::Continue(())))
    }

    /// Draws the diameters and places the spheres; on ranks, those of the share of this rank. All ranks must call with the same request.
    ///
    /// # Errors
    /// [`RequestError`] if the request cannot be packed.
    pub fn packer(self, ranks: &Ranks) -> Result<Packer, RequestError> {
        let (radii, options) = self.resolve()?.draw(ranks)?;
        Ok(Packer::builder()
            .ranks(ranks.clone())
            .place(radii, &options)?)
    }

    /// Returns the number of spheres, if it is given.
    fn given_number(&self) -> Option<u64> {
        self.sizes.given().or(self.number)
    }

    /// Returns how many spheres are packed.
    fn amount(&self, container: &Container) -> Result<Amount, RequestError> {
        let given = self.given_number();
        self.sizes.check_number(self.number)?;
        let listed = self.sizes.listed();
        if !self.is_exact() {
            let number = given.or(listed).unwrap_or(DEFAULT_NUMBER);
            return Ok(Amount::Number(number));
        }
        let fraction = match (self.fraction, given) {
            (Some(_), Some(_)) => return Err(RequestError::TooMuch),
            (None, Some(number)) => return Ok(Amount::Number(number)),
            (Some(fraction), None) => fraction,
            (None, None) => {
                if let Some(number) = listed {
                    return Ok(Amount::Number(number));
                }
                let effort = self.options.effort.unwrap_or_default();
                let expectation =
                    Expectation::new(container.dimension(), &self.sizes, self.options.min_gap);
                expectation.filling(effort, container)
            }
        };
        let present = self.options.fixed.as_ref();
        let present = present.map_or(0.0, |fixed| container.volume_of(fixed.spheres.radii()));
        let volume = fraction * container.volume() - present;
        if volume > 0.0 {
            return Ok(Amount::Volume(volume));
        }
        Err(RequestError::Full {
            fraction: present / container.volume(),
        })
    }
}

/// A container with a length that follows from the volume of the spheres.
#[derive(Clone, Debug)]
struct FreeLength {
    spec: ContainerSpec,
    boundary: Option<BoundarySpec>,
    /// Packing fraction to which the spheres fill the container.
    fraction: f64,
}

impl FreeLength {
    /// Returns the container of spheres of this volume.
    fn container(&self, volume: f64) -> Result<Container, RequestError> {
        let spec = self.spec.with_volume(volume / self.fraction);
        Ok(spec.container(self.boundary)?)
    }

    /// Rejects a free length in which the largest sphere does not fit.
    fn check(&self, radii: &Divided, options: &PackOptions) -> Result<(), RequestError> {
        let Some((name, axis)) = self.spec.free_length().zip(self.spec.free_axis()) else {
            return Ok(());
        };
        let length = options.container.lengths()[axis];
        let needed = options.diameter_along(axis, radii.largest());
        if needed > length && needed.is_finite() {
            return Err(RequestError::ShortLength {
                name,
                length,
                needed,
                number: (radii.len() as f64 * needed / length).ceil(),
            });
        }
        Ok(())
    }
}

/// The number of spheres to draw, or their volume.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(crate) enum Amount {
    Number(u64),
    Volume(f64),
}

impl Amount {
    /// Returns the number of spheres, as far as it is known before diameters are drawn.
    pub fn expected_spheres(self, sizes: &Sizes) -> f64 {
        match self {
            Self::Number(number) => number as f64,
            Self::Volume(volume) => (volume / sizes.distribution().mean_volume()).ceil(),
        }
    }

    /// Returns the volume of the spheres, if their number follows from it.
    pub fn volume(self) -> Option<f64> {
        match self {
            Self::Number(_) => None,
            Self::Volume(volume) => Some(volume),
        }
    }
}

/// A request whose container and target are known.
#[derive(Clone, Debug, Serialize)]
pub struct ResolvedRequest {
    sizes: Sizes,
    sampling: Sampling,
    amount: Amount,
    options: PackOptions,
    fraction_of_container: Option<f64>,
    #[serde(skip)]
    free: Option<FreeLength>,
}

impl ResolvedRequest {
    /// Returns the options of the run, but for the origin of the radii.
    pub fn options(&self) -> &PackOptions {
        &self.options
    }

    /// Returns the sizes.
    pub fn sizes(&self) -> &Sizes {
        &self.sizes
    }

    /// Returns the number of spheres, as far as it is known before diameters are drawn.
    pub fn expected_spheres(&self) -> f64 {
        self.amount.expected_spheres(&self.sizes)
    }

    /// Returns the volume of the spheres that are not fixed, if the number of spheres follows from it.
    pub fn volume(&self) -> Option<f64> {
        self.amount.volume()
    }

    /// Returns the requested packing fraction, if the number of spheres follows from it.
    pub fn fraction_of_container(&self) -> Option<f64> {
        self.fraction_of_container
    }

    /// Returns the packing fraction that the container or the request demands of all spheres; `None` for the densest packing.
    pub fn requested_fraction(&self) -> Option<f64> {
        match self.options.target {
            Target::Densest => None,
            Target::Fraction(fraction) => Some(fraction),
            Target::Exact => {
                let fixed = self.options.fixed.as_ref();
                let container = &self.options.container;
                let fixed = fixed.map_or(0.0, |fixed| container.volume_of(fixed.spheres.radii()));
                let volume = match self.amount {
                    Amount::Volume(volume) => volume,
                    Amount::Number(number) => {
                        number as f64 * mean_volume(container.dimension(), &self.sizes)
                    }
                };
                Some((volume + fixed) / container.volume())
            }
        }
    }

    /// Returns the packing fraction that these spheres are expected to reach without exchanges: at the requested effort, or at the greatest
    /// one that the run may choose. `None` around fixed spheres, for which there is no prediction.
    ///
    /// It is the prediction of Farr & Groot, or an estimate in the plane, less what normal effort lacks and what walls take: see `docs/guide/command-line.md`.
    ///
    /// # Cost
    /// That of a sample of 10 000 spheres and of their prediction, some milliseconds; of given diameters, that of their prediction.
    pub fn expected_fraction(&self) -> Option<f64> {
        let options = &self.options;
        if options.fixed.is_some() {
            return None;
        }
        let chosen = match options.target {
            Target::Densest => Effort::NORMAL,
            _ => Effort::THOROUGH,
        };
        let mut container = options.container.clone();
        let dimension = container.dimension();
        let expectation = Expectation::new(dimension, &self.sizes, options.min_gap);
        if options.target != Target::Exact {
            let volume = self.expected_spheres() * mean_volume(dimension, &self.sizes);
            let factor = volume / FIRST_FRACTION / container.volume();
            container = container.scaled(dimension.root(factor));
        }
        let effort = options.effort.unwrap_or(chosen);
        Some(expectation.fraction(effort, &container))
    }

    /// Returns a sentence if the packing fraction that is expected lies below the requested one.
    ///
    /// # Cost
    /// That of [`Self::expected_fraction`].
    pub fn doubt(&self) -> Option<String> {
        let requested = self.requested_fraction()?;
        let expected = self
            .expected_fraction()
            .filter(|&expected| expected < requested)?;
        Some(format!(
            "the request needs packing fraction {requested:.4}, but {expected:.4} is expected; it may be out of reach"
        ))
    }

    /// Draws the diameters. Returns the radii, and the options of their run. On ranks, all of them must call, and each one receives the
    /// radii of its share.
    ///
    /// # Errors
    /// [`RequestError`] if a volume demands too many spheres, or if a free length is shorter than the largest sphere.
    pub fn draw(self, ranks: &Ranks) -> Result<(Vec<f64>, PackOptions), RequestError> {
        let (sampling, seed) = (self.sampling, self.options.seed);
        let mut options = self.options;
        let radii = match self.sizes {
            Sizes::Diameters(diameters) => {
                let share = &diameters[ranks.share(diameters.len())];
                share.iter().map(|diameter| 0.5 * diameter).collect()
            }
            Sizes::Law(spec) => {
                let law = &spec.distribution;
                let sample = match self.amount {
                    Amount::Number(number) => {
                        let too_many = |_| PackError::TooMany { count: number };
                        let number = usize::try_from(number).map_err(too_many)?;
                        law.number_on(ranks, number, sampling, seed)
                    }
                    Amount::Volume(volume) => law.volume_on(ranks, volume, sampling, seed)?,
                };
                let sample = spec.with_name_and_unit(sample);
                let radii = sample.radii();
                options = options.sizes(sample.source);
                if let Some(free) = &self.free {
                    let volume =
                        Divided::new(&radii[..], ranks).volume(options.container.dimension());
                    options = options.container(free.container(volume)?);
                }
                radii
            }
        };
        if let Some(free) = &self.free {
            free.check(&Divided::new(&radii[..], ranks), &options)?;
        }
        Ok((radii, options))
    }
}
