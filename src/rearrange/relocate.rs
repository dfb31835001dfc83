//! One relocation: the inner loop of the program.

use super::frame::Point;
use crate::verlet::{Block, LANES};

/// What a sphere feels from its neighbours.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Push {
    /// Sum of the shares of every overlap that fall to this sphere, in steps.
    pub steps: [f32; 3],
    /// Sum of the relative overlaps.
    pub total: f32,
    /// Largest relative overlap.
    pub largest: f32,
}

/// Reads the points a block of ids names, one array for each component.
trait Gather {
    /// # Safety
    /// Every id in `block` must be a place in `points`, and the machine must have the instructions used.
    unsafe fn gather(points: *const Point, block: &Block) -> ([[i32; LANES]; 3], [f32; LANES]);
}

/// Adds up what the neighbours in `blocks` do to sphere `me`, all radii multiplied by `scale`.
///
/// Each overlap is divided between the two spheres in inverse proportion to their surfaces: sphere i takes the
/// share r_j² / (r_i² + r_j²). The number of contacts grows with the surface, so that the sum of the shares of a
/// sphere of any size is about what clears its overlaps.
///
/// The padding id must name a point whose radius is so far below zero that it overlaps nothing.
/// The sums run in eight lanes, folded in a fixed order and without fused operations, so that every machine
/// finds the same bits.
///
/// # Safety
/// As for [`Gather::gather`], for every block.
#[inline(always)]
unsafe fn push<G: Gather>(
    points: *const Point,
    me: Point,
    blocks: &[Block],
    unit: [f32; 3],
    scale: f32,
) -> Push {
    let mut sum = [[0f32; LANES]; 3];
    let mut total = [0f32; LANES];
    let mut largest = [0f32; LANES];
    let mine = me.radius * me.radius;
    for block in blocks {
        // SAFETY: handed on to the caller.
        let (at, radius) = unsafe { G::gather(points, block) };
        for lane in 0..LANES {
            let way: [f32; 3] =
                std::array::from_fn(|axis| me.at[axis].wrapping_sub(at[axis][lane]) as f32);
            let (x, y, z) = (way[0] * unit[0], way[1] * unit[1], way[2] * unit[2]);
            let distance = (x * x + y * y + z * z).sqrt();
            let overlap = positive((me.radius + radius[lane]) * scale - distance);
            let theirs = radius[lane] * radius[lane];
            // No overlap makes a weight of 0 / 1; a distance of 0 has no direction, and no push.
            let weight = overlap * theirs / ((mine + theirs) * larger(distance, f32::MIN_POSITIVE));
            for axis in 0..3 {
                sum[axis][lane] += way[axis] * weight;
            }
            let smaller = smaller(me.radius, radius[lane]).abs();
            let relative = overlap / (2.0 * scale * smaller);
            total[lane] += relative;
            largest[lane] = larger(largest[lane], relative);
        }
    }
    Push {
        steps: sum.map(fold),
        total: fold(total),
        largest: largest.into_iter().fold(0.0, larger),
    }
}

// Unlike `f32::max` these need not care for NaN, and are one instruction.

#[inline(always)]
fn positive(x: f32) -> f32 {
    if x > 0.0 { x } else { 0.0 }
}

#[inline(always)]
fn larger(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

#[inline(always)]
fn smaller(a: f32, b: f32) -> f32 {
    if a < b { a } else { b }
}

#[inline(always)]
fn fold(lanes: [f32; LANES]) -> f32 {
    let [a, b, c, d, e, f, g, h] = lanes;
    ((a + e) + (c + g)) + ((b + f) + (d + h))
}

/// `push` for some instruction set.
pub(super) type PushKernel = unsafe fn(*const Point, Point, &[Block], [f32; 3], f32) -> Push;

/// The fastest [`PushKernel`] for this machine; all of them find the same bits.
pub(super) fn push_kernel() -> PushKernel {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") {
        return avx2::push;
    }
    push::<Portable>
}

struct Portable;

