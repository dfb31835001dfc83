//! The experiments of Schiava D'Albano et al., and one with many sizes.

use crate::{cell_order::in_cell_order, page::Page};
use jostle::{
    Spheres,
    laboratory::broad_phase::BroadPhaseKind,
    laboratory::compare::{
        Case, Experiment, Measurement, cell_sizes, first_snapshot, growth_rows, measure_from,
    },
};
use strum::VariantArray;

use super::{
    cache_misses,
    growth_table::{find, growth_table, nanoseconds, quadratic_table},
    large,
    markdown::table,
    memory_access,
    numbers::significant,
    orders::{self, Order},
    outcome::Outcome,
    sort_and_search, steps,
};

/// Seed of all experiments.
pub const SEED: u64 = 1;

/// Algorithms with cells; they are linear for equal spheres, and fast enough for a million spheres.
const GRIDS: [BroadPhaseKind; 6] = [
    BroadPhaseKind::LinkedCell,
    BroadPhaseKind::Nbs,
    BroadPhaseKind::Mr,
    BroadPhaseKind::MrS,
    BroadPhaseKind::HgridTopDown,
    BroadPhaseKind::HgridBottomUp,
];
/// Algorithms that Experiment II measures with fewer spheres.
const TREES: [BroadPhaseKind; 2] = [BroadPhaseKind::Bbts, BroadPhaseKind::LooseOctree];
/// Algorithms whose cost with many sizes grows with the number of spheres.
const ONE_SIZE: [BroadPhaseKind; 6] = [
    BroadPhaseKind::LinkedCell,
    BroadPhaseKind::Nbs,
    BroadPhaseKind::Mr,
    BroadPhaseKind::MrS,
    BroadPhaseKind::Bbts,
    BroadPhaseKind::StrictOctree,
];

/// Numbers of spheres: two decades for all algorithms, and another decade for the fast ones.
struct Counts {
    all: [usize; 5],
    fast: [usize; 3],
    /// Further numbers for the linear algorithms of the paper.
    largest: Vec<usize>,
}

