//! Schiava D'Albano et al., comparison of the contact detection algorithms MR, MR-S, NBS and BBTS.

use std::cell::Cell;

use jostle::{
    glam::DVec3,
    laboratory::{
        broad_phase::BroadPhaseKind::{self, Bbts, Mr, MrS, Nbs},
        compare::{
            Arrangement, CYCLES, Case, Experiment, LinkedPaths, Measurement, Steps, first_snapshot,
            growth_exponent, published_random,
        },
    },
};

use super::{
    contact_experiments,
    row::Row,
    statement::{checked, out_of_reach},
};
use crate::{
    comparison::{
        broad_phases::{SEED, measure_cases},
        steps,
    },
    outcome::Outcome,
};

/// The algorithms of the paper.
pub const ALGORITHMS: [BroadPhaseKind; 4] = [Nbs, Mr, MrS, Bbts];

/// Numbers of spheres of experiments I and III; docs/reports/comparison.md has up to ten million.
pub const NUMBERS: [usize; 5] = [1_000, 3_162, 10_000, 31_623, 100_000];

/// Returns a row for each figure, table, numbered equation and claim.
pub fn rows() -> Outcome<Vec<Row>> {
    let lattice = measure_cases(Experiment::I.cases(&NUMBERS, SEED), &ALGORITHMS)?;
    let random = measure_cases(Experiment::Iii.cases(&NUMBERS, SEED), &ALGORITHMS)?;
    let mut rows = beyond_spheres();
    rows.extend(growth_rows(&lattice, &random));
    rows.extend(list_rows(&random)?);
    rows.extend(position_rows()?);
    rows.extend(step_rows()?);
    rows.extend(path_rows()?);
    rows.extend(contact_experiments::rows(&lattice, &random)?);
    Ok(rows)
}

/// What jostle does not do.
fn beyond_spheres() -> Vec<Row> {
    vec![
        out_of_reach(
            (
                "Section 1",
                "contact detection can take over 60 % of the time of a simulation",
            ),
            "these rows time contact detection alone",
        ),
        out_of_reach(
            (
                "Eq. 1, Fig. 1",
                "equation of motion of finite elements; collapse of a slope",
            ),
            "jostle has neither elements nor joints",
        ),
        out_of_reach(
            (
                "Table 4",
                "MR and BBTS are object-oriented C++, NBS is C, MR-S is C or C++",
            ),
            "all algorithms are written in Rust here; MR has one object for each sphere, as in the paper, and MR-S arrays",
        ),
    ]
}

/// Returns the exponent of a count over the number of spheres.
pub fn exponent(
    rows: &[Measurement],
    algorithm: BroadPhaseKind,
    count: impl Fn(&Measurement) -> f64,
) -> f64 {
    let points: Vec<(f64, f64)> = (rows.iter())
        .filter(|row| row.algorithm == algorithm)
        .map(|row| (row.case.spheres as f64, count(row)))
        .collect();
    growth_exponent(&points).unwrap_or(f64::NAN)
}

/// Returns the smallest and the largest value of a count over a law, as their ratio.
fn spread(
    rows: &[Measurement],
    algorithm: BroadPhaseKind,
    count: impl Fn(&Measurement) -> f64,
    law: impl Fn(f64) -> f64,
) -> f64 {
    let values = rows.iter().filter(|row| row.algorithm == algorithm);
    let values = values.map(|row| count(row) / law(row.case.spheres as f64));
    let [low, high] = values.fold([f64::MAX, 0.0_f64], |[low, high], value| {
        [low.min(value), high.max(value)]
    });
    high / low
}

