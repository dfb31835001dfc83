//! The outcomes of the program that several suites expect.

use std::{path::Path, process::Output};

use serde_json::Value;

use crate::{
    common::directory::names_in,
    common::program::{jostle, text},
};

/// Asserts an exit code.
#[track_caller]
pub fn assert_code(output: &Output, code: i32) {
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(code), "{out}\n{err}");
}

/// Asserts exit code 2, one line on stderr with these words, silence on stdout, and no new file.
#[track_caller]
pub fn assert_refused(directory: &Path, arguments: &str, words: &[&str]) {
    let before = names_in(directory);
    let output = jostle(directory, arguments);
    assert_code(&output, 2);
    let error = text(&output.stderr);
    assert_eq!(error.lines().count(), 1, "{arguments}: {error}");
    assert!(error.starts_with("error: "), "{arguments}: {error}");
    for word in words {
        assert!(error.contains(word), "{arguments}: no '{word}' in: {error}");
    }
    assert_eq!(text(&output.stdout), "", "{arguments}");
    assert_eq!(names_in(directory), before, "{arguments}");
}

/// Packs, and returns the JSON object that the program prints.
#[track_caller]
pub fn packed(directory: &Path, arguments: &str) -> Value {
    // Only a file that is named is replaced.
    let output = if arguments.split(' ').any(|argument| argument == "-o") {
        ""
    } else {
        "-o packing.json"
    };
    let output = jostle(directory, &format!("pack --json {output} {arguments}"));
    assert_code(&output, 0);
    serde_json::from_slice(&output.stdout).unwrap()
}
