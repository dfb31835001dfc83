//! Ctrl-C.

use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result};

/// The exit code of a program that Ctrl-C ended.
pub const EXIT_CODE: u8 = 130;

static INTERRUPTED: AtomicBool = AtomicBool::new(false);
static WRITING: AtomicBool = AtomicBool::new(false);

/// From now on the first Ctrl-C only asks to stop; a second one ends the program, unless files are being written.
pub fn watch() -> Result<()> {
    ctrlc::set_handler(|| {
        if INTERRUPTED.swap(true, Ordering::Relaxed) && !WRITING.load(Ordering::Relaxed) {
            std::process::exit(EXIT_CODE.into());
        }
    })
    .context("cannot watch for Ctrl-C")
}

/// Whether Ctrl-C was pressed.
pub fn requested() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}

/// Files are being written, which takes no interruption.
pub fn begin_writing() {
    WRITING.store(true, Ordering::Relaxed);
}
