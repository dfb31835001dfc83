//! The command `jostle compare` and its subcommands.

use anyhow::Result;
use clap::{Args, Subcommand};

use super::{broad_phase::BroadPhase, index::Index};
use crate::cli::outcome::Outcome;

/// Compare indexes, or broad phase algorithms, with one another
#[derive(Args)]
pub struct Compare {
    #[command(subcommand)]
    comparison: Comparison,
}

#[derive(Subcommand)]
enum Comparison {
    Index(Index),
    BroadPhase(BroadPhase),
}

impl Compare {
    /// Makes the comparison and prints or writes its rows.
    pub fn run(self) -> Result<Outcome> {
        match self.comparison {
            Comparison::Index(command) => command.run(),
            Comparison::BroadPhase(command) => command.run(),
        }
    }
}
