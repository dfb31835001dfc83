//! Requests for beds.

use super::{
    error::PourError,
    options::PourOptions,
    pourer::{PourRun, Pourer},
};
use crate::{
    container::{Body, BoundarySpec, ContainerSpec},
    distribution::Sampling,
    rearrange::FixedSpheres,
    request::Sizes,
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

    /// Sets the method by which diameters are drawn from a law.
    #[must_use]
    pub fn sampling(self, sampling: Sampling) -> Self {
        Self { sampling, ..self }
    }

    /// Sets the boundary. Without one, the vessel has walls on all sides.
    #[must_use]
    pub fn boundary(self, boundary: impl Into<Option<BoundarySpec>>) -> Self {
        let boundary = boundary.into();
        Self { boundary, ..self }
    }

    /// Sets the bodies that keep spheres out.
    #[must_use]
    pub fn bodies(self, bodies: Vec<Body>) -> Self {
        Self { bodies, ..self }
    }

    /// Sets the spheres that keep their positions, on which the others may rest.
    #[must_use]
    pub fn fixed(mut self, fixed: Option<FixedSpheres>) -> Self {
        self.options.fixed = fixed;
        self
    }

    /// Sets the number of spheres, fixed ones not counted.
    #[must_use]
    pub fn number(self, number: impl Into<Option<u64>>) -> Self {
        let number = number.into();
        Self { number, ..self }
    }

    /// Sets the volume of all spheres, fixed ones not counted.
    #[must_use]
    pub fn volume(self, volume: impl Into<Option<f64>>) -> Self {
        let volume = volume.into();
        Self { volume, ..self }
    }

    /// Sets the mass of all spheres, fixed ones not counted, in the unit of the density times the cube of the unit of length.
    #[must_use]
    pub fn mass(self, mass: impl Into<Option<f64>>) -> Self {
        let mass = mass.into();
        Self { mass, ..self }
    }

    /// Sets the density of all spheres, with which a mass gives a volume. Without one, the densities of the components of a blend serve.
    #[must_use]
    pub fn density(self, density: impl Into<Option<f64>>) -> Self {
        let density = density.into();
        Self { density, ..self }
    }

    /// Sets the height above the lowest point of the container to which spheres fill the vessel. A list of diameters is used as far as it
    /// is needed. A free length of the vessel becomes this height.
    #[must_use]
    pub fn height(self, height: impl Into<Option<f64>>) -> Self {
        let height = height.into();
        Self { height, ..self }
    }

    /// Sets everything else. The request replaces container, ceiling and sizes of the options, and keeps its fixed spheres.
    #[must_use]
    pub fn options(self, options: PourOptions) -> Self {
        let fixed = options.fixed.clone().or(self.options.fixed);
        let options = options.fixed(fixed);
        Self { options, ..self }
    }

    /// Draws the diameters, and prepares the deposition.
    ///
    /// # Errors
    /// [`PourError`] if the request cannot be poured.
    pub fn pourer(self) -> Result<Pourer, PourError> {
        Pourer::new(Vec::new(), self.options)
    }

    /// Draws the diameters and pours the spheres.
    ///
    /// # Errors
    /// [`PourError`] if the request cannot be poured.
    pub fn pour(self) -> Result<PourRun, PourError> {
        let go_on = |_: &super::PourProgress| std::ops::ControlFlow::Continue(());
        Ok(self.pourer()?.run(&mut { go_on }))
    }
}
