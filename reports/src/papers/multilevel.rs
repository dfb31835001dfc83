//! Ogarko & Luding 2012, A fast multilevel algorithm for contact detection of arbitrarily polydisperse objects.

use jostle::{
    Boundaries, Container, Spheres,
    distribution::{Bidisperse, Sampling, SizeDistribution},
    glam::DVec3,
    laboratory::{
        broad_phase::{BroadPhase, HGridSearch, OperationCounts, SortedHGrid},
        compare::{Experiment, first_snapshot, measure_overhead},
    },
    total_volume,
    tuning::{CostModel, Dimension, PlanOptions, RadiusLaw, Search, optimal, plan, recipe},
};

use super::{
    multilevel_times,
    row::Row,
    statement::{checked, out_of_reach},
};
use crate::{
    numbers::signed,
    outcome::Outcome,
    tuning::{
        scene::radii,
        times::{PAPER_OVERHEAD, SPHERES},
    },
};

/// Returns a row for each figure, table, numbered equation and claim.
pub fn rows() -> Outcome<Vec<Row>> {
    let mut rows = grid_rows()?;
    rows.extend(pair_rows()?);
    rows.extend(parameter_rows()?);
    rows.extend(multilevel_times::rows()?);
    rows.extend([
        out_of_reach(
            ("Section 2.3", "other shapes by bounding spheres; parallel search"),
            "jostle packs spheres; its search for contacts of one snapshot has one thread",
        ),
        out_of_reach(
            ("Section 4.2", "systems from an event-driven growth, then relaxed as soft spheres"),
            "jostle packs by rearrangement to the same packing fractions; docs/reports/tuning.md, Difference between packings and the model",
        ),
        out_of_reach(
            ("Fig. 3 (a)", "equal particles are ordered near walls"),
            "the cubes of these rows are periodic; docs/reports/walls.md measures layers at walls",
        ),
    ]);
    Ok(rows)
}

/// Returns the counts of the search of Fig. 1, extended by a third axis on which particle B searches four cells.
fn figure_1() -> Outcome<OperationCounts> {
    let container = Container::cuboid(DVec3::splat(24.001), Boundaries::PERIODIC)?;
    let spheres = Spheres::new(
        vec![DVec3::new(10.3, 14.4, 12.0), DVec3::new(13.0, 7.5, 12.0)],
        vec![4.0, 1.5],
    );
    let grid = SortedHGrid::new(vec![3.0, 8.0], HGridSearch::TopDown)?;
    Ok(grid
        .in_container(container)
        .detect(&spheres, &mut |_, _| ()))
}

