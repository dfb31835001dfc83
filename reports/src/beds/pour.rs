//! The beds of this report.

use std::sync::atomic::{AtomicUsize, Ordering};

use jostle::{
    Container, Packing,
    pour::{Compaction, PourOptions, PourProgress, Pourer, Source},
};

use super::outcome::Outcome;

/// The piles: a name, the stop angle in degrees, and the diameter of the outlet, if it is not that of `jostle pour`.
pub const PILES: [(&str, f64, Option<f64>); 5] = [
    ("a point as outlet", 0.0, Some(0.0)),
    ("outlet of 2 diameters", 0.0, Some(2.0)),
    ("outlet of 4 diameters, the default", 0.0, None),
    ("outlet of 8 diameters", 0.0, Some(8.0)),
    ("stop angle 5°", 5.0, None),
];

/// Number of spheres of which one may be left out, or not be at rest.
const MOST_EXCEPTIONS: usize = 1000;

/// Spheres of all beds: poured ones, those that were left out, and those that are not at rest.
pub static SPHERES: [AtomicUsize; 3] = [const { AtomicUsize::new(0) }; 3];

/// Pours spheres in random order into a vessel.
pub fn bed(radii: Vec<f64>, container: &Container, seed: u64) -> Outcome<Packing> {
    poured(radii, container, PourOptions::default().seed(seed))
}

/// Pours spheres in random order, and taps the bed.
pub fn tapped(radii: Vec<f64>, container: &Container, taps: u64, seed: u64) -> Outcome<Packing> {
    let options = PourOptions::default().compaction(Compaction::Taps(taps));
    poured(radii, container, options.seed(seed))
}

/// Pours spheres from an outlet at rest.
pub fn pile(
    radii: Vec<f64>,
    container: &Container,
    outlet: Source,
    stop_angle: f64,
    seed: u64,
) -> Outcome<Packing> {
    let options = PourOptions::default().source(outlet).stop_angle(stop_angle);
    poured(radii, container, options.seed(seed))
}

/// Pours spheres, and demands that all but a few of them are in the bed and rest on their supports, or by forces.
pub fn poured(radii: Vec<f64>, container: &Container, options: PourOptions) -> Outcome<Packing> {
    let count = radii.len();
    let pourer = Pourer::new(radii, options.container(container.clone()))?;
    let run = pourer.run(&mut |_: &PourProgress| std::ops::ControlFlow::Continue(()));
    let unsupported = match (run.packing.stability(), run.packing.forces()) {
        (Some(stability), _) => stability.unsupported,
        (None, Some(_)) => 0,
        (None, None) => return Err("a bed has supports or forces".into()),
    };
    let exceptions = [run.left_out.len(), unsupported as usize];
    for (total, own) in SPHERES.iter().zip([count].into_iter().chain(exceptions)) {
        total.fetch_add(own, Ordering::Relaxed);
    }
    if exceptions.iter().sum::<usize>() > 1 + count / MOST_EXCEPTIONS {
        let [left_out, unsupported] = exceptions;
        return Err(format!(
            "of {count} spheres, {left_out} found no place, and {unsupported} are not at rest"
        )
        .into());
    }
    Ok(run.packing)
}
