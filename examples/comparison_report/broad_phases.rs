//! The experiments of Schiava D'Albano et al., and one with many sizes.

use std::error::Error;

use glam::DVec3;
use jostle::{
    Spheres,
    laboratory::broad_phase::BroadPhaseKind,
    laboratory::compare::{
        CYCLES, Case, Experiment, Growth, GrowthRow, Measurement, cell_sizes, growth_rows,
        measure_scene, scene,
    },
};

use super::table::{significant, table};

type Rows = Result<Vec<Measurement>, Box<dyn Error>>;

/// Linear for equal spheres, and fast enough for a million.
const GRIDS: [BroadPhaseKind; 6] = [
    BroadPhaseKind::LinkedCell,
    BroadPhaseKind::Nbs,
    BroadPhaseKind::Mr,
    BroadPhaseKind::MrS,
    BroadPhaseKind::HgridTopDown,
    BroadPhaseKind::HgridBottomUp,
];
const TREES: [BroadPhaseKind; 2] = [BroadPhaseKind::Bbts, BroadPhaseKind::LooseOctree];

/// Two decades for all algorithms, and two for the fast ones.
struct Counts {
    all: [usize; 5],
    fast: [usize; 3],
}

pub fn report(divided: &dyn Fn(usize) -> usize) -> Result<(), Box<dyn Error>> {
    println!(
        "\n## Broad phase algorithms\n
Ten cycles of detecting all touching pairs and moving every sphere, detection time only. The contact detection paper times lists
of integer coordinates; here mapping the centres to cells, and the distance test of each pair offered, are part of the time. Ours are
centres of 24 bytes and 4-byte numbers, the paper's short integers.\n
Columns with a number of spheres N hold nanoseconds per sphere and cycle. \"time ~ N^\" and \"work ~ N^\" are the exponents of the time
and of the number of distance tests and cells over these columns. That law fits best whose residual is smallest; the quadratic one, which
can follow any bend, only where its square makes up most of the time."
    );
    let counts = Counts {
        all: [1_000, 3_162, 10_000, 31_623, 100_000].map(divided),
        fast: [100_000, 316_228, 1_000_000].map(divided),
    };
    let block = two_decades(Experiment::I.cases(&counts.all, 1))?;
    let large = grown(Experiment::I.cases(&counts.fast[1..], 1), &GRIDS)?;
    println!(
        "\n### Experiment I: a dense block on a raster\n
The paper: all but BBTS linear, BBTS N log N, NBS fastest. The strict octree cannot be linear: its root holds N^(2/3) of the
spheres, so that work grows as N^(5/3)."
    );
    growth_table(&block);
    linear(&block);
    fastest(&block);
    memory(&block);
    beyond(&block, &large);

    density(divided, &counts)?;

    let random = two_decades(Experiment::Iii.cases(&counts.all, 1))?;
    println!(
        "\n### Experiment III: random places, spacing 3\n
The paper: MR and MR-S fastest, BBTS slowest."
    );
    growth_table(&random);
    linear(&random);
    fastest(&random);
    let large = grown(Experiment::Iii.cases(&counts.fast[1..], 1), &GRIDS)?;
    beyond(&random, &large);
    in_cell_order(&counts)?;

    one_cell(divided)?;
    many_sizes(divided)
}

/// All algorithms, but not the strict octree with the largest number of spheres.
fn two_decades(cases: Vec<Case>) -> Rows {
    let largest = cases.iter().map(|case| case.spheres).max();
    let (last, rest): (Vec<Case>, Vec<Case>) =
        (cases.into_iter()).partition(|case| Some(case.spheres) == largest);
    let fast = BroadPhaseKind::ALL.into_iter();
    let fast: Vec<_> = fast
        .filter(|&a| a != BroadPhaseKind::StrictOctree)
        .collect();
    let mut rows = grown(rest, &BroadPhaseKind::ALL)?;
    rows.extend(grown(last, &fast)?);
    Ok(rows)
}

fn grown(cases: Vec<Case>, algorithms: &[BroadPhaseKind]) -> Rows {
    let mut rows = Vec::new();
    for case in cases {
        rows.extend(measured(&case, &scene(&case)?, algorithms)?);
    }
    Ok(rows)
}

fn measured(case: &Case, spheres: &Spheres, algorithms: &[BroadPhaseKind]) -> Rows {
    let sizes = cell_sizes(spheres)?;
    algorithms
        .iter()
        .map(|&algorithm| {
            eprintln!(
                "experiment {}, {} spheres, {algorithm}",
                case.experiment, case.spheres
            );
            Ok(measure_scene(case, spheres, algorithm, &sizes)?)
        })
        .collect()
}

/// Nanoseconds per sphere and cycle.
fn per_sphere(row: &Measurement) -> f64 {
    1e9 * row.seconds / (row.case.spheres * CYCLES) as f64
}

fn find(rows: &[Measurement], algorithm: BroadPhaseKind, spheres: usize) -> Option<&Measurement> {
    rows.iter()
        .find(|row| row.algorithm == algorithm && row.case.spheres == spheres)
}

