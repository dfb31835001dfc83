//! Writes the report on indexes and broad phase algorithms:
//! `cargo run --release --example comparison_report > docs/comparison.md`.
//!
//! A number as argument divides all numbers of spheres, to try it out.

use std::fmt::Display;

use glam::DVec3;
use jostle::{
    Boundaries, Effort, IndexKind, PackOptions, Packing, Sampling, SizeSpec, Spheres,
    broad_phase::BroadPhaseKind,
    compare::{
        CYCLES, Case, Experiment, Growth, GrowthRow, IndexComparison, IndexRow, Measurement,
        adjoining_cell_candidates, cell_sizes, compare_indexes, growth_rows, measure_index,
        measure_scene, scene,
    },
    pack,
};

type Outcome = Result<(), Box<dyn std::error::Error>>;

/// Their cost is never quadratic, and never N^(5/3) as that of the strict octree.
const FAST: [BroadPhaseKind; 8] = [
    BroadPhaseKind::LinkedCell,
    BroadPhaseKind::Nbs,
    BroadPhaseKind::Mr,
    BroadPhaseKind::MrS,
    BroadPhaseKind::Bbts,
    BroadPhaseKind::HgridTopDown,
    BroadPhaseKind::HgridBottomUp,
    BroadPhaseKind::LooseOctree,
];
/// Eq. 6 in the range of the paper's sample.
const FULLER: &str = "fuller:d_min=1,d_max=52.7";

const SLOW: [BroadPhaseKind; 2] = [BroadPhaseKind::StrictOctree, BroadPhaseKind::KdTree];

fn main() -> Outcome {
    let divisor = std::env::args().nth(1).map_or(Ok(1), |text| text.parse())?;
    let divided = |count: usize| (count / divisor).max(10);
    println!(
        "# Indexes and broad phase algorithms compared\n
Written by `cargo run --release --example comparison_report > docs/comparison.md`. Counts are the same in every run and
on every machine, times are not: compare them with one another only.\n
\"2011\" is S. Raschdorf & M. Kolonko, Loose octree: a data structure for the simulation of polydisperse particle packings;
the contact detection paper is that of Schiava D'Albano et al. on MR, MR-S, NBS and BBTS. Single tables, for other sizes and
numbers, come from `jostle compare index` and `jostle compare broad-phase`."
    );
    indexes(divided(10_000))?;
    broad_phases(&divided)
}

fn table(header: &[&str], rows: impl IntoIterator<Item = Vec<String>>) {
    println!("\n| {} |", header.join(" | "));
    println!("|{}", "---|".repeat(header.len()));
    for row in rows {
        println!("| {} |", row.join(" | "));
    }
}

fn significant(value: f64) -> String {
    match value.abs() {
        size if size >= 100.0 => format!("{value:.0}"),
        size if size >= 10.0 => format!("{value:.1}"),
        size if size >= 1.0 => format!("{value:.2}"),
        _ => format!("{value:.3}"),
    }
}

fn spread(mean: f64, spread: f64) -> String {
    format!("{} ± {}", significant(mean), significant(spread))
}

fn percent(found: f64, paper: f64) -> String {
    format!("{:+.0} %", 100.0 * (found / paper - 1.0))
}

// Indexes.

