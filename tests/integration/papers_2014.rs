//! Equations, figures and statements of Krijgsman, Ogarko & Luding 2014.
//!
//! Printed values of the cost model are in `tuning.rs`, counts in packings in `tuning_measured.rs`. Where a statement of the
//! paper differs from its equations, the test expects the equations, and its comment quotes the statement.

use std::f64::consts::PI;

use glam::DVec3;
use jostle::{
    Boundaries, Container, Effort, PackOptions, Spheres, Target,
    laboratory::{
        broad_phase::{BroadPhase, HGridSearch, SortedHGrid},
        compare::{random_spheres, search, whole_cells},
    },
    pack,
    tuning::{
        CostModel, Dimension, Method, Plan, PlanOptions, RadiusLaw, Search, constant_per_cell,
        exponential, linear, optimal, plan, plans_up_to,
    },
};

use crate::common::spheres::power_law;

/// Overhead factor K of the paper.
const OVERHEAD: f64 = 0.2;
const METHODS: [Method; 4] = [
    Method::Linear,
    Method::Exponential,
    Method::Constant,
    Method::Optimal,
];
const BOTH: [Search; 2] = [Search::TopDown, Search::BottomUp];

/// Returns the options of Figs. 4 to 10: d = 3, ν = 0.7, K = 0.2.
fn options(method: Method, search: Search) -> PlanOptions {
    PlanOptions::default()
        .method(method)
        .search(search)
        .packing_fraction(0.7)
        .overhead(OVERHEAD)
}

fn law(exponent: f64, size_ratio: f64) -> RadiusLaw {
    RadiusLaw::power_law(exponent, size_ratio).unwrap()
}

/// Returns the plan with the best number of levels, for the options of Figs. 4 to 10.
fn best(method: Method, search: Search, exponent: f64, size_ratio: f64) -> Plan {
    plan(&law(exponent, size_ratio), &options(method, search)).unwrap()
}

fn work(method: Method, search: Search, exponent: f64, size_ratio: f64) -> f64 {
    best(method, search, exponent, size_ratio).work
}

/// Returns the work of a single level per sphere.
fn one_level(exponent: f64, size_ratio: f64) -> f64 {
    let law = law(exponent, size_ratio);
    let model = CostModel::new(&law, Dimension::Three, 0.7, OVERHEAD).unwrap();
    model.work(&[2.0 * size_ratio], Search::TopDown).unwrap()
}

#[track_caller]
fn assert_close(found: f64, expected: f64, tolerance: f64) {
    assert!(
        (found / expected - 1.0).abs() <= tolerance,
        "{found} instead of {expected}"
    );
}

/// Returns the cell of a point in the plane (Eq. 1).
fn cell(point: [f64; 2], size: f64) -> [i32; 2] {
    point.map(|x| (x / size).floor() as i32)
}

/// Returns the first and the last cell of the search around a sphere (Eq. 4).
fn searched(center: [f64; 2], radius: f64, size: f64) -> [[i32; 2]; 2] {
    let reach = radius + 0.5 * size;
    [-reach, reach].map(|reach| cell(center.map(|x| x + reach), size))
}

/// The text prints (1, 3, 1) as the first cell around B. By Eq. 4 it is (1, 2, 1), because (14.4 − 5.5)/3 = 2.97.
#[test]
fn fig_1_first_cell_around_b_is_a_misprint() {
    let center = [10.3, 14.4];
    assert_eq!(cell(center, 8.0), [1, 1]);
    assert_eq!(searched(center, 4.0, 3.0), [[1, 2], [5, 6]]);
    // A sphere of the first level in the row that the printed range leaves out touches B.
    let small = [10.3, 8.95];
    assert_eq!(cell(small, 3.0), [3, 2]);
    assert!(center[1] - small[1] < 4.0 + 1.5);
}