fn time(rows: &[Measurement], algorithm: BroadPhaseKind, spheres: usize) -> String {
    find(rows, algorithm, spheres).map_or_else(String::new, |row| significant(per_sphere(row)))
}

fn growth_table(rows: &[Measurement]) {
    let mut counts: Vec<usize> = rows.iter().map(|row| row.case.spheres).collect();
    counts.sort_unstable();
    counts.dedup();
    let mut header = vec!["algorithm".to_owned()];
    header.extend(counts.iter().map(|count| format!("N = {count}")));
    header.extend(
        [
            "time ~ N^",
            "work ~ N^",
            "best fit of time",
            "residuals of a N, a N log N, a N² + b N + c",
        ]
        .map(str::to_owned),
    );
    table(
        &header.iter().map(String::as_str).collect::<Vec<_>>(),
        growth_rows(rows).iter().map(|row| {
            let mut words = vec![row.algorithm.to_string()];
            words.extend(counts.iter().map(|&count| time(rows, row.algorithm, count)));
            words.extend([
                format!("{:.2}", row.time_exponent),
                format!("{:.2}", row.work_exponent),
                row.growth.map_or("", law).to_owned(),
                residuals(row),
            ]);
            words
        }),
    );
}

/// The exponents of the methods that are linear for equal spheres.
fn linear(rows: &[Measurement]) {
    let grown = growth_rows(rows);
    let linear = |row: &&GrowthRow| {
        GRIDS.contains(&row.algorithm) || row.algorithm == BroadPhaseKind::LooseOctree
    };
    let exponents: Vec<f64> = (grown.iter().filter(linear))
        .map(|row| row.time_exponent)
        .collect();
    let lowest = exponents.iter().copied().fold(f64::MAX, f64::min);
    let highest = exponents.iter().copied().fold(f64::MIN, f64::max);
    println!(
        "\nLinked cell, NBS, MR, MR-S, HGrid and loose octree: times grow with exponents from {lowest:.2} to {highest:.2}."
    );
}

/// The two decades up to a million, where memory is slower.
fn beyond(rows: &[Measurement], large: &[Measurement]) {
    let largest = large.iter().map(|row| row.case.spheres).max().unwrap_or(0);
    let mut together = rows.to_vec();
    together.extend_from_slice(large);
    together.retain(|row| GRIDS.contains(&row.algorithm) && 100 * row.case.spheres >= largest);
    println!("\nOn to {largest}, where the spheres and lists no longer fit in the nearest caches:");
    growth_table(&together);
}

fn law(growth: Growth) -> &'static str {
    match growth {
        Growth::Linear => "a N",
        Growth::Linearithmic => "a N log N",
        Growth::Quadratic => "a N² + b N + c",
    }
}

fn residuals(row: &GrowthRow) -> String {
    let words = row
        .fits
        .iter()
        .map(|fit| format!("{:.0} %", 100.0 * fit.residual));
    words.collect::<Vec<_>>().join(", ")
}

/// Of those that the paper compares, by time at the largest number of spheres.
fn fastest(rows: &[Measurement]) {
    use BroadPhaseKind::{Bbts, Mr, MrS, Nbs};
    let last = rows.iter().map(|row| row.case.spheres).max();
    let mut ranked: Vec<&Measurement> = rows
        .iter()
        .filter(|row| Some(row.case.spheres) == last)
        .filter(|row| [Bbts, Mr, MrS, Nbs].contains(&row.algorithm))
        .collect();
    ranked.sort_by(|a, b| a.seconds.total_cmp(&b.seconds));
    let names: Vec<String> = ranked.iter().map(|row| row.algorithm.to_string()).collect();
    println!(
        "\nOf the paper's four, here from the fastest to the slowest at the largest N: {}.",
        names.join(", ")
    );
}

fn memory(rows: &[Measurement]) {
    let last = rows.iter().map(|row| row.case.spheres).max().unwrap_or(0);
    let words: Vec<String> = (BroadPhaseKind::ALL.into_iter())
        .filter_map(|algorithm| find(rows, algorithm, last))
        .map(|row| {
            let paper = row.paper_bytes_per_sphere;
            let paper = paper.map_or_else(String::new, |bytes| format!(" (paper: {bytes})"));
            format!(
                "{} {}{paper}",
                row.algorithm,
                significant(row.bytes_per_sphere)
            )
        })
        .collect();
    println!("\nBytes per sphere at {last}: {}.", words.join(", "));
}

