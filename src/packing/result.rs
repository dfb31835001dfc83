//! The result of a run: spheres in a container, with their certificate and provenance.

use glam::DVec3;
use serde::{Deserialize, Serialize};

use super::{
    certificate::{Certificate, certify},
    component::{self, ComponentError, PackedComponent},
    force::{ContactForces, ForceError},
    provenance::Provenance,
    stability::{StabilityCertificate, certify_supports},
    support::{Supports, SupportsError},
};
use crate::{
    container::{Container, Direction},
    distribution::SizeReport,
    machine::ranks::Ranks,
    spheres::Spheres,
};

/// A finished packing. The certificate belongs to the spheres and the container, so that none of them changes alone.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "PackingParts")]
#[non_exhaustive]
pub struct Packing {
    pub(crate) spheres: Spheres,
    pub(crate) fixed: usize,
    pub(crate) container: Container,
    pub(crate) certificate: Certificate,
    /// The components of a blend; none of other packings.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) components: Vec<PackedComponent>,
    /// The forces at the contacts; absent if the packing is not jammed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) forces: Option<ContactForces>,
    /// The supports of spheres at rest; absent of other packings.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) supports: Option<Supports>,
    /// The certificate of the supports.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) stability: Option<StabilityCertificate>,
    /// Requested and achieved sizes; absent if the spheres came without a size distribution.
    pub sizes: Option<SizeReport>,
    /// The account of the run; absent if the packing was read from a file without one.
    pub provenance: Option<Provenance>,
    /// Unit of all lengths, as the user named it (`"mm"`), or empty.
    pub unit: String,
}

/// The parts of a packing in a text, whose certificates are made anew.
#[derive(Deserialize)]
pub(crate) struct PackingParts {
    pub spheres: Spheres,
    #[serde(default)]
    pub fixed: usize,
    #[serde(default)]
    pub components: Vec<PackedComponent>,
    pub forces: Option<ContactForces>,
    #[serde(default)]
    pub supports: Option<Supports>,
    pub container: Container,
    pub sizes: Option<SizeReport>,
    pub provenance: Option<Provenance>,
    pub unit: String,
}

impl TryFrom<PackingParts> for Packing {
    type Error = Box<dyn std::error::Error>;

    fn try_from(parts: PackingParts) -> Result<Self, Self::Error> {
        let (fixed, spheres) = (parts.fixed, parts.spheres.len());
        if fixed > spheres {
            let what =
                format!("fixed is {fixed}; it must be at most {spheres}, the number of spheres");
            return Err(what.into());
        }
        let packing = Self {
            sizes: parts.sizes,
            provenance: parts.provenance,
            unit: parts.unit,
            fixed,
            ..Self::new(parts.spheres, parts.container)
        };
        let packing = packing.with_components(parts.components)?;
        Ok(packing
            .with_forces(parts.forces)?
            .with_supports(parts.supports)?)
    }
}

impl Packing {
    /// Certifies spheres in a container. Sizes, provenance and unit are absent.
    ///
    /// Cost: that of [`certify`].
    pub fn new(spheres: Spheres, container: Container) -> Self {
        let certificate = certify(&spheres, &container);
        Self::certified(spheres, container, certificate)
    }

    /// Creates a packing of certified spheres.
    pub(crate) fn certified(
        spheres: Spheres,
        container: Container,
        certificate: Certificate,
    ) -> Self {
        Self {
            spheres,
            fixed: 0,
            components: Vec::new(),
            forces: None,
            supports: None,
            stability: None,
            container,
            certificate,
            sizes: None,
            provenance: None,
            unit: String::new(),
        }
    }

    /// Declares the last `count` spheres fixed.
    ///
    /// # Panics
    /// If there are fewer spheres.
    #[must_use]
    pub fn with_fixed(self, count: usize) -> Self {
        let spheres = self.spheres.len();
        assert!(count <= spheres, "{count} of {spheres} spheres are fixed");
        Self {
            fixed: count,
            ..self
        }
    }

    /// Declares which spheres belong to which component of a blend.
    ///
    /// # Errors
    /// [`ComponentError`] if a range does not fit the number of spheres, two ranges overlap, or a density is not positive and finite.
    pub fn with_components(self, components: Vec<PackedComponent>) -> Result<Self, ComponentError> {
        component::of_spheres(&components, self.spheres.len())?;
        Ok(Self { components, ..self })
    }

    /// Declares the forces at the contacts, or that there are none.
    ///
    /// # Errors
    /// [`ForceError::Sphere`] if a contact belongs to a sphere that the packing does not have.
    pub fn with_forces(self, forces: impl Into<Option<ContactForces>>) -> Result<Self, ForceError> {
        let forces = forces.into();
        forces
            .iter()
            .try_for_each(|forces| forces.check_ids(self.spheres.len()))?;
        Ok(Self { forces, ..self })
    }

