//! The kernel of a relocation: the displacement of one sphere by its overlaps.

use crate::{
    container::frame::{Point, difference},
    machine::instructions::{Instructions, LANES},
    verlet::Block,
};

/// The effect of all neighbours on a sphere.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Displacement {
    /// Sum over the neighbours of this sphere's shares of the overlaps, in steps.
    pub steps: [f32; 3],
    /// Sum of the relative overlaps.
    pub total: f32,
    /// Largest relative overlap.
    pub largest: f32,
}

/// The data that every relocation of a sweep reads.
#[derive(Clone, Copy)]
pub(super) struct Neighbourhood {
    /// All spheres, with radii at scale 1.
    pub points: *const Point,
    /// Length of one step along each axis.
    pub unit: [f32; 3],
    /// The common factor of all radii.
    pub scale: f32,
}

/// Returns the displacement of sphere `me` by the overlaps with its neighbours in `blocks`.
///
/// Each overlap is divided between the two spheres in inverse proportion to their surfaces: sphere i takes the share
/// r_j² / (r_i² + r_j²). The number of contacts grows with the surface, so that the sum of the shares of a sphere of any
/// size nearly removes its overlaps. Two spheres with equal centres do not displace each other, as there is no direction.
///
/// The padding id must name a point whose radius is so far below zero that it overlaps no sphere.
///
/// All instructions do the same operations in the same eight lanes, none of them fused.
///
/// # Safety
/// Every id in `blocks` must be a number of a point, and the machine must have the instructions.
#[inline(always)]
pub(super) unsafe fn displacement(
    instructions: Instructions,
    neighbourhood: Neighbourhood,
    me: Point,
    blocks: &[Block],
) -> Displacement {
    // SAFETY: the caller guarantees the ids and the instructions.
    unsafe {
        match instructions {
            Instructions::Portable => displacement_portable(neighbourhood, me, blocks),
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2 => displacement_avx2(neighbourhood, me, blocks),
        }
    }
}

/// The lanes of a [`Displacement`] before they are added.
struct Lanes {
    steps: [[f32; LANES]; 3],
    total: [f32; LANES],
    largest: [f32; LANES],
}

impl Lanes {
    #[inline(always)]
    fn fold(self) -> Displacement {
        Displacement {
            steps: self.steps.map(|lanes| fold(lanes, |a, b| a + b)),
            total: fold(self.total, |a, b| a + b),
            largest: fold(self.largest, |a, b| if a > b { a } else { b }),
        }
    }
}

/// Joins halves with halves, in the order of vector instructions.
#[inline(always)]
fn fold(lanes: [f32; LANES], join: impl Fn(f32, f32) -> f32) -> f32 {
    let [a, b, c, d, e, f, g, h] = lanes;
    join(join(join(a, e), join(c, g)), join(join(b, f), join(d, h)))
}

unsafe fn displacement_portable(
    Neighbourhood {
        points,
        unit,
        scale,
    }: Neighbourhood,
    me: Point,
    blocks: &[Block],
) -> Displacement {
    let mut lanes = Lanes {
        steps: [[0.0; LANES]; 3],
        total: [0.0; LANES],
        largest: [0.0; LANES],
    };
    let mine = me.radius * me.radius;
    for block in blocks {
        for (lane, &id) in block.iter().enumerate() {
            // SAFETY: the caller guarantees the ids.
            let other = unsafe { *points.add(id as usize) };
            let way = difference(other.at, me.at).map(|steps| steps as f32);
            let [x, y, z]: [f32; 3] = std::array::from_fn(|axis| way[axis] * unit[axis]);
            let distance = (x * x + y * y + z * z).sqrt();
            let overlap = ((me.radius + other.radius) * scale - distance).max(0.0);
            let theirs = other.radius * other.radius;
            let smaller = me.radius.min(other.radius) * (2.0 * scale);
            let distance = distance.max(f32::MIN_POSITIVE);
            // One division for both quotients.
            let shared = overlap / ((mine + theirs) * (distance * smaller));
            let weight = shared * (theirs * smaller);
            for (sum, way) in lanes.steps.iter_mut().zip(way) {
                sum[lane] += way * weight;
            }
            let relative = shared * ((mine + theirs) * distance);
            lanes.total[lane] += relative;
            lanes.largest[lane] = lanes.largest[lane].max(relative);
        }
    }
    lanes.fold()
}

