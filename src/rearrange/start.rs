//! Given centers at which spheres start, instead of at random.

use std::sync::Arc;

use glam::DVec3;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::{moves::pending::PendingSphere, placement::Space};
use crate::{
    container::{Container, frame::Steps},
    machine::{divided::Divided, parallel::Erase},
};

/// Centers at which the spheres of a run start, instead of at random.
///
/// The centers are those in [`PackOptions::container`](crate::PackOptions::container), whatever the target. Where the loop starts in a
/// smaller or larger container of this shape, they move with its faces. Spheres may overlap. A sphere that crosses a wall or a body is
/// moved off it.
///
/// Towards a requested container or packing fraction, the loop starts at the requested size, so that it only removes the overlaps.
/// Without one, it starts at the size of a random start, and packs the spheres as densely as the effort allows. No sphere is inserted
/// later.
///
/// A checkpoint keeps the name and a digest of the centers, but not the centers: those of a run that has begun are among its spheres.
///
/// # Example
/// ```
/// use jostle::{Boundaries, Container, PackOptions, Target, glam::DVec3, pack, rearrange::Start};
///
/// let options = PackOptions::default()
///     .container(Container::cuboid(DVec3::splat(4.0), Boundaries::PERIODIC)?)
///     .target(Target::Exact)
///     .start(Start::new("pair", vec![DVec3::splat(1.0), DVec3::new(1.0, 1.0, 1.9)]));
/// let packing = pack(&[0.5, 0.5], &options)?.packing;
/// assert_eq!(packing.certificate().max_overlap, 0.0);
/// assert_eq!(packing.container().lengths(), DVec3::splat(4.0));
/// assert!(packing.spheres().centers()[0].distance(DVec3::splat(1.0)) < 0.1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Start {
    name: String,
    digest: u64,
    #[serde(skip)]
    centers: Arc<[DVec3]>,
}

/// Two starts are equal if their names and their centers are equal. The digests of the centers are compared.
impl PartialEq for Start {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name && self.digest == other.digest
    }
}

/// Centers that cannot be the start of a run.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum StartError {
    /// The number of centers is not that of the radii.
    #[error("the start has {centers} centers for {spheres} spheres; it must have one for each")]
    Count {
        /// The number of centers.
        centers: usize,
        /// The number of spheres.
        spheres: usize,
    },
    /// A center is not finite.
    #[error("the center {center} of sphere {sphere} at the start must be finite")]
    Center {
        /// Position in the array.
        sphere: usize,
        /// The center.
        center: DVec3,
    },
    /// A center lies farther outside of the container than the largest radius.
    #[error(
        "sphere {sphere} starts at {center}, outside of the container, whose bounding box extends from the origin to {lengths}; \
         expected a center in it, or beyond a wall by at most the largest radius"
    )]
    Outside {
        /// Position in the array.
        sphere: usize,
        /// The center.
        center: DVec3,
        /// Lengths of the bounding box.
        lengths: DVec3,
    },
}

impl Start {
    /// Starts spheres at these centers, which have the order of the radii. `name` is that of their origin in the provenance, such as a
    /// file.
    pub fn new(name: impl Into<String>, centers: impl Into<Arc<[DVec3]>>) -> Self {
        let centers = centers.into();
        Self {
            name: name.into(),
            digest: digest(&centers),
            centers,
        }
    }

    /// Returns the name of the origin of the centers.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the centers; none in the options of a checkpoint that was read.
    pub fn centers(&self) -> &[DVec3] {
        &self.centers
    }

    /// Rejects centers that do not belong to the spheres or lie far outside of the container.
    pub(super) fn check(&self, radii: &Divided, container: &Container) -> Result<(), StartError> {
        let (centers, spheres) = (self.centers.len(), radii.len());
        if centers != spheres {
            return Err(StartError::Count { centers, spheres });
        }
        let is_wild = |center: &DVec3| !center.is_finite();
        if let Some(sphere) = self.centers.iter().position(is_wild) {
            let center = self.centers[sphere];
            return Err(StartError::Center { sphere, center });
        }
        let (lengths, reach) = (container.lengths(), DVec3::splat(radii.largest()));
        let is_outside = |center: &DVec3| {
            let center = container.wrap(*center);
            center.clamp(-reach, lengths + reach) != center || !container.is_in_plane(center)
        };
        if let Some(sphere) = self.centers.iter().position(is_outside) {
            let center = self.centers[sphere];
            return Err(StartError::Outside {
                sphere,
                center,
                lengths,
            });
        }
        Ok(())
    }

    /// Returns the positions of `spheres` in a container of the shape of `stated`, to which the centers belong.
    pub(super) fn positions(
        &self,
        spheres: &[PendingSphere],
        stated: &Container,
        space: Space,
    ) -> Vec<Steps> {
        let factor = space.frame.lengths() / stated.lengths();
        let position = |sphere: &PendingSphere| {
            let center = stated.wrap(self.centers[sphere.original as usize]);
            let at = space.frame.nearest_to(factor * center);
            let wall_radius = sphere.radius + space.wall_offset;
            (space.container).confine(space.frame, at, [0; 3], wall_radius)
        };
        spheres.par_iter().erased().map(position).collect()
    }
}

/// Returns a number that differs for other centers: FNV-1a (Fowler, Noll & Vo) of the bits, a word at a time.
fn digest(centers: &[DVec3]) -> u64 {
    let numbers = centers.iter().flat_map(DVec3::to_array);
    numbers.fold(0xcbf2_9ce4_8422_2325, |hash, number| {
        (hash ^ number.to_bits()).wrapping_mul(0x0000_0100_0000_01b3)
    })
}
