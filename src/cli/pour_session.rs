//! A deposition with its progress line, signals and checkpoints, and the writing of its bed.

use std::{ops::ControlFlow, path::Path, time::Duration};

use anyhow::Result;

use super::{
    checkpoints::{Checkpoints, Saved},
    cut::cut_below,
    files::note_input,
    launch::Launch,
    memory::Demand,
    pour_summary::PourSummary,
    progress::Screen,
    session::Session,
    session_options::SessionOptions,
    shortfall::early,
    signals,
    summary::Summarize,
    words::{counted, duration, rounded},
};
use crate::{
    io::{PourRecord, WriteError, read_pour_checkpoint, write_pour_checkpoint},
    jam::{JamObserver, JamProgress, JamState},
    pour::{PourCheckpoint, PourOptions, PourProgress, PourRun, Pourer},
};

/// A deposition and the session that writes its bed.
pub struct PourSession<'a>(pub Session<'a>);

impl Saved for PourRecord {
    fn with_output(mut self, output: &[String], interval: Duration) -> Self {
        self.output = output.to_vec();
        self.interval = Some(interval);
        self
    }

    fn write(&self, path: &Path) -> Result<(), WriteError> {
        write_pour_checkpoint(self, path)
    }
}

impl PourSession<'_> {
    /// Pours until the end, writes the bed and prints the summary. Returns the exit code.
    pub fn run(mut self, mut pourer: Pourer) -> Result<u8> {
        while let Some(progress) = pourer.step() {
            self.follow(&progress);
            self.save(&pourer);
        }
        self.save(&pourer);
        let seed = pourer.options().seed;
        let checkpoint = (self.0.checkpoints.is_some()).then(|| pourer.checkpoint());
        let run = pourer.finish_observed(&mut Jam {
            session: &mut self.0,
            checkpoint,
        });
        self.0.screen.finishing();
        let saved = match self.0.write(&run.packing, || final_line(&run))? {
            ControlFlow::Continue(saved) => saved,
            ControlFlow::Break(code) => return Ok(code),
        };
        let summary = PourSummary::new(&run, seed, &saved.files, &saved.omissions)?;
        let shortfall = run.shortfall.clone().or_else(|| summary.unsupported());
        let shortfall = shortfall.map(|sentence| early(summary.status(), sentence));
        self.0.report(&summary, shortfall, &saved)
    }

    fn follow(&mut self, progress: &PourProgress) {
        let session = &mut self.0;
        if signals::take_report() {
            session.screen.print(&report_line(progress));
            session
                .checkpoints
                .iter_mut()
                .for_each(Checkpoints::request);
        }
        session
            .screen
            .show_share(progress.share, || describe(progress));
    }

    /// Starts to write a checkpoint if one is due.
    fn save(&mut self, pourer: &Pourer) {
        let session = &mut self.0;
        let stop = pourer.stop_reason();
        let checkpoints = session.checkpoints.as_mut();
        let Some(checkpoints) = checkpoints.filter(|checkpoints| checkpoints.is_due(stop)) else {
            return;
        };
        let warning = checkpoints.save(PourRecord::new(pourer.checkpoint()), session.launch);
        session.warn(warning);
    }
}

/// The jamming of a bed: its progress line, and its checkpoints.
struct Jam<'a, 'b> {
    session: &'a mut Session<'b>,
    /// The bed as it was poured, if checkpoints are written.
    checkpoint: Option<PourCheckpoint>,
}

impl JamObserver for Jam<'_, '_> {
    fn step(&mut self, progress: &JamProgress) -> ControlFlow<()> {
        self.session.screen.show_jamming(progress);
        ControlFlow::Continue(())
    }

    fn save(&mut self, state: JamState) {
        let session = &mut self.session;
        let checkpoints = session.checkpoints.as_mut();
        let due = checkpoints.filter(|checkpoints| checkpoints.is_due(None));
        let Some((checkpoints, poured)) = due.zip(self.checkpoint.clone()) else {
            return;
        };
        let record = PourRecord::new(poured.with_jamming(state));
        let warning = checkpoints.save(record, session.launch);
        session.warn(warning);
    }
}

/// Continues a deposition from a checkpoint. Returns the exit code.
pub fn resume(path: &Path, options: SessionOptions, launch: &Launch) -> Result<u8> {
    launch.check_alone()?;
    let PourRecord {
        mut checkpoint,
        output,
        interval,
        ..
    } = read_pour_checkpoint(path)?;
    note_input(path);
    let options = &options.after(&output)?;
    let files = options.files(&checkpoint.options.container, launch)?;
    options.export.options().check_radii(checkpoint.radii())?;
    let checkpoints = Checkpoints::new(path, interval, options, &files, launch)?;
    Demand::of_continued(checkpoint.radii().len(), 1, |count, _| {
        PourOptions::estimated_memory(count)
    })?
    .prepare(cut_below)?;
    options.watch(&files, Some(path), launch)?;
    if options.time_limit.is_some() {
        checkpoint.options.time_limit = options.time_limit;
    }
    checkpoint.options.interrupt = Some(signals::interrupt());
    let screen = Screen::new(options.quiet);
    let pourer = Pourer::resume(checkpoint)?;
    let session = Session::new(launch, options, screen, Some(checkpoints), files);
    PourSession(session).run(pourer)
}

/// Returns the words beside the progress bar.
fn describe(progress: &PourProgress) -> String {
    let seconds = progress.elapsed.as_secs_f64();
    let left = seconds * (1.0 / progress.share.max(1e-9) - 1.0);
    let spheres = counted(progress.deposited as u64, "sphere");
    let mut text = format!(
        "{} left, {spheres}, height {}",
        duration(left.ceil()),
        rounded(progress.height, 4)
    );
    if progress.taps > 0 {
        text += &format!(", {}", counted(progress.taps, "tap"));
    }
    text
}

fn report_line(progress: &PourProgress) -> String {
    format!(
        "{} after {} s: height {}, {}, about {:.0} % done",
        counted(progress.deposited as u64, "sphere"),
        rounded(progress.elapsed.as_secs_f64(), 3),
        rounded(progress.height, 4),
        counted(progress.taps, "tap"),
        100.0 * progress.share,
    )
}

fn final_line(run: &PourRun) -> String {
    let seconds = run.elapsed.as_secs_f64();
    let spheres = (run.packing.spheres().len() - run.packing.fixed()) as u64;
    format!(
        "poured {} in {} s: {} spheres/s",
        counted(spheres, "sphere"),
        rounded(seconds, 3),
        rounded(spheres as f64 / seconds.max(1e-6), 2),
    )
}
