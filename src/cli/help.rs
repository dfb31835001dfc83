//! Help texts: the short ones of `-h` and the long ones of `--help`, which fit the width of the terminal.
//!
//! Each option and each subcommand has one text, the long one. The short one is its first sentence with the default, and the first of the
//! examples. clap wraps the descriptions of options. The texts after the options hold tables and examples, whose rows must continue below
//! their last column; this module wraps those.

use clap::{Arg, Command, builder::StyledStr};

use super::constants::{LARGEST_WIDTH, TERM_SHARE, USUAL_WIDTH};

/// Headings of the groups of options.
pub const SIZES: &str = "Sizes";
pub const CONTAINER: &str = "Container";
pub const START: &str = "Start";
pub const DENSITY: &str = "Density";
pub const DEPOSITION: &str = "Deposition";
pub const INPUT: &str = "Input";
pub const ANALYSIS: &str = "Analysis";
pub const PICTURE: &str = "Picture";
pub const RUN: &str = "Run";
pub const OUTPUT: &str = "Output";
/// The heading of arguments without a group, after an option with one.
pub const NO_GROUP: Option<&str> = None;

/// Returns the command with the short and the long help of all its subcommands, wrapped to the width of the terminal.
pub fn arranged(command: Command) -> Command {
    let width = width();
    arrange(command.term_width(width), width)
}

/// Returns the width of the help in columns: that of the terminal or the variable `COLUMNS`.
fn width() -> usize {
    let terminal = terminal_size::terminal_size().map(|(width, _)| usize::from(width.0));
    let variable = || std::env::var("COLUMNS").ok()?.parse().ok();
    let width = terminal.or_else(variable).unwrap_or(USUAL_WIDTH);
    width.min(LARGEST_WIDTH)
}

fn arrange(mut command: Command, width: usize) -> Command {
    command = command.mut_args(with_short_help);
    if let Some(text) = command.get_after_help() {
        let text = text.to_string();
        let example = first_example(&text).map(|example| wrap(&example, width));
        command = command
            .after_help(example.map_or_else(StyledStr::new, StyledStr::from))
            .after_long_help(wrap(&text, width));
    }
    command.mut_subcommands(|subcommand| arrange(subcommand, width))
}

/// Gives an option with a long text a short one.
fn with_short_help(argument: Arg) -> Arg {
    let Some(text) = argument.get_help().map(ToString::to_string) else {
        return argument;
    };
    let short = first_sentence(&text);
    if short == text {
        argument
    } else {
        argument.help(short).long_help(text)
    }
}

/// Returns the first sentence of a text, and the default that stands at its end.
fn first_sentence(text: &str) -> String {
    let default = text.rfind(" [default: ").filter(|_| text.ends_with(']'));
    let (sentences, default) = text.split_at(default.unwrap_or(text.len()));
    let sentence = sentences.split(". ").next().unwrap_or_default();
    format!("{sentence}{default}")
}

/// Returns the first of the examples in a text, under its heading.
fn first_example(text: &str) -> Option<String> {
    let mut lines = text.lines().skip_while(|line| !line.starts_with("Example"));
    let example = lines.nth(1)?;
    Some(format!("Example:\n{example}"))
}

/// Wraps a text of headings, paragraphs and indented rows.
///
/// Lines of a paragraph start in the first column and are joined. An indented row of a table continues below its last column,
/// which starts after two or more spaces; any other row continues four columns further right.
fn wrap(text: &str, width: usize) -> String {
    let mut lines: Vec<String> = Vec::new();
    let mut in_paragraph = false;
    for line in text.lines() {
        let starts_left = !line.is_empty() && !line.starts_with(' ');
        match lines.last_mut() {
            Some(last) if in_paragraph && starts_left => {
                last.push(' ');
                last.push_str(line);
            }
            _ => lines.push(line.to_owned()),
        }
        in_paragraph = starts_left;
    }
    let lines: Vec<String> = lines.iter().map(|line| wrap_line(line, width)).collect();
    lines.join("\n")
}

