//! Section on the number of spheres and the boundary (2014, Fig. 12).

use super::{
    figure::{Figure, exact},
    figures::{Outcome, Result},
    plot::{Axis, Curve, Mark, PALETTE, Panel},
    scene::{MOST, Scene, Scenes, radii},
};
use crate::{markdown::table, numbers::signed, page::Page};

const EXPONENTS: [f64; 4] = [0.0, -1.0, -2.0, -3.0];
const COUNTS: [usize; 4] = [1_000, 10_000, 100_000, MOST];
const SIZE_RATIO: f64 = 10.0;
const PACKING_FRACTION: f64 = 0.62;

/// Largest number of spheres that are packed for every exponent and boundary.
const MOST_PACKED: usize = 100_000;

/// Counted work, and the work of the model for the same spheres and cells.
pub struct Work {
    /// Packing fraction, which is less than requested if the spheres between walls do not reach it.
    pub packing_fraction: f64,
    pub counted: f64,
    pub model: f64,
}

impl Work {
    /// Counts a Top-Down search with the optimal sizes.
    pub fn of(scene: &Scene) -> Result<Self> {
        let sizes = scene.tuned()?;
        Ok(Self {
            packing_fraction: scene.packing_fraction(),
            counted: scene.counted(&sizes)?[2],
            model: scene.predicted(&sizes)?[2],
        })
    }

    /// Returns the counted work over that of the model.
    pub fn ratio(&self) -> f64 {
        self.counted / self.model
    }
}

/// Work of spheres with one exponent, number and boundary.
struct Case {
    exponent: f64,
    count: usize,
    /// "periodic" or "walls".
    boundary: &'static str,
    random: Work,
    packed: Option<Work>,
}

/// Returns the work at the same random positions in a periodic cube and between walls.
pub fn at_random(exponent: f64, count: usize) -> Result<[Work; 2]> {
    let radii = radii(exponent, SIZE_RATIO, count)?;
    let periodic = Scene::random(&radii, PACKING_FRACTION)?;
    let in_cube = Work::of(&periodic)?;
    Ok([in_cube, Work::of(&periodic.into_walls()?)?])
}

/// Returns the work in a packing between walls.
pub fn between_walls(exponent: f64, count: usize) -> Result<Work> {
    let radii = radii(exponent, SIZE_RATIO, count)?;
    Work::of(&Scene::packed_between_walls(&radii, PACKING_FRACTION)?)
}

/// Returns the work in a packing in a periodic cube.
pub fn periodic(scenes: &mut Scenes, exponent: f64, count: usize) -> Result<Work> {
    let scene = scenes.packed(exponent, SIZE_RATIO, count, PACKING_FRACTION)?;
    Work::of(&scene)
}

/// Returns the periodic cube and the cube with walls.
fn cases(scenes: &mut Scenes, exponent: f64, count: usize) -> Result<[Case; 2]> {
    eprintln!("{count} spheres, exponent {exponent}, periodic and between walls");
    let [random, random_between_walls] = at_random(exponent, count)?;
    let is_packed = count <= MOST_PACKED;
    // A packing of the largest number serves several sections.
    let is_packed_periodic = is_packed || exponent == -3.0;
    Ok([
        Case {
            exponent,
            count,
            boundary: "periodic",
            random,
            packed: if is_packed_periodic {
                Some(periodic(scenes, exponent, count)?)
            } else {
                None
            },
        },
        Case {
            exponent,
            count,
            boundary: "walls",
            random: random_between_walls,
            packed: if is_packed {
                Some(between_walls(exponent, count)?)
            } else {
                None
            },
        },
    ])
}

