//! Results of a command that was carried out, as exit codes.

use std::process::ExitCode;

use super::constants::{INTERRUPTED, NOT_REACHED, OVERLAP};

/// The result of a command that was carried out.
pub enum Outcome {
    /// The command did what was requested.
    Done,
    /// The checked packing has overlap.
    Overlap,
    /// The requested packing fraction or box was not reached.
    NotReached,
    /// The user interrupted the command.
    Interrupted,
}

impl From<Outcome> for ExitCode {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Done => Self::SUCCESS,
            Outcome::Overlap => OVERLAP.into(),
            Outcome::NotReached => NOT_REACHED.into(),
            Outcome::Interrupted => INTERRUPTED.into(),
        }
    }
}
