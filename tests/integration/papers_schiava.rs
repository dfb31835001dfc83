//! Tables, equations and statements of Schiava D'Albano et al. Work is counted, never timed.
//!
//! Unit tests in `src/laboratory/compare` have the positions (Eqs. 12, 18 to 25), the steps (Eqs. 13 to 16) and the quadratic work
//! of Experiment IV; `tests/integration/broad_phase.rs` compares all pairs with brute force.

use jostle::laboratory::{
    broad_phase::BroadPhaseKind::{self, Bbts, Mr, MrS, Nbs},
    compare::{
        Arrangement, Case, Experiment, Growth, LinkedPaths, Measurement, Steps, first_snapshot,
        fits, growth_exponent, measure,
    },
};

/// The algorithms of the paper.
const ALGORITHMS: [BroadPhaseKind; 4] = [Nbs, Mr, MrS, Bbts];

fn measured(case: &Case, algorithm: BroadPhaseKind) -> Measurement {
    measure(case, algorithm, &[]).unwrap()
}

/// Returns a count for several numbers of spheres.
fn counts(
    experiment: Experiment,
    numbers: &[usize],
    algorithm: BroadPhaseKind,
    count: impl Fn(&Measurement) -> u64,
) -> Vec<(f64, f64)> {
    (experiment.cases(numbers, 1).iter())
        .map(|case| {
            (
                case.spheres as f64,
                count(&measured(case, algorithm)) as f64,
            )
        })
        .collect()
}

/// Tables 1 and 2, Figs. 22 and 23.
#[test]
fn paths_of_the_memory_access_test() {
    let paths = |arrangement| {
        let paths = LinkedPaths::new(arrangement, 8).unwrap();
        [0, 1].map(|which| paths.path(which).collect::<Vec<_>>())
    };
    assert_eq!(paths(Arrangement::A), [[0, 1, 2, 3], [4, 5, 6, 7]]);
    assert_eq!(paths(Arrangement::B), [[0, 2, 4, 6], [1, 3, 5, 7]]);
}

/// Eqs. 10 and 11: 30 and 18 bytes with pointers to the elements, 26 and 14 with numbers; a reduction by 40 %.
#[test]
fn memory_of_mr_and_mr_s() {
    let (coordinates, pointer, integer): (u32, u32, u32) = (3 * 2, 8, 4);
    let mr = |element: u32| coordinates + 2 * pointer + element;
    let mr_s = |element: u32| coordinates + integer + element;
    assert_eq!([mr(pointer), mr_s(pointer)], [30, 18]);
    assert_eq!(100 * (mr(pointer) - mr_s(pointer)) / mr(pointer), 40);
    assert_eq!(Mr.paper_bytes_per_sphere(), Some(mr(integer)));
    assert_eq!(MrS.paper_bytes_per_sphere(), Some(mr_s(integer)));
}

/// Eqs. 4 to 6: NBS, MR and MR-S are linear, in Experiments I, II and III.
#[test]
fn nbs_mr_and_mr_s_are_linear() {
    for experiment in [Experiment::I, Experiment::Iii] {
        for algorithm in [Nbs, Mr, MrS] {
            let points = counts(
                experiment,
                &[1_000, 8_000, 64_000],
                algorithm,
                Measurement::operations,
            );
            let exponent = growth_exponent(&points).unwrap();
            assert!(
                (exponent - 1.0).abs() < 0.08,
                "{experiment}, {algorithm}: {exponent}"
            );
        }
    }
}

/// Eqs. 3 and 17, Figs. 14 and 20: the comparisons in the tree of BBTS grow as N log N.
#[test]
fn bbts_is_linear_times_logarithm() {
    for experiment in [Experiment::I, Experiment::Iii] {
        let points = counts(experiment, &[1_000, 8_000, 64_000], Bbts, |row| {
            row.comparisons
        });
        let over = |law: &dyn Fn(f64) -> f64| -> f64 {
            let ratios = points.iter().map(|&(n, count)| count / law(n));
            let [low, high] = ratios.fold([f64::MAX, 0.0_f64], |[low, high], ratio| {
                [low.min(ratio), high.max(ratio)]
            });
            high / low
        };
        assert!(over(&|n| n) > 1.35, "{experiment}: {points:?}");
        assert!(over(&|n| n * n.ln()) < 1.15, "{experiment}: {points:?}");
    }
    for algorithm in [Nbs, Mr, MrS] {
        let case = Experiment::I.cases(&[500], 1)[0];
        assert_eq!(measured(&case, algorithm).comparisons, 0);
    }
}