/// Eqs. 1 to 5, Figs. 1 and 2, and the number of cells that are searched.
#[expect(clippy::too_many_lines, reason = "rows of a table")]
fn grid_rows() -> Outcome<Vec<Row>> {
    let counts = figure_1()?;
    // Each of the two spheres opens 14 cells on its own level, and B four cells along the third axis.
    let searched = (counts.cell_accesses - 28) / 4;
    let cells = [10.3_f64 / 8.0, 14.4 / 8.0].map(f64::floor);
    let by_equation = |center: f64| {
        let [low, high] = [-5.5, 5.5].map(|reach| ((center + reach) / 3.0).floor());
        (low, high)
    };
    let ((x_low, x_high), (y_low, y_high)) = (by_equation(10.3), by_equation(14.4));
    let predicted = (x_high - x_low + 1.0) * (y_high - y_low + 1.0);
    let equal = first_snapshot(&Experiment::I.cases(&[27_000], 1)[0])?;
    let per_sphere = SortedHGrid::new(vec![1.0], HGridSearch::TopDown)?
        .detect(&equal, &mut |_, _| ())
        .cell_accesses as f64
        / equal.len() as f64;
    Ok(vec![
        checked(
            ("Eqs. 1 and 2", "cell of particle B of Fig. 1 on level 2"),
            "(1, 1)",
            format!("({}, {})", cells[0], cells[1]),
            cells == [1.0, 1.0],
            "the grid of jostle starts at the corner of a periodic container",
        ),
        checked(
            (
                "Eq. 3",
                "lowest level whose cells are at least as large as the diameter",
            ),
            "A on level 1, B on level 2",
            format!("{} pair tested between the levels", counts.pair_tests),
            counts.pair_tests == 1,
            "tests/integration/broad_phase.rs compares all pairs with brute force",
        ),
        checked(
            (
                "Eqs. 4 and 5",
                "cells that B searches on level 1, by the equations",
            ),
            format!("{predicted}"),
            format!("{searched}"),
            searched as f64 == predicted,
            "columns and rows are those of the equations",
        ),
        checked(
            (
                "Fig. 1",
                "B searches the cells from (1, 3) to (5, 6), and A is outside",
            ),
            "(1, 3) to (5, 6): 20 cells",
            format!("({x_low}, {y_low}) to ({x_high}, {y_high}): {searched} cells"),
            searched == 20,
            "a misprint of the paper: by its own Eq. 4 the first row is ⌊(14.4 − 5.5)/3⌋ = 2. The figure needs a center above 14.5",
        ),
        checked(
            (
                "Fig. 2",
                "vectors of length α = r_B + s_1/2 along each axis lead to the first and the last cell",
            ),
            format!("{predicted} cells"),
            format!("{searched} cells"),
            searched as f64 == predicted,
            "the figure draws the cells of Fig. 1; by its vectors they are those of Eq. 4",
        ),
        checked(
            (
                "Section 2.2",
                "a particle searches its cell and half of the 26 cells around",
            ),
            "14",
            format!("{per_sphere:.2}"),
            (per_sphere - 14.0).abs() < 1.5,
            "cells per sphere in a cubic block of 27 000 spheres; cells beyond its faces do not exist",
        ),
    ])
}

/// Footnote 2, and the memory of the cells.
fn pair_rows() -> Outcome<Vec<Row>> {
    let touching = |distance: f64| -> Outcome<usize> {
        let pair = Spheres::new(
            vec![DVec3::ZERO, DVec3::new(distance, 0.0, 0.0)],
            vec![1.0, 0.5],
        );
        let mut found = 0;
        SortedHGrid::new(vec![2.0], HGridSearch::TopDown)?.detect(&pair, &mut |_, _| found += 1);
        Ok(found)
    };
    let [at, below] = [touching(1.5)?, touching(1.5_f64.next_down())?];
    let bytes = |spacing: f64| -> Outcome<f64> {
        let mut cases = Experiment::Ii.cases(&[50_000], 1);
        cases.retain(|case| case.spacing == spacing);
        let spheres = first_snapshot(&cases[0])?;
        let mut grid = SortedHGrid::new(vec![1.0], HGridSearch::TopDown)?;
        grid.detect(&spheres, &mut |_, _| ());
        Ok(grid.bytes() as f64 / spheres.len() as f64)
    };
    let [dense, sparse] = [bytes(1.0)?, bytes(200.0)?];
    Ok(vec![
        checked(
            (
                "Footnote 2",
                "particles collide only if the distance is below the sum of the radii",
            ),
            "0 at the sum, 1 below",
            format!("{at} at the sum, {below} below"),
            [at, below] == [0, 1],
            "",
        ),
        checked(
            (
                "Section 2.3",
                "a hash table keeps the memory of the cells from growing with the volume",
            ),
            "no growth",
            format!("{dense:.0} bytes per sphere, {sparse:.0} with 8 000 000 times the volume"),
            sparse < 1.5 * dense,
            "",
        ),
    ])
}

