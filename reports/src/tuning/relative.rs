//! Times relative to equal spheres (2012, Fig. 5).

use std::rc::Rc;

use crate::{cell_order::in_cell_order, page::Page};
use jostle::{
    Spheres,
    distribution::{Bidisperse, Sampling, SizeDistribution},
    laboratory::{broad_phase::SortedHGrid, compare::search},
    tuning::{Search, SearchTiming, optimal},
};

use super::{
    figures::{Outcome, Result},
    scene::{MOST, REPEATS, Scene, Scenes},
    times::{PAPER_OVERHEAD, overhead_of_machine},
};

/// Packing fraction of the paper.
const PACKING_FRACTION: f64 = 0.62;

/// Least number of large spheres in a bidisperse system. The paper leaves out systems that cannot be properly realized.
const LEAST_LARGE: f64 = 8.0;

/// Sizes of a system.
#[derive(Clone, Copy, PartialEq)]
pub enum Sizes {
    /// All equal.
    Equal,
    /// Two diameters with equal volumes; two levels of these sizes.
    Bidisperse(f64),
    /// Uniform volume over a size ratio; levels of the least work.
    UniformVolume(f64),
}

impl Sizes {
    fn name(self) -> String {
        match self {
            Self::Equal => "equal".to_owned(),
            Self::Bidisperse(ratio) => format!("bidisperse, ω = {ratio}"),
            Self::UniformVolume(ratio) => format!("uniform volume, ω = {ratio}"),
        }
    }

    /// Returns whether a sample of this many spheres holds enough of the largest.
    fn suits(self, count: usize) -> bool {
        match self {
            Self::Bidisperse(ratio) => count as f64 / (1.0 + ratio.powi(3)) >= LEAST_LARGE - 0.1,
            _ => true,
        }
    }

    /// Returns a packing of these sizes.
    pub fn scene(self, scenes: &mut Scenes, count: usize) -> Result<Rc<Scene>> {
        match self {
            Self::Equal => scenes.packed(0.0, 1.0, count, PACKING_FRACTION),
            Self::UniformVolume(ratio) => scenes.packed(-3.0, ratio, count, PACKING_FRACTION),
            Self::Bidisperse(ratio) => {
                let law = SizeDistribution::Bidisperse(Bidisperse::new(2.0, 2.0 * ratio, 0.5)?);
                let radii = law.sample_number(count, Sampling::Stratified, 0).radii();
                Ok(Rc::new(Scene::packed(&radii, PACKING_FRACTION)?))
            }
        }
    }

    fn cell_sizes(self, scene: &Scene, overhead: f64) -> Result<Vec<f64>> {
        Ok(scene.whole(&match self {
            Self::Equal => vec![2.0],
            Self::Bidisperse(ratio) => vec![2.0, 2.0 * ratio],
            Self::UniformVolume(_) => optimal(&scene.model(overhead)?, Search::TopDown),
        }))
    }
}

/// A measured system. Relative values are those over the values of the same number of equal spheres.
pub struct System {
    pub sizes: Sizes,
    pub count: usize,
    pub levels: usize,
    pub nanoseconds: f64,
    pub relative_time: f64,
    /// Relative time where spheres are numbered in the order of their cells.
    pub relative_time_in_order: f64,
    /// Relative counted work with the measured K.
    pub relative_work: f64,
    /// Relative counted work of the cell sizes that are optimal for K = 0.3, with this K.
    pub relative_work_of_paper: f64,
}

impl System {
    fn name(&self) -> String {
        format!("{}, N = {}", self.sizes.name(), self.count)
    }
}

/// A system that is being measured: in the given order and in the order of the cells.
struct Run {
    sizes: Sizes,
    scene: Rc<Scene>,
    ordered: Spheres,
    levels: usize,
    grid: SortedHGrid,
    fastest: [SearchTiming; 2],
    paper: SearchTiming,
}

