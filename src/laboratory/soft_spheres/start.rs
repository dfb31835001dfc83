//! The start of a simulation: random spheres without overlap, and cell sizes of least work for them.

use glam::DVec3;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

use super::{
    constants::{MOST_SWEEPS, START_GAP, START_OVERHEAD},
    error::SoftSphereError,
};
use crate::{
    container::{Boundaries, Boundary, Container},
    laboratory::broad_phase::{BroadPhase, HGridSearch, SortedHGrid},
    spheres::Spheres,
    tuning::{CostModel, Dimension, RadiusLaw, Search, TuningError, optimal},
};

/// Returns spheres at random positions without overlap, and the box of which they fill `packing_fraction`.
///
/// The box is a cube, or for disks a square that is one largest diameter thick, with walls along z and the disks in the
/// middle. `boundary` is that of the other axes. Random positions overlap; sweeps over all overlapping pairs move both
/// spheres apart until no overlap is left. The smaller sphere moves farther.
///
/// # Errors
/// If there are no cell sizes for these radii (see [`best_cell_sizes`]), if there is no box with this packing fraction, or if
/// the spheres still overlap after many sweeps.
pub fn random_start(
    radii: &[f64],
    packing_fraction: f64,
    dimension: Dimension,
    boundary: Boundary,
    seed: u64,
) -> Result<(Spheres, Container), SoftSphereError> {
    let sizes = best_cell_sizes(
        radii,
        packing_fraction,
        dimension,
        START_OVERHEAD,
        Search::TopDown,
    )?;
    let thickness = 2.0 * largest(radii);
    let container = container(radii, packing_fraction, dimension, boundary)?;
    if 2.0 * container.largest_radius() < thickness {
        return Err(SoftSphereError::Crowded(packing_fraction));
    }
    let mut rng = Pcg64::seed_from_u64(seed);
    let centers = radii.iter().map(|&radius| {
        let point = DVec3::new(rng.random(), rng.random(), rng.random()) * container.lengths();
        let center = inside(&container, point, radius);
        match dimension {
            Dimension::Two => center.with_z(0.5 * thickness),
            Dimension::Three => center,
        }
    });
    let spheres = Spheres::new(centers.collect(), radii.to_vec());
    let mut hgrid = SortedHGrid::new(sizes, HGridSearch::TopDown)?.in_container(container.clone());
    let apart = moved_apart(spheres, &container, dimension, &mut hgrid)
        .ok_or(SoftSphereError::Crowded(packing_fraction))?;
    Ok((apart, container))
}

fn container(
    radii: &[f64],
    packing_fraction: f64,
    dimension: Dimension,
    boundary: Boundary,
) -> Result<Container, SoftSphereError> {
    let filled: f64 = radii.iter().map(|&radius| mass(radius, dimension)).sum();
    let volume = filled / packing_fraction;
    let (lengths, along_z) = match dimension {
        Dimension::Two => {
            let side = volume.sqrt();
            (DVec3::new(side, side, 2.0 * largest(radii)), Boundary::Wall)
        }
        Dimension::Three => (DVec3::splat(volume.cbrt()), boundary),
    };
    let boundaries = Boundaries([boundary, boundary, along_z]);
    Ok(Container::cuboid(lengths, boundaries)?)
}

/// Returns the mass of a disk or sphere of density 1, which is its volume.
pub(super) fn mass(radius: f64, dimension: Dimension) -> f64 {
    dimension.unit_sphere() * radius.powi(i32::from(u8::from(dimension)))
}

/// Returns a position within the periodic faces, and where the sphere crosses no wall.
fn inside(container: &Container, center: DVec3, radius: f64) -> DVec3 {
    let is_periodic = container.periods().is_finite_mask();
    let between_walls = center.clamp(DVec3::splat(radius), container.lengths() - radius);
    DVec3::select(is_periodic, container.wrap(center), between_walls)
}

/// Returns the spheres without overlap; none if they still overlap after many sweeps.
fn moved_apart(
    mut spheres: Spheres,
    container: &Container,
    dimension: Dimension,
    detector: &mut dyn BroadPhase,
) -> Option<Spheres> {
    let mut pairs = Vec::new();
    for _ in 0..MOST_SWEEPS {
        pairs.clear();
        detector.detect(&spheres, &mut |i, j| {
            pairs.push([i as usize, j as usize]);
        });
        if pairs.is_empty() {
            return Some(spheres);
        }
        let (mut centers, radii) = spheres.into_parts();
        for &[i, j] in &pairs {
            let between = container.displacement(centers[i], centers[j]);
            let overlap = radii[i] + radii[j] - between.length();
            // An earlier pair of this sweep may have moved one of the spheres.
            if overlap > 0.0 {
                let gap = START_GAP * radii[i].min(radii[j]);
                let apart = (overlap + gap) * between.normalize_or(DVec3::X);
                let [a, b] = [i, j].map(|id| mass(radii[id], dimension));
                centers[i] -= b / (a + b) * apart;
                centers[j] += a / (a + b) * apart;
            }
        }
        for (center, &radius) in centers.iter_mut().zip(&radii) {
            *center = inside(container, *center, radius);
        }
        spheres = Spheres::new(centers, radii);
    }
    None
}

/// Returns the cell sizes of least work in the unit of the radii, finest first, by the cost model of Krijgsman, Ogarko &
/// Luding 2014. The last size is the largest diameter.
///
/// `packing_fraction` is the share of the plane or of space that the disks or spheres fill. Opening a cell costs `overhead`
/// (K) overlap tests.
///
/// # Errors
/// If there is no radius, if a radius is not from 10⁻³⁰⁰ to 10³⁰⁰, if the size ratio is above 10¹⁵, or if the packing
/// fraction or the overhead factor is out of range (see [`CostModel::new`]).
pub fn best_cell_sizes(
    radii: &[f64],
    packing_fraction: f64,
    dimension: Dimension,
    overhead: f64,
    search: Search,
) -> Result<Vec<f64>, TuningError> {
    let law = RadiusLaw::from_radii(radii)?;
    let model = CostModel::new(&law, dimension, packing_fraction, overhead)?;
    let mut sizes = optimal(&model, search);
    // Rounding must not leave the largest sphere without a level.
    sizes.pop();
    let last = 2.0 * largest(radii);
    let finer = sizes.into_iter().map(|size| size * law.smallest_radius());
    Ok(finer.filter(|&size| size < last).chain([last]).collect())
}

/// Returns the largest radius; 0 without radii.
pub(super) fn largest(radii: &[f64]) -> f64 {
    radii.iter().copied().fold(0.0, f64::max)
}
