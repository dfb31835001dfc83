//! The memory of a run of the packing loop.

use anyhow::Result;

use super::{super::constants::MANY_SPHERES, allocator::return_large_blocks, request::check};
use crate::{PackOptions, distribution::SizeDistribution};

/// Rejects more spheres than the memory holds, and lets large packings take no more memory than they need. The processes of this
/// machine hold together `share` of the spheres; 1 without other machines.
///
/// # Errors
/// One sentence with the memory that the spheres need, the memory that is available, and the number of spheres that it holds.
pub fn prepare(
    count: f64,
    share: f64,
    options: &PackOptions,
    sizes: &SizeDistribution,
    has_checkpoints: bool,
) -> Result<()> {
    let bytes = |count: f64| {
        let estimate = options.estimated_memory(count * share, sizes);
        let spare = if count < MANY_SPHERES {
            estimate.spare
        } else {
            0.0
        };
        let checkpoint = if has_checkpoints {
            estimate.checkpoint
        } else {
            0.0
        };
        estimate.needed + spare + checkpoint
    };
    check(count, options.threads, bytes)?;
    if count >= MANY_SPHERES {
        return_large_blocks();
    }
    Ok(())
}
