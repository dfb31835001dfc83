//! Displacements of the spheres between two snapshots, and the random number generator of Schiava D'Albano et al.

use glam::DVec3;
use rand_pcg::Pcg64;

use crate::laboratory::compare::random::random_point;
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

/// Moduli and factors of the two generators that are combined.
const MODULI: [i64; 2] = [2_147_483_563, 2_147_483_399];
const FACTORS: [i64; 2] = [40_014, 40_692];

/// Length of the table in which the numbers of the first generator are shuffled.
const TABLE: usize = 32;

/// Numbers of the first generator that are dropped before the table is filled.
const DROPPED: usize = 8;

/// Returns the first number of the generator of Schiava D'Albano et al., `ran2`, for a negative seed: above 0 and below 1.
///
/// Two linear congruential generators are combined, and the first is shuffled.
///
/// Source: L'Ecuyer, Commun. ACM 31 (1988) 742; Bays & Durham, ACM Trans. Math. Softw. 2 (1976) 59; Press et al.,
/// *Numerical Recipes* (2002), Section 7.1.
pub fn published_random(seed: i64) -> f64 {
    let next = |state: i64, which: usize| FACTORS[which] * state % MODULI[which];
    let seed = (-seed).max(1) % MODULI[1];
    let mut first = seed;
    for _ in 0..DROPPED {
        first = next(first, 0);
    }
    let mut table = [0; TABLE];
    for entry in table.iter_mut().rev() {
        first = next(first, 0);
        *entry = first;
    }
    let largest = MODULI[0] - 1;
    let chosen = table[(table[0] / (1 + largest / TABLE as i64)) as usize];
    let difference = chosen - next(seed, 1);
    let positive = difference + if difference < 1 { largest } else { 0 };
    positive as f64 / MODULI[0] as f64
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

    #[test]
    fn numbers_are_between_0_and_1() {
        // The first number after the seed −1, as other implementations of `ran2` return it.
        assert!((published_random(-1) - 0.285_380_9).abs() < 1e-7);
        let numbers: Vec<f64> = (1..2000).map(|seed| published_random(-seed)).collect();
        assert!(numbers.iter().all(|&x| 0.0 < x && x < 1.0));
        let mean = numbers.iter().sum::<f64>() / numbers.len() as f64;
        assert!((mean - 0.5).abs() < 0.05, "{mean}");
    }
}
