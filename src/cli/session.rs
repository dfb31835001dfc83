//! A run of the packing loop with its progress line, signals and checkpoints, and the writing of its packing.

use std::{ops::ControlFlow, path::PathBuf, time::Duration};

use anyhow::{Context, Result};
use clap::Args;
use jostle::{
    Checkpoint, Container, Observer, PackRun, Packer, Progress, StopReason, check_exportable,
    check_replaceable, report::History,
};

use super::{
    checkpoints::Checkpoints,
    constants::DEFAULT_FILE,
    export::{ExportArgs, explain},
    outcome::Outcome,
    output::{print, print_json, print_message},
    progress::Screen,
    ranks::Ranks,
    report::{is_page, write_report},
    rescue::{Written, write_or_rescue},
    shortfall::shortfall,
    signals,
    summary::Summary,
    values, words,
};

/// Options of a run that do not change the packing.
#[derive(Args)]
pub struct SessionOptions {
    /// Run on THREADS threads; 0 means one for each core [default: 0]
    #[arg(long, value_parser = values::threads)]
    pub threads: Option<usize>,

    /// Stop after TIME, such as 90 (seconds), 15m or 12h, and write the packing as it is then, without overlap [default: no limit]
    #[arg(long, value_name = "TIME", value_parser = values::time)]
    pub time_limit: Option<Duration>,

    /// Write a checkpoint every TIME, such as 60s or 10m [default: 60s]
    #[arg(long, value_name = "TIME", value_parser = values::time)]
    pub checkpoint_every: Option<Duration>,

    /// Write the packing to FILE, whose extension names the format, such as .json, .csv, .xyz, .vtp (ParaView) or .data
    /// (LAMMPS), or a page about it to FILE.html; may be repeated [default: packing.json]
    #[arg(short, long, value_name = "FILE")]
    pub output: Vec<PathBuf>,

    /// Print the summary as one JSON object
    #[arg(long)]
    pub json: bool,

    /// Print errors only, and the JSON object of --json; show no progress and no summary
    #[arg(short, long)]
    pub quiet: bool,

    // These options begin a new heading of the help, so that they are the last ones.
    #[command(flatten)]
    pub export: ExportArgs,
}

impl SessionOptions {
    /// Returns the files to write: the requested ones, or those of an `earlier` part of the run, or the default file. Rejects
    /// files that cannot be written, and options that do not fit the files or the container.
    pub fn files(&self, earlier: &[PathBuf], container: &Container) -> Result<Vec<PathBuf>> {
        let (_, requested) = self.pages_and_files();
        let requested = [requested.as_slice(), earlier]
            .into_iter()
            .find(|files| !files.is_empty());
        let files = requested.map_or_else(|| vec![DEFAULT_FILE.into()], <[PathBuf]>::to_vec);
        for page in self.pages() {
            check_replaceable(page)?;
        }
        for file in &files {
            check_exportable(file, &self.export.options(), container.boundary())
                .map_err(explain)?;
        }
        Ok(files)
    }

    /// Returns the pages to write beside the packing.
    pub fn pages(&self) -> Vec<PathBuf> {
        self.pages_and_files().0
    }

    fn pages_and_files(&self) -> (Vec<PathBuf>, Vec<PathBuf>) {
        self.output.iter().cloned().partition(|file| is_page(file))
    }
}

/// A run with its progress line and its checkpoints.
pub struct Session<'a> {
    pub ranks: &'a Ranks,
    pub options: &'a SessionOptions,
    pub screen: Screen,
    pub checkpoints: Option<Checkpoints>,
    /// The files of the packing.
    pub files: Vec<PathBuf>,
    /// Requested packing fraction if the number of spheres followed from it and the container.
    pub fraction_of_container: Option<f64>,
    /// The course of the run, for a page.
    pub history: History,
}

impl Observer for Session<'_> {
    fn sweep(&mut self, progress: &Progress) -> ControlFlow<()> {
        if signals::take_report() {
            self.screen.report(progress);
            self.checkpoints.iter_mut().for_each(Checkpoints::request);
        }
        if signals::ending().is_some() {
            return ControlFlow::Break(());
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
            .and_then(|checkpoints| checkpoints.save(checkpoint, self.ranks));
        self.warn(warning);
    }

    fn finishing(&mut self) {
        self.screen.finishing();
    }
}

