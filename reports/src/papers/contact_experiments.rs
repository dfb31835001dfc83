//! Rows on the measured experiments of Schiava D'Albano et al.

use jostle::laboratory::{
    broad_phase::BroadPhaseKind::{self, Bbts, Mr, MrS, Nbs},
    compare::{Experiment, Measurement, first_snapshot},
};

use super::{
    contact_detection::{ALGORITHMS, exponent},
    row::Row,
    statement::{checked, out_of_reach},
};
use crate::{
    cell_order::in_cell_order,
    comparison::{
        broad_phases::{SEED, measure_cases, measure_snapshot},
        cache_misses::Misses,
        memory_access::{both_cases, differences},
        orders::{Order, fastest_of_paper},
        sort_and_search::bbts_fits,
    },
    numbers::signed,
    outcome::Outcome,
    program,
};

/// Number of spheres of the rows with one number.
const SPHERES: usize = 100_000;

const DETAIL: &str =
    "docs/reports/comparison.md has up to ten million spheres, where the order may be another";

/// Returns the rows, from measurements of Experiments I and III.
pub fn rows(lattice: &[Measurement], random: &[Measurement]) -> Outcome<Vec<Row>> {
    let mut rows = order_rows(lattice, random)?;
    rows.extend(sort_rows(lattice, random));
    rows.extend(density_rows()?);
    rows.extend(one_cell_rows()?);
    rows.extend(memory_rows(random)?);
    rows.push(sizes_row()?);
    rows.push(out_of_reach(
        ("Section 8", "tests with up to 0.12 billion particles"),
        "docs/reports/comparison.md measures up to ten million spheres in memory, and extrapolates the fitted law to 0.12 billion",
    ));
    Ok(rows)
}

/// Returns a row on the fastest algorithm of an experiment.
fn order_row(
    (item, statement): (&'static str, &'static str),
    rows: &[Measurement],
    reason: String,
) -> Option<Row> {
    let order = Order::at_largest(rows, ALGORITHMS.len())?;
    let fastest = fastest_of_paper(order.experiment)?;
    let found = order.algorithms[0];
    // Times of MR and MR-S are "relatively similar" in the paper, which names both as the fastest in Experiment III.
    let is_list = |algorithm| [Mr, MrS].contains(&algorithm);
    Some(checked(
        (item, statement),
        format!("{fastest} fastest"),
        format!("{} (N = {})", order.names(), order.spheres),
        found == fastest || (is_list(found) && is_list(fastest)),
        reason,
    ))
}

/// Figs. 13 and 19, Table 3.
fn order_rows(lattice: &[Measurement], random: &[Measurement]) -> Outcome<Vec<Row>> {
    let reason = "times in the caches of a present processor; docs/reports/comparison.md, Cache misses, shows the reason for the order";
    let mut rows: Vec<Row> = [
        order_row(
            ("Fig. 13, Table 3", "Experiment I: NBS is the fastest"),
            lattice,
            format!("{reason}; {DETAIL}"),
        ),
        order_row(
            (
                "Fig. 19, Table 3",
                "Experiment III: MR and MR-S are the fastest",
            ),
            random,
            format!("{reason}; {DETAIL}"),
        ),
    ]
    .into_iter()
    .flatten()
    .collect();
    for (item, statement, measured) in [
        ("Fig. 13", "Experiment I: BBTS is the slowest", lattice),
        ("Fig. 19", "Experiment III: BBTS is the slowest", random),
    ] {
        if let Some(order) = Order::at_largest(measured, ALGORITHMS.len()) {
            let slowest = order.algorithms[order.algorithms.len() - 1];
            rows.push(checked(
                (item, statement),
                "bbts",
                slowest.to_string(),
                slowest == Bbts,
                format!("N = {}", order.spheres),
            ));
        }
    }
    rows.push(misses_row()?);
    Ok(rows)
}

