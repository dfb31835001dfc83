//! Ranks that are threads of one process make the packings of a run without ranks, also around fixed spheres.

use std::sync::Arc;

use glam::DVec3;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

use crate::{
    Boundary, Container, Dimension, Effort, PackOptions, Packer, SizeSpec, Spheres, Target,
    distribution::Sampling,
    machine::threads::{Thread, on_ranks},
    packing::Packing,
    ranks::{Communicator, Ranks},
    rearrange::{ExchangeRate, FixedSpheres, PackError, Start},
};

/// Returns the packing that the ranks hold together, none more than its share.
pub(in crate::rearrange) fn joined(packings: Vec<Packing>) -> Packing {
    let mut all = packings[0].clone();
    let (mut centers, mut radii) = (Vec::new(), Vec::new());
    let share = packings.iter().map(|packing| packing.spheres.len());
    let share = share.sum::<usize>().div_ceil(packings.len());
    all.fixed = 0;
    for packing in packings {
        assert_eq!(packing.certificate, all.certificate);
        assert!(packing.spheres.len() <= share);
        assert!(packing.fixed <= packing.spheres.len());
        all.fixed += packing.fixed;
        let (own_centers, own_radii) = packing.spheres.into_parts();
        centers.extend(own_centers);
        radii.extend(own_radii);
    }
    all.spheres = Spheres::new(centers, radii);
    all
}

/// Starts a run as one of several ranks, with the share of the rank of these radii.
fn start_on(thread: Arc<Thread>, radii: &[f64], options: &PackOptions) -> Packer {
    let ranks = Ranks::from(thread);
    let share = &radii[ranks.share(radii.len())];
    Packer::builder()
        .ranks(ranks)
        .place(share, options)
        .unwrap()
}

/// Returns the packing of some ranks.
fn packed_on(ranks: usize, radii: &[f64], options: &PackOptions) -> Packing {
    joined(on_ranks(ranks, |thread| {
        finished(start_on(thread, radii, options))
    }))
}

/// Returns the packing at the end of a run.
fn finished(mut packer: Packer) -> Packing {
    while packer.sweep().is_some() {}
    packer.finish().packing
}

/// Returns `n` radii with f(r) ∝ r⁻³ of a ratio.
pub(in crate::rearrange) fn power_law(n: usize, ratio: f64) -> Vec<f64> {
    let mut rng = Pcg64::seed_from_u64(8);
    (0..n)
        .map(|_| 0.5 * (1.0 - rng.random::<f64>() * (1.0 - ratio.powi(-2))).powf(-0.5))
        .collect()
}

fn cube(boundary: &str) -> Container {
    Container::cuboid(DVec3::ONE, boundary.parse().unwrap()).unwrap()
}

#[test]
fn ranks_make_the_packing_of_one_process() {
    let cylinder = Container::cylinder(1.0, 2.0, Boundary::Wall).unwrap();
    let square = Container::unit(Dimension::Two, "pwp".parse().unwrap());
    for (radii, container, ranks) in [
        (vec![0.5; 6000], cube("ppp"), &[1, 2, 3, 4, 8][..]),
        (power_law(6000, 10.0), cube("pwp"), &[2, 3, 8]),
        (power_law(4000, 50.0), cube("ppp"), &[3, 4]),
        (vec![0.5; 4000], cylinder, &[2, 4]),
        (power_law(5000, 10.0), square, &[2, 3]),
        (vec![0.5; 3000], Container::circle(1.0).unwrap(), &[4]),
    ] {
        let options = PackOptions::default()
            .container(container)
            .effort(Effort::QUICK)
            .threads(1);
        let expected = finished(Packer::new(&radii[..], &options).unwrap());
        for &ranks in ranks {
            assert_eq!(
                packed_on(ranks, &radii, &options),
                expected,
                "{ranks} ranks"
            );
        }
    }
}

