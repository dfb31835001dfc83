//! `jostle resume`: continues a run from a checkpoint.

use std::path::PathBuf;

use anyhow::{Result, ensure};
use clap::{Args, Command};

use super::{
    checkpoints::Checkpoints, constants::CHECKPOINT_INTERVAL, files::note_input, launch::Launch,
    memory, progress::Screen, request::RequestOptions, session::Session,
    session_options::SessionOptions, signals,
};
use crate::{
    Packer,
    distribution::{Mono, SizeDistribution},
    io::{read_checkpoint_share, remove_leftovers},
    report::History,
};

/// Continue a run from a checkpoint
#[derive(Args)]
#[command(after_help = AFTER_HELP, allow_negative_numbers = true)]
pub struct Resume {
    /// Checkpoint that `jostle pack --checkpoint` wrote. It is kept up to date, and removed when the run is over
    checkpoint: PathBuf,

    #[command(flatten)]
    options: SessionOptions,

    #[command(flatten, next_help_heading = SETTINGS)]
    request: RequestOptions,
}

/// The heading of the options that determine the packing.
const SETTINGS: &str = "Settings";

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
    command.mut_args(|argument| {
        let is_setting = argument.get_help_heading() == Some(SETTINGS);
        argument.hide(is_setting)
    })
}

impl Resume {
    /// Rejects a checkpoint that cannot be continued before the packing begins. Returns the exit code.
    pub fn run(self, launch: &Launch) -> Result<u8> {
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
        let interval = options.checkpoint_every.or(checkpoint.interval);
        let interval = interval.unwrap_or(CHECKPOINT_INTERVAL);
        let output = options.given.with_files(&files)?;
        let checkpoints = Checkpoints::new(&self.checkpoint, interval, output, launch)?;
        // No distribution takes more memory for each sphere than equal spheres.
        let equal = SizeDistribution::from(Mono::new(1.0)?);
        let count = checkpoint.spheres() as f64;
        memory::prepare(
            count,
            launch.share_here(),
            checkpoint.options(),
            &equal,
            true,
        )?;
        let written = [options.written(&files)?, vec![self.checkpoint.clone()]].concat();
        // A run that was killed while it wrote files may have left some.
        written.iter().for_each(remove_leftovers);
        signals::watch(written, launch.farewell(Some(&self.checkpoint)))?;

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
            launch,
            options,
            screen,
            checkpoints: Some(checkpoints),
            files,
            fraction_of_container: self.request.fraction_of_container(),
            sufficient_box: None,
            history: History::default(),
        }
        .run(packer)
    }
}
