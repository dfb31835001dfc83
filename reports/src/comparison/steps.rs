//! Random steps as the paper prints them, beside those of jostle (Schiava D'Albano et al., Eqs. 13 to 16).

use crate::{markdown::table, page::Page};
use jostle::laboratory::compare::{Case, Experiment, Measurement, Steps};
use strum::VariantArray;

use super::{
    broad_phases::{SEED, measure_cases},
    growth_table::nanoseconds,
    numbers::significant,
    orders::{Order, PAPER},
    outcome::Outcome,
};

/// Measures the paper's algorithms with all kinds of steps.
pub fn measure(experiment: Experiment, spheres: usize, steps: Steps) -> Outcome<Vec<Measurement>> {
    let case = Case {
        steps,
        ..experiment.cases(&[spheres], SEED)[0]
    };
    measure_cases(vec![case], &PAPER)
}

/// Measures and prints experiments I and III with all kinds of steps.
pub fn report(page: &mut Page, spheres: usize) -> Outcome {
    page.line(format!(
        "\n### Random steps (Schiava D'Albano et al., Eqs. 13 to 16)\n
The paper adds (int) α to an integer coordinate, where α is a random number between 0 and 1, \"exclusive of the endpoint values\". Its seed is
the coordinate and the number of the cycle. (int) α is 0: as printed, no element moves. This contradicts the text, which says that the
largest displacement is 8. With α rounded, all elements with the same coordinate make the same step of 0 or 1 cells, so that layers
move alike. The other tables use *random* steps: by a random length below one diameter along each axis, another one for each sphere.
Nanoseconds per sphere and cycle with {spheres} spheres:"
    ));
    let mut header = vec!["experiment".to_owned(), "steps".to_owned()];
    header.extend(PAPER.iter().map(ToString::to_string));
    header.extend(["pairs", "fastest first"].map(str::to_owned));
    let mut lines = Vec::new();
    for experiment in [Experiment::I, Experiment::Iii] {
        for &steps in Steps::VARIANTS {
            let rows = measure(experiment, spheres, steps)?;
            let mut line = vec![experiment.to_string(), steps.to_string()];
            line.extend(rows.iter().map(|row| significant(nanoseconds(row))));
            line.push(rows[0].pairs.to_string());
            line.push(Order::at_largest(&rows, 1).map_or_else(String::new, |order| order.names()));
            lines.push(line);
        }
    }
    page.text(&table(&header, lines));
    Ok(())
}