/// The cache misses of NBS and MR-S in Experiment III.
fn misses_row() -> Outcome<Row> {
    let statement = (
        "Section 8",
        "NBS and MR differ between Experiments I and III because elements are introduced in another order in memory",
    );
    let program = program::build()?;
    let count = |experiment, algorithm| Misses::count(&program, experiment, algorithm, SPHERES);
    let mut ratios = Vec::new();
    for experiment in [Experiment::I, Experiment::Iii] {
        let (Some(nbs), Some(mr_s)) = (count(experiment, Nbs)?, count(experiment, MrS)?) else {
            return Ok(out_of_reach(
                statement,
                "valgrind, which counts cache misses, is not installed",
            ));
        };
        ratios.push(nbs.last_level / mr_s.last_level);
    }
    Ok(checked(
        statement,
        "differs",
        format!(
            "NBS misses the caches {:.2} times as often as MR-S in I, {:.2} times in III",
            ratios[0], ratios[1]
        ),
        ratios[1] > ratios[0],
        format!("valgrind --tool=cachegrind with a cache of 1 MiB, N = {SPHERES}"),
    ))
}

/// Eq. 17, Figs. 14 and 20: sort and search of BBTS.
fn sort_rows(lattice: &[Measurement], random: &[Measurement]) -> Vec<Row> {
    let mut rows = Vec::new();
    for (item, measured) in [("Eq. 17, Fig. 14", lattice), ("Eq. 17, Fig. 20", random)] {
        let fits = bbts_fits(measured);
        let texts = fits.iter().map(|fit| {
            format!(
                "{}: α = {:.2} ns, residual {:.0} % (a N: {:.0} %)",
                fit.name,
                1e9 * fit.law.coefficients[0],
                100.0 * fit.law.residual,
                100.0 * fit.linear_residual
            )
        });
        rows.push(checked(
            (item, "sort and search of BBTS follow α N log N"),
            "α N log N",
            texts.collect::<Vec<_>>().join("; "),
            !fits.is_empty()
                && fits
                    .iter()
                    .all(|fit| fit.law.residual < fit.linear_residual),
            "ten cycles, N = 1000 to 100 000; the comparisons in Eq. 3 are counted",
        ));
    }
    let time_of = |algorithm: BroadPhaseKind| {
        let mut rows = random.iter().rev();
        rows.find(|row| row.algorithm == algorithm)
            .map_or(f64::NAN, |row| 10.0 * row.first_seconds / row.seconds)
    };
    let [mr, mr_s] = [time_of(Mr), time_of(MrS)];
    rows.push(checked(
        (
            "Section 5",
            "quick sort serves the first time step only, so that MR stays linear",
        ),
        "first step only",
        format!("the first cycle takes {mr:.1} (MR) and {mr_s:.1} (MR-S) times the mean"),
        mr > 1.0 && mr_s > 1.0,
        format!("Experiment III, N = {SPHERES}"),
    ));
    rows
}

/// Figs. 16 and 17: Experiment II.
fn density_rows() -> Outcome<Vec<Row>> {
    let mut cases = Experiment::Ii.cases(&[SPHERES], SEED);
    cases.retain(|case| [5.0, 20.0, 200.0].contains(&case.spacing));
    let measured = measure_cases(cases, &ALGORITHMS)?;
    let change = |algorithm, value: fn(&Measurement) -> f64| {
        let rows = measured.iter().filter(|row| row.algorithm == algorithm);
        let [low, high] = rows.map(value).fold([f64::MAX, 0.0_f64], |[low, high], x| {
            [low.min(x), high.max(x)]
        });
        100.0 * (high / low - 1.0)
    };
    let largest = |value: fn(&Measurement) -> f64| {
        let changes = ALGORITHMS.iter().map(|&algorithm| change(algorithm, value));
        changes.fold(0.0, f64::max)
    };
    let work = largest(|row| row.operations() as f64);
    let time = largest(|row| row.seconds);
    let mut rows = vec![checked(
        (
            "Figs. 16 and 17",
            "Experiment II: the time does not depend on the density",
        ),
        "constant",
        format!("work changes by {work:.0} %, time by {time:.0} %, from s = 5 to 200"),
        work < 10.0,
        "below s = 5 elements meet, which costs tests of distances. The tables of layers, rows and columns of NBS grow with s",
    )];
    let mut sparse = measured;
    sparse.retain(|row| row.case.spacing == 20.0);
    rows.extend(order_row(
        (
            "Figs. 16 and 17, Table 3",
            "Experiment II: NBS is the fastest",
        ),
        &sparse,
        format!("s = 20, in the caches of a present processor; {DETAIL}"),
    ));
    Ok(rows)
}

