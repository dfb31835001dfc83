//! The program `jostle`, built and started.

use std::{
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
};

use crate::outcome::Outcome;

/// Builds the program, and returns its path.
pub fn build() -> Outcome<PathBuf> {
    let status = Command::new(env!("CARGO"))
        .args(["build", "--release", "--bin", "jostle", "--manifest-path"])
        .arg(Path::new(crate::ROOT).join("Cargo.toml"))
        .status()?;
    if !status.success() {
        return Err("the program does not build".into());
    }
    let program = std::env::current_exe()?.with_file_name("jostle");
    if !program.exists() {
        return Err(format!("there is no program {}", program.display()).into());
    }
    Ok(program)
}

/// Starts the program in a directory.
pub fn start(program: &Path, directory: &Path, arguments: &str) -> Outcome<Child> {
    let child = Command::new(program)
        .current_dir(directory)
        .args(arguments.split_whitespace())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn();
    Ok(child?)
}

/// Waits for the end of the program, which must be successful.
pub fn finish(child: Child) -> Outcome {
    let output = child.wait_with_output()?;
    if output.status.success() {
        return Ok(());
    }
    let error = String::from_utf8_lossy(&output.stderr);
    Err(format!("jostle ended with {}: {}", output.status, error.trim()).into())
}
