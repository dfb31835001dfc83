//! The command line: arguments as typed, validated, one library call, a result for people or for programs.

mod check;
mod compare;
mod interrupt;
mod memory;
mod pack;
mod progress;
mod sizes;
mod tune;
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
  3    the asked fraction or box was not reached; the best packing is written
  130  interrupted; pack still writes the packing so far";

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
    Tune(tune::Tune),
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
            Command::Tune(command) => command.run(),
            Command::Compare(command) => command.run(),
        },
        Err(error) => return usage(&error),
    };
    result.map_or_else(
        |error| {
            complain(&format!("error: {}", in_full(&error)));
            REFUSED.into()
        },
        ExitCode::from,
    )
}

/// An error with its causes, except those it quotes itself.
fn in_full(error: &anyhow::Error) -> String {
    error.chain().fold(String::new(), |text, cause| {
        let cause = cause.to_string();
        match text.as_str() {
            "" => cause,
            text if text.ends_with(&cause) => text.to_owned(),
            text => format!("{text}: {cause}"),
        }
    })
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
            // The first paragraph names the fault; of the others only a better spelling is worth a line's room.
            let text = error.render().to_string();
            let paragraphs = text.split("\n\n").enumerate();
            let wanted = paragraphs.filter(|(i, text)| *i == 0 || text.contains("similar"));
            complain(&wanted.map(|(_, text)| text).collect::<Vec<_>>().join(";"));
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
