//! What a user may ask for: from sizes, and two of number, container and packing fraction, to radii and options of a run.

mod error;
mod sizes;

use std::ops::ControlFlow;

use glam::DVec3;

pub use error::RequestError;
use serde::Serialize;
pub use sizes::Sizes;

use crate::{
    container::{Body, BoundarySpec, Container, ContainerSpec, Cuboid, Solid},
    distribution::Sampling,
    machine::ranks::Ranks,
    rearrange::{FixedSpheres, PackError, PackOptions, PackRun, Packer, Progress, Target},
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
    container: ContainerSpec,
    boundary: Option<BoundarySpec>,
    bodies: Vec<Body>,
    options: PackOptions,
}

impl Request {
    /// Asks for spheres of these sizes: a law, or diameters.
    pub fn new(sizes: impl Into<Sizes>) -> Self {
        let lengths = DVec3::ONE;
        Self {
            sizes: sizes.into(),
            sampling: Sampling::default(),
            number: None,
            fraction: None,
            container: ContainerSpec::smallest(Solid::Box(Cuboid { lengths })),
            boundary: None,
            bodies: Vec::new(),
            options: PackOptions::default(),
        }
    }

    /// Sets the method by which diameters are drawn from a law.
    #[must_use]
    pub fn sampling(self, sampling: Sampling) -> Self {
        Self { sampling, ..self }
    }

    /// Sets the number of spheres, fixed ones not counted.
    #[must_use]
    pub fn number(self, number: impl Into<Option<u64>>) -> Self {
        let number = number.into();
        Self { number, ..self }
    }

    /// Sets the packing fraction, in which fixed spheres count.
    #[must_use]
    pub fn fraction(self, fraction: impl Into<Option<f64>>) -> Self {
        let fraction = fraction.into();
        Self { fraction, ..self }
    }

    /// Sets the container: its size, or its shape alone.
    #[must_use]
    pub fn container(self, container: ContainerSpec) -> Self {
        Self { container, ..self }
    }

    /// Sets the boundary. Without one, a box is periodic along all axes, and other shapes have walls.
    #[must_use]
    pub fn boundary(self, boundary: impl Into<Option<BoundarySpec>>) -> Self {
        let boundary = boundary.into();
        Self { boundary, ..self }
    }

    /// Sets the bodies that keep spheres out of a container of given size.
    #[must_use]
    pub fn bodies(self, bodies: Vec<Body>) -> Self {
        Self { bodies, ..self }
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

    /// Returns the container, of the requested size if it is given.
    ///
    /// # Errors
    /// [`RequestError`] if there is no such container.
    pub fn requested_container(&self) -> Result<Container, RequestError> {
        let container = self.container.container(self.boundary)?;
        if !container.volume().is_normal() {
            return Err(PackError::ContainerVolume(container.volume()).into());
        }
        if !self.bodies.is_empty() && !self.container.is_exact() {
            return Err(RequestError::NoSize("bodies that keep spheres out"));
        }
        Ok(container.without(self.bodies.iter().cloned())?)
    }

    /// Determines what follows from the request before diameters are drawn.
    ///
    /// # Errors
    /// [`RequestError`] if too much or too little is given.
    pub fn resolve(self) -> Result<ResolvedRequest, RequestError> {
        let container = self.requested_container()?;
        let is_exact = self.container.is_exact();
        if let Some(fraction) = self.fraction
            && !(fraction > 0.0 && fraction < 1.0)
        {
            return Err(PackError::Fraction(fraction).into());
        }
        if self.options.fixed.is_some() && !is_exact {
            return Err(RequestError::NoSize("fixed spheres"));
        }
        let target = match self.fraction {
            _ if is_exact => Target::Exact,
            Some(fraction) => Target::Fraction(fraction),
            None => Target::Densest,
        };
        Ok(ResolvedRequest {
            amount: self.amount(&container)?,
            fraction_of_container: self.fraction.filter(|_| is_exact),
            sizes: self.sizes,
            sampling: self.sampling,
            options: self.options.container(container).target(target),
        })
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

    /// Returns how many spheres are packed.
    fn amount(&self, container: &Container) -> Result<Amount, RequestError> {
        let given = match &self.sizes {
            Sizes::Law(_) => None,
            Sizes::Diameters(diameters) => Some(diameters.len() as u64),
        };
        if let (Some(number), Some(diameters)) = (self.number, given)
            && number != diameters
        {
            return Err(RequestError::OtherNumber { number, diameters });
        }
        let number = given.or(self.number);
        let listed = self.sizes.listed();
        if !self.container.is_exact() {
            let number = number.or(listed).unwrap_or(DEFAULT_NUMBER);
            return Ok(Amount::Number(number));
        }
        match (self.fraction, number) {
            (Some(_), Some(_)) => Err(RequestError::TooMuch),
            (None, None) => listed.map(Amount::Number).ok_or(RequestError::TooLittle),
            (None, Some(number)) => Ok(Amount::Number(number)),
            (Some(fraction), None) => {
                let present = self.options.fixed.as_ref();
                let present = present.map_or(0.0, |fixed| fixed.spheres.volume());
                let volume = fraction * container.volume() - present;
                if volume > 0.0 {
                    return Ok(Amount::Volume(volume));
                }
                Err(RequestError::Full {
                    fraction: present / container.volume(),
                })
            }
        }
    }
}

/// The number of spheres to draw, or their volume.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
enum Amount {
    Number(u64),
    Volume(f64),
}

/// A request whose container and target are known.
#[derive(Clone, Debug, Serialize)]
pub struct ResolvedRequest {
    sizes: Sizes,
    sampling: Sampling,
    amount: Amount,
    options: PackOptions,
    fraction_of_container: Option<f64>,
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
        match self.amount {
            Amount::Number(number) => number as f64,
            Amount::Volume(volume) => (volume / self.sizes.distribution().mean_volume()).ceil(),
        }
    }

    /// Returns the volume of the spheres that are not fixed, if the number of spheres follows from it.
    pub fn volume(&self) -> Option<f64> {
        match self.amount {
            Amount::Number(_) => None,
            Amount::Volume(volume) => Some(volume),
        }
    }

    /// Returns the requested packing fraction, if the number of spheres follows from it.
    pub fn fraction_of_container(&self) -> Option<f64> {
        self.fraction_of_container
    }

    /// Draws the diameters. Returns the radii, and the options of their run. On ranks, all of them must call, and each one receives the
    /// radii of its share.
    ///
    /// # Errors
    /// [`RequestError`] if a volume demands too many spheres.
    pub fn draw(self, ranks: &Ranks) -> Result<(Vec<f64>, PackOptions), RequestError> {
        let (sampling, seed) = (self.sampling, self.options.seed);
        let spec = match self.sizes {
            Sizes::Law(spec) => spec,
            Sizes::Diameters(diameters) => {
                let radii = diameters.into_iter().map(|diameter| 0.5 * diameter);
                return Ok((radii.collect(), self.options));
            }
        };
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
        Ok((sample.radii(), self.options.sizes(sample.source)))
    }
}
