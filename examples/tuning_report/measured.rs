//! The measured part of the report: counters and times of contact searches beside the cost model.

use std::{collections::HashMap, rc::Rc};

use jostle::{
    Container, Effort, PackOptions, PowerLaw, Sampling, SizeDistribution, Spheres, Target,
    laboratory::broad_phase::{HGrid, HGridSearch},
    laboratory::compare::{measure_overhead, random_spheres, search, whole_cells},
    pack,
    tuning::{
        CostModel, Dimension, RadiusLaw, Search, SearchTiming, constant_per_cell, fit_overhead,
        optimal, recipe, recipe_work,
    },
};

use crate::{Outcome, three_digits};

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

/// The papers' K.
const OVERHEAD: f64 = 0.2;
/// Each search is timed this often, or less when that takes long.
const REPEATS: usize = 12;
const LONG_SECONDS: f64 = 2.0;
/// The number of spheres in most tables, and the largest.
const MANY: usize = 50_000;
const MOST: usize = 1_000_000;

/// The measured sections.
pub fn sections() -> Outcome {
    println!(
        "\n# Measured\n
Every search here is that of `broad_phase::HGrid` in a periodic cube, the counters per sphere, among spheres that `jostle`
packed to ν and among as many at independent random places. Diameters are stratified samples. Whole cells fill the
cube, and the model is given the cell sizes that result. Times include sorting the spheres into the cells."
    );
    let mut scenes = Scenes::default();
    counters(&mut scenes)?;
    why_packings_differ(&mut scenes)?;
    numbers(&mut scenes)?;
    curve_over_levels(&mut scenes)?;
    growth(&mut scenes)
}

/// Packings that were made, for several tables show the largest ones.
#[derive(Default)]
struct Scenes(Vec<([f64; 4], Rc<Scene>)>);

impl Scenes {
    fn packed(
        &mut self,
        exponent: f64,
        size_ratio: f64,
        count: usize,
        packing_fraction: f64,
    ) -> Result<Rc<Scene>> {
        // Equal spheres have no exponent.
        let exponent = if size_ratio == 1.0 { 0.0 } else { exponent };
        let key = [exponent, size_ratio, count as f64, packing_fraction];
        if let Some((_, scene)) = self.0.iter().find(|(other, _)| *other == key) {
            return Ok(Rc::clone(scene));
        }
        let radii = radii(exponent, size_ratio, count)?;
        let scene = Rc::new(Scene::packed(&radii, packing_fraction)?);
        self.0.push((key, Rc::clone(&scene)));
        Ok(scene)
    }
}

/// Spheres in a periodic cube, with the distribution of their radii.
struct Scene {
    spheres: Spheres,
    container: Container,
    law: RadiusLaw,
}

impl Scene {
    fn new(spheres: Spheres, container: Container) -> Result<Self> {
        let law = RadiusLaw::from_radii(spheres.radii())?;
        Ok(Self {
            spheres,
            container,
            law,
        })
    }

    fn packed(radii: &[f64], packing_fraction: f64) -> Result<Self> {
        let options = PackOptions {
            target: Target::Fraction(packing_fraction),
            effort: Effort::QUICK,
            ..PackOptions::default()
        };
        let packing = pack(radii, &options, &mut ())?.packing;
        let reached = packing.packing_fraction();
        if reached < 0.99 * packing_fraction {
            return Err(format!("packed to {reached} instead of {packing_fraction}").into());
        }
        Self::new(packing.spheres, packing.container)
    }

    fn random(radii: &[f64], packing_fraction: f64) -> Result<Self> {
        let (spheres, container) = random_spheres(radii, packing_fraction, 1)?;
        Self::new(spheres, container)
    }

    /// The best levels by the model for the papers' K.
    fn tuned(&self) -> Result<Vec<f64>> {
        Ok(self.whole(&optimal(&self.model(OVERHEAD)?, Search::TopDown)))
    }

