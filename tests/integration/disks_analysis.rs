//! Analysis in the plane, against sums over all pairs and over grids of points.

use std::f64::consts::{PI, TAU};

use glam::{DVec2, DVec3};
use jostle::{
    Container, Effort, PackOptions, Packing, Spheres,
    analysis::{
        Analysis, AnalysisOptions, BondOrder, ForceNetwork, GroupProfile, Groups, HexaticOrder,
        ProfileAlong, cell_volumes, homogeneity, local_densities,
    },
    container::ContainerSpec,
    pack,
    packing::{ContactForces, WallForce},
};

/// Returns a flat container that a text describes, with a boundary.
fn flat(shape: &str, boundary: &str) -> Container {
    let spec: ContainerSpec = shape.parse().unwrap();
    spec.container(Some(boundary.parse().unwrap())).unwrap()
}

/// Returns a packing of disks with the diameters 1 and 1.4 in turn.
fn packed(shape: &str, boundary: &str, count: usize) -> Packing {
    let radii: Vec<f64> = (0..count).map(|k| [0.5, 0.7][k % 2]).collect();
    let options = PackOptions::default()
        .container(flat(shape, boundary))
        .effort(Effort::QUICK);
    pack(radii, &options).unwrap().packing
}

/// Returns the shortest vector between images of two points in a container whose periodic axes are given.
fn shortest(lengths: DVec2, periodic: [bool; 2], from: DVec2, to: DVec2) -> DVec2 {
    let d = to - from;
    let along = |axis: usize| {
        let shift = (d[axis] / lengths[axis]).round() * lengths[axis];
        d[axis] - if periodic[axis] { shift } else { 0.0 }
    };
    DVec2::new(along(0), along(1))
}

/// Returns the centers and the radii.
fn disks(packing: &Packing) -> Vec<(DVec2, f64)> {
    let spheres = packing.spheres().iter();
    spheres.map(|(center, r)| (center.truncate(), r)).collect()
}

fn analyzed(packing: &Packing) -> Analysis {
    Analysis::new(packing, &AnalysisOptions::default().points(20_000)).unwrap()
}

#[test]
fn hexatic_order_is_the_mean_of_sixfold_angles() {
    let packing = packed("rectangle", "pw", 150);
    let (all, lengths) = (disks(&packing), packing.container().lengths().truncate());
    let order = HexaticOrder::new(packing.spheres(), packing.container()).unwrap();
    let (mut moduli, mut whole) = (0.0, [0.0; 2]);
    for (id, &(center, radius)) in all.iter().enumerate() {
        let (mut sum, mut count) = ([0.0; 2], 0);
        for (other, &(at, other_radius)) in all.iter().enumerate() {
            let d = shortest(lengths, [true, false], center, at);
            let gap = d.length() - radius - other_radius;
            if other != id && gap <= 0.8 * radius.min(other_radius) {
                let angle = 6.0 * d.y.atan2(d.x);
                sum = [sum[0] + angle.cos(), sum[1] + angle.sin()];
                count += 1;
            }
        }
        let psi = sum.map(|part| part / f64::from(count.max(1)));
        assert_eq!(order.neighbors[id], count as u32);
        assert!(order.psi6[id].distance(psi.into()) < 1e-9);
        moduli += psi[0].hypot(psi[1]) / 150.0;
        whole = [whole[0] + psi[0] / 150.0, whole[1] + psi[1] / 150.0];
    }
    let analysis = analyzed(&packing);
    let hexatic = analysis.hexatic.unwrap();
    assert!((hexatic.psi6_mean - moduli).abs() < 1e-9);
    assert!((hexatic.psi6_global - whole[0].hypot(whole[1])).abs() < 1e-9);
    assert!(analysis.order.is_none());
    let refused = BondOrder::new(packing.spheres(), packing.container());
    let message = refused.unwrap_err().to_string();
    assert_eq!(
        message,
        "the bond order is known for spheres, not for disks"
    );
    let cube = Container::default();
    let refused = HexaticOrder::new(&Spheres::default(), &cube).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "the hexatic order is known for disks, not for spheres"
    );
}

#[test]
fn equal_disks_crystallize() {
    let radii = vec![0.5; 400];
    let square = PackOptions::default().container(flat("rectangle", "pp"));
    let equal = analyzed(&pack(radii, &square).unwrap().packing);
    let mixed = analyzed(&packed("rectangle", "pp", 400));
    let [equal, mixed] = [equal, mixed].map(|analysis| analysis.hexatic.unwrap().psi6_mean);
    assert!(equal > 0.8 && mixed < 0.65, "{equal} {mixed}");
}

