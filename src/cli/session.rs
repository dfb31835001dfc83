//! A run of the packing loop with its progress line, signals and checkpoints, and the writing of its packing.

use std::{ops::ControlFlow, path::PathBuf};

use anyhow::Result;

use super::{
    checkpoints::Checkpoints,
    constants::{DONE, NOT_REACHED, OVERLAP, WRITTEN_ELSEWHERE},
    errors::with_causes,
    launch::Launch,
    output::{print, print_json, print_message},
    progress::{Screen, final_line},
    report::write_report,
    rescue::{Written, write_or_rescue},
    session_options::SessionOptions,
    shortfall::{early_end, reached, shortfall},
    signals,
    summary::{Summarize, Summary},
    values::BoxLengths,
    words,
};
use crate::{
    Packer, Packing,
    jam::JamProgress,
    packing::StopReason,
    rearrange::{Checkpoint, Observer, Progress},
    report::History,
};

/// A run with its progress line and its checkpoints.
pub struct Session<'a> {
    pub launch: &'a Launch,
    pub options: &'a SessionOptions,
    pub screen: Screen,
    pub checkpoints: Option<Checkpoints>,
    /// The files of the packing.
    pub files: Vec<PathBuf>,
    /// Requested packing fraction if the number of spheres followed from it and the container.
    pub fraction_of_container: Option<f64>,
    /// Lengths of a box in which a sample would have the requested sizes, if this one has not.
    pub sufficient_box: Option<BoxLengths>,
    /// The course of the run, for a page.
    pub history: History,
}

/// A packing that is written.
pub struct Saved {
    /// All files of the packing, and the pages about it.
    pub files: Vec<PathBuf>,
    /// Sentences about the parts of the packing that the files do not hold.
    pub omissions: Vec<String>,
    /// The failure of writing a page.
    failure: Option<anyhow::Error>,
}

impl Observer for Session<'_> {
    fn sweep(&mut self, progress: &Progress) -> ControlFlow<()> {
        if signals::take_report() {
            self.screen.report(progress);
            self.checkpoints.iter_mut().for_each(Checkpoints::request);
        }
        self.screen.show(progress);
        self.history.record(progress);
        ControlFlow::Continue(())
    }

    fn wants_checkpoint(&mut self, stop: Option<StopReason>) -> bool {
        let checkpoints = self.checkpoints.as_ref();
        checkpoints.is_some_and(|checkpoints| checkpoints.is_due(stop))
    }

    fn save(&mut self, checkpoint: Checkpoint) {
        let warning = self
            .checkpoints
            .as_mut()
            .and_then(|checkpoints| checkpoints.save(checkpoint, self.launch));
        self.warn(warning);
    }

    fn finishing(&mut self) {
        self.screen.finishing();
    }

    fn wants_checkpoints_of_jam(&mut self) -> bool {
        self.checkpoints.is_some()
    }

    fn jamming(&mut self, progress: &JamProgress) -> ControlFlow<()> {
        self.screen.show_jamming(progress);
        ControlFlow::Continue(())
    }
}

impl<'a> Session<'a> {
    /// Creates the session of a run that writes these files.
    pub fn new(
        launch: &'a Launch,
        options: &'a SessionOptions,
        screen: Screen,
        checkpoints: Option<Checkpoints>,
        files: Vec<PathBuf>,
    ) -> Self {
        Self {
            launch,
            options,
            screen,
            checkpoints,
            files,
            fraction_of_container: None,
            sufficient_box: None,
            history: History::default(),
        }
    }

    /// Runs the packing loop to its end, writes the packing and prints the summary. All processes take part in everything but the summary.
    /// Returns the exit code.
    pub fn run(mut self, packer: Packer) -> Result<u8> {
        let run = packer.run(&mut self);
        let min_gap =
            (run.packing.provenance.as_ref()).map_or(0.0, |provenance| provenance.min_gap);
        let predicted = self
            .launch
            .predicted_packing_fraction(&run.packing, min_gap);
        let saved = match self.write(&run.packing, || final_line(&run))? {
            ControlFlow::Continue(saved) => saved,
            ControlFlow::Break(code) => return Ok(code),
        };
        let shortfall = shortfall(&run, self.fraction_of_container);
        let summary = Summary::new(
            &run,
            predicted,
            &saved.files,
            &saved.omissions,
            reached(&run, self.fraction_of_container),
        )?
        .with_sufficient_box(self.sufficient_box);
        self.report(&summary, shortfall, &saved)
    }

