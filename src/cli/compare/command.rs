//! The command `jostle compare` and its subcommands.

use anyhow::Result;
use clap::Subcommand;

use super::{broad_phase::BroadPhase, index::Index, memory_access::MemoryAccessTest};

/// Compare indexes, or broad phase algorithms, with one another
#[derive(Subcommand)]
pub enum Compare {
    Index(Index),
    BroadPhase(BroadPhase),
    MemoryAccess(MemoryAccessTest),
}

impl Compare {
    /// Makes the comparison and prints or writes its rows.
    pub fn run(self) -> Result<()> {
        match self {
            Self::Index(command) => command.run(),
            Self::BroadPhase(command) => command.run(),
            Self::MemoryAccess(command) => command.run(),
        }
    }
}
