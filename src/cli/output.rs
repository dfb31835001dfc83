//! Results on stdout, messages on stderr.

use std::{
    env,
    io::{self, IsTerminal, Write},
    sync::atomic::{AtomicBool, Ordering::Relaxed},
};

use anyhow::Context;
use clap::ColorChoice;
use serde::Serialize;
use serde_json::value::RawValue;

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

/// Whether the kinds of messages have colors.
static HAS_COLORS: AtomicBool = AtomicBool::new(false);

/// Lets the kinds of messages on stderr have colors from now on, if the choice, the terminal and the variable `NO_COLOR` allow it.
pub fn choose_colors(choice: ColorChoice) {
    let is_forbidden = || env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let has_colors = match choice {
        ColorChoice::Always => true,
        ColorChoice::Never => false,
        ColorChoice::Auto => io::stderr().is_terminal() && !is_forbidden(),
    };
    HAS_COLORS.store(has_colors, Relaxed);
}

/// The kinds of messages, with the codes of their colors.
const KINDS: [(&str, &str); 3] = [("error:", "1;31"), ("warning:", "1;33"), ("note:", "1;36")];

/// Returns a message whose kind has a color.
fn colored(line: &str) -> String {
    let kind = KINDS.iter().find(|(kind, _)| line.starts_with(kind));
    match kind {
        Some((kind, code)) if HAS_COLORS.load(Relaxed) => {
            format!("\x1b[{code}m{kind}\x1b[0m{}", &line[kind.len()..])
        }
        _ => line.to_owned(),
    }
}

/// Returns a result as JSON. The object, or each object of an array, begins with the name and the version of the program.
pub fn json(value: &impl Serialize) -> anyhow::Result<String> {
    let signed = |object: &str| match object.strip_prefix('{') {
        Some("}") => format!("{{{PROGRAM}}}"),
        Some(fields) => format!("{{{PROGRAM},{fields}"),
        None => object.to_owned(),
    };
    let json = serde_json::to_string(value)?;
    if json.starts_with('[') {
        let objects: Vec<&RawValue> = serde_json::from_str(&json)?;
        let objects: Vec<String> = objects.iter().map(|object| signed(object.get())).collect();
        Ok(format!("[{}]", objects.join(",")))
    } else {
        Ok(signed(&json))
    }
}

/// The field with the name and the version of the program, as packings have it in their provenance.
const PROGRAM: &str = concat!("\"program\":\"jostle ", env!("CARGO_PKG_VERSION"), "\"");

/// Prints one JSON object on stdout.
pub fn print_json(value: &impl Serialize) -> anyhow::Result<()> {
    let json = json(value)?;
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
    let _ = writeln!(io::stderr(), "{}", colored(&visible(&line, "")));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_object_has_a_version() {
        #[derive(Serialize)]
        struct Row {
            a: f64,
        }
        #[derive(Serialize)]
        struct Empty {}
        let program = concat!("\"program\":\"jostle ", env!("CARGO_PKG_VERSION"), "\"");
        let row = format!("{{{program},\"a\":0.1}}");
        assert_eq!(json(&Row { a: 0.1 }).unwrap(), row);
        assert_eq!(
            json(&[Row { a: 0.1 }, Row { a: 0.1 }]).unwrap(),
            format!("[{row},{row}]")
        );
        assert_eq!(json(&Empty {}).unwrap(), format!("{{{program}}}"));
        assert_eq!(json(&[1.5, 2.0]).unwrap(), "[1.5,2.0]");
    }
}
