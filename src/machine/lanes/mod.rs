//! Vectors of eight lanes: a kernel is written once and runs with the fastest instructions of the machine.
//!
//! A kernel implements [`Kernel`] with a function that is generic over the [`Lanes`]. [`run`] compiles the function for each
//! instruction set and calls the version for this machine. All instruction sets do the same operations in the same lanes, none
//! of them fused, so that the results have the same bits.

#[cfg(target_arch = "x86_64")]
mod avx2;
mod interface;
#[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
mod neon;
mod portable;
mod run;

pub(crate) use interface::{LANES, Lanes};
#[cfg(test)]
pub(crate) use run::run_portable;
pub(crate) use run::{Kernel, run};