/// The text gives no position of C. The printed cells (1, 1, 2) to (2, 2, 2) hold if C is in the upper half of its cell along
/// both axes; elsewhere in the cell the search begins in cell 0.
#[test]
fn fig_1_cells_around_c() {
    for step in 0..300 {
        let x = 12.0 + 0.01 * f64::from(step);
        let center = [x, x + 0.005];
        assert_eq!(cell(center, 3.0), [4, 4]);
        let [start, end] = searched(center, 1.5, 8.0);
        assert_eq!(end, [2, 2]);
        assert_eq!(start, center.map(|x| i32::from(x >= 13.5)), "{center:?}");
    }
}

/// The search of the library opens the cells of Eq. 4: five by five in the plane of the figure, and four along the third axis.
#[test]
fn fig_1_hgrid_opens_the_cells_of_eq_4() {
    let centers = [[10.3, 14.4, 12.0], [10.3, 8.95, 12.0]].map(DVec3::from_array);
    let spheres = Spheres::new(centers.to_vec(), vec![4.0, 1.5]);
    // Eight cells of 3 and three cells of 8 fill the cube, slightly enlarged against rounding.
    let cube = Container::cuboid(DVec3::splat(24.001), Boundaries::PERIODIC).unwrap();
    let [start, end] = searched([10.3, 14.4], 4.0, 3.0);
    let cells = |axis: usize| (end[axis] - start[axis] + 1) as u64;
    // Each sphere opens its own cell and half of the 26 cells around it.
    let own = 2 * 14;
    let grid = SortedHGrid::new(vec![3.0, 8.0], HGridSearch::TopDown).unwrap();
    let mut pairs = Vec::new();
    let counts = grid
        .in_container(cube)
        .detect(&spheres, &mut |i, j| pairs.push((i.min(j), i.max(j))));
    assert_eq!(counts.cell_accesses, own + cells(0) * cells(1) * 4);
    // With the printed first cell (1, 3, 1) this contact would be missed.
    assert_eq!(pairs, [(0, 1)]);
}

/// Returns `∫ g(r) r^α dr` from `a` to `b`, by Simpson's rule in ln r.
fn integral(exponent: f64, a: f64, b: f64, g: impl Fn(f64) -> f64) -> f64 {
    let steps = 1000;
    let width = (b / a).ln() / f64::from(steps);
    let term = |i: i32| {
        let weight = match i {
            0 => 1.0,
            i if i == steps => 1.0,
            i if i % 2 == 1 => 4.0,
            _ => 2.0,
        };
        let r = a * (width * f64::from(i)).exp();
        weight * g(r) * r.powf(exponent + 1.0)
    };
    (0..=steps).map(term).sum::<f64>() * width / 3.0
}

/// Returns `[N_h/N, m_h, T^cd_h/N, T^ca_h/N]` of each level, term by term as the equations are printed.
fn by_quadrature(
    (exponent, size_ratio): (f64, f64),
    dimension: Dimension,
    packing_fraction: f64,
    sizes: &[f64],
    search: Search,
) -> Vec<[f64; 4]> {
    let d = i32::from(u8::from(dimension));
    let (unit_sphere, half) = match dimension {
        Dimension::Two => (PI, 4.0),
        Dimension::Three => (4.0 / 3.0 * PI, 13.0),
    };
    let norm = integral(exponent, 1.0, size_ratio, |_| 1.0); // Eq. 30
    let mean_volume = unit_sphere * integral(exponent, 1.0, size_ratio, |r| r.powi(d)) / norm; // Eq. 6
    let edge = |h: usize| if h == 0 { 1.0 } else { 0.5 * sizes[h - 1] };
    let over =
        |h: usize, g: &dyn Fn(f64) -> f64| integral(exponent, edge(h), edge(h + 1), g) / norm;
    let share = |h: usize| over(h, &|_| 1.0); // Eq. 9
    let per_cell = |h: usize| packing_fraction * sizes[h].powi(d) / mean_volume * share(h); // Eqs. 10 and 11
    let searched = |j: usize, h: usize| {
        over(h, &|r| (2.0 * r / sizes[j] + 2.0).powi(d)) / share(h) // Eq. 16
    };
    (0..sizes.len())
        .map(|h| {
            let others = match search {
                Search::TopDown => 0..h,
                _ => h + 1..sizes.len(),
            };
            let tests = others.clone().map(|j| per_cell(j) * searched(j, h));
            let cells = others.clone().map(|j| searched(j, h));
            [
                share(h),
                per_cell(h),
                share(h) * ((0.5 + half) * per_cell(h) + tests.sum::<f64>()), // Eqs. 23 and 25
                share(h) * (1.0 + half + cells.sum::<f64>()),                 // Eqs. 24 and 26
            ]
        })
        .collect()
}

