//! Results on stdout, messages on stderr.

use std::io::{self, Write};

use anyhow::Context;
use serde::Serialize;

/// Prints a result on stdout. A reader that stops reading is no error.
pub fn print(text: &str) -> anyhow::Result<()> {
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
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    // If stderr is closed, nobody can be told.
    let _ = writeln!(io::stderr(), "{line}");
}
