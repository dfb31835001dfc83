//! Hints to the processor.

/// Starts to load the items into the nearest cache, at most `lines` cache lines of them.
#[inline(always)]
pub(crate) fn prefetch<T>(items: &[T], lines: usize) {
    const LINE: usize = 64;
    let start = items.as_ptr().cast::<u8>();
    for line in 0..lines.min(size_of_val(items).div_ceil(LINE)) {
        prefetch_line(start.wrapping_add(line * LINE));
    }
}

/// Starts to load the cache line at `address` into the nearest cache. Any address is allowed.
#[inline(always)]
pub(crate) fn prefetch_line<T>(address: *const T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: SSE is part of x86-64, and a prefetch does not access memory.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(address.cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = address;
}
