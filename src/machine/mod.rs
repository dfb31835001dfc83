//! Helpers close to the processor: vectors of eight lanes, prefetching, sorting, and the order along a space-filling curve.

pub mod communicator;
pub(crate) mod lanes;
#[cfg(feature = "mpi")]
pub mod mpi;
pub(crate) mod prefetch;
pub(crate) mod radix_sort;
pub(crate) mod rising;
pub mod trace;
pub(crate) mod z_order;
