//! Threads, the order of the spheres, and unsuitable or extreme input.

use glam::DVec3;
use jostle::{
    Container, Spheres,
    analysis::{
        AnalysisError, Contacts, Fabric, HOMOGENEITY_CELLS, RadialDistribution, homogeneity,
        mean_backbone, rattlers,
    },
};

use super::{Case, cases, mixture, packed, random};

/// Returns every result as text, which shows all bits.
fn everything(case: &Case) -> String {
    let contacts = case.contacts(0.1);
    let g = (case.letters() == ['p'; 3]).then(|| case.g(0.9, 20, &[0.7]));
    let fabric = case.fabric(0.1);
    let correlation = contacts.size_correlation(case.spheres.radii());
    let homogeneity = HOMOGENEITY_CELLS.map(|cells| case.homogeneity(cells));
    let order = case.bond_order();
    format!("{contacts:?} {g:?} {fabric:?} {correlation:?} {homogeneity:?} {order:?}")
}

#[test]
fn results_do_not_depend_on_the_number_of_threads() {
    let mut cases = cases();
    cases.push(random(6000, 10.0, DVec3::new(6.0, 7.0, 8.0), "ppp", 8));
    for case in &cases {
        let [one, three] = [1, 3].map(|threads| {
            let pool = rayon::ThreadPoolBuilder::new()
                .num_threads(threads)
                .build()
                .unwrap();
            pool.install(|| everything(case))
        });
        assert_eq!(one, three);
    }
}

#[test]
fn results_do_not_depend_on_the_order_of_the_spheres() {
    for case in &cases() {
        let count = case.spheres.len();
        // 7 and 11 do not divide the numbers of spheres.
        let step = if count % 7 == 0 { 11 } else { 7 };
        let old: Vec<usize> = (0..count).map(|id| id * step % count).collect();
        let other = Case {
            spheres: Spheres::new(
                old.iter().map(|&id| case.spheres.centers()[id]).collect(),
                old.iter().map(|&id| case.spheres.radii()[id]).collect(),
            ),
            container: case.container.clone(),
        };
        let mut pairs: Vec<[u32; 2]> = other
            .contacts(0.1)
            .pairs()
            .iter()
            .map(|pair| pair.map(|id| old[id as usize] as u32))
            .map(|[i, j]| [i.min(j), i.max(j)])
            .collect();
        pairs.sort_unstable();
        assert_eq!(pairs, case.contacts(0.1).pairs());
        if case.letters() == ['p'; 3] {
            assert_eq!(other.g(0.9, 20, &[0.7]), case.g(0.9, 20, &[0.7]));
        }
        let (found, expected) = (other.bond_order(), case.bond_order());
        for (id, &old) in old.iter().enumerate() {
            assert!((found.q6[id] - expected.q6[old]).abs() < 1e-12);
        }
        assert!((other.fabric(0.1).anisotropy - case.fabric(0.1).anisotropy).abs() < 1e-12);
        let [found, expected] = [&other, case].map(|case| case.homogeneity(2));
        assert!((found.unwrap_or(0.0) - expected.unwrap_or(0.0)).abs() < 1e-9);
    }
}

#[test]
fn periodic_images_of_centers_change_nothing() {
    let case = packed(&mixture(300), "ppp");
    let shift = DVec3::new(-1.0, 2.0, 0.0) * case.container.lengths();
    let centers = case
        .spheres
        .centers()
        .iter()
        .map(|center| *center + shift)
        .collect();
    let moved = Case {
        spheres: Spheres::new(centers, case.spheres.radii().to_vec()),
        container: case.container.clone(),
    };
    assert_eq!(moved.contacts(0.1).pairs(), case.contacts(0.1).pairs());
}

#[test]
fn unsuitable_spheres_give_an_error() {
    let case = random(10, 1.0, DVec3::ONE, "ppw", 9);
    let with = |center: DVec3, radius: f64| {
        let (mut centers, mut radii) = case.spheres.clone().into_parts();
        (centers[3], radii[3]) = (center, radius);
        Contacts::new(&Spheres::new(centers, radii), &case.container, 0.1)
            .map(|_| ())
            .unwrap_err()
            .to_string()
    };
    for radius in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let message = with(DVec3::splat(0.5), radius);
        assert!(message.starts_with("sphere 3 has the radius"), "{message}");
    }
    for z in [-1e-9, 1.1, f64::NAN, f64::INFINITY] {
        let message = with(DVec3::new(0.5, 0.5, z), 0.1);
        assert!(message.starts_with("sphere 3 has the center"), "{message}");
    }
}

