//! Table 1 and Fig. 9 of Raschdorf & Kolonko 2011, and what the indexes cost.

use std::error::Error;

use jostle::{
    Boundaries, Effort, IndexKind, PackOptions, Packing, SizeSpec,
    laboratory::compare::{
        AcrossFaces, IndexComparison, IndexMeasurement, IndexRow, adjoining_cell_candidates,
        compare_indexes, measure_index, published_octree_candidates, published_octree_levels,
    },
    pack,
};

use super::table::{beside, mean, significant, table, with_spread};

const RUNS: u64 = 10;
const STRICT: f64 = 1.0;
const LOOSE: f64 = 2.0;

/// Everything counted on one packing.
struct Run {
    side: f64,
    fraction: f64,
    grid: f64,
    /// Strict and loose, both ways across a face.
    octrees: [[f64; 2]; 2],
    /// Strict and loose.
    levels: [Vec<usize>; 2],
    measured: Vec<IndexMeasurement>,
}

/// The ten packings of one mixture with one boundary.
struct Runs {
    name: &'static str,
    boundary: &'static str,
    spheres: usize,
    runs: Vec<Run>,
}

impl Runs {
    fn of(&self, value: impl Fn(&Run) -> f64) -> Vec<f64> {
        self.runs.iter().map(value).collect()
    }
}

pub fn report(spheres: usize) -> Result<(), Box<dyn Error>> {
    let all = packings(spheres)?;
    table_1(&all);
    walls(&all);
    levels(&all);
    costs(spheres)
}

fn packings(spheres: usize) -> Result<Vec<Runs>, Box<dyn Error>> {
    let law = SizeSpec::load("fuller:d_min=1,d_max=684.75")?.distribution;
    let middle = |i| (i as f64 + 0.5) / spheres as f64;
    let fuller: Vec<f64> = (0..spheres)
        .map(|i| law.number_quantile(middle(i)))
        .collect();
    let mixtures = [("monodisperse", vec![1.0; spheres]), ("Fuller", fuller)];
    let boundaries = [
        ("walls", Boundaries::WALLS),
        ("periodic", Boundaries::PERIODIC),
    ];
    let mut all = Vec::new();
    for (name, diameters) in &mixtures {
        let radii: Vec<f64> = diameters.iter().map(|d| 0.5 * d).collect();
        let verlet_distance = 0.1 * diameters.iter().sum::<f64>() / spheres as f64;
        for (boundary_name, boundary) in boundaries {
            let mut runs = Vec::new();
            for seed in 1..=RUNS {
                eprintln!("{name}, {boundary_name}, run {seed}");
                let options = PackOptions {
                    boundary,
                    seed,
                    effort: Effort::QUICK,
                    ..PackOptions::default()
                };
                let packing = pack(&radii, &options, &mut ())?.packing;
                runs.push(counted(&packing, verlet_distance));
            }
            all.push(Runs {
                name,
                boundary: boundary_name,
                spheres,
                runs,
            });
        }
    }
    Ok(all)
}

fn counted(packing: &Packing, verlet_distance: f64) -> Run {
    let (spheres, container) = (&packing.spheres, &packing.container);
    let octree = |k| {
        [AcrossFaces::Images, AcrossFaces::Around].map(|across| {
            published_octree_candidates(k, spheres, container, verlet_distance, across)
        })
    };
    Run {
        side: container.lengths().x,
        fraction: packing.packing_fraction(),
        grid: adjoining_cell_candidates(spheres, container),
        octrees: [STRICT, LOOSE].map(octree),
        levels: [STRICT, LOOSE].map(|k| published_octree_levels(k, spheres, container)),
        measured: IndexKind::ALL
            .iter()
            .map(|&kind| measure_index(kind, spheres, container, verlet_distance))
            .collect(),
    }
}

