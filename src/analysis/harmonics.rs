//! Spherical harmonics of a direction.

use std::f64::consts::PI;

use glam::{DVec2, DVec3};

/// The spherical harmonics Y_lm of one degree l, for the orders m from 0 to l. Those of negative order follow from
/// `Y_l(−m) = (−1)^m conj(Y_lm)`.
///
/// `Y_lm = K_lm · Π_lm(z) · (x + iy)^m` for the unit vector (x, y, z). Here `Π_lm` is the associated Legendre function
/// `P_l^m(cos θ)` divided by `sin^m θ`, a polynomial of z, so that no angle is needed. It follows from the recurrence in l
/// of Press et al., Numerical Recipes, 3rd ed. (2007), equations 6.7.7 to 6.7.9.
pub(super) struct Harmonics<const ORDERS: usize> {
    /// K_lm · Π_mm by order.
    factors: [f64; ORDERS],
}

impl<const ORDERS: usize> Harmonics<ORDERS> {
    /// The degree l.
    const DEGREE: usize = ORDERS - 1;

    /// Computes the factors `sqrt((2l + 1) / 4π · (l − m)! / (l + m)!) · (−1)^m (2m − 1)!!`.
    pub(super) fn new() -> Self {
        let l = Self::DEGREE;
        let factors = std::array::from_fn(|m| {
            let ratio: f64 = (l - m + 1..=l + m).map(|k| k as f64).product();
            let diagonal: f64 = (1..=m).map(|k| -((2 * k - 1) as f64)).product();
            ((2 * l + 1) as f64 / (4.0 * PI) / ratio).sqrt() * diagonal
        });
        Self { factors }
    }

    /// Returns the real and imaginary part of each harmonic in the direction of a unit vector.
    pub(super) fn of(&self, direction: DVec3) -> [DVec2; ORDERS] {
        let step = DVec2::new(direction.x, direction.y);
        let mut power = DVec2::X;
        std::array::from_fn(|m| {
            let harmonic = self.factors[m] * legendre(Self::DEGREE, m, direction.z) * power;
            power = power.rotate(step);
            harmonic
        })
    }
}

/// Returns `Π_lm(z) / Π_mm` for `l ≥ m`.
fn legendre(l: usize, m: usize, z: f64) -> f64 {
    let (mut before, mut last) = (0.0, 1.0);
    for k in m + 1..=l {
        let next = ((2 * k - 1) as f64 * z * last - (k + m - 1) as f64 * before) / (k - m) as f64;
        (before, last) = (last, next);
    }
    last
}

#[cfg(test)]
mod tests {
    use super::*;

    fn directions() -> impl Iterator<Item = DVec3> {
        (0..200).map(|i| {
            let z = 1.0 - 2.0 * (f64::from(i) + 0.5) / 200.0;
            let (sin, cos) = (2.4 * f64::from(i)).sin_cos();
            let r = (1.0 - z * z).sqrt();
            DVec3::new(r * cos, r * sin, z)
        })
    }

    #[track_caller]
    fn assert_equal(found: DVec2, expected: DVec2) {
        assert!(found.distance(expected) < 1e-13, "{found} {expected}");
    }

    #[test]
    fn harmonics_of_degree_two_agree_with_closed_forms() {
        for n in directions().chain([DVec3::Z, -DVec3::Z, DVec3::X]) {
            let y = Harmonics::<3>::new().of(n);
            let (xy, z) = (DVec2::new(n.x, n.y), n.z);
            assert_equal(
                y[0],
                DVec2::X * (5.0 / PI).sqrt() / 4.0 * (3.0 * z * z - 1.0),
            );
            assert_equal(y[1], -xy * z * (15.0 / (2.0 * PI)).sqrt() / 2.0);
            assert_equal(y[2], xy.rotate(xy) * (15.0 / (2.0 * PI)).sqrt() / 4.0);
        }
    }

    #[test]
    fn harmonics_of_degree_six_agree_with_closed_forms() {
        for n in directions() {
            let y = Harmonics::<7>::new().of(n);
            let (theta, phi) = (n.z.acos(), n.y.atan2(n.x));
            let (s, z) = (theta.sin(), n.z);
            let wave = |m: f64| DVec2::from_angle(m * phi);
            let z2 = z * z;
            let order_0 = (13.0 / PI).sqrt() / 32.0
                * (231.0 * z2.powi(3) - 315.0 * z2.powi(2) + 105.0 * z2 - 5.0);
            assert_equal(y[0], order_0 * DVec2::X);
            let order_3 = -(1365.0 / PI).sqrt() / 32.0 * s.powi(3) * (11.0 * z2 * z - 3.0 * z);
            assert_equal(y[3], order_3 * wave(3.0));
            let order_5 = -3.0 * (1001.0 / PI).sqrt() / 32.0 * s.powi(5) * z;
            assert_equal(y[5], order_5 * wave(5.0));
            let order_6 = (3003.0 / PI).sqrt() / 64.0 * s.powi(6);
            assert_equal(y[6], order_6 * wave(6.0));
        }
    }

    /// The sum of all |Y_lm|² is (2l + 1) / 4π in every direction.
    #[test]
    fn harmonics_fulfil_the_addition_theorem() {
        for n in directions() {
            let y = Harmonics::<5>::new().of(n);
            let twice: f64 = y[1..].iter().map(|y| y.length_squared()).sum();
            let sum = y[0].length_squared() + 2.0 * twice;
            assert!((sum - 9.0 / (4.0 * PI)).abs() < 1e-13, "{sum}");
        }
    }
}