#[test]
fn eqs_6_to_30_agree_with_quadrature() {
    for (exponent, size_ratio) in [(0.0, 10.0), (-1.0, 30.0), (-2.0, 5.0), (-3.0, 100.0)] {
        for dimension in [Dimension::Two, Dimension::Three] {
            let law = law(exponent, size_ratio);
            let model = CostModel::new(&law, dimension, 0.4, OVERHEAD).unwrap();
            let sizes = exponential(&law, 4).unwrap();
            for search in BOTH {
                let form = (exponent, size_ratio);
                let expected = by_quadrature(form, dimension, 0.4, &sizes, search);
                let levels = model.levels(&sizes, search).unwrap();
                for (level, expected) in levels.iter().zip(&expected) {
                    assert_close(level.number_share, expected[0], 1e-8);
                    assert_close(level.particles_per_cell, expected[1], 1e-8);
                    assert_close(level.collision_work, expected[2], 1e-8);
                    assert_close(level.access_work, expected[3], 1e-8);
                }
                let total = expected
                    .iter()
                    .map(|[_, _, tests, accesses]| tests + OVERHEAD * accesses);
                let found = model.work(&sizes, search).unwrap();
                assert_close(found, total.sum(), 1e-8);
            }
        }
    }
}

/// Eqs. 12 to 15, on one level of whole cells: every sphere opens its own cell and 13 others, and makes 13.5 m tests but for
/// the pair with itself.
#[test]
fn eqs_12_to_15_agree_with_counts() {
    let (spheres, cube) = random_spheres(&[1.0; 20_000], 0.4, 1).unwrap();
    let size = whole_cells(cube.lengths().x, &[2.0]);
    let per_cell = 20_000.0 * (size[0] / cube.lengths().x).powi(3);
    let grid = SortedHGrid::new(size, HGridSearch::TopDown).unwrap();
    let timing = search(&mut grid.in_container(cube), &spheres);
    assert_eq!(timing.cell_accesses, 14.0 * 20_000.0);
    assert_close(timing.pair_tests / 20_000.0, 13.5 * per_cell, 0.01);
}

/// Returns m_1 of Eq. 32.
fn eq_32(exponent: f64, size_ratio: f64, d: i32, packing_fraction: f64) -> f64 {
    let unit_sphere = if d == 2 { PI } else { 4.0 / 3.0 * PI };
    let (n, dimension) = (1.0 + exponent, f64::from(d));
    (2.0 * size_ratio).powi(d) * packing_fraction / unit_sphere * (n + dimension) / n
        * (size_ratio.powf(n) - 1.0)
        / (size_ratio.powf(n + dimension) - 1.0)
}

/// Returns the limit of m_1 for large size ratios (Eq. 33).
fn eq_33(exponent: f64, size_ratio: f64, d: i32, packing_fraction: f64) -> f64 {
    let unit_sphere = if d == 2 { PI } else { 4.0 / 3.0 * PI };
    let (n, dimension) = (1.0 + exponent, f64::from(d));
    let factor = 2_f64.powi(d) * packing_fraction / unit_sphere * (n + dimension) / n;
    match exponent {
        exponent if exponent < -1.0 - dimension => factor * size_ratio.powi(d),
        exponent if exponent < -1.0 => -factor * size_ratio.powf(-n),
        _ => factor,
    }
}

