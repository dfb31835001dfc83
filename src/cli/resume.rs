//! `jostle resume`: continues a run from a checkpoint.

use std::path::PathBuf;

use anyhow::{Result, bail, ensure};
use clap::{Args, Command};

use super::{
    checkpoints::Checkpoints,
    cut::cut_below,
    files::note_input,
    launch::Launch,
    memory::Demand,
    pour_session,
    progress::Screen,
    request::RequestOptions,
    session::Session,
    session_options::{Given, SessionOptions},
    signals,
};
use crate::{
    Packer,
    io::{is_pour_checkpoint, read_checkpoint_share},
};

/// Continue a run from a checkpoint
#[derive(Args)]
#[command(after_help = AFTER_HELP)]
pub struct Resume {
    /// Checkpoint that --checkpoint of 'jostle pack' or 'jostle pour' wrote. It is kept up to date, and removed when the run is over
    checkpoint: PathBuf,

    #[command(flatten)]
    options: SessionOptions,

    // Before the settings, because each argument that is read after it leaves the arguments that were given.
    #[command(flatten)]
    given: Given<RequestOptions>,

    #[command(flatten)]
    request: RequestOptions,
}

const AFTER_HELP: &str = "\
The packing has the bits of a run without interruption, with any number of threads. Without --output it goes to the files and pages
that 'jostle pack' was to write. The other options of files and of the summary, --threads, --time-limit and --checkpoint-every are those of
the earlier run unless they are given; the time limit counts from now. Options of 'jostle pack' that determine the packing, such as --seed, may be repeated if they agree with the
checkpoint.

Example:
  jostle pack concrete -n 1e6 --checkpoint run.checkpoint -o concrete.json
  jostle resume run.checkpoint";

/// Returns the subcommand without help on the options that determine the packing: the checkpoint determines them.
pub fn without_help_on_settings(command: Command) -> Command {
    let settings = RequestOptions::augment_args(Command::new("settings"));
    let ids: Vec<_> = (settings.get_arguments())
        .map(|argument| argument.get_id().clone())
        .collect();
    command.mut_args(|argument| {
        let is_setting = ids.contains(argument.get_id());
        argument.hide(is_setting)
    })
}

impl Resume {
    /// Rejects a checkpoint that cannot be continued before the packing begins. Returns the exit code.
    pub fn run(self, launch: &Launch) -> Result<u8> {
        if is_pour_checkpoint(&self.checkpoint) {
            if let Some(option) = self.given.first() {
                bail!(
                    "{option} is an option of 'jostle pack', but the checkpoint is that of 'jostle pour', which determines the bed; leave the option out"
                );
            }
            return pour_session::resume(&self.checkpoint, self.options, launch);
        }
        let mut checkpoint = read_checkpoint_share(&self.checkpoint, launch.ranks.clone())?;
        self.request.check_agreement(&checkpoint)?;
        ensure!(
            checkpoint.options().sizes.is_some(),
            "'{}' was made by a program of its own, without a size distribution; Packer::resume of the library continues it",
            self.checkpoint.display()
        );
        note_input(&self.checkpoint);
        let options = &self.options.after(&checkpoint.output)?;
        let files = options.files(&checkpoint.options().container, launch)?;
        options.export.options().check_radii(checkpoint.radii())?;
        let checkpoints = Checkpoints::new(
            &self.checkpoint,
            checkpoint.interval,
            options,
            &files,
            launch,
        )?;
        let (share, of_run) = (launch.share_here(), checkpoint.options());
        Demand::of_continued(checkpoint.spheres(), of_run.threads, |count, law| {
            of_run.estimated_memory(count * share, law)
        })?
        .prepare(cut_below)?;
        options.watch(&files, Some(&self.checkpoint), launch)?;

        if let Some(threads) = options.threads {
            checkpoint = checkpoint.threads(threads);
        }
        if options.time_limit.is_some() {
            checkpoint = checkpoint.time_limit(options.time_limit);
        }
        checkpoint = checkpoint.interrupt(signals::interrupt());
        // The first process has read the head for all of them.
        launch.begin()?;
        let mut screen = Screen::new(options.quiet);
        screen.phase("rebuilding the lists of neighbors");
        let time_limit = checkpoint.options().time_limit;
        let end = time_limit.map(|limit| limit.saturating_add(checkpoint.elapsed()));
        screen.expect(checkpoint.spheres(), end);
        let packer = Packer::resume(checkpoint)?;
        Session {
            fraction_of_container: self.request.fraction_of_container(),
            ..Session::new(launch, options, screen, Some(checkpoints), files)
        }
        .run(packer)
    }
}
