//! Sections of the report that compare counts with the cost model.

use crate::{numbers::signed, page::Page};
use std::{collections::HashMap, rc::Rc};

use super::{
    figures::{Outcome, Result, percent, three_digits},
    scene::{MANY, MOST, Scene, Scenes, radii},
};

/// Packing fractions of the tables.
const PACKING_FRACTIONS: [f64; 3] = [0.1, 0.4, 0.62];

/// Relative deviation of counts from the model: T^cd and T at random positions, T^cd and T in a packing.
struct Deviation {
    packing_fraction: f64,
    shares: [f64; 4],
}

pub fn against_the_model(page: &mut Page, scenes: &mut Scenes) -> Outcome {
    page.line("\n## Counts and model (2014, Figs. 11 and 12)\n
Top-Down search with the optimal sizes for K = 0.2. The first three columns of work hold the values of the model. The other
columns hold the deviation of the counts from the model.\n
| α | ω | ν | N | L | T^cd | T^ca | T | random: T^cd | T^ca | T | packed: T^cd | T^ca | T |
|---|---|---|---|---|---|---|---|---|---|---|---|---|---|");
    let mut deviations = Vec::new();
    let mut cases = vec![(0.0, 1.0, MANY)];
    for exponent in [0.0, -1.0, -2.0, -3.0] {
        cases.extend([3.0, 10.0, 30.0, 100.0].map(|ratio| (exponent, ratio, MANY)));
    }
    cases.push((-3.0, 100.0, MOST));
    for (exponent, size_ratio, count) in cases {
        for packing_fraction in PACKING_FRACTIONS {
            deviations.push(print_case(
                page,
                scenes,
                exponent,
                size_ratio,
                count,
                packing_fraction,
            )?);
        }
    }
    page.line("\nSmallest and largest deviation of the counts from the model, over all cases of this table:\n
| ν | random: T^cd | T | packed: T^cd | T |\n|---|---|---|---|---|");
    for packing_fraction in PACKING_FRACTIONS {
        let ranges = [0, 1, 2, 3].map(|i| {
            let here = deviations
                .iter()
                .filter(|deviation| deviation.packing_fraction == packing_fraction)
                .map(|deviation| 100.0 * deviation.shares[i]);
            let (low, high) = here.fold((f64::MAX, f64::MIN), |(low, high), x| {
                (low.min(x), high.max(x))
            });
            format!("{} … {} %", signed(low, 1), signed(high, 1))
        });
        page.line(format!("| {packing_fraction} | {} |", ranges.join(" | ")));
    }
    Ok(())
}

/// Prints one row of the table of counts.
fn print_case(
    page: &mut Page,
    scenes: &mut Scenes,
    exponent: f64,
    size_ratio: f64,
    count: usize,
    packing_fraction: f64,
) -> Result<Deviation> {
    let random = Scene::random(&radii(exponent, size_ratio, count)?, packing_fraction)?;
    let sizes = random.tuned()?;
    let model = random.predicted(&sizes)?;
    let by_random = random.counted(&sizes)?;
    let packed = scenes.packed(exponent, size_ratio, count, packing_fraction)?;
    let by_packed = packed.counted(&packed.whole(&sizes))?;
    let columns: Vec<String> = [by_random, by_packed]
        .iter()
        .flat_map(|counted| (0..3).map(|i| percent(counted[i], model[i])))
        .collect();
    page.line(format!(
        "| {exponent} | {size_ratio} | {packing_fraction} | {count} | {} | {} | {} | {} | {} |",
        sizes.len(),
        three_digits(model[0]),
        three_digits(model[1]),
        three_digits(model[2]),
        columns.join(" | ")
    ));
    Ok(Deviation {
        packing_fraction,
        shares: [
            by_random[0] / model[0] - 1.0,
            by_random[2] / model[2] - 1.0,
            by_packed[0] / model[0] - 1.0,
            by_packed[2] / model[2] - 1.0,
        ],
    })
}

/// Returns the share of the cells on the finest level, in percent of all cells in the cube, that hold two or more spheres of
/// this level.
pub fn shared_cells(scene: &Scene, size: f64) -> f64 {
    let size = size * scene.law.smallest_radius();
    let mut cells: HashMap<[u32; 3], u32> = HashMap::new();
    for (center, radius) in scene.spheres.iter() {
        if 2.0 * radius <= size {
            *cells
                .entry((center / size).to_array().map(|x| x as u32))
                .or_default() += 1;
        }
    }
    let shared = cells.values().filter(|&&spheres| spheres > 1).count();
    100.0 * shared as f64 * size.powi(3) / scene.container.volume()
}

pub fn packings_and_model(page: &mut Page, scenes: &mut Scenes) -> Outcome {
    page.line("\n## Difference between packings and the model\n
The model takes positions as independent. In a packing, small spheres lie only in the gaps between large spheres, so that more
small spheres share a cell. In dense packings, small spheres also lie at the surfaces of large spheres, where the searches of
the large spheres find them. At ν = 0.1, `jostle` places the spheres one after another, the largest first, so that no center
lies inside another sphere. It then moves few spheres, so that the positions are nearly independent.\n");
    page.line(format!(
        "Share of the cells on the finest level that hold two or more spheres, for α = −3, ω = 100, ν = 0.62 and optimal sizes:\n
| | paper, N = 10⁶ | N = {MANY} | N = {MOST} |\n|---|---|---|---|"
    ));
    for (name, paper, is_packed) in [
        ("packed", "2.26 %", true),
        ("random positions", "1.26 %", false),
    ] {
        page.text(&format!("| {name} | {paper} |"));
        for count in [MANY, MOST] {
            let scene = if is_packed {
                scenes.packed(-3.0, 100.0, count, 0.62)?
            } else {
                Rc::new(Scene::random(&radii(-3.0, 100.0, count)?, 0.62)?)
            };
            page.text(&format!(
                " {:.2} % |",
                shared_cells(&scene, scene.tuned()?[0])
            ));
        }
        page.line("");
    }
    Ok(())
}
