//! Times of the indexes: Sections 3 and 5.

use jostle::{
    Boundaries, Effort, IndexKind, PackOptions, laboratory::compare::measure_index, pack,
};

use super::scenes::{Scenes, fuller_radii, verlet_distance};
use crate::{outcome::Outcome, papers::row::Row};

/// One of this number of spheres of Fuller sizes is packed with each index.
const SHARE: usize = 4;

const TIMES: &str = "Times of this machine";

pub fn rows(scenes: &Scenes) -> Outcome<Vec<Row>> {
    let packing = &scenes.fuller[0];
    let measured = |kind| {
        let distance = verlet_distance(packing);
        measure_index(kind, packing.spheres(), packing.container(), distance)
    };
    let [loose, strict] = [IndexKind::LooseOctree, IndexKind::StrictOctree].map(measured);
    let mut rows = vec![
        insertion_into_the_grid()?,
        Row::checked(
            "Section 3.3",
            "Insertion into the loose octree needs no traversal, and is faster than into the strict octree",
            "faster",
            format!(
                "{:.0} ns, strict {:.0} ns",
                loose.insert_ns, strict.insert_ns
            ),
            loose.insert_ns < strict.insert_ns,
            format!(
                "{TIMES}, Fuller sizes. `strict-octree` needs no traversal either: it finds the node from the bits in which the two ends of a \
                 sphere differ."
            ),
        ),
        Row::checked(
            "Section 4",
            "Queries of the loose octree are more precise than those of the strict octree",
            "faster",
            format!("{:.0} ns, strict {:.0} ns", loose.query_ns, strict.query_ns),
            loose.query_ns < strict.query_ns,
            format!("{TIMES}, with the distance tests of all candidates"),
        ),
    ];
    rows.extend(packing_times()?);
    Ok(rows)
}

/// Returns the row of the time to insert a sphere into the grid.
fn insertion_into_the_grid() -> Outcome<Row> {
    let mut times = Vec::new();
    for spheres in [1_000, 10_000] {
        let options = PackOptions::default()
            .effort(Effort::QUICK)
            .container(Boundaries::PERIODIC);
        let packing = pack(vec![0.5; spheres], &options)?.packing;
        let measured = measure_index(
            IndexKind::Grid,
            packing.spheres(),
            packing.container(),
            verlet_distance(&packing),
        );
        times.push(measured.insert_ns);
    }
    Ok(Row::checked(
        "Section 3.1",
        "Insertion into a grid takes O(1), independently of the number of spheres",
        "independent",
        format!("{:.0} ns of 1000, {:.0} ns of 10 000", times[0], times[1]),
        times[1] < 2.0 * times[0],
        TIMES,
    ))
}

/// Returns the rows of the time of whole runs.
fn packing_times() -> Outcome<[Row; 2]> {
    let radii: Vec<f64> = fuller_radii()?.into_iter().step_by(SHARE).collect();
    let time = |index| {
        let options = PackOptions::default()
            .effort(Effort::QUICK)
            .index(index)
            .threads(1);
        pack(&radii, &options).map(|run| run.elapsed.as_secs_f64())
    };
    let loose = time(IndexKind::LooseOctree)?;
    let strict = time(IndexKind::StrictOctree)?;
    let grid = time(IndexKind::Grid)?;
    let hgrid = time(IndexKind::Hgrid)?;
    Ok([
        Row::checked(
            "Section 5",
            "The loose octree with Verlet lists gives the best run time of grid, octree and loose octree",
            "loose octree",
            format!("{loose:.2} s, strict {strict:.2} s, grid {grid:.2} s"),
            loose < strict.min(grid),
            format!(
                "{TIMES}, {} spheres of Fuller sizes, one thread. jostle has Verlet lists with every index.",
                radii.len()
            ),
        ),
        Row::checked(
            "Section 3.1",
            "Several grids of different cell sizes become complicated with high polydispersity, so that the loose octree suits better",
            "loose octree",
            format!("{loose:.2} s, `hgrid` {hgrid:.2} s"),
            loose < hgrid,
            "As in the row before. Packings have the same bits with each index.",
        ),
    ])
}
