//! The option `--color` of every subcommand.

use std::ffi::OsString;

use clap::{Arg, ColorChoice, Command, ValueEnum};

use super::help::NO_GROUP;

const OPTION: &str = "--color";

/// Returns the choice and the other arguments.
///
/// The option holds for the errors of reading the arguments, too, so that it is taken before they are read. `jostle render` has an option of
/// the same name with other values.
pub fn choice(arguments: Vec<OsString>) -> (ColorChoice, Vec<OsString>) {
    let mut chosen = ColorChoice::default();
    let mut others = Vec::with_capacity(arguments.len());
    let mut arguments = arguments.into_iter().peekable();
    while let Some(argument) = arguments.next() {
        let text = argument.to_str().unwrap_or_default();
        let is_option = text == OPTION;
        let value = if is_option {
            arguments.peek().and_then(|value| value.to_str())
        } else {
            (text.strip_prefix(OPTION)).and_then(|value| value.strip_prefix('='))
        };
        match value.and_then(|value| ColorChoice::from_str(value, false).ok()) {
            Some(choice) => {
                chosen = choice;
                if is_option {
                    arguments.next();
                }
            }
            None => others.push(argument),
        }
    }
    (chosen, others)
}

/// Declares the option for help, completions and errors.
pub fn with_option(command: Command) -> Command {
    let has_own = (command.get_arguments()).any(|argument| argument.get_long() == Some("color"));
    let command = if has_own {
        command
    } else {
        let help = "Color help and messages: auto, always or never. With auto, they have colors on a terminal, unless the variable NO_COLOR is set \
                    [default: auto]";
        command.arg(
            Arg::new("when")
                .long("color")
                .value_name("WHEN")
                .help_heading(NO_GROUP)
                .value_parser(["auto", "always", "never"])
                .hide_possible_values(true)
                .help(help),
        )
    };
    command.mut_subcommands(with_option)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_option_is_taken_wherever_it_stands() {
        for (line, choice_of_line, rest) in [
            (
                "jostle check a --color never",
                ColorChoice::Never,
                "jostle check a",
            ),
            (
                "jostle --color=always pack",
                ColorChoice::Always,
                "jostle pack",
            ),
            (
                "jostle render --color size a",
                ColorChoice::Auto,
                "jostle render --color size a",
            ),
            (
                "jostle check --color",
                ColorChoice::Auto,
                "jostle check --color",
            ),
        ] {
            let words = line.split(' ').map(OsString::from).collect();
            let (chosen, others) = choice(words);
            let rest: Vec<OsString> = rest.split(' ').map(OsString::from).collect();
            assert_eq!((chosen, others), (choice_of_line, rest), "{line}");
        }
    }
}
