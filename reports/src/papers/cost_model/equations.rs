//! Rows of the equations on cells, systems and work: Eqs. 1 to 27.

use std::f64::consts::PI;

use jostle::{
    Container, Spheres,
    laboratory::{
        broad_phase::HGridSearch,
        compare::{random_spheres, whole_cells},
    },
    tuning::{CostModel, Dimension, LevelWork, RadiusLaw, Search},
};

use super::{
    counts::{brute_force, counts, reported, subset},
    stated,
};
use crate::{
    outcome::Outcome,
    papers::row::Row,
    tuning::scene::{OVERHEAD, Scene, radii},
};

/// Number of spheres of the counts.
const SPHERES: usize = 50_000;
/// Number of spheres of the pairs by brute force.
const FEW: usize = 2_000;
/// Size ratio and packing fraction of the counts, with α = −3.
const SIZE_RATIO: f64 = 10.0;
const PACKING_FRACTION: f64 = 0.4;
/// Relative deviation of a count from its expectation by chance.
const CHANCE: f64 = 0.01;

/// Returns the rows.
pub fn rows() -> Outcome<Vec<Row>> {
    let mut rows = cells()?;
    rows.extend(systems()?);
    rows.extend(own_level()?);
    rows.extend(two_levels()?);
    Ok(rows)
}

/// Returns the cell of a point in the plane (Eq. 1).
pub fn cell(point: [f64; 2], size: f64) -> [i32; 2] {
    point.map(|x| (x / size).floor() as i32)
}

/// Returns the first and the last cell of the search around a sphere (Eq. 4).
pub fn searched(center: [f64; 2], radius: f64, size: f64) -> [[i32; 2]; 2] {
    let reach = radius + 0.5 * size;
    [-reach, reach].map(|reach| cell(center.map(|x| x + reach), size))
}

/// Eqs. 1 to 5, by the example of Fig. 1 and by the pairs that the search reports.
fn cells() -> Outcome<Vec<Row>> {
    let [column, row] = cell([10.3, 14.4], 8.0);
    let level = [3.0, 8.0].iter().position(|&size| 2.0 * 4.0 <= size);
    let level = level.map_or(0, |below| below + 1);
    let scene = Scene::random(&radii(-3.0, SIZE_RATIO, FEW)?, PACKING_FRACTION)?;
    let smallest = scene.law.smallest_radius();
    let sizes: Vec<f64> = scene
        .tuned()?
        .iter()
        .map(|size| size * smallest * (1.0 + 1e-12))
        .collect();
    let expected = brute_force(&scene.spheres, &scene.container);
    let mut missed = Vec::new();
    for direction in [HGridSearch::TopDown, HGridSearch::BottomUp] {
        let (pairs, _) = reported(&scene.spheres, &scene.container, &sizes, direction)?;
        missed.push((pairs.len(), pairs == expected));
    }
    let equal = missed.iter().all(|&(_, equal)| equal);
    let words = format!(
        "{} pairs Top-Down, {} pairs Bottom-Up",
        missed[0].0, missed[1].0
    );
    Ok(vec![
        stated(
            "Eqs. 1, 2",
            "cell of a point and of a sphere: sphere B of Fig. 1",
            "(1, 1)",
            (format!("({column}, {row})"), [column, row] == [1, 1]),
            "",
        ),
        stated(
            "Eq. 3",
            "level of insertion: sphere B of Fig. 1",
            "2",
            (level.to_string(), level == 2),
            "",
        ),
        stated(
            "Eqs. 4, 5; Section 2",
            "the search box misses no contact, and no pair is reported twice",
            &format!("{} pairs by brute force", expected.len()),
            (words, equal),
            "2000 spheres at random positions, six or fewer levels",
        ),
    ])
}