#[test]
fn unsuitable_parameters_give_an_error() {
    let case = random(10, 1.0, DVec3::ONE, "ppw", 9);
    let (spheres, container) = (&case.spheres, &case.container);
    for tolerance in [-0.1, 1.1, f64::NAN] {
        let error = Contacts::new(spheres, container, tolerance).unwrap_err();
        assert!(matches!(error, AnalysisError::Tolerance { .. }));
    }
    for cells in [0, 1, 129, usize::MAX] {
        let error = homogeneity(spheres, container, cells).unwrap_err();
        assert_eq!(
            error,
            AnalysisError::CellsPerAxis {
                cells_per_axis: cells
            }
        );
    }
    let error = Fabric::new(&Spheres::default(), container, &case.contacts(0.1)).unwrap_err();
    assert_eq!(
        error,
        AnalysisError::OtherSpheres {
            contacts: 10,
            spheres: 0
        }
    );
    let error = RadialDistribution::new(spheres, container, 0.1, 5, &[]).unwrap_err();
    assert_eq!(error, AnalysisError::NotPeriodic { axis: 'z' });
    let cube = Container::cuboid(DVec3::ONE, "ppp".parse().unwrap()).unwrap();
    let g = |r_max, bins, limits: &[f64]| {
        RadialDistribution::new(spheres, &cube, r_max, bins, limits).unwrap_err()
    };
    for r_max in [0.0, -1.0, 0.51, f64::NAN] {
        assert!(matches!(
            g(r_max, 5, &[]),
            AnalysisError::Distance { limit: 0.5, .. }
        ));
    }
    assert_eq!(g(0.5, 0, &[]), AnalysisError::Bins { bins: 0 });
    let limits: Vec<f64> = (1..=16).map(f64::from).collect();
    assert_eq!(
        g(0.5, 5, &limits),
        AnalysisError::TooManyClasses { classes: 17 }
    );
    for limits in [
        [0.0, 1.0],
        [1.0, 1.0],
        [1.0, f64::NAN],
        [1.0, f64::INFINITY],
    ] {
        assert!(matches!(
            g(0.5, 5, &limits),
            AnalysisError::ClassLimit { .. }
        ));
    }
}

#[test]
fn extreme_spheres_are_analyzed_without_a_panic() {
    let empty = Case::new(vec![], vec![], DVec3::ONE, "ppp");
    let contacts = empty.contacts(0.1);
    assert!(contacts.is_empty() && rattlers(&contacts).is_empty());
    assert_eq!((contacts.mean(), mean_backbone(&contacts)), (0.0, 0.0));
    assert_eq!(contacts.size_correlation(&[]), None);
    assert_eq!(empty.bond_order().crystal_share(), 0.0);
    assert_eq!(empty.homogeneity(2), None);
    assert_eq!(empty.g(0.5, 2, &[]).total(), [0.0; 2]);
    let error = Fabric::new(&empty.spheres, &empty.container, &contacts).unwrap_err();
    assert_eq!(error, AnalysisError::NoContacts);
    for boundary in ["ppp", "www"] {
        for length in [1e-300, 1.0, 1e300] {
            for radii in [[5e-324; 3], [f64::MAX; 3], [1e-9, 1.0, 1e9]] {
                let centers = [0.0, 0.5, 1.0].map(|x| DVec3::splat(x * length)).to_vec();
                let case = Case::new(centers, radii.to_vec(), DVec3::splat(length), boundary);
                let contacts = case.contacts(1.0);
                let _ = contacts.size_correlation(&radii);
                let _ = Fabric::new(&case.spheres, &case.container, &contacts);
                assert_eq!(case.bond_order().q6.len(), 3);
                let _ = case.homogeneity(8);
                if boundary == "ppp" {
                    let _ = case.g(0.5 * length, 10, &[1.0]);
                }
            }
        }
    }
}
