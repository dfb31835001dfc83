//! Requests that were not reached.

use jostle::{Effort, PackRun, Provenance, StopReason};

use super::{
    constants::{ROUNDING, WHOLE_SPHERES},
    words::{counted, rounded},
};

/// Returns a sentence about a requested container or packing fraction that was not reached.
pub fn shortfall(run: &PackRun, fraction_of_container: Option<f64>) -> Option<String> {
    let packing = &run.packing;
    let provenance = packing.provenance.as_ref()?;
    let (found, needed) = (run.packing_fraction, provenance.fraction?);
    if provenance.left_out > 0 {
        return Some(format!(
            "{} found no room in the requested {} around the fixed spheres: it needs packing fraction {}, but {} was found",
            counted(provenance.left_out, "sphere"),
            packing.container.shape().name(),
            rounded(needed, 4),
            rounded(found, 4),
        ));
    }
    let is_exact = provenance.lengths.is_some();
    if provenance
        .lengths
        .is_some_and(|lengths| packing.container.lengths() != lengths)
    {
        return Some(format!(
            "the requested {} was not reached: it needs packing fraction {}, but {} was found{}",
            packing.container.shape().name(),
            rounded(needed, 4),
            rounded(found, 4),
            advice(provenance, found, needed),
        ));
    }
    let (requested, tolerance, reason) = if is_exact {
        (fraction_of_container?, WHOLE_SPHERES, " with whole spheres")
    } else {
        (needed, ROUNDING, "")
    };
    (found < requested * (1.0 - tolerance)).then(|| {
        format!(
            "the requested packing fraction {requested} was not reached{reason}: {} was found{}",
            rounded(found, 4),
            advice(provenance, found, needed)
        )
    })
}

/// Returns the end of a sentence: which setting would reach the request.
fn advice(run: &Provenance, found: f64, needed: f64) -> String {
    if run.stop != StopReason::Stalled {
        return String::new();
    }
    let effort = Effort::try_from(run.effort).unwrap_or_default();
    let gain = Effort::THOROUGH.gain() - effort.gain();
    if gain > 0.0 && found + gain >= needed {
        return format!(
            " at effort {}; without --effort, the run slows down as far as needed",
            rounded(run.effort, 3)
        );
    }
    let limit = ((found + gain) * 1e4).floor() / 1e4;
    format!("; no effort reaches it, and about {limit} is within reach")
}
