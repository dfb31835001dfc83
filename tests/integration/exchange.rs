//! Exchange moves: denser packings of exactly the same spheres.

use glam::DVec3;
use jostle::{
    Boundaries, Effort, IndexKind, PackOptions, Packing, SizeSpec, Target, distribution::Sampling,
    pack, packing::StopReason, rearrange::ExchangeRate,
};

const RATIO_10: &str = "power-law:exponent=-3,d_min=1,d_max=10";

fn radii(sizes: &str, n: usize) -> Vec<f64> {
    let spec = SizeSpec::load(sizes).unwrap();
    spec.sample_number(n, Sampling::Stratified, 1).radii()
}

fn quick() -> PackOptions {
    PackOptions::default().effort(Effort::QUICK)
}

fn auto() -> PackOptions {
    quick().exchange(ExchangeRate::AUTO)
}

/// Returns the smallest gap between two spheres, and between a sphere and a wall, over all pairs and the nearest images.
fn smallest_gaps(packing: &Packing) -> [f64; 2] {
    let lengths = packing.container().lengths();
    let boundary = packing.container().boundary().to_string();
    let spheres: Vec<(DVec3, f64)> = packing.spheres().iter().collect();
    let [mut between, mut walls] = [f64::INFINITY; 2];
    for (i, &(a, r)) in spheres.iter().enumerate() {
        for (axis, letter) in boundary.chars().enumerate() {
            if letter == 'w' {
                walls = walls.min(a[axis] - r).min(lengths[axis] - a[axis] - r);
            }
        }
        for &(b, s) in &spheres[..i] {
            let mut d = (a - b).abs();
            for (axis, letter) in boundary.chars().enumerate() {
                if letter == 'p' {
                    d[axis] = d[axis].min(lengths[axis] - d[axis]);
                }
            }
            between = between.min(d.length() - r - s);
        }
    }
    [between, walls]
}

#[test]
fn mixtures_become_denser_than_without_exchanges() {
    for sizes in [
        RATIO_10,
        "power-law:exponent=-3.5,d_min=1,d_max=50",
        "lognormal:d50=1,sigma=0.4",
        "uniform-size:d_min=1,d_max=3",
    ] {
        let radii = radii(sizes, 3000);
        // The difference of two packings varies by 0.001.
        const SEEDS: u64 = 4;
        let runs = |options: PackOptions| -> Vec<_> {
            (1..=SEEDS)
                .map(|seed| pack(&radii, &options.clone().seed(seed)).unwrap())
                .collect()
        };
        let [plain, dense] = [quick(), auto()].map(runs);
        let [before, after] = [&plain, &dense].map(|runs| {
            let fractions = runs.iter().map(|run| run.packing_fraction);
            fractions.sum::<f64>() / SEEDS as f64
        });
        assert!(after > before + 0.008, "{sizes}: {before} and {after}");
        for run in dense {
            assert_eq!(run.packing.certificate().max_overlap, 0.0);
            // The caller's order, exactly.
            assert_eq!(run.packing.spheres().radii(), radii);
            let provenance = run.packing.provenance.unwrap();
            assert!(provenance.exchanges > 1000 && provenance.exchange_start.is_none());
            assert_eq!(provenance.exchange_rate, f64::from(ExchangeRate::AUTO));
        }
        for run in plain {
            assert_eq!(run.packing.provenance.unwrap().exchanges, 0);
        }
    }
}

#[test]
fn gaps_walls_and_dilute_requests_are_kept() {
    let radii = radii(RATIO_10, 1200);
    let options = |boundary: &str| auto().container(boundary.parse::<Boundaries>().unwrap());
    for (options, gap) in [
        (options("www"), 0.0),
        (options("pwp"), 0.0),
        (options("ppw").min_gap(0.1), 0.1),
        (options("pww").target(Target::Fraction(0.2)), 0.0),
        (
            options("ppp").target(Target::Fraction(0.6)).min_gap(0.05),
            0.05,
        ),
    ] {
        let packing = pack(&radii, &options).unwrap().packing;
        let [between, walls] = smallest_gaps(&packing);
        assert!(between >= gap - 1e-12, "{options:?}: {between}");
        assert!(walls >= 0.5 * gap - 1e-12, "{options:?}: {walls}");
        assert_eq!(packing.spheres().radii(), radii);
        if let Target::Fraction(fraction) = options.target {
            assert!((packing.packing_fraction() - fraction).abs() < 1e-9);
        }
    }
}

#[test]
fn any_number_of_threads_and_any_index_give_the_same_bits() {
    // The small spheres are inserted later.
    let radii = radii("power-law:exponent=-3.5,d_min=1,d_max=30", 9000);
    let spheres = |options: PackOptions| pack(&radii, &options).unwrap().packing.into_spheres();
    let expected = spheres(auto().threads(1));
    for threads in [2, 3, 8] {
        assert!(
            spheres(auto().threads(threads)) == expected,
            "{threads} threads"
        );
    }
    for &index in IndexKind::ALL {
        assert!(spheres(auto().index(index)) == expected, "{index}");
    }
    let other_rate = auto().exchange(0.5.try_into().unwrap());
    assert!(spheres(other_rate) != expected);
}

#[test]
fn equal_spheres_have_nothing_to_exchange() {
    let spheres = |options| pack(&[0.5; 500], &options).unwrap().packing.into_spheres();
    assert!(spheres(quick()) == spheres(auto()));
}

#[test]
fn exchanges_start_where_a_fraction_is_out_of_reach_without_them() {
    let radii = radii(RATIO_10, 2000);
    let fraction = |options| pack(&radii, &options).unwrap().packing.packing_fraction();
    let (without, with) = (fraction(quick()), fraction(auto()));
    let request = |fraction| quick().target(Target::Fraction(fraction));
    let packing = pack(&radii, &request(with + 0.01)).unwrap().packing;
    assert_eq!(packing.certificate().max_overlap, 0.0);
    assert!((packing.packing_fraction() - with - 0.01).abs() < 1e-9);
    let provenance = packing.provenance.unwrap();
    assert_eq!(provenance.stop, StopReason::FractionReached);
    assert_eq!(provenance.exchange_rate, 0.0);
    assert!(provenance.exchange_start.unwrap() > 50);
    assert!(provenance.exchanges > 100);
    let easy = pack(&radii, &request(without - 0.01)).unwrap();
    let provenance = easy.packing.provenance.unwrap();
    assert_eq!((provenance.exchange_start, provenance.exchanges), (None, 0));
}
