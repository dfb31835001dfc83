//! One relocation: the inner loop of the program.

use super::frame::{Point, Steps};
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

/// Adds up what the neighbours in `blocks` do to sphere `me`, all radii multiplied by `scale`.
///
/// Each overlap is divided between the two spheres in inverse proportion to their surfaces: sphere i takes the
/// share r_j² / (r_i² + r_j²). The number of contacts grows with the surface, so that the sum of the shares of a
/// sphere of any size is about what clears its overlaps.
///
/// The padding id must name a point whose radius is so far below zero that it overlaps nothing.
/// The sums run in eight lanes, folded in a fixed order, so that every machine finds the same bits.
///
/// # Safety
/// Every id in `blocks` must be a place in `points`.
#[inline(always)]
unsafe fn push_generic(
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
        let mut d = [[0f32; LANES]; 3];
        let mut radius = [0f32; LANES];
        for lane in 0..LANES {
            // SAFETY: the caller vouches for the ids.
            let other = unsafe { *points.add(block[lane] as usize) };
            for axis in 0..3 {
                d[axis][lane] = me.at[axis].wrapping_sub(other.at[axis]) as f32;
            }
            radius[lane] = other.radius;
        }
        for lane in 0..LANES {
            let (x, y, z) = (
                d[0][lane] * unit[0],
                d[1][lane] * unit[1],
                d[2][lane] * unit[2],
            );
            let distance = (x * x + y * y + z * z).sqrt();
            let overlap = ((me.radius + radius[lane]) * scale - distance).max(0.0);
            let theirs = radius[lane] * radius[lane];
            let weight = overlap * theirs / ((mine + theirs) * distance.max(f32::MIN_POSITIVE));
            for axis in 0..3 {
                sum[axis][lane] += d[axis][lane] * weight;
            }
            let relative = overlap / (2.0 * scale * me.radius.min(radius[lane]).abs());
            total[lane] += relative;
            largest[lane] = largest[lane].max(relative);
        }
    }
    Push {
        steps: sum.map(fold),
        total: fold(total),
        largest: largest.into_iter().fold(0.0, f32::max),
    }
}

#[inline(always)]
fn fold(lanes: [f32; LANES]) -> f32 {
    let [a, b, c, d, e, f, g, h] = lanes;
    ((a + e) + (c + g)) + ((b + f) + (d + h))
}

/// The same for the instruction set of this machine.
pub(super) type PushKernel = unsafe fn(*const Point, Point, &[Block], [f32; 3], f32) -> Push;

pub(super) fn push_kernel() -> PushKernel {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") {
        #[target_feature(enable = "avx2")]
        unsafe fn push_avx2(
            points: *const Point,
            me: Point,
            blocks: &[Block],
            unit: [f32; 3],
            scale: f32,
        ) -> Push {
            // SAFETY: handed on to the caller.
            unsafe { push_generic(points, me, blocks, unit, scale) }
        }
        return push_avx2;
    }
    push_portable
}

unsafe fn push_portable(
    points: *const Point,
    me: Point,
    blocks: &[Block],
    unit: [f32; 3],
    scale: f32,
) -> Push {
    // SAFETY: handed on to the caller.
    unsafe { push_generic(points, me, blocks, unit, scale) }
}