/// Measures and prints all experiments; `divided` reduces the numbers of spheres, of which the largest is `most`.
pub fn report(page: &mut Page, divided: &dyn Fn(usize) -> usize, most: usize) -> Outcome {
    page.line("\n## Broad phase algorithms\n
Ten cycles of detecting all touching pairs and moving every sphere; only the detection is timed. Schiava D'Albano et al. time lists
of integer coordinates. Here the time includes the mapping of the centers to cells and the distance test of each candidate
pair. Centers take 24 bytes and ids 4 bytes here; the paper uses short integers.\n
Columns with a number of spheres N hold nanoseconds per sphere and cycle. \"time ~ N^\" and \"operations ~ N^\" are the exponents of the
time and of the number of operations over these columns; operations are distance tests and opened cells. The best fit is the law with the
smallest residual. The quadratic law can follow any curve: it is chosen only if its residual is below two thirds of the other residuals and
its square makes up most of the time at the largest N.");
    let counts = Counts {
        all: [1_000, 3_162, 10_000, 31_623, 100_000].map(divided),
        fast: [100_000, 316_228, 1_000_000].map(divided),
        largest: (large::NUMBERS.into_iter())
            .filter(|&number| number <= most)
            .map(divided)
            .collect(),
    };
    let mut found = dense_block(page, &counts)?;
    found.extend(density(page, divided, &counts)?);
    found.extend(random_positions(page, &counts)?);
    found.extend(one_cell(page, divided)?);
    orders::print_table_3(page, &found);
    steps::report(page, divided(100_000))?;
    cache_misses::report(page, divided(100_000))?;
    memory_access::report(page)?;
    many_sizes(page, divided)
}

/// Measures all algorithms, except the strict octree with the largest number of spheres.
fn measure_two_decades(cases: Vec<Case>) -> Outcome<Vec<Measurement>> {
    let largest = cases.iter().map(|case| case.spheres).max();
    let (last, rest): (Vec<Case>, Vec<Case>) =
        (cases.into_iter()).partition(|case| Some(case.spheres) == largest);
    let fast: Vec<_> = BroadPhaseKind::VARIANTS
        .iter()
        .copied()
        .filter(|&algorithm| algorithm != BroadPhaseKind::StrictOctree)
        .collect();
    let mut rows = measure_cases(rest, BroadPhaseKind::VARIANTS)?;
    rows.extend(measure_cases(last, &fast)?);
    Ok(rows)
}

/// Measures algorithms in all cases.
pub fn measure_cases(cases: Vec<Case>, algorithms: &[BroadPhaseKind]) -> Outcome<Vec<Measurement>> {
    let mut rows = Vec::new();
    for case in cases {
        rows.extend(measure_snapshot(
            &case,
            &first_snapshot(&case)?,
            algorithms,
        )?);
    }
    Ok(rows)
}

/// Measures algorithms from a first snapshot of a case.
pub fn measure_snapshot(
    case: &Case,
    first: &Spheres,
    algorithms: &[BroadPhaseKind],
) -> Outcome<Vec<Measurement>> {
    let sizes = cell_sizes(first)?;
    algorithms
        .iter()
        .map(|&algorithm| {
            eprintln!(
                "experiment {}, {} spheres, {algorithm}",
                case.experiment, case.spheres
            );
            Ok(measure_from(case, first, algorithm, &sizes)?)
        })
        .collect()
}

/// Prints the range of the time exponents of the algorithms that are linear for equal spheres.
fn print_exponents(page: &mut Page, rows: &[Measurement]) {
    let is_linear =
        |algorithm| GRIDS.contains(&algorithm) || algorithm == BroadPhaseKind::LooseOctree;
    page.line(format!(
        "\nLinked cell, NBS, MR, MR-S, HGrid and loose octree: times grow with exponents {}.",
        exponents(rows, is_linear)
    ));
}

/// Returns the range of the time exponents of some algorithms.
fn exponents(rows: &[Measurement], is_shown: impl Fn(BroadPhaseKind) -> bool) -> String {
    let growth = growth_rows(rows);
    let shown = growth.iter().filter(|row| is_shown(row.algorithm));
    let [mut lowest, mut highest] = [f64::MAX, f64::MIN];
    for row in shown {
        lowest = lowest.min(row.time_exponent);
        highest = highest.max(row.time_exponent);
    }
    format!("from {lowest:.2} to {highest:.2}")
}

/// Prints the last two decades of the fast algorithms.
fn print_up_to_largest(page: &mut Page, rows: &[Measurement], large: &[Measurement]) {
    let largest = large.iter().map(|row| row.case.spheres).max().unwrap_or(0);
    let mut last_decades = rows.to_vec();
    last_decades.extend_from_slice(large);
    last_decades.retain(|row| GRIDS.contains(&row.algorithm) && 100 * row.case.spheres >= largest);
    page.line(format!(
        "\nUp to {largest}, where the spheres and lists exceed the nearest caches:"
    ));
    page.text(&growth_table(&last_decades));
    let growth = growth_rows(&last_decades);
    let steepest = growth
        .iter()
        .max_by(|a, b| a.time_exponent.total_cmp(&b.time_exponent));
    if let Some(row) = steepest {
        page.line(format!(
            "\n{} slows down most. NBS relinks every sphere several times per snapshot.",
            row.algorithm
        ));
    }
}

/// Prints the memory of all algorithms at the largest number of spheres.
fn print_memory(page: &mut Page, rows: &[Measurement]) {
    let last = rows.iter().map(|row| row.case.spheres).max().unwrap_or(0);
    let words = per_algorithm(rows, last, |row| {
        let paper = row.paper_bytes_per_sphere;
        let paper = paper.map_or_else(String::new, |bytes| format!(" (paper: {bytes})"));
        format!("{}{paper}", significant(row.bytes_per_sphere))
    });
    page.line(format!("\nBytes per sphere at {last}: {words}."));
}

/// Returns the name of each algorithm and its value at one number of spheres.
fn per_algorithm(
    rows: &[Measurement],
    spheres: usize,
    value: impl Fn(&Measurement) -> String,
) -> String {
    let words: Vec<String> = (BroadPhaseKind::VARIANTS.iter())
        .filter_map(|&algorithm| find(rows, algorithm, spheres))
        .map(|row| format!("{} {}", row.algorithm, value(row)))
        .collect();
    words.join(", ")
}

fn dense_block(page: &mut Page, counts: &Counts) -> Outcome<Vec<Order>> {
    page.line("\n### Experiment I: a dense block on a cubic lattice\n
The paper: all algorithms but BBTS are linear, BBTS is N log N, NBS is the fastest. The strict octree cannot be linear: its root
stores N^(2/3) of the spheres, so the operations grow as N^(5/3).");
    let mut rows = measure_two_decades(Experiment::I.cases(&counts.all, SEED))?;
    let large = measure_cases(Experiment::I.cases(&counts.fast[1..], SEED), &GRIDS)?;
    page.text(&growth_table(&rows));
    print_exponents(page, &rows);
    print_memory(page, &rows);
    print_up_to_largest(page, &rows, &large);
    rows.extend(large);
    paper_algorithms(page, &rows, counts, "Fig. 14")
}

/// Prints the paper's algorithms up to the largest number of spheres, sort and search apart, and their order.
fn paper_algorithms(
    page: &mut Page,
    rows: &[Measurement],
    counts: &Counts,
    figure: &str,
) -> Outcome<Vec<Order>> {
    let paper = large::report(page, rows[0].case.experiment, rows, &counts.largest)?;
    let mut all = rows.to_vec();
    all.retain(|row| !orders::PAPER.contains(&row.algorithm));
    all.extend_from_slice(&paper);
    sort_and_search::print(page, figure, &all, counts.fast[0]);
    Ok(orders::print(page, &paper))
}

fn density(
    page: &mut Page,
    divided: &dyn Fn(usize) -> usize,
    counts: &Counts,
) -> Outcome<Vec<Order>> {
    let million = divided(1_000_000);
    let fewer = divided(100_000);
    page.line(format!(
        "\n### Experiment II: a cubic lattice at spacing s, density 1 to 1/8 000 000\n
Nanoseconds per sphere and cycle, {million} spheres, for BBTS and the loose octree {fewer}. The paper: the time does not depend on the
density, NBS is the fastest. At s = 1 spheres touch, which costs distance tests that the paper does not make. From s = 2 on there is hardly
a pair to test."
    ));
    let spacings = [1.0, 2.0, 20.0, 200.0];
    let cases = |spheres: usize| {
        let mut cases = Experiment::Ii.cases(&[spheres], SEED);
        cases.retain(|case| spacings.contains(&case.spacing));
        cases
    };
    let mut rows = measure_cases(cases(million), &GRIDS)?;
    rows.extend(measure_cases(cases(fewer), &TREES)?);
    let mut header = vec!["s".to_owned()];
    header.extend(spacings.map(|s| s.to_string()));
    let cells = |algorithm: BroadPhaseKind| {
        let time = |&spacing: &f64| {
            rows.iter()
                .find(|row| row.algorithm == algorithm && row.case.spacing == spacing)
                .map_or_else(String::new, |row| significant(nanoseconds(row)))
        };
        let mut cells = vec![algorithm.to_string()];
        cells.extend(spacings.iter().map(time));
        cells
    };
    page.text(&table(&header, GRIDS.into_iter().chain(TREES).map(cells)));
    page.line("\nGrowth with N at s = 10, density 1/1000:");
    let mut cases = Experiment::Ii.cases(&counts.all, SEED);
    cases.retain(|case| case.spacing == 10.0);
    let sparse = measure_two_decades(cases)?;
    page.text(&growth_table(&sparse));
    print_exponents(page, &sparse);
    rows.retain(|row| row.case.spacing == 20.0 && row.case.spheres == million);
    rows.extend(sparse);
    page.line("\nThe next order for the largest N is that at s = 20, the other that at s = 10.");
    Ok(orders::print(page, &rows))
}

fn random_positions(page: &mut Page, counts: &Counts) -> Outcome<Vec<Order>> {
    page.line(
        "\n### Experiment III: random positions, spacing 3\n
The paper: MR and MR-S are the fastest, BBTS is the slowest.",
    );
    let mut rows = measure_two_decades(Experiment::Iii.cases(&counts.all, SEED))?;
    page.text(&growth_table(&rows));
    print_exponents(page, &rows);
    let large = measure_cases(Experiment::Iii.cases(&counts.fast[1..], SEED), &GRIDS)?;
    print_up_to_largest(page, &rows, &large);
    from_cell_order(page, counts, &large)?;
    rows.extend(large);
    paper_algorithms(page, &rows, counts, "Fig. 20")
}

/// Measures the spheres of `random` again, numbered in the order of their cells.
fn from_cell_order(page: &mut Page, counts: &Counts, random: &[Measurement]) -> Outcome {
    page.line("\nThe operations still grow with exponent 1. Where the time grows faster, cache misses are the reason: spheres in random order are read
from everywhere in memory. The next table is for the same spheres, numbered in the order of their cells at the start. This helps linked cell
and HGrid less than the others: in a snapshot this sparse, with 27 cells per sphere, their tables of cells are hashed, so neighboring cells
are far apart in memory.");
    let mut rows = Vec::new();
    for case in Experiment::Iii.cases(&counts.fast, SEED) {
        let spheres = in_cell_order(&first_snapshot(&case)?, 1.0);
        rows.extend(measure_snapshot(&case, &spheres, &GRIDS)?);
    }
    page.text(&growth_table(&rows));
    let last = random.iter().map(|row| row.case.spheres).max().unwrap_or(0);
    let shares = per_algorithm(&rows, last, |row| {
        let before = find(random, row.algorithm, last);
        before.map_or_else(String::new, |before| {
            format!("{:.2}", row.seconds / before.seconds)
        })
    });
    page.line(format!(
        "\nTime at {last} in the order of the cells, over that in random order: {shares}."
    ));
    Ok(())
}

fn one_cell(page: &mut Page, divided: &dyn Fn(usize) -> usize) -> Outcome<Vec<Order>> {
    page.line("\n### Experiment IV: all spheres in one cell\n
The paper: all algorithms are quadratic. The coefficients of a N² + b N + c are in nanoseconds for ten cycles.");
    let counts = [500, 1_000, 2_000, 4_000, 8_000].map(divided);
    let rows = measure_cases(
        Experiment::Iv.cases(&counts, SEED),
        BroadPhaseKind::VARIANTS,
    )?;
    page.text(&quadratic_table(&rows));
    Ok(orders::print(page, &rows))
}

fn many_sizes(page: &mut Page, divided: &dyn Fn(usize) -> usize) -> Outcome {
    page.line("\n### Experiment V: many sizes\n
The paper does not study this case. Random positions at packing fraction 0.4, f(r) ∝ r⁻³ over a size ratio ω of 10 and 50, cell sizes of
the HGrid from the cost model.");
    let counts = [1_000, 2_000, 4_000, 8_000, 16_000].map(divided);
    let rows = measure_cases(Experiment::V.cases(&counts, SEED), BroadPhaseKind::VARIANTS)?;
    for ratio in [10.0, 50.0] {
        let mut rows = rows.clone();
        rows.retain(|row| row.case.size_ratio == ratio);
        page.line(format!("\nω = {ratio}:"));
        page.text(&growth_table(&rows));
        page.line(format!(
            "\nHGrid, loose octree and k-d tree: times grow with exponents {}. Others: {}.",
            exponents(&rows, |algorithm| !ONE_SIZE.contains(&algorithm)),
            exponents(&rows, |algorithm| ONE_SIZE.contains(&algorithm))
        ));
        let last = counts[counts.len() - 1];
        let tests = per_algorithm(&rows, last, |row| {
            significant(row.per_sphere_and_cycle(row.pair_tests as f64))
        });
        page.line(format!(
            "\nDistance tests per sphere and cycle at {last}: {tests}."
        ));
    }
    Ok(())
}