/// Eqs. 2 to 7: orders of growth, by counts.
fn growth_rows(lattice: &[Measurement], random: &[Measurement]) -> Vec<Row> {
    let comparisons = |row: &Measurement| row.comparisons as f64;
    let logarithmic = spread(random, Bbts, comparisons, |n| n * n.ln());
    let linear = spread(random, Bbts, comparisons, |n| n);
    let mut rows = vec![checked(
        (
            "Eqs. 2 and 3",
            "BBTS: one search takes log N, all take N log N",
        ),
        "N log N",
        format!(
            "comparisons over N log N vary by {:.0} %, over N by {:.0} %",
            100.0 * (logarithmic - 1.0),
            100.0 * (linear - 1.0)
        ),
        logarithmic < 1.15 && linear > 1.35,
        "comparisons of cells in the tree, Experiment III, N = 1000 to 100 000",
    )];
    let operations = |row: &Measurement| row.operations() as f64;
    for (item, statement, algorithms) in [
        ("Eqs. 4 and 5", "NBS takes N", &[Nbs][..]),
        ("Eqs. 4 and 6", "MR takes N", &[Mr]),
        ("Section 8", "MR-S takes N too", &[MrS]),
    ] {
        let exponents = [lattice, random].map(|rows| exponent(rows, algorithms[0], operations));
        rows.push(checked(
            (item, statement),
            "N^1",
            format!("N^{:.2}, N^{:.2}", exponents[0], exponents[1]),
            exponents.iter().all(|p| (p - 1.0).abs() < 0.1),
            "tests and opened cells, Experiments I and III, N = 1000 to 100 000",
        ));
    }
    let numbers = [1_000, 10_000, 100_000, 1_000_000];
    let sorting: Vec<f64> = (numbers.iter())
        .map(|&n| comparisons_of_sort(n) / (n as f64 * (n as f64).log2()))
        .collect();
    let [low, high] = sorting.iter().fold([f64::MAX, 0.0_f64], |[low, high], &x| {
        [low.min(x), high.max(x)]
    });
    rows.push(checked(
        ("Eq. 7", "quick sort takes N log₂ N"),
        "N log₂ N",
        format!("{low:.2} to {high:.2} N log₂ N comparisons"),
        high < 1.3 * low,
        "the unstable sort of the standard library, as MR and MR-S use it, N = 1000 to 10⁶",
    ));
    rows
}

/// Returns the number of comparisons with which numbers in random order are sorted.
fn comparisons_of_sort(count: usize) -> f64 {
    // Multiplication by an odd number permutes the numbers below a power of two.
    let mut numbers: Vec<u64> = (0..count as u64)
        .map(|i| i.wrapping_mul(0x9E37_79B9_7F4A_7C15))
        .collect();
    let comparisons = Cell::new(0_u64);
    numbers.sort_unstable_by(|a, b| {
        comparisons.set(comparisons.get() + 1);
        a.cmp(b)
    });
    comparisons.get() as f64
}