#[test]
fn the_structure_factor_is_that_of_the_plane() {
    let packing = packed("rectangle:aspect=2", "pp", 200);
    let (all, lengths) = (disks(&packing), packing.container().lengths().truncate());
    let mut values = Vec::new();
    for x in 0..=6 {
        for y in (-6..=6).filter(|&y| x > 0 || y > 0) {
            let k = TAU * DVec2::new(f64::from(x), f64::from(y)) / lengths;
            let phase = |part: fn(f64) -> f64| -> f64 {
                all.iter().map(|(center, _)| part(k.dot(*center))).sum()
            };
            let square = phase(f64::cos).powi(2) + phase(f64::sin).powi(2);
            values.push((k.length(), square / 200.0));
        }
    }
    values.sort_by(|a, b| a.0.total_cmp(&b.0));
    let factor = analyzed(&packing).structure_factor.unwrap();
    let first = &values[..factor.vectors[0]];
    let mean =
        |part: fn(&(f64, f64)) -> f64| first.iter().map(part).sum::<f64>() / first.len() as f64;
    assert!((factor.k[0] - mean(|value| value.0)).abs() < 1e-9);
    assert!((factor.s[0] - mean(|value| value.1)).abs() < 1e-9);
    assert!(factor.limit.is_some());
}

#[test]
fn cells_of_homogeneity_are_squares() {
    let packing = packed("rectangle", "pp", 300);
    let (all, lengths) = (disks(&packing), packing.container().lengths().truncate());
    let logs: Vec<f64> = all.iter().map(|(_, radius)| radius.ln()).collect();
    let count = logs.len() as f64;
    let mean = logs.iter().sum::<f64>() / count;
    let variance = logs.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / count;
    let cells = 4;
    let mut members = vec![Vec::new(); cells * cells];
    for ((center, _), log) in all.iter().zip(&logs) {
        let [x, y] = (*center / lengths * cells as f64).to_array();
        members[y as usize * cells + x as usize].push(*log);
    }
    let squares: Vec<f64> = (members.iter().filter(|cell| cell.len() > 1))
        .map(|cell| {
            let n = cell.len() as f64;
            let deviation = cell.iter().sum::<f64>() / n - mean;
            deviation * deviation / (variance / n * (count - n) / (count - 1.0))
        })
        .collect();
    let expected = (squares.iter().sum::<f64>() / squares.len() as f64).sqrt();
    let found = homogeneity(packing.spheres(), packing.container(), cells);
    assert!((found.unwrap().unwrap() - expected).abs() < 1e-9);
}

/// A coordinate in a circle, or in a rectangle with walls along y.
struct Coordinate {
    along: ProfileAlong,
    is_round: bool,
    lengths: DVec2,
}

impl Coordinate {
    fn of(&self, point: DVec2) -> f64 {
        let from_middle = (point - 0.5 * self.lengths).length();
        match self.along {
            ProfileAlong::Y => point.y,
            ProfileAlong::Radius => from_middle,
            _ if self.is_round => 0.5 * self.lengths.x - from_middle,
            _ => point.y.min(self.lengths.y - point.y),
        }
    }

    /// Returns the area in which the coordinate is below a value.
    fn area_to(&self, value: f64) -> f64 {
        let DVec2 { x, .. } = self.lengths;
        let radius = 0.5 * x;
        match self.along {
            ProfileAlong::Radius => PI * value * value,
            ProfileAlong::Depth if self.is_round => PI * (2.0 * radius - value) * value,
            ProfileAlong::Depth => 2.0 * x * value,
            _ if self.is_round => {
                let h = (value - radius).clamp(-radius, radius);
                let segment = radius * radius * (h / radius).asin();
                segment + h * (radius * radius - h * h).sqrt() + 0.5 * PI * radius * radius
            }
            _ => x * value,
        }
    }

    /// Returns the area of small and of large disks where the coordinate is below a value, from points on a grid in each disk.
    fn counted_to(&self, value: f64, disks: &[(DVec2, f64)]) -> [f64; 2] {
        let steps = 300;
        let mut areas = [0.0; 2];
        for &(center, radius) in disks {
            let step = 2.0 * radius / f64::from(steps);
            for k in 0..steps * steps {
                let [x, y] = [k % steps, k / steps].map(|k| (f64::from(k) + 0.5) * step);
                let from_center = DVec2::new(x, y) - DVec2::splat(radius);
                let at = self.of((center + from_center).rem_euclid(self.lengths));
                if from_center.length() < radius && at < value {
                    areas[usize::from(radius > 0.6)] += step * step;
                }
            }
        }
        areas
    }
}