/// Eqs. 6 to 11, by the volumes and numbers of a sample.
fn systems() -> Outcome<Vec<Row>> {
    let radii = radii(-3.0, SIZE_RATIO, SPHERES)?;
    let (spheres, container) = random_spheres(&radii, PACKING_FRACTION, 1)?;
    // Eqs. 6, 29 and 30 in closed form: f(r) = 2 r⁻³/(1 − ω⁻²).
    let mean_cube = 2.0 * (SIZE_RATIO - 1.0) / (1.0 - SIZE_RATIO.powi(-2));
    let mean_volume = 4.0 / 3.0 * PI * mean_cube;
    let total = SPHERES as f64 * mean_volume;
    let side = (total / PACKING_FRACTION).cbrt();
    let law = RadiusLaw::power_law(-3.0, SIZE_RATIO)?;
    let model = CostModel::new(&law, Dimension::Three, PACKING_FRACTION, OVERHEAD)?;
    let sizes = [4.0, 8.0, 20.0];
    let level = &model.levels(&sizes, Search::TopDown)?[1];
    let number = radii
        .iter()
        .filter(|&&r| 2.0 * r > sizes[0] && 2.0 * r <= sizes[1])
        .count();
    let cells = (container.lengths().x / sizes[1]).powi(3);
    let count = SPHERES as f64;
    let compared = |item, statement, theirs, ours| {
        Row::compared(
            item,
            statement,
            theirs,
            ours,
            CHANCE,
            "a stratified sample of 50 000 radii, α = −3, ω = 10",
        )
    };
    Ok(vec![
        compared(
            "Eq. 6",
            "mean volume of a sphere, in cubes of r_min",
            mean_volume,
            spheres.volume() / count,
        ),
        compared("Eq. 7", "volume of all spheres", total, spheres.volume()),
        compared("Eq. 8", "side of the box", side, container.lengths().x),
        compared(
            "Eq. 9",
            "number of spheres on the second of three levels",
            count * level.number_share,
            number as f64,
        ),
        compared(
            "Eq. 10",
            "number of cells of this level",
            count * level.cells_per_particle,
            cells,
        ),
        compared(
            "Eq. 11",
            "number of spheres per cell of this level",
            level.particles_per_cell,
            number as f64 / cells,
        ),
    ])
}

/// Eqs. 12 to 15, by counts among equal spheres on one level.
fn own_level() -> Outcome<Vec<Row>> {
    let (spheres, container) = random_spheres(&vec![1.0; SPHERES], PACKING_FRACTION, 2)?;
    let sizes = whole_cells(container.lengths().x, &[2.0]);
    let [tests, accesses] = counts(&spheres, &container, &sizes, HGridSearch::TopDown)?;
    let count = SPHERES as f64;
    let per_cell = count * (sizes[0] / container.lengths().x).powi(3);
    let within_cells = pairs_within_cells(&spheres, &container);
    let reason = "50 000 equal spheres at random positions";
    Ok(vec![
        Row::compared(
            "Eq. 12",
            "tests within the cells, ½ m (N − 1)",
            0.5 * per_cell * (count - 1.0),
            within_cells,
            3.0 * CHANCE,
            reason,
        ),
        Row::compared(
            "Eqs. 13, 15",
            "opened cells, (1 + n_c) N",
            14.0 * count,
            accesses,
            1e-9,
            reason,
        ),
        Row::compared(
            "Eq. 14",
            "tests with the neighboring cells, n_c N m",
            13.0 * count * per_cell,
            tests - within_cells,
            CHANCE,
            reason,
        ),
    ])
}

/// Returns the number of pairs in the same whole cell of side about 2.
fn pairs_within_cells(spheres: &Spheres, container: &Container) -> f64 {
    let side = container.lengths().x;
    let cells = (side / (2.0 * (1.0 + 1e-5))).floor();
    let mut numbers = vec![0_u64; (cells as usize).pow(3)];
    for center in spheres.centers() {
        let [x, y, z] = center
            .to_array()
            .map(|x| ((x / side * cells) as usize).min(cells as usize - 1));
        numbers[(z * cells as usize + y) * cells as usize + x] += 1;
    }
    numbers
        .iter()
        .map(|number| number * number.saturating_sub(1) / 2)
        .sum::<u64>() as f64
}

/// Counts among spheres on two levels, in each direction.
struct TwoLevels {
    /// Number of spheres of each level.
    numbers: [f64; 2],
    /// Tests within each level.
    own_tests: [f64; 2],
    /// Tests and accesses between the levels, Top-Down.
    down: [f64; 2],
    /// Tests and accesses between the levels, Bottom-Up.
    up: [f64; 2],
}

impl TwoLevels {
    fn count(spheres: &Spheres, container: &Container, sizes: &[f64]) -> Outcome<Self> {
        let levels = [
            subset(spheres, |radius| 2.0 * radius <= sizes[0]),
            subset(spheres, |radius| 2.0 * radius > sizes[0]),
        ];
        let mut own_tests = [0.0; 2];
        for (own, level) in own_tests.iter_mut().zip(&levels) {
            [*own, _] = counts(level, container, sizes, HGridSearch::TopDown)?;
        }
        let all = spheres.len() as f64;
        let between = |direction| -> Outcome<[f64; 2]> {
            let [tests, accesses] = counts(spheres, container, sizes, direction)?;
            Ok([tests - own_tests[0] - own_tests[1], accesses - 14.0 * all])
        };
        Ok(Self {
            numbers: levels.each_ref().map(|level| level.len() as f64),
            own_tests,
            down: between(HGridSearch::TopDown)?,
            up: between(HGridSearch::BottomUp)?,
        })
    }
}

