//! Lanes for any machine: arrays, which the compiler maps to the vector instructions of the baseline.

use super::interface::{LANES, Lanes, SET_BITS, operations};

/// Eight lanes as arrays.
#[derive(Clone, Copy, Debug)]
pub(super) struct Portable;

#[inline(always)]
fn map<T: Copy, U>(a: [T; LANES], b: [T; LANES], operation: impl Fn(T, T) -> U) -> [U; LANES] {
    std::array::from_fn(|lane| operation(a[lane], b[lane]))
}

#[inline(always)]
fn mask(lanes: [bool; LANES]) -> u32 {
    let bits = lanes.into_iter().enumerate();
    bits.fold(0, |mask, (lane, is_set)| mask | u32::from(is_set) << lane)
}

/// Joins halves with halves, in the order of vector instructions.
#[inline(always)]
fn fold([a, b, c, d, e, f, g, h]: [f32; LANES], join: impl Fn(f32, f32) -> f32) -> f32 {
    join(join(join(a, e), join(c, g)), join(join(b, f), join(d, h)))
}

#[inline(always)]
fn larger(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

impl Lanes for Portable {
    type F32 = [f32; LANES];
    type I32 = [i32; LANES];

    operations! {
        splat(x: f32) -> Self::F32 = [x; LANES];
        splat_i32(x: i32) -> Self::I32 = [x; LANES];
        add(a: Self::F32, b: Self::F32) -> Self::F32 = map(a, b, |a, b| a + b);
        sub(a: Self::F32, b: Self::F32) -> Self::F32 = map(a, b, |a, b| a - b);
        mul(a: Self::F32, b: Self::F32) -> Self::F32 = map(a, b, |a, b| a * b);
        div(a: Self::F32, b: Self::F32) -> Self::F32 = map(a, b, |a, b| a / b);
        sqrt(a: Self::F32) -> Self::F32 = a.map(f32::sqrt);
        max(a: Self::F32, b: Self::F32) -> Self::F32 = map(a, b, larger);
        min(a: Self::F32, b: Self::F32) -> Self::F32 = map(a, b, |a, b| if a < b { a } else { b });
        sub_i32(a: Self::I32, b: Self::I32) -> Self::I32 = map(a, b, i32::wrapping_sub);
        to_f32(a: Self::I32) -> Self::F32 = a.map(|a| a as f32);
        bits_to_f32(a: Self::I32) -> Self::F32 = a.map(|a| f32::from_bits(a as u32));
        less(a: Self::F32, b: Self::F32) -> u32 = mask(map(a, b, |a, b| a < b));
        equal(a: Self::I32, b: Self::I32) -> u32 = mask(map(a, b, |a, b| a == b));
    }

    #[inline(always)]
    fn sums(self, vectors: [Self::F32; 4]) -> [f32; 4] {
        vectors.map(|lanes| fold(lanes, |a, b| a + b))
    }

    #[inline(always)]
    fn largest(self, a: Self::F32) -> f32 {
        fold(a, larger)
    }

    #[inline(always)]
    unsafe fn transpose<T>(self, row: impl Fn(usize) -> *const T) -> [Self::I32; 4] {
        // SAFETY: the caller guarantees that the rows are readable and aligned.
        let rows: [[i32; 4]; LANES] =
            std::array::from_fn(|lane| unsafe { row(lane).cast::<[i32; 4]>().read() });
        std::array::from_fn(|column| rows.map(|row| row[column]))
    }

    #[inline(always)]
    fn rows(self, columns: [Self::F32; 4]) -> [[f32; 4]; LANES] {
        std::array::from_fn(|lane| columns.map(|column| column[lane]))
    }

    #[inline(always)]
    unsafe fn load(self, from: *const u32) -> Self::I32 {
        // SAFETY: the caller guarantees that the integers are readable.
        unsafe { from.cast::<[i32; LANES]>().read_unaligned() }
    }

    #[inline(always)]
    unsafe fn compress(self, lanes: Self::I32, kept: u32, to: *mut u32) -> usize {
        let order = SET_BITS[kept as usize & 0xff];
        let compressed = order.map(|lane| lanes[lane as usize & (LANES - 1)]);
        // SAFETY: the caller guarantees that the integers are writable.
        unsafe { to.cast::<[i32; LANES]>().write_unaligned(compressed) };
        kept.count_ones() as usize
    }
}
