//! Errors, as one line on stderr.

use clap::error::ErrorKind;

use super::{
    constants::{DONE, REFUSED},
    output::print_message,
};

/// Reports the error of a command and returns the exit code.
pub fn refuse(error: &anyhow::Error) -> u8 {
    print_message(&format!("error: {}", with_causes(error)));
    REFUSED
}

/// Returns the text of an error and of its causes, except causes that the text already ends with.
pub fn with_causes(error: &anyhow::Error) -> String {
    error.chain().fold(String::new(), |text, cause| {
        let cause = cause.to_string();
        match text.as_str() {
            "" => cause,
            text if text.ends_with(&cause) => text.to_owned(),
            text => format!("{text}: {cause}"),
        }
    })
}

/// Prints help and version as they are, and any fault of usage as one line. Returns the exit code.
pub fn show_usage(error: &clap::Error) -> u8 {
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            // Printing fails only if the reader stops reading.
            let _ = error.print();
            DONE
        }
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            let _ = error.print();
            REFUSED
        }
        _ => {
            print_message(&fault(&error.render().to_string()));
            REFUSED
        }
    }
}

/// Returns the fault in a message of clap, which has several paragraphs: the first one names the fault, another one may
/// suggest a better spelling.
pub fn fault(message: &str) -> String {
    let mut paragraphs = message.split("\n\n").map(str::trim);
    let fault = paragraphs.next().unwrap_or_default();
    match paragraphs.find(|text| text.contains("similar")) {
        Some(suggestion) => format!("{fault}; {suggestion}"),
        None if fault.contains("unexpected") || fault.contains("unrecognized") => {
            format!("{fault}; --help lists what is accepted")
        }
        None => fault.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_comes_with_a_suggestion_or_with_help() {
        let similar = "error: unexpected argument '--sed' found\n\n  tip: a similar argument exists: '--seed'\n\nUsage: x";
        assert_eq!(
            fault(similar),
            "error: unexpected argument '--sed' found; tip: a similar argument exists: '--seed'"
        );
        let unknown = "error: unexpected argument '--color' found\n\nUsage: x";
        assert_eq!(
            fault(unknown),
            "error: unexpected argument '--color' found; --help lists what is accepted"
        );
        let invalid = "error: invalid value '0' for '--number <N>': 1 is expected\n\nFor more";
        assert_eq!(
            fault(invalid),
            "error: invalid value '0' for '--number <N>': 1 is expected"
        );
    }

    #[test]
    fn a_cause_that_is_quoted_is_not_repeated() {
        let error = anyhow::anyhow!("disk full")
            .context("cannot write 'a': disk full")
            .context("not finished");
        let text = with_causes(&error);
        assert_eq!(text, "not finished: cannot write 'a': disk full");
    }
}
