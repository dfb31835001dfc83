//! Requests for beds, and requests whose vessel and amount of spheres are known.

use std::{ops::ControlFlow, time::Duration};

use glam::DVec3;

use super::{
    checks::check_dimension,
    constants::{DENSITY_SAMPLE, DRAWN_FRACTION, MOST_SPHERES, SLACK, TRIAL, TRIAL_FRACTION},
    error::PourError,
    options::{Ceiling, Compaction, Order, PourOptions},
    pourer::{PourProgress, PourRun, Pourer},
    source::Source,
};
use crate::{
    container::{Body, Boundaries, Boundary, BoundarySpec, Container, ContainerSpec, Direction},
    distribution::{Sampling, SizeReport, SizeSource},
    jam::JamGap,
    macros::setters,
    rearrange::FixedSpheres,
    request::{Amount, MOST_CHECKED, RequestError, Sizes},
    spheres::total_volume,
};

/// A request for a bed at rest: sizes, a vessel, and one of number, volume, mass and height.
///
/// # Example
/// ```
/// use jostle::{distribution::Mono, pour::PourRequest};
///
/// let run = PourRequest::new(Mono::new(1.0)?, "cylinder:d=8,h=auto".parse()?).number(500).pour()?;
/// assert_eq!(run.packing.certificate().max_overlap, 0.0);
/// assert_eq!(run.packing.stability().unwrap().unsupported, 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct PourRequest {
    sizes: Sizes,
    sampling: Sampling,
    vessel: ContainerSpec,
    boundary: Option<BoundarySpec>,
    bodies: Vec<Body>,
    number: Option<u64>,
    volume: Option<f64>,
    mass: Option<f64>,
    density: Option<f64>,
    height: Option<f64>,
    options: PourOptions,
}

impl PourRequest {
    /// Asks for spheres of these sizes in a vessel. A free length of the vessel, which must be the one along gravity, follows from the
    /// spheres or from the [height](Self::height).
    pub fn new(sizes: impl Into<Sizes>, vessel: ContainerSpec) -> Self {
        Self {
            sizes: sizes.into(),
            sampling: Sampling::default(),
            vessel,
            boundary: None,
            bodies: Vec::new(),
            number: None,
            volume: None,
            mass: None,
            density: None,
            height: None,
            options: PourOptions::default(),
        }
    }

    setters! {
        /// Sets the method by which diameters are drawn from a law.
        sampling: Sampling;

        /// Sets the boundary. Without one, the vessel has walls on all sides.
        boundary: impl Into<Option<BoundarySpec>>;

        /// Sets the bodies that keep spheres out.
        bodies: Vec<Body>;

        /// Sets the number of spheres, fixed ones not counted.
        number: impl Into<Option<u64>>;

        /// Sets the volume of all spheres, fixed ones not counted.
        volume: impl Into<Option<f64>>;

        /// Sets the mass of all spheres, fixed ones not counted, in the unit of the density times the cube of the unit of length.
        mass: impl Into<Option<f64>>;

        /// Sets the density of all spheres, with which a mass gives a volume. It multiplies the densities of the components of a blend.
        density: impl Into<Option<f64>>;

        /// Sets the height above the lowest point of the container to which spheres fill the vessel. A list of diameters is used as far as it
        /// is needed. A free length of the vessel becomes this height.
        height: impl Into<Option<f64>>;
    }

    /// Sets the spheres that keep their positions, on which the others may rest.
    #[must_use]
    pub fn fixed(mut self, fixed: Option<FixedSpheres>) -> Self {
        self.options.fixed = fixed;
        self
    }

    /// Sets everything else. The request replaces container, ceiling and sizes of the options, and keeps its fixed spheres.
    #[must_use]
    pub fn options(self, options: PourOptions) -> Self {
        let fixed = options.fixed.clone().or(self.options.fixed);
        let options = options.fixed(fixed);
        Self { options, ..self }
    }

    /// Checks the request, and finds its vessel and the amount of spheres.
    ///
    /// # Errors
    /// [`PourError`] if the request cannot be poured, as far as this is known before diameters are drawn.
    pub fn resolve(self) -> Result<ResolvedPour, PourError> {
        self.check_amount()?;
        let free = self.free_length()?;
        let length = self.height.unwrap_or_else(|| self.long());
        let container = self.vessel.vessel(self.boundary, length);
        let container = container.map_err(RequestError::from)?;
        let container = container.without(self.bodies.iter().cloned());
        let container = container.map_err(RequestError::from)?;
        check_dimension(&container)?;
        let ceiling = match (self.height, free) {
            (Some(height), _) => Ceiling::At(height),
            (None, Some(_)) => Ceiling::Free,
            (None, None) => Ceiling::Container,
        };
        let amount = self.amount(&container)?;
        Ok(ResolvedPour::new(
            self.sizes,
            self.sampling,
            amount,
            self.options.container(container).ceiling(ceiling),
        ))
    }

