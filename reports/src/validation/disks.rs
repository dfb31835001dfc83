//! Disks in the plane: packing fractions, order, the cost of indexes, and linear time.

use std::f64::consts::PI;

use jostle::{
    Container, Dimension, Effort, IndexKind, PackOptions, Packing, SizeSpec, Spheres,
    analysis::{Analysis, AnalysisOptions},
    container::ContainerSpec,
    distribution::Sampling,
    laboratory::{
        broad_phase::{BroadPhase, HGridSearch, SortedHGrid},
        compare::{measure_index, whole_cells},
    },
    pack,
    rearrange::PackError,
    tuning::{CostModel, RadiusLaw, Search},
};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use rayon::prelude::*;

use super::{markdown, mean::Mean, narrow::moments, outcome::Outcome, text};

const DISKS: usize = 10_000;
const SEEDS: u64 = 5;
const TWO_SIZES: &str = "bidisperse:d_small=1,d_large=1.4,number_small=0.5";

/// Efforts of the first tables.
const EFFORTS: [f64; 3] = [0.0, 1.0, 2.0];

/// Distributions with a skewness near 0.
const SYMMETRIC: [(&str, &str); 5] = [
    ("two sizes, 1 : 1.4, half of the number", TWO_SIZES),
    ("uniform, 1 to 1.42", "uniform-size:d_min=1,d_max=1.42"),
    ("uniform, 1 to 2.06", "uniform-size:d_min=1,d_max=2.06"),
    ("uniform, 1 to 3.17", "uniform-size:d_min=1,d_max=3.17"),
    ("uniform, 1 to 5.5", "uniform-size:d_min=1,d_max=5.5"),
];

/// Numbers of the last table.
const NUMBERS: [usize; 3] = [10_000, 100_000, 1_000_000];

/// Verlet distance of the queries, in mean diameters.
const VERLET_DISTANCE: f64 = 0.1;

/// The example of Krijgsman, Ogarko & Luding: cell sizes in smallest radii, packing fraction and overhead K.
const LEVELS: [f64; 5] = [4.0, 7.9, 15.1, 27.2, 40.0];
const SPARSE: f64 = 0.4;
const OVERHEAD: f64 = 0.2;

/// Returns the section.
pub fn section() -> Outcome<String> {
    let mut page = text::DISKS.to_owned();
    page += &by_effort(TWO_SIZES)?;
    page += text::EQUAL_DISKS;
    page += &by_effort("mono:d=1")?;
    page += text::SYMMETRIC_DISKS;
    page += &symmetric()?;
    page += text::DISK_INDEXES;
    page += &indexes()?;
    page += &plane_model()?;
    page += text::MANY_DISKS;
    page += &numbers()?;
    Ok(page)
}

/// Returns the radii of a stratified sample of disks.
fn radii(sizes: &str, count: usize) -> Outcome<Vec<f64>> {
    let spec = SizeSpec::load(sizes)?.in_dimension(Dimension::Two)?;
    Ok(spec.sample_number(count, Sampling::Stratified, 0).radii())
}

/// Returns options for a periodic square.
fn options(effort: f64) -> Outcome<PackOptions> {
    let square: ContainerSpec = "rectangle".parse()?;
    Ok(PackOptions::default()
        .container(square.container(None)?)
        .effort(Effort::try_from(effort)?))
}

/// Packs a sample once for each seed, all at the same time.
fn packings(sizes: &str, effort: f64) -> Outcome<Vec<Packing>> {
    let (radii, options) = (radii(sizes, DISKS)?, options(effort)?);
    let packed = |seed| Ok(pack(&radii[..], &options.clone().seed(seed))?.packing);
    let seeds = (0..SEEDS).into_par_iter();
    Ok(seeds.map(packed).collect::<Result<_, PackError>>()?)
}

fn by_effort(sizes: &str) -> Outcome<String> {
    let mut lines = Vec::new();
    for effort in EFFORTS {
        let packings = packings(sizes, effort)?;
        let analyze = |packing| Analysis::new(packing, &AnalysisOptions::default().points(1000));
        let analyses: Vec<Analysis> = packings.iter().map(analyze).collect::<Result<_, _>>()?;
        let mean = |value: &dyn Fn(&Analysis) -> f64| {
            Mean::of(&analyses.iter().map(value).collect::<Vec<_>>()).describe()
        };
        let hexatic = |part: fn(&jostle::analysis::HexaticSummary) -> f64| {
            mean(&|analysis| analysis.hexatic.as_ref().map_or(f64::NAN, part))
        };
        lines.push(vec![
            effort.to_string(),
            mean(&|analysis| analysis.packing_fraction),
            hexatic(|order| order.psi6_mean),
            hexatic(|order| order.psi6_global),
        ]);
        eprintln!("disks of {sizes}, effort {effort}");
    }
    let header = [
        "effort",
        "packing fraction",
        "mean modulus of ψ₆",
        "modulus of the mean of ψ₆",
    ];
    Ok(markdown::table(&header, lines))
}

