//! Requests that were not reached.

use super::{
    constants::{ROUNDING, WHOLE_SPHERES},
    words::{counted, rounded, told_apart},
};
use crate::{
    Effort,
    packing::{Jamming, Provenance, StopReason},
    rearrange::PackRun,
};

/// Returns a sentence about a requested container or packing fraction that was not reached.
pub fn shortfall(run: &PackRun, fraction_of_container: Option<f64>) -> Option<String> {
    let sentence = unreached(run, fraction_of_container)?;
    let stop = run.packing.provenance.as_ref().map(|run| run.stop);
    Some(match stop {
        Some(stop) => early(stop, sentence),
        None => sentence,
    })
}

/// Returns a sentence about a request that was not reached, after what stopped the run before it had done its work.
pub fn early(stop: StopReason, sentence: String) -> String {
    match early_end(stop) {
        Some(cause) => format!("stopped early by {cause}: {sentence}"),
        None => sentence,
    }
}

/// Returns words about a request without a [`shortfall`].
pub fn reached(run: &PackRun, fraction_of_container: Option<f64>) -> Option<&'static str> {
    if shortfall(run, fraction_of_container).is_some() {
        return None;
    }
    let provenance = run.packing.provenance.as_ref()?;
    let is_filled = provenance.lengths.is_some() && fraction_of_container.is_none();
    Some(if is_filled {
        "in the requested container"
    } else {
        "as requested"
    })
}

/// Returns what stopped a run before it had done its work.
pub fn early_end(stop: StopReason) -> Option<&'static str> {
    match stop {
        StopReason::SweepLimit => Some("--max-sweeps"),
        StopReason::TimeLimit => Some("--time-limit"),
        StopReason::Interrupted => Some("a signal"),
        _ => None,
    }
}

fn unreached(run: &PackRun, fraction_of_container: Option<f64>) -> Option<String> {
    let packing = &run.packing;
    let provenance = packing.provenance.as_ref()?;
    let shape = packing.container.solid().name();
    if provenance.stop == StopReason::Overlapping {
        return Some(format!(
            "spheres could not be separated: the largest overlap is {:e}",
            packing.certificate.max_overlap
        ));
    }
    if let Some(sentence) = provenance.jamming.as_ref().and_then(Jamming::shortfall) {
        return Some(sentence);
    }
    let (found, needed) = (run.packing_fraction, provenance.fraction?);
    if provenance.left_out > 0 {
        return Some(format!(
            "{} found no room in the requested {shape} around the fixed spheres: {}",
            counted(provenance.left_out, "sphere"),
            comparison(needed, found),
        ));
    }
    if let Some(lengths) = provenance
        .lengths
        .filter(|lengths| packing.container.lengths().x > lengths.x * (1.0 + ROUNDING))
    {
        let excess = packing.container.lengths().x / lengths.x - 1.0;
        return Some(format!(
            "the requested {shape} was not reached: {}, with lengths that are {} % larger{}",
            comparison(needed, found),
            rounded(100.0 * excess, 2),
            advice(provenance, found, needed),
        ));
    }
    let (requested, tolerance, reason) = if provenance.lengths.is_some() {
        (fraction_of_container?, WHOLE_SPHERES, " with whole spheres")
    } else {
        (needed, ROUNDING, "")
    };
    (found < requested * (1.0 - tolerance)).then(|| {
        let [requested, found_text] = told_apart(requested, found, 4);
        format!(
            "the requested packing fraction {requested} was not reached{reason}: {found_text} was found{}",
            advice(provenance, found, needed)
        )
    })
}

/// Returns a clause about the packing fraction that a container needs, and the one that was found.
fn comparison(needed: f64, found: f64) -> String {
    if needed == found {
        return format!(
            "it needs packing fraction {}, which was found",
            rounded(found, 4)
        );
    }
    let [needed, found] = told_apart(needed, found, 4);
    format!("it needs packing fraction {needed}, but {found} was found")
}

/// Returns the end of a sentence: which setting would reach the request, or what is expected instead.
fn advice(run: &Provenance, found: f64, needed: f64) -> String {
    if run.stop != StopReason::Stalled {
        return String::new();
    }
    let effort = Effort::try_from(run.effort).unwrap_or_default();
    let gain = Effort::THOROUGH.gain() - effort.gain();
    if gain > 0.0 && found + gain >= needed {
        format!(
            " at effort {}; without --effort, the run slows down as far as needed",
            rounded(run.effort, 3)
        )
    } else if gain > 0.0 {
        let [_, expected] = told_apart(found, found + gain, 4);
        format!("; about {expected} is expected at thorough effort")
    } else {
        " at thorough effort, the greatest one".to_owned()
    }
}