/// Eqs. 8 to 11 and Figs. 2 to 11: data structures.
#[expect(clippy::too_many_lines, reason = "rows of a table")]
fn list_rows(random: &[Measurement]) -> Outcome<Vec<Row>> {
    let last = |algorithm| {
        let mut rows = random.iter().rev();
        rows.find(|row| row.algorithm == algorithm)
            .ok_or("an algorithm was not measured")
    };
    let [nbs, mr, mr_s] = [last(Nbs)?, last(Mr)?, last(MrS)?];
    let still = |experiment: Experiment| -> Outcome<Measurement> {
        let case = experiment.cases(&[1_000], SEED).pop();
        let case = Case {
            steps: Steps::Published,
            ..case.ok_or("the experiment has no case")?
        };
        Ok(measure_cases(vec![case], &[Nbs])?.remove(0))
    };
    let [block, sparse] = [still(Experiment::I)?, still(Experiment::Ii)?];
    let tests = block.pair_tests / CYCLES as u64;
    // 28 = 3 · 10 − 2 is the number of pairs of equal or adjacent cells along an axis.
    let expected = (28_u64.pow(3) - 1_000) / 2;
    let cells = sparse.per_sphere_and_cycle(sparse.cell_accesses as f64);
    let reduction = 1.0 - mr_s.bytes_per_sphere / mr.bytes_per_sphere;
    let tested =
        "tests beside the code and tests/integration/broad_phase.rs check it against brute force";
    Ok(vec![
        checked(
            (
                "Fig. 2",
                "NBS: lists of layers, rows and cells, with half of the contact mask",
            ),
            "14 cells in three dimensions",
            format!("{cells:.1} cells"),
            (cells - 14.0).abs() < 1e-9,
            format!(
                "cells for each cell that is not empty, among 1000 spheres at spacing 200; {tested}"
            ),
        ),
        checked(
            (
                "Eq. 8",
                "integer coordinates ⌊(x − x_min)/d⌋: each element of the block of 10³ has a cell of its own",
            ),
            format!("{expected} pairs in equal or adjacent cells"),
            format!("{tests} pairs tested"),
            tests == expected,
            "cells of jostle begin half a diameter before the first center, so that the points of a lattice do not lie on faces, and are larger by two millionths, to cover rounding",
        ),
        checked(
            (
                "Eq. 9, Figs. 3 to 7",
                "MR: a closed, doubly linked list sorted by z, y, x, which MR-Sort restores after each step",
            ),
            "the pairs of NBS",
            format!("{} pairs, NBS {}", mr.pairs, nbs.pairs),
            mr.pairs == nbs.pairs,
            format!(
                "MR-Sort merges lanes of elements with equal steps. Swaps of neighbors lead to the same list, but a sphere that steps to the next layer would pass N^(2/3) others. {tested}"
            ),
        ),
        Row::compared(
            "Eq. 10",
            "bytes of MR per element, with a number in place of the pointer",
            26.0,
            mr.bytes_per_sphere,
            0.01,
            "coordinates of 4 bytes, not 2, and links of 4 bytes, not 8",
        ),
        Row::compared(
            "Eq. 11, Figs. 8 to 11",
            "bytes of MR-S per element, with a number in place of the pointer",
            14.0,
            mr_s.bytes_per_sphere,
            0.01,
            "coordinates of 4 bytes, not 2, because those of a sparse system exceed 2 bytes",
        ),
        Row::compared(
            "Section 6",
            "MR-S takes less memory than MR by this percentage",
            40.0,
            100.0 * reduction,
            0.1,
            "the paper counts pointers of 8 bytes; here the backward link is saved, and all links have 4 bytes",
        ),
    ])
}

/// Eqs. 12 and 18 to 25, Figs. 12, 15 and 18: positions.
fn position_rows() -> Outcome<Vec<Row>> {
    let block = first_snapshot(&Experiment::I.cases(&[1_000], SEED)[0])?;
    let order = [0, 1, 10, 100].map(|i| block.centers()[i]);
    let cases = Experiment::Ii.cases(&[1_000], SEED);
    let last = first_snapshot(&cases[cases.len() - 1])?;
    let densities = [0, cases.len() - 1].map(|i| cases[i].spacing.powi(3));
    let random = first_snapshot(&Experiment::Iii.cases(&[1_000], SEED)[0])?;
    let largest = random.centers().iter().fold(DVec3::ZERO, |a, &b| a.max(b));
    let axes = [DVec3::ZERO, DVec3::Z, DVec3::Y, DVec3::X];
    Ok(vec![
        checked(
            (
                "Eq. 12, Fig. 12",
                "Experiment I: a block at a spacing of one diameter, z first",
            ),
            "z, y, x",
            format!(
                "elements 0, 1, 10, 100 of 1000 at {}",
                order.map(|center| center.to_string()).join(", ")
            ),
            order == axes,
            "",
        ),
        checked(
            (
                "Eq. 18, Fig. 15",
                "Experiment II: the block at spacing s, in the same order",
            ),
            "z, y, x",
            format!("element 1 at {} for s = 200", last.centers()[1]),
            last.centers()[1] == 200.0 * DVec3::Z,
            "",
        ),
        checked(
            ("Eqs. 19 and 20", "density 1/s³, from 1 to 1/8 000 000"),
            "1 to 1/8000000",
            format!("{} to 1/{}", densities[0], densities[1]),
            densities == [1.0, 8e6],
            "",
        ),
        checked(
            (
                "Eqs. 21 to 25, Fig. 18",
                "Experiment III: random positions in a cube of side 3 j for j³ elements",
            ),
            "integers below 30 for j = 10",
            format!("real numbers, the largest {:.2}", largest.max_element()),
            largest.max_element() < 30.0,
            "the generator has one seed for all three axes",
        ),
        checked(
            (
                "Algorithm 1",
                "one random integer for each of the three coordinates",
            ),
            "x, y, y",
            format!("largest x, y, z: {largest:.1}"),
            false,
            "a misprint of the paper: line 7 sets y a second time",
        ),
    ])
}

