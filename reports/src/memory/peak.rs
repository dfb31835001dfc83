//! Peaks of the memory of the program.

use std::{path::Path, thread::sleep, time::Duration};

use super::{outcome::Outcome, program, resident::largest_resident};

/// Time between two looks at the program.
const LOOK: Duration = Duration::from_millis(1);

/// The largest resident memory of one request, in bytes.
#[derive(Clone, Copy)]
pub struct Peak {
    pub measured: f64,
    pub estimated: f64,
}

impl Peak {
    /// Returns the difference between estimate and measured peak, as a share of the peak.
    pub fn difference(self) -> f64 {
        self.estimated / self.measured - 1.0
    }

    /// Returns both in MB, and their difference.
    pub fn describe(self) -> String {
        let [measured, estimated] = [self.measured, self.estimated].map(|bytes| bytes / 1e6);
        let percent = percent(self.difference());
        format!("{measured:.1} / {estimated:.1} ({percent})")
    }
}

/// Returns a share as a percentage with its sign.
pub fn percent(share: f64) -> String {
    let percent = (100.0 * share).round();
    if percent == 0.0 {
        return "0 %".to_owned();
    }
    format!("{percent:+} %").replace('-', "−")
}

/// Runs the program and returns its largest resident memory in bytes.
pub fn of(program: &Path, arguments: &str) -> Outcome<f64> {
    let folder = tempfile::tempdir()?;
    let mut child = program::start(program, folder.path(), arguments)?;
    let process = child.id().to_string();
    let mut peak: f64 = 0.0;
    // The largest resident memory that `wait4` reports would include the copy of this process before the program started.
    while child.try_wait()?.is_none() {
        peak = peak.max(largest_resident(&process).unwrap_or(0.0));
        sleep(LOOK);
    }
    program::finish(child)?;
    Ok(peak)
}