/// Eqs. 16 to 27, by counts among spheres on two levels.
fn two_levels() -> Outcome<Vec<Row>> {
    let radii = radii(-3.0, SIZE_RATIO, SPHERES)?;
    let (spheres, container) = random_spheres(&radii, PACKING_FRACTION, 3)?;
    let sizes = whole_cells(container.lengths().x, &[5.0, 20.0]);
    let counted = TwoLevels::count(&spheres, &container, &sizes)?;
    let law = RadiusLaw::from_radii(&radii)?;
    let model = CostModel::new(&law, Dimension::Three, PACKING_FRACTION, OVERHEAD)?;
    let relative: Vec<f64> = sizes
        .iter()
        .map(|size| size / law.smallest_radius())
        .collect();
    let [down, up] = [
        model.levels(&relative, Search::TopDown)?,
        model.levels(&relative, Search::BottomUp)?,
    ];
    let searched = |j, h| {
        model
            .cells_searched(&relative, j, h)
            .ok_or("a level is empty")
    };
    let bounds = model
        .cells_searched_bounds(&relative, 0, 1)
        .ok_or("a level is missing")?;
    let [few_cells, many_cells] = [
        counted.down[1] / counted.numbers[1],
        counted.up[1] / counted.numbers[0],
    ];
    let mut rows = vec![
        compared(
            "Eq. 16",
            "fine cells that a large sphere opens, b(1, 2)",
            searched(0, 1)?,
            few_cells,
        ),
        compared(
            "Eq. 16",
            "coarse cells that a small sphere opens, b(2, 1)",
            searched(1, 0)?,
            many_cells,
        ),
        stated(
            "Eqs. 17, 18",
            "limits of b(1, 2)",
            &format!("{:.1} to {:.1}", bounds.0, bounds.1),
            (
                format!("{few_cells:.1}"),
                bounds.0 <= few_cells && few_cells <= bounds.1,
            ),
            "",
        ),
    ];
    rows.extend(work_rows(&counted, &down, &up));
    Ok(rows)
}

fn compared(item: &'static str, statement: &'static str, theirs: f64, ours: f64) -> Row {
    let reason = "50 000 spheres at random positions, α = −3, ω = 10, two levels";
    Row::compared(item, statement, theirs, ours, CHANCE, reason)
}

/// Returns the rows of Eqs. 19 to 27 from the counts and from the levels of the model.
#[expect(clippy::too_many_lines, reason = "rows of a table")]
fn work_rows(counted: &TwoLevels, down: &[LevelWork], up: &[LevelWork]) -> Vec<Row> {
    let all = counted.numbers[0] + counted.numbers[1];
    // Work between the levels: that of a level less that within the level.
    let between = |level: &LevelWork| {
        let own = 13.5 * level.particles_per_cell * level.number_share;
        [
            all * (level.collision_work - own),
            all * (level.access_work - 14.0 * level.number_share),
        ]
    };
    let [down_cross, up_cross] = [between(&down[1]), between(&up[0])];
    let total = |levels: &[LevelWork]| -> f64 {
        let work = |level: &LevelWork| level.collision_work + OVERHEAD * level.access_work;
        all * levels.iter().map(work).sum::<f64>()
    };
    let own_tests = counted.own_tests[0] + counted.own_tests[1];
    let counted_total =
        |[tests, accesses]: [f64; 2]| own_tests + tests + OVERHEAD * (14.0 * all + accesses);
    vec![
        compared(
            "Eq. 19",
            "tests of large with small spheres, Top-Down",
            down_cross[0],
            counted.down[0],
        ),
        compared(
            "Eq. 20",
            "fine cells that the large spheres open, Top-Down",
            down_cross[1],
            counted.down[1],
        ),
        compared(
            "Eq. 21",
            "tests of small with large spheres, Bottom-Up",
            up_cross[0],
            counted.up[0],
        ),
        compared(
            "Eq. 22",
            "coarse cells that the small spheres open, Bottom-Up",
            up_cross[1],
            counted.up[1],
        ),
        compared(
            "Eq. 23",
            "tests of the large spheres, Top-Down",
            all * down[1].collision_work,
            counted.own_tests[1] + counted.down[0],
        ),
        compared(
            "Eq. 24",
            "cells that the large spheres open, Top-Down",
            all * down[1].access_work,
            14.0 * counted.numbers[1] + counted.down[1],
        ),
        compared(
            "Eq. 25",
            "tests of the small spheres, Bottom-Up",
            all * up[0].collision_work,
            counted.own_tests[0] + counted.up[0],
        ),
        compared(
            "Eq. 26",
            "cells that the small spheres open, Bottom-Up",
            all * up[0].access_work,
            14.0 * counted.numbers[0] + counted.up[1],
        ),
        Row::compared(
            "Eq. 27",
            "total work T for K = 0.2, Top-Down",
            total(down),
            counted_total(counted.down),
            CHANCE,
            "By Eq. 27, K is the cost of a cell access in overlap tests; the text defines the inverse.",
        ),
        compared(
            "Eq. 27",
            "total work T for K = 0.2, Bottom-Up",
            total(up),
            counted_total(counted.up),
        ),
    ]
}