/// Eqs. 13 to 16: random steps.
fn step_rows() -> Outcome<Vec<Row>> {
    let pairs = |steps: Steps| -> Outcome<[u64; 2]> {
        let case = Case {
            steps,
            ..Experiment::Iii.cases(&[10_000], SEED)[0]
        };
        let mut first = 0;
        Nbs.build(&[])?
            .detect(&first_snapshot(&case)?, &mut |_, _| first += 1);
        let rows = steps::measure(Experiment::Iii, 10_000, steps)?;
        Ok([10 * first, rows[0].pairs])
    };
    let [still, published] = pairs(Steps::Published)?;
    let [_, rounded] = pairs(Steps::Rounded)?;
    let [_, ours] = pairs(Steps::Random)?;
    let detail = "docs/reports/comparison.md, Random steps";
    let numbers: Vec<f64> = (1..=10_000).map(|i| published_random(-i)).collect();
    let [low, high] = numbers.iter().fold([f64::MAX, 0.0_f64], |[low, high], &x| {
        [low.min(x), high.max(x)]
    });
    Ok(vec![
        checked(
            (
                "Eqs. 13 to 15",
                "the random number of a step belongs to the coordinate and the cycle",
            ),
            "between 0 and 1, exclusive",
            format!(
                "{:.7} for the seed −1; from {low:.5} to {high:.5} for 10 000 seeds",
                numbers[0]
            ),
            0.0 < low && high < 1.0,
            format!(
                "the generator ran2 with the seeds of the paper, for the steps `published` and `rounded`; {detail}"
            ),
        ),
        checked(
            ("Eq. 16", "an element moves by (int) α, where 0 < α < 1"),
            "elements move",
            format!(
                "{published} pairs in ten cycles, 10 × {} in the first",
                still / 10
            ),
            published != still,
            format!(
                "as printed, (int) α is 0 and no element moves. With α rounded there are {rounded} pairs, with steps of jostle {ours}; {detail}"
            ),
        ),
        checked(
            ("Section 8", "the largest displacement in 10 steps is 8"),
            "8",
            format!("{} with α rounded", CYCLES - 1),
            CYCLES - 1 == 8,
            "as many moves of at most 1 lie between the detections; as printed, no element moves",
        ),
    ])
}

/// Tables 1 and 2, Figs. 22 and 23: two paths through an array.
fn path_rows() -> Outcome<Vec<Row>> {
    let row = |item, statement, arrangement, expected: [Vec<usize>; 2]| -> Outcome<Row> {
        let paths = LinkedPaths::new(arrangement, 8)?;
        let found = [0, 1].map(|which| paths.path(which).collect::<Vec<_>>());
        Ok(checked(
            (item, statement),
            format!("{expected:?}"),
            format!("{found:?}"),
            found == expected,
            "",
        ))
    };
    Ok(vec![
        row(
            "Table 1, Fig. 22",
            "Case A: positions of the two paths",
            Arrangement::A,
            [vec![0, 1, 2, 3], vec![4, 5, 6, 7]],
        )?,
        row(
            "Table 2, Fig. 23",
            "Case B: positions of the two paths",
            Arrangement::B,
            [vec![0, 2, 4, 6], vec![1, 3, 5, 7]],
        )?,
    ])
}
