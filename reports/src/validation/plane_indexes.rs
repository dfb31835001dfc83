//! The indexes in the plane: cost beside that of spheres, and the cost model of the hierarchical grid.

use std::f64::consts::PI;

use jostle::{
    Container, Dimension, Effort, IndexKind, PackOptions, Packing, Spheres,
    laboratory::{
        broad_phase::{BroadPhase, HGridSearch, SortedHGrid},
        compare::{IndexMeasurement, measure_index, whole_cells},
    },
    pack,
    tuning::{CostModel, RadiusLaw, Search},
};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

use super::{
    jammed_disks::{options, radii},
    markdown,
    outcome::Outcome,
    text,
};

/// Smallest number of disks or spheres.
const FEWEST: f64 = 2500.0;

/// Packings whose container has a length between one and two times that of the first. The cells of an octree, and thus its cost, depend on
/// the ratio of this length to a diameter: they are halves of it, quarters and so on.
const PARTS_OF_OCTAVE: u32 = 4;

/// Verlet distance of the queries, in mean diameters.
const VERLET_DISTANCE: f64 = 0.1;

/// The example of Krijgsman, Ogarko & Luding: cell sizes in smallest radii, packing fraction and overhead K.
const LEVELS: [f64; 5] = [4.0, 7.9, 15.1, 27.2, 40.0];
const SPARSE: f64 = 0.4;
const OVERHEAD: f64 = 0.2;

/// Returns the section.
pub fn section() -> Outcome<String> {
    Ok(text::DISK_INDEXES.to_owned() + &indexes()? + &plane_model()?)
}

/// Returns quick packings of equal disks or spheres, over an octave of lengths.
fn octave(dimension: Dimension) -> Outcome<Vec<Packing>> {
    let options = match dimension {
        Dimension::Two => options(0.0)?,
        Dimension::Three => PackOptions::default().effort(Effort::QUICK),
    };
    let packed = |part| -> Outcome<Packing> {
        let times = (f64::from(part) / f64::from(PARTS_OF_OCTAVE)).exp2();
        let number = FEWEST * times.powi(dimension.number() as i32);
        Ok(pack(&vec![0.5; number as usize][..], &options)?.packing)
    };
    (0..PARTS_OF_OCTAVE).map(packed).collect()
}

/// Returns the cost of queries among equal disks and equal spheres.
fn indexes() -> Outcome<String> {
    let packings = [octave(Dimension::Two)?, octave(Dimension::Three)?];
    let mut lines = Vec::new();
    for &index in IndexKind::ALL {
        let measured = packings.each_ref().map(|packings| {
            let measure = |packing: &Packing| {
                measure_index(
                    index,
                    packing.spheres(),
                    packing.container(),
                    VERLET_DISTANCE,
                )
            };
            Vec::from_iter(packings.iter().map(measure))
        });
        let mut line = vec![index.to_string()];
        let mut add = |value: fn(&IndexMeasurement) -> f64, digits: usize| {
            for measured in &measured {
                let mean = measured.iter().map(value).sum::<f64>() / measured.len() as f64;
                line.push(format!("{mean:.digits$}"));
            }
        };
        add(|found| found.candidates, 1);
        add(|found| found.query_ns, 0);
        add(|found| found.relocate_ns, 0);
        add(|found| found.bytes_per_sphere, 1);
        lines.push(line);
        eprintln!("{index} in the plane");
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
