//! Results of the parts, kept in files until the page is written.

use std::{fs, path::PathBuf};

use serde::{Deserialize, Serialize, de::DeserializeOwned};

use super::outcome::Outcome;

/// The machine of a part.
#[derive(Clone, Debug, Serialize, Deserialize)]
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

/// Returns the directory of results and of working files.
pub fn directory() -> Outcome<PathBuf> {
    let directory = PathBuf::from(crate::ROOT).join("target/soak");
    fs::create_dir_all(&directory)?;
    Ok(directory)
}

/// Keeps the result of a part.
pub fn keep(part: &str, result: &impl Serialize) -> Outcome {
    let path = directory()?.join(part).with_extension("json");
    fs::write(path, serde_json::to_string_pretty(result)?)?;
    Ok(())
}

/// Returns the latest result of a part; `None` if the part has never run.
pub fn latest<T: DeserializeOwned>(part: &str) -> Outcome<Option<T>> {
    let path = directory()?.join(part).with_extension("json");
    if !path.exists() {
        return Ok(None);
    }
    let text = fs::read_to_string(&path)?;
    let result = serde_json::from_str(&text);
    Ok(Some(result.map_err(|error| {
        format!("{}: {error}; run the part again", path.display())
    })?))
}
