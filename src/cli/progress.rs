//! Progress on stderr: one line that is drawn again and again, and a final line.

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use crate::names::visible;

use super::{
    constants::{BAR_STEPS, BAR_WIDTH, LINE_INTERVAL, RATE_SMOOTHING, REDRAW, SHOWN_FROM},
    output::{is_silent, print_message},
    remaining::{Estimate, RemainingTime},
    words::{counted, duration, rounded},
};
use crate::{
    jam::JamProgress,
    rearrange::{PackRun, Progress},
};

/// The progress line. It is drawn on a terminal; elsewhere, a line is printed now and then.
pub struct Screen {
    line: ProgressBar,
    is_quiet: bool,
    /// Whether lines are printed, as no terminal shows the progress line.
    prints_lines: bool,
    /// Whether the line shows the progress bar of a run.
    shows_bar: bool,
    /// Time of the next drawing.
    next: Instant,
    rate: SweepRate,
    remaining: RemainingTime,
    /// Start of the jamming, if it has begun.
    jamming: Option<Instant>,
}

impl Screen {
    /// Creates the line. A quiet screen shows nothing at all.
    pub fn new(is_quiet: bool) -> Self {
        let line = if is_quiet || is_silent() {
            ProgressBar::hidden()
        } else {
            ProgressBar::new_spinner()
        };
        line.enable_steady_tick(REDRAW);
        let prints_lines = line.is_hidden() && !is_quiet && !is_silent();
        let first = if prints_lines {
            LINE_INTERVAL
        } else {
            Duration::ZERO
        };
        let screen = Self {
            line,
            is_quiet,
            prints_lines,
            shows_bar: false,
            next: Instant::now() + first,
            rate: SweepRate::default(),
            remaining: RemainingTime::new(0, None),
            jamming: None,
        };
        screen.phase("");
        screen
    }

    /// Shows a message beside a spinner and the time since the start.
    pub fn phase(&self, message: &str) {
        self.line.set_style(style("{spinner} {elapsed} {wide_msg}"));
        self.line.set_message(visible(message, ""));
    }

    /// Prepares the screen to observe a run.
    pub fn expect(&mut self, spheres: usize, time_limit: Option<Duration>) {
        self.remaining = RemainingTime::new(spheres, time_limit);
    }

    /// Shows the progress of a run. It must receive every sweep.
    pub fn show(&mut self, progress: &Progress) {
        if self.prints_lines && self.is_due(LINE_INTERVAL) {
            self.report(progress);
        }
        if self.line.is_hidden() {
            return;
        }
        let estimate = self.remaining.after(progress).unwrap_or_default();
        if self.is_due(REDRAW) {
            let rate = self.rate.after(progress.sweeps, progress.elapsed);
            let message = describe(progress, estimate, rate);
            self.draw(estimate.share_done, message);
        }
    }

    /// Shows the share of a run that is done, from 0 to 1, and words beside it.
    pub fn show_share(&mut self, share: f64, describe: impl FnOnce() -> String) {
        if self.prints_lines && self.is_due(LINE_INTERVAL) {
            self.print(&format!("{:.0} % done, {}", 100.0 * share, describe()));
        } else if !self.line.is_hidden() && self.is_due(REDRAW) {
            self.draw(share, describe());
        }
    }

    /// Shows the progress of a packing that is jammed.
    pub fn show_jamming(&mut self, progress: &JamProgress) {
        let since = *self.jamming.get_or_insert_with(Instant::now);
        let share = progress.share;
        let left = since.elapsed().as_secs_f64() * (1.0 / share.max(SHOWN_FROM) - 1.0);
        self.show_share(share, || {
            let left = if share < SHOWN_FROM {
                "estimating time".to_owned()
            } else {
                format!("{} left", duration(left.ceil()))
            };
            let fraction = progress.packing_fraction;
            let fraction =
                fraction.map_or_else(String::new, |fraction| format!("φ {fraction:.4}, "));
            format!(
                "jamming: {left}, {fraction}{} evaluations",
                progress.evaluations
            )
        });
    }

    /// Returns whether the line is drawn or printed now, if it is after `interval`.
    fn is_due(&mut self, interval: Duration) -> bool {
        let now = Instant::now();
        let is_due = now >= self.next;
        if is_due {
            self.next = now + interval;
        }
        is_due
    }