    fn model(&self, overhead: f64) -> Result<CostModel<'_>> {
        let packing_fraction = self.spheres.volume() / self.container.volume();
        Ok(CostModel::new(
            &self.law,
            Dimension::Three,
            packing_fraction,
            overhead,
        )?)
    }

    /// Sizes in units of the smallest radius, as whole cells make them.
    fn whole(&self, sizes: &[f64]) -> Vec<f64> {
        whole_cells(
            self.container.lengths().x / self.law.smallest_radius(),
            sizes,
        )
    }

    fn grid(&self, sizes: &[f64]) -> Result<HGrid> {
        let unit = self.law.smallest_radius();
        let mut sizes: Vec<f64> = sizes.iter().map(|size| size * unit).collect();
        // Rounding must not leave the largest sphere without a level.
        *sizes.last_mut().ok_or("no level")? *= 1.0 + 1e-12;
        Ok(HGrid::new(sizes, HGridSearch::TopDown)?.in_container(self.container))
    }

    /// Work per sphere: tests, accesses, and T.
    fn counted(&self, sizes: &[f64]) -> Result<[f64; 3]> {
        Ok(per_sphere(
            &search(&mut self.grid(sizes)?, &self.spheres),
            &self.spheres,
        ))
    }

    fn predicted(&self, sizes: &[f64]) -> Result<[f64; 3]> {
        let levels = self.model(OVERHEAD)?.levels(sizes, Search::TopDown);
        let tests: f64 = levels.iter().map(|level| level.collision_work).sum();
        let accesses: f64 = levels.iter().map(|level| level.access_work).sum();
        Ok([tests, accesses, tests + OVERHEAD * accesses])
    }

    /// The fastest of several searches on each of the given levels, in turns.
    fn timed(&self, choices: &[Vec<f64>]) -> Result<Vec<SearchTiming>> {
        let mut grids: Vec<HGrid> = choices
            .iter()
            .map(|sizes| self.grid(sizes))
            .collect::<Result<_>>()?;
        let mut fastest: Vec<SearchTiming> = grids
            .iter_mut()
            .map(|grid| search(grid, &self.spheres))
            .collect();
        for turn in 1..REPEATS {
            for (grid, fastest) in grids.iter_mut().zip(&mut fastest) {
                if turn as f64 * fastest.seconds < LONG_SECONDS {
                    let timing = search(grid, &self.spheres);
                    if timing.seconds < fastest.seconds {
                        *fastest = timing;
                    }
                }
            }
        }
        Ok(fastest)
    }
}

fn per_sphere(timing: &SearchTiming, spheres: &Spheres) -> [f64; 3] {
    let count = spheres.len() as f64;
    let (tests, accesses) = (timing.pair_tests / count, timing.cell_accesses / count);
    [tests, accesses, tests + OVERHEAD * accesses]
}

/// A stratified sample of radii with f(r) ∝ r^α; equal ones for ω = 1.
fn radii(exponent: f64, size_ratio: f64, count: usize) -> Result<Vec<f64>> {
    if size_ratio == 1.0 {
        return Ok(vec![1.0; count]);
    }
    let law = SizeDistribution::PowerLaw(PowerLaw::new(exponent, 2.0, 2.0 * size_ratio)?);
    let sample = law.sample(count, Sampling::Stratified, 0);
    Ok(sample.diameters.into_iter().map(|d| 0.5 * d).collect())
}

fn percent(counted: f64, expected: f64) -> String {
    format!("{:+.1} %", 100.0 * (counted / expected - 1.0))
}

/// How far counters are from the model: T^cd and T at random places, and the same packed.
struct Deviation {
    packing_fraction: f64,
    shares: [f64; 4],
}

fn counters(scenes: &mut Scenes) -> Outcome {
    println!(
        "\n## Counters beside the model (2014, Figs. 11 and 12)\n
Top-Down, optimal sizes for K = 0.2. The first three columns of work are the model's; the others how far the counters are from it.\n
| α | ω | ν | N | L | T^cd | T^ca | T | random: T^cd | T^ca | T | packed: T^cd | T^ca | T |
|---|---|---|---|---|---|---|---|---|---|---|---|---|---|"
    );
    let mut deviations = Vec::new();
    let mut cases = vec![(0.0, 1.0, MANY)];
    for exponent in [0.0, -1.0, -2.0, -3.0] {
        cases.extend([3.0, 10.0, 30.0, 100.0].map(|ratio| (exponent, ratio, MANY)));
    }
    cases.push((-3.0, 100.0, MOST));
    for (exponent, size_ratio, count) in cases {
        let radii = radii(exponent, size_ratio, count)?;
        for packing_fraction in [0.1, 0.4, 0.62] {
            let random = Scene::random(&radii, packing_fraction)?;
            let sizes = random.tuned()?;
            let model = random.predicted(&sizes)?;
            let by_random = random.counted(&sizes)?;
            let packed = scenes.packed(exponent, size_ratio, count, packing_fraction)?;
            let by_packed = packed.counted(&packed.whole(&sizes))?;
            let columns: Vec<String> = [by_random, by_packed]
                .iter()
                .flat_map(|counted| (0..3).map(|i| percent(counted[i], model[i])))
                .collect();
            println!(
                "| {exponent} | {size_ratio} | {packing_fraction} | {count} | {} | {} | {} | {} | {} |",
                sizes.len(),
                three_digits(model[0]),
                three_digits(model[1]),
                three_digits(model[2]),
                columns.join(" | ")
            );
            deviations.push(Deviation {
                packing_fraction,
                shares: [
                    by_random[0] / model[0] - 1.0,
                    by_random[2] / model[2] - 1.0,
                    by_packed[0] / model[0] - 1.0,
                    by_packed[2] / model[2] - 1.0,
                ],
            });
        }
    }
    println!(
        "\nThe counters against the model, over all of these cases.\n
| ν | random: T^cd | T | packed: T^cd | T |\n|---|---|---|---|---|"
    );
    for packing_fraction in [0.1, 0.4, 0.62] {
        let ranges = [0, 1, 2, 3].map(|i| {
            let here = deviations
                .iter()
                .filter(|deviation| deviation.packing_fraction == packing_fraction)
                .map(|deviation| 100.0 * deviation.shares[i]);
            let (low, high) = here.fold((f64::MAX, f64::MIN), |(low, high), x| {
                (low.min(x), high.max(x))
            });
            format!("{low:+.1} … {high:+.1} %")
        });
        println!("| {packing_fraction} | {} |", ranges.join(" | "));
    }
    Ok(())
}

