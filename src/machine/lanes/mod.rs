//! Vectors of eight lanes: a kernel is written once and runs with the fastest instructions of the machine.
//!
//! A kernel implements [`Kernel`] with a function that is generic over the [`Lanes`]. [`run`] compiles the function for each
//! instruction set and calls the version for this machine. All instruction sets do the same operations in the same lanes, none
//! of them fused, so that the results have the same bits.
//!
//! Measured instead of this interface (2 000 equal spheres, minima of twelve interleaved runs, relocation and refresh): the
//! crate `wide` 1.7 with AVX2 switched on at compile time, 1.37 and 1.70 times the time, as it has no transposition of four
//! columns and no compression; the arrays of `portable`, compiled for AVX2, 2.1 and 2.0 times. The intrinsics in the dispatch of
//! the crate `pulp` 0.22 take the same time within the noise, as the instructions are the same.

#[cfg(target_arch = "x86_64")]
mod avx2;
mod interface;
#[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
mod neon;
#[cfg(any(test, not(all(target_family = "wasm", target_feature = "simd128"))))]
mod portable;
mod run;
#[cfg(all(target_family = "wasm", target_feature = "simd128"))]
mod simd128;

pub(crate) use interface::{LANES, Lanes};
#[cfg(test)]
pub(crate) use run::run_portable;
pub(crate) use run::{Kernel, run};
