//! Requests at the edge of what can be packed: each gives a packing without overlap, or one clear sentence.

use jostle::{
    Boundaries, Container, Effort, PackOptions, Packing, Target, glam::DVec3, pack,
    rearrange::PackError,
};

/// Panics unless all spheres keep `gap` to each other and half of it to walls, by brute force over all pairs and all
/// periodic images that can touch.
fn assert_separate(packing: &Packing, radii: &[f64], gap: f64) {
    let (spheres, container) = (packing.spheres(), packing.container());
    assert_eq!(spheres.radii(), radii);
    let lengths = container.lengths();
    let largest = radii.iter().copied().fold(0.0, f64::max);
    // Images beyond this number are further away than two of the largest diameters.
    let images = |axis: usize| {
        let count = ((2.0 * largest + gap) / lengths[axis]).ceil() as i32 + 1;
        if container.is_periodic(axis) {
            -count..=count
        } else {
            0..=0
        }
    };
    let centers = spheres.centers();
    for i in 0..radii.len() {
        for axis in (0..3).filter(|&axis| !container.is_periodic(axis)) {
            let near = centers[i][axis] - radii[i];
            let far = lengths[axis] - centers[i][axis] - radii[i];
            assert!(
                near.min(far) >= 0.5 * gap - 1e-12 * lengths[axis],
                "sphere {i} at a wall of axis {axis}"
            );
        }
        for j in 0..=i {
            for (x, y, z) in all_of(images(0), images(1), images(2)) {
                if i == j && (x, y, z) == (0, 0, 0) {
                    continue;
                }
                let image = centers[j] + DVec3::new(x.into(), y.into(), z.into()) * lengths;
                let distance = centers[i].distance(image);
                let least = radii[i] + radii[j] + gap;
                assert!(
                    distance >= least * (1.0 - 1e-15),
                    "{i} and {j}: {distance} < {least}"
                );
            }
        }
    }
}

fn all_of(
    x: std::ops::RangeInclusive<i32>,
    y: std::ops::RangeInclusive<i32>,
    z: std::ops::RangeInclusive<i32>,
) -> impl Iterator<Item = (i32, i32, i32)> {
    x.flat_map(move |x| {
        let z = z.clone();
        y.clone()
            .flat_map(move |y| z.clone().map(move |z| (x, y, z)))
    })
}

fn quick(boundary: &str) -> PackOptions {
    let boundary: Boundaries = boundary.parse().unwrap();
    PackOptions::default()
        .effort(Effort::QUICK)
        .container(boundary)
}

#[track_caller]
fn packed(radii: &[f64], options: &PackOptions) -> Packing {
    let packing = pack(radii, options).unwrap().packing;
    assert_eq!(packing.certificate().max_overlap, 0.0);
    assert_separate(&packing, radii, options.min_gap);
    packing
}

const BOUNDARIES: [&str; 4] = ["ppp", "www", "pww", "wpp"];

#[test]
fn one_and_two_spheres_are_packed() {
    for boundary in BOUNDARIES {
        for (radii, least) in [
            (vec![1.0], 0.5),
            (vec![2.0, 2.0], 0.25),
            (vec![1e-3, 1e3], 0.48),
            (vec![1.0, 0.3], 0.4),
        ] {
            for gap in [0.0, 0.1] {
                let options = quick(boundary).min_gap(gap);
                let packing = packed(&radii, &options);
                let found = packing.packing_fraction();
                assert!(gap > 0.0 || found > least, "{boundary} {radii:?}: {found}");
                for fraction in [1e-6, 0.2] {
                    let options = options.clone().target(Target::Fraction(fraction));
                    let found = packed(&radii, &options).packing_fraction();
                    assert!(
                        (found / fraction - 1.0).abs() < 1e-9,
                        "{boundary} {radii:?}: {found}"
                    );
                }
            }
        }
    }
}

#[test]
fn spheres_of_very_different_size_are_packed() {
    for boundary in BOUNDARIES {
        // The smallest diameter is 10⁻⁴ of the largest.
        let radii: Vec<f64> = (0..400)
            .map(|k| 10f64.powf(-4.0 * f64::from(k) / 399.0))
            .collect();
        packed(&radii, &quick(boundary));
        let mut few_large = vec![1e-4; 600];
        few_large.extend([1.0, 1.0, 0.7]);
        packed(&few_large, &quick(boundary));
        packed(&few_large, &quick(boundary).target(Target::Fraction(0.3)));
    }
}

/// Returns a request for a box of exactly these lengths.
fn exactly(lengths: DVec3, boundary: &str) -> PackOptions {
    let container = Container::cuboid(lengths, boundary.parse().unwrap()).unwrap();
    quick(boundary).container(container).target(Target::Exact)
}

/// Packs `count` spheres of diameter 1 into a box of these lengths, and expects exactly this box.
#[track_caller]
fn fill(lengths: DVec3, boundary: &str, count: usize) {
    let radii = vec![0.5; count];
    let options = exactly(lengths, boundary);
    let packing = packed(&radii, &options);
    assert_eq!(
        packing.container().lengths(),
        lengths,
        "{boundary}, {count} spheres"
    );
}

#[test]
fn walls_may_be_closer_than_two_diameters() {
    for thickness in [1.0, 1.0 + 1e-9, 1.0 + 1e-6, 1.01, 1.5, 1.9] {
        fill(DVec3::new(12.0, 12.0, thickness), "ppw", 80);
        fill(DVec3::new(12.0, thickness, 12.0), "www", 70);
        fill(DVec3::new(thickness, thickness, 60.0), "wwp", 50);
    }
}

#[test]
fn boxes_may_be_needles() {
    for boundary in BOUNDARIES {
        fill(DVec3::new(2000.0, 1.2, 1.2), boundary, 1200);
        fill(DVec3::new(1.0001, 1.0001, 400.0), boundary, 300);
    }
}

#[test]
fn a_sphere_may_almost_fill_the_box() {
    for boundary in BOUNDARIES {
        for excess in [1e-3, 1e-6, 1e-9, 1e-12] {
            fill(DVec3::splat(1.0 + excess), boundary, 1);
        }
        fill(DVec3::splat(1.0), boundary, 1);
        // Small spheres go into the corners.
        let mut radii = vec![0.05; 8];
        radii.push(0.5);
        let options = exactly(DVec3::splat(1.02), boundary);
        let packing = packed(&radii, &options);
        assert_eq!(
            packing.container().lengths(),
            DVec3::splat(1.02),
            "{boundary}"
        );
    }
    let error = |lengths| {
        let options = exactly(lengths, "www");
        pack([0.5].as_slice(), &options).unwrap_err()
    };
    assert!(matches!(
        error(DVec3::new(1.0, 1.0, 0.999_999)),
        PackError::TooLarge { .. }
    ));
}

#[test]
fn requests_beyond_all_packings_end_with_the_best_one() {
    for (lengths, count) in [(DVec3::new(1.5, 1.5, 30.0), 60), (DVec3::splat(3.0), 38)] {
        let radii = vec![0.5; count];
        let packing = packed(&radii, &exactly(lengths, "www"));
        let requested = Container::cuboid(lengths, Boundaries::WALLS).unwrap();
        assert!(packing.container().volume() > requested.volume());
    }
}