/// Returns the spheres per cell of a single level, from the model.
fn one_level_filling(exponent: f64, size_ratio: f64, d: i32, packing_fraction: f64) -> f64 {
    let dimension = Dimension::try_from(d as u8).unwrap();
    let law = law(exponent, size_ratio);
    let model = CostModel::new(&law, dimension, packing_fraction, OVERHEAD).unwrap();
    let levels = model.levels(&[2.0 * size_ratio], Search::TopDown).unwrap();
    levels[0].particles_per_cell
}

#[test]
fn eq_32_holds_for_every_exponent() {
    for d in [2, 3] {
        for exponent in [2.0, 0.5, 0.0, -0.5, -1.5, -2.0, -2.5, -3.5, -5.0, -6.0] {
            for size_ratio in [1.5, 10.0, 300.0] {
                assert_close(
                    one_level_filling(exponent, size_ratio, d, 0.7),
                    eq_32(exponent, size_ratio, d, 0.7),
                    1e-9,
                );
            }
        }
    }
}

#[test]
fn eq_33_is_the_limit_of_eq_32() {
    for d in [2, 3] {
        for exponent in [2.0, 0.0, -0.5, -1.5, -2.0, -2.5, -5.0, -6.0] {
            let deviation = |size_ratio| {
                let found = one_level_filling(exponent, size_ratio, d, 0.7);
                (found / eq_33(exponent, size_ratio, d, 0.7) - 1.0).abs()
            };
            let [near, far] = [1e3, 1e6].map(deviation);
            assert!(
                far < 2e-3 && (far < 0.1 * near || far < 1e-9),
                "α = {exponent}, d = {d}: {near}, {far}"
            );
        }
        // "for α < −1 the number of particles per cell increases with increasing ω"; at α = −1 it increases as ln ω.
        for exponent in [-1.0, -1.5, -2.0, -3.0, -4.0, -5.0] {
            let [near, far] = [1e3, 1e6].map(|ratio| one_level_filling(exponent, ratio, d, 0.7));
            assert!(far > 1.9 * near, "α = {exponent}, d = {d}: {near}, {far}");
        }
    }
}

#[test]
fn eqs_34_to_38_define_the_cell_sizes() {
    let law = law(-3.0, 100.0);
    for (h, size) in (1..).zip(linear(&law, 7).unwrap()) {
        assert_close(size, 2.0 * (1.0 + f64::from(h) * 99.0 / 7.0), 1e-12);
    }
    let sizes = exponential(&law, 7).unwrap();
    let q = 100_f64.powf(1.0 / 7.0);
    assert_close(sizes[0], 2.0 * q, 1e-12);
    for pair in sizes.windows(2) {
        assert_close(pair[1], q * pair[0], 1e-12);
    }
    for (ratio, dimension, d) in [(1.0, Dimension::Two, 2), (2.0, Dimension::Three, 3)] {
        let model = CostModel::new(&law, dimension, 0.7, OVERHEAD).unwrap();
        let sizes = constant_per_cell(&model, 5, ratio).unwrap();
        let filling = |h: usize| {
            let below = if h == 0 { 1.0 } else { 0.5 * sizes[h - 1] };
            sizes[h].powi(d) * integral(-3.0, below, 0.5 * sizes[h], |_| 1.0)
        };
        for h in 0..4 {
            assert_close(filling(h + 1) / filling(h), ratio, 1e-6);
        }
    }
}

/// "All curves, except the one for α = 0, diverge."
#[test]
fn fig_3_one_level_serves_exponents_above_minus_one_only() {
    for exponent in [-1.0, -2.0, -3.0, -4.0] {
        let [near, middle, far] = [100.0, 1e4, 1e6].map(|ratio| one_level(exponent, ratio));
        assert!(
            middle > 1.4 * near && far > 1.4 * middle,
            "α = {exponent}: {near}, {middle}, {far}"
        );
    }
    for exponent in [0.0, -0.5] {
        let [near, far] = [1e6, 1e10].map(|ratio| one_level(exponent, ratio));
        assert_close(far, near, 0.01);
    }
    assert_close(one_level(0.0, 1e6), 74.99, 0.001);
}

