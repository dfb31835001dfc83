//! Krijgsman, Ogarko & Luding 2014 in the plane: counts of the hierarchical grid for disks, and the simulation of Section 5.4.2.

use jostle::{
    Container, Spheres,
    glam::DVec3,
    laboratory::{
        broad_phase::{BroadPhase, HGridSearch, OperationCounts, SortedHGrid},
        compare::whole_cells,
    },
    tuning::{CostModel, Dimension, Plan, PlanOptions, RadiusLaw, Search, plan},
};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

use super::row::{Row, Verdict};
use crate::{
    comparison::soft_spheres::{DISKS, GAS, LAW, OVERHEAD, PAPER_MINUTES, simulated},
    outcome::Outcome,
};

/// Cell sizes of the best levels in Section 5.4.2.
const PAPER_SIZES: [f64; 5] = [4.0, 7.9, 15.1, 27.2, 40.0];

/// Number of disks at random positions. More disks deviate less from the model.
const RANDOM_DISKS: usize = 50_000;

/// Returns the rows of Section 5.4.2 and of the statements on two dimensions.
pub fn rows() -> Outcome<Vec<Row>> {
    let mut rows = figure_1()?;
    rows.extend(counts_and_model()?);
    rows.extend(best_levels()?);
    rows.extend(simulation()?);
    Ok(rows)
}

/// Detects the contacts of disks in a periodic square.
fn counts(
    disks: &Spheres,
    side: f64,
    sizes: &[f64],
    direction: HGridSearch,
) -> Outcome<OperationCounts> {
    let container = Container::cuboid(DVec3::new(side, side, 1.0), "ppw".parse()?)?;
    let mut grid = SortedHGrid::new(sizes.to_vec(), direction)?.in_container(container);
    Ok(grid.detect(disks, &mut |_, _| {}))
}

/// Counts the cells that the disks of Fig. 1 open on the other level.
fn figure_1() -> Outcome<Vec<Row>> {
    let disks = Spheres::new(
        vec![DVec3::new(10.3, 14.4, 0.0), DVec3::new(13.6, 13.9, 0.0)],
        vec![4.0, 1.5],
    );
    // Whole cells fill the square: 8 small ones and 3 large ones, wider by a 24 000th than in the figure.
    let crossed = |direction| -> Outcome<f64> {
        let opened = counts(&disks, 24.001, &[3.0, 8.0], direction)?.cell_accesses;
        Ok(opened as f64 - own_cells()? * disks.len() as f64)
    };
    Ok(vec![
        Row::compared(
            "Section 3.1",
            "neighbor cells of a disk on its own level, n_c = 4",
            4.0,
            own_cells()? - 1.0,
            0.0,
            "counted for equal disks in a periodic square",
        ),
        Row::compared(
            "Fig. 1, top",
            "cells (1, 3) to (5, 6) of the finer level that disk B opens, Top-Down",
            20.0,
            crossed(HGridSearch::TopDown)?,
            0.0,
            "by Eq. 4 the search box begins at y = 14.4 − 5.5 = 8.9, in row 2 of the cells of size 3; the figure begins with row 3",
        ),
        Row::compared(
            "Fig. 1, bottom",
            "cells (1, 1) to (2, 2) of the coarser level that disk C opens, Bottom-Up",
            4.0,
            crossed(HGridSearch::BottomUp)?,
            0.0,
            "C lies in the right half of its cell; the paper does not print its position",
        ),
    ])
}

/// Returns the number of cells that a disk opens on its own level, from the counts of equal disks.
fn own_cells() -> Outcome<f64> {
    let disks = random_disks(&[1.0; 1000], 100.0);
    let opened = counts(&disks, 100.0, &[2.0], HGridSearch::TopDown)?.cell_accesses;
    Ok(opened as f64 / disks.len() as f64)
}

fn random_disks(radii: &[f64], side: f64) -> Spheres {
    let mut rng = Pcg64::seed_from_u64(1);
    let mut along = || side * rng.random::<f64>();
    let centers = radii.iter().map(|_| DVec3::new(along(), along(), 0.0));
    Spheres::new(centers.collect(), radii.to_vec())
}

/// Compares the counts for disks at random positions with the model, at the best sizes of both searches.
fn counts_and_model() -> Outcome<Vec<Row>> {
    let (_, size_ratio) = LAW;
    let radii: Vec<f64> = (0..RANDOM_DISKS)
        .map(|i| (i as f64 + 0.5) / RANDOM_DISKS as f64)
        .map(|share| (1.0 - share * (1.0 - size_ratio.powi(-2))).powf(-0.5))
        .collect();
    let filled: f64 = radii.iter().map(|r| std::f64::consts::PI * r * r).sum();
    let side = (filled / GAS).sqrt();
    let disks = random_disks(&radii, side);
    let law = RadiusLaw::from_radii(&radii)?;
    let model = CostModel::new(&law, Dimension::Two, GAS, OVERHEAD)?;
    let mut rows = Vec::new();
    for (statement, direction, search) in [
        (
            "work T of disks at random positions, Top-Down, and its model for d = 2",
            HGridSearch::TopDown,
            Search::TopDown,
        ),
        (
            "work T of disks at random positions, Bottom-Up, and its model for d = 2",
            HGridSearch::BottomUp,
            Search::BottomUp,
        ),
    ] {
        let best = jostle::tuning::optimal(&model, search);
        let in_radii = whole_cells(side / law.smallest_radius(), &best);
        // Rounding must not leave the largest disk without a level.
        let sizes: Vec<f64> = (in_radii.iter())
            .map(|size| size * law.smallest_radius() * (1.0 + 1e-12))
            .collect();
        let counted = counts(&disks, side, &sizes, direction)?;
        let total = counted.pair_tests as f64 + OVERHEAD * counted.cell_accesses as f64;
        rows.push(Row::compared(
            "Eqs. 16–27, d = 2",
            statement,
            model.work(&in_radii, search)?,
            total / RANDOM_DISKS as f64,
            0.02,
            "the left value is that of the model",
        ));
    }
    Ok(rows)
}

