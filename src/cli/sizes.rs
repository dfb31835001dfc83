//! `jostle sizes`: the presets, or one distribution in numbers.

use anyhow::Result;
use clap::Args;

use super::Outcome;

/// List the presets, or show a size distribution
#[derive(Args)]
pub struct Sizes {
    sizes: Option<String>,
}

impl Sizes {
    pub fn run(self) -> Result<Outcome> {
        let _ = self.sizes;
        Ok(Outcome::Done)
    }
}