fn table_1(all: &[Runs]) {
    println!(
        "\n## Candidates per sphere (2011, Table 1)\n
{} spheres in a cube, ten packings of effort `quick` for each column, mean ± standard deviation, in brackets how far the mean is from the
paper's. A candidate is another sphere in a node or cell that the query has to open, before any distance test. δ_V is a tenth of the
mean diameter. Fuller is Eq. 6 up to 684.75, one sphere in the middle of each ten-thousandth part of the number, so that the largest is 52.5;
in the paper's sample it is 52.7.\n
The first five rows follow the paper's words: a grid that opens the 27 cells around the sphere, cells of ⌊s0/d_max⌋ a side, and
octrees with all levels from the root on, in which a sphere stays above a splitting plane that it crosses and a query opens the nodes
that the Verlet sphere intersects. How a query finds what lies across a periodic face the paper does not say: *images*
asks once for each image of the Verlet sphere that reaches into the container, *around* asks once and measures distances around it.
The others are the indexes of this crate.",
        all[0].spheres
    );
    type Count = Box<dyn Fn(&Run) -> f64>;
    let mut rows: Vec<(String, Option<[f64; 2]>, Count)> = vec![(
        "grid, 27 cells".into(),
        Some([32.9, 9_999.0]),
        Box::new(|run| run.grid),
    )];
    let octrees = [("strict", [2_027.6, 1_188.1]), ("loose", [51.7, 31.2])];
    for (tree, (name, paper)) in octrees.into_iter().enumerate() {
        for (way, across) in ["images", "around"].into_iter().enumerate() {
            let title = format!("{name} octree, {across}");
            rows.push((
                title,
                Some(paper),
                Box::new(move |run| run.octrees[tree][way]),
            ));
        }
    }
    for (at, kind) in IndexKind::ALL.into_iter().enumerate() {
        let count = Box::new(move |run: &Run| run.measured[at].candidates);
        rows.push((format!("`{kind}`"), None, count));
    }
    rows.push((
        "neighbours".into(),
        None,
        Box::new(|run| run.measured[0].neighbours),
    ));
    rows.push((
        "packing fraction".into(),
        None,
        Box::new(|run| run.fraction),
    ));
    rows.push(("s0 / d_min".into(), None, Box::new(|run| run.side)));
    let header = [
        "",
        "monodisperse: paper",
        "walls",
        "periodic",
        "Fuller: paper",
        "walls",
        "periodic",
    ];
    table(
        &header,
        rows.iter().map(|(name, paper, count)| {
            let mut row = vec![name.clone()];
            for mixture in 0..2 {
                let paper = paper.map(|paper| paper[mixture]);
                row.push(paper.map_or_else(String::new, |paper| paper.to_string()));
                for boundary in 0..2 {
                    row.push(beside(&all[2 * mixture + boundary].of(count), paper));
                }
            }
            row
        }),
    );
}

fn walls(all: &[Runs]) {
    let spread = |runs: &Runs, value: fn(&Run) -> f64| {
        let mut values = runs.of(value);
        values.sort_by(f64::total_cmp);
        values
            .first()
            .copied()
            .zip(values.last().copied())
            .unwrap_or_default()
    };
    let strict = spread(&all[3], |run| run.octrees[0][0]);
    println!(
        "\n### Where the differences come from\n
In a periodic cube, by images, every figure of the paper is met within a tenth; that of the strict octree with Fuller sizes by the mean
over several places of the container's corner, which `tests/papers_2011.rs` takes (see *The largest spheres*).

*Boundary.* The paper names none. With equal spheres the octrees are met within a tenth between walls as well; the grid's 32.9 is that of a
periodic cube, for at a wall some of the 27 cells are missing. With Fuller sizes walls do not fit the paper. They keep the largest sphere,
nearly as wide as the container, in its middle, where it jams before the small ones are dense: s0 is {} on the mean, against {} in
the periodic cube, and the candidates fall with the packing fraction. The paper says of Fig. 9 that the outer boundary of a node near the deepest level is only
slightly larger than d_min, which puts its s0 just above 64 d_min (or 128, as the levels are numbered there, but so large
a container would be nearly empty).\n
*The face of a periodic container.* The paper's loose octree, and its strict one with equal spheres, lie between the two ways of looking across it. A strict octree
that kept the spheres that cross a periodic face in its root, as `strict-octree` does, would have half as many candidates again as the paper.\n
*The largest spheres.* The strict octree offers mostly the spheres that cross its large planes, and a sphere that is nearly as wide as the container keeps all others
away from much of a plane, or of none, depending on where it lies. The count with Fuller sizes therefore differs from
packing to packing by more than a tenth: {} to {} among these ten.\n
*Grid.* With Fuller sizes s0 < 2 d_max leaves a single cell: all others are candidates, N − 1. `grid` opens only those of the 27 cells that
come near enough to the probe, and `loose-octree` leaves out nodes whose spheres are all too small to reach it.",
        significant(mean(&all[2].of(|run| run.side))),
        significant(mean(&all[3].of(|run| run.side))),
        significant(strict.0),
        significant(strict.1),
    );
}