fn indexes(spheres: usize) -> Outcome {
    println!(
        "\n## Candidates per sphere (2011, Table 1)\n
{spheres} spheres in a cube with walls, packed as dense as effort `normal` gets, ten runs, ± standard deviation.
A candidate is another sphere in a node or cell that the query has to open, before any distance test. δ_V is a tenth of the
smallest diameter. Fuller is Eq. 6 of the paper with diameters from 1 to 52.7, the range of its sample, drawn at random by
number: the largest sphere comes by luck, and is mostly smaller."
    );
    let comparison = IndexComparison {
        spheres,
        sampling: Sampling::Random,
        ..IndexComparison::default()
    };
    let rows = |sizes: &str| {
        let spec = SizeSpec::load(sizes)?;
        Ok::<_, Box<dyn std::error::Error>>(compare_indexes(&spec, &comparison, &mut |step| {
            eprintln!("{sizes}: run {}, {}", step.run, step.index);
        })?)
    };
    let mono = rows("mono:d=1")?;
    let fuller = rows(FULLER)?;
    let paper = |index: IndexKind| match index {
        IndexKind::Grid => Some((32.9, 9_999.0)),
        IndexKind::StrictOctree => Some((2_027.6, 1_188.1)),
        IndexKind::LooseOctree => Some((51.7, 31.2)),
        _ => None,
    };
    let header = [
        "index",
        "monodisperse: paper",
        "here",
        "",
        "Fuller: paper",
        "here",
        "",
    ];
    table(
        &header,
        mono.iter().zip(&fuller).map(|(mono, fuller)| {
            let paper = paper(mono.index);
            let cells = |row: &IndexRow, paper: Option<f64>| {
                [
                    paper.map_or(String::new(), significant),
                    spread(row.candidates_mean, row.candidates_spread),
                    paper.map_or(String::new(), |paper| percent(row.candidates_mean, paper)),
                ]
            };
            std::iter::once(mono.index.to_string())
                .chain(cells(mono, paper.map(|pair| pair.0)))
                .chain(cells(fuller, paper.map(|pair| pair.1)))
                .collect()
        }),
    );
    println!(
        "\nPacking fractions: monodisperse {:.3}, Fuller {:.3}. Neighbours within δ_V: {:.2} and {:.2}.",
        mono[0].packing_fraction_mean,
        fuller[0].packing_fraction_mean,
        mono[0].neighbours_mean,
        fuller[0].neighbours_mean,
    );
    walls_and_grid(spheres)?;
    fuller_samples(spheres)?;
    levels(&mono, &fuller);
    costs(&mono, &fuller);
    Ok(())
}

fn packed(
    sizes: &str,
    spheres: usize,
    sampling: Sampling,
    boundary: Boundaries,
    seed: u64,
) -> Result<Packing, Box<dyn std::error::Error>> {
    let spec = SizeSpec::load(sizes)?;
    let sample = spec.distribution.sample(spheres, sampling, seed);
    let radii: Vec<f64> = sample.diameters.iter().map(|d| 0.5 * d).collect();
    let options = PackOptions {
        boundary,
        seed,
        effort: Effort::NORMAL,
        ..PackOptions::default()
    };
    eprintln!("{sizes}, seed {seed}, boundary {boundary}");
    Ok(pack(&radii, &options, &mut ())?.packing)
}

fn candidates(packing: &Packing, index: IndexKind, verlet_distance: f64) -> f64 {
    measure_index(index, &packing.spheres, &packing.container, verlet_distance).candidates
}

fn walls_and_grid(spheres: usize) -> Outcome {
    println!(
        "\n### Walls, and two ways to open a grid\n
The paper names neither the boundary nor δ_V. Walls and a tenth of the diameter give its monodisperse figures for both
octrees; with periodic faces the spheres that cross one stay in the root of the strict octree. The paper's grid opens the
27 cells around the sphere, cells of ⌊s0/d_max⌋ a side; at a wall some of them are missing. `grid` opens only those that come
near enough to the probe."
    );
    let mut rows = Vec::new();
    for (name, boundary) in [
        ("walls", Boundaries::WALLS),
        ("periodic", Boundaries::PERIODIC),
    ] {
        let packing = packed("mono:d=1", spheres, Sampling::Stratified, boundary, 1)?;
        let of = |index| significant(candidates(&packing, index, 0.1));
        rows.push(vec![
            format!("monodisperse, {name}"),
            of(IndexKind::LooseOctree),
            of(IndexKind::StrictOctree),
            significant(adjoining_cell_candidates(
                &packing.spheres,
                &packing.container,
            )),
            of(IndexKind::Grid),
        ]);
    }
    rows.push(
        ["paper", "51.7", "2028", "32.9", ""]
            .map(str::to_owned)
            .to_vec(),
    );
    table(
        &[
            "",
            "loose-octree",
            "strict-octree",
            "grid, 27 cells",
            "grid, near cells",
        ],
        rows,
    );
    println!(
        "\nThe strict octree's count is that of the tree as the paper describes it, node for node (`tests/papers_2011.rs` builds
both trees by the letter and compares). With Fuller sizes the grid has a single cell as soon as s0 < 2 d_max: all others are
candidates, N − 1, as in the paper. Samples whose largest sphere is smaller leave it two cells along each axis."
    );
    Ok(())
}

