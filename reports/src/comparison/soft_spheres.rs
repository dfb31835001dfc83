//! Section 5.4.2 of Krijgsman, Ogarko & Luding 2014: the whole time of a simulation with one level and with the best levels.

use crate::page::Page;
use jostle::{
    Boundary, Container, Spheres,
    distribution::{PowerLaw, Sampling, SizeDistribution},
    laboratory::broad_phase::{HGridSearch, SortedHGrid},
    laboratory::compare::measure_overhead,
    laboratory::soft_spheres::{
        SoftSphereOptions, SoftSphereRun, SoftSpheres, best_cell_sizes, random_start,
    },
    tuning::{Dimension, Search},
};

use super::{markdown::table, numbers::significant, outcome::Outcome};

/// Number of disks in the paper.
pub const DISKS: usize = 10_000;
/// Packing fraction of the paper.
pub const GAS: f64 = 0.4;
/// Packing fraction of a dense system, which the paper does not simulate. Disks of these sizes still move at this fraction.
const DENSE: f64 = 0.8;
/// Exponent and size ratio of the paper.
pub const LAW: (f64, f64) = (-3.0, 20.0);
/// Overhead factor K of the paper.
pub const OVERHEAD: f64 = 0.2;
/// Whole times of the paper in minutes, with one level and with the best levels.
pub const PAPER_MINUTES: [f64; 2] = [266.0, 27.0];

/// Number of time steps of the paper.
const PAPER_STEPS: f64 = 2.5e5;
/// Number of time steps here. The time of a step hardly changes during a simulation.
const STEPS: usize = 2_000;
/// Number of times that each simulation is run. More repetitions remove more of the noise of other programs.
const REPEATS: usize = 3;
/// Restitution coefficient of the cooling gas; the paper does not state it.
const RESTITUTION: f64 = 0.9;

/// A choice of levels, and the fastest simulation with them.
pub struct Simulated {
    pub name: String,
    pub levels: usize,
    pub run: SoftSphereRun,
    disks: usize,
}

impl Simulated {
    /// Returns the share of one disk in one step.
    pub fn per_disk_and_step(&self, total: f64) -> f64 {
        total / (self.disks * self.run.detections()) as f64
    }

    /// Returns the counted work T per disk and step, for K of the paper.
    pub fn work(&self) -> f64 {
        let counts = self.run.counts;
        let total = counts.pair_tests as f64 + OVERHEAD * counts.cell_accesses as f64;
        self.per_disk_and_step(total)
    }

    /// Returns the whole time of as many steps as in the paper, in minutes.
    pub fn minutes(&self) -> f64 {
        self.run.seconds / self.run.steps as f64 * PAPER_STEPS / 60.0
    }
}

/// Prints the times of a gas and of a dense system.
pub fn report(page: &mut Page, divided: &dyn Fn(usize) -> usize) -> Outcome {
    let disks = divided(DISKS);
    page.line(format!(
        "\n## Whole time of a simulation (Krijgsman, Ogarko & Luding 2014, Section 5.4.2)\n
{disks} soft disks between walls, f(r) ∝ r⁻³ with size ratio 20, as in the paper. A linear spring and a dashpot with restitution
{RESTITUTION}, {STEPS} steps of a fiftieth of the shortest contact, one thread (`laboratory::soft_spheres`). Contacts are detected anew in
each step. The levels are those of least work for K = 0.2, as in the paper, and for the K that is measured on this machine. Each
simulation is the fastest of {REPEATS}. Tests, opened cells and nanoseconds are per disk and step; minutes are for the 250 000 steps of the paper."
    ));
    for (name, packing_fraction) in [("Gas", GAS), ("Dense system", DENSE)] {
        let all = simulated(disks, packing_fraction)?;
        page.line(format!("\n{name}, packing fraction {packing_fraction}:"));
        page.text(&times(&all));
        let [one, best, ..] = &all[..] else {
            continue;
        };
        page.line(format!(
            "\nWith the best Top-Down levels for K = 0.2 the whole simulation is {:.1} times faster than with one level, its contact detection {:.1} \
             times. The counted work T is {:.1} times smaller.",
            one.run.seconds / best.run.seconds,
            one.run.detection_seconds / best.run.detection_seconds,
            one.work() / best.work()
        ));
    }
    page.line(format!(
        "\nThe paper simulates the gas only: {} minutes with one level and {} minutes with the best levels, {:.1} times faster. It predicts \
         35 times less work of contact detection. Times of different machines and programs compare by their ratios only: the ratio falls as a \
         distance test gets faster, because forces and integration take the same time for all levels, and sorting the disks into cells nearly.",
        PAPER_MINUTES[0],
        PAPER_MINUTES[1],
        PAPER_MINUTES[0] / PAPER_MINUTES[1]
    ));
    Ok(())
}

