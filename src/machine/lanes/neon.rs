//! Lanes for aarch64, whose baseline has NEON.

use std::arch::aarch64::*;

use super::interface::{LANES, Lanes, SET_BITS, operations};

/// Eight lanes in two registers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Neon;

/// Calls intrinsics of NEON.
macro_rules! neon {
    ($call:expr) => {
        // SAFETY: this module is compiled only for targets that have NEON.
        #[allow(
            unused_unsafe,
            reason = "intrinsics without pointers are safe since Rust 1.87"
        )]
        unsafe {
            $call
        }
    };
}

/// Returns the weighted sum of the lanes of a comparison: a bit for each lane.
#[inline(always)]
fn mask(lanes: [uint32x4_t; 2]) -> u32 {
    const LOW: [u32; 4] = [1, 2, 4, 8];
    const HIGH: [u32; 4] = [16, 32, 64, 128];
    neon!({
        let low = vandq_u32(lanes[0], vld1q_u32(LOW.as_ptr()));
        let high = vandq_u32(lanes[1], vld1q_u32(HIGH.as_ptr()));
        vaddvq_u32(vorrq_u32(low, high))
    })
}

impl Lanes for Neon {
    type F32 = [float32x4_t; 2];
    type I32 = [int32x4_t; 2];

    operations! {
        splat(x: f32) -> Self::F32 = neon!([vdupq_n_f32(x); 2]);
        splat_i32(x: i32) -> Self::I32 = neon!([vdupq_n_s32(x); 2]);
        add(a: Self::F32, b: Self::F32) -> Self::F32 = neon!([vaddq_f32(a[0], b[0]), vaddq_f32(a[1], b[1])]);
        sub(a: Self::F32, b: Self::F32) -> Self::F32 = neon!([vsubq_f32(a[0], b[0]), vsubq_f32(a[1], b[1])]);
        mul(a: Self::F32, b: Self::F32) -> Self::F32 = neon!([vmulq_f32(a[0], b[0]), vmulq_f32(a[1], b[1])]);
        div(a: Self::F32, b: Self::F32) -> Self::F32 = neon!([vdivq_f32(a[0], b[0]), vdivq_f32(a[1], b[1])]);
        sqrt(a: Self::F32) -> Self::F32 = neon!([vsqrtq_f32(a[0]), vsqrtq_f32(a[1])]);
        max(a: Self::F32, b: Self::F32) -> Self::F32 = neon!([vmaxq_f32(a[0], b[0]), vmaxq_f32(a[1], b[1])]);
        min(a: Self::F32, b: Self::F32) -> Self::F32 = neon!([vminq_f32(a[0], b[0]), vminq_f32(a[1], b[1])]);
        sub_i32(a: Self::I32, b: Self::I32) -> Self::I32 = neon!([vsubq_s32(a[0], b[0]), vsubq_s32(a[1], b[1])]);
        to_f32(a: Self::I32) -> Self::F32 = neon!([vcvtq_f32_s32(a[0]), vcvtq_f32_s32(a[1])]);
        bits_to_f32(a: Self::I32) -> Self::F32 = neon!([vreinterpretq_f32_s32(a[0]), vreinterpretq_f32_s32(a[1])]);
        less(a: Self::F32, b: Self::F32) -> u32 = mask(neon!([vcltq_f32(a[0], b[0]), vcltq_f32(a[1], b[1])]));
        equal(a: Self::I32, b: Self::I32) -> u32 = mask(neon!([vceqq_s32(a[0], b[0]), vceqq_s32(a[1], b[1])]));
    }

    #[inline(always)]
    fn sums(self, vectors: [Self::F32; 4]) -> [f32; 4] {
        vectors.map(|[low, high]| {
            neon!({
                let halves = vaddq_f32(low, high);
                let quarters = vadd_f32(vget_low_f32(halves), vget_high_f32(halves));
                vget_lane_f32::<0>(quarters) + vget_lane_f32::<1>(quarters)
            })
        })
    }

    #[inline(always)]
    fn largest(self, [low, high]: Self::F32) -> f32 {
        neon!(vmaxvq_f32(vmaxq_f32(low, high)))
    }

    #[inline(always)]
    unsafe fn transpose<T>(self, row: impl Fn(usize) -> *const T) -> [Self::I32; 4] {
        neon!({
            // The caller guarantees that the rows are readable and aligned.
            let row = |lane: usize| vld1q_s32(row(lane).cast::<i32>());
            let transposed = |first: usize| {
                let ab = vtrnq_s32(row(first), row(first + 1));
                let cd = vtrnq_s32(row(first + 2), row(first + 3));
                let low = |a, b| vcombine_s32(vget_low_s32(a), vget_low_s32(b));
                let high = |a, b| vcombine_s32(vget_high_s32(a), vget_high_s32(b));
                [
                    low(ab.0, cd.0),
                    low(ab.1, cd.1),
                    high(ab.0, cd.0),
                    high(ab.1, cd.1),
                ]
            };
            let (first, last) = (transposed(0), transposed(4));
            [
                [first[0], last[0]],
                [first[1], last[1]],
                [first[2], last[2]],
                [first[3], last[3]],
            ]
        })
    }

    #[inline(always)]
    fn rows(self, columns: [Self::F32; 4]) -> [[f32; 4]; LANES] {
        let mut rows = [[0.0; 4]; LANES];
        let (low, high) = rows.split_at_mut(LANES / 2);
        for (half, rows) in [low, high].into_iter().enumerate() {
            let [a, b, c, d] = columns.map(|column| column[half]);
            // SAFETY: the rows have 16 numbers.
            neon!(vst4q_f32(
                rows.as_mut_ptr().cast(),
                float32x4x4_t(a, b, c, d)
            ));
        }
        rows
    }

    #[inline(always)]
    unsafe fn load(self, from: *const u32) -> Self::I32 {
        // The caller guarantees that the integers are readable.
        neon!([vld1q_s32(from.cast()), vld1q_s32(from.add(4).cast())])
    }

    #[inline(always)]
    unsafe fn compress(self, lanes: Self::I32, kept: u32, to: *mut u32) -> usize {
        let mut all = [0i32; LANES];
        neon!({
            vst1q_s32(all.as_mut_ptr(), lanes[0]);
            vst1q_s32(all.as_mut_ptr().add(4), lanes[1]);
        });
        let order = &SET_BITS[kept as usize & 0xff];
        for (k, &lane) in order.iter().enumerate() {
            // SAFETY: the caller guarantees that eight integers are writable.
            unsafe { to.add(k).write(all[lane as usize & (LANES - 1)] as u32) };
        }
        kept.count_ones() as usize
    }
}