/// "for α = 0 … the computational effort is reduced by approximately 60 %, while for α = −3 a speed-up of several orders of
/// magnitude is achieved"
#[test]
fn fig_4_linear_sizes_save_60_percent_at_exponent_0() {
    for (search, saving) in [(Search::TopDown, 0.55), (Search::BottomUp, 0.58)] {
        for size_ratio in [100.0, 1000.0] {
            let best = best(Method::Linear, search, 0.0, size_ratio);
            let found = 1.0 - best.speedup.recip();
            assert!((found - saving).abs() < 0.01, "{search}: {found}");
        }
        assert!(best(Method::Linear, search, -3.0, 100.0).speedup > 1e3);
        assert!(best(Method::Linear, search, -3.0, 1000.0).speedup > 1e4);
    }
}

/// "while for α > 0 the Bottom-Up algorithm works slightly better, for α < 0 the Top-Down algorithm is preferred"
#[test]
fn fig_4_search_of_linear_sizes_depends_on_the_exponent() {
    for size_ratio in [10.0, 100.0] {
        for (exponent, bottom_up_is_better) in
            [(1.0, true), (0.1, true), (-0.5, false), (-3.0, false)]
        {
            let [top_down, bottom_up] =
                BOTH.map(|search| work(Method::Linear, search, exponent, size_ratio));
            assert_eq!(bottom_up < top_down, bottom_up_is_better, "α = {exponent}");
        }
    }
}

/// "For the α = −3 case, the optimal number of levels increases significantly with increasing ω."
#[test]
fn fig_4_linear_sizes_need_many_levels_at_exponent_minus_3() {
    let levels = |search, exponent| {
        [10.0, 100.0, 1000.0].map(|ratio| best(Method::Linear, search, exponent, ratio).levels)
    };
    assert_eq!(levels(Search::TopDown, -3.0), [10, 43, 184]);
    assert_eq!(levels(Search::BottomUp, -3.0), [7, 22, 66]);
    assert_eq!(levels(Search::TopDown, 0.0), [3, 3, 3]);
    assert_eq!(levels(Search::BottomUp, 0.0), [4, 5, 5]);
}

/// "For α = 0 the Bottom-Up algorithm works better, while for α = −3 the Top-Down algorithm is preferred. … in general for
/// α ≤ −2 the Top-Down algorithm is preferred."
#[test]
fn fig_5_search_of_exponential_sizes_depends_on_the_exponent() {
    for size_ratio in [10.0, 100.0] {
        for (exponent, bottom_up_is_better) in [
            (0.0, true),
            (-1.0, true),
            (-2.0, false),
            (-2.5, false),
            (-3.0, false),
            (-4.0, false),
        ] {
            let [top_down, bottom_up] =
                BOTH.map(|search| work(Method::Exponential, search, exponent, size_ratio));
            assert_eq!(bottom_up < top_down, bottom_up_is_better, "α = {exponent}");
        }
    }
}

/// "The optimal number of levels is not that strongly dependent on ω … when the Top-Down approach is used. However … the
/// optimal number of levels increases with increasing ω for the Bottom-Up algorithm."
#[test]
fn fig_5_levels_increase_for_bottom_up_only() {
    let levels = |search, exponent| {
        [10.0, 100.0, 1000.0].map(|ratio| best(Method::Exponential, search, exponent, ratio).levels)
    };
    assert_eq!(levels(Search::TopDown, -3.0), [4; 3]);
    assert_eq!(levels(Search::BottomUp, -3.0), [6, 9, 12]);
    assert_eq!(levels(Search::TopDown, 0.0), [2, 1, 1]);
    assert_eq!(levels(Search::BottomUp, 0.0), [7, 14, 20]);
}

/// "All of the used algorithms show a significant decrease in computational effort over the single-level reference case for all
/// parameters." Exponential sizes with Top-Down save nothing at α = 0 and large ω.
#[test]
fn figs_4_to_8_all_but_one_combination_save_work() {
    for method in METHODS {
        for search in BOTH {
            for exponent in [0.0, -3.0] {
                let saves = best(method, search, exponent, 100.0).speedup > 2.0;
                let is_exception =
                    (method, search, exponent) == (Method::Exponential, Search::TopDown, 0.0);
                assert_eq!(saves, !is_exception, "{method}, {search}, α = {exponent}");
            }
        }
    }
    let exception = best(Method::Exponential, Search::TopDown, 0.0, 100.0);
    assert_eq!(exception.levels, 1);
    assert_close(exception.speedup, 1.0, 1e-9);
}

