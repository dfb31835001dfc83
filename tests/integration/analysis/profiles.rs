//! Profiles of groups of spheres, against counted points, and volumes of cut spheres, against random points.

use std::f64::consts::PI;

use glam::DVec3;
use jostle::{
    Boundary, Container, Packing, Spheres,
    analysis::{
        Analysis, AnalysisError, AnalysisOptions, GroupProfile, Groups, ProfileAlong, volume_in_box,
    },
};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

use super::Case;

fn ball(radius: f64) -> f64 {
    4.0 / 3.0 * PI * radius.powi(3)
}

#[test]
fn parts_in_boxes_have_the_volume_that_random_points_find() {
    let mut rng = Pcg64::seed_from_u64(11);
    let mut uniform = move || rng.random::<f64>();
    let points: Vec<DVec3> =
        std::iter::repeat_with(|| 2.0 * DVec3::new(uniform(), uniform(), uniform()) - DVec3::ONE)
            .filter(|point| point.length() <= 1.0)
            .take(20_000)
            .collect();
    let mut rng = Pcg64::seed_from_u64(12);
    let mut bound = || 3.0 * rng.random::<f64>() - 1.5;
    for _ in 0..60 {
        let (a, b) = (
            DVec3::new(bound(), bound(), bound()),
            DVec3::new(bound(), bound(), bound()),
        );
        let (low, high) = (a.min(b), a.max(b));
        let is_inside = |point: &&DVec3| point.cmpge(low).all() && point.cmple(high).all();
        let share = points.iter().filter(is_inside).count() as f64 / points.len() as f64;
        let (radius, center) = (0.3, DVec3::new(5.0, -1.0, 2.0));
        let volume = volume_in_box(
            center,
            radius,
            center + radius * low,
            center + radius * high,
        );
        let error = (share * (1.0 - share) / points.len() as f64).sqrt() + 1e-4;
        let found = volume / ball(radius);
        assert!(
            (found - share).abs() < 5.0 * error,
            "{low} {high}: {found} and {share}"
        );
    }
}

#[test]
fn the_cells_of_a_grid_share_a_sphere() {
    let (center, radius) = (DVec3::new(0.31, 0.47, 0.59), 0.83);
    // Some planes touch the sphere, or run through its center.
    for planes in [
        [[-0.3, 0.31, 0.7], [0.1, 0.47, 0.48], [-0.2, 0.59, 1.1]],
        [
            [0.31 - 0.83, 0.31, 0.31 + 0.83],
            [0.0, 0.47, 0.9],
            [0.59, 0.6, 0.61],
        ],
    ] {
        let edges = planes.map(|planes| {
            [
                f64::NEG_INFINITY,
                planes[0],
                planes[1],
                planes[2],
                f64::INFINITY,
            ]
        });
        let mut sum = 0.0;
        for cell in 0..64 {
            let [i, j, k] = [cell % 4, cell / 4 % 4, cell / 16];
            let corner = |d: usize| DVec3::new(edges[0][i + d], edges[1][j + d], edges[2][k + d]);
            let volume = volume_in_box(center, radius, corner(0), corner(1));
            assert!(volume >= 0.0, "{volume}");
            sum += volume;
        }
        assert!((sum / ball(radius) - 1.0).abs() < 1e-13, "{sum}");
    }
}

/// Spheres inside a container, the first third of which are small, with groups `small` and `large`.
fn inside(container: Container) -> (Case, Groups) {
    let mut rng = Pcg64::seed_from_u64(5);
    let (mut centers, mut radii) = (Vec::new(), Vec::new());
    let lengths = container.lengths();
    while centers.len() < 45 {
        let mut uniform = || rng.random::<f64>();
        let center = lengths * DVec3::new(uniform(), uniform(), uniform());
        let radius = if centers.len() < 15 { 0.2 } else { 0.7 } * (0.5 + uniform());
        if container.wall_gap(center, radius) >= 0.0 {
            centers.push(center);
            radii.push(radius);
        }
    }
    let of = (0..45).map(|id| u32::from(id >= 15)).collect();
    let names = ["small", "large"].map(str::to_owned).to_vec();
    let spheres = Spheres::new(centers, radii);
    (Case { spheres, container }, Groups::new(names, of).unwrap())
}