fn fuller_samples(spheres: usize) -> Outcome {
    println!(
        "\n### Why the Fuller figures differ: the largest spheres of the sample\n
The same curve cut off above d_max, three packings each, as near to the curve as {spheres} spheres can be; \"52.7, random\" is the
sample of the table above. A few spheres nearly as large as the box jam it between its walls before the small ones are dense:
φ falls, and with it the number of small spheres near any place. A strict octree offers mostly the spheres that cross its large planes,
about N times the mean diameter over s0: the last column hardly changes with the sample, and equal spheres have nearly the same. By that
column the paper's 1188 belongs to mean d / s0 near 0.032. No sample of Eq. 6 that has a sphere of 52.7 gets there: its volume
alone, even at φ = 0.85, asks for s0 > 60 and so for a ratio below 0.028. Cut near 20, the curve meets both figures at once. δ_V
makes the rest: the paper does not say of which length it is a share, and with equal spheres a tenth of the smallest and a tenth of the mean
diameter (1.6 for Fuller) are the same."
    );
    let mut rows = Vec::new();
    for cut in [Some(12), Some(16), Some(20), Some(27), None] {
        let mut sums = [0.0; 7];
        for seed in 1..=3 {
            let packing = if let Some(cut) = cut {
                let sizes = format!("fuller:d_min=1,d_max={cut}");
                packed(
                    &sizes,
                    spheres,
                    Sampling::Stratified,
                    Boundaries::WALLS,
                    seed,
                )?
            } else {
                packed(FULLER, spheres, Sampling::Random, Boundaries::WALLS, seed)?
            };
            let radii = packing.spheres.radii();
            let mean = 2.0 * radii.iter().sum::<f64>() / radii.len() as f64;
            let side = packing.container.lengths().x;
            let strict = candidates(&packing, IndexKind::StrictOctree, 0.1);
            let values = [
                side,
                packing.packing_fraction(),
                mean / side,
                candidates(&packing, IndexKind::LooseOctree, 0.1),
                candidates(&packing, IndexKind::LooseOctree, 0.1 * mean),
                strict,
                strict / (radii.len() as f64 * mean / side),
            ];
            sums.iter_mut()
                .zip(values)
                .for_each(|(sum, value)| *sum += value / 3.0);
        }
        let [side, fraction, ratio, smallest, mean, strict, share] = sums;
        rows.push(vec![
            cut.map_or("52.7, random".to_owned(), |cut| cut.to_string()),
            significant(side),
            significant(fraction),
            format!("{ratio:.4}"),
            format!("{} ({})", significant(smallest), percent(smallest, 31.2)),
            format!("{} ({})", significant(mean), percent(mean, 31.2)),
            format!("{} ({})", significant(strict), percent(strict, 1_188.1)),
            significant(share),
        ]);
    }
    table(
        &[
            "d_max",
            "s0",
            "φ",
            "mean d / s0",
            "loose, δ_V = 0.1 d_min",
            "loose, δ_V = 0.1 mean d",
            "strict",
            "strict / (N mean d / s0)",
        ],
        rows,
    );
    Ok(())
}

