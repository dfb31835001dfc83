//! Displacements of the spheres between two snapshots.

use glam::DVec3;
use rand_pcg::Pcg64;

use super::{published_generator::published_random, random::random_point};
use crate::macros::choice;

choice! {
    "steps", "kebab-case";
    /// How spheres move from one snapshot to the next. One diameter is that of the smallest sphere.
    ///
    /// Experiment IV does not use it: there, every sphere gets another random position in the cell.
    #[derive(Default)]
    #[non_exhaustive]
    pub enum Steps {
        /// Forwards along each axis by a random length below one diameter. Nine such moves between ten detections keep the
        /// displacement below nine diameters.
        #[default]
        Random,
        /// As printed in Schiava D'Albano et al., Eqs. 13 to 16: by `(int) α` diameters along each axis. The random number α
        /// belongs to the integer coordinate and the number of the move. It is below 1, so that no sphere moves.
        Published,
        /// As printed, but by α rounded to the nearest whole number: by 0 or 1 diameters. All spheres with the same integer
        /// coordinate make the same step along the axis.
        Rounded,
    }
}

impl Steps {
    /// Returns the displacement of a sphere in a move; moves are counted from 0.
    pub(super) fn step(self, center: DVec3, number: usize, rng: &mut Pcg64) -> DVec3 {
        let published = || center.map(|coordinate| random_of(coordinate, number));
        match self {
            Self::Random => random_point(rng),
            Self::Published => published().trunc(),
            Self::Rounded => published().round(),
        }
    }
}

/// Returns the random number of an integer coordinate in a move (Eqs. 13 to 15).
fn random_of(coordinate: f64, number: usize) -> f64 {
    let initial = -1 - 10 * number as i64;
    published_random(initial - coordinate.floor() as i64)
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;

    #[test]
    fn printed_steps_move_no_sphere_and_rounded_steps_move_layers() {
        let mut rng = Pcg64::seed_from_u64(0);
        let mut moved = [0; 2];
        for number in 0..9 {
            for i in 0..100 {
                let center = DVec3::new(f64::from(i), f64::from(i / 10), 0.5);
                assert_eq!(Steps::Published.step(center, number, &mut rng), DVec3::ZERO);
                let step = Steps::Rounded.step(center, number, &mut rng);
                let other = Steps::Rounded.step(center + DVec3::Y, number, &mut rng);
                assert_eq!(step.x, other.x, "spheres of one layer move alike");
                moved[step.x as usize] += 1;
            }
        }
        assert!(moved.iter().all(|&count| count > 300), "{moved:?}");
    }

    #[test]
    fn random_steps_are_below_one_diameter() {
        let mut rng = Pcg64::seed_from_u64(0);
        for _ in 0..100 {
            let step = Steps::Random.step(DVec3::ZERO, 0, &mut rng);
            assert!(step.cmpge(DVec3::ZERO).all() && step.cmplt(DVec3::ONE).all());
        }
    }
}