fn density(divided: &dyn Fn(usize) -> usize, counts: &Counts) -> Result<(), Box<dyn Error>> {
    let million = divided(1_000_000);
    let fewer = divided(100_000);
    println!(
        "\n### Experiment II: a raster at spacing s, density 1 to 1/8 000 000\n
Nanoseconds per sphere and cycle, {million} spheres, for BBTS and the octree {fewer}. The paper: time does not depend on the density, NBS fastest.
At s = 1 spheres touch, which costs distance tests that the paper does not make; from s = 2 on there is hardly a pair to test.
NBS is the fastest of the paper's four while the lists are in the caches (Experiment I, and below up to 10000); at a million it is the one that suffers
most, for it relinks every sphere several times in each frame."
    );
    let spacings = [1.0, 2.0, 20.0, 200.0];
    let at = |spheres: usize| {
        let mut cases = Experiment::Ii.cases(&[spheres], 1);
        cases.retain(|case| spacings.contains(&case.spacing));
        cases
    };
    let mut rows = grown(at(million), &GRIDS)?;
    rows.extend(grown(at(fewer), &TREES)?);
    let mut header = vec!["s".to_owned()];
    header.extend(spacings.map(|s| s.to_string()));
    table(
        &header.iter().map(String::as_str).collect::<Vec<_>>(),
        GRIDS.into_iter().chain(TREES).map(|algorithm| {
            let mut words = vec![algorithm.to_string()];
            words.extend(spacings.iter().map(|&spacing| {
                rows.iter()
                    .find(|row| row.algorithm == algorithm && row.case.spacing == spacing)
                    .map_or_else(String::new, |row| significant(per_sphere(row)))
            }));
            words
        }),
    );
    println!("\nGrowth with N at s = 10, density 1/1000:");
    let mut cases = Experiment::Ii.cases(&counts.all, 1);
    cases.retain(|case| case.spacing == 10.0);
    let sparse = two_decades(cases)?;
    growth_table(&sparse);
    linear(&sparse);
    Ok(())
}

fn in_cell_order(counts: &Counts) -> Result<(), Box<dyn Error>> {
    println!(
        "\nWork still grows with exponent 1; where the time grows faster, it is memory that does: spheres in random order are fetched from all
over it. The same spheres, numbered in the order of their cells at the start, give NBS, MR and MR-S their linear times back. Not so linked cell and
HGrid: in a scene this sparse, 27 cells to a sphere, their tables of cells are hashed, so that neighbouring cells stand far apart in them."
    );
    let mut rows = Vec::new();
    for case in Experiment::Iii.cases(&counts.fast, 1) {
        let mut centers = scene(&case)?.centers().to_vec();
        centers.sort_by_key(|center: &DVec3| {
            let [x, y, z] = center.floor().to_array().map(|x| x as i64);
            [z, y, x]
        });
        let spheres = Spheres::new(centers, vec![0.5; case.spheres]);
        rows.extend(measured(&case, &spheres, &GRIDS)?);
    }
    growth_table(&rows);
    Ok(())
}

fn one_cell(divided: &dyn Fn(usize) -> usize) -> Result<(), Box<dyn Error>> {
    println!(
        "\n### Experiment IV: all in one cell\n\nThe paper: all quadratic. Coefficients of a N² + b N + c in ns."
    );
    let counts = [500, 1_000, 2_000, 4_000, 8_000].map(divided);
    let rows = grown(Experiment::Iv.cases(&counts, 1), &BroadPhaseKind::ALL)?;
    let fits = growth_rows(&rows);
    table(
        &[
            "algorithm",
            "a",
            "b",
            "c",
            "residuals of a N, a N log N, a N² + b N + c",
            "time ~ N^",
            "work ~ N^",
        ],
        fits.iter().map(|row| {
            let quadratic = row.fits.iter().find(|fit| fit.growth == Growth::Quadratic);
            let coefficient = |i: usize| {
                let value = quadratic.and_then(|fit| fit.coefficients.get(i));
                value.map_or_else(String::new, |value| significant(1e9 * value))
            };
            vec![
                row.algorithm.to_string(),
                coefficient(0),
                coefficient(1),
                coefficient(2),
                residuals(row),
                format!("{:.2}", row.time_exponent),
                format!("{:.2}", row.work_exponent),
            ]
        }),
    );
    fastest(&rows);
    Ok(())
}

fn many_sizes(divided: &dyn Fn(usize) -> usize) -> Result<(), Box<dyn Error>> {
    println!(
        "\n### Experiment V: many sizes\n
What the paper leaves open. Random places at packing fraction 0.4, f(r) ∝ r⁻³ over a size ratio ω of 10 and 50, cell sizes of the HGrid
from the cost model. Cells as large as the largest sphere break down, hierarchies do not."
    );
    let counts = [1_000, 2_000, 4_000, 8_000, 16_000].map(divided);
    let rows = grown(Experiment::V.cases(&counts, 1), &BroadPhaseKind::ALL)?;
    for ratio in [10.0, 50.0] {
        let mut rows = rows.clone();
        rows.retain(|row| row.case.size_ratio == ratio);
        println!("\nω = {ratio}:");
        growth_table(&rows);
        let last = counts[counts.len() - 1];
        let tests: Vec<String> = BroadPhaseKind::ALL
            .into_iter()
            .filter_map(|algorithm| find(&rows, algorithm, last))
            .map(|row| {
                let tests = row.pair_tests as f64 / (row.case.spheres * CYCLES) as f64;
                format!("{} {}", row.algorithm, significant(tests))
            })
            .collect();
        println!(
            "\nDistance tests per sphere and cycle at {last}: {}.",
            tests.join(", ")
        );
    }
    Ok(())
}