#[test]
fn ranks_make_the_same_exchanges() {
    let radii = power_law(5000, 10.0);
    let options = PackOptions::default()
        .effort(Effort::QUICK)
        .exchange(ExchangeRate::AUTO)
        .threads(1);
    let expected = finished(Packer::new(&radii[..], &options).unwrap());
    let exchanges = expected.provenance.as_ref().unwrap().exchanges;
    assert!(exchanges > 1000, "{exchanges}");
    for ranks in [1, 3, 4] {
        assert_eq!(
            packed_on(ranks, &radii, &options),
            expected,
            "{ranks} ranks"
        );
    }
}

#[test]
fn ranks_start_at_the_same_positions() {
    let mut rng = Pcg64::seed_from_u64(3);
    for (radii, boundary, target) in [
        (power_law(3000, 5.0), "ppp", Target::Densest),
        (power_law(3000, 5.0), "pwp", Target::Fraction(0.6)),
        (vec![0.5; 3000], "www", Target::Exact),
    ] {
        let volume: f64 = radii.iter().map(|r| 4.2 * r * r * r).sum();
        let container = cube(boundary).scaled((volume / 0.55).cbrt());
        let lengths = container.lengths();
        let center = |_: &f64| DVec3::from_array(std::array::from_fn(|_| rng.random())) * lengths;
        let centers: Vec<DVec3> = radii.iter().map(center).collect();
        let options = PackOptions::default()
            .container(container)
            .target(target)
            .start(Start::new("centers", centers))
            .effort(Effort::QUICK)
            .threads(1);
        let expected = finished(Packer::new(&radii[..], &options).unwrap());
        for ranks in [2, 3] {
            let found = packed_on(ranks, &radii, &options);
            assert_eq!(found, expected, "{target:?}, {ranks} ranks");
        }
    }
}

#[test]
fn ranks_reach_the_same_packing_fraction() {
    // A wide gap in the sizes, so that few large spheres are packed alone; and a dilute packing.
    let gap = [vec![8.0; 5], vec![1.0; 4000], vec![0.9; 500]].concat();
    for (radii, fraction) in [
        (power_law(3000, 8.0), 0.66),
        (gap, 0.6),
        (power_law(1000, 8.0), 0.02),
    ] {
        let options = PackOptions::default()
            .target(Target::Fraction(fraction))
            .threads(1);
        let expected = finished(Packer::new(&radii[..], &options).unwrap());
        for ranks in [2, 3] {
            assert_eq!(
                packed_on(ranks, &radii, &options),
                expected,
                "{fraction}, {ranks} ranks"
            );
        }
    }
}

#[test]
fn other_radii_than_the_share_of_a_rank_are_rejected_on_all_ranks() {
    let rejected = on_ranks(3, |thread| {
        let radii = vec![0.5; [7, 6, 7][thread.rank()]];
        let builder = Packer::builder().ranks(thread);
        builder.place(radii, &PackOptions::default()).err()
    });
    let is_expected = |error| matches!(error, Some(PackError::Share { spheres: 20 }));
    assert!(rejected.into_iter().all(is_expected));
}

#[test]
fn ranks_draw_the_sample_of_one_process() {
    for sizes in [
        "mono:d=1",
        "fuller:d_min=1,d_max=16",
        "fuller:d_min=1,d_max=16,classes=7",
        "bidisperse:d_small=1,d_large=4,mass_small=0.25",
        "lognormal:d50=1,sigma=0.4",
        "blend:(fuller:d_min=1,d_max=4)=0.6,(mono:d=5)=0.1,(lognormal:d50=1,sigma=0.4)=0.3",
    ] {
        let spec = SizeSpec::load(sizes).unwrap();
        for sampling in [Sampling::Stratified, Sampling::Random] {
            let by_number = spec.sample_number(1000, sampling, 5);
            let by_volume = spec.sample_volume(2000.0, sampling, 5).unwrap();
            for ranks in [1, 2, 5, 8] {
                let samples = on_ranks(ranks, |thread| {
                    let ranks = Ranks::from(thread);
                    let law = &spec.distribution;
                    let volume = law.volume_on(&ranks, 2000.0, sampling, 5);
                    let number = law.number_on(&ranks, 1000, sampling, 5);
                    [number, volume.unwrap()].map(|sample| spec.with_name_and_unit(sample))
                });
                for (k, expected) in [&by_number, &by_volume].into_iter().enumerate() {
                    let of_ranks = samples.iter().map(|samples| &samples[k]);
                    let all: Vec<f64> =
                        of_ranks.clone().flat_map(|s| s.diameters.clone()).collect();
                    assert_eq!(
                        all, expected.diameters,
                        "{sizes}, {sampling}, {ranks} ranks"
                    );
                    for sample in of_ranks {
                        assert_eq!(sample.source, expected.source, "{sizes}, {ranks} ranks");
                    }
                }
            }
        }
    }
}

