//! The command that makes a packing again.

use std::fmt::Display;

use crate::{
    container::{Body, Container, ContainerSpec, Direction},
    distribution::{SizeSpec, names_file},
    index::IndexKind,
    packing::{Deposition, Packing, Provenance, StopReason},
    pour::{Order, Source},
};

/// Returns the command of `jostle pack` or `jostle pour` that makes the same spheres with the same bits; `None` if the packing does not hold everything
/// that the command needs.
///
/// That is the case for packings with an account of their run, whose sizes are a preset or an inline law, and whose request names no file:
/// no fixed spheres and no triangle meshes. Bodies must lie in the requested container, as they grow with a container that was not
/// reached. The version of the program must be that of the account.
///
/// # Cost
/// That of a sample of the diameters, with which the radii are compared.
pub fn command(packing: &Packing) -> Option<String> {
    let run = packing.provenance.as_ref()?;
    if let Some(deposition) = &run.deposition {
        return pour_command(packing, run, deposition);
    }
    if run.fixed_may_overlap.is_some()
        || run.sample_seed != Some(run.seed)
        || !are_drawn(packing, run)
    {
        return None;
    }
    let mut words = vec!["jostle pack".to_owned(), quoted(&run.sizes)];
    words.extend(size_words(packing, run)?);
    let unless_zero = |value: f64| (value != 0.0).then_some(value);
    // An index of the user makes the same packing as any other.
    let is_ours = run.index.parse::<IndexKind>().is_ok();
    let options = [
        option("--min-gap", unless_zero(run.min_gap)),
        option("--wall-gap", run.wall_gap),
        option("--effort", (!run.effort_is_chosen).then_some(run.effort)),
        option("--exchange", unless_zero(run.exchange_rate)),
        option("--breathe", unless_zero(run.breathe)),
        option("--toward-nearest", unless_zero(run.toward_nearest)),
        jam_word(run),
        option("--sampling", run.sampling),
        option("--index", is_ours.then_some(&run.index)),
        option("--seed", Some(run.seed)),
        option("--max-sweeps", run.max_sweeps),
    ];
    words.extend(options.into_iter().flatten());
    Some(words.join(" "))
}

/// Returns the command of `jostle pour` that makes the same bed.
fn pour_command(packing: &Packing, run: &Provenance, deposition: &Deposition) -> Option<String> {
    let (container, vessel) = (&packing.container, run.container.as_ref()?);
    let bodies = body_words(container)?;
    let is_complete = !matches!(run.stop, StopReason::TimeLimit | StopReason::Interrupted);
    let is_known = !run.sizes.is_empty() && !names_file(&run.sizes);
    if run.fixed_may_overlap.is_some() || !is_complete || !is_known {
        return None;
    }
    let mut words = vec!["jostle pour".to_owned(), quoted(&run.sizes)];
    words.extend(match (deposition.height, run.sample_volume) {
        (Some(height), _) => option("--height", Some(height)),
        (None, Some(volume)) => option("--volume", Some(volume)),
        (None, None) => option("-n", Some(packing.spheres.len() as u64 + run.left_out)),
    });
    words.push(format!("--container {}", quoted(vessel)));
    let boundary = container.boundary_spec().to_string();
    words.extend(option(
        "--boundary",
        boundary.contains('p').then_some(boundary),
    ));
    words.extend(bodies);
    let gravity = deposition.gravity;
    let unless_zero = |value: f64| (value != 0.0).then_some(value);
    let is_random = deposition.order == Order::Random.to_string();
    let taps = (deposition.taps > 0 && run.fraction.is_none()).then_some(deposition.taps);
    let options = [
        option(
            "--gravity",
            (gravity != Direction::default()).then_some(gravity),
        ),
        option("--order", (!is_random).then_some(&deposition.order)),
        source_words(&deposition.source),
        option("--stop-angle", unless_zero(deposition.stop_angle)),
        option("--sticking", unless_zero(deposition.sticking)),
        option("--taps", taps),
        option("--fraction", run.fraction),
        jam_word(run),
        option("--sampling", run.sampling),
        option("--seed", Some(run.seed)),
    ];
    words.extend(options.into_iter().flatten());
    Some(words.join(" "))
}

