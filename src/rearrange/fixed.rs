//! Fixed spheres, which keep their positions while others are packed around them.

use glam::DVec3;
use serde::{Deserialize, Serialize};

use crate::{
    container::Container,
    macros::setters,
    packing::{ClosestPair, certify, exceeds_tolerance},
    spheres::Spheres,
};

/// Spheres that keep their positions while others are packed around them.
///
/// The container has exactly the requested size, [`Target::Exact`](crate::Target::Exact). Spheres that find no room in it are left
/// out of the packing; [`PackRun::left_out`](crate::rearrange::PackRun::left_out) names them.
///
/// # Example
/// ```
/// use jostle::{Boundaries, Container, PackOptions, Spheres, Target, pack, glam::DVec3, rearrange::FixedSpheres};
///
/// let skeleton = Spheres::new(vec![DVec3::splat(2.0), DVec3::new(5.0, 7.0, 6.0)], vec![2.0, 1.5]);
/// let options = PackOptions::default()
///     .container(Container::cuboid(DVec3::splat(8.0), Boundaries::PERIODIC)?)
///     .target(Target::Exact)
///     .fixed(FixedSpheres::new(skeleton.clone()));
/// let packing = pack(&[0.5; 300], &options)?.packing;
/// assert_eq!(packing.certificate().max_overlap, 0.0);
/// assert_eq!(packing.fixed(), 2);
/// assert_eq!(packing.spheres().centers()[300..], *skeleton.centers());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct FixedSpheres {
    /// The spheres, in the unit of the radii. Their numbers remain unchanged, to the bit.
    pub spheres: Spheres,
    /// Whether they may overlap each other, walls and bodies. The certificate of the packing then states these overlaps.
    pub may_overlap: bool,
    /// Largest overlap that is accepted without [`may_overlap`](Self::may_overlap), in diameters of the smaller sphere, as in
    /// [`exceeds_tolerance`](crate::packing::exceeds_tolerance). The certificate of the packing states the overlaps.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub tolerance: f64,
}

/// Without a tolerance, checkpoints have the content of older versions.
#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes a reference"
)]
fn is_zero(number: &f64) -> bool {
    *number == 0.0
}

/// Fixed spheres that are rejected.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum FixedError {
    /// A center of a fixed sphere is not finite, or its radius is not a positive, normal, finite number.
    #[error(
        "fixed sphere {sphere} must have a finite center and a positive, finite radius of at least 2.3e-308"
    )]
    Numbers {
        /// Position in the array.
        sphere: usize,
    },
    /// A center of a fixed sphere is outside of the bounding box of the container.
    #[error(
        "the center {center} of fixed sphere {sphere} is outside of the container, whose bounding box extends from the origin to {lengths}"
    )]
    Outside {
        /// Position in the array.
        sphere: usize,
        /// The center.
        center: DVec3,
        /// Lengths of the bounding box.
        lengths: DVec3,
    },
    /// Two fixed spheres overlap.
    #[error(
        "fixed spheres {sphere} and {other} overlap by {overlap:e}; fixed spheres must not overlap"
    )]
    Overlap {
        /// Position in the array.
        sphere: usize,
        /// Position of the other sphere.
        other: usize,
        /// The overlap.
        overlap: f64,
    },
    /// A fixed sphere overlaps its own periodic image.
    #[error(
        "fixed sphere {sphere} overlaps its own image along the periodic axis {axis} by {overlap:e}; fixed spheres must not overlap"
    )]
    Image {
        /// Position in the array.
        sphere: usize,
        /// The axis.
        axis: char,
        /// The overlap.
        overlap: f64,
    },
    /// A fixed sphere overlaps a body in the container.
    #[error(
        "fixed sphere {sphere} overlaps the body {body} by {overlap:e}; fixed spheres must not overlap bodies"
    )]
    Body {
        /// Position in the array.
        sphere: usize,
        /// The text form of the body.
        body: String,
        /// The overlap.
        overlap: f64,
    },
    /// A fixed sphere crosses a wall of the container.
    #[error(
        "fixed sphere {sphere} crosses a wall of the container by {overlap:e}; fixed spheres must not cross walls"
    )]
    Wall {
        /// Position in the array.
        sphere: usize,
        /// The length by which the sphere crosses the wall.
        overlap: f64,
    },
}