/// Writes the section.
pub fn section(page: &mut Page, scenes: &mut Scenes) -> Outcome {
    page.line(format!(
        "\n## Number of spheres and boundary (2014, Fig. 12)\n
Work T for ν = {PACKING_FRACTION}, ω = {SIZE_RATIO}, K = 0.2. Top-Down search with the optimal sizes. The model has no boundary. Between
walls, a sphere near a wall has fewer neighbors, and a search opens no cells beyond the wall. Dots are counts in packings in a
periodic cube, circles are counts in packings between walls. At random positions, the boundary is the only difference from the
model. A million spheres are packed for α = −3 only; the other exponents have random positions. Spheres between walls that do not
reach ν have the packing fraction in the data, and the model has the same."
    ));
    let mut all = Vec::new();
    for exponent in EXPONENTS {
        for count in COUNTS {
            all.extend(cases(scenes, exponent, count)?);
        }
    }
    let mut work = panel("Packings", "work T", &all, |case| {
        case.packed.as_ref().map(|work| work.counted)
    });
    work.curves.extend(model_lines(&all));
    Figure {
        name: "tuning-fig-12",
        caption: "Counted and predicted work over the number of spheres, in a periodic cube and between walls",
        panels: vec![
            work,
            panel("Packings over model", "counted T / model T", &all, |case| {
                case.packed.as_ref().map(Work::ratio)
            }),
            panel("Random positions over model", "counted T / model T", &all, |case| {
                Some(case.random.ratio())
            }),
        ],
        columns: 3,
        header: &[
            "exponent",
            "spheres",
            "boundary",
            "positions",
            "packing_fraction",
            "counted",
            "model",
        ],
        rows: all.iter().flat_map(rows).collect(),
    }
    .show(page)?;
    let header: Vec<String> = ["N", "boundary"]
        .map(str::to_owned)
        .into_iter()
        .chain(EXPONENTS.map(|exponent| format!("α = {exponent}")))
        .collect();
    page.line(
        "\nCounted work, and its deviation from the model, in packings and at random positions:",
    );
    page.text(&table(&header, table_rows(&all)));
    page.line("\nIn a small periodic cube, whole cells are larger than the optimal cells. With fewer than three cells along a side, a search
opens each cell once, not twice.");
    Ok(())
}

/// Returns a panel with marks for each exponent and boundary.
fn panel(
    title: &str,
    y: &'static str,
    all: &[Case],
    value: impl Fn(&Case) -> Option<f64>,
) -> Panel {
    let mut curves = Vec::new();
    for (exponent, color) in EXPONENTS.into_iter().zip(PALETTE) {
        for (boundary, mark) in [("periodic", Mark::Dots), ("walls", Mark::Circles)] {
            let here = all
                .iter()
                .filter(|case| case.exponent == exponent && case.boundary == boundary);
            let point = |case: &Case| value(case).map(|value| (case.count as f64, value));
            curves.push(Curve {
                label: format!("α = {exponent}, {boundary}"),
                color,
                mark,
                points: here.filter_map(point).collect(),
            });
        }
    }
    Panel {
        title: title.to_owned(),
        x: Axis::log("number of spheres N"),
        y: Axis::linear(y),
        curves,
    }
}

/// Returns a line for each exponent: the work of the model for the periodic cube.
fn model_lines(all: &[Case]) -> impl Iterator<Item = Curve> {
    EXPONENTS.into_iter().zip(PALETTE).map(|(exponent, color)| {
        let here = all
            .iter()
            .filter(move |case| case.exponent == exponent && case.boundary == "periodic");
        Curve {
            label: format!("α = {exponent}, model"),
            color,
            mark: Mark::Line,
            points: here
                .map(|case| (case.count as f64, case.random.model))
                .collect(),
        }
    })
}

fn rows(case: &Case) -> Vec<Vec<String>> {
    let row = |positions: &str, work: &Work| {
        vec![
            exact(case.exponent),
            case.count.to_string(),
            case.boundary.to_owned(),
            positions.to_owned(),
            exact(work.packing_fraction),
            exact(work.counted),
            exact(work.model),
        ]
    };
    let packed = case.packed.iter().map(|work| row("packed", work));
    packed.chain([row("random", &case.random)]).collect()
}

/// Returns a row for each number of spheres and boundary.
fn table_rows(all: &[Case]) -> Vec<Vec<String>> {
    let percent = |work: &Work| format!("{} %", signed(100.0 * (work.ratio() - 1.0), 1));
    let cell = |case: &Case| {
        let packed = case.packed.as_ref().map_or_else(String::new, |work| {
            format!("{:.1}, {}; ", work.counted, percent(work))
        });
        format!("{packed}random {}", percent(&case.random))
    };
    let mut rows = Vec::new();
    for count in COUNTS {
        for boundary in ["periodic", "walls"] {
            let here = all
                .iter()
                .filter(|case| case.count == count && case.boundary == boundary);
            let names = [count.to_string(), boundary.to_owned()];
            rows.push(names.into_iter().chain(here.map(cell)).collect());
        }
    }
    rows
}
