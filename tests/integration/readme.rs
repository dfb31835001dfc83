//! The commands of README's quick start do what their comments say.

use std::fs;

use tempfile::TempDir;

use crate::common::program::{jostle, text};

/// Requests of this number of spheres take minutes.
const LARGE: &str = "1e7";

/// The lines of the first block of commands behind "Quick start", without comments.
fn commands() -> Vec<&'static str> {
    let readme = include_str!("../../README.md");
    let (_, part) = readme.split_once("## Quick start").unwrap();
    let (_, block) = part.split_once("```sh\n").unwrap();
    let (block, _) = block.split_once("```").unwrap();
    let lines = block.lines().filter(|line| !line.contains(LARGE));
    lines.map(|line| line.split(" #").next().unwrap()).collect()
}

/// The commands run one after the other in one directory, as later ones read the files of earlier ones.
#[test]
fn commands_of_the_quick_start_succeed() {
    let directory = TempDir::new().unwrap();
    let commands = commands();
    assert!(commands.len() >= 10, "{commands:?}");
    for command in commands {
        let arguments = command.strip_prefix("jostle ").unwrap();
        let output = jostle(directory.path(), arguments);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{command:?}: {said}");
        for rest in arguments.split(" -o ").skip(1) {
            let file = directory.path().join(rest.split(' ').next().unwrap());
            assert!(fs::metadata(file).unwrap().len() > 0, "{command:?}");
        }
    }
}
