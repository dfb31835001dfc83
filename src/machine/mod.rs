//! Helpers close to the processor: vectors of eight lanes, prefetching, sorting, and the order along a space-filling curve.

pub(crate) mod lanes;
pub(crate) mod prefetch;
pub(crate) mod radix_sort;
pub mod trace;
pub(crate) mod z_order;