/// Share of the lowest level's cells, among all in the cube, that hold two spheres of that level or more, in percent.
fn shared_share(scene: &Scene, size: f64) -> f64 {
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

fn why_packings_differ(scenes: &mut Scenes) -> Outcome {
    println!(
        "\n## Why packings differ from the model\n
The model takes positions as independent. In a packing small spheres stand only where large ones leave room, so that more of
them share a cell. In dense packings small ones stand at the surfaces of large ones, whose search finds them there. At ν = 0.1
`jostle` places the spheres one after another, the largest first, where no centre lies in another sphere, and has little to push:
there the places are nearly independent.\n"
    );
    println!(
        "Cells of the lowest level that hold two spheres or more, for α = −3, ω = 100, ν = 0.62, optimal sizes:\n
| | paper, N = 10⁶ | N = {MANY} | N = {MOST} |\n|---|---|---|---|"
    );
    for (name, paper, is_packed) in [
        ("packed", "2.26 %", true),
        ("random places", "1.26 %", false),
    ] {
        print!("| {name} | {paper} |");
        for count in [MANY, MOST] {
            let scene = match is_packed {
                true => scenes.packed(-3.0, 100.0, count, 0.62)?,
                false => Rc::new(Scene::random(&radii(-3.0, 100.0, count)?, 0.62)?),
            };
            print!(" {:.2} % |", shared_share(&scene, scene.tuned()?[0]));
        }
        println!();
    }
    Ok(())
}

fn numbers(scenes: &mut Scenes) -> Outcome {
    println!(
        "\n## Work against the number of spheres (2014, Fig. 12)\n
T counted in packings with ν = 0.62, ω = 10, and the model's for the same spheres, Top-Down, optimal sizes for K = 0.2.\n
| N | α = 0 | −1 | −2 | −3 |\n|---|---|---|---|---|"
    );
    for count in [1_000, 10_000, 100_000, MOST] {
        print!("| {count} |");
        for exponent in [0.0, -1.0, -2.0, -3.0] {
            if count == MOST && exponent > -3.0 {
                print!(" |");
                continue;
            }
            let scene = scenes.packed(exponent, 10.0, count, 0.62)?;
            let sizes = scene.tuned()?;
            let (counted, model) = (scene.counted(&sizes)?[2], scene.predicted(&sizes)?[2]);
            print!(" {counted:.1}, model {model:.1} |");
        }
        println!();
    }
    println!(
        "\nIn a small cube whole cells are coarse, and with fewer than three along a side they are opened once, not twice."
    );
    Ok(())
}

fn curve_over_levels(scenes: &mut Scenes) -> Outcome {
    println!(
        "\n## Time against the number of levels (2012, Fig. 4)\n
N = 125 001, ν = 0.62, ω = 50, packed; the same number of particles per cell on every level, as in Appendix A. Slowdown:
time over that of the fastest number of levels; L (m + K) and T over the least of theirs, for the K that fits the
times best. A larger K than the papers' 0.2 to 0.3 makes fewer levels best. Levels with less than an eighth of a sphere
per cell are kept as hash tables, which takes longer than their accesses tell.\n"
    );
    const MOST_LEVELS: usize = 12;
    for (name, exponent, paper) in [
        (
            "uniform volume",
            -3.0,
            "best L = 8, 220 times faster than one level",
        ),
        (
            "uniform size",
            0.0,
            "best L = 2, 1.3 times faster than one level",
        ),
    ] {
        let scene = scenes.packed(exponent, 50.0, 125_001, 0.62)?;
        let by_filling = |overhead| -> Result<Vec<Vec<f64>>> {
            let model = scene.model(overhead)?;
            (1..=MOST_LEVELS)
                .map(|levels| Ok(scene.whole(&constant_per_cell(&model, levels, 1.0)?)))
                .collect()
        };
        let choices = by_filling(OVERHEAD)?;
        let timings = scene.timed(&choices)?;
        let fitted = fit_overhead(&timings).ok_or("the times do not tell tests from accesses")?;
        let model = scene.model(fitted.factor())?;
        let tuned = scene.whole(&optimal(&model, Search::TopDown));
        let ends = scene.timed(&[choices[0].clone(), tuned.clone()])?;

        println!(
            "{name}: {:.1} ns for a test, {:.1} ns for an access, so K = {:.2}. With it, the recipe of 2012 takes L = {}. Paper: {paper}.\n
| L | ns per sphere | slowdown | L (m + K) | T | tests | model | accesses | model |\n|---|---|---|---|---|---|---|---|---|",
            1e9 * fitted.test_seconds,
            1e9 * fitted.access_seconds,
            fitted.factor(),
            recipe(&model, 50)?.len()
        );
        let least = |values: &[f64]| values.iter().copied().fold(f64::MAX, f64::min);
        let seconds: Vec<f64> = timings.iter().map(|timing| timing.seconds).collect();
        let recipes: Vec<f64> = choices
            .iter()
            .map(|sizes| recipe_work(&model, sizes))
            .collect();
        let works: Vec<f64> = choices
            .iter()
            .map(|sizes| model.work(sizes, Search::TopDown))
            .collect();
        for (at, (sizes, timing)) in choices.iter().zip(&timings).enumerate() {
            let [tests, accesses, _] = per_sphere(timing, &scene.spheres);
            let [tests_model, accesses_model, _] = scene.predicted(sizes)?;
            println!(
                "| {} | {} | {:.2} | {:.2} | {:.2} | {} | {} | {} | {} |",
                at + 1,
                three_digits(1e9 * seconds[at] / scene.spheres.len() as f64),
                seconds[at] / least(&seconds),
                recipes[at] / least(&recipes),
                works[at] / least(&works),
                three_digits(tests),
                three_digits(tests_model),
                three_digits(accesses),
                three_digits(accesses_model)
            );
        }
        println!(
            "\nOptimal sizes for the measured K, L = {}: {} ns per sphere, {:.1} times faster than one level in the same run.\n",
            tuned.len(),
            three_digits(1e9 * ends[1].seconds / scene.spheres.len() as f64),
            ends[0].seconds / ends[1].seconds
        );
    }
    Ok(())
}

fn growth(scenes: &mut Scenes) -> Outcome {
    let overhead = measure_overhead()
        .ok_or("the times do not tell tests from accesses")?
        .factor();
    println!(
        "## Time against the number of spheres and the size ratio (2012, Fig. 5)\n
Uniform volume, ν = 0.62, packed; optimal sizes for the measured K = {overhead:.2}. Nanoseconds per sphere, and in brackets
over those of as many equal spheres in the same run. The paper: within ±50 % of equal spheres, and falling with ω. Here
ω = 1 is a single level with no search between levels, and the cost falls from ω = 5 on.\n
| N | ω = 1 | 2 | 5 | 10 | 20 | 50 | 100 |\n|---|---|---|---|---|---|---|---|"
    );
    for count in [10_000, 100_000, MOST] {
        let ratios = [1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0];
        let shown = |ratio: &f64| count < MOST || [1.0, 10.0, 100.0].contains(ratio);
        let mut grids = Vec::new();
        for size_ratio in ratios.into_iter().filter(shown) {
            let scene = scenes.packed(-3.0, size_ratio, count, 0.62)?;
            let sizes = scene.whole(&optimal(&scene.model(overhead)?, Search::TopDown));
            grids.push((scene.grid(&sizes)?, scene, f64::MAX));
        }
        for _ in 0..REPEATS {
            for (grid, scene, fastest) in &mut grids {
                *fastest = fastest.min(search(grid, &scene.spheres).seconds);
            }
        }
        let equal = grids[0].2;
        print!("| {count} |");
        let mut times = grids.iter().map(|(_, _, seconds)| seconds);
        for ratio in ratios {
            print!(" ");
            if let Some(seconds) = shown(&ratio).then(|| times.next()).flatten() {
                let nanoseconds = 1e9 * seconds / count as f64;
                print!("{nanoseconds:.0} ({:.2}) ", seconds / equal);
            }
            print!("|");
        }
        println!();
    }
    Ok(())
}