    /// Prints one line about the progress of a run, even on a quiet screen.
    pub fn report(&self, progress: &Progress) {
        self.print(&report_line(progress));
    }

    /// Prints a message, even on a quiet screen.
    pub fn print(&self, message: &str) {
        self.line.suspend(|| print_message(message));
    }

    /// Shows that the loop is over.
    pub fn finishing(&mut self) {
        self.shows_bar = false;
        self.phase("removing the last overlaps and certifying the packing");
    }

    /// Shows the progress bar of a run.
    fn draw(&mut self, share: f64, message: String) {
        if !self.shows_bar {
            self.shows_bar = true;
            self.line.set_length(BAR_STEPS);
            let template = format!("[{{bar:{BAR_WIDTH}}}] {{percent:>3}} % {{wide_msg}}");
            self.line.set_style(style(&template).progress_chars("=> "));
        }
        self.line.set_position((share * BAR_STEPS as f64) as u64);
        self.line.set_message(message);
    }

    /// Removes the line and prints the last one.
    pub fn finish(&self, final_line: impl FnOnce() -> String) {
        self.line.finish_and_clear();
        if !self.is_quiet {
            print_message(&final_line());
        }
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        self.line.finish_and_clear();
    }
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).expect("the templates of this file are valid")
}

/// The recent number of sweeps per second.
#[derive(Default)]
struct SweepRate {
    sweeps: u64,
    elapsed: Duration,
    /// Smoothed rate; absent before the first drawing.
    rate: Option<f64>,
}

impl SweepRate {
    /// Returns the rate after a number of sweeps and a time since the start of the run.
    fn after(&mut self, sweeps: u64, elapsed: Duration) -> f64 {
        let seconds = elapsed.saturating_sub(self.elapsed).as_secs_f64();
        let latest = (sweeps - self.sweeps) as f64 / seconds.max(1e-6);
        let before = self.rate.unwrap_or(latest);
        self.sweeps = sweeps;
        self.elapsed = elapsed;
        *self
            .rate
            .insert(before + RATE_SMOOTHING * (latest - before))
    }
}

/// Returns the words beside the progress bar. At the end of the line stands what can be missed on a narrow terminal.
fn describe(progress: &Progress, estimate: Estimate, rate: f64) -> String {
    let left = if estimate.share_done < SHOWN_FROM {
        "estimating time".to_owned()
    } else {
        format!("{} left", duration(estimate.seconds.ceil()))
    };
    format!(
        "{left}, φ {:.4} ({:.4} with overlap), {} sweeps/s",
        progress.packing_fraction_without_overlap,
        progress.packing_fraction,
        rounded(rate, 2),
    )
}

fn report_line(progress: &Progress) -> String {
    format!(
        "sweep {} after {} s: {} in the container, φ {:.4} ({:.4} with overlap), mean overlap {:.2} %, about {:.0} sweeps left",
        progress.sweeps,
        rounded(progress.elapsed.as_secs_f64(), 3),
        counted(progress.spheres as u64, "sphere"),
        progress.packing_fraction_without_overlap,
        progress.packing_fraction,
        100.0 * progress.mean_overlap,
        progress.remaining_sweeps,
    )
}

/// Returns the last line about a run of the packing loop.
pub fn final_line(run: &PackRun) -> String {
    let packing = &run.packing;
    let seconds = run.elapsed.as_secs_f64();
    let sweeps = packing.provenance.as_ref().map_or(0, |made| made.sweeps);
    format!(
        "packed {} in {} s: {}, {} sweeps/s",
        counted(run.spheres as u64, "sphere"),
        rounded(seconds, 3),
        counted(sweeps, "sweep"),
        rounded(sweeps as f64 / seconds.max(1e-6), 2),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_follow_recent_sweeps() {
        let mut rate = SweepRate::default();
        assert!((rate.after(10, Duration::from_secs(1)) - 10.0).abs() < 1e-9);
        for second in 2..60 {
            rate.after(10 + 30 * (second - 1), Duration::from_secs(second));
        }
        assert!((rate.after(10 + 30 * 59, Duration::from_secs(60)) - 30.0).abs() < 0.1);
    }
}