/// Returns the volume of the spheres of a group whose points have values below each edge, from a grid of points in each sphere.
fn counted(
    case: &Case,
    groups: &Groups,
    group: u32,
    value: &dyn Fn(DVec3) -> f64,
    edges: &[f64],
) -> Vec<f64> {
    const POINTS: i32 = 41;
    let mut volumes = vec![0.0; edges.len()];
    let own = case
        .spheres
        .iter()
        .zip(groups.of())
        .filter(|(_, of)| **of == group);
    for ((center, radius), _) in own {
        let at = |k: i32| radius * (f64::from(2 * k + 1) / f64::from(POINTS) - 1.0);
        let mut values = Vec::new();
        for k in 0..POINTS.pow(3) {
            let from_center = DVec3::new(
                at(k % POINTS),
                at(k / POINTS % POINTS),
                at(k / POINTS / POINTS),
            );
            if from_center.length() <= radius {
                values.push(value(case.container.wrap(center + from_center)));
            }
        }
        values.sort_by(f64::total_cmp);
        for (volume, edge) in volumes.iter_mut().zip(edges) {
            let below = values.partition_point(|value| value < edge) as f64;
            *volume += ball(radius) * below / values.len() as f64;
        }
    }
    volumes
}

/// Compares a profile with points. `below` is the volume of the container below a value of the coordinate.
fn compare(
    container: Container,
    along: ProfileAlong,
    value: &dyn Fn(DVec3) -> f64,
    below: &dyn Fn(f64) -> f64,
) {
    let (case, groups) = inside(container);
    let profile = GroupProfile::new(&case.spheres, &case.container, &groups, along).unwrap();
    assert!(profile.is_exact, "{along}");
    assert_eq!(profile.groups, ["small", "large"]);
    let width = 2.0 * profile.distance[0];
    let edges: Vec<f64> = (0..=profile.distance.len())
        .map(|bin| bin as f64 * width)
        .collect();
    for group in 0..2 {
        let expected = counted(&case, &groups, group, value, &edges);
        let total: f64 = case
            .spheres
            .iter()
            .zip(groups.of())
            .filter(|(_, of)| **of == group)
            .map(|((_, radius), _)| ball(radius))
            .sum();
        let mut volume = 0.0;
        for (bin, fraction) in profile.packing_fraction[group as usize].iter().enumerate() {
            volume += fraction * (below(edges[bin + 1]) - below(edges[bin]));
            let error = (volume - expected[bin + 1]).abs() / total;
            assert!(
                error < 0.01,
                "{along}, group {group}, bin {bin}: {volume}, {}",
                expected[bin + 1]
            );
        }
    }
    let sum: Vec<f64> = (0..profile.total.len())
        .map(|bin| {
            profile
                .packing_fraction
                .iter()
                .map(|group| group[bin])
                .sum()
        })
        .collect();
    assert_eq!(profile.total, sum);
}

#[test]
fn layers_in_boxes_have_the_volume_that_counted_points_find() {
    let lengths = DVec3::new(6.0, 7.0, 5.0);
    for boundary in ["www", "wpw", "ppw"] {
        let container = Container::cuboid(lengths, boundary.parse().unwrap()).unwrap();
        let walled: Vec<usize> = (0..3)
            .filter(|&axis| &boundary[axis..=axis] == "w")
            .collect();
        let depth = |point: DVec3| {
            let nearest = |&axis: &usize| point[axis].min(lengths[axis] - point[axis]);
            walled.iter().map(nearest).fold(f64::INFINITY, f64::min)
        };
        let below = |t: f64| {
            let inner = |axis: usize| {
                let walls = if walled.contains(&axis) { 2.0 * t } else { 0.0 };
                (lengths[axis] - walls).max(0.0)
            };
            lengths.element_product() - inner(0) * inner(1) * inner(2)
        };
        compare(container, ProfileAlong::Depth, &depth, &below);
    }
}

#[test]
fn layers_in_round_containers_have_the_volume_that_counted_points_find() {
    let middle = DVec3::new(3.0, 3.0, 2.5);
    let across = |point: DVec3| (point - middle).truncate().length();
    let disc = |radius: f64| PI * radius * radius;
    let closed = Container::cylinder(6.0, 5.0, Boundary::Wall).unwrap();
    let depth = |point: DVec3| (3.0 - across(point)).min(point.z).min(5.0 - point.z);
    let below = |t: f64| 5.0 * disc(3.0) - (5.0 - 2.0 * t) * disc(3.0 - t);
    compare(closed.clone(), ProfileAlong::Depth, &depth, &below);
    compare(closed, ProfileAlong::Radius, &across, &|t| 5.0 * disc(t));
    let open = Container::cylinder(6.0, 5.0, Boundary::Periodic).unwrap();
    let below = |t: f64| 5.0 * (disc(3.0) - disc(3.0 - t));
    compare(
        open,
        ProfileAlong::Depth,
        &|point| 3.0 - across(point),
        &below,
    );
    let sphere = Container::sphere(6.0).unwrap();
    let depth = |point: DVec3| 3.0 - (point - DVec3::splat(3.0)).length();
    compare(sphere, ProfileAlong::Depth, &depth, &|t| {
        ball(3.0) - ball(3.0 - t)
    });
}