impl Gather for Portable {
    #[inline(always)]
    unsafe fn gather(points: *const Point, block: &Block) -> ([[i32; LANES]; 3], [f32; LANES]) {
        let mut at = [[0; LANES]; 3];
        let mut radius = [0.0; LANES];
        for lane in 0..LANES {
            // SAFETY: the caller vouches for the ids.
            let point = unsafe { *points.add(block[lane] as usize) };
            for axis in 0..3 {
                at[axis][lane] = point.at[axis];
            }
            radius[lane] = point.radius;
        }
        (at, radius)
    }
}

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use std::arch::x86_64::{
        __m128, _mm256_castpd_ps, _mm256_castps_pd, _mm256_set_m128, _mm256_unpackhi_pd,
        _mm256_unpackhi_ps, _mm256_unpacklo_pd, _mm256_unpacklo_ps, _mm_load_ps,
    };

    use super::{Block, Gather, LANES, Point, Push};

    struct Avx2;

    impl Gather for Avx2 {
        /// Eight loads of a whole point, and a transposition.
        #[inline(always)]
        unsafe fn gather(points: *const Point, block: &Block) -> ([[i32; LANES]; 3], [f32; LANES]) {
            // SAFETY: the caller vouches for the ids and for AVX2; points are aligned to 16 bytes, and vectors
            // and arrays of the same size hold the same lanes.
            unsafe {
                let row = |lane: usize| -> __m128 {
                    _mm_load_ps(points.add(block[lane] as usize).cast())
                };
                let rows = |lane| _mm256_set_m128(row(lane + 4), row(lane));
                let (a, b, c, d) = (rows(0), rows(1), rows(2), rows(3));
                let xy_ab = _mm256_castps_pd(_mm256_unpacklo_ps(a, b));
                let zr_ab = _mm256_castps_pd(_mm256_unpackhi_ps(a, b));
                let xy_cd = _mm256_castps_pd(_mm256_unpacklo_ps(c, d));
                let zr_cd = _mm256_castps_pd(_mm256_unpackhi_ps(c, d));
                let x = _mm256_castpd_ps(_mm256_unpacklo_pd(xy_ab, xy_cd));
                let y = _mm256_castpd_ps(_mm256_unpackhi_pd(xy_ab, xy_cd));
                let z = _mm256_castpd_ps(_mm256_unpacklo_pd(zr_ab, zr_cd));
                let r = _mm256_castpd_ps(_mm256_unpackhi_pd(zr_ab, zr_cd));
                (
                    [x, y, z].map(|lanes| std::mem::transmute(lanes)),
                    std::mem::transmute(r),
                )
            }
        }
    }

    /// # Safety
    /// As for `push`, on a machine with AVX2.
    #[target_feature(enable = "avx2")]
    pub unsafe fn push(
        points: *const Point,
        me: Point,
        blocks: &[Block],
        unit: [f32; 3],
        scale: f32,
    ) -> Push {
        // SAFETY: handed on to the caller.
        unsafe { super::push::<Avx2>(points, me, blocks, unit, scale) }
    }
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
        let unit = [2f32.powi(-31); 3];
        let mut touching = 0;
        for _ in 0..1000 {
            let blocks: Vec<Block> = (0..3)
                .map(|_| std::array::from_fn(|_| rng.random_range(0..64)))
                .collect();
            let me = points[rng.random_range(0..64)];
            // SAFETY: all ids are below 64; `push_kernel` returns what the machine can run.
            let [a, b] = unsafe {
                [push::<Portable>, push_kernel()]
                    .map(|kernel: PushKernel| kernel(points.as_ptr(), me, &blocks, unit, 0.7))
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
            Point { at: [0; 3], radius: 1.0 },
            Point { at: [far, 0, 0], radius: 0.5 },
            Point { at: [0; 3], radius: -1e12 },
        ];
        let push = |me: usize, other: u32| {
            let mut block = [2; LANES];
            block[3] = other;
            // SAFETY: all ids name points.
            unsafe { push_kernel()(points.as_ptr(), points[me], &[block], unit, 1.0) }
        };
        let (large, small) = (push(0, 1), push(1, 0));
        // Distance 1, overlap 0.5: the large sphere takes a fifth of it, the small one the rest.
        assert!((large.steps[0] * unit[0] + 0.1).abs() < 1e-6);
        assert!((small.steps[0] * unit[0] - 0.4).abs() < 1e-6);
        assert_eq!(large.largest, 0.5);
        assert_eq!(push(0, 2).largest, 0.0);
    }
}