/// Shares of disks in slices, layers and rings, up to the middle of a bin.
#[test]
fn profiles_are_areas() {
    for (shape, boundary) in [("rectangle:aspect=1.5", "pw"), ("circle", "w")] {
        let packing = packed(shape, boundary, 80);
        let (spheres, container) = (packing.spheres(), packing.container());
        let groups = Groups::by_class(spheres.radii());
        let is_round = shape == "circle";
        for along in [ProfileAlong::Y, ProfileAlong::Depth, ProfileAlong::Radius] {
            let profile = GroupProfile::new(spheres, container, &groups, along).unwrap();
            let is_exact =
                along == ProfileAlong::Depth || is_round == (along == ProfileAlong::Radius);
            assert_eq!(profile.is_exact, is_exact, "{shape}, {along}");
            let coordinate = Coordinate {
                along,
                is_round,
                lengths: container.lengths().truncate(),
            };
            let middle = profile.distance.len() / 2;
            let expected = coordinate.counted_to(profile.distance[middle], &disks(&packing));
            let width = profile.distance[1] - profile.distance[0];
            for (group, expected) in expected.into_iter().enumerate() {
                let in_bin = |bin: usize| {
                    let [low, high] = [-0.5, 0.5].map(|half| profile.distance[bin] + half * width);
                    let area = coordinate.area_to(high) - coordinate.area_to(low.max(0.0));
                    let share = if bin == middle { 0.5 } else { 1.0 };
                    share * area * profile.packing_fraction[group][bin]
                };
                let found: f64 = (0..=middle).map(in_bin).sum();
                // The two halves of the bin in the middle differ by a little.
                assert!(
                    (found - expected).abs() < 0.01 * expected + 0.05,
                    "{shape}, {along}: {found} {expected}"
                );
            }
        }
        let z = GroupProfile::new(spheres, container, &groups, ProfileAlong::Z);
        let message = z.unwrap_err().to_string();
        assert_eq!(
            message,
            "the profile along z is known for spheres, not for disks"
        );
        let refused = Analysis::new(&packing, &AnalysisOptions::default().axis(2)).unwrap_err();
        assert_eq!(refused.to_string(), message);
    }
}

/// Slices and rings hold all disks.
#[test]
fn bins_add_up_to_the_disks() {
    let square = packed("rectangle:aspect=1.5", "pw", 80);
    let round = packed("circle", "w", 80);
    let groups = Groups::by_class(square.spheres().radii());
    let total = |packing: &Packing, along, area: &dyn Fn(usize, f64) -> f64| -> f64 {
        let (spheres, container) = (packing.spheres(), packing.container());
        let profile = GroupProfile::new(spheres, container, &groups, along).unwrap();
        let width = profile.distance[1] - profile.distance[0];
        let bins = profile.total.iter().enumerate();
        bins.map(|(bin, fraction)| fraction * area(bin, width))
            .sum()
    };
    let area: f64 = disks(&square).iter().map(|(_, r)| PI * r * r).sum();
    let lengths = square.container().lengths();
    for (along, across) in [(ProfileAlong::X, lengths.y), (ProfileAlong::Y, lengths.x)] {
        let found = total(&square, along, &|_, width| width * across);
        assert!((found - area).abs() < 1e-9 * area, "{along}: {found}");
    }
    let ring = |bin: usize, width: f64| PI * width * width * (2 * bin + 1) as f64;
    let found = total(&round, ProfileAlong::Radius, &ring);
    assert!((found - area).abs() < 1e-9 * area, "{found}");
}