fn levels(mono: &[IndexRow], fuller: &[IndexRow]) {
    println!(
        "\n## Spheres on the levels of the octrees (2011, Fig. 9)\n
Percent of the spheres, means of the ten packings; level 0 is the root. The figure's text: in the strict octree the spheres
are spread over all levels; in the loose one they are on the last few, with equal spheres on the two deepest and none on levels 0–3,
with Fuller sizes hardly any on the very deepest. That last share depends on s0 alone: the paper's s0 is just above 64 d_min
(\"the outer boundary of the nodes at level 7 was only slightly larger than d_min\"), so that the smallest spheres hardly ever fit one
level deeper than their size asks for."
    );
    let octrees = [IndexKind::StrictOctree, IndexKind::LooseOctree];
    for (name, rows) in [("monodisperse", mono), ("Fuller", fuller)] {
        let shares = |index: IndexKind, level: usize| {
            let row = rows.iter().find(|row| row.index == index);
            row.and_then(|row| Some(row.levels.get(level)? / row.spheres as f64))
                .unwrap_or(0.0)
        };
        let depth = rows
            .iter()
            .filter(|row| octrees.contains(&row.index))
            .map(|row| row.levels.len())
            .max();
        println!(
            "\n```text\n{name}\nlevel  {:<37}loose octree",
            "strict octree"
        );
        for level in 0..depth.unwrap_or(0) {
            let bar = |index| {
                let share: f64 = shares(index, level);
                let blocks = "#".repeat((25.0 * share).round() as usize);
                format!("{:6.2} % {blocks}", 100.0 * share)
            };
            let line = format!("{level:5}  {:<37}{}", bar(octrees[0]), bar(octrees[1]));
            println!("{}", line.trim_end());
        }
        println!("```");
    }
}

fn costs(mono: &[IndexRow], fuller: &[IndexRow]) {
    println!(
        "\n## What an index costs\n
On the same packings, one thread. Nodes: nodes or cells opened per query (k-d tree: searches). Insert: from an empty index on. Relocate:
half of δ_V, in any direction. Query: with the distance tests of the candidates. Packing: a whole run with this index."
    );
    for (name, rows) in [("Monodisperse", mono), ("Fuller", fuller)] {
        println!("\n{name}:");
        let header = [
            "index",
            "nodes",
            "bytes/sphere",
            "insert, ns",
            "relocate, ns",
            "query, ns",
            "packing, s",
        ];
        table(
            &header,
            rows.iter().map(|row| {
                vec![
                    row.index.to_string(),
                    spread(row.nodes_opened_mean, row.nodes_opened_spread),
                    significant(row.bytes_per_sphere),
                    spread(row.insert_ns, row.insert_ns_spread),
                    spread(row.relocate_ns, row.relocate_ns_spread),
                    spread(row.query_ns, row.query_ns_spread),
                    spread(row.pack_seconds, row.pack_seconds_spread),
                ]
            }),
        );
    }
}

// Broad phases.

fn broad_phases(divided: &dyn Fn(usize) -> usize) -> Outcome {
    println!(
        "\n## Broad phase algorithms\n
Ten cycles of detecting all touching pairs and moving every sphere, detection time only. The contact detection paper times lists
of integer coordinates; here mapping the centres to cells, and the distance test of each pair offered, are part of the time. Ours are
centres of 24 bytes and 4-byte numbers: MR takes 24 bytes per element and MR-S 20, against 26 and 14 in the paper, which stores short
integers."
    );
    let small = [1_000, 3_000, 10_000, 30_000, 100_000].map(divided);
    let large = [10_000, 30_000, 100_000, 300_000, 1_000_000].map(divided);
    let block = grown(Experiment::I, &small, &large, false)?;
    println!(
        "\n### Experiment I: a dense block on a raster\n
The paper: all but BBTS linear, BBTS N log N, NBS fastest."
    );
    growth_table(&block);
    fastest(&block);

    density(divided(1_000_000))?;

    let random = grown(Experiment::Iii, &small, &large, false)?;
    println!(
        "\n### Experiment III: random places, spacing 3\n
The paper: MR and MR-S fastest, BBTS slowest."
    );
    growth_table(&random);
    fastest(&random);
    let ordered = grown(Experiment::Iii, &small, &large, true)?;
    println!(
        "\nThe counts of tests and cells grow with exponent 1. Where the time grows faster, it is memory that does: spheres in random order
are fetched from all over it, and from some number on no longer from a cache. The same spheres, numbered in the order of their
cells:"
    );
    growth_table(&ordered);

    one_cell(divided)?;
    many_sizes(divided)
}

/// Fast algorithms over both ranges, slow ones over the small one.
fn grown(
    experiment: Experiment,
    small: &[usize],
    large: &[usize],
    in_cell_order: bool,
) -> Result<Vec<Measurement>, Box<dyn std::error::Error>> {
    let mut counts = [small, large].concat();
    counts.sort_unstable();
    counts.dedup();
    let mut rows = Vec::new();
    for case in experiment.cases(&counts, 1) {
        rows.extend(measured(&case, &FAST, in_cell_order)?);
        if small.contains(&case.spheres) {
            rows.extend(measured(&case, &SLOW, in_cell_order)?);
        }
    }
    Ok(rows)
}

fn measured(
    case: &Case,
    algorithms: &[BroadPhaseKind],
    in_cell_order: bool,
) -> Result<Vec<Measurement>, Box<dyn std::error::Error>> {
    let mut spheres = scene(case);
    if in_cell_order {
        let cell = |center: &DVec3| center.floor().to_array().map(|x| x as i64);
        let mut centers = spheres.centers().to_vec();
        centers.sort_by_key(|center| {
            let [x, y, z] = cell(center);
            [z, y, x]
        });
        spheres = Spheres::new(centers, spheres.radii().to_vec());
    }
    let sizes = cell_sizes(&spheres)?;
    algorithms
        .iter()
        .map(|&algorithm| {
            eprintln!(
                "experiment {}, {} spheres, {algorithm}",
                case.experiment, case.spheres
            );
            Ok(measure_scene(case, &spheres, algorithm, &sizes)?)
        })
        .collect()
}

/// Nanoseconds per sphere and cycle.
fn per_sphere(row: &Measurement) -> f64 {
    1e9 * row.seconds / (row.case.spheres * CYCLES) as f64
}

fn exponent(rows: &[GrowthRow], algorithm: BroadPhaseKind) -> String {
    rows.iter()
        .find(|row| row.algorithm == algorithm)
        .map_or_else(String::new, |row| format!("{:.2}", row.time_exponent))
}

fn growth_table(rows: &[Measurement]) {
    let mut counts: Vec<usize> = rows.iter().map(|row| row.case.spheres).collect();
    counts.sort_unstable();
    counts.dedup();
    // Two decades each: from the smallest number, and up to the largest.
    let range = |keep: &dyn Fn(usize) -> bool| {
        let kept = rows.iter().filter(|row| keep(row.case.spheres)).cloned();
        growth_rows(&kept.collect::<Vec<_>>())
    };
    let (first, last) = (counts[0], counts[counts.len() - 1]);
    let low = range(&|count| count <= 100 * first);
    let high = range(&|count| 100 * count >= last);
    let all = growth_rows(rows);
    let header = [
        "algorithm".to_owned(),
        format!("ns per sphere at {first}"),
        "at the largest N".to_owned(),
        format!("time ~ N^, {first} to {}", 100 * first),
        format!("{} to {last}", last / 100),
        "work ~ N^".to_owned(),
        "best of a N, a N log N, a N² + b N + c".to_owned(),
        "residuals".to_owned(),
    ];
    table(
        &header.each_ref().map(String::as_str),
        all.iter().map(|row| {
            let of = |count: usize| {
                rows.iter()
                    .find(|r| r.algorithm == row.algorithm && r.case.spheres == count)
                    .map_or_else(String::new, |r| significant(per_sphere(r)))
            };
            let reached = row.spheres[1];
            vec![
                row.algorithm.to_string(),
                of(row.spheres[0]),
                if reached == last {
                    of(reached)
                } else {
                    format!("{} (N = {reached})", of(reached))
                },
                exponent(&low, row.algorithm),
                if reached == last {
                    exponent(&high, row.algorithm)
                } else {
                    String::new()
                },
                format!("{:.2}", row.work_exponent),
                row.growth.map_or("", law).to_owned(),
                residuals(row),
            ]
        }),
    );
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

fn matrix<T: Display>(
    corner: &str,
    columns: &[T],
    algorithms: &[BroadPhaseKind],
    cell: &dyn Fn(BroadPhaseKind, usize) -> String,
) {
    let header: Vec<String> = std::iter::once(corner.to_owned())
        .chain(columns.iter().map(T::to_string))
        .collect();
    table(
        &header.iter().map(String::as_str).collect::<Vec<_>>(),
        algorithms.iter().map(|&algorithm| {
            std::iter::once(algorithm.to_string())
                .chain((0..columns.len()).map(|column| cell(algorithm, column)))
                .collect()
        }),
    );
}

fn density(spheres: usize) -> Outcome {
    println!(
        "\n### Experiment II: a raster at spacing s, density 1 to 1/8 000 000\n
{spheres} spheres, nanoseconds per sphere and cycle. The paper: time does not depend on the density, NBS fastest. At s = 1
spheres touch, which costs distance tests that the paper does not make; from s = 2 on there is hardly a pair to test."
    );
    let cases = Experiment::Ii.cases(&[spheres], 1);
    let mut rows = Vec::new();
    for case in &cases {
        rows.push(measured(case, &FAST, false)?);
    }
    let spacings: Vec<f64> = cases.iter().map(|case| case.spacing).collect();
    matrix("s", &spacings, &FAST, &|algorithm, column| {
        let row = rows[column].iter().find(|row| row.algorithm == algorithm);
        row.map_or_else(String::new, |row| significant(per_sphere(row)))
    });
    Ok(())
}

fn one_cell(divided: &dyn Fn(usize) -> usize) -> Outcome {
    println!(
        "\n### Experiment IV: all in one cell\n\nThe paper: all quadratic. Fit of a N² + b N + c, times in ns."
    );
    let counts = [500, 1_000, 2_000, 4_000, 8_000].map(divided);
    let mut rows = Vec::new();
    for case in Experiment::Iv.cases(&counts, 1) {
        rows.extend(measured(&case, &BroadPhaseKind::ALL, false)?);
    }
    table(
        &[
            "algorithm",
            "a",
            "b",
            "c",
            "residual",
            "that of a N",
            "time ~ N^",
            "work ~ N^",
        ],
        growth_rows(&rows).iter().map(|row| {
            let fit = |growth| row.fits.iter().find(|fit| fit.growth == growth);
            let residual = |growth| {
                fit(growth).map_or_else(String::new, |fit| format!("{:.0} %", 100.0 * fit.residual))
            };
            let coefficients = fit(Growth::Quadratic).map_or(&[][..], |fit| &fit.coefficients);
            let coefficient = |i: usize| {
                let value = coefficients.get(i).map(|value| 1e9 * value);
                value.map_or_else(String::new, significant)
            };
            vec![
                row.algorithm.to_string(),
                coefficient(0),
                coefficient(1),
                coefficient(2),
                residual(Growth::Quadratic),
                residual(Growth::Linear),
                format!("{:.2}", row.time_exponent),
                format!("{:.2}", row.work_exponent),
            ]
        }),
    );
    fastest(&rows);
    Ok(())
}

fn many_sizes(divided: &dyn Fn(usize) -> usize) -> Outcome {
    println!(
        "\n### Experiment V: many sizes\n
What the paper leaves open. Random places at packing fraction 0.4, f(r) ∝ r⁻³ over a size ratio ω of 10 and 50, cell sizes of the HGrid
from the cost model. Distance tests per sphere and cycle, time in nanoseconds per sphere and cycle, both at the largest N: cells as large as the
largest sphere break down, hierarchies do not."
    );
    let counts = [1_000, 2_000, 4_000, 8_000, 16_000].map(divided);
    let cases = Experiment::V.cases(&counts, 1);
    let mut rows = Vec::new();
    for case in &cases {
        rows.extend(measured(case, &BroadPhaseKind::ALL, false)?);
    }
    let grown = growth_rows(&rows);
    let mut columns: Vec<(f64, &str)> = Vec::new();
    for ratio in [10.0, 50.0] {
        columns.extend(["tests", "time", "time ~ N^", "work ~ N^"].map(|what| (ratio, what)));
    }
    let names: Vec<String> = columns
        .iter()
        .map(|(ratio, what)| format!("ω = {ratio}: {what}"))
        .collect();
    matrix(
        "algorithm",
        &names,
        &BroadPhaseKind::ALL,
        &|algorithm, column| {
            let (ratio, what) = columns[column];
            let last = rows
                .iter()
                .rfind(|row| row.algorithm == algorithm && row.case.size_ratio == ratio);
            let growth = grown
                .iter()
                .find(|row| row.algorithm == algorithm && row.size_ratio == ratio);
            match (what, last, growth) {
                ("tests", Some(row), _) => {
                    significant(row.pair_tests as f64 / (row.case.spheres * CYCLES) as f64)
                }
                ("time", Some(row), _) => significant(per_sphere(row)),
                ("time ~ N^", _, Some(row)) => format!("{:.2}", row.time_exponent),
                (_, _, Some(row)) => format!("{:.2}", row.work_exponent),
                _ => String::new(),
            }
        },
    );
    Ok(())
}