    /// Returns the forces at the contacts; `None` if the packing is not known to be jammed.
    pub fn forces(&self) -> Option<&ContactForces> {
        self.forces.as_ref()
    }

    /// Declares the supports of the spheres, and certifies them.
    ///
    /// # Cost
    /// Linear in the number of supports.
    ///
    /// # Errors
    /// [`SupportsError`] if the supports do not fit the number of spheres.
    pub fn with_supports(
        self,
        supports: impl Into<Option<Supports>>,
    ) -> Result<Self, SupportsError> {
        let supports = supports.into();
        let certified = |supports: &Supports| {
            supports.check(self.spheres.len())?;
            let (spheres, container) = (&self.spheres, &self.container);
            Ok(certify_supports(spheres, self.fixed, container, supports))
        };
        let stability = supports.as_ref().map(certified).transpose()?;
        Ok(Self {
            supports,
            stability,
            ..self
        })
    }

    /// Returns the supports of spheres at rest under gravity; `None` of other packings.
    pub fn supports(&self) -> Option<&Supports> {
        self.supports.as_ref()
    }

    /// Returns the result of the independent check of the supports; `None` without supports.
    pub fn stability(&self) -> Option<StabilityCertificate> {
        self.stability
    }

    /// Returns the direction of gravity in a bed at rest, on supports or by forces; `None` of other packings.
    pub fn gravity(&self) -> Option<Direction> {
        let of_forces = self.forces.as_ref().and_then(|forces| forces.gravity);
        self.supports.as_ref().map(Supports::gravity).or(of_forces)
    }

    /// Returns the components of the blend from which the spheres come; none of other packings.
    ///
    /// On ranks, all ranks have the same components, each with the spheres of its own part.
    pub fn components(&self) -> &[PackedComponent] {
        &self.components
    }

    /// Returns the position of the component of each sphere; `None` for spheres without one, such as fixed spheres.
    pub fn component_ids(&self) -> Vec<Option<u32>> {
        let none = || vec![None; self.spheres.len()];
        component::of_spheres(&self.components, self.spheres.len()).unwrap_or_else(|_| none())
    }

    /// Returns centers and radii in the caller's unit; all centers are inside the container.
    pub fn spheres(&self) -> &Spheres {
        &self.spheres
    }

    /// Returns the spheres without the container.
    pub fn into_spheres(self) -> Spheres {
        self.spheres
    }

    /// Returns the number of fixed spheres, which kept their positions: the last ones.
    pub fn fixed(&self) -> usize {
        self.fixed
    }

    /// Returns the container.
    pub fn container(&self) -> &Container {
        &self.container
    }

    /// Returns the result of the independent check of exactly these numbers.
    pub fn certificate(&self) -> Certificate {
        self.certificate
    }

    /// Returns the packing with the spheres of all ranks on the first one, and without spheres on the others. Each rank passes a packing
    /// with its share of the spheres, as in [`PackRun`](crate::rearrange::PackRun).
    ///
    /// Cost: a message of 32 bytes per sphere. The first rank must have memory for all spheres.
    pub fn on_first_rank(&self, ranks: &Ranks) -> Self {
        let centers = self.spheres.centers().iter().map(DVec3::to_array);
        let centers: Vec<[f64; 3]> = ranks.send_to_first(centers.collect());
        let radii = ranks.send_to_first(self.spheres.radii().to_vec());
        let fixed = ranks.send_to_first(vec![self.fixed]);
        Self {
            spheres: Spheres::new(centers.into_iter().map(DVec3::from).collect(), radii),
            container: self.container.clone(),
            fixed: fixed.into_iter().sum(),
            components: component::on_first_rank(&self.components, self.spheres.len(), ranks),
            // A share of the spheres has no forces.
            forces: self.forces.clone().filter(|_| ranks.is_alone()),
            certificate: self.certificate,
            // Poured packings have one rank.
            supports: self.supports.clone(),
            stability: self.stability,
            sizes: self.sizes.clone(),
            provenance: self.provenance.clone(),
            unit: self.unit.clone(),
        }
    }

    /// Returns the volume of the spheres divided by the volume of the container.
    pub fn packing_fraction(&self) -> f64 {
        self.container.volume_of(self.spheres.radii()) / self.container.volume()
    }

    /// Returns whether the sphere at a position of the arrays is fixed.
    pub fn is_fixed(&self, sphere: usize) -> bool {
        sphere + self.fixed >= self.spheres.len()
    }
}
