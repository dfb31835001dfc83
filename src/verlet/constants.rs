//! Constants of the Verlet lists, each with the measurement that selected it.
//!
//! `cargo run --release -p reports -- choices` halves and doubles every choice below and writes the effect on time to
//! `docs/reports/choices.md`. No choice changes a list. The limits at the end follow from arithmetic and are not varied.

// Choices: clusters.

/// Estimated time of an index query, in nanoseconds. Together with the next two constants it decides how many neighboring
/// spheres share one query; only the ratios matter.
pub(super) const QUERY_TIME: f64 = 500.0;

/// Estimated time for each candidate that the index reports, in nanoseconds.
pub(super) const CANDIDATE_TIME: f64 = 4.0;

/// Estimated time to test one candidate against one bounding sphere, in nanoseconds.
pub(super) const TEST_TIME: f64 = 0.3;

/// An index reports about the spheres that would intersect a probe if all had this multiple of their radius.
pub(super) const INDEX_REACH: f64 = 3.0;

/// Clusters of at most this size are searched sphere by sphere.
pub(super) const SMALL_CLUSTER: usize = 8;

/// Reported ids are collected up to this number before their spheres are read, which are being prefetched meanwhile.
pub(super) const COLLECTED_IDS: usize = 256;

// Choices: storage of lists.

/// Number of spheres whose lists are stored together, as the exponent of a power of two. Different shards are updated in
/// parallel.
pub(super) const SHARD_BITS: u32 = 10;

/// Number of shards whose spheres may all be refreshed before the edits that they cause in other shards are made. The edits of
/// all spheres at once might take more memory than the lists.
pub(super) const SHARDS_PER_ROUND: usize = 256;

/// Lists up to this length are edited one entry at a time; longer lists are merged with all their edits at once.
pub(super) const SHORT_LIST: usize = 128;

/// Lists are prefetched this many edits ahead, and at most this many cache lines of each.
pub(super) const EDITS_AHEAD: usize = 8;
pub(super) const EDITED_LINES: usize = 6;

// Limits.

/// Inflated spheres are larger by this share in all tests of lists. It exceeds the rounding errors of the tests.
pub(super) const MARGIN: f64 = 1e-6;

/// Spheres that one task sums up. The size is fixed, so that the sum does not depend on the number of threads.
pub(super) const SUM_TASK: usize = 1 << 14;

/// Shards whose changes one task looks up at least: a look-up takes some 100 ns.
pub(super) const SHARDS_PER_TASK: usize = 64;
