//! The kernel of an exchange: the overlap energy of one sphere with two radii.

use crate::{
    container::frame::Point,
    machine::lanes::{Kernel, Lanes},
    verlet::{Octet, squared_distances},
};

/// The overlap energy of a sphere, with its own radius or with another one, among the same neighbors.
///
/// The energy is the sum over the neighbors of the square of the overlap times the smaller radius.
#[derive(Clone, Copy)]
pub(super) struct Energies<'a> {
    /// All spheres, with radii at scale 1. Must contain a point for every id in `octets`.
    pub points: &'a [Point],
    /// Length of one step along each axis.
    pub unit: [f32; 3],
    /// Common factor of all radii.
    pub scale: f32,
    /// Position of the sphere.
    pub at: [i32; 3],
    /// The two radii at scale 1.
    pub radii: [f32; 2],
    /// The neighbors.
    pub octets: &'a [Octet],
}

impl Kernel for Energies<'_> {
    type Output = [f32; 2];

    #[inline(always)]
    fn compute<L: Lanes>(self, lanes: L) -> [f32; 2] {
        let radii = self.radii.map(|radius| lanes.splat(radius));
        let scale = lanes.splat(self.scale);
        let zero = lanes.splat(0.0);
        let mut energies = [zero; 2];
        for octet in self.octets {
            // SAFETY: the lists hold numbers of points, or of the padding, which is a point too.
            let [x, y, z, other] =
                unsafe { lanes.transpose(|lane| self.points.as_ptr().add(octet[lane] as usize)) };
            let other = lanes.bits_to_f32(other);
            let distance = lanes.sqrt(squared_distances(lanes, self.at, [x, y, z], self.unit));
            for (energy, radius) in energies.iter_mut().zip(radii) {
                let reach = lanes.mul(lanes.add(radius, other), scale);
                let overlap = lanes.max(lanes.sub(reach, distance), zero);
                let smaller = lanes.min(radius, other);
                let term = lanes.mul(lanes.mul(overlap, overlap), smaller);
                *energy = lanes.add(*energy, term);
            }
        }
        let [first, second] = energies;
        let [first, second, _, _] = lanes.sums([first, second, zero, zero]);
        [first, second]
    }
}
