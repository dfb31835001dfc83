//! Packing fraction along an axis, from the walls, and along a radius.

use glam::DVec3;
use serde::Serialize;

use super::{
    constants::{PROFILE_BINS, RADIAL_BINS, WALL_BINS, WALL_DIAMETERS},
    coordinate::{ProfileAlong, RadiusOrigin},
    cuts::Cuts,
    scene::Scene,
    void::Probe,
};

/// The local packing fraction in slices of the container.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Profiles {
    /// Name of the axis: `x`, `y` or `z`.
    pub axis: char,
    /// Middle of each slice perpendicular to the axis, in the caller's unit.
    pub position: Vec<f64>,
    /// Packing fraction of each slice.
    ///
    /// In a box, and along the axis of a cylinder, it follows exactly from the volumes that the planes between the slices cut
    /// from the spheres. In other containers it is the share of random points inside spheres.
    pub packing_fraction: Vec<f64>,
    /// Packing fraction as a function of the distance from the nearest wall; absent without walls.
    pub wall: Option<SampledProfile>,
    /// Packing fraction as a function of the distance from the axis or the center.
    ///
    /// In a cylinder and in a sphere it follows from the volumes of the spheres in shells of equal width, up to the wall. In other
    /// containers it is the share of random points inside spheres.
    pub radius: SampledProfile,
    /// The line or point from which the radius is measured.
    pub radius_origin: RadiusOrigin,
}

impl Profiles {
    /// Computes all profiles.
    ///
    /// # Cost
    /// O(N), on rayon's threads, beyond the random points.
    pub(super) fn of_scene(scene: &Scene, axis: usize, probes: &[Probe]) -> Self {
        let lengths = scene.container.lengths();
        let (position, packing_fraction) = match exact(scene, ProfileAlong::of_axis(axis)) {
            Some(slices) => (slices.distance, slices.packing_fraction),
            None => {
                let along = sampled(probes, lengths[axis], PROFILE_BINS, |point| point[axis]);
                (along.distance, along.packing_fraction)
            }
        };
        let wall = |point| scene.container.wall_gap(point, 0.0);
        let farthest = farthest(probes, wall);
        let extent = farthest.min(WALL_DIAMETERS * 2.0 * scene.largest_radius());
        Self {
            axis: ['x', 'y', 'z'][axis],
            position,
            packing_fraction,
            wall: farthest
                .is_finite()
                .then(|| sampled(probes, extent, WALL_BINS, wall)),
            radius: exact(scene, ProfileAlong::Radius)
                .unwrap_or_else(|| sampled_radius(scene, probes)),
            radius_origin: RadiusOrigin::of(scene.container),
        }
    }
}

/// Returns the profile of all spheres from the volumes that surfaces cut from them; `None` if these volumes have no formula.
fn exact(scene: &Scene, along: ProfileAlong) -> Option<SampledProfile> {
    let cuts = Cuts::new(scene, along).ok().filter(Cuts::are_exact)?;
    let solid = cuts.of_spheres(scene, 1, |_| 0);
    let fractions = solid.iter().zip(cuts.volumes());
    Some(SampledProfile {
        distance: cuts.middles(),
        packing_fraction: fractions.map(|(solid, volume)| solid / volume).collect(),
        standard_error: vec![0.0; cuts.bins()],
    })
}

/// Returns the share of solid points in bins of the radius, up to the largest radius that lies in the bounding box all around.
fn sampled_radius(scene: &Scene, probes: &[Probe]) -> SampledProfile {
    let (container, origin) = (scene.container, RadiusOrigin::of(scene.container));
    let from_origin = |point| origin.distance(container, point);
    let extent = farthest(probes, from_origin).min(origin.reach(container));
    sampled(probes, extent, RADIAL_BINS, from_origin)
}

/// Returns the largest distance of the points.
fn farthest(probes: &[Probe], distance: impl Fn(DVec3) -> f64) -> f64 {
    let distances = probes.iter().map(|probe| distance(probe.point));
    distances.fold(0.0, f64::max)
}

/// A local packing fraction as a function of a distance: the share of random points inside spheres, or the exact share of the volume.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct SampledProfile {
    /// Middle of each bin, in the caller's unit. Bins without a point are left out.
    pub distance: Vec<f64>,
    /// Packing fraction in each bin.
    pub packing_fraction: Vec<f64>,
    /// Standard error of each packing fraction, from the number of points; 0 for exact volumes.
    pub standard_error: Vec<f64>,
}

/// Returns the share of solid points in bins of a distance from 0 to `extent`.
pub(super) fn sampled(
    probes: &[Probe],
    extent: f64,
    bins: usize,
    distance: impl Fn(DVec3) -> f64,
) -> SampledProfile {
    let mut counts = vec![[0_usize; 2]; bins];
    for probe in probes {
        let bin = (distance(probe.point) / extent * bins as f64) as usize;
        if let Some([all, solid]) = counts.get_mut(bin) {
            *all += 1;
            *solid += usize::from(probe.is_solid());
        }
    }
    let used = || counts.iter().enumerate().filter(|(_, [all, _])| *all > 0);
    let share = |[all, solid]: &[usize; 2]| *solid as f64 / *all as f64;
    let error = |counts: &[usize; 2]| {
        let share = share(counts);
        (share * (1.0 - share) / counts[0] as f64).sqrt()
    };
    SampledProfile {
        distance: used()
            .map(|(bin, _)| extent * (bin as f64 + 0.5) / bins as f64)
            .collect(),
        packing_fraction: used().map(|(_, counts)| share(counts)).collect(),
        standard_error: used().map(|(_, counts)| error(counts)).collect(),
    }
}
