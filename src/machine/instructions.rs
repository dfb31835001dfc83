//! Which instructions of the processor the inner loops use.

/// Lanes of a vector of theirs.
pub(crate) const LANES: usize = 8;

/// Each inner loop comes in every kind, and every kind finds the same bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Instructions {
    Portable,
    #[cfg(target_arch = "x86_64")]
    Avx2,
}

impl Instructions {
    /// The fastest that this machine has.
    pub fn detect() -> Self {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("popcnt") {
            return Self::Avx2;
        }
        Self::Portable
    }
}
