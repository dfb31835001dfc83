//! Hints to the processor.

/// Starts to fetch the cache lines of the first few items into the nearest cache.
#[inline(always)]
pub(crate) fn prefetch<T>(items: &[T], lines: usize) {
    const LINE: usize = 64;
    let start = items.as_ptr().cast::<u8>();
    for line in 0..lines.min(size_of_val(items).div_ceil(LINE)) {
        prefetch_line(start.wrapping_add(line * LINE));
    }
}

/// Starts to fetch the cache line of `place` into the nearest cache. Never faults, whatever is there.
#[inline(always)]
pub(crate) fn prefetch_line<T>(place: *const T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: SSE is part of x86-64, and a prefetch is no access.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(place.cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = place;
}