    /// Draws the diameters, and prepares the deposition.
    ///
    /// # Errors
    /// [`PourError`] if the request cannot be poured.
    pub fn pourer(self) -> Result<Pourer, PourError> {
        self.resolve()?.pourer()
    }

    /// Rejects a request in which number, volume, mass and height are not given once.
    fn check_amount(&self) -> Result<(), PourError> {
        self.sizes.check_number(self.number)?;
        let amounts = [
            self.number.is_some(),
            self.volume.is_some(),
            self.mass.is_some(),
            self.height.is_some(),
        ];
        let is_fixed = self.sizes.given().is_some() && self.volume.or(self.mass).is_some();
        let given =
            amounts.into_iter().filter(|&is_given| is_given).count() + usize::from(is_fixed);
        let is_listed = self.listed().is_some();
        if given > 1 || given == 0 && !is_listed {
            return Err(PourError::Amount { given });
        }
        for (name, amount) in [
            ("the volume", self.volume),
            ("the mass", self.mass),
            ("the density", self.density),
            ("the height of the bed", self.height),
        ] {
            if let Some(value) = amount.filter(|&amount| !(amount > 0.0 && amount.is_finite())) {
                let accepted = "a positive, finite number";
                return Err(PourError::Number {
                    name,
                    value,
                    accepted,
                });
            }
        }
        let is_ordered = matches!(self.options.order, Order::LargeFirst | Order::Layers);
        if self.height.is_some() && is_ordered {
            let order = self.options.order.to_string();
            return Err(PourError::OrderOfHeight { order });
        }
        Ok(())
    }

    /// Returns the name of the free length, which must be the one along gravity.
    fn free_length(&self) -> Result<Option<&'static str>, PourError> {
        let Some(name) = self.vessel.free_length() else {
            return if self.vessel.is_exact() {
                Ok(None)
            } else {
                Err(PourError::NoVessel)
            };
        };
        let gravity = self.options.gravity;
        if self.vessel.free_axis() == Some(gravity.axis().number()) {
            return Ok(Some(name));
        }
        let (name, gravity) = (name.to_owned(), gravity.to_string());
        Err(PourError::OtherLength { name, gravity })
    }

    /// Returns a length of the vessel along gravity until the one of the bed is known: all bodies and fixed spheres lie below it.
    fn long(&self) -> f64 {
        let axis = self.options.gravity.axis().number();
        let fixed = self
            .options
            .fixed
            .iter()
            .flat_map(|fixed| fixed.spheres.iter());
        // The sum of a center and a radius is rounded.
        let fixed = fixed.map(|(center, radius)| center[axis] + (1.0 + SLACK) * radius);
        let bodies = self
            .bodies
            .iter()
            .map(|body| body.position[axis] + body.solid.lengths().max_element());
        fixed
            .chain(bodies)
            .filter(|length| length.is_finite())
            .fold(1.0, f64::max)
    }

    /// Returns the number of spheres of a list.
    fn listed(&self) -> Option<u64> {
        self.sizes.given().or(self.sizes.listed())
    }

    /// Returns how many spheres are drawn.
    fn amount(&self, container: &Container) -> Result<Amount, PourError> {
        let volume = match (self.volume, self.mass, self.height) {
            (Some(volume), _, _) => Some(volume),
            (_, Some(mass), _) => Some(mass / self.mean_density()?),
            // A list is used as far as it is needed.
            (_, _, Some(height)) if self.listed().is_none() => {
                let length = container.lengths()[self.options.gravity.axis().number()];
                Some(DRAWN_FRACTION * container.volume() * (height / length).min(1.0))
            }
            _ => None,
        };
        let number = self.number.or(self.listed()).unwrap_or_default();
        Ok(volume.map_or(Amount::Number(number), Amount::Volume))
    }

    /// Returns the density of all spheres, or that of a mixture of the components of a blend.
    fn mean_density(&self) -> Result<f64, PourError> {
        match (self.density_of_blend(), self.density) {
            (Some(mean), factor) => Ok(factor.unwrap_or(1.0) * mean),
            (None, Some(density)) => Ok(density),
            (None, None) => Err(PourError::NoDensity),
        }
    }

    /// Returns the density of a mixture of the components of a blend; `None` if they have no densities.
    fn density_of_blend(&self) -> Option<f64> {
        let Sizes::Law(spec) = &self.sizes else {
            return None;
        };
        // The components of a sample have the volumes of the blend.
        let sample = spec.sample_number(DENSITY_SAMPLE, self.sampling, self.options.seed);
        let (mut start, mut mass, mut volume) = (0, 0.0, 0.0);
        for component in &sample.source.components {
            let density = component.density?;
            let end = start + component.spheres as usize;
            let own: f64 = sample.diameters[start..end].iter().map(|d| d.powi(3)).sum();
            mass += density * own;
            volume += own;
            start = end;
        }
        (volume > 0.0).then(|| mass / volume)
    }

    /// Draws the diameters and pours the spheres.
    ///
    /// # Errors
    /// [`PourError`] if the request cannot be poured.
    pub fn pour(self) -> Result<PourRun, PourError> {
        Ok(self
            .pourer()?
            .run(&mut |_: &PourProgress| ControlFlow::Continue(())))
    }
}

