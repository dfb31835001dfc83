//! Section on a million spheres at several packing fractions and size ratios (2014, Fig. 11).

use jostle::tuning::Search;

use super::{
    boundaries::Work,
    figure::{Figure, exact},
    figures::{Outcome, Result, percent},
    model::model_curve,
    plot::{Axis, Curve, Mark, PALETTE, Panel},
    scene::{MOST, Scene, Scenes, radii},
};
use crate::{markdown::table, page::Page};

/// Packing fractions of the curves.
const PACKING_FRACTIONS: [f64; 3] = [0.1, 0.4, 0.62];

/// Size ratios with counts.
const SIZE_RATIOS: [f64; 5] = [1.0, 3.0, 10.0, 30.0, 100.0];

/// Work T of spheres with one packing fraction and size ratio.
pub struct Compared {
    pub packing_fraction: f64,
    pub size_ratio: f64,
    /// Work of the model for these spheres and whole cells.
    pub model: f64,
    /// Counted work at random positions.
    pub random: f64,
    /// Counted work in a packing.
    pub packed: f64,
    /// Work at the same random positions between walls.
    pub walls: Work,
}

/// Returns the work of `count` spheres with α = −3 and the optimal sizes, in a periodic cube.
pub fn compare(
    scenes: &mut Scenes,
    packing_fraction: f64,
    size_ratio: f64,
    count: usize,
) -> Result<Compared> {
    let random = Scene::random(&radii(-3.0, size_ratio, count)?, packing_fraction)?;
    let sizes = random.tuned()?;
    let packed = scenes.packed(-3.0, size_ratio, count, packing_fraction)?;
    Ok(Compared {
        packing_fraction,
        size_ratio,
        model: random.predicted(&sizes)?[2],
        random: random.counted(&sizes)?[2],
        packed: packed.counted(&packed.whole(&sizes))?[2],
        walls: Work::of(&random.into_walls()?)?,
    })
}

/// Writes the section.
pub fn section(page: &mut Page, scenes: &mut Scenes) -> Outcome {
    page.line(format!(
        "\n## Packing fractions and size ratios (2014, Fig. 11)\n
Work T of {MOST} spheres for α = −3 and K = 0.2 in a periodic cube. Top-Down search with the optimal sizes. Lines are the model
for the law, dots are counts in packings, and crosses are counts at random positions. The last columns of the table are for the
same random positions between walls."
    ));
    let mut all = Vec::new();
    for packing_fraction in PACKING_FRACTIONS {
        for size_ratio in SIZE_RATIOS {
            eprintln!(
                "{MOST} spheres, packing fraction {packing_fraction}, size ratio {size_ratio}"
            );
            all.push(compare(scenes, packing_fraction, size_ratio, MOST)?);
        }
    }
    figure(&all)?.show(page)?;
    let header = [
        "ν",
        "ω",
        "model",
        "random",
        "",
        "packed",
        "",
        "random, walls",
        "",
    ];
    let row = |compared: &Compared| {
        vec![
            compared.packing_fraction.to_string(),
            compared.size_ratio.to_string(),
            format!("{:.2}", compared.model),
            format!("{:.2}", compared.random),
            percent(compared.random, compared.model),
            format!("{:.2}", compared.packed),
            percent(compared.packed, compared.model),
            format!("{:.2}", compared.walls.counted),
            percent(compared.walls.counted, compared.walls.model),
        ]
    };
    page.text(&table(&header, all.iter().map(row)));
    Ok(())
}

/// Returns the curves of the model, and the counts at its sides.
fn curves(all: &[Compared]) -> Result<Vec<Curve>> {
    let mut curves = Vec::new();
    for (packing_fraction, color) in PACKING_FRACTIONS.into_iter().zip(PALETTE) {
        let counts = |value: fn(&Compared) -> f64| {
            let here = all.iter();
            here.filter(|compared| compared.packing_fraction == packing_fraction)
                .map(|compared| (compared.size_ratio, value(compared)))
                .collect()
        };
        for (name, mark, points) in [
            (
                "model",
                Mark::Line,
                model_curve(-3.0, packing_fraction, Search::TopDown)?,
            ),
            ("packed", Mark::Dots, counts(|compared| compared.packed)),
            ("random", Mark::Crosses, counts(|compared| compared.random)),
        ] {
            curves.push(Curve {
                label: format!("ν = {packing_fraction}, {name}"),
                color,
                mark,
                points,
            });
        }
    }
    Ok(curves)
}

/// Returns the figure with its data.
fn figure(all: &[Compared]) -> Result<Figure<'static>> {
    Ok(Figure {
        name: "tuning-fig-11",
        caption: "Counted and predicted work of a million spheres over the size ratio, for three packing fractions",
        panels: vec![Panel {
            title: format!("{MOST} spheres, α = −3"),
            x: Axis::log("size ratio ω"),
            y: Axis::linear("work T"),
            curves: curves(all)?,
        }],
        columns: 1,
        header: &[
            "packing_fraction",
            "size_ratio",
            "model",
            "random",
            "packed",
            "walls_model",
            "walls_random",
        ],
        rows: all
            .iter()
            .map(|compared| {
                let walls = &compared.walls;
                let numbers = [
                    compared.packing_fraction,
                    compared.size_ratio,
                    compared.model,
                    compared.random,
                    compared.packed,
                    walls.model,
                    walls.counted,
                ];
                numbers.map(exact).to_vec()
            })
            .collect(),
    })
}
