//! The command that makes a packing again.

use crate::packing::Packing;

/// Returns the command of `jostle pack` that makes the same bits; `None` if the packing has no account of its run.
pub(super) fn command_of(packing: &Packing) -> Option<String> {
    let run = packing.provenance.as_ref()?;
    let mut words = vec![
        "jostle pack".to_owned(),
        quoted(&run.sizes),
        format!("-n {}", packing.spheres.len()),
    ];
    if let Some(lengths) = run.lengths {
        let lengths = lengths.to_array().map(|length| length.to_string());
        words.push(format!("--box {}", lengths.join(",")));
    } else if let Some(fraction) = run.fraction {
        words.push(format!("--fraction {fraction}"));
    }
    let boundary = packing.container.boundary().to_string();
    if boundary != "ppp" {
        words.push(format!("--boundary {boundary}"));
    }
    if run.min_gap != 0.0 {
        words.push(format!("--min-gap {}", run.min_gap));
    }
    words.push(format!("--effort {}", run.effort));
    if run.exchange_rate != 0.0 {
        words.push(format!("--exchange {}", run.exchange_rate));
    }
    if let Some(sampling) = run.sampling {
        words.push(format!("--sampling {sampling}"));
    }
    words.push(format!("--index {} --seed {}", run.index, run.seed));
    if let Some(sweeps) = run.max_sweeps {
        words.push(format!("--max-sweeps {sweeps}"));
    }
    Some(words.join(" "))
}

/// Returns a word as a shell reads it back.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_.,:=/+".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_survive_a_shell() {
        assert_eq!(quoted("mono:d=1"), "mono:d=1");
        assert_eq!(quoted("my sizes.json"), "'my sizes.json'");
        assert_eq!(quoted("it's"), "'it'\\''s'");
    }
}