/// Returns the work of `constant` sizes with ratio q for each number of levels from 1 to 20, at α = −3 and ω = 100.
fn fig_6(q: f64, search: Search) -> Vec<f64> {
    let options = options(Method::Constant, search).ratio(q);
    let plans = plans_up_to(&law(-3.0, 100.0), &options, 20).unwrap();
    plans.iter().map(|plan| plan.work).collect()
}

fn least(works: &[f64]) -> f64 {
    works.iter().copied().fold(f64::MAX, f64::min)
}

/// "For values of q = 1, 2 and 5 the minima in the required computation effort are roughly equal. … The optimal value is
/// somewhere between q = 1 and q = 2." The minimum for q = 5 is a fifth higher.
#[test]
fn fig_6_best_ratio_lies_between_1_and_2() {
    let [one, between, two, five] = [1.0, 1.1, 2.0, 5.0].map(|q| least(&fig_6(q, Search::TopDown)));
    for (found, expected) in [
        (one, 11.595),
        (between, 11.578),
        (two, 11.718),
        (five, 13.815),
    ] {
        assert!((found - expected).abs() < 0.001, "{found}, {expected}");
    }
    // "This is also confirmed for … the Bottom-Up algorithm."
    let [one, between, two] = [1.0, 1.2, 2.0].map(|q| least(&fig_6(q, Search::BottomUp)));
    assert!(between < one && between < two, "{one}, {between}, {two}");
}

/// "The range and number of different levels, for which the computational effort is acceptable, are much bigger for q = 1 than
/// for q = 2."
#[test]
fn fig_6_more_numbers_of_levels_are_acceptable_for_ratio_1() {
    let acceptable = |q| {
        let works = fig_6(q, Search::TopDown);
        let limit = 1.15 * least(&works);
        works.iter().filter(|&&work| work < limit).count()
    };
    assert_eq!([1.0, 2.0].map(acceptable), [13, 1]);
}

/// "For all values of α the Top-Down algorithm is preferred."
#[test]
fn fig_7_top_down_is_better_for_every_exponent() {
    for exponent in [2.0, 0.0, -1.0, -2.0, -4.0] {
        let [top_down, bottom_up] =
            BOTH.map(|search| work(Method::Constant, search, exponent, 100.0));
        assert!(
            top_down < bottom_up,
            "α = {exponent}: {top_down}, {bottom_up}"
        );
    }
    let levels = |exponent| {
        [10.0, 100.0, 1000.0]
            .map(|ratio| best(Method::Constant, Search::TopDown, exponent, ratio).levels)
    };
    assert_eq!(levels(0.0), [4, 5, 5]);
    assert_eq!(levels(-3.0), [7, 12, 15]);
}

/// "the results are quite comparable to that of the constant number of particles per cell method"
#[test]
fn fig_8_optimal_sizes_save_little_beside_constant_ones() {
    for (search, most) in [(Search::TopDown, 0.03), (Search::BottomUp, 0.09)] {
        for exponent in [0.0, -3.0] {
            for size_ratio in [10.0, 1000.0] {
                let [constant, optimal] = [Method::Constant, Method::Optimal]
                    .map(|method| work(method, search, exponent, size_ratio));
                let saved = 1.0 - optimal / constant;
                assert!(
                    (-1e-6..most).contains(&saved),
                    "{search}, α = {exponent}, ω = {size_ratio}: {saved}"
                );
            }
        }
    }
}

