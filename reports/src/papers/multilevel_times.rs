//! Rows on measured times of Ogarko & Luding 2012: Figs. 3 to 5 and Section 2.2.

use super::{
    row::Row,
    statement::{checked, out_of_reach},
};
use crate::{
    outcome::Outcome,
    tuning::{
        boxes::BoxTest,
        relative::{Sizes, System, deviation, measure},
        scene::{Scene, Scenes},
        times::{LevelTimes, PACKING_FRACTIONS, PAPER_OVERHEAD, SPHERES, overhead_of_machine},
    },
};
use jostle::tuning::recipe;

/// Numbers of levels that these rows measure; docs/reports/tuning.md has up to 50.
const LEVELS: [usize; 12] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];

/// Returns the rows.
pub fn rows() -> Outcome<Vec<Row>> {
    let mut scenes = Scenes::default();
    let mut rows = level_rows(&mut scenes)?;
    rows.extend(relative_rows(&mut scenes)?);
    rows.push(two_level_row(&mut scenes)?);
    rows.push(box_row(&mut scenes)?);
    rows.push(out_of_reach(
        (
            "Section 4.3",
            "for fixed N the total time of a simulation scales as the time of contact detection",
        ),
        "these rows time contact detection alone; forces and integration do not depend on the grid",
    ));
    Ok(rows)
}

/// Figs. 3 and 4.
#[expect(clippy::too_many_lines, reason = "rows of a table")]
fn level_rows(scenes: &mut Scenes) -> Outcome<Vec<Row>> {
    let mut matches = Vec::new();
    let mut is_near = true;
    for packing_fraction in PACKING_FRACTIONS {
        let scene = scenes.packed(-3.0, 50.0, SPHERES, packing_fraction)?;
        let times = LevelTimes::measure(&scene, &LEVELS)?;
        let predicted = recipe(&scene.model(PAPER_OVERHEAD)?, 50)?.len();
        let loss = slowdown(&times, predicted);
        is_near &= loss < 1.25;
        matches.push((packing_fraction, times, predicted, loss));
    }
    let size = scenes.packed(0.0, 50.0, SPHERES, 0.62)?;
    let size_times = LevelTimes::measure(&size, &LEVELS)?;
    let (best_of_size, gain_of_size) = size_times.fastest();
    let reached = scene_fraction(&size);
    let (_, dense, ..) = &matches[PACKING_FRACTIONS.len() - 1];
    let (best, gain) = dense.fastest();
    let at_8 = slowdown(dense, 8);
    let listed: Vec<String> = matches
        .iter()
        .map(|(fraction, times, predicted, loss)| {
            let (best, _) = times.fastest();
            format!("ν = {fraction}: fastest L = {best}, predicted L = {predicted} takes {loss:.2} times as long")
        })
        .collect();
    let detail = "docs/reports/tuning.md, Time against the number of levels";
    Ok(vec![
        checked(
            ("Fig. 3", "systems of N = 125 001 with ν = 0.62"),
            "0.62",
            format!("{reached:.3}"),
            (reached - 0.62).abs() < 0.01,
            "packed by rearrangement in a periodic cube",
        ),
        checked(
            ("Fig. 4, uniform volume", "L = 8 is the fastest"),
            "L = 8",
            format!("L = {best} is the fastest; L = 8 takes {at_8:.2} times as long"),
            at_8 < 1.15,
            format!(
                "an access costs more tests here than in the paper, which favors fewer levels; {detail}"
            ),
        ),
        checked(
            (
                "Fig. 4, abstract",
                "8 levels are 220 times faster than the linked-cell method",
            ),
            "220",
            format!("{gain:.0}"),
            gain >= 220.0,
            "time of contact detection here, of the whole simulation in the paper, where forces and integration limit the gain",
        ),
        checked(
            (
                "Fig. 4, uniform size",
                "L = 2 is the fastest, about 30 % faster than one level",
            ),
            "L = 2, 30 %",
            format!("L = {best_of_size}, {:.0} %", 100.0 * (gain_of_size - 1.0)),
            best_of_size == 2 && (1.1..1.7).contains(&gain_of_size),
            detail,
        ),
        checked(
            (
                "Section 4.3",
                "the prediction also matches for ν = 0.1 and 0.4",
            ),
            "very well",
            listed.join("; "),
            is_near,
            format!("predicted with K = {PAPER_OVERHEAD}; {detail}"),
        ),
    ])
}

/// Returns the time with a number of levels over the shortest time.
fn slowdown(times: &LevelTimes, levels: usize) -> f64 {
    let seconds = |levels: &usize| {
        let position = times.levels.iter().position(|other| other == levels);
        position.map_or(f64::NAN, |i| times.timings[i].seconds)
    };
    seconds(&levels) / seconds(&times.fastest().0)
}

fn scene_fraction(scene: &Scene) -> f64 {
    scene.spheres.volume() / scene.container.volume()
}