fn best_plan(search: Search) -> Outcome<Plan> {
    let (exponent, size_ratio) = LAW;
    let options = PlanOptions::default()
        .dimension(Dimension::Two)
        .packing_fraction(GAS)
        .overhead(OVERHEAD)
        .search(search);
    Ok(plan(
        &RadiusLaw::power_law(exponent, size_ratio)?,
        &options,
    )?)
}

fn best_levels() -> Outcome<Vec<Row>> {
    let [down, up] = [best_plan(Search::TopDown)?, best_plan(Search::BottomUp)?];
    let is_near = |(size, paper): (&f64, f64)| (size / paper - 1.0).abs() < 0.02;
    let has_paper_sizes =
        down.levels == PAPER_SIZES.len() && down.cell_sizes.iter().zip(PAPER_SIZES).all(is_near);
    Ok(vec![
        Row {
            item: "Section 5.4.2",
            statement: "best cell sizes in smallest radii: ω = 20, α = −3, ν = 0.4, d = 2",
            theirs: joined(&PAPER_SIZES),
            ours: joined(&down.cell_sizes),
            verdict: Verdict::of(has_paper_sizes),
            reason: "within 2 %".to_owned(),
        },
        Row {
            item: "Section 5.4.2",
            statement: "Top-Down is the better search for these disks",
            theirs: "Top-Down".to_owned(),
            ours: format!("T = {:.2} Top-Down, {:.2} Bottom-Up", down.work, up.work),
            verdict: Verdict::of(down.work < up.work),
            reason: String::new(),
        },
        Row::compared(
            "Section 5.4.2",
            "work on one level over work on the best levels, by the model",
            35.0,
            down.speedup,
            0.02,
            "",
        ),
    ])
}

fn joined(sizes: &[f64]) -> String {
    let sizes: Vec<String> = sizes.iter().map(|size| format!("{size:.1}")).collect();
    sizes.join(", ")
}

/// Simulates the disks of the paper with one level and with the best levels.
fn simulation() -> Outcome<Vec<Row>> {
    let all = simulated(DISKS, GAS)?;
    let [one, best, ..] = &all[..] else {
        return Err("a simulation is missing".into());
    };
    let shares = [one, best].map(|all| 100.0 * all.run.detection_seconds / all.run.seconds);
    let work = one.work() / best.work();
    let detection = one.run.detection_seconds / best.run.detection_seconds;
    let whole = one.run.seconds / best.run.seconds;
    let test = one.per_disk_and_step(1e9 * one.run.detection_seconds)
        / one.per_disk_and_step(one.run.counts.pair_tests as f64);
    let [slow, fast] = PAPER_MINUTES;
    Ok(vec![
        Row::compared(
            "Section 5.4.2",
            "work on one level over work on the best levels, counted in a simulation",
            35.0,
            work,
            0.2,
            "one level loses pairs at the walls: its cells are few; disks exclude each other",
        ),
        Row::compared(
            "Section 5.4.2",
            "whole time with one level over whole time with the best levels",
            slow / fast,
            whole,
            0.2,
            format!(
                "{} steps instead of 250 000. Contact detection takes {:.0} % of the whole time with one level and {:.0} % with the best \
                 levels, and is {detection:.1} times faster with the best levels. With one level, all of it takes {test:.1} ns for each distance \
                 test, while forces and integration take the same time for all levels, and sorting the disks nearly; \
                 [comparison.md](comparison.md) has the times of all parts",
                one.run.steps, shares[0], shares[1]
            ),
        ),
        Row {
            item: "Section 5.4.2",
            statement: "whole time in minutes with one level and with the best levels",
            theirs: format!("{slow}, {fast}"),
            ours: format!("{:.1}, {:.1}", one.minutes(), best.minutes()),
            verdict: Verdict::Deviates,
            reason: "another machine and program: compare the ratio".to_owned(),
        },
        Row {
            item: "Section 5.4.2",
            statement: "the whole gains less than contact detection is predicted to gain, but still much",
            theirs: format!("{:.1} instead of 35", slow / fast),
            ours: format!("{whole:.1} instead of {work:.1}"),
            verdict: Verdict::of(1.5 < whole && whole < work),
            reason: String::new(),
        },
    ])
}