#[test]
fn cells_fill_the_plane() {
    for (shape, boundary) in [
        ("rectangle", "pp"),
        ("rectangle:aspect=2", "pw"),
        ("circle", "w"),
    ] {
        let packing = packed(shape, boundary, 60);
        let container = packing.container();
        let (all, lengths) = (disks(&packing), container.lengths().truncate());
        let cells = cell_volumes(packing.spheres(), container).unwrap();
        let sum: f64 = cells.iter().sum();
        assert!(
            (sum / container.volume() - 1.0).abs() < 1e-3,
            "{shape}: {sum}"
        );
        // Points of a grid belong to the disk of the smallest power distance.
        let periodic = [0, 1].map(|axis| container.is_periodic(axis));
        let steps = 400;
        let mut counts = vec![0; all.len()];
        for k in 0..steps * steps {
            let share = DVec2::new(f64::from(k % steps), f64::from(k / steps));
            let point = (share + DVec2::splat(0.5)) / f64::from(steps) * lengths;
            if container.wall_gap(point.extend(0.0), 0.0) < 0.0 {
                continue;
            }
            let power = |&(center, radius): &(DVec2, f64)| {
                shortest(lengths, periodic, center, point).length_squared() - radius * radius
            };
            let nearest = (0..all.len()).min_by(|&a, &b| power(&all[a]).total_cmp(&power(&all[b])));
            counts[nearest.unwrap()] += 1;
        }
        let point = lengths.x * lengths.y / f64::from(steps * steps);
        for (cell, &count) in cells.iter().zip(&counts) {
            let counted = point * f64::from(count);
            assert!(
                (cell - counted).abs() < 0.03 * cell,
                "{shape}: {cell} {counted}"
            );
        }
        let densities = local_densities(packing.spheres(), container).unwrap();
        let first = PI * all[0].1.powi(2) / cells[0];
        assert!((densities[0] - first).abs() < 1e-12);
    }
}

#[test]
fn pores_and_shares_are_those_of_the_plane() {
    // A disk of diameter 1 and one of diameter 2.
    let container = flat("rectangle:lx=6,ly=4", "pp");
    let centers = vec![DVec3::new(1.0, 1.0, 0.0), DVec3::new(4.0, 2.0, 0.0)];
    let packing = Packing::new(Spheres::new(centers.clone(), vec![0.5, 1.0]), container);
    let analysis = Analysis::new(&packing, &AnalysisOptions::default()).unwrap();
    let classes = &analysis.sizes.classes;
    assert!((classes[0].mass_share - 0.2).abs() < 1e-12);
    assert!((analysis.packing_fraction - 1.25 * PI / 24.0).abs() < 1e-12);
    assert!((analysis.specific_surface - 3.0 * PI / 24.0).abs() < 1e-12);
    let (mut sum, mut count) = (0.0, 0);
    for k in 0..600 * 400 {
        let point = DVec2::new(f64::from(k % 600) + 0.5, f64::from(k / 600) + 0.5) / 100.0;
        let gap = |disk: usize| {
            let center = centers[disk].truncate();
            let d = shortest(DVec2::new(6.0, 4.0), [true, true], center, point);
            d.length() - [0.5, 1.0][disk]
        };
        let clearance = gap(0).min(gap(1));
        if clearance > 0.0 {
            sum += 2.0 * clearance;
            count += 1;
        }
    }
    let mean = sum / f64::from(count);
    let found = analysis.pores.unwrap().mean;
    assert!((found / mean - 1.0).abs() < 0.01, "{found} {mean}");
}

#[test]
fn forces_count_two_directions() {
    // Two disks in a row between the ends of a tight box, which presses with 1 on each unit of length.
    let container = flat("rectangle:lx=1,ly=2", "ww");
    let centers = vec![DVec3::new(0.5, 0.5, 0.0), DVec3::new(0.5, 1.5, 0.0)];
    let wall = |sphere: u32, [x, y]: [f64; 2]| WallForce {
        sphere,
        normal: [x, y, 0.0],
        force: 1.0,
    };
    let sides = |sphere: u32| [[-1.0, 0.0], [1.0, 0.0]].map(|normal| wall(sphere, normal));
    let mut walls = [sides(0), sides(1)].concat();
    walls.insert(0, wall(0, [0.0, -1.0]));
    walls.push(wall(1, [0.0, 1.0]));
    let forces = ContactForces::new(vec![[0, 1]], vec![1.0], walls).unwrap();
    let spheres = Spheres::new(centers, vec![0.5; 2]);
    let packing = Packing::new(spheres, container)
        .with_forces(forces)
        .unwrap();
    let network = ForceNetwork::new(&packing).unwrap().unwrap();
    let stress = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0; 3]];
    assert_eq!(network.stress.tensor, stress);
    assert_eq!(
        (network.stress.pressure, network.stress.anisotropy),
        (1.0, 0.0)
    );
    // Two for each disk, and one for the size.
    assert_eq!(network.maxwell.degrees_of_freedom, 5);
    assert_eq!(network.maxwell.contacts, 7);
    let fabric = analyzed(&packing).fabric.unwrap();
    assert!((fabric.anisotropy - 1.0).abs() < 1e-12);
}