/// Fig. 5, and the statements about two levels.
#[expect(clippy::too_many_lines, reason = "rows of a table")]
fn relative_rows(scenes: &mut Scenes) -> Outcome<Vec<Row>> {
    let overhead = overhead_of_machine()?.factor();
    let kinds = [
        Sizes::Bidisperse(2.0),
        Sizes::Bidisperse(10.0),
        Sizes::UniformVolume(10.0),
        Sizes::UniformVolume(50.0),
        Sizes::UniformVolume(100.0),
    ];
    let mut systems = Vec::new();
    for count in [10_000, 100_000] {
        systems.extend(measure(scenes, overhead, count, &kinds)?);
    }
    let change = |value: fn(&System) -> f64| {
        let changes = kinds.map(|sizes| deviation(&systems, sizes, value));
        100.0 * changes.into_iter().fold(0.0, f64::max)
    };
    let time_change = change(|system| system.relative_time);
    let work_change = change(|system| system.relative_work);
    let largest = |value: fn(&System) -> f64| systems.iter().map(value).fold(0.0, f64::max);
    let time = largest(|system| system.relative_time);
    let work = largest(|system| system.relative_work);
    let work_of_paper = largest(|system| system.relative_work_of_paper);
    let at = |sizes: Sizes, value: fn(&System) -> f64| {
        let mut systems = systems.iter().rev();
        let system = systems.find(|system| system.sizes == sizes);
        system.map_or(f64::NAN, value)
    };
    let falling = kinds[2..]
        .iter()
        .map(|&sizes| at(sizes, |system| system.relative_time));
    let falling: Vec<f64> = falling.collect();
    let bidisperse = at(kinds[1], |system| system.relative_time);
    let detail = "docs/reports/tuning.md, Time relative to equal spheres";
    Ok(vec![
        checked(
            (
                "Fig. 5",
                "the relative time is constant over N, so that time is linear in N",
            ),
            "±10 %",
            format!("±{time_change:.0} % in time, ±{work_change:.0} % in counted work"),
            time_change <= 10.0,
            format!("N = 10 000 and 100 000; up to 10⁶ and with the reason in {detail}"),
        ),
        checked(
            (
                "Fig. 5",
                "the largest relative time is about 1.5, for uniform volume with ω = 10",
            ),
            "1.5",
            format!(
                "{time:.2} in time, {work:.2} in counted work, {work_of_paper:.2} in work with K = {PAPER_OVERHEAD}"
            ),
            time <= 1.55,
            format!(
                "contact detection alone; the K of this machine is {overhead:.2}, which weighs the accesses of searches between levels more; {detail}"
            ),
        ),
        checked(
            ("Fig. 5", "the relative time falls with ω"),
            "falls from ω = 10 on",
            format!(
                "{:.2}, {:.2}, {:.2} for ω = 10, 50, 100",
                falling[0], falling[1], falling[2]
            ),
            falling.is_sorted_by(|a, b| a >= b),
            "uniform volume, N = 100 000",
        ),
        checked(
            ("Fig. 5, bidisperse", "close to equal particles with L = 2"),
            "within 50 %",
            format!("{bidisperse:.2} for ω = 10"),
            (0.5..=1.5).contains(&bidisperse),
            detail,
        ),
        checked(
            (
                "Section 5",
                "wide distributions take almost the time of equal particles",
            ),
            "almost the same",
            format!("{:.2} times for ω = 100", falling[2]),
            falling[2] <= 1.5,
            detail,
        ),
    ])
}

/// Two levels and one level for a bidisperse system.
fn two_level_row(scenes: &mut Scenes) -> Outcome<Row> {
    let scene = Sizes::Bidisperse(20.0).scene(scenes, 100_000)?;
    let choices = [vec![2.0, 40.0], vec![40.0]].map(|sizes| scene.whole(&sizes));
    let timings = scene.timed(&choices)?;
    let one_over_two = timings[1].seconds / timings[0].seconds;
    Ok(checked(
        (
            "Sections 2.3 and 3.1",
            "two levels of the two diameters improve on one level for ω > 10",
        ),
        "significantly",
        format!("{one_over_two:.0} times faster for ω = 20"),
        one_over_two > 2.0,
        "N = 100 000",
    ))
}

/// Section 2.2: the test of boxes.
fn box_row(scenes: &mut Scenes) -> Outcome<Row> {
    let mut texts = Vec::new();
    let mut is_faster = true;
    for (name, exponent, ratio) in [("equal", 0.0, 1.0), ("uniform volume, ω = 50", -3.0, 50.0)] {
        let scene = scenes.packed(exponent, ratio, 50_000, 0.62)?;
        let test = BoxTest::measure(&scene, &scene.tuned()?)?;
        is_faster &= test.relative_time() < 1.0;
        texts.push(format!(
            "{name}: {:.2} times the time, {:.0} % of the boxes overlap",
            test.relative_time(),
            100.0 * test.box_share
        ));
    }
    Ok(checked(
        (
            "Section 2.2",
            "testing bounding boxes before spheres usually increases the performance",
        ),
        "faster",
        texts.join("; "),
        is_faster,
        "the distance test takes three multiplications here, and the box test adds branches that cannot be predicted; docs/reports/tuning.md, The test of boxes",
    ))
}