/// Eq. 26, Fig. 21: Experiment IV.
fn one_cell_rows() -> Outcome<Vec<Row>> {
    let numbers = [500, 1_000, 2_000, 4_000];
    let rows = measure_cases(Experiment::Iv.cases(&numbers, SEED), &ALGORITHMS)?;
    let work = ALGORITHMS.map(|kind| exponent(&rows, kind, |row| row.pair_tests as f64));
    let last: Vec<f64> = (rows.iter())
        .filter(|row| row.case.spheres == numbers[numbers.len() - 1])
        .map(|row| row.seconds)
        .collect();
    let [low, high] = last.iter().fold([f64::MAX, 0.0_f64], |[low, high], &x| {
        [low.min(x), high.max(x)]
    });
    let mut result = vec![
        checked(
            (
                "Eq. 26, Fig. 21",
                "Experiment IV: the time of all algorithms is quadratic",
            ),
            "N^2",
            format!(
                "tests: N^{:.2}, N^{:.2}, N^{:.2}, N^{:.2}",
                work[0], work[1], work[2], work[3]
            ),
            work.iter().all(|p| (p - 2.0).abs() < 0.05),
            "every cycle tests N (N − 1)/2 pairs; docs/reports/comparison.md has the coefficients of Eq. 26",
        ),
        checked(
            (
                "Section 8",
                "Experiment IV: there is practically no difference in the search time",
            ),
            "no difference",
            format!(
                "the slowest takes {:.2} times the time of the fastest",
                high / low
            ),
            high / low < 1.1,
            "all test the same pairs; the memory layout of their lists differs",
        ),
    ];
    result.extend(order_row(
        ("Table 3", "Experiment IV: MR-S is the fastest"),
        &rows,
        "all test the same pairs; BBTS and NBS follow links among spheres of one list, MR and MR-S compare cells at each step".to_owned(),
    ));
    Ok(result)
}

/// Figs. 24 and 25, and the order in which elements are introduced.
fn memory_rows(random: &[Measurement]) -> Outcome<Vec<Row>> {
    let cases = both_cases(10_000_000)?;
    let [succession, in_turn] = differences(&cases).map(|share| 100.0 * share);
    let case = Experiment::Iii.cases(&[SPHERES], SEED)[0];
    let first = first_snapshot(&case)?;
    let ordered = measure_snapshot(&case, &in_cell_order(&first, 1.0), &[Nbs, MrS])?;
    let gain = |algorithm| {
        let seconds = |rows: &[Measurement]| {
            let mut rows = rows.iter().rev();
            rows.find(|row| row.algorithm == algorithm)
                .map_or(f64::NAN, |row| row.seconds)
        };
        seconds(random) / seconds(&ordered)
    };
    let [nbs, mr_s] = [gain(Nbs), gain(MrS)];
    Ok(vec![
        checked(
            (
                "Figs. 24 and 25",
                "cases A and B differ by about 10 % in time",
            ),
            "around 10 %",
            format!(
                "B over A: {} % in succession, {} % in turn",
                signed(succession, 0),
                signed(in_turn, 0)
            ),
            succession.abs().max(in_turn.abs()) >= 5.0,
            "10⁷ elements; the paper does not say how the two paths are traversed; docs/reports/comparison.md, Memory access",
        ),
        checked(
            (
                "Section 8",
                "the order in which elements are introduced changes the time",
            ),
            "changes",
            format!("in the order of the cells NBS is {nbs:.2} and MR-S {mr_s:.2} times faster"),
            nbs > 1.05,
            format!("Experiment III, N = {SPHERES}"),
        ),
    ])
}

/// The claim about elements of different sizes.
fn sizes_row() -> Outcome<Row> {
    let mut cases = Experiment::V.cases(&[1_000, 2_000, 4_000, 8_000], SEED);
    cases.retain(|case| case.size_ratio == 50.0);
    let rows = measure_cases(cases, &ALGORITHMS)?;
    let exponents = ALGORITHMS.map(|kind| exponent(&rows, kind, |row| row.operations() as f64));
    Ok(checked(
        (
            "Section 8",
            "the algorithms are not linear for elements of different sizes, because the cells have the size of the largest",
        ),
        "not linear",
        format!(
            "N^{:.2} to N^{:.2} tests and cells for ω = 50",
            exponents.iter().copied().fold(f64::MAX, f64::min),
            exponents.iter().copied().fold(0.0, f64::max)
        ),
        exponents.iter().all(|&p| p > 1.5),
        "Experiment V of jostle, uniform volume",
    ))
}
