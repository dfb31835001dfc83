//! Writes the report on the HGrid cost model: `cargo run --release -p reports -- tuning`.

pub mod boundaries;
pub mod boxes;
pub mod counts;
mod figure;
mod figures;
pub mod filling_ratios;
mod levels;
pub mod model;
mod optimizers;
pub mod packing_fractions;
mod plot;
pub mod relative;
pub mod scene;
pub mod size_ratios;
pub mod times;

use crate::page::Page;
use figures::Outcome;
use jostle::tuning::Method;
use scene::Scenes;

pub fn write(_: &[String]) -> Outcome {
    let page = &mut Page::default();
    page.line("# HGrid: cost model and cell sizes\n
Written by `cargo run --release -p reports -- tuning`.

The work T is a number per sphere, in units of one overlap test. Opening a cell costs K overlap tests. Cell sizes are in units
of the smallest radius. ν is the packing fraction, ω the size ratio, α the exponent of the number distribution of radii,
f(r) ∝ r^α. \"2014\" is Krijgsman, Ogarko & Luding, [doi:10.1007/s40571-014-0020-9](https://doi.org/10.1007/s40571-014-0020-9);
\"2012\" is Ogarko & Luding, [doi:10.1016/j.cpc.2011.12.019](https://doi.org/10.1016/j.cpc.2011.12.019).");
    model::printed_figures(page)?;
    model::differences(page);
    size_ratios::exponents(page)?;
    size_ratios::of_method(page, Method::Linear, 4)?;
    size_ratios::of_method(page, Method::Exponential, 5)?;
    filling_ratios::section(page)?;
    size_ratios::of_method(page, Method::Constant, 7)?;
    size_ratios::of_method(page, Method::Optimal, 8)?;
    levels::over_numbers_of_levels(page)?;
    model::recipe_of_2012(page)?;
    model::samples(page)?;
    optimizers::comparison(page)?;
    model::levels_for_an_index(page)?;
    page.line("\n## Measurements\n
All searches use `laboratory::broad_phase::SortedHGrid`, in a periodic cube unless stated otherwise. Counts are per sphere. `jostle` packed the spheres to the
packing fraction ν, or the same number of spheres has independent random positions. Diameters are stratified samples. Whole
cells fill the cube, and the model uses the cell sizes that result. Times include the time to sort the spheres into the cells.");
    let mut scenes = Scenes::default();
    counts::against_the_model(page, &mut scenes)?;
    counts::packings_and_model(page, &mut scenes)?;
    packing_fractions::section(page, &mut scenes)?;
    boundaries::section(page, &mut scenes)?;
    times::over_levels(page, &mut scenes)?;
    relative::over_numbers_and_size_ratios(page, &mut scenes)?;
    boxes::with_and_without(page, &mut scenes)?;
    std::mem::take(page).write("tuning")
}