fn symmetric() -> Outcome<String> {
    let mut lines = Vec::new();
    for (title, sizes) in SYMMETRIC {
        let [delta, skewness] = moments(&radii(sizes, DISKS)?);
        let packings = packings(sizes, 1.0)?;
        let fractions: Vec<f64> = packings.iter().map(Packing::packing_fraction).collect();
        let found = Mean::of(&fractions);
        lines.push(vec![
            format!("{title} (δ = {delta:.3}, S = {skewness:.2})"),
            "0.840".to_owned(),
            found.describe(),
            format!("{:+.4}", found.value - 0.84),
        ]);
        eprintln!("disks, {title}");
    }
    let header = ["sizes", "Meer & Weeks", "measured", "difference"];
    Ok(markdown::table(&header, lines))
}

/// Returns the cost of queries among equal disks and equal spheres.
fn indexes() -> Outcome<String> {
    let equal = vec![0.5; DISKS];
    let disks = pack(&equal[..], &options(0.0)?)?.packing;
    let spheres = pack(&equal[..], &PackOptions::default().effort(Effort::QUICK))?.packing;
    let mut lines = Vec::new();
    for &index in IndexKind::ALL {
        let [plane, space] = [&disks, &spheres].map(|packing| {
            let (spheres, container) = (packing.spheres(), packing.container());
            measure_index(index, spheres, container, VERLET_DISTANCE)
        });
        lines.push(vec![
            index.to_string(),
            format!("{:.1}", plane.candidates),
            format!("{:.1}", space.candidates),
            format!("{:.0}", plane.query_ns),
            format!("{:.0}", space.query_ns),
            format!("{:.0}", plane.relocate_ns),
            format!("{:.0}", space.relocate_ns),
            format!("{:.0}", plane.bytes_per_sphere),
            format!("{:.0}", space.bytes_per_sphere),
        ]);
    }
    let header = [
        "index",
        "candidates of a disk",
        "of a sphere",
        "query of a disk [ns]",
        "of a sphere",
        "relocation of a disk [ns]",
        "of a sphere",
        "memory of a disk [bytes]",
        "of a sphere",
    ];
    Ok(markdown::table(&header, lines))
}

/// Returns work in the hierarchical grid of the published example, from the model and by counts at random positions.
fn plane_model() -> Outcome<String> {
    let law = RadiusLaw::power_law(-3.0, 20.0)?;
    let model = CostModel::new(&law, Dimension::Two, SPARSE, OVERHEAD)?;
    let radii = radii("power-law:exponent=-3,d_min=1,d_max=20", 20_000)?;
    let smallest = radii.iter().copied().fold(f64::INFINITY, f64::min);
    let area: f64 = radii.iter().map(|r| PI * r * r).sum();
    let side = (area / SPARSE).sqrt();
    let mut random = Pcg64::seed_from_u64(0);
    let mut uniform = || side * random.random::<f64>();
    let centers = radii.iter().map(|_| [uniform(), uniform(), 0.5].into());
    let disks = Spheres::new(centers.collect(), radii);
    // The grid of the paper has one layer of cells.
    let square = Container::cuboid([side, side, 1.0].into(), "ppw".parse()?)?;
    let mut works = Vec::new();
    for levels in [&LEVELS[4..], &LEVELS[..]] {
        let sizes: Vec<f64> = levels.iter().map(|size| size * smallest).collect();
        let mut grid = SortedHGrid::new(whole_cells(side, &sizes), HGridSearch::TopDown)?
            .in_container(square.clone());
        let counts = grid.detect(&disks, &mut |_, _| {});
        let work = counts.pair_tests as f64 + OVERHEAD * counts.cell_accesses as f64;
        works.push([
            model.work(levels, Search::TopDown)?,
            work / disks.len() as f64,
        ]);
    }
    let row = |name: &str, [predicted, counted]: [f64; 2]| {
        vec![
            name.to_owned(),
            format!("{predicted:.2}"),
            format!("{counted:.2}"),
            format!("{:+.1} %", 100.0 * (counted / predicted - 1.0)),
        ]
    };
    let gain = [0, 1].map(|k| works[0][k] / works[1][k]);
    let lines = [
        row("one level", works[0]),
        row("five levels", works[1]),
        row("gain", gain),
    ];
    let header = ["work T of a disk", "model", "counted", "difference"];
    Ok(text::PLANE_MODEL.to_owned() + &markdown::table(&header, lines))
}

fn numbers() -> Outcome<String> {
    let mut lines = Vec::new();
    for number in NUMBERS {
        let (radii, options) = (radii(TWO_SIZES, number)?, options(1.0)?);
        let run = pack(radii, &options)?;
        let seconds = run.elapsed.as_secs_f64();
        let account = run.packing.provenance.as_ref();
        let relocations = account.map_or(f64::NAN, |run| run.relocations as f64);
        lines.push(vec![
            number.to_string(),
            format!("{:.4}", run.packing.packing_fraction()),
            format!("{:.0}", relocations / number as f64),
            format!("{seconds:.1}"),
            format!("{:.1}", 1e6 * seconds / number as f64),
        ]);
        eprintln!("{number} disks");
    }
    let header = [
        "disks",
        "packing fraction",
        "relocations of a disk",
        "time [s]",
        "time of a disk [µs]",
    ];
    Ok(markdown::table(&header, lines))
}
