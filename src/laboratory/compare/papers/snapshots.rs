//! The spheres of a case: the first snapshot, and each following one.

use glam::DVec3;
use rand::{SeedableRng, seq::SliceRandom};
use rand_pcg::Pcg64;

use super::experiment::{Case, CaseError, Experiment};
use crate::{
    distribution::{Sampling, SizeDistribution, UniformVolume},
    laboratory::compare::{constants::PACKING_FRACTION, random::random_point},
    spheres::{Spheres, total_volume},
};

/// Returns the spheres of a case before the first cycle.
///
/// # Errors
/// The errors of [`Case::check`].
pub fn first_snapshot(case: &Case) -> Result<Spheres, CaseError> {
    case.check()?;
    let mut rng = Pcg64::seed_from_u64(case.seed);
    let count = case.spheres;
    Ok(match case.experiment {
        Experiment::I => equal_spheres(lattice_points(count, 1.0)),
        Experiment::Ii => equal_spheres(lattice_points(count, case.spacing)),
        Experiment::Iii => {
            let side = lattice_side(count) as f64 * case.spacing;
            equal_spheres((0..count).map(|_| side * random_point(&mut rng)).collect())
        }
        Experiment::Iv => equal_spheres((0..count).map(|_| random_point(&mut rng)).collect()),
        Experiment::V => {
            let mut radii = uniform_volume_radii(count, case.size_ratio)?;
            radii.shuffle(&mut rng);
            let side = (total_volume(&radii) / PACKING_FRACTION).cbrt();
            let centers = (0..count).map(|_| side * random_point(&mut rng)).collect();
            Spheres::new(centers, radii)
        }
    })
}

/// Returns the snapshot that follows `spheres` after a move of a case; moves are counted from 0.
///
/// Every sphere makes a step of the case. In IV every sphere gets another random position in the cell.
pub(super) fn next_snapshot(
    case: &Case,
    spheres: &Spheres,
    number: usize,
    rng: &mut Pcg64,
) -> Spheres {
    let centers = spheres
        .centers()
        .iter()
        .map(|&center| match case.experiment {
            Experiment::Iv => random_point(rng),
            _ => center + case.steps.step(center, number, rng),
        });
    Spheres::new(centers.collect(), spheres.radii().to_vec())
}

fn equal_spheres(centers: Vec<DVec3>) -> Spheres {
    let radii = vec![0.5; centers.len()];
    Spheres::new(centers, radii)
}

/// Returns the number of points along each side of the smallest cubic lattice that has `count` points.
fn lattice_side(count: usize) -> usize {
    (0..).find(|side: &usize| side.pow(3) >= count).unwrap_or(0)
}

/// Returns the first `count` points of a cubic lattice; z runs fastest and x slowest (Eqs. 12 and 18).
fn lattice_points(count: usize, spacing: f64) -> Vec<DVec3> {
    let side = lattice_side(count);
    (0..count)
        .map(|i| {
            let [x, y, z] = [i / side / side, i / side % side, i % side];
            spacing * DVec3::new(x as f64, y as f64, z as f64)
        })
        .collect()
}

/// Returns a stratified sample of `f(r) ∝ r⁻³` between 0.5 and 0.5 ω, which always contains the rare largest sizes.
fn uniform_volume_radii(count: usize, ratio: f64) -> Result<Vec<f64>, CaseError> {
    if ratio == 1.0 {
        return Ok(vec![0.5; count]);
    }
    let law = UniformVolume::new(1.0, ratio).map_err(|_| CaseError::SizeRatio(ratio))?;
    let law = SizeDistribution::UniformVolume(law);
    Ok(law.sample_number(count, Sampling::Stratified, 0).radii())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spheres(experiment: Experiment, count: usize) -> Spheres {
        first_snapshot(&experiment.cases(&[count], 1)[0]).unwrap()
    }

    #[test]
    fn block_and_sparse_lattice_are_as_in_the_paper() {
        let block = spheres(Experiment::I, 27);
        assert_eq!(block.centers()[1], DVec3::Z);
        assert_eq!(block.centers()[26], DVec3::splat(2.0));

        let sparse = Experiment::Ii.cases(&[8], 1);
        let sparsest = sparse.last().unwrap();
        assert_eq!(sparsest.spacing.powi(3), 8e6);
        let last_center = first_snapshot(sparsest).unwrap().centers()[7];
        assert_eq!(last_center, DVec3::splat(200.0));
    }

    #[test]
    fn random_positions_fill_the_cube_of_the_paper() {
        let random = spheres(Experiment::Iii, 1000);
        let [low, high] = [DVec3::ZERO, DVec3::splat(30.0)];
        assert!(
            random
                .centers()
                .iter()
                .all(|c| c.cmpge(low).all() && c.cmplt(high).all())
        );
    }

    #[test]
    fn equal_intervals_of_the_radius_hold_equal_volume() {
        let wide = spheres(Experiment::V, 20_000);
        let smallest = wide.radii().iter().copied().fold(f64::MAX, f64::min);
        let largest = wide.radii().iter().copied().fold(0.0, f64::max);
        assert!((largest / smallest / 10.0 - 1.0).abs() < 0.01);
        let volume_share_below = |radius| {
            let radii = wide.radii().iter().copied();
            let smaller: Vec<f64> = radii.filter(|&r| r < radius).collect();
            total_volume(&smaller) / wide.volume()
        };
        // 2.75 is the middle of the interval from 0.5 to 5.
        assert!((volume_share_below(2.75) - 0.5).abs() < 0.01);
    }
}
