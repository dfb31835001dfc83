//! Local packing fractions of groups of spheres.

use serde::Serialize;

use super::{
    coordinate::ProfileAlong, cuts::Cuts, error::AnalysisError, groups::Groups, scene::Scene,
};
use crate::{container::Container, spheres::Spheres};

/// The local packing fraction of each group of spheres, as a function of a coordinate.
///
/// The container is divided into bins of equal width: 100 slices along an axis, 100 layers from the walls up to a depth of five largest
/// diameters, or 200 shells along the radius of a cylinder or a sphere (25 in other containers). The packing fraction of a group in a bin
/// is the volume of the parts of its spheres that lie in the bin, divided by the volume of the bin. Volumes have formulas
///
/// - along an axis in boxes, and along z in cylinders: spherical caps;
/// - from the walls of boxes: [`volume_in_box`](super::volume_in_box);
/// - from the walls and along the radius of cylinders and spheres: the common volume of two balls, or a quadrature of the common area of
///   two discs, with an error below 3 · 10⁻⁷ of the volume of a sphere.
///
/// In other containers, and around bodies, evenly spread points take the place of the formulas: about two million in the container and
/// four million in the spheres, at least 16 and at most 1024 in a sphere. Caps have formulas in all containers.
///
/// # Cost
/// O(N + number of crossings of spheres with surfaces between bins), on rayon's threads; with points, O(N + number of points) distances
/// from walls. The result has the same bits for any number of threads.
///
/// # Example
/// ```
/// use jostle::{Effort, PackOptions, pack, analysis::{GroupProfile, Groups, ProfileAlong}};
///
/// let options = PackOptions::default().effort(Effort::QUICK).container("ppw".parse::<jostle::Boundaries>()?);
/// let packing = pack(&[vec![0.5; 400], vec![1.0; 50]].concat(), &options)?.packing;
/// let groups = Groups::by_class(packing.spheres().radii());
/// let profile = GroupProfile::new(packing.spheres(), packing.container(), &groups, ProfileAlong::Depth)?;
/// assert_eq!(profile.groups, ["1", "2"]);
/// // The small spheres come nearer to the walls.
/// assert!(profile.packing_fraction[0][0] > profile.packing_fraction[1][0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct GroupProfile {
    /// The coordinate.
    pub along: ProfileAlong,
    /// Middle of each bin, in the caller's unit. Bins that points do not find are left out.
    pub distance: Vec<f64>,
    /// Names of the groups.
    pub groups: Vec<String>,
    /// Packing fraction of each group in each bin.
    pub packing_fraction: Vec<Vec<f64>>,
    /// Packing fraction of all spheres in each bin.
    pub total: Vec<f64>,
    /// Whether all volumes follow from formulas.
    pub is_exact: bool,
}

impl GroupProfile {
    /// Computes the profile of groups of these spheres.
    ///
    /// # Errors
    /// [`AnalysisError`] if a center or a radius is not accepted, if the groups are those of another number of spheres, or if the depth is
    /// asked for in a container without walls.
    pub fn new(
        spheres: &Spheres,
        container: &Container,
        groups: &Groups,
        along: ProfileAlong,
    ) -> Result<Self, AnalysisError> {
        groups.check(spheres.len())?;
        Self::of_scene(&Scene::new(spheres, container)?, groups, along)
    }

    /// Computes the profile of the spheres of a scene, which have the order of the groups.
    pub(super) fn of_scene(
        scene: &Scene,
        groups: &Groups,
        along: ProfileAlong,
    ) -> Result<Self, AnalysisError> {
        let cuts = Cuts::new(scene, along)?;
        let solid = cuts.of_spheres(scene, groups.names().len(), |id| groups.of()[id] as usize);
        let volumes = cuts.volumes();
        let used: Vec<usize> = (0..cuts.bins()).filter(|&bin| volumes[bin] > 0.0).collect();
        let fractions = |solid: &[f64]| -> Vec<f64> {
            used.iter().map(|&bin| solid[bin] / volumes[bin]).collect()
        };
        let packing_fraction: Vec<Vec<f64>> = solid.chunks(cuts.bins()).map(fractions).collect();
        let total = |bin: usize| packing_fraction.iter().map(|group| group[bin]).sum();
        let middles = cuts.middles();
        Ok(Self {
            along,
            distance: used.iter().map(|&bin| middles[bin]).collect(),
            groups: groups.names().to_vec(),
            total: (0..used.len()).map(total).collect(),
            packing_fraction,
            is_exact: cuts.are_exact(),
        })
    }

    /// Computes the profiles that a container has: along `axis`, from the walls if there are any, and along the radius.
    pub(super) fn all(
        scene: &Scene,
        groups: &Groups,
        axis: usize,
    ) -> Result<Vec<Self>, AnalysisError> {
        groups.check(scene.own.len())?;
        let along = [
            ProfileAlong::of_axis(axis),
            ProfileAlong::Depth,
            ProfileAlong::Radius,
        ];
        let profiles = along.map(|along| Self::of_scene(scene, groups, along));
        let is_possible = |profile: &Result<Self, _>| *profile != Err(AnalysisError::NoWalls);
        profiles.into_iter().filter(is_possible).collect()
    }
}
