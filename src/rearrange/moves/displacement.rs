//! The kernel of a relocation: the displacement of one sphere by its overlaps.

use crate::{
    container::frame::Point, machine::lanes::Lanes, rearrange::constants::LEAST_DISTANCE,
    verlet::Octet,
};

/// The effect of all neighbors on a sphere.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Displacement {
    /// Sum over the neighbors of this sphere's shares of the overlaps, in steps.
    pub steps: [f32; 3],
    /// Sum of the relative overlaps.
    pub total: f32,
    /// Largest relative overlap.
    pub largest: f32,
}

/// The data that every relocation of a sweep reads.
#[derive(Clone, Copy)]
pub(super) struct Neighborhood {
    /// All spheres, with radii at scale 1.
    pub points: *const Point,
    /// Length of one step along each axis.
    pub unit: [f32; 3],
    /// Common factor of all radii.
    pub scale: f32,
}

impl Neighborhood {
    /// Returns the displacement of `sphere` by the overlaps with its neighbors in `octets`, or `None` without overlap.
    ///
    /// Each overlap is divided between the two spheres in inverse proportion to their surfaces: sphere i takes the share
    /// r_j² / (r_i² + r_j²). The number of contacts grows with the surface, so that the sum of the shares of a sphere of any
    /// size nearly removes its overlaps. Two spheres with equal centers have no direction: they displace each other by zero.
    ///
    /// A comparison of squares could skip the root and the division of octets without overlap. The branch is hard to predict:
    /// it made relocations 10 % slower (10 000 equal spheres, and f(r) ∝ r⁻³ of ratio 10).
    ///
    /// # Safety
    /// Every id in `octets` must be a number of a point. The point that pads lists must have a negative radius.
    #[inline(always)]
    pub unsafe fn displacement<L: Lanes>(
        &self,
        lanes: L,
        sphere: Point,
        octets: &[Octet],
    ) -> Option<Displacement> {
        let own_at = sphere.at.map(|coordinate| lanes.splat_i32(coordinate));
        let unit = self.unit.map(|unit| lanes.splat(unit));
        let own_radius = lanes.splat(sphere.radius);
        let own_square = lanes.splat(sphere.radius * sphere.radius);
        let twice_scale = lanes.splat(2.0 * self.scale);
        let scale = lanes.splat(self.scale);
        let zero = lanes.splat(0.0);
        let least = lanes.splat(LEAST_DISTANCE);
        let mut steps = [zero; 3];
        let (mut total, mut largest) = (zero, zero);
        for octet in octets {
            // SAFETY: the caller guarantees the ids.
            let [x, y, z, radius] =
                unsafe { lanes.transpose(|lane| self.points.add(octet[lane] as usize)) };
            let radius = lanes.bits_to_f32(radius);
            let [x, y, z]: [L::F32; 3] = {
                let at = [x, y, z];
                std::array::from_fn(|axis| lanes.to_f32(lanes.sub_i32(own_at[axis], at[axis])))
            };
            let square = |axis: usize, steps| {
                let length = lanes.mul(steps, unit[axis]);
                lanes.mul(length, length)
            };
            let squared = lanes.add(lanes.add(square(0, x), square(1, y)), square(2, z));
            let reach = lanes.mul(lanes.add(own_radius, radius), scale);
            let distance = lanes.sqrt(squared);
            let overlap = lanes.max(lanes.sub(reach, distance), zero);
            let other_square = lanes.mul(radius, radius);
            let both = lanes.add(own_square, other_square);
            let smaller = lanes.mul(lanes.min(own_radius, radius), twice_scale);
            let distance = lanes.max(distance, least);
            // One division for both quotients.
            let shared = lanes.div(overlap, lanes.mul(both, lanes.mul(distance, smaller)));
            let weight = lanes.mul(shared, lanes.mul(other_square, smaller));
            for (sum, component) in steps.iter_mut().zip([x, y, z]) {
                *sum = lanes.add(*sum, lanes.mul(component, weight));
            }
            let relative = lanes.mul(shared, lanes.mul(both, distance));
            total = lanes.add(total, relative);
            largest = lanes.max(largest, relative);
        }
        let largest = lanes.largest(largest);
        if largest <= 0.0 {
            return None;
        }
        let [x, y, z] = steps;
        let [x, y, z, total] = lanes.sums([x, y, z, total]);
        Some(Displacement {
            steps: [x, y, z],
            total,
            largest,
        })
    }
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_pcg::Pcg64;

    use super::*;
    use crate::machine::lanes::{Kernel, LANES, run, run_portable};