#[test]
fn slices_have_the_volume_that_counted_points_find() {
    let lengths = DVec3::new(6.0, 7.0, 5.0);
    for (axis, along) in [ProfileAlong::X, ProfileAlong::Y, ProfileAlong::Z]
        .into_iter()
        .enumerate()
    {
        let container = Container::cuboid(lengths, "wwp".parse().unwrap()).unwrap();
        let area = lengths.element_product() / lengths[axis];
        compare(container, along, &|point| point[axis], &|t| t * area);
    }
}

/// Without formulas, points tell the volumes: of the layers in a cone, and of the slices of a sphere.
#[test]
fn profiles_from_points_are_near_those_of_formulas() {
    let cylinder = Container::cylinder(6.0, 5.0, Boundary::Wall).unwrap();
    let cone = Container::cone(6.0, 5.999_999, 5.0).unwrap();
    let (case, groups) = inside(cylinder.clone());
    let profile = |container| {
        GroupProfile::new(&case.spheres, container, &groups, ProfileAlong::Depth).unwrap()
    };
    let (exact, sampled) = (profile(&cylinder), profile(&cone));
    assert!(exact.is_exact && !sampled.is_exact);
    // The cone is as deep as the cylinder, up to rounding of the depth that a search finds.
    assert!((exact.distance[0] / sampled.distance[0] - 1.0).abs() < 1e-3);
    let bins = exact
        .distance
        .iter()
        .zip(&sampled.distance)
        .take_while(|(a, b)| (*a - *b).abs() < 1e-3);
    assert!(bins.count() > 90);
    for group in 0..2 {
        let (exact, sampled) = (
            &exact.packing_fraction[group],
            &sampled.packing_fraction[group],
        );
        let mean = |fractions: &[f64]| fractions[..80].iter().sum::<f64>() / 80.0;
        assert!((mean(exact) - mean(sampled)).abs() < 0.01 * mean(exact).max(0.05));
    }
}

#[test]
fn the_analysis_holds_the_profiles_of_groups() {
    let (case, groups) = inside(Container::cylinder(6.0, 5.0, Boundary::Wall).unwrap());
    let packing = Packing::new(case.spheres.clone(), case.container.clone());
    let options = AnalysisOptions::default().points(1000);
    assert!(
        Analysis::new(&packing, &options)
            .unwrap()
            .profiles
            .is_empty()
    );
    let analysis = Analysis::new(&packing, &options.groups(groups)).unwrap();
    let along: Vec<ProfileAlong> = analysis
        .profiles
        .iter()
        .map(|profile| profile.along)
        .collect();
    assert_eq!(
        along,
        [ProfileAlong::Z, ProfileAlong::Depth, ProfileAlong::Radius]
    );
    for (profile, all) in [
        (&analysis.profiles[0], &analysis.profile.packing_fraction),
        (
            &analysis.profiles[2],
            &analysis.profile.radius.packing_fraction,
        ),
    ] {
        for (sum, fraction) in profile.total.iter().zip(all) {
            assert!((sum - fraction).abs() < 1e-12, "{sum}, {fraction}");
        }
    }
}

#[test]
fn profiles_that_do_not_exist_are_refused() {
    let periodic = Container::cuboid(DVec3::splat(5.0), "ppp".parse().unwrap()).unwrap();
    let spheres = Spheres::new(vec![DVec3::ONE; 2], vec![0.5; 2]);
    let groups = Groups::by_class(spheres.radii());
    assert_eq!(groups.names(), ["1"]);
    let depth = GroupProfile::new(&spheres, &periodic, &groups, ProfileAlong::Depth);
    assert_eq!(depth, Err(AnalysisError::NoWalls));
    let names = vec!["a".to_owned()];
    let other = Groups::new(names.clone(), vec![0]).unwrap();
    let error = GroupProfile::new(&spheres, &periodic, &other, ProfileAlong::X).unwrap_err();
    assert!(
        error.to_string().contains("1 spheres, but 2 spheres"),
        "{error}"
    );
    let error = Groups::new(names, vec![0, 1]).unwrap_err();
    assert!(
        error.to_string().contains("sphere 1 has the group 1"),
        "{error}"
    );
    let error = Groups::new(vec![String::new(); 65], Vec::new()).unwrap_err();
    assert!(error.to_string().contains("at most 64"), "{error}");
    let error = "deep".parse::<ProfileAlong>().unwrap_err();
    assert!(
        error.to_string().contains("x, y, z, depth, radius"),
        "{error}"
    );
}
