//! Random points.

use glam::DVec3;
use rand::RngExt;
use rand_pcg::Pcg64;

/// Returns a point with uniform probability in the unit cube.
pub(super) fn random_point(rng: &mut Pcg64) -> DVec3 {
    DVec3::new(rng.random(), rng.random(), rng.random())
}
