//! The command line: arguments as typed, validated, one library call, a result for people or for programs.

mod check;
mod compare;
mod interrupt;
mod memory;
mod pack;
mod progress;
mod sizes;
mod values;
mod words;

use std::{
    io::{self, Write},
    process::ExitCode,
};

use clap::{Parser, Subcommand, error::ErrorKind};

/// What every help page ends with.
const EXIT_CODES: &str = "\
Exit codes:
  0    done
  1    check: there is overlap
  2    usage or bad input; nothing is written
  3    the asked packing fraction or box was not reached; the best packing is written
  130  interrupted; pack still writes the best packing so far";

/// Dense, random, overlap-free packings of spheres from particle size distributions.
#[derive(Parser)]
#[command(version, arg_required_else_help = true, after_help = EXIT_CODES, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Pack(pack::Pack),
    Sizes(sizes::Sizes),
    Check(check::Check),
    Compare(compare::Compare),
}

/// How a command that was not refused came out.
enum Outcome {
    Done,
    Overlap,
    NotReached,
    Interrupted,
}

impl From<Outcome> for ExitCode {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Done => Self::SUCCESS,
            Outcome::Overlap => 1.into(),
            Outcome::NotReached => 3.into(),
            Outcome::Interrupted => interrupt::EXIT_CODE.into(),
        }
    }
}

/// Refused: usage or bad input.
const REFUSED: u8 = 2;

/// Runs the program.
pub fn main() -> ExitCode {
    let result = match Cli::try_parse() {
        Ok(cli) => match cli.command {
            Command::Pack(command) => command.run(),
            Command::Sizes(command) => command.run(),
            Command::Check(command) => command.run(),
            Command::Compare(command) => command.run(),
        },
        Err(error) => return usage(&error),
    };
    result.map_or_else(
        |error| {
            complain(&format!("error: {error:#}"));
            REFUSED.into()
        },
        ExitCode::from,
    )
}

/// Help and version in full, anything else as one line.
fn usage(error: &clap::Error) -> ExitCode {
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            // A closed pipe is all that can go wrong.
            let _ = error.print();
            ExitCode::SUCCESS
        }
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            let _ = error.print();
            REFUSED.into()
        }
        _ => {
            let text = error.render().to_string();
            let until_usage = text.split("\nUsage:").next().unwrap_or_default();
            let until_hint = until_usage.split("\nFor more information").next();
            complain(until_hint.unwrap_or_default());
            REFUSED.into()
        }
    }
}

/// Tells the user on stderr, in one line.
fn complain(text: &str) {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    // There is nobody left to tell if stderr is closed.
    let _ = writeln!(io::stderr(), "{line}");
}

/// Prints the result on stdout; that nobody reads it to the end is no error.
fn print(text: &str) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    match writeln!(out, "{text}").and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(anyhow::Error::new(error).context("cannot write to stdout"))
        }
        _ => Ok(()),
    }
}

/// Prints one JSON object on stdout.
fn print_json(value: &impl serde::Serialize) -> anyhow::Result<()> {
    print(&serde_json::to_string(value)?)
}