/// Experiment II: the work does not depend on the density (Eqs. 19 and 20), once spheres hardly meet.
#[test]
fn work_does_not_depend_on_the_density() {
    let cases = Experiment::Ii.cases(&[5_000], 1);
    let densities: Vec<f64> = cases.iter().map(|case| case.spacing.powi(-3)).collect();
    assert_eq!((densities[0], densities[7]), (1.0, 1.0 / 8e6));
    let sparse: Vec<&Case> = cases.iter().filter(|case| case.spacing >= 5.0).collect();
    for algorithm in ALGORITHMS {
        let work: Vec<f64> = (sparse.iter())
            .map(|case| measured(case, algorithm).operations() as f64)
            .collect();
        for value in &work {
            assert!((value / work[0] - 1.0).abs() < 0.1, "{algorithm}: {work:?}");
        }
    }
}

/// Eq. 26 and Fig. 21: in one cell, ten cycles test 5 N² − 5 N pairs.
#[test]
fn one_cell_is_quadratic() {
    for algorithm in ALGORITHMS {
        let points = counts(
            Experiment::Iv,
            &[50, 100, 200, 400, 800],
            algorithm,
            |row| row.pair_tests,
        );
        let fits = fits(&points);
        let quadratic = fits.iter().find(|fit| fit.growth == Growth::Quadratic);
        let [a, b, c] = quadratic.unwrap().coefficients[..] else {
            panic!("the law has three coefficients");
        };
        assert!((a - 5.0).abs() < 1e-3, "{algorithm}: {a}");
        assert!((b + 5.0).abs() < 0.1 && c.abs() < 10.0, "{b}, {c}");
    }
}

/// Eq. 16 truncates a number below 1, so that no element moves: every cycle finds the pairs of the first.
#[test]
fn printed_steps_repeat_the_first_cycle() {
    for experiment in [Experiment::I, Experiment::Iii] {
        let printed = Case {
            steps: Steps::Published,
            ..experiment.cases(&[2_000], 1)[0]
        };
        let mut pairs = 0;
        Bbts.build(&[])
            .unwrap()
            .detect(&first_snapshot(&printed).unwrap(), &mut |_, _| pairs += 1);
        for algorithm in ALGORITHMS {
            assert_eq!(
                measured(&printed, algorithm).pairs,
                10 * pairs,
                "{algorithm}"
            );
        }
    }
}

/// Rounded steps move whole layers alike: the elements of a lattice stay on a lattice, and meet where layers coincide.
#[test]
fn rounded_steps_move_layers() {
    let rounded = Case {
        steps: Steps::Rounded,
        ..Experiment::I.cases(&[1_000], 1)[0]
    };
    let pairs = ALGORITHMS.map(|algorithm| measured(&rounded, algorithm).pairs);
    assert!(
        pairs[0] > 0 && pairs.iter().all(|&found| found == pairs[0]),
        "{pairs:?}"
    );
}

/// Figs. 14 and 20 show sort and search apart, for BBTS; NBS sorts while it searches.
#[test]
fn sort_and_search_are_the_two_parts_of_the_time() {
    let case = Experiment::Iii.cases(&[1_000], 1)[0];
    assert_eq!(measured(&case, Nbs).sort_seconds, None);
    for algorithm in [Mr, MrS, Bbts] {
        let row = measured(&case, algorithm);
        let (sort, search) = (row.sort_seconds.unwrap(), row.search_seconds().unwrap());
        assert!(sort > 0.0 && search > 0.0, "{algorithm}");
        assert!((sort + search - row.seconds).abs() < 1e-12);
    }
}
