//! Contact law: a linear spring and a dashpot.

use std::f64::consts::PI;

/// A linear spring with the constant 1, and a dashpot that gives contacts of any two masses the same restitution coefficient.
///
/// Source: Luding, Eur. J. Environ. Civ. Eng. 12 (2008) 785.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spring {
    /// Dashpot constant over the square root of the reduced mass.
    dashpot: f64,
}

impl Spring {
    /// Creates the law with a restitution coefficient, which must be above 0 and at most 1.
    pub fn new(restitution: f64) -> Self {
        // The overlap is a damped sine: its decay rate over its frequency.
        let decay = -restitution.ln() / PI;
        Self {
            dashpot: 2.0 * decay / (1.0 + decay * decay).sqrt(),
        }
    }

    /// Returns the repulsive force at an overlap and its rate of growth.
    #[inline]
    pub fn force(self, overlap: f64, growth: f64, reduced_mass: f64) -> f64 {
        overlap + self.dashpot * reduced_mass.sqrt() * growth
    }
}

/// Returns the duration of a contact without dashpot.
pub(super) fn contact_duration(reduced_mass: f64) -> f64 {
    PI * reduced_mass.sqrt()
}

/// Returns the elastic energy at an overlap.
#[inline]
pub(super) fn elastic_energy(overlap: f64) -> f64 {
    0.5 * overlap * overlap
}

/// Returns the reduced mass of two masses.
#[inline]
pub(super) fn reduced(a: f64, b: f64) -> f64 {
    a * b / (a + b)
}
