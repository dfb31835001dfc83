//! Ranks around fixed spheres make the packing of one process.

use glam::DVec3;

use super::tests::{joined, power_law, start_on};
use crate::machine::threads::on_ranks;
use crate::{
    Container, Effort, PackOptions, Packer, Spheres, Target, packing::Packing,
    rearrange::FixedSpheres,
};

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
        (crowded(), options.clone(), true, &[2, 3, 8]),
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
    for (before, after) in [(3, 2), (1, 4), (2, 1)] {
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
