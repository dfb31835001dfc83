//! Writes the report on the HGrid cost model: `cargo run --release -p reports -- tuning`.

pub mod boxes;
mod counts;
mod figures;
mod model;
mod optimizers;
pub mod relative;
pub mod scene;
pub mod times;

use crate::page::Page;
use figures::Outcome;
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
    model::work_over_levels(page)?;
    model::size_ratios_and_exponents(page)?;
    model::recipe_of_2012(page)?;
    model::samples(page)?;
    optimizers::comparison(page)?;
    model::levels_for_an_index(page)?;
    page.line("\n## Measurements\n
All searches use `laboratory::broad_phase::SortedHGrid` in a periodic cube. Counts are per sphere. `jostle` packed the spheres to the
packing fraction ν, or the same number of spheres has independent random positions. Diameters are stratified samples. Whole
cells fill the cube, and the model uses the cell sizes that result. Times include the time to sort the spheres into the cells.");
    let mut scenes = Scenes::default();
    counts::against_the_model(page, &mut scenes)?;
    counts::packings_and_model(page, &mut scenes)?;
    counts::over_numbers_of_spheres(page, &mut scenes)?;
    times::over_levels(page, &mut scenes)?;
    relative::over_numbers_and_size_ratios(page, &mut scenes)?;
    boxes::with_and_without(page, &mut scenes)?;
    std::mem::take(page).write("tuning")
}
