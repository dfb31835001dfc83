//! Subcommands that another build of the program has.

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
        bail!(
            "studies belong to the Python package; install it with 'pip install \"./python[study]\"' and run 'python -m jostle study {}'",
            joined(&self.arguments)
        )
    }
}

/// Compare indexes, or broad phase algorithms, with one another
#[cfg(not(feature = "laboratory"))]
#[derive(Args)]
#[command(disable_help_flag = true)]
pub struct Compare {
    /// Comparison and options
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<OsString>,
}

#[cfg(not(feature = "laboratory"))]
impl Compare {
    /// Tells where comparisons are found.
    pub fn run(self) -> Result<()> {
        bail!(
            "this build lacks comparisons; 'cargo install --path .' builds a program that has them, for 'jostle compare {}'",
            joined(&self.arguments)
        )
    }
}

fn joined(arguments: &[OsString]) -> String {
    let arguments = arguments.iter().map(|text| text.display().to_string());
    arguments.collect::<Vec<_>>().join(" ")
}