fn levels(all: &[Runs]) {
    println!(
        "\n## Spheres on the levels of the octrees (2011, Fig. 9)\n
Percent of the spheres, means of the ten periodic packings; level 0 is the root. What the paper says of its figure: in the strict octree the
spheres are spread over all levels; in the loose one they are on the last few, with equal spheres on the two deepest and none on
levels 0–3, with Fuller sizes hardly any on the very deepest, where only spheres near d_min fit. That share depends on s0 alone: at 64 d_min
the smallest spheres change their level, and below there is no such deepest level."
    );
    for runs in all.iter().filter(|runs| runs.boundary == "periodic") {
        println!(
            "\n```text\n{}\nlevel  {:<37}loose octree",
            runs.name, "strict octree"
        );
        let deepest = runs
            .runs
            .iter()
            .flat_map(|run| run.levels.iter().map(Vec::len))
            .max();
        for level in 0..deepest.unwrap_or(0) {
            let bar = |tree: usize| {
                let on = runs.of(|run| run.levels[tree].get(level).copied().unwrap_or(0) as f64);
                let share = on.iter().sum::<f64>() / (on.len() * runs.spheres) as f64;
                let blocks = "#".repeat((25.0 * share).round() as usize);
                format!("{:6.2} % {blocks}", 100.0 * share)
            };
            let line = format!("{level:5}  {:<37}{}", bar(0), bar(1));
            println!("{}", line.trim_end());
        }
        println!("```");
    }
}

fn costs(spheres: usize) -> Result<(), Box<dyn Error>> {
    println!(
        "\n## What an index costs\n
Ten packings of effort `quick`, periodic, one thread; `jostle compare index SIZES --boundary ppp --effort quick`. Nodes: nodes or cells
opened per query (k-d tree: searches). Insert: from an empty index on. Relocate: half of δ_V, a tenth of d_min here, in any
direction. Query: with the distance tests of the candidates. Packing: a whole run with this index."
    );
    let comparison = IndexComparison {
        spheres,
        boundary: Boundaries::PERIODIC,
        effort: Effort::QUICK,
        runs: RUNS,
        ..IndexComparison::default()
    };
    for sizes in ["mono:d=1", "fuller:d_min=1,d_max=52.7"] {
        println!("\n`{sizes}`:");
        let spec = SizeSpec::load(sizes)?;
        let rows = compare_indexes(&spec, &comparison, &mut |step| {
            eprintln!("{sizes}: run {}, {}", step.run, step.index);
        })?;
        let header = [
            "index",
            "nodes",
            "bytes/sphere",
            "insert, ns",
            "relocate, ns",
            "query, ns",
            "packing, s",
        ];
        table(&header, rows.iter().map(cost));
    }
    Ok(())
}

fn cost(row: &IndexRow) -> Vec<String> {
    vec![
        row.index.to_string(),
        with_spread(row.nodes_opened_mean, row.nodes_opened_spread),
        significant(row.bytes_per_sphere),
        with_spread(row.insert_ns, row.insert_ns_spread),
        with_spread(row.relocate_ns, row.relocate_ns_spread),
        with_spread(row.query_ns, row.query_ns_spread),
        with_spread(row.pack_seconds, row.pack_seconds_spread),
    ]
}
