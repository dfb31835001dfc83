//! The figures of Krijgsman, Ogarko & Luding (2014) and Ogarko & Luding (2012), for power laws and for samples of them.
//!
//! Where the text of a paper and its equations disagree, the value is that of the equations.

use jostle::tuning::*;
use proptest::prelude::*;

/// The radii at the mid-points of `n` equal shares of a truncated power law with smallest radius 1.
fn stratified(exponent: f64, size_ratio: f64, n: usize) -> Vec<f64> {
    let p = exponent + 1.0;
    (0..n)
        .map(|i| {
            let u = (i as f64 + 0.5) / n as f64;
            if p == 0.0 {
                size_ratio.powf(u)
            } else {
                (1.0 + u * (size_ratio.powf(p) - 1.0)).powf(p.recip())
            }
        })
        .collect()
}

/// The standard case of the 2014 paper: d = 3, ν = 0.7, α = −3, ω = 100, K = 0.2, Top-Down.
fn standard(method: Method) -> PlanOptions {
    PlanOptions {
        method,
        packing_fraction: 0.7,
        overhead: Some(0.2),
        ..PlanOptions::default()
    }
}

fn uniform_volume() -> RadiusLaw {
    RadiusLaw::power_law(-3.0, 100.0).unwrap()
}

#[track_caller]
fn assert_printed(value: f64, printed: f64, digits: i32) {
    let half = 0.5 * 10f64.powi(-digits);
    assert!(
        (value - printed).abs() <= half * 1.0001,
        "{value} does not print as {printed}"
    );
}

#[test]
fn linear_sizes_need_43_levels() {
    let best = plan(&uniform_volume(), &standard(Method::Linear)).unwrap();
    assert_eq!(best.levels, 43);
    assert_printed(best.work, 12.40, 2);
}

#[test]
fn exponential_sizes_are_best_at_4_levels() {
    let law = uniform_volume();
    let best = plan(&law, &standard(Method::Exponential)).unwrap();
    assert_eq!(best.levels, 4);
    let curve = sweep(&law, &standard(Method::Exponential), 6).unwrap();
    assert_printed(curve[3].work, 12.13, 2);
    assert_printed(curve[2].work, 17.88, 2);
    assert_printed(curve[5].work, 15.04, 2);
}

#[test]
fn constant_filling_is_best_at_12_levels() {
    let law = uniform_volume();
    let best = plan(&law, &standard(Method::Constant)).unwrap();
    assert_eq!(best.levels, 12);
    let curve = sweep(&law, &standard(Method::Constant), 19).unwrap();
    assert_printed(curve[11].work, 11.60, 2);
    assert_printed(curve[7].work, 12.76, 2);
    assert_printed(curve[18].work, 12.77, 2);
}

#[test]
fn optimal_sizes_need_hardly_less_and_are_flat() {
    let law = uniform_volume();
    let best = plan(&law, &standard(Method::Optimal)).unwrap();
    assert!((11.57..=11.58).contains(&best.work), "{}", best.work);
    for plan in &sweep(&law, &standard(Method::Optimal), 16).unwrap()[6..] {
        assert!(plan.work < 1.05 * best.work, "{}: {}", plan.levels, plan.work);
    }
}

#[test]
fn one_level_costs_thousands_of_times_more() {
    let one = plan(
        &uniform_volume(),
        &PlanOptions {
            levels: Some(1),
            ..standard(Method::Constant)
        },
    )
    .unwrap();
    assert_printed(one.work / 1e4, 9.11, 2);
    assert_eq!((one.levels, one.speedup), (1, 1.0));
    assert!(!one.one_level_is_enough);
}

#[test]
fn the_plane_case_gains_34_9() {
    let law = RadiusLaw::power_law(-3.0, 20.0).unwrap();
    let model = CostModel::new(&law, Dimension::Two, 0.4, 0.2).unwrap();
    let work = model.work(&[4.0, 7.9, 15.1, 27.2, 40.0], Search::TopDown);
    let single = model.work(&[40.0], Search::TopDown);
    assert_printed(work, 4.40, 2);
    assert_printed(single, 153.6, 1);
    assert_printed(single / work, 34.9, 1);

    let options = PlanOptions {
        dimension: Dimension::Two,
        packing_fraction: 0.4,
        ..standard(Method::Optimal)
    };
    let best = plan(&law, &options).unwrap();
    assert_eq!(best.levels, 5);
    for (size, printed) in best.cell_sizes.iter().zip([4.0, 7.9, 15.1, 27.2, 40.0]) {
        assert!((size / printed - 1.0).abs() < 0.02, "{:?}", best.cell_sizes);
    }
}

#[test]
fn one_level_pays_above_exponent_minus_one_only() {
    let gain = |exponent| {
        let law = RadiusLaw::power_law(exponent, 100.0).unwrap();
        plan(&law, &standard(Method::Optimal)).unwrap().speedup
    };
    assert!(gain(-3.0) > 1000.0 && gain(-2.0) > 100.0 && gain(-1.0) > 4.0);
    assert!(gain(0.5) < 2.5);
}

#[test]
fn samples_of_a_law_give_its_figures_within_a_hundredth() {
    let law = uniform_volume();
    let sample = RadiusLaw::from_radii(&stratified(-3.0, 100.0, 1_000_000)).unwrap();
    for method in [
        Method::Linear,
        Method::Exponential,
        Method::Constant,
        Method::Optimal,
    ] {
        let (exact, sampled) = (
            plan(&law, &standard(method)).unwrap(),
            plan(&sample, &standard(method)).unwrap(),
        );
        assert!(
            (sampled.work / exact.work - 1.0).abs() < 0.01,
            "{method}: {} against {}",
            sampled.work,
            exact.work
        );
    }
}
