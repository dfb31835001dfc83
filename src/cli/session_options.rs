//! The options of a run that do not change the packing. A checkpoint keeps those of the files as they were given, so that the continued
//! run writes the same files.

use std::{
    ffi::{OsStr, OsString},
    marker::PhantomData,
    path::{Path, PathBuf},
    time::Duration,
};

use anyhow::{Result, anyhow, ensure};
use clap::{ArgMatches, Args, Command, Error, FromArgMatches, Parser, parser::ValueSource};

use super::{
    constants::DEFAULT_FILE,
    errors::fault,
    export::{ExportArgs, check_stream, explain, unnamed_beside},
    files::{check_outputs, is_stream},
    help,
    launch::Launch,
    output::keep_stdout_for_data,
    report::is_page,
    signals, values,
};
use crate::{
    Container, PackOptions,
    io::{check_exportable, check_replaceable, exported_paths, options_for, remove_leftovers},
};

/// Options of a run that do not change the packing.
#[derive(Args)]
#[command(next_help_heading = help::OUTPUT)]
pub struct SessionOptions {
    // The first one, because each argument that is read after it leaves the arguments that were given.
    #[command(flatten)]
    pub given: Given,

    /// Run on THREADS threads, which do not change the result; 0 means one for each core [default: 0]
    #[arg(long, help_heading = help::RUN, value_parser = values::threads)]
    pub threads: Option<usize>,

    /// Stop after TIME, such as 90 (seconds), 15m or 12h. The packing is written as it is then, without overlap [default: no limit]
    #[arg(long, value_name = "TIME", help_heading = help::RUN, value_parser = values::time)]
    pub time_limit: Option<Duration>,

    /// Write a checkpoint every TIME, such as 60s or 10m [default: 60s]
    #[arg(long, value_name = "TIME", help_heading = help::RUN, value_parser = values::time)]
    pub checkpoint_every: Option<Duration>,

    /// Write the packing to FILE, whose extension names the format; may be repeated. Formats are .json, .csv, .xyz, .vtp (ParaView), .data
    /// (LAMMPS) and others ('jostle convert --help'). FILE.html is a page about the packing, and - is stdout in the format of --format
    /// [default: packing.json]
    #[arg(short, long, value_name = "FILE")]
    pub output: Vec<PathBuf>,

    /// Print the summary as one JSON object
    #[arg(long)]
    pub json: bool,

    /// Print errors only, and the JSON object of --json
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

    /// Returns these options with those of an earlier part of the run where none is given.
    pub fn after(self, earlier: &[String]) -> Result<Self> {
        Ok(Self {
            threads: self.threads,
            time_limit: self.time_limit,
            checkpoint_every: self.checkpoint_every,
            ..self.given.after(earlier)?
        })
    }

    /// Returns the files to write: the requested ones, or the default file if the packing does not go to stdout. Rejects files that
    /// cannot or must not be written, and options that do not fit the files or the container.
    pub fn files(&self, container: &Container, launch: &Launch) -> Result<Vec<PathBuf>> {
        let (pages, mut files) = self.pages_and_files();
        let mut unnamed = Vec::new();
        let options = self.export.options();
        if self.streams() {
            launch.check_alone()?;
            let streams = self.output.iter().filter(|file| is_stream(file)).count();
            ensure!(
                streams == 1,
                "--output - is given twice; leave one of them out"
            );
            ensure!(
                !self.json,
                "--output - writes the packing to stdout, where --json prints the summary; leave one of them out"
            );
            check_stream(&options, container)?;
            keep_stdout_for_data();
        } else if files.is_empty() {
            files.push(DEFAULT_FILE.into());
            unnamed.push(DEFAULT_FILE.into());
        }
        for file in &files {
            let options = options_for(file, &files, &options);
            check_exportable(file, &options, container.clone()).map_err(explain)?;
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
            written.extend(exported_paths(file, &options_for(file, files, &options))?);
        }
        written.extend(self.pages());
        Ok(written)
    }

