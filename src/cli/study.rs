//! `jostle study`: the studies of the Python package, which the command of that package runs.

use std::ffi::OsString;

use anyhow::{Result, bail};
use clap::Args;

/// Run a study of many packings from a plan (with the Python package)
#[derive(Args)]
#[command(disable_help_flag = true)]
pub struct Study {
    /// Plan of the study, a .toml file, and options
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<OsString>,
}

impl Study {
    /// Tells where studies are found. The command of the Python package does not call this function.
    pub fn run(self) -> Result<()> {
        let arguments: Vec<_> = self
            .arguments
            .iter()
            .map(|text| text.display().to_string())
            .collect();
        bail!(
            "studies belong to the Python package; install it with 'pip install \"./python[study]\"' and run 'python -m jostle study {}'",
            arguments.join(" ")
        )
    }
}
