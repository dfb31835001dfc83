//! The command line: one file for each subcommand.
//!
//! This is the only module that uses clap, indicatif, anyhow and exit codes. A subcommand validates its arguments, calls the
//! library and prints the result as text or as JSON.
//!
//! The module belongs to the library, so that the program and the Python package have the same command line, the same sentences about
//! requests out of reach, and the same limits of memory.

mod analysis_files;
mod analyze;
mod blend;
mod check;
mod checkpoints;
mod colors;
#[cfg(feature = "laboratory")]
mod compare;
mod completions;
mod constants;
mod convert;
mod cut;
mod dry_run;
mod efforts;
mod elsewhere;
mod errors;
mod export;
mod files;
mod fixed;
mod help;
mod input;
mod launch;
mod memory;
mod output;
mod pack;
mod pour;
mod pour_options;
mod pour_session;
mod pour_summary;
mod progress;
mod remaining;
mod report;
mod request;
mod rescue;
mod resume;
mod sample;
mod session;
mod session_options;
mod shortfall;
mod signals;
mod sizes;
mod space;
mod start;
mod summary;
mod table;
mod tune;
mod values;
mod words;

use std::{
    ffi::OsString,
    io,
    thread::{self, JoinHandle},
};

use anyhow::{Context, Result};
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

use constants::{DONE, LEAST_THREADS};
use launch::Launch;
#[cfg(unix)]
pub use memory::Allocator;
pub use memory::{Available, Demand, Limit, available};
pub use shortfall::shortfall;

/// Dense, random, overlap-free packings of spheres from particle size distributions
#[derive(Parser)]
#[command(version, arg_required_else_help = true, after_help = AFTER_HELP)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Pack(pack::Pack),
    Pour(pour::Pour),
    Resume(resume::Resume),
    Sizes(sizes::Sizes),
    Blend(blend::Blend),
    Check(check::Check),
    Analyze(analyze::Analyze),
    Convert(convert::Convert),
    Report(report::Report),
    Plot(report::Plot),
    Render(report::Render),
    Tune(tune::Tune),
    #[cfg(feature = "laboratory")]
    #[command(subcommand)]
    Compare(compare::Compare),
    #[cfg(not(feature = "laboratory"))]
    Compare(elsewhere::Compare),
    Study(elsewhere::Study),
    Completions(completions::Completions),
    Man(completions::Man),
}

const AFTER_HELP: &str = "\
Examples:
  jostle pack concrete -n 20000 -o packing.json
  jostle report packing.json -o packing.html
  jostle help pack

Exit codes:
  0    the command did what was requested
  1    the packing has overlap; pack and resume write it nevertheless
  2    wrong usage, bad input or too little memory; no file is written
  3    pack, pour, resume: the requested packing fraction, box or height was not reached; the packing is written
  4    pack, pour, resume: an output could not be written; the message tells where the packing is
  128+n  ended by signal n: 130 after Ctrl-C; pack, pour and resume write the packing as it is then, without overlap";

/// Runs the program with these arguments, of which the first is the name of the program. Returns the exit code.
///
/// Must be called before the process starts other threads, because it may set parameters of the allocator and environment variables
/// of MPI.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    memory::limit_arenas();
    signals::survive_file_limit();
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    let launch = match Launch::join() {
        Ok(launch) => launch,
        Err(error) => return errors::refuse(&error),
    };
    // The first process tells the reason before the others may end, after which the launcher ends it.
    if let Err(error) = launch.check_arguments(&arguments) {
        return launch.refuse(&error);
    }
    let (color, arguments) = colors::choice(arguments);
    output::choose_colors(color);
    let command = help::arranged(command_line()).color(color);
    let matches = command.try_get_matches_from(arguments);
    let cli = match matches.and_then(|matches| Cli::from_arg_matches(&matches)) {
        Ok(cli) => cli,
        Err(error) if launch.is_first() => return errors::show_usage(&error),
        Err(_) => return constants::REFUSED,
    };
    let result = check_threads().and_then(|()| run_on(&launch, cli.command));
    result.unwrap_or_else(|error| launch.refuse(&error))
}

/// Returns the command line with all subcommands.
fn command_line() -> clap::Command {
    let command = Cli::command()
        .mut_subcommand("pour", pour::with_own_help)
        .mut_subcommand("resume", resume::without_help_on_settings)
        .mut_subcommand("convert", convert::with_two_origins)
        // A negative number is the bad value of an option, and no unknown option.
        .mut_subcommands(|command| command.allow_negative_numbers(true));
    colors::with_option(command)
}

/// Rejects a process that cannot start the threads of any run: libraries take for granted that they can start threads.
fn check_threads() -> Result<()> {
    let probes = (0..LEAST_THREADS).map(|_| thread::Builder::new().spawn(thread::park));
    let probes: Vec<JoinHandle<()>> = probes.collect::<io::Result<_>>().context(
        "cannot start a few threads, which every run needs; allow more processes (ulimit -u) or more memory (ulimit -v)",
    )?;
    for probe in probes {
        probe.thread().unpark();
        // A probe cannot panic.
        let _ = probe.join();
    }
    Ok(())
}

/// Carries out a command, on several processes if there are some. Returns the exit code.
fn run_on(launch: &Launch, command: Command) -> Result<u8> {
    let shares = matches!(
        command,
        Command::Pack(_) | Command::Resume(_) | Command::Analyze(_)
    );
    if !shares {
        launch.check_alone()?;
    }
    let done = match command {
        Command::Pack(command) => return command.run(launch),
        Command::Pour(command) => return command.run(launch),
        Command::Resume(command) => return command.run(launch),
        Command::Check(command) => return command.run(launch),
        Command::Sizes(command) => command.run(),
        Command::Blend(command) => command.run(),
        Command::Analyze(command) => command.run(launch),
        Command::Convert(command) => command.run(launch),
        Command::Report(command) => command.run(launch),
        Command::Plot(command) => command.run(launch),
        Command::Render(command) => command.run(launch),
        Command::Tune(command) => command.run(),
        Command::Compare(command) => command.run(),
        Command::Study(command) => command.run(),
        Command::Completions(completions) => completions.run(command_line()),
        Command::Man(man) => man.run(command_line()),
    };
    done.map(|()| DONE)
}
