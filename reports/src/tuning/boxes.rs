//! The test of bounding boxes before the distance (2012, Section 2.2).

use crate::page::Page;
use jostle::{
    laboratory::broad_phase::{BroadPhase, PairTest},
    laboratory::compare::search,
};

use super::{
    figures::{Outcome, Result, three_digits},
    scene::{MANY, REPEATS, Scene, Scenes},
};

/// Counts and times of the searches of one system, with and without the test of boxes.
pub struct BoxTest {
    /// Time per sphere in nanoseconds, with the distance alone and with boxes first.
    pub nanoseconds: [f64; 2],
    /// Tested pairs per sphere.
    pub tests: f64,
    /// Share of the tested pairs whose boxes overlap.
    pub box_share: f64,
    /// Share of the tested pairs that touch.
    pub contact_share: f64,
}

impl BoxTest {
    /// Measures the searches of a packing with cell sizes. The two searches take turns, and the fastest counts.
    pub fn measure(scene: &Scene, sizes: &[f64]) -> Result<Self> {
        let mut grids = [PairTest::Distance, PairTest::BoxesFirst]
            .map(|pair_test| scene.grid(sizes).map(|grid| grid.with_pair_test(pair_test)));
        let mut nanoseconds = [f64::MAX; 2];
        for _ in 0..REPEATS {
            for (grid, nanoseconds) in grids.iter_mut().zip(&mut nanoseconds) {
                let grid = grid.as_mut().map_err(|error| error.to_string())?;
                let seconds = search(grid, &scene.spheres).seconds;
                *nanoseconds = nanoseconds.min(1e9 * seconds / scene.spheres.len() as f64);
            }
        }
        let [_, with_boxes] = grids;
        let mut contacts = 0_u64;
        let counts = with_boxes?.detect(&scene.spheres, &mut |_, _| contacts += 1);
        let tests = counts.pair_tests as f64;
        Ok(Self {
            nanoseconds,
            tests: tests / scene.spheres.len() as f64,
            box_share: counts.box_overlaps as f64 / tests,
            contact_share: contacts as f64 / tests,
        })
    }

    /// Returns the time with the test of boxes over that without.
    pub fn relative_time(&self) -> f64 {
        self.nanoseconds[1] / self.nanoseconds[0]
    }
}

pub fn with_and_without(page: &mut Page, scenes: &mut Scenes) -> Outcome {
    page.line(format!("\n## The test of boxes before the test of spheres (2012, Section 2.2)\n
Packings of N = {MANY} spheres with ν = 0.62, once with the cell sizes that are optimal for K = 0.2 and once with one level. The paper says that
the test of the bounding boxes is cheaper than that of the spheres, and that it usually increases the performance. Here the
distance test of a pair takes three multiplications, and the test of boxes adds branches that the processor cannot predict.\n
| sizes | L | tests per sphere | boxes overlap | spheres touch | ns per sphere without boxes | with boxes | with over without |
|---|---|---|---|---|---|---|---|"));
    for (exponent, size_ratio) in [(0.0, 1.0), (0.0, 10.0), (-3.0, 10.0), (-3.0, 50.0)] {
        let scene = scenes.packed(exponent, size_ratio, MANY, 0.62)?;
        let one = scene.whole(&[2.0 * size_ratio]);
        let mut choices = vec![scene.tuned()?];
        // One level takes seconds for each search among spheres of very different sizes.
        if size_ratio > 1.0 && (exponent == 0.0 || size_ratio <= 10.0) {
            choices.push(one);
        }
        for sizes in choices {
            let test = BoxTest::measure(&scene, &sizes)?;
            page.line(format!(
                "| α = {exponent}, ω = {size_ratio} | {} | {} | {:.1} % | {:.2} % | {} | {} | {:.2} |",
                sizes.len(),
                three_digits(test.tests),
                100.0 * test.box_share,
                100.0 * test.contact_share,
                three_digits(test.nanoseconds[0]),
                three_digits(test.nanoseconds[1]),
                test.relative_time()
            ));
        }
    }
    page.line("\nAt random positions, the boxes of equal spheres overlap 6/π times as often as the spheres.");
    Ok(())
}
