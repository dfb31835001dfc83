//! What the inner loops know of the processor, and orders in memory.

pub(crate) mod instructions;
#[cfg(target_arch = "x86_64")]
pub(crate) mod lanes;
pub(crate) mod prefetch;
pub(crate) mod radix_sort;
pub(crate) mod z_order;
