//! Results on stdout, messages on stderr.

use std::{
    io::{self, Write},
    sync::atomic::{AtomicBool, Ordering::Relaxed},
};

use anyhow::Context;
use serde::Serialize;

use crate::names::{is_hidden, visible};

/// Whether stdout holds the data of a file, so that results go to stderr.
static STDOUT_HAS_DATA: AtomicBool = AtomicBool::new(false);

/// Lets results go to stderr from now on, because stdout holds the data of a file.
pub fn keep_stdout_for_data() {
    STDOUT_HAS_DATA.store(true, Relaxed);
}

/// Writes the data of a file to stdout.
pub fn write_stdout<T>(write: impl FnOnce(&mut dyn Write) -> io::Result<T>) -> anyhow::Result<T> {
    let mut out = io::BufWriter::new(io::stdout().lock());
    let written = write(&mut out).and_then(|result| out.flush().map(|()| result));
    written.context("cannot write to stdout")
}

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
    let mut out: Box<dyn Write> = if STDOUT_HAS_DATA.load(Relaxed) {
        Box::new(io::stderr())
    } else {
        Box::new(io::stdout().lock())
    };
    let text = visible(text, "\n");
    match writeln!(out, "{text}").and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(error).context("cannot write to stdout")
        }
        _ => Ok(()),
    }
}

/// Prints one JSON object on stdout.
pub fn print_json(value: &impl Serialize) -> anyhow::Result<()> {
    let json = serde_json::to_string(value)?;
    // The other control characters are escaped already. These ones are in strings only.
    let escaped = json.chars().fold(String::new(), |mut text, character| {
        if is_hidden(character) {
            text += &format!("\\u{:04x}", u32::from(character));
        } else {
            text.push(character);
        }
        text
    });
    print(&escaped)
}

/// Prints a result as one JSON object if `as_json`, or else as the text that `describe` returns.
pub fn print_result(
    as_json: bool,
    result: &impl Serialize,
    describe: impl FnOnce() -> String,
) -> anyhow::Result<()> {
    if as_json {
        print_json(result)
    } else {
        print(&describe())
    }
}

/// Prints a message on stderr, as one line.
pub fn print_message(text: &str) {
    if is_silent() {
        return;
    }
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    // If stderr is closed, nobody can be told.
    let _ = writeln!(io::stderr(), "{}", visible(&line, ""));
}
