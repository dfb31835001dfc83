//! Packing fraction along an axis, from the walls, and along a radius.

use std::f64::consts::PI;

use glam::DVec3;
use serde::Serialize;

use super::{
    adjacency::by_task,
    constants::{PROFILE_BINS, RADIAL_BINS, WALL_BINS, WALL_DIAMETERS},
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
    /// In a box it follows exactly from the volumes that the planes between the slices cut from the spheres. In other
    /// containers it is the share of random points inside spheres.
    pub packing_fraction: Vec<f64>,
    /// Packing fraction as a function of the distance from the nearest wall; absent without walls.
    pub wall: Option<SampledProfile>,
    /// Packing fraction as a function of the distance from the centre of the bounding box.
    pub radius: SampledProfile,
}

/// A local packing fraction from random points: the share of points inside spheres.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct SampledProfile {
    /// Middle of each bin, in the caller's unit. Bins without a point are left out.
    pub distance: Vec<f64>,
    /// Packing fraction in each bin.
    pub packing_fraction: Vec<f64>,
    /// Standard error of each packing fraction, from the number of points.
    pub standard_error: Vec<f64>,
}

impl Profiles {
    /// Computes all profiles.
    ///
    /// # Cost
    /// O(N), on rayon's threads, beyond the random points.
    pub(super) fn of_scene(scene: &Scene, axis: usize, probes: &[Probe]) -> Self {
        let lengths = scene.container.lengths();
        let is_box = scene.container.volume() == lengths.element_product();
        let (position, packing_fraction) = if is_box {
            slices(scene, axis)
        } else {
            let along = sampled(probes, lengths[axis], PROFILE_BINS, |point| point[axis]);
            (along.distance, along.packing_fraction)
        };
        let wall = |point| scene.container.wall_gap(point, 0.0);
        let farthest = probes
            .iter()
            .map(|probe| wall(probe.point))
            .fold(0.0, f64::max);
        let largest = scene.radii.iter().copied().fold(0.0, f64::max);
        let extent = farthest.min(WALL_DIAMETERS * 2.0 * largest);
        let from_center = |point: DVec3| point.distance(0.5 * lengths);
        let outermost = probes
            .iter()
            .map(|probe| from_center(probe.point))
            .fold(0.0, f64::max);
        let radial = outermost.min(0.5 * lengths.min_element());
        Self {
            axis: ['x', 'y', 'z'][axis],
            position,
            packing_fraction,
            wall: farthest
                .is_finite()
                .then(|| sampled(probes, extent, WALL_BINS, wall)),
            radius: sampled(probes, radial, RADIAL_BINS, from_center),
        }
    }
}

/// Returns the share of solid points in bins of a distance from 0 to `extent`.
fn sampled(
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

/// Returns the middles of the slices of a box and their packing fractions.
fn slices(scene: &Scene, axis: usize) -> (Vec<f64>, Vec<f64>) {
    let length = scene.container.lengths()[axis];
    let width = length / PROFILE_BINS as f64;
    let parts = by_task(scene.len(), |spheres| {
        let mut volumes = vec![0.0; PROFILE_BINS];
        for id in spheres {
            let (center, radius) = (scene.centers[id][axis], scene.radii[id]);
            // A sphere wider than the container counts in each slice as often as it covers the slice.
            let slice = |at: f64| (at / width).floor().clamp(-1e4, 1e4) as i64;
            let mut below = 0.0;
            for slice in slice(center - radius)..=slice(center + radius) {
                let up_to = cap(radius, (slice + 1) as f64 * width - center);
                volumes[slice.rem_euclid(PROFILE_BINS as i64) as usize] += up_to - below;
                below = up_to;
            }
        }
        volumes
    });
    let volume = scene.container.volume() / PROFILE_BINS as f64;
    (0..PROFILE_BINS)
        .map(|bin| {
            let solid: f64 = parts.iter().map(|volumes| volumes[bin]).sum();
            ((bin as f64 + 0.5) * width, solid / volume)
        })
        .unzip()
}

/// Returns the volume of a sphere below a plane at the height `z` above its centre.
fn cap(radius: f64, z: f64) -> f64 {
    let height = (radius + z).clamp(0.0, 2.0 * radius);
    PI / 3.0 * height * height * (3.0 * radius - height)
}
