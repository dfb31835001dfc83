//! The choice of the instruction set at run time.

#[cfg(target_arch = "x86_64")]
use super::avx2::Avx2;
use super::interface::Lanes;
#[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
use super::neon::Neon as Baseline;
#[cfg(test)]
use super::portable::Portable;
#[cfg(not(any(
    all(target_arch = "aarch64", target_feature = "neon"),
    all(target_family = "wasm", target_feature = "simd128")
)))]
use super::portable::Portable as Baseline;
#[cfg(all(target_family = "wasm", target_feature = "simd128"))]
use super::simd128::Simd128 as Baseline;

/// A computation on eight lanes.
pub(crate) trait Kernel {
    /// The result.
    type Output;

    /// Computes the result. Implementations and the functions they call must be `#[inline(always)]`, so that they are compiled
    /// for the instruction set of `lanes`.
    fn compute<L: Lanes>(self, lanes: L) -> Self::Output;
}

/// Runs a kernel with the fastest instruction set of this machine. On x86-64 with the environment variable `JOSTLE_DISABLE_AVX2`, it runs
/// without special instructions.
#[inline]
pub(crate) fn run<K: Kernel>(kernel: K) -> K::Output {
    #[cfg(target_arch = "x86_64")]
    if let Some(lanes) = Avx2::detect() {
        // SAFETY: the machine has the instructions.
        return unsafe { run_avx2(kernel, lanes) };
    }
    kernel.compute(Baseline)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,popcnt")]
fn run_avx2<K: Kernel>(kernel: K, lanes: Avx2) -> K::Output {
    kernel.compute(lanes)
}

/// Runs a kernel without special instructions.
#[cfg(test)]
pub(crate) fn run_portable<K: Kernel>(kernel: K) -> K::Output {
    kernel.compute(Portable)
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_pcg::Pcg64;

    use super::*;
    use crate::machine::lanes::LANES;

    #[repr(C, align(16))]
    #[derive(Clone, Copy)]
    struct Row([i32; 4]);

    /// Every operation on some rows, as bits.
    struct AllOperations<'a>(&'a [Row; LANES]);

    impl Kernel for AllOperations<'_> {
        type Output = Vec<u32>;

        #[inline(always)]
        fn compute<L: Lanes>(self, lanes: L) -> Vec<u32> {
            // SAFETY: there are eight rows of 16 bytes, aligned to 16 bytes.
            let [x, y, z, w] = unsafe { lanes.transpose(|lane| &raw const self.0[lane]) };
            let [a, b] = [x, y].map(|integers| lanes.to_f32(integers));
            let c = lanes.bits_to_f32(w);
            let mut bits = vec![
                lanes.less(a, b),
                lanes.less(c, a),
                lanes.equal(x, y),
                lanes.equal(x, lanes.splat_i32(7)),
                lanes.largest(a).to_bits(),
            ];
            let squares = lanes.mul(a, a);
            let vectors = [
                [lanes.add(a, b), lanes.sub(a, b), lanes.mul(a, b), c],
                [
                    lanes.div(a, b),
                    lanes.sqrt(squares),
                    lanes.max(a, b),
                    lanes.min(a, lanes.splat(1.5)),
                ],
                [lanes.to_f32(lanes.sub_i32(z, x)), a, b, squares],
            ];
            for vectors in vectors {
                bits.extend(lanes.sums(vectors).map(f32::to_bits));
                let rows = lanes.rows(vectors);
                bits.extend(rows.as_flattened().iter().map(|x| x.to_bits()));
            }
            for kept in 0..1 << LANES {
                let mut ids = [0; LANES];
                // SAFETY: there is room for eight ids.
                let count = unsafe { lanes.compress(z, kept, ids.as_mut_ptr()) };
                bits.extend(&ids[..count]);
            }
            let ids = [3, 1, 4, 1, 5, 9, 2, 6];
            // SAFETY: there are eight ids.
            bits.push(lanes.equal(unsafe { lanes.load(ids.as_ptr()) }, lanes.splat_i32(1)));
            bits
        }
    }

    #[test]
    fn every_instruction_set_finds_the_same_bits() {
        let mut rng = Pcg64::seed_from_u64(1);
        for _ in 0..200 {
            let rows: [Row; LANES] = std::array::from_fn(|_| {
                let number = rng.random_range(-1e6..1e6f32);
                let x = rng.random_range(-9..9);
                Row([
                    x,
                    rng.random_range(1..9),
                    rng.random(),
                    number.to_bits() as i32,
                ])
            });
            let portable = run_portable(AllOperations(&rows));
            assert_eq!(portable, run(AllOperations(&rows)));
            assert_eq!(portable[2].count_ones() as usize, {
                let equal = rows.iter().filter(|row| row.0[0] == row.0[1]);
                equal.count()
            });
        }
    }
}