/// Hypothesis 1, Eqs. 6 and 7, Appendix A, and the distributions of Section 4.1.
#[expect(clippy::too_many_lines, reason = "rows of a table")]
fn parameter_rows() -> Outcome<Vec<Row>> {
    let volume = RadiusLaw::from_radii(&radii(-3.0, 50.0, SPHERES)?)?;
    let model = CostModel::new(&volume, Dimension::Three, 0.62, PAPER_OVERHEAD)?;
    let sizes = recipe(&model, 50)?;
    let least = model.work(&optimal(&model, Search::TopDown), Search::TopDown)?;
    let excess = 100.0 * (model.work(&sizes, Search::TopDown)? / least - 1.0);
    let filling: Vec<f64> = (model.levels(&sizes, Search::TopDown)?.iter())
        .map(|level| level.particles_per_cell)
        .collect();
    let [low, high] = filling.iter().fold([f64::MAX, 0.0_f64], |[low, high], &m| {
        [low.min(m), high.max(m)]
    });
    let variation = 50.0 * (high - low) / low;
    let measured = measure_overhead();
    let overhead = measured.map_or(f64::NAN, |overhead| overhead.factor());
    let gain = |ratio: f64| -> Outcome<f64> {
        let law = RadiusLaw::from_radii(&radii(-3.0, ratio, SPHERES)?)?;
        let options = PlanOptions::default()
            .packing_fraction(0.62)
            .overhead(PAPER_OVERHEAD);
        let plan = plan(&law, &options)?;
        Ok(plan.work_single_level / plan.work)
    };
    let [at_50, at_100] = [gain(50.0)?, gain(100.0)?];
    let law = SizeDistribution::Bidisperse(Bidisperse::new(2.0, 20.0, 0.5)?);
    let two = law.sample_number(SPHERES, Sampling::Stratified, 0).radii();
    let (small, large): (Vec<f64>, Vec<f64>) = two.iter().partition(|&&radius| radius < 5.0);
    let ratio = total_volume(&small) / total_volume(&large);
    Ok(vec![
        Row::compared(
            "Section 3.2",
            "optimal number of levels by Eq. 7 for uniform volume, ω = 50",
            7.0,
            sizes.len() as f64,
            0.0,
            "N = 125 001, ν = 0.62, K = 0.3",
        ),
        checked(
            (
                "Hypothesis 1, Eq. 6",
                "the same number of particles per cell on all levels is optimal",
            ),
            "optimal",
            format!("{excess:.1} % more work than the optimal sizes"),
            excess < 1.0,
            "the sizes of least work (2014, Section 5.2.4) fill the levels differently; the model counts the work of both",
        ),
        checked(
            ("Eq. 7", "the time is proportional to N L (m + K)"),
            "L = 7",
            format!(
                "L = {} has the least L (m + K), L = {} the least T",
                sizes.len(),
                optimal(&model, Search::TopDown).len()
            ),
            excess < 15.0,
            "the minimum is flat; docs/reports/tuning.md, Time against the number of levels",
        ),
        checked(
            ("Section 3.2", "K is in the range from 0.2 to 0.45"),
            "0.2 to 0.45",
            format!("{overhead:.2}"),
            (0.2..=0.45).contains(&overhead),
            "fitted to times on this machine. The spheres of a cell are stored in a row here, so that a test takes few nanoseconds; an access to a cell still waits for memory",
        ),
        checked(
            (
                "Eq. A.1, Appendix A",
                "the number of particles per cell varies by about ±2 % over 7 levels",
            ),
            "±2 %",
            format!("±{variation:.2} %"),
            variation <= 2.0,
            "",
        ),
        checked(
            (
                "Section 4.1, Fig. 3 (b)",
                "small and big particles have almost the same volume",
            ),
            "±2 %",
            format!("{} %", signed(100.0 * (ratio - 1.0), 2)),
            (ratio - 1.0).abs() <= 0.02,
            "tests/integration/papers_2012.rs checks uniform size and uniform volume too",
        ),
        checked(
            ("Abstract", "the speed-up is larger for larger size ratios"),
            "larger than for ω = 50",
            format!("work {at_50:.0} times less for ω = 50, {at_100:.0} times for ω = 100"),
            at_100 > at_50,
            "work of one level over the least work, by the cost model",
        ),
    ])
}
