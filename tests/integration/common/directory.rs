//! Files in a directory.

use std::{fs, path::Path};

/// The names of what is in a directory, sorted.
pub fn names_in(directory: &Path) -> Vec<String> {
    let mut names: Vec<_> = fs::read_dir(directory)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}
