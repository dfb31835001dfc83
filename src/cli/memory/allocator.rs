//! The allocator of the program: the allocator of the system, set up for large packings, with an end in one sentence.

#[cfg(unix)]
pub use failing::Failing;

/// Lets all large blocks return to the system as soon as they are freed.
///
/// By default, the GNU allocator learns from the first large blocks to keep later ones in its heap, where the growing lists of
/// a packing leave gaps: about 70 bytes for each of two million spheres of a Fuller curve.
pub fn return_large_blocks() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        // SAFETY: `mallopt` sets a parameter of the allocator and touches no block in use.
        unsafe { libc::mallopt(libc::M_MMAP_THRESHOLD, super::super::constants::LARGE_BLOCK) };
    }
}

/// Lets all threads share one heap if the address space of the process is limited. Must precede the start of threads.
///
/// By default, the GNU allocator reserves 64 MiB of addresses for each thread. Under `ulimit -v` these addresses are missing
/// elsewhere: 100 000 spheres, which take 46 MB, failed at 150 MB.
pub fn limit_arenas() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    if super::address_space::is_limited() {
        // SAFETY: `mallopt` sets a parameter of the allocator and touches no block in use.
        unsafe { libc::mallopt(libc::M_ARENA_MAX, 1) };
    }
}

#[cfg(unix)]
mod failing {
    use std::{
        alloc::{GlobalAlloc, Layout, System},
        io::{self, IsTerminal},
        sync::atomic::{AtomicBool, Ordering},
        thread,
        time::Duration,
    };

    use super::super::super::constants::REFUSED;

    /// The allocator of the system. A failed allocation ends the program with a sentence instead of a signal.
    pub struct Failing;

    // SAFETY: every call is passed on to the allocator of the system. Null pointers are not returned.
    unsafe impl GlobalAlloc for Failing {
        #[inline]
        unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
            // SAFETY: the caller keeps the contract, which is the same for both allocators.
            checked(unsafe { System.alloc(layout) })
        }

        #[inline]
        unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
            // SAFETY: as in `alloc`.
            checked(unsafe { System.alloc_zeroed(layout) })
        }

        #[inline]
        unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
            // SAFETY: as in `alloc`; `block` comes from the allocator of the system.
            checked(unsafe { System.realloc(block, layout, size) })
        }

        #[inline]
        unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
            // SAFETY: as in `realloc`.
            unsafe { System.dealloc(block, layout) }
        }
    }

    #[inline]
    fn checked(block: *mut u8) -> *mut u8 {
        if block.is_null() {
            end();
        }
        block
    }

    /// Ends the program. Neither memory nor locks are needed for this: other threads may hold locks that they never release.
    #[cold]
    #[inline(never)]
    fn end() -> ! {
        static ENDING: AtomicBool = AtomicBool::new(false);
        // A second thread whose allocation fails waits for the end.
        while ENDING.swap(true, Ordering::Relaxed) {
            thread::sleep(Duration::from_secs(1));
        }
        if io::stderr().is_terminal() {
            // Deletes the progress line.
            write(b"\r\x1b[K");
        }
        write(
            b"error: the memory ran out; use fewer spheres, end other programs, or raise the limit of memory\n",
        );
        // SAFETY: ends the process without destructors and exit handlers, which might allocate or lock.
        unsafe { libc::_exit(REFUSED.into()) }
    }

    fn write(text: &[u8]) {
        // If stderr is closed, nobody can be told.
        // SAFETY: `text` is valid for reads of its length.
        let _ = unsafe { libc::write(libc::STDERR_FILENO, text.as_ptr().cast(), text.len()) };
    }
}
