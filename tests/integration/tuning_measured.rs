//! Counters of the HGrid against its cost model, and the gain of tuned levels. Counts are the same on any machine.

use jostle::{
    Container, Effort, PackOptions, Spheres, Target,
    laboratory::broad_phase::{HGridSearch, SortedHGrid},
    laboratory::compare::{random_spheres, search, whole_cells},
    pack,
    tuning::{CostModel, Dimension, RadiusLaw, Search, optimal},
};

use crate::common::spheres::power_law;

fn packed(radii: &[f64], packing_fraction: f64) -> (Spheres, Container) {
    let options = PackOptions::default()
        .target(Target::Fraction(packing_fraction))
        .effort(Effort::QUICK);
    let packing = pack(radii, &options).unwrap().packing;
    (packing.spheres().clone(), packing.container().clone())
}

/// Overlap tests and cell accesses per sphere.
type Counts = [f64; 2];

fn total([tests, accesses]: Counts, overhead: f64) -> f64 {
    tests + overhead * accesses
}

/// Returns the counts on the levels tuned for K, the counts that the model predicts, and the predicted work T on one level.
fn counts(
    (spheres, container): &(Spheres, Container),
    direction: HGridSearch,
    overhead: f64,
) -> (Counts, Counts, f64) {
    let law = RadiusLaw::from_radii(spheres.radii()).unwrap();
    let packing_fraction = spheres.volume() / container.volume();
    let model = CostModel::new(&law, Dimension::Three, packing_fraction, overhead).unwrap();
    let searched = match direction {
        HGridSearch::TopDown => Search::TopDown,
        HGridSearch::BottomUp => Search::BottomUp,
    };
    let smallest = law.smallest_radius();
    let sizes = whole_cells(container.lengths().x / smallest, &optimal(&model, searched));
    // Rounding must not leave the largest sphere without a level.
    let scaled = sizes.iter().map(|size| size * smallest * (1.0 + 1e-12));
    let mut grid = SortedHGrid::new(scaled.collect(), direction)
        .unwrap()
        .in_container(container.clone());
    let timing = search(&mut grid, spheres);
    let count = spheres.len() as f64;
    let levels = model.levels(&sizes, searched).unwrap();
    (
        [timing.pair_tests / count, timing.cell_accesses / count],
        [
            levels.iter().map(|level| level.collision_work).sum(),
            levels.iter().map(|level| level.access_work).sum(),
        ],
        model.work(&[2.0 * law.size_ratio()], searched).unwrap(),
    )
}

#[test]
fn counters_agree_with_the_model_in_loose_packings_and_at_random_positions() {
    for (exponent, size_ratio) in [(0.0, 10.0), (-2.0, 10.0), (-3.0, 10.0)] {
        let radii = power_law(exponent, size_ratio, 20_000);
        for scene in [packed(&radii, 0.1), random_spheres(&radii, 0.1, 3).unwrap()] {
            for direction in [HGridSearch::TopDown, HGridSearch::BottomUp] {
                let (counted, model, _) = counts(&scene, direction, 0.2);
                for (quantity, counted, model) in [
                    ("tests", counted[0], model[0]),
                    ("accesses", counted[1], model[1]),
                ] {
                    assert!(
                        (counted / model - 1.0).abs() < 0.03,
                        "α = {exponent}, {direction:?}, {quantity}: {counted}, model {model}"
                    );
                }
            }
        }
    }
}

#[test]
fn dense_wide_packings_cost_somewhat_more_than_the_model() {
    let scene = packed(&power_law(-3.0, 30.0, 20_000), 0.62);
    let (counted, model, _) = counts(&scene, HGridSearch::TopDown, 0.2);
    let excess = total(counted, 0.2) / total(model, 0.2) - 1.0;
    assert!((0.05..0.25).contains(&excess), "{excess}");
}

#[test]
fn tuned_levels_gain_as_much_as_in_ogarko_luding_2012() {
    for (exponent, least) in [(-3.0, 220.0), (0.0, 1.3)] {
        let radii = power_law(exponent, 50.0, 125_001);
        let scene = random_spheres(&radii, 0.62, 4).unwrap();
        for overhead in [0.2, 1.5] {
            let (counted, _, one_level) = counts(&scene, HGridSearch::TopDown, overhead);
            let gain = one_level / total(counted, overhead);
            assert!(gain > least, "α = {exponent}, K = {overhead}: {gain}");
        }
    }
}

#[test]
fn counters_agree_with_the_model_on_one_level() {
    // A search on one level makes about 2600 tests per sphere.
    let scene = random_spheres(&power_law(-3.0, 20.0, 20_000), 0.3, 5).unwrap();
    let (spheres, container) = &scene;
    let size = whole_cells(container.lengths().x, &[40.0]);
    let grid = SortedHGrid::new(size.clone(), HGridSearch::TopDown).unwrap();
    let timing = search(&mut grid.in_container(container.clone()), spheres);
    let law = RadiusLaw::from_radii(spheres.radii()).unwrap();
    let model = CostModel::new(&law, Dimension::Three, 0.3, 0.2).unwrap();
    let expected = model.levels(&size, Search::TopDown).unwrap()[0].collision_work;
    let counted = timing.pair_tests / spheres.len() as f64;
    assert!(
        (counted / expected - 1.0).abs() < 0.02,
        "{counted}, model {expected}"
    );
}

#[test]
fn size_ratio_100_costs_at_most_half_more_than_equal_spheres() {
    for overhead in [0.2, 1.5] {
        let [equal, wide] = [1.0, 100.0].map(|size_ratio| {
            let scene = packed(&power_law(-3.0, size_ratio, 20_000), 0.6);
            total(counts(&scene, HGridSearch::TopDown, overhead).0, overhead)
        });
        assert!(wide < 1.5 * equal, "K = {overhead}: {wide} against {equal}");
    }
}
