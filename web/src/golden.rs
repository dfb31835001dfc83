//! The golden hashes.

#[allow(
    dead_code,
    unused_imports,
    reason = "the test functions do not exist here"
)]
#[path = "../../tests/integration/golden.rs"]
mod rows;

use jostle::{Packer, pack};
use rows::{GOLDEN, hash, request};

/// Returns the number of rows.
#[unsafe(no_mangle)]
pub extern "C" fn golden_rows() -> usize {
    GOLDEN.len()
}

/// Packs a row, straight or stopped after some sweeps and continued from a checkpoint. Returns whether the packing has the golden hash.
#[unsafe(no_mangle)]
pub extern "C" fn golden(row: usize, sweeps: u32) -> bool {
    let (sizes, settings, expected) = GOLDEN[row];
    let (radii, options) = request(sizes, settings);
    let options = options.threads(1);
    let packing = match sweeps {
        0 => pack(radii, &options).ok().map(|run| run.packing),
        sweeps => continued(&radii, &options, sweeps),
    };
    packing.is_some_and(|packing| hash(&packing) == expected)
}

fn continued(radii: &[f64], options: &jostle::PackOptions, sweeps: u32) -> Option<jostle::Packing> {
    let mut packer = Packer::new(radii, options).ok()?;
    for _ in 0..sweeps {
        packer.sweep();
    }
    let mut packer = Packer::resume(packer.checkpoint()).ok()?;
    while packer.sweep().is_some() {}
    Some(packer.finish().packing)
}