impl FixedError {
    /// Returns whether [`FixedSpheres::may_overlap`] allows these spheres.
    pub fn is_overlap(&self) -> bool {
        matches!(
            self,
            Self::Overlap { .. } | Self::Image { .. } | Self::Body { .. } | Self::Wall { .. }
        )
    }
}

impl FixedSpheres {
    /// Fixes spheres that overlap neither each other nor a wall nor a body.
    pub fn new(spheres: Spheres) -> Self {
        Self {
            spheres,
            may_overlap: false,
            tolerance: 0.0,
        }
    }

    setters! {
        /// Sets the largest overlap that is accepted, in diameters of the smaller sphere.
        tolerance: f64;
        /// Sets whether the fixed spheres may overlap each other, walls and bodies.
        may_overlap: bool;
    }

    /// Returns whether some overlaps of fixed spheres are accepted.
    pub fn accepts_overlap(&self) -> bool {
        self.may_overlap || self.tolerance > 0.0
    }

    /// Moves the fixed spheres by a vector, and along the periodic axes of a container into it.
    #[must_use]
    pub fn moved(mut self, shift: DVec3, container: &Container) -> Self {
        let moved = self.spheres.iter();
        let moved = moved.map(|(center, _)| container.wrap(center + shift));
        self.spheres = Spheres::new(moved.collect(), self.spheres.radii().to_vec());
        self
    }

    /// Leaves out the fixed spheres that cross a wall or a body of a container, or lie outside of it.
    #[must_use]
    pub fn cropped(mut self, container: &Container) -> Self {
        let inside = self.spheres.iter();
        let inside = inside.filter(|&(center, radius)| container.wall_gap(center, radius) >= 0.0);
        let (centers, radii) = inside.unzip();
        self.spheres = Spheres::new(centers, radii);
        self
    }

    /// Rejects fixed spheres that are no spheres, lie outside of the container, or overlap where they may not.
    pub(crate) fn check(&self, container: &Container) -> Result<(), FixedError> {
        let is_bad = |(center, radius): (DVec3, f64)| {
            !(center.is_finite() && radius > 0.0 && radius.is_normal())
        };
        if let Some(sphere) = self.spheres.iter().position(is_bad) {
            return Err(FixedError::Numbers { sphere });
        }
        let (centers, lengths) = (self.spheres.centers(), container.lengths());
        let is_outside = |center: &DVec3| {
            container.wrap(*center) != *center || center.clamp(DVec3::ZERO, lengths) != *center
        };
        if let Some(sphere) = centers.iter().position(is_outside) {
            let center = centers[sphere];
            return Err(FixedError::Outside {
                sphere,
                center,
                lengths,
            });
        }
        if self.may_overlap {
            return Ok(());
        }
        let certificate = certify(&self.spheres, container);
        let overlap = certificate.max_overlap;
        match certificate.closest {
            _ if overlap == 0.0 => Ok(()),
            _ if self.tolerance > 0.0
                && !exceeds_tolerance(&self.spheres, container, self.tolerance) =>
            {
                Ok(())
            }
            Some(ClosestPair::Spheres(sphere, other)) => Err(FixedError::Overlap {
                sphere,
                other,
                overlap,
            }),
            Some(ClosestPair::Image(sphere, axis)) => Err(FixedError::Image {
                sphere,
                axis: ['x', 'y', 'z'][axis],
                overlap,
            }),
            Some(ClosestPair::Body(sphere, body)) => Err(FixedError::Body {
                sphere,
                body: container.bodies()[body].to_string(),
                overlap,
            }),
            pair => Err(FixedError::Wall {
                sphere: pair.and_then(|pair| pair.spheres()[0]).unwrap_or(0),
                overlap,
            }),
        }
    }
}