/// A request for a bed whose vessel and amount of spheres are known.
#[derive(Clone, Debug)]
pub struct ResolvedPour {
    sizes: Sizes,
    sampling: Sampling,
    amount: Amount,
    options: PourOptions,
}

impl ResolvedPour {
    pub(super) fn new(
        sizes: Sizes,
        sampling: Sampling,
        amount: Amount,
        options: PourOptions,
    ) -> Self {
        Self {
            sizes,
            sampling,
            amount,
            options,
        }
    }

    /// Returns the options of the deposition, but for the origin of the radii.
    pub fn options(&self) -> &PourOptions {
        &self.options
    }

    /// Returns the sizes.
    pub fn sizes(&self) -> &Sizes {
        &self.sizes
    }

    /// Returns the number of spheres that are drawn, as far as it is known before; a height may need fewer.
    pub fn expected_spheres(&self) -> f64 {
        self.amount.expected_spheres(&self.sizes)
    }

    /// Returns the volume of the spheres, if their number follows from it.
    pub fn volume(&self) -> Option<f64> {
        self.amount.volume()
    }

    /// Draws the diameters, and rejects them as the run would, such as a sphere that is wider than its vessel.
    ///
    /// # Cost
    /// That of drawing the diameters. Of more than a million spheres, none is drawn.
    ///
    /// # Errors
    /// [`PourError`] if the run would refuse the spheres.
    pub fn check_sizes(&self) -> Result<(), PourError> {
        if self.expected_spheres() <= MOST_CHECKED {
            self.clone().pourer()?;
        }
        Ok(())
    }

    /// Estimates the wall time of the deposition: pours 5000 spheres of the same sizes onto a floor without side walls. The time of a
    /// deposition is about proportional to the number of spheres. That of the jamming is not estimated.
    ///
    /// # Cost
    /// That of pouring these spheres, with the same compaction.
    ///
    /// # Errors
    /// [`PourError`] if the spheres of the trial cannot be poured.
    pub fn estimated_time(&self) -> Result<Duration, PourError> {
        let count = self.expected_spheres().min(TRIAL);
        let radii = (self.sizes).trial(count as usize, self.sampling, self.options.seed);
        let largest = radii.iter().copied().fold(0.0, f64::max);
        let side = (total_volume(&radii) / TRIAL_FRACTION).cbrt();
        let side = side.max(4.0 * largest);
        let lengths = DVec3::splat(side);
        let layer = Boundaries::of_plane([Boundary::Periodic; 2]);
        let container = Container::cuboid(lengths, layer).map_err(RequestError::from)?;
        let options = PourOptions {
            container,
            ceiling: Ceiling::Free,
            gravity: Direction::default(),
            order: match self.options.order {
                Order::Layers => Order::Random,
                order => order,
            },
            source: Source::Rain,
            compaction: match self.options.compaction {
                // As many taps as equal spheres need for a large part of their range.
                Compaction::Fraction(_) => Compaction::Taps(3),
                compaction => compaction,
            },
            jam: JamGap::OFF,
            fixed: None,
            ..self.options.clone()
        };
        let run =
            Pourer::new(radii, options)?.run(&mut |_: &PourProgress| ControlFlow::Continue(()));
        let times = self.expected_spheres() / count;
        let seconds = run.elapsed.as_secs_f64() * times;
        let time = Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX);
        Ok((self.options.time_limit).map_or(time, |limit| limit.min(time)))
    }

    /// Draws the diameters, and prepares the deposition.
    ///
    /// # Errors
    /// [`PourError`] if the request cannot be poured.
    pub fn pourer(self) -> Result<Pourer, PourError> {
        let (radii, sizes) = self.draw()?;
        Pourer::new(radii, self.options.sizes(sizes))
    }

    /// Draws the diameters. Returns the radii and their origin.
    fn draw(&self) -> Result<(Vec<f64>, SizeSource), PourError> {
        let (sampling, seed) = (self.sampling, self.options.seed);
        let spec = match &self.sizes {
            Sizes::Law(spec) => spec,
            Sizes::Diameters(diameters) => {
                let dimension = self.options.container.dimension();
                let report = SizeReport::of_given(dimension, diameters);
                let source = SizeSource::new("", "", Sampling::Stratified, seed, report);
                let radii = diameters.iter().map(|diameter| 0.5 * diameter);
                return Ok((radii.collect(), source));
            }
        };
        let sample = match self.amount {
            Amount::Volume(volume) => spec
                .sample_volume(volume, sampling, seed)
                .map_err(RequestError::from)?,
            Amount::Number(count) => match usize::try_from(count) {
                Ok(number) if number <= MOST_SPHERES => spec.sample_number(number, sampling, seed),
                _ => return Err(PourError::TooMany { count }),
            },
        };
        Ok((sample.radii(), sample.source))
    }
}
