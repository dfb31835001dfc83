//! The clock. In a browser, WebAssembly has none of its own, and uses the clock of the page.

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub(crate) use std::time::Instant;

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub(crate) use page::Instant;

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
mod page {
    use std::{ops::Sub, time::Duration};

    #[link(wasm_import_module = "jostle")]
    unsafe extern "C" {
        /// Returns milliseconds since a fixed time, like `performance.now()`.
        safe fn now() -> f64;
    }

    /// A time, with the part of the interface of `std::time::Instant` that the library uses.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub(crate) struct Instant(Duration);

    impl Instant {
        pub fn now() -> Self {
            Self(Duration::try_from_secs_f64(1e-3 * now()).unwrap_or_default())
        }

        pub fn elapsed(&self) -> Duration {
            Self::now() - *self
        }

        pub fn checked_add(&self, duration: Duration) -> Option<Self> {
            self.0.checked_add(duration).map(Self)
        }
    }

    impl Sub for Instant {
        type Output = Duration;

        fn sub(self, earlier: Self) -> Duration {
            self.0.saturating_sub(earlier.0)
        }
    }
}
