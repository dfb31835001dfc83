//! Section 2: the loop and its Verlet lists.

use jostle::{
    Effort, IndexKind, PackOptions, Packer,
    laboratory::{
        compare::measure_index,
        published_loop::{PublishedLoop, PublishedLoopOptions, RefreshPolicy},
    },
};

use super::scenes::Scenes;
use crate::{
    numbers::signed, outcome::Outcome, packing_loop::toward_nearest, papers::row::Row,
    sample::radii,
};

const SIZES: &str = "power-law:exponent=-3,d_min=1,d_max=10";

/// Number of spheres whose lists are compared with brute force.
const FEW: usize = 500;

/// Sweeps in which lists are compared with brute force.
const SWEEPS: u32 = 80;

/// Number of spheres that are packed with and without steps toward the nearest neighbor.
const MANY: usize = 4_000;

const PAGE: &str = "[packing-loop.md](packing-loop.md) has the measurements for three mixtures";

pub fn rows(scenes: &Scenes) -> Outcome<Vec<Row>> {
    let at_once = by_brute_force(RefreshPolicy::AtOnce)?;
    let after_sweep = by_brute_force(RefreshPolicy::AfterSweep)?;
    Ok(vec![
        toward_nearest()?,
        Row::checked(
            "Fig. 1, Section 2",
            "A list that is updated when its sphere has moved by δ_V/2 holds all possibly overlapping spheres",
            "0 missed overlaps",
            format!("{} in {} visits", at_once.missed, at_once.visits),
            at_once.missed == 0,
            format!("{FEW} spheres, {SWEEPS} sweeps, `PublishedLoop` against brute force"),
        ),
        Row::checked(
            "Section 2",
            "A sphere is refreshed as soon as it has moved by δ_V/2, so that lists are valid after each relocation",
            "0 missed overlaps",
            format!("{} in {} visits", after_sweep.missed, after_sweep.visits),
            after_sweep.missed == 0,
            format!(
                "jostle refreshes in one batch after each sweep, which misses overlaps until then. {PAGE}."
            ),
        ),
        Row::checked(
            "Section 2",
            "An update keeps the relation of neighbors symmetric",
            "0 one-sided pairs",
            format!("{} of {} pairs", at_once.one_sided, at_once.pairs),
            at_once.one_sided == 0,
            "The same run",
        ),
        neighbors_by_distance(scenes),
        Row::checked(
            "Section 2",
            "δ_V should decrease slowly during a run",
            "decreases",
            format!(
                "from {:.2} to {:.3} radii of the largest sphere",
                at_once.distances[0], at_once.distances[1]
            ),
            at_once.distances[1] < at_once.distances[0],
            "`PublishedLoop`. In jostle each sphere has a skin of its own, which follows from its speed.",
        ),
        refreshes()?,
    ])
}

/// Returns the row of the step toward the nearest neighbor.
fn toward_nearest() -> Outcome<Row> {
    let radii = radii(SIZES, MANY)?;
    let [stays, moves] = [0.0, 0.5].map(|share| {
        let packings = toward_nearest::packed(&radii, Effort::NORMAL, share, 3);
        packings.map(|packings| packings.fraction)
    });
    let (stays, moves) = (stays?, moves?);
    let gain = moves.value - stays.value;
    let error = stays.error.hypot(moves.error);
    Ok(Row::checked(
        "Section 2",
        "A sphere without overlap moves toward its nearest neighbor, as the aim is a dense packing",
        "denser",
        format!("φ changes by {} ± {error:.4}", signed(gain, 4)),
        gain > 2.0 * error,
        format!(
            "Off in jostle; `--toward-nearest 0.5` adds the step. f(r) ∝ r⁻³ of ratio 10, {MANY} spheres, three seeds. {PAGE}."
        ),
    ))
}

/// A run whose lists are compared with brute force.
struct Checked {
    visits: u64,
    /// Overlaps that the list of a visited sphere misses.
    missed: u64,
    /// Pairs of a sphere and a neighbor in its list.
    pairs: u64,
    /// Pairs of which the other list does not have the sphere.
    one_sided: u64,
    /// δ_V at the start and at the end.
    distances: [f64; 2],
}

fn by_brute_force(refresh: RefreshPolicy) -> Outcome<Checked> {
    let options = PublishedLoopOptions::default()
        .effort(Effort::QUICK)
        .refresh(refresh);
    let mut run = PublishedLoop::new(&radii(SIZES, FEW)?, options)?;
    let first = run.verlet_distance();
    let (mut visits, mut missed) = (0, 0);
    for _ in 0..SWEEPS {
        run.sweep_observed(&mut |run, id| {
            visits += 1;
            missed += missed_overlaps(run, id);
        });
    }
    let (mut pairs, mut one_sided) = (0, 0);
    for id in 0..run.spheres() {
        for &other in run.neighbors(id) {
            pairs += 1;
            one_sided += u64::from(!run.neighbors(other).contains(&id));
        }
    }
    while run.sweep().is_some() {}
    Ok(Checked {
        visits,
        missed,
        pairs,
        one_sided,
        distances: [first, run.verlet_distance()],
    })
}

/// Returns the number of spheres that overlap a sphere and are not in its list, among all spheres.
fn missed_overlaps(run: &PublishedLoop, id: u32) -> u64 {
    let (center, radius) = (run.center(id), run.radius(id));
    let is_missed = |&other: &u32| {
        let apart = run.container().displacement(center, run.center(other));
        other != id
            && apart.length() < radius + run.radius(other)
            && !run.neighbors(id).contains(&other)
    };
    (0..run.spheres()).filter(is_missed).count() as u64
}

/// Returns the row of the number of neighbors against δ_V.
fn neighbors_by_distance(scenes: &Scenes) -> Row {
    let packing = &scenes.equal;
    // In diameters, with the largest ones far below half the side of the cube.
    let distances = [2.0, 4.0];
    let neighbors = distances.map(|distance| {
        let kind = IndexKind::LooseOctree;
        measure_index(kind, packing.spheres(), packing.container(), distance).neighbors
    });
    let exponent = |base: f64| {
        let [low, high] = distances.map(|distance| base + distance);
        (neighbors[1] / neighbors[0]).ln() / (high / low).ln()
    };
    Row::compared(
        "Section 2",
        "Exponent of δ_V in the number of neighbors",
        3.0,
        exponent(0.0),
        0.1,
        format!(
            "Equal spheres of diameter d, δ_V = 2 d and 4 d. The number grows with the power {:.2} of d + δ_V, the distance up to which centers \
             are neighbors; 3 is the limit for δ_V far above d.",
            exponent(1.0)
        ),
    )
}

/// Returns the row of the number of refreshes.
fn refreshes() -> Outcome<Row> {
    let mut packer = Packer::new(radii(SIZES, MANY)?, &PackOptions::default())?;
    while packer.sweep().is_some() {}
    let work = packer.progress().ok_or("a run has no sweep")?.work;
    let relocations = work.relocations as f64 / work.refreshes as f64;
    Ok(Row::checked(
        "Section 2",
        "Updates of lists do not occur too often, as movements are small",
        "seldom",
        format!("one refresh for {relocations:.0} relocations"),
        relocations > 10.0,
        format!("The packing loop, f(r) ∝ r⁻³ of ratio 10, {MANY} spheres, normal effort"),
    ))
}
