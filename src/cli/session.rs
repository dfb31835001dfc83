//! A run of the packing loop with its progress line, signals and checkpoints, and the writing of its packing.

use std::{ops::ControlFlow, path::PathBuf, time::Duration};

use anyhow::{Result, ensure};
use clap::Args;

use super::{
    checkpoints::Checkpoints,
    constants::DEFAULT_FILE,
    errors::with_causes,
    export::{ExportArgs, check_stream, explain, unnamed_beside},
    files::{check_outputs, is_stream},
    launch::Launch,
    outcome::Outcome,
    output::{keep_stdout_for_data, print, print_json, print_message},
    progress::Screen,
    report::{is_page, write_report},
    rescue::{Written, write_or_rescue},
    shortfall::{early_end, shortfall},
    signals,
    summary::Summary,
    values::{self, BoxLengths},
    words,
};
use crate::{
    Checkpoint, Container, Observer, PackOptions, PackRun, Packer, Progress, StopReason,
    check_exportable, check_replaceable, exported_paths, report::History,
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
    /// (LAMMPS), or a page about it to FILE.html, or to stdout (-) in the format of --format; may be repeated [default: packing.json]
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
    /// Returns the options of a run that do not change the packing.
    pub fn pack_options(&self) -> PackOptions {
        let mut options = PackOptions::default().interrupt(signals::interrupt());
        options.threads = self.threads.unwrap_or_default();
        options.time_limit = self.time_limit;
        options
    }

    /// Returns the files to write: the requested ones, or those of an `earlier` part of the run, or the default file if the packing
    /// does not go to stdout. Rejects files that cannot or must not be written, and options that do not fit the files or the
    /// container.
    pub fn files(
        &self,
        earlier: &[PathBuf],
        container: &Container,
        launch: &Launch,
    ) -> Result<Vec<PathBuf>> {
        let (pages, mut files) = self.pages_and_files();
        let mut unnamed = Vec::new();
        let options = self.export.options();
        if self.streams() {
            launch.check_alone()?;
            ensure!(
                !self.json,
                "--output - writes the packing to stdout, where --json prints the summary; leave one of them out"
            );
            check_stream(&options, container.boundary())?;
            keep_stdout_for_data();
        } else if files.is_empty() {
            files = earlier.to_vec();
            if files.is_empty() {
                files.push(DEFAULT_FILE.into());
                unnamed.push(DEFAULT_FILE.into());
            }
        }
        for file in &files {
            check_exportable(file, &options, container.boundary()).map_err(explain)?;
            unnamed.extend(unnamed_beside(file, &options)?);
        }
        let named = pages.iter().chain(&files);
        let named: Vec<PathBuf> = named
            .filter(|file| !unnamed.contains(file))
            .cloned()
            .collect();
        check_outputs(&named, &unnamed)?;
        for page in pages {
            check_replaceable(page)?;
        }
        Ok(files)
    }

    /// Returns whether the packing goes to stdout.
    pub fn streams(&self) -> bool {
        self.output.iter().any(|file| is_stream(file))
    }

    /// Returns all files that the run writes, of which `files` are those of the packing.
    pub fn written(&self, files: &[PathBuf]) -> Result<Vec<PathBuf>> {
        let options = self.export.options();
        let mut written = Vec::new();
        for file in files {
            written.extend(exported_paths(file, &options)?);
        }
        written.extend(self.pages());
        Ok(written)
    }

    /// Returns the pages to write beside the packing.
    pub fn pages(&self) -> Vec<PathBuf> {
        self.pages_and_files().0
    }

    fn pages_and_files(&self) -> (Vec<PathBuf>, Vec<PathBuf>) {
        let files = self.output.iter().filter(|file| !is_stream(file));
        files.cloned().partition(|file| is_page(file))
    }
}

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
}

impl Session<'_> {
    /// Runs the packing loop to its end, writes the packing and prints the summary. All processes take part in everything but the summary.
    pub fn run(mut self, packer: Packer) -> Result<Outcome> {
        let run = packer.run(&mut self);
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
            &run.packing,
            &self.files,
            &options,
            streams,
            &others,
        )?;
        let min_gap =
            (run.packing.provenance.as_ref()).map_or(0.0, |provenance| provenance.min_gap);
        let predicted = self
            .launch
            .predicted_packing_fraction(&run.packing, min_gap);
        let pages = self.options.pages();
        let packing = (!pages.is_empty()).then(|| self.launch.whole(&run.packing));
        if !self.launch.is_first() {
            return Ok(Outcome::Done);
        }
        let mut failure = None;
        if let (Written::AsRequested(_), Some(packing)) = (&written, packing) {
            for page in pages {
                self.screen.phase(&format!("writing {}", page.display()));
                failure = failure.or(write_report(&packing, &self.history, &page).err());
            }
        }
        self.screen.finish(&run);
        match written {
            Written::AsRequested(warnings) => self.report(&run, predicted, &warnings, failure),
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

    /// Prints the summary and returns whether the request was met. `failure` is that of writing a page.
    fn report(
        &mut self,
        run: &PackRun,
        predicted: f64,
        warnings: &[String],
        failure: Option<anyhow::Error>,
    ) -> Result<Outcome> {
        let shortfall = shortfall(run, self.fraction_of_container);
        let written = self.options.written(&self.files)?;
        let written: Vec<PathBuf> = written.into_iter().filter(|file| file.exists()).collect();
        let summary = Summary::new(run, predicted, &written, warnings, shortfall.is_some())?
            .with_sufficient_box(self.sufficient_box);
        let failure = failure.or(self.print_summary(&summary).err());
        for warning in warnings.iter().filter(|_| !self.options.quiet) {
            print_message(&format!("warning: {warning}"));
        }
        let status = summary.status();
        let continuation = self.close_checkpoints(status);
        let written = if self.files.is_empty() {
            "the data on stdout".to_owned()
        } else {
            words::files(&self.files)
        };
        if let Some(failure) = failure {
            let reason = with_causes(&failure);
            print_message(&format!(
                "error: {reason}; the packing is in {written}{continuation}"
            ));
            return Ok(Outcome::WrittenElsewhere);
        }
        let signal = signals::ending().filter(|_| status == StopReason::Interrupted);
        let (outcome, message) = if let Some(code) = signal {
            let message = format!("interrupted: the packing as it was then is in {written}");
            (Outcome::Signalled(code), message)
        } else if let Some(shortfall) = shortfall {
            let then = early_end(status).map_or("", |_| " as it was then");
            let message = format!("{shortfall}; the packing{then} is in {written}");
            let outcome = match status {
                StopReason::Overlapping => Outcome::Overlap,
                _ => Outcome::NotReached,
            };
            (outcome, message)
        } else if continuation.is_empty() || self.options.quiet {
            return Ok(Outcome::Done);
        } else {
            let message = format!(
                "stopped early by --time-limit: the packing as it was then is in {written}"
            );
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