impl Run {
    fn new(sizes: Sizes, scene: Rc<Scene>, overhead: f64) -> Result<Self> {
        let cells = sizes.cell_sizes(&scene, overhead)?;
        let paper_cells = sizes.cell_sizes(&scene, PAPER_OVERHEAD)?;
        let ordered = in_cell_order(&scene.spheres, cells[0] * scene.law.smallest_radius());
        let mut grid = scene.grid(&cells)?;
        Ok(Self {
            fastest: [&scene.spheres, &ordered].map(|spheres| search(&mut grid, spheres)),
            paper: search(&mut scene.grid(&paper_cells)?, &scene.spheres),
            sizes,
            ordered,
            levels: cells.len(),
            grid,
            scene,
        })
    }

    fn repeat(&mut self) {
        for (spheres, fastest) in [&self.scene.spheres, &self.ordered]
            .into_iter()
            .zip(&mut self.fastest)
        {
            let timing = search(&mut self.grid, spheres);
            if timing.seconds < fastest.seconds {
                *fastest = timing;
            }
        }
    }
}

fn work(timing: &SearchTiming, overhead: f64) -> f64 {
    timing.pair_tests + overhead * timing.cell_accesses
}

/// Measures systems with the same number of spheres. The searches take turns. The first system has equal spheres.
pub fn measure(
    scenes: &mut Scenes,
    overhead: f64,
    count: usize,
    others: &[Sizes],
) -> Result<Vec<System>> {
    let mut runs = Vec::new();
    for &sizes in [Sizes::Equal].iter().chain(others) {
        if sizes.suits(count) {
            eprintln!("{}, {count} spheres", sizes.name());
            runs.push(Run::new(sizes, sizes.scene(scenes, count)?, overhead)?);
        }
    }
    for _ in 1..REPEATS {
        runs.iter_mut().for_each(Run::repeat);
    }
    let equal = &runs[0];
    let system = |run: &Run| System {
        sizes: run.sizes,
        count,
        levels: run.levels,
        nanoseconds: 1e9 * run.fastest[0].seconds / count as f64,
        relative_time: run.fastest[0].seconds / equal.fastest[0].seconds,
        relative_time_in_order: run.fastest[1].seconds / equal.fastest[1].seconds,
        relative_work: work(&run.fastest[0], overhead) / work(&equal.fastest[0], overhead),
        relative_work_of_paper: work(&run.paper, PAPER_OVERHEAD)
            / work(&equal.paper, PAPER_OVERHEAD),
    };
    Ok(runs.iter().map(system).collect())
}

/// Measures all systems of the table.
fn measure_all(scenes: &mut Scenes, overhead: f64) -> Result<Vec<System>> {
    let mut systems = Vec::new();
    for count in [10_000, 100_000, MOST] {
        let mut sizes = Vec::new();
        for ratio in [2.0, 5.0, 10.0, 20.0, 50.0] {
            if count < MOST || [10.0, 50.0].contains(&ratio) {
                sizes.push(Sizes::Bidisperse(ratio));
            }
        }
        for ratio in [2.0, 5.0, 10.0, 20.0, 50.0, 100.0] {
            if count < MOST || [10.0, 100.0].contains(&ratio) {
                sizes.push(Sizes::UniformVolume(ratio));
            }
        }
        systems.extend(measure(scenes, overhead, count, &sizes)?);
    }
    Ok(systems)
}

/// Returns the largest deviation of a value over the numbers of spheres from its mean, as a share, for the sizes of a system.
pub fn deviation(systems: &[System], sizes: Sizes, value: impl Fn(&System) -> f64) -> f64 {
    let values: Vec<f64> = (systems.iter())
        .filter(|system| system.sizes == sizes)
        .map(value)
        .collect();
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    (values.iter().map(|value| (value / mean - 1.0).abs())).fold(0.0, f64::max)
}

