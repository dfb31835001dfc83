//! `jostle compare`: the tables of the papers, for every index and every broad phase.

mod broad_phase;
mod index;
mod table;

use anyhow::Result;
use clap::{Args, Subcommand};

use super::Outcome;

/// Compare indexes, or broad phase algorithms, with one another
#[derive(Args)]
pub struct Compare {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    Index(index::Index),
    BroadPhase(broad_phase::BroadPhase),
}

impl Compare {
    pub fn run(self) -> Result<Outcome> {
        match self.what {
            What::Index(command) => command.run(),
            What::BroadPhase(command) => command.run(),
        }
    }
}