    /// Writes the packing and the pages about it, and prints the line of the end of the run. Returns the written files, or the exit code
    /// if there is nothing more to print.
    pub fn write(
        &mut self,
        packing: &Packing,
        final_line: impl FnOnce() -> String,
    ) -> Result<ControlFlow<u8, Saved>> {
        let warning = self.checkpoints.as_mut().and_then(Checkpoints::wait);
        self.warn(warning);
        self.screen
            .phase(&format!("writing {}", words::files(&self.files)));
        let options = self
            .options
            .export
            .options()
            .ranks(self.launch.ranks.clone());
        let others = self.other_directories();
        let streams = self.options.streams();
        let written = write_or_rescue(
            self.launch,
            packing,
            &self.files,
            &options,
            streams,
            &others,
        )?;
        let pages = self.options.pages();
        let whole = (!pages.is_empty()).then(|| self.launch.whole(packing));
        if !self.launch.is_first() {
            return Ok(ControlFlow::Break(DONE));
        }
        let mut failure = None;
        if let (Written::AsRequested(_), Some(whole)) = (&written, whole) {
            for page in pages {
                self.screen.phase(&format!("writing {}", page.display()));
                failure = failure.or(write_report(&whole, &self.history, &page).err());
            }
        }
        self.screen.finish(final_line);
        match written {
            Written::AsRequested(omissions) => {
                let written = self.options.written(&self.files)?;
                let files = written.into_iter().filter(|file| file.exists()).collect();
                Ok(ControlFlow::Continue(Saved {
                    files,
                    omissions,
                    failure,
                }))
            }
            Written::Elsewhere(message) => {
                print_message(&format!("error: {message}"));
                Ok(ControlFlow::Break(WRITTEN_ELSEWHERE))
            }
        }
    }

    /// Prints a warning if there is one.
    pub fn warn(&self, warning: Option<String>) {
        if let Some(warning) = warning {
            self.screen.print(&warning);
        }
    }

    /// Returns the directories for a packing that cannot be written where requested.
    fn other_directories(&self) -> Vec<PathBuf> {
        let beside_checkpoint = self.checkpoints.as_ref().map(Checkpoints::directory);
        beside_checkpoint
            .into_iter()
            .chain([std::env::temp_dir()])
            .collect()
    }

    /// Prints the summary and returns the exit code, which tells whether the request was met.
    pub fn report(
        &mut self,
        summary: &impl Summarize,
        shortfall: Option<String>,
        saved: &Saved,
    ) -> Result<u8> {
        let printed = self.print_summary(summary).err();
        let failure = saved.failure.as_ref().or(printed.as_ref());
        let warnings = &saved.omissions;
        for warning in warnings.iter().filter(|_| !self.options.quiet) {
            print_message(&format!("warning: {warning}"));
        }
        let status = summary.status();
        let checkpoints = self.checkpoints.take();
        let continuation = checkpoints.and_then(|checkpoints| checkpoints.close(status));
        let continuation = continuation.map_or_else(String::new, |text| format!("; {text}"));
        let written = if self.files.is_empty() {
            "the data on stdout".to_owned()
        } else {
            words::files(&self.files)
        };
        if let Some(failure) = failure {
            let reason = with_causes(failure);
            print_message(&format!(
                "error: {reason}; the packing is in {written}{continuation}"
            ));
            return Ok(WRITTEN_ELSEWHERE);
        }
        let signal = signals::ending().filter(|_| status == StopReason::Interrupted);
        let (code, message) = if let Some(code) = signal {
            let message = format!("interrupted: the packing as it was then is in {written}");
            (code, message)
        } else if let Some(shortfall) = shortfall {
            let then = early_end(status).map_or("", |_| " as it was then");
            let message = format!("{shortfall}; the packing{then} is in {written}");
            let code = match status {
                StopReason::Overlapping => OVERLAP,
                _ => NOT_REACHED,
            };
            (code, message)
        } else if continuation.is_empty() || self.options.quiet {
            return Ok(DONE);
        } else {
            let message = format!(
                "stopped early by --time-limit: the packing as it was then is in {written}"
            );
            (DONE, message)
        };
        print_message(&format!("{message}{continuation}"));
        Ok(code)
    }

    fn print_summary(&self, summary: &impl Summarize) -> Result<()> {
        if self.options.json {
            return print_json(summary);
        }
        if !self.options.quiet {
            print(&summary.describe())?;
        }
        Ok(())
    }
}
