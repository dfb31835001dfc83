//! One line on stderr about what goes on.

use std::{
    ops::ControlFlow,
    time::{Duration, Instant},
};

use indicatif::{ProgressBar, ProgressStyle};
use jostle::{Observer, Progress};

use super::{interrupt, words::rounded};

const REDRAW: Duration = Duration::from_millis(100);

/// Shows progress on a terminal, and stops the loop on Ctrl-C.
pub struct Screen {
    line: ProgressBar,
    next: Instant,
}

impl Screen {
    /// A line that is not shown when stderr is no terminal.
    pub fn new(quiet: bool) -> Self {
        let line = if quiet {
            ProgressBar::hidden()
        } else {
            ProgressBar::new_spinner()
        };
        let style = ProgressStyle::with_template("{spinner} {elapsed} {wide_msg}");
        line.set_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
        line.enable_steady_tick(REDRAW);
        Self {
            line,
            next: Instant::now(),
        }
    }

    /// Names what begins now.
    pub fn phase(&self, name: &str) {
        self.line.set_message(name.to_owned());
    }
}

impl Observer for Screen {
    fn sweep(&mut self, progress: &Progress) -> ControlFlow<()> {
        if interrupt::requested() {
            return ControlFlow::Break(());
        }
        let now = Instant::now();
        if now >= self.next {
            self.next = now + REDRAW;
            self.line.set_message(describe(progress));
        }
        ControlFlow::Continue(())
    }

    fn finishing(&mut self) {
        self.phase("removing the last overlaps and certifying");
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        self.line.finish_and_clear();
    }
}

fn describe(progress: &Progress) -> String {
    let rate = progress.sweeps as f64 / progress.elapsed.as_secs_f64().max(1e-3);
    format!(
        "packing: φ {:.4}, {} spheres, overlap mean {}, largest {}, sweep {} ({}/s)",
        progress.packing_fraction,
        progress.spheres,
        percent(progress.mean_overlap),
        percent(progress.max_overlap),
        progress.sweeps,
        rounded(rate, 2),
    )
}

fn percent(share: f64) -> String {
    format!("{:.2} %", 100.0 * share)
}