    /// Lets signals end the run that writes these files and this checkpoint, and removes what a run that was killed left beside them.
    pub fn watch(
        &self,
        files: &[PathBuf],
        checkpoint: Option<&Path>,
        launch: &Launch,
    ) -> Result<()> {
        let mut written = self.written(files)?;
        written.extend(checkpoint.map(Path::to_owned));
        written.iter().for_each(remove_leftovers);
        signals::watch(written, launch.farewell(checkpoint))
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

/// Options that belong to a process, not to the files of its packing.
const OF_PROCESS: [&str; 3] = ["threads", "time_limit", "checkpoint_every"];

/// The beginning of the argument that names a file.
const OUTPUT: &str = "--output=";

/// The arguments of `T` that were given, but for those of the process.
pub struct Given<T = SessionOptions>(Vec<OsString>, PhantomData<T>);

impl<T> Given<T> {
    /// Returns the first option that was given, without its value.
    pub fn first(&self) -> Option<String> {
        let first = self.0.first()?.to_string_lossy();
        first.split('=').next().map(str::to_owned)
    }
}

impl Given {
    /// Returns the arguments with the names of `files`, which may follow from a default. Names are absolute, because the run may be
    /// continued in another directory.
    pub fn with_files(&self, files: &[PathBuf]) -> Result<Vec<String>> {
        let mut arguments = Vec::new();
        let of_files = files.iter().map(|file| named(OUTPUT, file.as_os_str()));
        for argument in self.0.iter().cloned().chain(of_files) {
            let mut argument = argument.into_string().map_err(|argument| {
                anyhow!(
                    "the argument '{}' is not UTF-8; a run with checkpoints needs names of files in UTF-8",
                    argument.display()
                )
            })?;
            if let Some(file) = argument.strip_prefix(OUTPUT).map(Path::new)
                && !is_stream(file)
            {
                argument = format!("{OUTPUT}{}", std::path::absolute(file)?.display());
            }
            if !arguments.contains(&argument) {
                arguments.push(argument);
            }
        }
        Ok(arguments)
    }

    /// Returns the options of an `earlier` part of a run, in which the present arguments replace those of the same name.
    pub fn after(&self, earlier: &[String]) -> Result<SessionOptions> {
        #[derive(Parser)]
        #[command(
            no_binary_name = true,
            args_override_self = true,
            allow_negative_numbers = true,
            disable_help_flag = true
        )]
        struct Alone {
            #[command(flatten)]
            options: SessionOptions,
        }
        ensure!(
            earlier.iter().all(|argument| argument.starts_with("--")),
            "the checkpoint names no files of a packing"
        );
        let names_file = |argument: &OsString| argument.to_string_lossy().starts_with(OUTPUT);
        let names_files = self.0.iter().any(names_file);
        let earlier = earlier.iter().map(OsString::from);
        let earlier = earlier.filter(|argument| !(names_files && names_file(argument)));
        let parsed = Alone::try_parse_from(earlier.chain(self.0.iter().cloned()));
        let Alone { options } = parsed.map_err(|error| {
            anyhow!(
                "the options of files in the checkpoint: {}",
                fault(&error.render().to_string())
            )
        })?;
        Ok(options)
    }
}

impl<T: Args> FromArgMatches for Given<T> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let command = T::augment_args(Command::new("options"));
        let mut given = Vec::new();
        for argument in command.get_arguments() {
            let id = argument.get_id().as_str();
            let is_given = !OF_PROCESS.contains(&id)
                && matches.value_source(id) == Some(ValueSource::CommandLine);
            let Some(long) = argument.get_long().filter(|_| is_given) else {
                continue;
            };
            if !argument.get_action().takes_values() {
                given.push(format!("--{long}").into());
                continue;
            }
            for value in matches.get_raw(id).into_iter().flatten() {
                given.push(named(&format!("--{long}="), value));
            }
        }
        Ok(Self(given, PhantomData))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// Adds no argument: the other ones are noted.
impl<T: Args> Args for Given<T> {
    fn augment_args(command: Command) -> Command {
        command
    }

    fn augment_args_for_update(command: Command) -> Command {
        command
    }
}

/// Returns the argument that gives an option a value.
fn named(option: &str, value: &OsStr) -> OsString {
    let mut argument = OsString::from(option);
    argument.push(value);
    argument
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A checkpoint may come from anywhere.
    #[test]
    fn hostile_options_in_a_checkpoint_are_refused_with_one_sentence() {
        for hostile in [
            "--help",
            "--nonsense",
            "--density=x",
            "--output",
            "-h",
            "out.json",
        ] {
            let none: Given = Given(Vec::new(), PhantomData);
            let refused = none.after(&[hostile.to_owned()]).err();
            let message = refused.map(|error| error.to_string()).unwrap_or_default();
            assert!(
                message.starts_with("the ") && message.lines().count() == 1,
                "{hostile}: {message}"
            );
        }
    }
}
