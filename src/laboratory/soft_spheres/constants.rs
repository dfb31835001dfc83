//! Constants of the simulation, each with its reason.

use std::{f64::consts::PI, ops::RangeInclusive};

/// Default number of time steps in the shortest contact.
///
/// A contact without dashpot then keeps its energy within 0.05 % (`a_contact_has_the_restitution_and_duration_of_the_spring`).
/// More steps make a simulation longer.
pub(super) const STEPS_PER_CONTACT: f64 = 50.0;

/// Numbers of time steps in the shortest contact. Velocity Verlet is unstable below π/2 steps in half an oscillation, which a
/// contact is. The lower limit is twice this number, because a sphere may have several contacts.
pub(super) const STEPS_PER_CONTACT_RANGE: RangeInclusive<f64> = PI..=1e9;

/// Default thermal overlap over the smallest radius: overlaps of about one percent of the smallest radius are small, and
/// hardly change the contacts.
pub(super) const THERMAL_OVERLAP: f64 = 0.01;

/// Largest thermal overlap over the smallest radius. With a larger one, spheres would pass through each other.
pub(super) const MAX_THERMAL_OVERLAP: f64 = 0.2;

/// Gap to which overlapping spheres are moved apart at the start, over the smaller radius.
///
/// Without a gap the last overlaps vanish only slowly: 10³ disks of size ratio 20 need 360 sweeps at packing fraction 0.4 for
/// overlaps below 10⁻³, and 90 sweeps for no overlap with this gap.
pub(super) const START_GAP: f64 = 0.1;

/// Most sweeps of the start. 10³ disks of size ratio 20 need 600 at packing fraction 0.8.
pub(super) const MOST_SWEEPS: usize = 20_000;

/// Overhead factor K of the cell sizes with which the start finds overlaps; it affects the time of the start only.
pub(super) const START_OVERHEAD: f64 = 1.0;
