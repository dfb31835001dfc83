//! Requests of a packing fraction that name no effort.

use std::ops::ControlFlow;

use jostle::{
    Boundaries, Boundary, Container, Effort, PackOptions, Packing, SizeSpec, Target,
    container::Body,
    distribution::{Sampling, predicted_packing_fraction},
    pack,
    packing::{Provenance, StopReason},
    rearrange::{Progress, pack_observed},
};

fn radii(sizes: &str, count: usize) -> Vec<f64> {
    let spec = SizeSpec::load(sizes).unwrap();
    let sample = spec.sample_number(count, Sampling::Stratified, 1);
    sample.radii()
}

fn packed(radii: &[f64], options: &PackOptions) -> (Packing, Provenance) {
    let mut packing = pack(radii, options).unwrap().packing;
    assert_eq!(packing.certificate().max_overlap, 0.0);
    let provenance = packing.provenance.take().unwrap();
    (packing, provenance)
}

fn toward(fraction: f64) -> PackOptions {
    PackOptions::default().target(Target::Fraction(fraction))
}

/// Returns the relocations of the packing that the least effort, in steps of a quarter, packs to at least this fraction.
fn least_relocations(radii: &[f64], fraction: f64) -> u64 {
    let efforts = (0..=8).map(|quarters| Effort::try_from(0.25 * f64::from(quarters)).unwrap());
    let mut packings = efforts.map(|effort| packed(radii, &PackOptions::default().effort(effort)));
    let found = packings.find(|(packing, _)| packing.packing_fraction() >= fraction);
    found.expect("a thorough packing is as dense").1.relocations
}

#[test]
fn easy_requests_take_little_effort_and_hard_ones_more() {
    let equal = [0.5; 2000];
    let mut last = -1.0;
    for fraction in [0.4, 0.634, 0.641, 0.645] {
        let (packing, provenance) = packed(&equal, &toward(fraction));
        assert_eq!(provenance.stop, StopReason::FractionReached, "{fraction}");
        assert!(provenance.effort_is_chosen);
        assert!((packing.packing_fraction() - fraction).abs() < 1e-12);
        assert!(provenance.effort > last || last == 0.0, "{fraction}");
        last = provenance.effort;
    }
    assert!(last > 1.0);
}

/// The sizes reach less than predicted, so that the first effort is too low. The container shrinks before it grows slowly.
#[test]
fn a_run_that_stalls_goes_on_with_slower_growth() {
    let radii = radii("fuller-16", 1000);
    let options = toward(predicted_packing_fraction(&radii) - 0.011);
    let (mut last, mut shrunk) = (f64::INFINITY, 0);
    let mut observer = |progress: &Progress| {
        shrunk += usize::from(progress.packing_fraction > last);
        last = progress.packing_fraction;
        ControlFlow::Continue(())
    };
    let run = pack_observed(&radii, &options, &mut observer).unwrap();
    let provenance = run.packing.provenance.unwrap();
    assert_eq!(provenance.stop, StopReason::FractionReached);
    assert_eq!(provenance.exchange_start, None);
    assert_eq!(shrunk, 1);
}

#[test]
fn a_request_costs_little_more_than_the_densest_packing_of_its_fraction() {
    for (sizes, fractions) in [
        ("equal", [0.6, 0.635, 0.642]),
        ("power-law-3", [0.7, 0.72, 0.735]),
    ] {
        let radii = radii(sizes, 2000);
        for fraction in fractions {
            let least = least_relocations(&radii, fraction);
            let (_, found) = packed(&radii, &toward(fraction));
            let ratio = found.relocations as f64 / least as f64;
            assert!(ratio < 2.0, "{sizes}, {fraction}: {ratio}");
        }
    }
}

#[test]
fn the_densest_packing_is_at_normal_effort() {
    let equal = [0.5; 300];
    let (normal, named) = packed(&equal, &PackOptions::default().effort(Effort::NORMAL));
    let (default, unnamed) = packed(&equal, &PackOptions::default());
    assert_eq!(normal, default);
    assert_eq!(named, unnamed);
    assert!(!unnamed.effort_is_chosen);
}

#[test]
fn a_request_out_of_reach_ends_at_thorough_effort() {
    let (packing, provenance) = packed(&[0.5; 300], &toward(0.72));
    assert_eq!(provenance.stop, StopReason::Stalled);
    assert_eq!(provenance.effort, 2.0);
    assert!(packing.packing_fraction() > 0.62);
}

/// Spheres touch the walls, a body and each other from end to end, and keep their diameters.
#[test]
fn exact_fits_are_reached() {
    let walls = |lengths: [f64; 3]| Container::cuboid(lengths.into(), Boundaries::WALLS).unwrap();
    let slab = || Container::cuboid([6.0, 6.0, 1.0].into(), "ppw".parse().unwrap()).unwrap();
    let block: Body = "box:lx=10,ly=10,lz=9@5,5,4.5".parse().unwrap();
    for (container, spheres) in [
        (walls([2.0; 3]), 8),
        (walls([1.0, 1.0, 5.0]), 5),
        (walls([10.0, 10.0, 1.0]), 60),
        (slab(), 20),
        (Container::sphere(1.0).unwrap(), 1),
        (Container::cylinder(1.0, 5.0, Boundary::Wall).unwrap(), 5),
        (
            Container::cylinder(1.0, 5.0, Boundary::Periodic).unwrap(),
            5,
        ),
        (walls([10.0; 3]).without([block]).unwrap(), 20),
    ] {
        let options = PackOptions::default()
            .container(container.clone())
            .target(Target::Exact);
        let (packing, provenance) = packed(&vec![0.5; spheres], &options);
        let name = format!("{spheres} spheres in {:?}", container.solid());
        assert_eq!(provenance.stop, StopReason::FractionReached, "{name}");
        assert_eq!(packing.spheres().radii(), vec![0.5; spheres], "{name}");
        let (found, requested) = (packing.container().lengths(), container.lengths());
        assert!(
            (found - requested).abs().max_element() <= 1e-10,
            "{name}: {found}"
        );
    }
}