#[cfg(feature = "files")]
#[test]
fn any_number_of_ranks_continues_a_run() {
    use crate::io::{read_checkpoint, read_checkpoint_share, write_checkpoint};

    let radii = power_law(3000, 10.0);
    let options = PackOptions::default().effort(Effort::QUICK).threads(1);
    let start = || Packer::new(&radii[..], &options).unwrap();
    let expected = finished(start());
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("checkpoint");
    let end = expected.provenance.as_ref().unwrap().sweeps;
    // With pending spheres, and near the end.
    for sweeps in [2, end - 2] {
        let advance = |packer: &mut Packer| {
            for _ in 0..sweeps {
                packer.sweep();
            }
        };
        let mut packer = start();
        advance(&mut packer);
        let checkpoint = packer.checkpoint();
        assert_eq!(checkpoint.columns.original.len() < radii.len(), sweeps == 2);
        for (before, after) in [(1, 3), (3, 2), (4, 30), (30, 1)] {
            on_ranks(before, |thread| {
                let mut packer = start_on(thread.clone(), &radii, &options);
                advance(&mut packer);
                write_checkpoint(&packer.checkpoint(), &path).unwrap();
            });
            let mut written = read_checkpoint(&path).unwrap().columns;
            // Ranks may visit spheres without overlap, which do not move.
            let active = written.active.iter().zip(&checkpoint.columns.active);
            assert!(active.clone().all(|(written, active)| written >= active));
            assert_eq!(active.len(), checkpoint.columns.active.len());
            written.active.clone_from(&checkpoint.columns.active);
            assert!(
                written == checkpoint.columns,
                "{before} ranks, {sweeps} sweeps"
            );
            let packings = on_ranks(after, |thread| {
                let part = read_checkpoint_share(&path, thread).unwrap();
                finished(Packer::resume(part).unwrap())
            });
            assert_eq!(
                joined(packings),
                expected,
                "{before} and then {after} ranks"
            );
        }
    }
}

#[cfg(feature = "files")]
#[test]
fn a_damaged_checkpoint_is_rejected_on_all_ranks_as_by_one_process() {
    use crate::io::{read_checkpoint, read_checkpoint_share, write_checkpoint};

    let mut packer = Packer::new(&[0.5; 500], &PackOptions::default()).unwrap();
    packer.sweep();
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("checkpoint");
    write_checkpoint(&packer.checkpoint(), &path).unwrap();
    let good = std::fs::read(&path).unwrap();
    let mut changed = good.clone();
    changed[good.len() / 2] ^= 1;
    let cut_off = good[..good.len() - 10].to_vec();
    let mut newer = good.clone();
    newer[b"jostle-checkpoint ".len()] = b'9';
    for bytes in [
        changed,
        cut_off,
        newer,
        b"text".to_vec(),
        Vec::new(),
        good[..20].to_vec(),
    ] {
        std::fs::write(&path, bytes).unwrap();
        let expected = read_checkpoint(&path).unwrap_err().to_string();
        let found = on_ranks(3, |thread| {
            let read = read_checkpoint_share(&path, thread);
            read.unwrap_err().to_string()
        });
        assert_eq!(found, [expected.clone(), expected.clone(), expected]);
    }
}