/// "all but one (the Bottom-Up algorithm using a linear cell size distribution for α = 0) of the test cases show that for large
/// polydispersities … the optimal efficiency of the algorithm is independent on ω". The exception is α = −3, not α = 0.
#[test]
fn figs_4_to_8_work_is_independent_of_a_large_size_ratio() {
    for method in METHODS {
        for search in BOTH {
            for exponent in [0.0, -3.0] {
                let [near, far] =
                    [100.0, 1000.0].map(|ratio| work(method, search, exponent, ratio));
                let is_exception =
                    (method, search, exponent) == (Method::Linear, Search::BottomUp, -3.0);
                if is_exception {
                    assert!(far > 2.3 * near, "{near}, {far}");
                } else {
                    assert!(
                        far < 1.13 * near,
                        "{method}, {search}, α = {exponent}: {near}, {far}"
                    );
                }
                if exponent == 0.0 {
                    assert_close(far, near, 0.01);
                }
            }
        }
    }
}

/// "choosing L = 8 or L = 19 reduces the performance just by 10 %. So, it is advised to either use the constant number of
/// particles per cell or the truly optimal cell size distribution, which is even less sensitive to L ≠ L*."
#[test]
fn fig_9_optimal_sizes_are_the_least_sensitive() {
    let loss = |method, levels| {
        let options = options(method, Search::TopDown);
        let law = law(-3.0, 100.0);
        let best = plan(&law, &options).unwrap();
        plan(&law, &options.levels(levels)).unwrap().work / best.work - 1.0
    };
    for levels in [6, 8, 19] {
        let [exponential, constant, optimal] =
            [Method::Exponential, Method::Constant, Method::Optimal].map(|m| loss(m, levels));
        assert!(optimal < 0.002, "L = {levels}: {optimal}");
        assert!(optimal < constant.min(exponential), "L = {levels}");
    }
}

/// "in most cases m_h < 1 is a good choice"
#[test]
fn fig_10_cells_hold_less_than_one_sphere() {
    for search in BOTH {
        let plans = METHODS.map(|method| best(method, search, -3.0, 100.0));
        let fillings = plans.iter().flat_map(|plan| &plan.particles_per_cell);
        let below = fillings.clone().filter(|&&filling| filling < 1.0).count();
        assert!(below as f64 > 0.9 * fillings.count() as f64, "{search}");
        for plan in &plans[2..] {
            assert!(plan.particles_per_cell.iter().all(|&filling| filling < 0.5));
        }
    }
}

/// Sect. 6: "contact detection time is estimated to be T ≤ 30 N", "decreases with increasing ω, or with decreasing α", "as
/// fast as the linked-cell method finds contacts in purely monodisperse particle systems".
#[test]
fn sect_6_work_of_optimal_sizes() {
    let optimum = |exponent, ratio| work(Method::Optimal, Search::TopDown, exponent, ratio);
    let equal = optimum(0.0, 1.0);
    assert_close(equal, 13.5 * 8.0 * 0.7 / (4.0 / 3.0 * PI) + 2.8, 1e-9);
    let works = [0.0, -1.0, -2.0, -3.0].map(|exponent| optimum(exponent, 100.0));
    assert!(works.is_sorted_by(|a, b| a > b), "{works:?}");
    // Beyond the exponents of the paper, the work increases again.
    assert!(optimum(-4.0, 100.0) > works[3]);
    for exponent in [0.0, -1.0, -2.0, -3.0] {
        for ratio in [2.0, 10.0, 100.0, 1000.0] {
            let work = optimum(exponent, ratio);
            assert!(
                work < 30.0 && work < 1.42 * equal,
                "α = {exponent}, ω = {ratio}: {work}"
            );
        }
    }
    assert!(optimum(-3.0, 10.0) < equal);
    assert!(optimum(-3.0, 1000.0) < optimum(-3.0, 100.0));
    // The bound does not hold for the other sizes, nor for Bottom-Up.
    assert!(work(Method::Linear, Search::TopDown, 0.0, 100.0) > 33.0);
    assert!(work(Method::Optimal, Search::BottomUp, -3.0, 100.0) > 39.0);
    // "For α ≤ −1 the use of a multilevel grid becomes extremely efficient"; at α = −1 it is 11 times faster.
    let speedup = |exponent| best(Method::Optimal, Search::TopDown, exponent, 100.0).speedup;
    assert!(speedup(-1.0) > 10.0 && speedup(-2.0) > 100.0 && speedup(0.0) < 3.0);
}

