//! Interrupts by Ctrl-C.

use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result};

use super::constants::INTERRUPTED;

static REQUESTED: AtomicBool = AtomicBool::new(false);
static WRITING: AtomicBool = AtomicBool::new(false);

/// Starts to handle Ctrl-C: the first one only requests a stop; a second one ends the program, except while files are written.
pub fn watch() -> Result<()> {
    ctrlc::set_handler(|| {
        if REQUESTED.swap(true, Ordering::Relaxed) && !WRITING.load(Ordering::Relaxed) {
            std::process::exit(INTERRUPTED.into());
        }
    })
    .context("cannot handle Ctrl-C")
}

/// Returns whether Ctrl-C was pressed.
pub fn is_requested() -> bool {
    REQUESTED.load(Ordering::Relaxed)
}

/// Marks the start of writing files, during which Ctrl-C does not end the program.
pub fn begin_writing() {
    WRITING.store(true, Ordering::Relaxed);
}