    #[derive(Clone, Copy)]
    struct OneSphere<'a> {
        neighborhood: Neighborhood,
        sphere: Point,
        octets: &'a [Octet],
    }

    impl Kernel for OneSphere<'_> {
        type Output = Option<Displacement>;

        #[inline(always)]
        fn compute<L: Lanes>(self, lanes: L) -> Option<Displacement> {
            // SAFETY: the tests name existing points only.
            unsafe { (self.neighborhood).displacement(lanes, self.sphere, self.octets) }
        }
    }

    /// The formula in f64, sphere by sphere.
    fn expected(neighborhood: Neighborhood, sphere: Point, others: &[Point]) -> [f64; 5] {
        let mut sums = [0.0; 5];
        for other in others {
            let steps: [f64; 3] =
                std::array::from_fn(|axis| f64::from(sphere.at[axis].wrapping_sub(other.at[axis])));
            let lengths: [f64; 3] =
                std::array::from_fn(|axis| steps[axis] * f64::from(neighborhood.unit[axis]));
            let distance = lengths.iter().map(|x| x * x).sum::<f64>().sqrt();
            let scale = f64::from(neighborhood.scale);
            let (own, theirs) = (f64::from(sphere.radius), f64::from(other.radius));
            let overlap = ((own + theirs) * scale - distance).max(0.0);
            let share = theirs * theirs / (own * own + theirs * theirs);
            for axis in 0..3 {
                sums[axis] += steps[axis] / distance * overlap * share;
            }
            let relative = overlap / (2.0 * own.min(theirs) * scale);
            sums[3] += relative;
            sums[4] = relative.max(sums[4]);
        }
        sums
    }

    #[test]
    fn spheres_with_equal_centers_overlap_without_a_direction() {
        for ratio in [1.0, 6e3, 1e4, 1e6, 1e9] {
            let small = Point {
                at: [5, -7, 11],
                radius: 1.0 / ratio,
            };
            let points = [
                Point {
                    radius: 1.0,
                    ..small
                },
                small,
                Point::NOTHING,
            ];
            let neighborhood = Neighborhood {
                points: points.as_ptr(),
                unit: [2f32.powi(-31); 3],
                scale: 0.7,
            };
            let overlap = 0.5 * (1.0 + ratio);
            for (sphere, other) in [(0, 1), (1, 0)] {
                let mut octet = [2; 8];
                octet[3] = other;
                let kernel = OneSphere {
                    neighborhood,
                    sphere: points[sphere],
                    octets: &[octet],
                };
                for found in [run_portable(kernel), run(kernel)] {
                    let found = found.unwrap();
                    assert_eq!(found.steps, [0.0; 3], "ratio {ratio}");
                    let [total, largest] = [found.total, found.largest].map(|x| x / overlap);
                    assert!((total - 1.0).abs() < 1e-5, "ratio {ratio}: {total}");
                    assert!((largest - 1.0).abs() < 1e-5, "ratio {ratio}: {largest}");
                }
            }
        }
    }

    #[test]
    fn every_instruction_set_finds_the_bits_of_the_formula() {
        let mut rng = Pcg64::seed_from_u64(1);
        let points: Vec<Point> = (0..64)
            .map(|_| Point {
                at: std::array::from_fn(|_| rng.random()),
                radius: rng.random_range(0.1..1.0),
            })
            .collect();
        let neighborhood = Neighborhood {
            points: points.as_ptr(),
            unit: [2f32.powi(-31); 3],
            scale: 0.7,
        };
        let (mut touching, mut apart) = (0, 0);
        for round in 0..2000 {
            let octets: Vec<Octet> = (0..round % 4)
                .map(|_| std::array::from_fn(|_| rng.random_range(0..64)))
                .collect();
            let sphere = Point {
                at: std::array::from_fn(|_| rng.random()),
                radius: rng.random_range(0.01..1.0),
            };
            let kernel = OneSphere {
                neighborhood,
                sphere,
                octets: &octets,
            };
            let (portable, fastest) = (run_portable(kernel), run(kernel));
            let others: Vec<Point> = (octets.as_flattened().iter())
                .map(|&id| points[id as usize])
                .collect();
            let expected = expected(neighborhood, sphere, &others);
            let Some(found) = portable else {
                assert!(fastest.is_none() && expected[4] < 1e-6);
                apart += 1;
                continue;
            };
            touching += 1;
            let fastest = fastest.unwrap();
            assert_eq!(
                found.steps.map(f32::to_bits),
                fastest.steps.map(f32::to_bits)
            );
            assert_eq!(found.total.to_bits(), fastest.total.to_bits());
            assert_eq!(found.largest.to_bits(), fastest.largest.to_bits());
            let [x, y, z] = found.steps.map(f64::from);
            let longest = expected[..3]
                .iter()
                .fold(1e4f64, |most, x| most.max(x.abs()));
            for (found, expected) in [x, y, z].into_iter().zip(expected) {
                assert!(
                    (found - expected).abs() < 1e-4 * longest,
                    "{found} {expected}"
                );
            }
            assert!((f64::from(found.total) - expected[3]).abs() < 1e-4);
            assert!((f64::from(found.largest) - expected[4]).abs() < 1e-5);
        }
        assert!(touching > 500 && apart > 500);
    }

    #[test]
    fn two_spheres_share_their_overlap_by_surface() {
        let unit = [2f32.powi(-30); 3];
        let far = 1 << 30;
        let points = [
            Point {
                at: [0; 3],
                radius: 1.0,
            },
            Point {
                at: [far, 0, 0],
                radius: 0.5,
            },
            Point::NOTHING,
        ];
        let neighborhood = Neighborhood {
            points: points.as_ptr(),
            unit,
            scale: 1.0,
        };
        let displacement = |sphere: usize, other: u32| {
            let mut octet = [2; LANES];
            octet[3] = other;
            run(OneSphere {
                neighborhood,
                sphere: points[sphere],
                octets: &[octet],
            })
        };
        let (large, small) = (displacement(0, 1).unwrap(), displacement(1, 0).unwrap());
        // Distance 1, overlap 0.5: the large sphere takes a fifth of it, the small one the rest.
        assert!((large.steps[0] * unit[0] + 0.1).abs() < 1e-6);
        assert!((small.steps[0] * unit[0] - 0.4).abs() < 1e-6);
        assert_eq!(large.largest, 0.5);
        assert!(displacement(0, 2).is_none());
    }
}
