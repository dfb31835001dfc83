//! The random number generator of Schiava D'Albano et al.

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
    use super::*;

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