pub fn over_numbers_and_size_ratios(page: &mut Page, scenes: &mut Scenes) -> Outcome {
    let overhead = overhead_of_machine()?.factor();
    page.line(format!(
        "## Time relative to equal spheres (2012, Fig. 5)\n
Packings with ν = {PACKING_FRACTION}. Bidisperse systems have two levels with the sizes of the two diameters, uniform volume has the optimal sizes
for the measured K = {overhead:.2}. Relative values are those over the values of the same number of equal spheres in the same run, which
have a single level. The work is the number of tests plus K times the number of accesses. \"In order\": the spheres are numbered in
the order of their cells, so that they are read from memory in order. The last column is the work with K = {PAPER_OVERHEAD}, and with the sizes
that are optimal for it. Systems with fewer than {LEAST_LARGE} large spheres are left out.\n
The paper reports total times, which include forces and integration: constant over N within ±10 % for each kind of system, within about
50 % of equal spheres, and falling with ω.\n
| sizes | N | L | ns per sphere | relative time | in order | relative work | with K = {PAPER_OVERHEAD} |\n|---|---|---|---|---|---|---|---|"
    ));
    let systems = measure_all(scenes, overhead)?;
    for system in &systems {
        page.line(format!(
            "| {} | {} | {} | {:.0} | {:.2} | {:.2} | {:.2} | {:.2} |",
            system.sizes.name(),
            system.count,
            system.levels,
            system.nanoseconds,
            system.relative_time,
            system.relative_time_in_order,
            system.relative_work,
            system.relative_work_of_paper
        ));
    }
    print_above_50_percent(page, &systems);
    print_above_10_percent(page, &systems);
    Ok(())
}

/// Prints the systems beyond 50 % of equal spheres with the reason.
fn print_above_50_percent(page: &mut Page, systems: &[System]) {
    let beyond: Vec<&System> = (systems.iter())
        .filter(|system| system.relative_time > 1.5)
        .collect();
    let largest = |value: &dyn Fn(&System) -> f64| systems.iter().map(value).fold(0.0, f64::max);
    page.line(format!(
        "\nMore than 50 % above equal spheres: {} of {} systems. An access takes several times as long here as in the paper, relative to a
test, and searches between levels consist of accesses. The largest relative work is {:.2} with the measured K and {:.2} with the paper's
K, so that the counts reproduce the paper's 50 %, and the ratio of the two times of this machine does not.",
        beyond.len(),
        systems.len(),
        largest(&|system| system.relative_work),
        largest(&|system| system.relative_work_of_paper)
    ));
    for system in beyond {
        page.line(format!(
            "- {}: time {:.2}, work {:.2}, with the paper's K {:.2}",
            system.name(),
            system.relative_time,
            system.relative_work,
            system.relative_work_of_paper
        ));
    }
}

/// Prints the kinds of systems whose relative time changes by more than 10 % with the number of spheres, with the reason.
fn print_above_10_percent(page: &mut Page, systems: &[System]) {
    let mut kinds: Vec<Sizes> = Vec::new();
    for system in systems {
        if !kinds.contains(&system.sizes) {
            kinds.push(system.sizes);
        }
    }
    page.line("\nDeviation of the relative time from its mean over N, where it exceeds 10 %. The work changes where small samples lack the largest
spheres or whole cells are larger; the rest of the change comes from caches, which hold the equal spheres of a smaller system but not
those of a larger one.\n");
    let mut has_none = true;
    for sizes in kinds {
        let of = |value: fn(&System) -> f64| 100.0 * deviation(systems, sizes, value);
        let time = of(|system| system.relative_time);
        if time > 10.0 {
            has_none = false;
            page.line(format!(
                "- {}: time {time:.0} %, in order {:.0} %, work {:.0} %",
                sizes.name(),
                of(|system| system.relative_time_in_order),
                of(|system| system.relative_work)
            ));
        }
    }
    if has_none {
        page.line("- none");
    }
}
