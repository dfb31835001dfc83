//! Sections 3.1 and 4: the grid, the Fuller curve and Table 1.

use jostle::{Packing, SizeSpec, glam::DVec3, laboratory::compare::adjoining_cell_candidates};

use super::{
    scenes::{Scenes, candidates, mean_candidates, side},
    trees::{LOOSE, STRICT},
};
use crate::{outcome::Outcome, papers::row::Row};

/// Largest accepted deviation from a number of Table 1.
const TOLERANCE: f64 = 0.1;

const COMPARISON: &str = "One periodic packing. [comparison.md](comparison.md) has the means over ten packings, with and without walls, and the \
                          reasons for differences";

pub fn rows(scenes: &Scenes) -> Outcome<Vec<Row>> {
    let mut rows = vec![adjoining_cells(&scenes.equal)];
    rows.extend(fuller(scenes)?);
    rows.extend(table_1(scenes));
    Ok(rows)
}

/// Returns the row of the cells around a sphere.
fn adjoining_cells(packing: &Packing) -> Row {
    let (side, centers) = (side(packing), packing.spheres().centers());
    let cells = side.floor();
    let cell = |center: &DVec3| (*center * (cells / side)).floor();
    let (mut pairs, mut outside) = (0u64, 0u64);
    for (i, a) in centers.iter().enumerate() {
        for b in &centers[..i] {
            // Spheres of diameter 1 are neighbors up to this distance of their centers.
            if packing.container().displacement(*a, *b).length() >= side / cells {
                continue;
            }
            pairs += 1;
            let apart = (cell(a) - cell(b)).abs();
            let around = apart.min(cells - apart);
            outside += u64::from(around.max_element() > 1.0);
        }
    }
    Row::checked(
        "Eq. 1, Fig. 2",
        "With cells of at least d_max, all neighbors that may overlap are in the 26 adjoining cells or in the own cell",
        "all",
        format!("{} of {pairs} pairs", pairs - outside),
        outside == 0,
        format!(
            "Equal spheres in {cells}³ cells; pairs of centers closer than a cell, by brute force"
        ),
    )
}

/// Returns the rows of the size distribution.
fn fuller(scenes: &Scenes) -> Outcome<[Row; 2]> {
    let text = "fuller:d_min=1,d_max=684.75,classes=70,first_class=all-below";
    let law = SizeSpec::load(text)?.distribution;
    let classes = law.classes().ok_or("the Fuller curve has no classes")?;
    let (mut share, mut difference) = (0f64, 0f64);
    for class in classes {
        share += class.mass_share;
        difference = difference.max((share - (class.diameter / 684.75).sqrt()).abs());
    }
    let radii = scenes.fuller[0].spheres().radii();
    let largest = radii.iter().copied().fold(0.0, f64::max);
    Ok([
        Row::checked(
            "Eq. 6",
            "The share by mass of spheres with d ≤ d_i is (d_i/d_max)^0.5",
            "0",
            format!("largest difference {difference:.1e} in 70 classes"),
            difference < 1e-9,
            format!(
                "`{text}`. The paper does not state the d_i; they are in geometric progression here."
            ),
        ),
        Row::compared(
            "Section 4",
            "Largest of 10 000 diameters",
            52.7,
            2.0 * largest,
            0.01,
            "The quantile by number at the middle of the last ten-thousandth part",
        ),
    ])
}

fn table_1(scenes: &Scenes) -> Vec<Row> {
    let equal = &scenes.equal;
    let grid =
        |packing: &Packing| adjoining_cell_candidates(packing.spheres(), packing.container());
    let of_equal = [STRICT, LOOSE].map(|k| candidates(k, equal, 0.0));
    let of_fuller = [STRICT, LOOSE].map(|k| {
        let all = scenes
            .fuller
            .iter()
            .map(|packing| mean_candidates(k, packing));
        all.sum::<f64>() / scenes.fuller.len() as f64
    });
    let fewer = |tree: usize| 100.0 * (1.0 - of_fuller[tree] / of_equal[tree]);
    let times = [of_equal, of_fuller].map(|[strict, loose]| strict / loose);
    let statements = [
        ("Neighbors per equal sphere, grid", 32.9, grid(equal)),
        ("Neighbors per equal sphere, octree", 2027.6, of_equal[0]),
        (
            "Neighbors per equal sphere, loose octree",
            51.7,
            of_equal[1],
        ),
        (
            "Neighbors per polydisperse sphere, grid: a single cell",
            9999.0,
            grid(&scenes.fuller[0]),
        ),
        (
            "Neighbors per polydisperse sphere, octree",
            1188.1,
            of_fuller[0],
        ),
        (
            "Neighbors per polydisperse sphere, loose octree",
            31.2,
            of_fuller[1],
        ),
    ];
    let row = |(statement, theirs, ours)| {
        Row::compared("Table 1", statement, theirs, ours, TOLERANCE, COMPARISON)
    };
    let mut rows: Vec<Row> = statements.map(row).into();
    rows.push(Row::checked(
        "Section 4",
        "Both octrees have about 40 % fewer neighbors with polydisperse spheres",
        "40 %",
        format!("strict {:.0} %, loose {:.0} %", fewer(0), fewer(1)),
        [0, 1].iter().all(|&tree| (fewer(tree) - 40.0).abs() < 5.0),
        COMPARISON,
    ));
    rows.push(Row::checked(
        "Section 4",
        "The octree delivers about 40 times more neighbors than the loose octree",
        "40",
        format!("equal {:.1}, Fuller {:.1}", times[0], times[1]),
        times.iter().all(|times| (times - 40.0).abs() < 6.0),
        COMPARISON,
    ));
    rows
}