/// Returns the counted work of a Top-Down search over the work of the model, with the optimal sizes. Whole cells fill a periodic
/// container.
fn counted_over_model(spheres: &Spheres, container: &Container) -> f64 {
    let law = RadiusLaw::from_radii(spheres.radii()).unwrap();
    let packing_fraction = spheres.volume() / container.volume();
    let model = CostModel::new(&law, Dimension::Three, packing_fraction, OVERHEAD).unwrap();
    let smallest = law.smallest_radius();
    let mut sizes = optimal(&model, Search::TopDown);
    if container.is_periodic(0) {
        sizes = whole_cells(container.lengths().x / smallest, &sizes);
    }
    // Rounding must not leave the largest sphere without a level.
    let scaled = sizes.iter().map(|size| size * smallest * (1.0 + 1e-12));
    let grid = SortedHGrid::new(scaled.collect(), HGridSearch::TopDown).unwrap();
    let timing = search(&mut grid.in_container(container.clone()), spheres);
    let counted = (timing.pair_tests + OVERHEAD * timing.cell_accesses) / spheres.len() as f64;
    counted / model.work(&sizes, Search::TopDown).unwrap()
}

/// "For lower packing fractions the results are extremely accurate, but for higher volume fractions the required work in real
/// simulations becomes slightly higher than expected … This effect increases with increasing volume fraction."
#[test]
fn fig_11_packings_exceed_the_model_with_the_packing_fraction() {
    let radii = power_law(-3.0, 20.0, 8_000);
    let [loose, middle, dense] = [0.1, 0.4, 0.62].map(|packing_fraction| {
        let options = PackOptions::default()
            .target(Target::Fraction(packing_fraction))
            .effort(Effort::QUICK);
        let packing = pack(&radii, &options).unwrap().packing;
        counted_over_model(packing.spheres(), packing.container()) - 1.0
    });
    assert!(loose.abs() < 0.02, "{loose}");
    assert!(
        middle > 0.02 && dense > middle + 0.02 && dense < 0.2,
        "{middle}, {dense}"
    );
}

/// "For a small number of particles the computational work is slightly less than expected … there will be particles at the
/// boundary of the domain … This dependence has been tested and confirmed by … systems with periodic boundary conditions".
/// At random positions the boundary is the only difference.
#[test]
fn fig_12_walls_save_work_in_small_systems_only() {
    let ratios = [1_000, 8_000, 64_000].map(|count| {
        let (spheres, periodic) = random_spheres(&power_law(-3.0, 10.0, count), 0.62, 1).unwrap();
        let walls = Container::cuboid(periodic.lengths(), Boundaries::WALLS).unwrap();
        [&walls, &periodic].map(|container| counted_over_model(&spheres, container))
    });
    let [small, middle, large] = ratios.map(|[walls, _]| walls);
    assert!(
        small < middle && middle < large && large < 1.0,
        "{ratios:?}"
    );
    assert!(small < 0.92 && large > small + 0.05, "{ratios:?}");
    for [_, periodic] in ratios {
        assert!((periodic - 1.0).abs() < 0.04, "{ratios:?}");
    }
}

/// "the percentage of cells on the lowest hierarchy level where two or more particles reside is 2.26 % with excluded volume and
/// 1.26 % for fully random positions", for α = −3, ω = 100, ν = 0.62. The report on tuning counts the packing.
#[test]
fn sect_5_4_1_share_of_cells_with_two_spheres() {
    let options = options(Method::Optimal, Search::TopDown).packing_fraction(0.62);
    let finest = plan(&law(-3.0, 100.0), &options)
        .unwrap()
        .particles_per_cell[0];
    // Random positions follow Poisson's law.
    let shared = 1.0 - (1.0 + finest) * (-finest).exp();
    assert!((100.0 * shared - 1.26).abs() < 0.1, "{shared}");
}
