//! Lanes for WebAssembly with vectors of 128 bits.

use std::arch::wasm32::*;

use super::interface::{LANES, Lanes, SET_BITS, operations};

/// Eight lanes in two vectors.
#[derive(Clone, Copy, Debug)]
pub(super) struct Simd128;

#[inline(always)]
fn both(a: [v128; 2], b: [v128; 2], operation: impl Fn(v128, v128) -> v128) -> [v128; 2] {
    [operation(a[0], b[0]), operation(a[1], b[1])]
}

/// Returns a bit for each lane of a comparison.
#[inline(always)]
fn mask([low, high]: [v128; 2]) -> u32 {
    u32::from(i32x4_bitmask(low)) | u32::from(i32x4_bitmask(high)) << 4
}

/// Transposes four rows of four.
#[inline(always)]
fn transposed([a, b, c, d]: [v128; 4]) -> [v128; 4] {
    let (low_ab, high_ab) = (
        i32x4_shuffle::<0, 4, 1, 5>(a, b),
        i32x4_shuffle::<2, 6, 3, 7>(a, b),
    );
    let (low_cd, high_cd) = (
        i32x4_shuffle::<0, 4, 1, 5>(c, d),
        i32x4_shuffle::<2, 6, 3, 7>(c, d),
    );
    [
        i64x2_shuffle::<0, 2>(low_ab, low_cd),
        i64x2_shuffle::<1, 3>(low_ab, low_cd),
        i64x2_shuffle::<0, 2>(high_ab, high_cd),
        i64x2_shuffle::<1, 3>(high_ab, high_cd),
    ]
}

impl Lanes for Simd128 {
    type F32 = [v128; 2];
    type I32 = [v128; 2];

    operations! {
        splat(x: f32) -> Self::F32 = [f32x4_splat(x); 2];
        splat_i32(x: i32) -> Self::I32 = [i32x4_splat(x); 2];
        add(a: Self::F32, b: Self::F32) -> Self::F32 = both(a, b, |a, b| f32x4_add(a, b));
        sub(a: Self::F32, b: Self::F32) -> Self::F32 = both(a, b, |a, b| f32x4_sub(a, b));
        mul(a: Self::F32, b: Self::F32) -> Self::F32 = both(a, b, |a, b| f32x4_mul(a, b));
        div(a: Self::F32, b: Self::F32) -> Self::F32 = both(a, b, |a, b| f32x4_div(a, b));
        sqrt(a: Self::F32) -> Self::F32 = a.map(|a| f32x4_sqrt(a));
        // The maximum of x86-64 returns its second operand where neither is larger; this one returns its first.
        max(a: Self::F32, b: Self::F32) -> Self::F32 = both(a, b, |a, b| f32x4_pmax(b, a));
        min(a: Self::F32, b: Self::F32) -> Self::F32 = both(a, b, |a, b| f32x4_pmin(b, a));
        sub_i32(a: Self::I32, b: Self::I32) -> Self::I32 = both(a, b, |a, b| i32x4_sub(a, b));
        to_f32(a: Self::I32) -> Self::F32 = a.map(|a| f32x4_convert_i32x4(a));
        bits_to_f32(a: Self::I32) -> Self::F32 = a;
        less(a: Self::F32, b: Self::F32) -> u32 = mask(both(a, b, |a, b| f32x4_lt(a, b)));
        equal(a: Self::I32, b: Self::I32) -> u32 = mask(both(a, b, |a, b| i32x4_eq(a, b)));
    }

    #[inline(always)]
    fn sums(self, vectors: [Self::F32; 4]) -> [f32; 4] {
        // The columns are halves added to halves; their sum joins quarters with quarters.
        let [a, b, c, d] = transposed(vectors.map(|[low, high]| f32x4_add(low, high)));
        let sums = f32x4_add(f32x4_add(a, c), f32x4_add(b, d));
        [
            f32x4_extract_lane::<0>(sums),
            f32x4_extract_lane::<1>(sums),
            f32x4_extract_lane::<2>(sums),
            f32x4_extract_lane::<3>(sums),
        ]
    }

    #[inline(always)]
    fn largest(self, [low, high]: Self::F32) -> f32 {
        let halves = f32x4_pmax(high, low);
        let quarters = f32x4_pmax(i64x2_shuffle::<1, 1>(halves, halves), halves);
        let [a, b] = [
            f32x4_extract_lane::<0>(quarters),
            f32x4_extract_lane::<1>(quarters),
        ];
        if a > b { a } else { b }
    }

    #[inline(always)]
    unsafe fn transpose<T>(self, row: impl Fn(usize) -> *const T) -> [Self::I32; 4] {
        // SAFETY: the caller guarantees that the rows are readable.
        let row = |lane: usize| unsafe { v128_load(row(lane).cast()) };
        let low = transposed([row(0), row(1), row(2), row(3)]);
        let high = transposed([row(4), row(5), row(6), row(7)]);
        [0, 1, 2, 3].map(|column| [low[column], high[column]])
    }

    #[inline(always)]
    fn rows(self, columns: [Self::F32; 4]) -> [[f32; 4]; LANES] {
        let halves = [0, 1].map(|half| transposed(columns.map(|column| column[half])));
        // SAFETY: both types are 32 numbers, and any bits are valid.
        unsafe { std::mem::transmute::<[[v128; 4]; 2], [[f32; 4]; LANES]>(halves) }
    }

    #[inline(always)]
    unsafe fn load(self, from: *const u32) -> Self::I32 {
        // SAFETY: the caller guarantees that the integers are readable.
        unsafe { [v128_load(from.cast()), v128_load(from.add(4).cast())] }
    }

    #[inline(always)]
    unsafe fn compress(self, lanes: Self::I32, kept: u32, to: *mut u32) -> usize {
        let mut all = [0u32; LANES];
        let order = &SET_BITS[kept as usize & 0xff];
        // SAFETY: the array has eight integers, and the caller guarantees that eight are writable.
        unsafe {
            v128_store(all.as_mut_ptr().cast(), lanes[0]);
            v128_store(all.as_mut_ptr().add(4).cast(), lanes[1]);
            for (k, &lane) in order.iter().enumerate() {
                to.add(k).write(all[lane as usize & (LANES - 1)]);
            }
        }
        kept.count_ones() as usize
    }
}