#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "avx2")]
unsafe fn displacement_avx2(
    Neighbourhood {
        points,
        unit,
        scale,
    }: Neighbourhood,
    me: Point,
    blocks: &[Block],
) -> Displacement {
    use std::{arch::x86_64::*, mem::transmute};

    use crate::machine::lanes::transposed;

    let my_at = me.at.map(|coordinate| _mm256_set1_epi32(coordinate));
    let unit = unit.map(|unit| _mm256_set1_ps(unit));
    let my_radius = _mm256_set1_ps(me.radius);
    let mine = _mm256_set1_ps(me.radius * me.radius);
    let twice_scale = _mm256_set1_ps(2.0 * scale);
    let scale = _mm256_set1_ps(scale);
    let zero = _mm256_setzero_ps();
    let least = _mm256_set1_ps(f32::MIN_POSITIVE);
    let mut steps = [zero; 3];
    let mut total = zero;
    let mut largest = zero;
    for block in blocks {
        // SAFETY: the caller guarantees the ids.
        let [x, y, z, radius] = unsafe { transposed(|lane| points.add(block[lane] as usize)) };
        let at = [x, y, z].map(|steps| _mm256_castps_si256(steps));
        let way: [__m256; 3] =
            std::array::from_fn(|axis| _mm256_cvtepi32_ps(_mm256_sub_epi32(my_at[axis], at[axis])));
        let [xx, yy, zz]: [__m256; 3] = std::array::from_fn(|axis| {
            let length = _mm256_mul_ps(way[axis], unit[axis]);
            _mm256_mul_ps(length, length)
        });
        let distance = _mm256_sqrt_ps(_mm256_add_ps(_mm256_add_ps(xx, yy), zz));
        let reach = _mm256_mul_ps(_mm256_add_ps(my_radius, radius), scale);
        let overlap = _mm256_max_ps(_mm256_sub_ps(reach, distance), zero);
        let theirs = _mm256_mul_ps(radius, radius);
        let both = _mm256_add_ps(mine, theirs);
        let smaller = _mm256_mul_ps(_mm256_min_ps(my_radius, radius), twice_scale);
        let distance = _mm256_max_ps(distance, least);
        // One division for both quotients.
        let shared = _mm256_div_ps(
            overlap,
            _mm256_mul_ps(both, _mm256_mul_ps(distance, smaller)),
        );
        let weight = _mm256_mul_ps(shared, _mm256_mul_ps(theirs, smaller));
        for (sum, way) in steps.iter_mut().zip(way) {
            *sum = _mm256_add_ps(*sum, _mm256_mul_ps(way, weight));
        }
        let relative = _mm256_mul_ps(shared, _mm256_mul_ps(both, distance));
        total = _mm256_add_ps(total, relative);
        largest = _mm256_max_ps(largest, relative);
    }
    // SAFETY: a vector and an array of eight hold the same lanes.
    let array = |lanes: __m256| unsafe { transmute::<__m256, [f32; LANES]>(lanes) };
    Lanes {
        steps: steps.map(array),
        total: array(total),
        largest: array(largest),
    }
    .fold()
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_pcg::Pcg64;

    use super::*;

    #[test]
    fn every_kernel_finds_the_same_bits() {
        let mut rng = Pcg64::seed_from_u64(1);
        let points: Vec<Point> = (0..64)
            .map(|_| Point {
                at: std::array::from_fn(|_| rng.random()),
                radius: rng.random_range(0.1..1.0),
            })
            .collect();
        let neighbourhood = Neighbourhood {
            points: points.as_ptr(),
            unit: [2f32.powi(-31); 3],
            scale: 0.7,
        };
        let mut touching = 0;
        for _ in 0..1000 {
            let blocks: Vec<Block> = (0..3)
                .map(|_| std::array::from_fn(|_| rng.random_range(0..64)))
                .collect();
            let me = points[rng.random_range(0..64)];
            // SAFETY: all ids are below 64; `detect` returns what the machine can run.
            let [a, b] = unsafe {
                [Instructions::Portable, Instructions::detect()]
                    .map(|instructions| displacement(instructions, neighbourhood, me, &blocks))
            };
            assert_eq!(a.steps.map(f32::to_bits), b.steps.map(f32::to_bits));
            assert_eq!(a.total.to_bits(), b.total.to_bits());
            assert_eq!(a.largest.to_bits(), b.largest.to_bits());
            touching += usize::from(a.largest > 0.0);
        }
        assert!(touching > 500);
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
            Point {
                at: [0; 3],
                radius: -1e12,
            },
        ];
        let neighbourhood = Neighbourhood {
            points: points.as_ptr(),
            unit,
            scale: 1.0,
        };
        let feel = |me: usize, other: u32| {
            let mut block = [2; LANES];
            block[3] = other;
            // SAFETY: all ids name points.
            unsafe { displacement(Instructions::detect(), neighbourhood, points[me], &[block]) }
        };
        let (large, small) = (feel(0, 1), feel(1, 0));
        // Distance 1, overlap 0.5: the large sphere takes a fifth of it, the small one the rest.
        assert!((large.steps[0] * unit[0] + 0.1).abs() < 1e-6);
        assert!((small.steps[0] * unit[0] - 0.4).abs() < 1e-6);
        assert_eq!(large.largest, 0.5);
        assert_eq!(feel(0, 2).largest, 0.0);
    }
}