/// Returns the request to pack around 12 spheres of three sizes, between walls along one axis.
fn around_fixed() -> PackOptions {
    let container = Container::cuboid(DVec3::splat(9.0), "pwp".parse().unwrap()).unwrap();
    let center = |k: u32| DVec3::from([k % 2, k / 2 % 2, k / 4].map(f64::from));
    let centers = (0..12).map(|k| {
        let step = DVec3::new(4.5, 4.5, 3.0);
        DVec3::new(1.0, 2.0, 0.2) + center(k) * step
    });
    let radii = (0..12).map(|k| [0.6, 1.0, 1.4][k % 3]);
    PackOptions::default()
        .effort(Effort::QUICK)
        .container(container)
        .target(Target::Exact)
        .fixed(FixedSpheres::new(Spheres::new(
            centers.collect(),
            radii.collect(),
        )))
        .threads(1)
}

/// The end of a run around fixed spheres.
#[derive(Debug, PartialEq)]
struct End {
    replacements: u32,
    /// The spheres that the loop removed.
    removed: Vec<u32>,
    left_out: Vec<usize>,
    totals: (usize, usize, u64),
    packing: Packing,
}

impl End {
    fn of(mut packer: Packer) -> Self {
        while packer.sweep().is_some() {}
        let replacements = packer.phase.approach().unwrap().progress.replacements;
        let removed = packer.state.left_out.clone();
        let run = packer.finish();
        Self {
            replacements,
            removed,
            left_out: run.left_out,
            totals: (run.spheres, run.fixed, run.packing_fraction.to_bits()),
            packing: run.packing,
        }
    }

    /// Joins the ends on all ranks.
    fn joined(mut ends: Vec<Self>) -> Self {
        for end in &ends[1..] {
            assert_eq!(end.replacements, ends[0].replacements);
            assert_eq!(end.removed, ends[0].removed);
            assert_eq!(end.left_out, ends[0].left_out);
            assert_eq!(end.totals, ends[0].totals);
        }
        let packings = ends.iter().map(|end| end.packing.clone()).collect();
        let first = ends.swap_remove(0);
        Self {
            packing: joined(packings),
            ..first
        }
    }
}

/// Returns the radii of a few large spheres and many small ones, for which there is no room in [`around_fixed`].
fn crowded() -> Vec<f64> {
    let small = power_law(580, 5.0).into_iter().map(|radius| 0.5 * radius);
    [1.2; 20].into_iter().chain(small).collect()
}

#[test]
fn ranks_pack_around_fixed_spheres() {
    let options = around_fixed();
    let loose = power_law(600, 5.0).into_iter().map(|radius| 0.5 * radius);
    for (radii, options, is_crowded, ranks) in [
        (loose.collect(), options.clone(), false, &[2][..]),
        (crowded(), options.clone(), true, &[3, 8]),
        (crowded(), options.max_sweeps(45), false, &[3]),
    ] {
        let expected = End::of(Packer::new(&radii[..], &options).unwrap());
        assert_eq!(expected.replacements, if is_crowded { 3 } else { 0 });
        assert_eq!(!expected.removed.is_empty(), is_crowded);
        for &ranks in ranks {
            let ends = on_ranks(ranks, |thread| End::of(start_on(thread, &radii, &options)));
            assert_eq!(End::joined(ends), expected, "{ranks} ranks");
        }
    }
}

#[cfg(feature = "files")]
#[test]
fn any_number_of_ranks_continues_a_run_around_fixed_spheres() {
    use crate::io::{read_checkpoint_share, write_checkpoint};

    let (radii, options) = (crowded(), around_fixed());
    let expected = End::of(Packer::new(&radii[..], &options).unwrap());
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("checkpoint");
    for (before, after) in [(3, 1), (1, 4)] {
        on_ranks(before, |thread| {
            let mut packer = start_on(thread.clone(), &radii, &options);
            while packer.state.left_out.is_empty() {
                packer.sweep().unwrap();
            }
            write_checkpoint(&packer.checkpoint(), &path).unwrap();
        });
        let ends = on_ranks(after, |thread| {
            let part = read_checkpoint_share(&path, thread).unwrap();
            let packer = Packer::resume(part).unwrap();
            assert!(!packer.state.left_out.is_empty());
            End::of(packer)
        });
        assert_eq!(
            End::joined(ends),
            expected,
            "{before} and then {after} ranks"
        );
    }
}
