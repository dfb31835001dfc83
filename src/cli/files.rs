//! The files that a command reads and writes. An output never replaces an input, or a file that no option names.

use std::{
    ffi::OsString,
    fs,
    io::{self, Read},
    path::{Path, PathBuf},
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
};

use anyhow::{Context, Result, bail, ensure};

use super::{
    constants::LOCK_PREFIX,
    output::{keep_stdout_for_data, print, write_stdout},
};
use crate::{
    SizeSpec,
    distribution::files_of,
    io::{check_replaceable, followed, remove_leftovers, write_atomically},
};

/// The name that means standard input or standard output.
const STREAM: &str = "-";

/// The files that the command reads.
static INPUTS: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Notes a file that the command reads, so that no output replaces it.
pub fn note_input(path: &Path) {
    let mut inputs = INPUTS.lock().unwrap_or_else(PoisonError::into_inner);
    inputs.push(path.to_owned());
    // The directory of the pieces.
    if path
        .extension()
        .is_some_and(|extension| extension == "pvtp" || extension == "pvtu")
    {
        inputs.push(path.with_extension(""));
    }
}

/// Notes an input, which may be standard input.
///
/// # Errors
/// If standard input is another input, too.
pub fn note_source(path: &Path) -> Result<()> {
    note_input(path);
    if is_stream(path) {
        take_stdin()?;
    }
    Ok(())
}

/// Notes that the command reads standard input, which has one content.
fn take_stdin() -> Result<()> {
    static IS_TAKEN: AtomicBool = AtomicBool::new(false);
    ensure!(
        !IS_TAKEN.swap(true, Relaxed),
        "two inputs are standard input (-), which can be read once; name a file for one of them"
    );
    Ok(())
}

/// Returns whether a name means standard input or standard output.
pub fn is_stream(path: &Path) -> bool {
    path == Path::new(STREAM)
}

/// Loads a size distribution: a preset, a law, a file, or `-` for a JSON text or a table on standard input.
pub fn load_sizes(text: &str) -> Result<SizeSpec> {
    if text == STREAM {
        take_stdin()?;
        let mut input = Vec::new();
        let read = io::stdin().lock().read_to_end(&mut input);
        read.context("cannot read standard input")?;
        return Ok(SizeSpec::from_text("standard input", &input)?);
    }
    files_of(text).for_each(note_input);
    Ok(SizeSpec::load(text)?)
}

/// Rejects outputs that would replace an input, each other, or an existing file of `unnamed`, the outputs that no option names.
pub fn check_outputs(named: &[PathBuf], unnamed: &[PathBuf]) -> Result<()> {
    let inputs = INPUTS.lock().unwrap_or_else(PoisonError::into_inner);
    let inputs: Vec<(&PathBuf, PathBuf)> = inputs
        .iter()
        .filter_map(|input| Some((input, identity(input)?)))
        .collect();
    let mut seen: Vec<(&PathBuf, PathBuf)> = Vec::new();
    for output in named.iter().chain(unnamed) {
        let Some(target) = identity(output) else {
            continue;
        };
        // An input may be a directory of files.
        if let Some((input, _)) = inputs.iter().find(|(_, input)| target.starts_with(input)) {
            bail!(
                "the output '{}' would replace the input '{}'; choose another name",
                output.display(),
                input.display()
            );
        }
        if let Some((other, _)) = seen.iter().find(|(_, other)| *other == target) {
            bail!(
                "the outputs '{}' and '{}' are the same file; choose two names",
                other.display(),
                output.display()
            );
        }
        seen.push((output, target));
    }
    for output in unnamed {
        // A directory of pieces is replaced if it holds nothing else.
        ensure!(
            output.is_dir() || fs::symlink_metadata(output).is_err(),
            "the file '{}' exists and no option names it; move it away, or choose the name of the output with --output",
            output.display()
        );
    }
    Ok(())
}

/// Returns the same path for all names of a file, which need not exist; `None` if its directory does not exist.
fn identity(path: &Path) -> Option<PathBuf> {
    let target = followed(path).ok()?;
    fs::canonicalize(&target).ok().or_else(|| {
        let directory = target.parent().filter(|parent| *parent != Path::new(""));
        let directory = fs::canonicalize(directory.unwrap_or(Path::new("."))).ok()?;
        Some(directory.join(target.file_name()?))
    })
}

/// The file that a command writes, or standard output.
pub struct Output {
    path: PathBuf,
    is_named: bool,
}

impl Output {
    /// The requested file, or the default one.
    pub fn new(requested: Option<&Path>, default: &str) -> Self {
        Self {
            path: requested.map_or_else(|| default.into(), Path::to_owned),
            is_named: requested.is_some(),
        }
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Rejects a file that cannot or must not be written. A killed run may have left a part of it.
    pub fn check(&self) -> Result<()> {
        if is_stream(&self.path) {
            keep_stdout_for_data();
            return Ok(());
        }
        let file = std::slice::from_ref(&self.path);
        if self.is_named {
            check_outputs(file, &[])?;
        } else {
            check_outputs(&[], file)?;
        }
        check_replaceable(&self.path)?;
        remove_leftovers(&self.path);
        Ok(())
    }

    /// Writes the content.
    pub fn write(&self, content: &[u8]) -> Result<()> {
        if is_stream(&self.path) {
            return write_stdout(|out| out.write_all(content));
        }
        Ok(write_atomically(&self.path, |file| {
            file.write_all(content)
        })?)
    }

    /// Prints the name of the file.
    pub fn list(&self) -> Result<()> {
        if is_stream(&self.path) {
            return Ok(());
        }
        print(&self.path.display().to_string())
    }
}

/// Returns the path of the file beside a checkpoint that its run locks.
pub fn lock_path(checkpoint: &Path) -> PathBuf {
    let mut name = OsString::from(LOCK_PREFIX);
    name.push(checkpoint.file_name().unwrap_or_default());
    checkpoint.with_file_name(name)
}
