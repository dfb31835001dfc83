//! Helpers close to the processor: vectors of eight lanes, prefetching, sorting, and the order along a space-filling curve.

pub(crate) mod clock;
pub mod communicator;
pub(crate) mod divided;
pub(crate) mod ids;
pub(crate) mod lanes;
#[cfg(feature = "mpi")]
pub mod mpi;
#[cfg(feature = "mpi")]
mod mpi_file;
pub(crate) mod parallel;
pub(crate) mod prefetch;
pub(crate) mod radix_sort;
pub mod ranks;
pub(crate) mod sample_sort;
pub(crate) mod sorted;
pub(crate) mod sync;
#[cfg(test)]
pub(crate) mod threads;
pub mod trace;
pub(crate) mod z_order;