/// Returns the option of a packing that was to be jammed.
fn jam_word(run: &Provenance) -> Option<String> {
    option("--jam", run.jamming.map(|jamming| jamming.requested_gap))
}

/// Returns the options of a source, from its text form; `None` for rain.
fn source_words(source: &str) -> Option<String> {
    let mut words = source.split(' ');
    let path = words.next().filter(|path| *path != Source::Rain.name())?;
    let mut text = format!("--source {path}");
    while let (Some(name), Some(value)) = (words.next(), words.next()) {
        let option = if name == "diameter" {
            "--source-diameter"
        } else {
            "--passes"
        };
        text += &format!(" {option} {value}");
    }
    Some(text)
}

/// Returns the words of an option if it has a value.
fn option(name: &str, value: Option<impl Display>) -> Option<String> {
    value.map(|value| format!("{name} {value}"))
}

/// Returns whether the sizes that the account names give the radii of the packing. A file of another folder is not read.
fn are_drawn(packing: &Packing, run: &Provenance) -> bool {
    if names_file(&run.sizes) {
        return false;
    }
    let (Ok(spec), Some(sampling)) = (SizeSpec::load(&run.sizes), run.sampling) else {
        return false;
    };
    let sample = match run.sample_volume {
        // A sample of far more spheres than the packing could exhaust the memory.
        Some(volume) if volume > 2.0 * packing.container.volume_of(packing.spheres.radii()) => {
            return false;
        }
        Some(volume) => spec.sample_volume(volume, sampling, run.seed),
        None => Ok(spec.sample_number(packing.spheres.len(), sampling, run.seed)),
    };
    sample.is_ok_and(|sample| sample.radii() == packing.spheres.radii())
}

/// Returns the options of the container, its boundary, its bodies and the number of spheres.
fn size_words(packing: &Packing, run: &Provenance) -> Option<Vec<String>> {
    let container = &packing.container;
    let (text, bodies) = (run.container.as_ref()?, container.bodies());
    let is_reached = run.lengths == Some(container.lengths());
    let body_words = body_words(container)?;
    if !(bodies.is_empty() || is_reached) {
        return None;
    }
    let boundary = container.boundary_spec();
    let mut words = match run.lengths {
        Some(lengths) if text.starts_with("box") => {
            let lengths = lengths.to_array().map(|length| length.to_string());
            vec![format!("--box {}", lengths.join(","))]
        }
        None if text == "box" => Vec::new(),
        _ => vec![format!("--container {text}")],
    };
    if !["ppp", "w"].contains(&boundary.to_string().as_str()) {
        words.push(format!("--boundary {boundary}"));
    }
    words.extend(body_words);
    if let Some(volume) = run.sample_volume {
        let requested: ContainerSpec = text.parse().ok()?;
        let requested = requested.container(Some(boundary)).ok()?;
        let requested = requested.without(bodies.iter().cloned()).ok()?;
        words.push(format!("--fraction {}", fraction_of(volume, &requested)?));
    } else {
        words.insert(0, format!("-n {}", packing.spheres.len()));
        let fraction = run.fraction.filter(|_| run.lengths.is_none());
        words.extend(option("--fraction", fraction));
    }
    Some(words)
}

/// Returns the options of the bodies; `None` if one of them comes from a file.
fn body_words(container: &Container) -> Option<Vec<String>> {
    let of_body = |body: &Body| {
        let is_from_file = ["outline", "mesh"].contains(&body.solid.name());
        (!is_from_file).then(|| format!("--keep-out {}", quoted(&body.to_string())))
    };
    container.bodies().iter().map(of_body).collect()
}

/// Returns a packing fraction that gives the spheres of the container exactly this volume.
fn fraction_of(volume: f64, container: &Container) -> Option<f64> {
    let quotient = volume / container.volume();
    // The shortest of them is the one that a user writes.
    let short = format!("{quotient:.12}").parse().unwrap_or(quotient);
    [short, quotient, quotient.next_up(), quotient.next_down()]
        .into_iter()
        .find(|fraction| fraction * container.volume() == volume)
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
