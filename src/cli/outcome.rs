//! Results of a command that was carried out, as exit codes.

use super::constants::{DONE, NOT_REACHED, OVERLAP, WRITTEN_ELSEWHERE};

/// The result of a command that was carried out.
pub enum Outcome {
    /// The command did what was requested.
    Done,
    /// The packing has overlap.
    Overlap,
    /// The requested packing fraction or box was not reached.
    NotReached,
    /// The packing was written to another directory than requested.
    WrittenElsewhere,
    /// A signal ended the command early, with this exit code.
    Signalled(u8),
}

impl From<Outcome> for u8 {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Done => DONE,
            Outcome::Overlap => OVERLAP,
            Outcome::NotReached => NOT_REACHED,
            Outcome::WrittenElsewhere => WRITTEN_ELSEWHERE,
            Outcome::Signalled(code) => code,
        }
    }
}
