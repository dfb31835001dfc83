//! `jostle resume`: continues a run from a checkpoint.

use std::path::PathBuf;

use anyhow::{Result, bail, ensure};
use clap::{Arg, ArgMatches, Args, Command, Error, FromArgMatches, parser::ValueSource};

use super::{
    checkpoints::Checkpoints, constants::CHECKPOINT_INTERVAL, cut::cut_below, files::note_input,
    launch::Launch, memory::Demand, pour_session, progress::Screen, request::RequestOptions,
    session::Session, session_options::SessionOptions, signals,
};
use crate::{
    Packer,
    distribution::{Mono, SizeDistribution},
    io::{is_pour_checkpoint, read_checkpoint_share, remove_leftovers},
};

/// Continue a run from a checkpoint
#[derive(Args)]
#[command(after_help = AFTER_HELP, allow_negative_numbers = true)]
pub struct Resume {
    /// Checkpoint that --checkpoint of 'jostle pack' or 'jostle pour' wrote. It is kept up to date, and removed when the run is over
    checkpoint: PathBuf,

    #[command(flatten)]
    options: SessionOptions,

    // Before the settings, because each argument that is read after it leaves the arguments that were given.
    #[command(flatten)]
    given: GivenSettings,

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

/// The options of 'jostle pack' that were given, by name.
struct GivenSettings(Vec<String>);

impl GivenSettings {
    /// Rejects options of 'jostle pack'.
    fn check_none(&self) -> Result<()> {
        if let Some(option) = self.0.first() {
            bail!(
                "--{option} is an option of 'jostle pack', but the checkpoint is that of 'jostle pour', which determines the bed; leave the option out"
            );
        }
        Ok(())
    }
}

impl FromArgMatches for GivenSettings {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let command = RequestOptions::augment_args(Command::new("settings"));
        let is_given = |argument: &&Arg| {
            let source = matches.value_source(argument.get_id().as_str());
            source == Some(ValueSource::CommandLine)
        };
        let given = command.get_arguments().filter(is_given);
        Ok(Self(
            given.filter_map(Arg::get_long).map(str::to_owned).collect(),
        ))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// Adds no argument: the other ones are noted.
impl Args for GivenSettings {
    fn augment_args(command: Command) -> Command {
        command
    }

    fn augment_args_for_update(command: Command) -> Command {
        command
    }
}

impl Resume {
    /// Rejects a checkpoint that cannot be continued before the packing begins. Returns the exit code.
    pub fn run(self, launch: &Launch) -> Result<u8> {
        if is_pour_checkpoint(&self.checkpoint) {
            self.given.check_none()?;
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
        let interval = options.checkpoint_every.or(checkpoint.interval);
        let interval = interval.unwrap_or(CHECKPOINT_INTERVAL);
        let output = options.given.with_files(&files)?;
        let checkpoints = Checkpoints::new(&self.checkpoint, interval, output, launch)?;
        // No distribution takes more memory for each sphere than equal spheres.
        let equal = SizeDistribution::from(Mono::new(1.0)?);
        let count = checkpoint.spheres() as f64;
        let (share, of_run) = (launch.share_here(), checkpoint.options());
        let demand = Demand {
            spheres: count,
            volume: None,
            sizes: equal,
            threads: of_run.threads,
            has_checkpoints: true,
            estimate: Box::new(|count, law| of_run.estimated_memory(count * share, law)),
        };
        demand.prepare(cut_below)?;
        drop(demand);
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
            fraction_of_container: self.request.fraction_of_container(),
            ..Session::new(launch, options, screen, Some(checkpoints), files)
        }
        .run(packer)
    }
}
