//! The packing loop of Raschdorf & Kolonko 2011: refreshes at once and after each sweep, with brute force as the oracle.

use std::collections::BTreeSet;

use jostle::{
    Boundaries, Effort, IndexKind, PackOptions,
    laboratory::published_loop::{PublishedLoop, PublishedLoopOptions, RefreshPolicy},
    pack,
};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

/// Returns radii of f(r) ∝ r⁻³ from 1 to `ratio`.
fn power_law(count: usize, ratio: f64) -> Vec<f64> {
    let mut rng = Pcg64::seed_from_u64(5);
    let radius = |u: f64| (1.0 - u * (1.0 - ratio.powi(-2))).powf(-0.5);
    (0..count).map(|_| radius(rng.random())).collect()
}

fn options(refresh: RefreshPolicy) -> PublishedLoopOptions {
    PublishedLoopOptions::default()
        .effort(Effort::QUICK)
        .refresh(refresh)
}

/// Returns the spheres that overlap a sphere and are missing in its list, among all spheres.
fn missed_among_all(run: &PublishedLoop, id: u32) -> Vec<u32> {
    let (center, radius) = (run.center(id), run.radius(id));
    let overlaps = |other: &u32| {
        let apart = run.container().displacement(center, run.center(*other));
        apart.length() < radius + run.radius(*other)
    };
    let others = (0..run.spheres()).filter(|&other| other != id);
    let overlapping = others.filter(overlaps);
    overlapping
        .filter(|other| !run.neighbors(id).contains(other))
        .collect()
}

/// Runs some sweeps, checks the missed overlaps of every visit by brute force, and returns their number.
fn missed_in(mut run: PublishedLoop, sweeps: u32) -> usize {
    let mut missed = 0;
    for _ in 0..sweeps {
        let sweep = run.sweep_observed(&mut |run, id| {
            let expected: BTreeSet<u32> = missed_among_all(run, id).into_iter().collect();
            let found: BTreeSet<u32> = run.missed(id).into_iter().collect();
            assert_eq!(found, expected, "sphere {id}");
            missed += found.len();
        });
        if sweep.is_none() {
            break;
        }
        // Between two sweeps, all lists are complete.
        for id in (0..run.spheres()).step_by(7) {
            assert!(missed_among_all(&run, id).is_empty(), "sphere {id}");
        }
    }
    missed
}

#[test]
fn only_refreshes_after_the_sweep_miss_overlaps() {
    for radii in [vec![0.5; 400], power_law(400, 8.0)] {
        for boundary in [Boundaries::PERIODIC, Boundaries::WALLS] {
            for share in ["off", "0.5"] {
                let missed = |policy| {
                    let options = options(policy).boundary(boundary);
                    let options = options.toward_nearest(share.parse().unwrap());
                    missed_in(PublishedLoop::new(&radii, options).unwrap(), 60)
                };
                assert_eq!(missed(RefreshPolicy::AtOnce), 0, "{boundary}, {share}");
                let after_sweep = missed(RefreshPolicy::AfterSweep);
                assert!(after_sweep > 0, "{boundary}, {share}: {after_sweep}");
            }
        }
    }
}

/// Both policies, and the packing loop, end at about the same packing fraction, which no overlap limits.
#[test]
fn the_published_loop_packs_as_densely_as_the_packing_loop() {
    for radii in [vec![0.5; 1500], power_law(1500, 6.0)] {
        let ends = [RefreshPolicy::AtOnce, RefreshPolicy::AfterSweep].map(|policy| {
            let mut run = PublishedLoop::new(&radii, options(policy)).unwrap();
            let mut largest = f64::INFINITY;
            let mut sweeps = 0;
            while let Some(sweep) = run.sweep() {
                largest = sweep.max_overlap;
                sweeps += 1;
                assert!(sweeps < 5000, "the run does not end");
            }
            assert!(largest < 1e-3);
            let [dense, end] = [
                run.packing_fraction(),
                run.packing_fraction_without_overlap(),
            ];
            assert!(end <= dense && end > 0.99 * dense, "{end} {dense}");
            end
        });
        let quick = PackOptions::default().effort(Effort::QUICK);
        let packer = pack(&radii[..], &quick).unwrap().packing_fraction;
        for end in ends {
            assert!((end - packer).abs() < 0.02, "{end}, the packer {packer}");
        }
    }
}

#[test]
fn a_run_does_not_depend_on_the_index() {
    let radii = power_law(300, 8.0);
    let end = |index| {
        let options = options(RefreshPolicy::AtOnce).index(index);
        let mut run = PublishedLoop::new(&radii, options).unwrap();
        for _ in 0..40 {
            run.sweep();
        }
        (0..run.spheres())
            .map(|id| run.center(id))
            .collect::<Vec<_>>()
    };
    let expected = end(IndexKind::LooseOctree);
    for index in [IndexKind::StrictOctree, IndexKind::Grid] {
        assert_eq!(end(index), expected, "{index}");
    }
}

#[test]
fn impossible_radii_are_refused() {
    let error = |radii: &[f64]| {
        let result = PublishedLoop::new(radii, PublishedLoopOptions::default());
        result.err().unwrap().to_string()
    };
    assert!(error(&[]).contains("number of spheres is 0"));
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(error(&[1.0, bad]).contains("sphere 1"));
    }
}
