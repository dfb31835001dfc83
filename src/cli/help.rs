//! Help texts that fit the width of the terminal.
//!
//! clap wraps the descriptions of options. The texts after the options hold tables and examples, whose rows must continue below
//! their last column; this module wraps those.

use clap::Command;

use super::constants::{LARGEST_WIDTH, TERM_SHARE, USUAL_WIDTH};

/// Returns the command with the help of all its subcommands wrapped to the width of the terminal.
pub fn wrapped(command: Command) -> Command {
    let width = width();
    wrap_command(command.term_width(width), width)
}

/// Returns the width of the help in columns: that of the terminal or the variable `COLUMNS`.
fn width() -> usize {
    let terminal = terminal_size::terminal_size().map(|(width, _)| usize::from(width.0));
    let variable = || std::env::var("COLUMNS").ok()?.parse().ok();
    let width = terminal.or_else(variable).unwrap_or(USUAL_WIDTH);
    width.min(LARGEST_WIDTH)
}

fn wrap_command(mut command: Command, width: usize) -> Command {
    if let Some(text) = command.get_after_help() {
        let text = wrap(&text.to_string(), width);
        command = command.after_help(text);
    }
    command.mut_subcommands(|subcommand| wrap_command(subcommand, width))
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