fn times(all: &[Simulated]) -> String {
    let header = [
        "levels",
        "L",
        "tests",
        "cells",
        "detection, ns",
        "forces, ns",
        "whole, ns",
        "minutes",
        "one level over this",
    ];
    let slowest = all.first().map_or(f64::NAN, |one| one.run.seconds);
    let cells = |simulated: &Simulated| {
        let run = &simulated.run;
        let shared = |total: f64| significant(simulated.per_disk_and_step(total));
        vec![
            simulated.name.clone(),
            simulated.levels.to_string(),
            shared(run.counts.pair_tests as f64),
            shared(run.counts.cell_accesses as f64),
            shared(1e9 * run.detection_seconds),
            shared(1e9 * run.force_seconds),
            shared(1e9 * run.seconds),
            significant(simulated.minutes()),
            significant(slowest / run.seconds),
        ]
    };
    table(&header, all.iter().map(cells))
}

/// Simulates disks with one level, and with the best levels, Top-Down and Bottom-Up: for K of the paper, then for the measured K.
pub fn simulated(disks: usize, packing_fraction: f64) -> Outcome<Vec<Simulated>> {
    let (exponent, size_ratio) = LAW;
    let law = SizeDistribution::PowerLaw(PowerLaw::new(exponent, 2.0, 2.0 * size_ratio)?);
    let radii = law.sample_number(disks, Sampling::Stratified, 0).radii();
    let start = random_start(&radii, packing_fraction, Dimension::Two, Boundary::Wall, 1)?;
    let largest = radii.iter().copied().fold(0.0, f64::max);
    let mut all = vec![fastest(
        "one".to_owned(),
        &start,
        HGridSearch::TopDown,
        &[2.0 * largest],
    )?];
    let measured = measure_overhead().map(|overhead| overhead.factor());
    for overhead in [Some(OVERHEAD), measured].into_iter().flatten() {
        for (name, direction, search) in [
            ("Top-Down", HGridSearch::TopDown, Search::TopDown),
            ("Bottom-Up", HGridSearch::BottomUp, Search::BottomUp),
        ] {
            let sizes =
                best_cell_sizes(&radii, packing_fraction, Dimension::Two, overhead, search)?;
            let name = format!("best {name}, K = {overhead:.2}");
            all.push(fastest(name, &start, direction, &sizes)?);
        }
    }
    Ok(all)
}

/// Runs a simulation several times, and returns the fastest.
fn fastest(
    name: String,
    (disks, container): &(Spheres, Container),
    direction: HGridSearch,
    sizes: &[f64],
) -> Outcome<Simulated> {
    eprintln!("{} soft disks, {name}", disks.len());
    let options = SoftSphereOptions {
        restitution: RESTITUTION,
        ..SoftSphereOptions::default()
    };
    let mut grid = SortedHGrid::new(sizes.to_vec(), direction)?.in_container(container.clone());
    let mut best: Option<SoftSphereRun> = None;
    for _ in 0..REPEATS {
        let mut simulation = SoftSpheres::new(disks.clone(), container.clone(), &options)?;
        let run = simulation.run(STEPS, &mut grid);
        if best.is_none_or(|best| run.seconds < best.seconds) {
            best = Some(run);
        }
    }
    Ok(Simulated {
        name,
        levels: sizes.len(),
        run: best.ok_or("no simulation was run")?,
        disks: disks.len(),
    })
}