/// Wraps one line and indents its continuation.
fn wrap_line(line: &str, width: usize) -> String {
    let indent = line.len() - line.trim_start().len();
    match last_column(line) {
        Some(start) if chars(&line[..start]) as f64 <= TERM_SHARE * width as f64 => {
            let (first, last) = line.split_at(start);
            let words = last.split_whitespace();
            format!("{first}{}", fill(words, chars(first), chars(first), width))
        }
        Some(start) => {
            let (first, last) = line.split_at(start);
            let below = indent + 4;
            let last = fill(last.split_whitespace(), below, below, width);
            format!("{}\n{:below$}{last}", first.trim_end(), "")
        }
        None => {
            let below = if indent == 0 { 0 } else { indent + 4 };
            let text = fill(line.split_whitespace(), indent, below, width);
            format!("{:indent$}{text}", "")
        }
    }
}

/// Joins words to lines of at most `width` columns. The first line starts in column `start`, without indentation; the others are
/// indented.
pub fn fill<'a>(
    words: impl IntoIterator<Item = &'a str>,
    start: usize,
    indent: usize,
    width: usize,
) -> String {
    let mut text = String::new();
    let mut used = start;
    for (i, word) in words.into_iter().enumerate() {
        if i > 0 && used + 1 + chars(word) > width {
            text.push('\n');
            text.extend(std::iter::repeat_n(' ', indent));
            used = indent;
        } else if i > 0 {
            text.push(' ');
            used += 1;
        }
        text.push_str(word);
        used += chars(word);
    }
    text
}

/// Returns the start in bytes of the last column of an indented row that has several.
fn last_column(line: &str) -> Option<usize> {
    let row = line.trim();
    let start = line.len() - line.trim_start().len();
    let gap = row.rfind("  ").filter(|_| start > 0)?;
    Some(start + gap + 2)
}

fn chars(text: &str) -> usize {
    text.chars().count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_short_help_is_the_first_sentence_with_the_default() {
        for (text, short) in [
            (
                "Use SEED. The same seed gives the same bits [default: 1]",
                "Use SEED [default: 1]",
            ),
            (
                "Stop after TIME, such as 1.5 h",
                "Stop after TIME, such as 1.5 h",
            ),
        ] {
            assert_eq!(first_sentence(text), short);
        }
    }

    #[test]
    fn the_first_example_stands_alone() {
        let text =
            "Laws:\n  mono\n\nExamples:\n  jostle pack\n  jostle sizes\n\nExit codes:\n  0  done";
        assert_eq!(
            first_example(text).as_deref(),
            Some("Example:\n  jostle pack")
        );
        assert_eq!(first_example("Exit codes:\n  0  done"), None);
    }

    #[test]
    fn rows_continue_below_their_last_column() {
        let text = "Codes:\n  0    it is done\n  130  it was interrupted by the user";
        let wrapped =
            "Codes:\n  0    it is done\n  130  it was\n       interrupted by\n       the user";
        assert_eq!(wrap(text, 22), wrapped);
    }

    #[test]
    fn rows_of_one_column_continue_further_right() {
        let text = "Examples:\n  jostle pack concrete --box 20";
        let wrapped = "Examples:\n  jostle pack\n      concrete --box\n      20";
        assert_eq!(wrap(text, 20), wrapped);
    }

    #[test]
    fn lines_of_a_paragraph_are_joined() {
        let text = "one two\nthree four five\n\nsix";
        assert_eq!(wrap(text, 14), "one two three\nfour five\n\nsix");
        assert_eq!(wrap(text, 40), "one two three four five\n\nsix");
    }

    #[test]
    fn a_wide_first_column_moves_the_second_below() {
        let row = "  a-very-long-term  its meaning";
        assert_eq!(wrap(row, 24), "  a-very-long-term\n      its meaning");
    }
}
