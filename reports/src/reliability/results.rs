//! What all parts need: the machine, and a directory.

use std::{fs, path::PathBuf};

use super::outcome::Outcome;

/// The machine of a part.
#[derive(Clone, Debug)]
pub struct Machine {
    /// Model of the processor, as the operating system names it.
    pub processor: String,
    pub cores: usize,
}

impl Machine {
    /// Returns this machine.
    pub fn here() -> Self {
        let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let model = info.lines().find_map(|line| {
            let (key, value) = line.split_once(':')?;
            (key.trim() == "model name").then(|| value.trim().to_owned())
        });
        Self {
            processor: model.unwrap_or_else(|| std::env::consts::ARCH.to_owned()),
            cores: std::thread::available_parallelism().map_or(1, usize::from),
        }
    }

    /// Returns a phrase for the page.
    pub fn describe(&self) -> String {
        format!("{} cores ({})", self.cores, self.processor)
    }
}

/// Returns the directory of working files.
pub fn directory() -> Outcome<PathBuf> {
    let directory = PathBuf::from(crate::ROOT).join("target/soak");
    fs::create_dir_all(&directory)?;
    Ok(directory)
}
