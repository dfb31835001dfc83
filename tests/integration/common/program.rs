//! The program, as users run it.

use std::{path::Path, process::Output};

use assert_cmd::Command;

/// Runs the program in a directory. Spaces separate the arguments.
pub fn jostle(directory: &Path, arguments: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_jostle"))
        .current_dir(directory)
        .env_remove("COLUMNS")
        .args(arguments.split_whitespace())
        .output()
        .unwrap()
}

/// Returns the words of an output stream with one blank between them.
pub fn words(bytes: &[u8]) -> String {
    let words: Vec<&str> = text(bytes).split_whitespace().collect();
    words.join(" ")
}

/// Returns an output stream as text.
pub fn text(bytes: &[u8]) -> &str {
    str::from_utf8(bytes).unwrap()
}
