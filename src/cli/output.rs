//! Results on stdout, messages on stderr.

use std::{
    io::{self, Write},
    sync::atomic::{AtomicBool, Ordering::Relaxed},
};

use anyhow::Context;
use serde::Serialize;

/// Whether this process prints nothing, because another one prints for it.
static SILENT: AtomicBool = AtomicBool::new(false);

/// Lets this process print nothing from now on.
#[cfg(feature = "mpi")]
pub fn silence() {
    SILENT.store(true, Relaxed);
}

/// Returns whether another process prints for this one.
pub fn is_silent() -> bool {
    SILENT.load(Relaxed)
}

/// Prints a result on stdout. A reader that stops reading is no error.
pub fn print(text: &str) -> anyhow::Result<()> {
    if is_silent() {
        return Ok(());
    }
    let mut out = io::stdout().lock();
    match writeln!(out, "{text}").and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(error).context("cannot write to stdout")
        }
        _ => Ok(()),
    }
}

/// Prints one JSON object on stdout.
pub fn print_json(value: &impl Serialize) -> anyhow::Result<()> {
    print(&serde_json::to_string(value)?)
}

/// Prints a message on stderr, as one line.
pub fn print_message(text: &str) {
    if is_silent() {
        return;
    }
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    // If stderr is closed, nobody can be told.
    let _ = writeln!(io::stderr(), "{line}");
}