impl Session<'_> {
    /// Runs the packing loop to its end, writes the packing and prints the summary. All processes take part in everything but the summary.
    pub fn run(mut self, packer: Packer) -> Result<Outcome> {
        let run = packer.run(&mut self);
        let warning = self.checkpoints.as_mut().and_then(Checkpoints::wait);
        self.warn(warning);
        self.screen
            .phase(&format!("writing {}", words::files(&self.files)));
        let options = self.options.export.options();
        let others = self.other_directories();
        let written = write_or_rescue(self.ranks, &run.packing, &self.files, &options, &others)?;
        let min_gap =
            (run.packing.provenance.as_ref()).map_or(0.0, |provenance| provenance.min_gap);
        let predicted = self.ranks.predicted_packing_fraction(&run.packing, min_gap);
        let pages = self.options.pages();
        let packing = (!pages.is_empty()).then(|| self.ranks.whole(&run.packing));
        if !self.ranks.is_first() {
            return Ok(Outcome::Done);
        }
        if let (Written::AsRequested(_), Some(packing)) = (&written, packing) {
            for page in pages {
                self.screen.phase(&format!("writing {}", page.display()));
                let files = words::files(&self.files);
                write_report(&packing, &self.history, &page)
                    .with_context(|| format!("the packing is in {files}, but there is no page"))?;
            }
        }
        self.screen.finish(&run);
        match written {
            Written::AsRequested(warnings) => self.report(&run, predicted, &warnings),
            Written::Elsewhere(message) => {
                print_message(&format!("error: {message}"));
                Ok(Outcome::WrittenElsewhere)
            }
        }
    }

    fn warn(&self, warning: Option<String>) {
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

    /// Prints the summary and returns whether the request was met.
    fn report(&mut self, run: &PackRun, predicted: f64, warnings: &[String]) -> Result<Outcome> {
        let summary = Summary::new(run, predicted, &self.files, warnings)?;
        self.print_summary(&summary)?;
        for warning in warnings.iter().filter(|_| !self.options.quiet) {
            print_message(&format!("warning: {warning}"));
        }
        let status = summary.status();
        let continuation = self.close_checkpoints(status);
        let written = words::files(&self.files);
        let signal = signals::ending().filter(|_| status == StopReason::Interrupted);
        let (outcome, message) = if let Some(code) = signal {
            let message = format!("interrupted: the packing as it was then is in {written}");
            (Outcome::Signalled(code), message)
        } else if status == StopReason::Overlapping {
            let message = format!(
                "spheres overlap that could not be separated; the packing with this overlap is in {written}"
            );
            (Outcome::Overlap, message)
        } else if let Some(shortfall) = shortfall(run, self.fraction_of_container) {
            let message = format!("{shortfall}; the best packing is in {written}");
            (Outcome::NotReached, message)
        } else if continuation.is_empty() || self.options.quiet {
            return Ok(Outcome::Done);
        } else {
            let message = format!("time limit: the packing as it was then is in {written}");
            (Outcome::Done, message)
        };
        print_message(&format!("{message}{continuation}"));
        Ok(outcome)
    }

    fn print_summary(&self, summary: &Summary) -> Result<()> {
        if self.options.json {
            return print_json(summary);
        }
        if !self.options.quiet {
            print(&summary.describe())?;
            if let Some(warning) = summary.warning() {
                print_message(&format!("warning: {warning}"));
            }
        }
        Ok(())
    }

    /// Removes the checkpoint of a run that is over. Returns the end of a message about a run that can be continued.
    fn close_checkpoints(&mut self, status: StopReason) -> String {
        match (self.checkpoints.take(), status) {
            (None, _) => None,
            (Some(checkpoints), StopReason::Interrupted | StopReason::TimeLimit) => {
                checkpoints.continuation()
            }
            (Some(checkpoints), _) => {
                checkpoints.remove();
                None
            }
        }
        .map_or_else(String::new, |text| format!("; {text}"))
    }
}
