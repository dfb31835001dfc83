//! Estimate of the memory of a run.

use std::thread;

use super::{
    constants::{
        CHECKPOINT_BYTES, DISK_BYTES, DOMINANT_SHARE, EVEN_SPARE_BYTES, LOOSE_SPHERE_BYTES,
        PROCESS_BYTES, SPARE_BYTES, SPHERE_BYTES, THREAD_BYTES,
    },
    options::PackOptions,
};
use crate::{dimension::Dimension, distribution::SizeDistribution};

/// The estimated peak memory of a process that packs spheres, in bytes of resident memory.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct MemoryEstimate {
    /// The program itself, the buffers of its threads, and the data of all spheres at the peak.
    pub needed: f64,
    /// Freed memory that the allocator of the GNU C library keeps for its threads. It keeps hardly any after
    /// `mallopt(M_MMAP_THRESHOLD, …)`, which the program `jostle` calls for a million spheres or more.
    pub spare: f64,
    /// The copy of the state while a checkpoint is written. A run without checkpoints does not need it.
    pub checkpoint: f64,
}

impl MemoryEstimate {
    /// Returns the sum of the parts of a run without checkpoints.
    pub fn total(&self) -> f64 {
        self.needed + self.spare
    }
}

impl PackOptions {
    /// Returns the estimated peak memory of packing `count` spheres of a size distribution on the requested number of threads.
    ///
    /// A sphere takes nearly the same memory in every distribution. In a wide distribution a sphere has fewer neighbors, but
    /// small spheres have larger skins. One case differs: where few spheres are drawn from a wide distribution, the largest
    /// sphere alone determines the container. The other spheres are packed loosely, and their lists are short.
    ///
    /// The measured peaks of all presets lie within 20 % of the estimate from 10 000 spheres on. Packings that are requested
    /// at a low packing fraction take less than the estimate. `docs/reports/performance.md` lists measurements.
    ///
    /// # Example
    /// ```
    /// use jostle::{PackOptions, distribution::{Mono, SizeDistribution}};
    ///
    /// let equal = SizeDistribution::from(Mono::new(1.0)?);
    /// let estimate = PackOptions::default().threads(2).estimated_memory(1e6, &equal);
    /// assert!(estimate.needed > 3e8 && estimate.needed < 4e8);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn estimated_memory(&self, count: f64, sizes: &SizeDistribution) -> MemoryEstimate {
        let threads = match self.threads {
            0 => thread::available_parallelism().map_or(1, usize::from),
            threads => threads,
        } as f64;
        let (dense, spare) = match self.container.dimension() {
            Dimension::Two => (DISK_BYTES, SPARE_BYTES),
            Dimension::Three => (
                SPHERE_BYTES,
                SPARE_BYTES + EVEN_SPARE_BYTES * evenness(sizes),
            ),
        };
        let per_sphere = if is_dominated_by_one_sphere(count, sizes) {
            LOOSE_SPHERE_BYTES
        } else {
            dense
        };
        let spare_per_sphere = spare * threads.log2();
        MemoryEstimate {
            needed: PROCESS_BYTES + THREAD_BYTES * threads + per_sphere * count,
            spare: spare_per_sphere * count,
            checkpoint: CHECKPOINT_BYTES * count,
        }
    }
}

/// Returns ⟨r⟩⟨r²⟩/⟨r³⟩, from 1 for equal spheres to almost 0 for a wide distribution. At a packing fraction φ, a sphere is
/// intersected by about φ (2 + 6 ⟨r⟩⟨r²⟩/⟨r³⟩) spheres that are spread evenly.
fn evenness(sizes: &SizeDistribution) -> f64 {
    let third = sizes.raw_moment(3);
    // A division at a time, so that the product does not leave the range of numbers.
    let evenness = sizes.raw_moment(1) * (sizes.raw_moment(2) / third);
    if evenness.is_finite() {
        evenness.clamp(0.0, 1.0)
    } else {
        1.0
    }
}

/// Returns whether the largest of `count` spheres alone determines the container: the cube around the sphere is larger than the
/// container that all spheres would fill densely.
fn is_dominated_by_one_sphere(count: f64, sizes: &SizeDistribution) -> bool {
    // A stratified sample represents the largest spheres, one in `count`, by one sphere with their mass.
    let from = sizes.number_quantile(1.0 - 1.0 / count.max(1.0));
    let share = 1.0 - sizes.mass_cdf(from);
    share > DOMINANT_SHARE
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::distribution::SizeSpec;

    #[test]
    fn the_estimate_grows_with_spheres_and_threads() {
        let sizes = SizeSpec::load("concrete").unwrap().distribution;
        let of = |threads, count| {
            let options = PackOptions::default().threads(threads);
            options.estimated_memory(count, &sizes)
        };
        assert_eq!(of(1, 1e6).spare, 0.0);
        assert!(of(1, 2e6).needed > 1.9 * of(1, 1e6).needed);
        assert!(of(4, 1e6).total() > of(2, 1e6).total());
        assert!(of(0, 1e6).total() >= of(1, 1e6).total());
    }

    #[test]
    fn one_sphere_dominates_small_samples_of_wide_distributions() {
        for (sizes, count, expected) in [
            ("equal", 1e4, false),
            ("concrete", 1e4, false),
            ("fuller-2011", 1e4, true),
            ("fuller-2011", 1e5, true),
            ("fuller-2011", 3e5, true),
            ("fuller-2011", 1e6, false),
            ("din-a32", 3e4, true),
            ("din-a32", 1e5, false),
        ] {
            let law = SizeSpec::load(sizes).unwrap().distribution;
            let found = is_dominated_by_one_sphere(count, &law);
            assert_eq!(found, expected, "{count} spheres of {sizes}");
        }
    }
}
