//! The profile along the radius of round containers, against counted points and closed forms.

use std::f64::consts::PI;

use glam::DVec3;
use jostle::{Boundary, Container, Spheres, analysis::RadiusOrigin};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

use super::Case;

/// A cylinder of diameter 8 and height 9 or a sphere of diameter 8, with spheres of many sizes at many distances from the middle:
/// around it, beside it, and larger than their distance from the wall.
fn round(container: Container) -> Case {
    let mut rng = Pcg64::seed_from_u64(7);
    let middle = 0.5 * container.lengths();
    let spheres = (0..40).map(|k| {
        let mut uniform = || 2.0 * rng.random::<f64>() - 1.0;
        let direction = DVec3::new(uniform(), uniform(), uniform()).normalize();
        let radius = 0.05 * 40_f64.powf(uniform().abs());
        let distance = uniform().abs() * (4.0 - radius).max(0.0);
        let at = if k < 4 { 1e-9 * f64::from(k) } else { distance };
        (middle + at * direction, radius)
    });
    let (centers, radii) = spheres.unzip();
    Case {
        spheres: Spheres::new(centers, radii),
        container,
    }
}

/// Returns the volume of all spheres within each distance from the middle, in which `across` tells the axes that count. Each sphere is
/// divided into a grid of points.
fn counted(case: &Case, across: DVec3, reaches: &[f64]) -> Vec<f64> {
    const POINTS: i32 = 70;
    let middle = 0.5 * case.container.lengths();
    let mut volumes = vec![0.0; reaches.len()];
    for (center, radius) in case.spheres.iter() {
        let mut distances = Vec::new();
        let at = |k: i32| radius * (f64::from(2 * k + 1) / f64::from(POINTS) - 1.0);
        for (i, j) in (0..POINTS).flat_map(|i| (0..POINTS).map(move |j| (i, j))) {
            for k in 0..POINTS {
                let from_center = DVec3::new(at(i), at(j), at(k));
                if from_center.length() <= radius {
                    distances.push((across * (center + from_center - middle)).length());
                }
            }
        }
        distances.sort_by(f64::total_cmp);
        let volume = 4.0 / 3.0 * PI * radius.powi(3) / distances.len() as f64;
        for (sum, reach) in volumes.iter_mut().zip(reaches) {
            *sum += volume * distances.partition_point(|d| d <= reach) as f64;
        }
    }
    volumes
}

#[test]
fn shells_contain_the_volume_that_counted_points_find() {
    let shells = 200;
    for (container, across, volume) in [
        (
            Container::cylinder(8.0, 9.0, Boundary::Wall).unwrap(),
            DVec3::new(1.0, 1.0, 0.0),
            (|reach: f64| 9.0 * PI * reach * reach) as fn(f64) -> f64,
        ),
        (Container::sphere(8.0).unwrap(), DVec3::ONE, |reach| {
            4.0 / 3.0 * PI * reach.powi(3)
        }),
    ] {
        let case = round(container);
        let profile = case.analysis_with(1000).profile;
        let origin = if across == DVec3::ONE {
            RadiusOrigin::Center
        } else {
            RadiusOrigin::Axis
        };
        assert_eq!(profile.radius_origin, origin);
        let radius = profile.radius;
        assert_eq!(radius.distance.len(), shells);
        assert!(radius.standard_error.iter().all(|&error| error == 0.0));
        let reach = |k: usize| 4.0 * k as f64 / shells as f64;
        let reaches: Vec<f64> = (1..=shells).map(reach).collect();
        let expected = counted(&case, across, &reaches);
        let mut found = 0.0;
        for (k, fraction) in radius.packing_fraction.iter().enumerate() {
            assert!((radius.distance[k] - 0.5 * (reach(k) + reach(k + 1))).abs() < 1e-12);
            found += fraction * (volume(reach(k + 1)) - volume(reach(k)));
            let error = (found - expected[k]).abs();
            assert!(
                error < 2e-3 * expected[shells - 1],
                "{k}: {found} {expected:?}"
            );
        }
        let total: f64 = case
            .spheres
            .iter()
            .map(|(_, r)| 4.0 / 3.0 * PI * r.powi(3))
            .sum();
        assert!((found - total).abs() < 1e-9 * total, "{found} {total}");
    }
}

/// The part of a sphere on the axis outside of a cylinder is a ring, whose volume depends only on its height.
#[test]
fn a_sphere_on_the_axis_leaves_a_ring() {
    let (radius, shells) = (1.5, 200);
    let container = Container::cylinder(4.0, 5.0, Boundary::Periodic).unwrap();
    for off in [0.0, 1e-12, 1e-7] {
        let case = Case {
            spheres: Spheres::new(vec![DVec3::new(2.0 + off, 2.0, 1.0)], vec![radius]),
            container: container.clone(),
        };
        let profile = case.analysis_with(1000).profile.radius;
        let mut found = 0.0;
        for (k, fraction) in profile.packing_fraction.iter().enumerate() {
            let [inner, outer] = [k, k + 1].map(|k| 2.0 * k as f64 / f64::from(shells));
            found += fraction * 5.0 * PI * (outer * outer - inner * inner);
            let half_height = (radius * radius - outer * outer).max(0.0).sqrt();
            let expected = 4.0 / 3.0 * PI * (radius.powi(3) - half_height.powi(3));
            assert!(
                (found - expected).abs() < 1e-6,
                "{outer}: {found} {expected}"
            );
        }
    }
}

/// Far from the axis, the side of a cylinder is nearly flat: the sphere has the caps of a plane.
#[test]
fn a_wide_cylinder_cuts_like_a_plane() {
    let (radius, wide) = (0.5, 2e4);
    let container = Container::cylinder(wide, 5.0, Boundary::Wall).unwrap();
    // One of the shells, which are 50 wide, ends inside of the sphere.
    for ends in [-0.49, -0.3, 0.0, 0.2, 0.45] {
        let center = DVec3::new(0.5 * wide + 5000.0 - ends, 0.5 * wide, 2.0);
        let case = Case {
            spheres: Spheres::new(vec![center], vec![radius]),
            container: container.clone(),
        };
        let profile = case.analysis_with(1000).profile.radius;
        let number = profile
            .packing_fraction
            .iter()
            .position(|f| *f > 0.0)
            .unwrap();
        let shell = 5.0 * PI * (5000.0_f64.powi(2) - 4950.0_f64.powi(2));
        let height: f64 = radius + ends;
        let cap = PI / 3.0 * height * height * (3.0 * radius - height);
        let found = profile.packing_fraction[number] * shell;
        assert_eq!(number, 99);
        // The side is a cylinder of radius 5000, which bends by r² / (2 · 5000).
        assert!((found - cap).abs() < 2e-5, "{ends}: {found} {cap}");
    }
}

/// Along the axis of a cylinder, slices have exact volumes too.
#[test]
fn slices_of_a_cylinder_are_exact() {
    let case = round(Container::cylinder(8.0, 9.0, Boundary::Periodic).unwrap());
    let analysis = case.analysis_with(1000);
    let slices = &analysis.profile.packing_fraction;
    let mean = slices.iter().sum::<f64>() / slices.len() as f64;
    assert!((mean - analysis.packing_fraction).abs() < 1e-12);
}
