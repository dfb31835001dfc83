//! Structure analysis against brute force over all pairs and all 27 images, known lattices and random points.

use std::f64::consts::PI;

use glam::DVec3;
use jostle::{
    Container, Effort, PackOptions, Spheres,
    analysis::{
        AnalysisError, BondOrder, CONTACT_TOLERANCE, Contacts, Fabric, HOMOGENEITY_CELLS,
        RadialDistribution, homogeneity, mean_backbone, rattlers,
    },
    pack,
};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

/// Spheres in a container.
#[derive(Clone)]
struct Case {
    spheres: Spheres,
    container: Container,
}

impl Case {
    fn new(centers: Vec<DVec3>, radii: Vec<f64>, lengths: DVec3, boundary: &str) -> Self {
        Self {
            spheres: Spheres::new(centers, radii),
            container: Container::cuboid(lengths, boundary.parse().unwrap()).unwrap(),
        }
    }

    fn contacts(&self, tolerance: f64) -> Contacts {
        Contacts::new(&self.spheres, &self.container, tolerance).unwrap()
    }

    fn bond_order(&self) -> BondOrder {
        BondOrder::new(&self.spheres, &self.container).unwrap()
    }

    fn fabric(&self, tolerance: f64) -> Fabric {
        Fabric::new(&self.spheres, &self.container, &self.contacts(tolerance)).unwrap()
    }

    fn homogeneity(&self, cells: usize) -> Option<f64> {
        homogeneity(&self.spheres, &self.container, cells).unwrap()
    }

    fn g(&self, r_max: f64, bins: usize, limits: &[f64]) -> RadialDistribution {
        RadialDistribution::new(&self.spheres, &self.container, r_max, bins, limits).unwrap()
    }

    fn letters(&self) -> Vec<char> {
        self.container.boundary().to_string().chars().collect()
    }

    /// The shortest vector between two spheres, by trying all images.
    fn brute_vector(&self, i: usize, j: usize) -> DVec3 {
        let shifts: Vec<Vec<f64>> = self
            .letters()
            .iter()
            .zip(self.container.lengths().to_array())
            .map(|(letter, length)| match letter {
                'p' => vec![0.0, -length, length],
                _ => vec![0.0],
            })
            .collect();
        let straight = self.spheres.centers()[j] - self.spheres.centers()[i];
        let mut best = DVec3::splat(f64::INFINITY);
        for &x in &shifts[0] {
            for &y in &shifts[1] {
                for &z in &shifts[2] {
                    let image = straight + DVec3::new(x, y, z);
                    if image.length() < best.length() {
                        best = image;
                    }
                }
            }
        }
        best
    }

    fn brute_pairs(&self, tolerance: f64) -> Vec<[u32; 2]> {
        let radii = self.spheres.radii();
        let mut pairs = Vec::new();
        for i in 0..radii.len() {
            for j in i + 1..radii.len() {
                let gap = self.brute_vector(i, j).length() - radii[i] - radii[j];
                if gap <= tolerance * f64::min(2.0 * radii[i], 2.0 * radii[j]) {
                    pairs.push([i as u32, j as u32]);
                }
            }
        }
        pairs
    }

    fn brute_walls(&self, tolerance: f64) -> Vec<u32> {
        let (letters, lengths) = (self.letters(), self.container.lengths());
        let touches = |(center, radius): (DVec3, f64)| {
            (0..3).any(|axis| {
                let nearest = f64::min(center[axis], lengths[axis] - center[axis]);
                letters[axis] == 'w' && nearest - radius <= tolerance * 2.0 * radius
            })
        };
        self.spheres
            .iter()
            .map(|sphere| u32::from(touches(sphere)))
            .collect()
    }
}

/// Random points with radii between `0.1` and `0.1 · ratio`.
fn random(count: usize, ratio: f64, lengths: DVec3, boundary: &str, seed: u64) -> Case {
    let mut rng = Pcg64::seed_from_u64(seed);
    let mut uniform = || rng.random::<f64>();
    let centers = (0..count)
        .map(|_| lengths * DVec3::new(uniform(), uniform(), uniform()))
        .collect();
    let radii = (0..count).map(|_| 0.1 * ratio.powf(uniform())).collect();
    Case::new(centers, radii, lengths, boundary)
}

fn packed(radii: &[f64], boundary: &str) -> Case {
    let options = PackOptions::default()
        .effort(Effort::QUICK)
        .boundary(boundary.parse().unwrap());
    let packing = pack(radii, &options).unwrap().packing;
    Case {
        spheres: packing.spheres,
        container: packing.container,
    }
}

fn mixture(count: usize) -> Vec<f64> {
    (0..count)
        .map(|i| 0.5 * 6_f64.powf(i as f64 / count as f64))
        .collect()
}

/// Random and packed spheres, in periodic and walled containers, of one and of many sizes.
fn cases() -> Vec<Case> {
    let lengths = DVec3::new(3.0, 2.0, 4.0);
    vec![
        random(300, 1.0, lengths, "ppp", 1),
        random(300, 8.0, lengths, "ppw", 2),
        random(300, 30.0, lengths, "www", 3),
        random(20, 9.0, DVec3::new(1.0, 2.0, 1.5), "pwp", 4),
        packed(&[0.5; 300], "ppp"),
        packed(&mixture(400), "ppp"),
        packed(&mixture(300), "pww"),
    ]
}

/// Unit cells of a lattice of touching spheres with diameter 1, in a periodic container.
fn lattice(cell: DVec3, points: &[[f64; 3]], cells: usize) -> Case {
    let mut centers = Vec::new();
    for k in 0..cells.pow(3) {
        let corner = [k % cells, k / cells % cells, k / cells / cells].map(|k| k as f64);
        for &point in points {
            centers.push(cell * (DVec3::from_array(corner) + DVec3::from_array(point)));
        }
    }
    let radii = vec![0.5; centers.len()];
    Case::new(centers, radii, cell * cells as f64, "ppp")
}

fn fcc(cells: usize) -> Case {
    let points = [[0.0; 3], [0.5, 0.5, 0.0], [0.5, 0.0, 0.5], [0.0, 0.5, 0.5]];
    lattice(DVec3::splat(2_f64.sqrt()), &points, cells)
}

#[test]
fn contacts_agree_with_brute_force() {
    for (number, case) in cases().iter().enumerate() {
        for tolerance in [0.0, CONTACT_TOLERANCE, 0.05, 1.0] {
            let contacts = case.contacts(tolerance);
            let pairs = case.brute_pairs(tolerance);
            assert_eq!(
                contacts.pairs(),
                pairs,
                "case {number}, tolerance {tolerance}"
            );
            assert_eq!(contacts.wall_contacts(), case.brute_walls(tolerance));
            let mean = 2.0 * pairs.len() as f64 / case.spheres.len() as f64;
            assert_eq!(contacts.mean(), mean);
            for id in 0..case.spheres.len() as u32 {
                let with: Vec<u32> = pairs
                    .iter()
                    .filter(|pair| pair.contains(&id))
                    .map(|pair| pair[0] + pair[1] - id)
                    .collect();
                assert_eq!(contacts.of(id), with);
                assert_eq!(contacts.numbers()[id as usize], with.len() as u32);
            }
            assert!(contacts.of(case.spheres.len() as u32).is_empty());
        }
    }
}

#[test]
fn size_correlation_agrees_with_pearson() {
    for case in &cases() {
        let radii = case.spheres.radii();
        let tolerance = 0.1;
        let ends: Vec<(f64, f64)> = case
            .brute_pairs(tolerance)
            .iter()
            .flat_map(|&[i, j]| [(i, j), (j, i)])
            .map(|(i, j)| (radii[i as usize].ln(), radii[j as usize].ln()))
            .collect();
        let found = case.contacts(tolerance).size_correlation(radii);
        if radii.iter().all(|radius| *radius == radii[0]) {
            assert_eq!(found, None);
            continue;
        }
        let count = ends.len() as f64;
        let mean_x = ends.iter().map(|end| end.0).sum::<f64>() / count;
        let mean_y = ends.iter().map(|end| end.1).sum::<f64>() / count;
        let sum = |f: &dyn Fn(f64, f64) -> f64| -> f64 {
            ends.iter().map(|&(x, y)| f(x - mean_x, y - mean_y)).sum()
        };
        let expected = sum(&|x, y| x * y) / (sum(&|x, _| x * x) * sum(&|_, y| y * y)).sqrt();
        assert!(
            (found.unwrap() - expected).abs() < 1e-12,
            "{found:?} {expected}"
        );
    }
}

/// On a fixed network of contacts, radii assigned at random show no correlation, and equal neighbours a perfect one.
#[test]
fn size_correlation_is_zero_for_random_radii() {
    let contacts = fcc(10).contacts(CONTACT_TOLERANCE);
    let mut rng = Pcg64::seed_from_u64(5);
    let radii: Vec<f64> = (0..4000).map(|_| 1.0 + rng.random::<f64>()).collect();
    // 24 000 contacts: a standard deviation of 0.006.
    let correlation = contacts.size_correlation(&radii).unwrap();
    assert!(correlation.abs() < 0.03, "{correlation}");
    assert_eq!(contacts.size_correlation(&radii[1..]), None);
    assert_eq!(contacts.size_correlation(&[-1.0; 4000]), None);

    let centers = [0.0, 1.0, 10.0, 14.0]
        .map(|x| DVec3::new(x, 5.0, 5.0))
        .to_vec();
    let pairs = Case::new(centers, vec![0.5, 0.5, 2.0, 2.0], DVec3::splat(20.0), "ppp");
    let correlation = pairs.contacts(0.01).size_correlation(pairs.spheres.radii());
    assert!((correlation.unwrap() - 1.0).abs() < 1e-12);
}

#[test]
fn rattlers_agree_with_repeated_removal() {
    let mut found_some = false;
    for case in &cases() {
        for tolerance in [1e-3, 0.03] {
            let (pairs, walls) = (case.brute_pairs(tolerance), case.brute_walls(tolerance));
            let mut is_rattler = vec![false; case.spheres.len()];
            loop {
                let before = is_rattler.clone();
                for id in 0..walls.len() {
                    let held_by = |pair: &&[u32; 2]| {
                        pair.contains(&(id as u32))
                            && pair
                                .iter()
                                .all(|&end| end as usize == id || !before[end as usize])
                    };
                    let number = pairs.iter().filter(held_by).count() + walls[id] as usize;
                    is_rattler[id] |= number < 4;
                }
                if is_rattler == before {
                    break;
                }
            }
            let contacts = case.contacts(tolerance);
            assert_eq!(rattlers(&contacts), is_rattler);
            let held = is_rattler.iter().filter(|&&rattler| !rattler).count();
            found_some |= held > 0 && held < is_rattler.len();
            let inner = |pair: &&[u32; 2]| !pair.iter().any(|&id| is_rattler[id as usize]);
            let expected = 2.0 * pairs.iter().filter(inner).count() as f64 / held.max(1) as f64;
            assert_eq!(mean_backbone(&contacts), expected);
        }
    }
    assert!(found_some, "no case has both rattlers and other spheres");
}

#[test]
fn fabric_agrees_with_brute_force() {
    for case in &cases() {
        let fabric = case.fabric(0.1);
        let pairs = case.brute_pairs(0.1);
        assert_eq!(fabric.contacts, pairs.len());
        let mut deviators = 0.0;
        for row in 0..3 {
            for column in 0..3 {
                let component = |&[i, j]: &[u32; 2]| {
                    let n = case.brute_vector(i as usize, j as usize).normalize();
                    n[row] * n[column]
                };
                let mean = pairs.iter().map(component).sum::<f64>() / pairs.len() as f64;
                assert!((fabric.tensor[row][column] - mean).abs() < 1e-12);
                let deviator = if row == column {
                    mean - 1.0 / 3.0
                } else {
                    mean
                };
                deviators += deviator * deviator;
            }
        }
        assert!((fabric.anisotropy - (1.5 * deviators).sqrt()).abs() < 1e-12);
    }
}

#[test]
fn parallel_contacts_have_anisotropy_one() {
    let centers = (0..10)
        .map(|x| DVec3::new(f64::from(x), 5.0, 5.0))
        .collect();
    let chain = Case::new(centers, vec![0.5; 10], DVec3::splat(10.0), "ppp");
    let fabric = chain.fabric(CONTACT_TOLERANCE);
    assert_eq!(fabric.tensor, [[1.0, 0.0, 0.0], [0.0; 3], [0.0; 3]]);
    assert!((fabric.anisotropy - 1.0).abs() < 1e-15);
    assert_eq!(mean_backbone(&chain.contacts(CONTACT_TOLERANCE)), 0.0);
}

fn p4(x: f64) -> f64 {
    (35.0 * x.powi(4) - 30.0 * x * x + 3.0) / 8.0
}

fn p6(x: f64) -> f64 {
    (231.0 * x.powi(6) - 315.0 * x.powi(4) + 105.0 * x * x - 5.0) / 16.0
}

/// The mean of a Legendre polynomial of the cosine over all pairs of directions.
fn legendre_product(a: &[DVec3], b: &[DVec3], p: fn(f64) -> f64) -> f64 {
    let cosines = a.iter().flat_map(|a| b.iter().map(|b| a.dot(*b)));
    cosines.map(p).sum::<f64>() / (a.len() * b.len()).max(1) as f64
}

/// The addition theorem gives the products of q_lm as sums of Legendre polynomials over pairs of neighbours, without
/// spherical harmonics.
#[test]
fn bond_order_agrees_with_the_addition_theorem() {
    for case in &cases()[3..] {
        let mut directions = vec![Vec::new(); case.spheres.len()];
        let mut neighbours = vec![Vec::new(); case.spheres.len()];
        for [i, j] in case.brute_pairs(0.4) {
            let (i, j) = (i as usize, j as usize);
            let n = case.brute_vector(i, j).normalize();
            directions[i].push(n);
            directions[j].push(-n);
            neighbours[i].push(j);
            neighbours[j].push(i);
        }
        let product = |i: usize, j: usize, p: fn(f64) -> f64| {
            legendre_product(&directions[i], &directions[j], p)
        };
        let order = case.bond_order();
        for i in 0..case.spheres.len() {
            assert_eq!(order.neighbours[i] as usize, neighbours[i].len());
            let (q4, q6) = (product(i, i, p4), product(i, i, p6));
            assert!(
                (order.q4[i] - q4.max(0.0).sqrt()).abs() < 1e-7,
                "{} {q4}",
                order.q4[i]
            );
            assert!(
                (order.q6[i] - q6.max(0.0).sqrt()).abs() < 1e-7,
                "{} {q6}",
                order.q6[i]
            );
            let is_crystalline =
                |&&j: &&usize| product(i, j, p6) > 0.7 * (q6 * product(j, j, p6)).sqrt();
            let bonds = neighbours[i].iter().filter(is_crystalline).count();
            let expected = bonds >= 7 && 2 * bonds > neighbours[i].len();
            assert_eq!(order.is_crystal_like[i], expected, "sphere {i}");
        }
    }
}

#[test]
fn lattices_have_their_published_bond_order() {
    let hcp_cell = DVec3::new(1.0, 3_f64.sqrt(), (8.0_f64 / 3.0).sqrt());
    let third = 1.0 / 3.0;
    let hcp = [
        [0.0; 3],
        [0.5, 0.5, 0.0],
        [0.5, 0.5 * third, 0.5],
        [0.0, 2.0 * third, 0.5],
    ];
    let bcc = [[0.0; 3], [0.5; 3]];
    for (case, neighbours, q4, q6) in [
        (fcc(4), 12, 0.190_94, 0.574_52),
        (lattice(hcp_cell, &hcp, 4), 12, 0.097_22, 0.484_76),
        (
            lattice(DVec3::splat(2.0 / 3_f64.sqrt()), &bcc, 4),
            14,
            0.036_37,
            0.510_69,
        ),
        (lattice(DVec3::ONE, &[[0.0; 3]], 5), 6, 0.763_76, 0.353_55),
    ] {
        let order = case.bond_order();
        assert!(order.neighbours.iter().all(|&number| number == neighbours));
        assert!(
            order.q4.iter().all(|q| (q - q4).abs() < 1e-5),
            "{:?}",
            order.q4[0]
        );
        assert!(
            order.q6.iter().all(|q| (q - q6).abs() < 1e-5),
            "{:?}",
            order.q6[0]
        );
        let share = if neighbours >= 7 { 1.0 } else { 0.0 };
        assert_eq!(order.crystal_share(), share);
    }
}

#[test]
fn touching_fcc_has_twelve_contacts_in_no_preferred_direction() {
    let case = fcc(5);
    let contacts = case.contacts(CONTACT_TOLERANCE);
    assert!(contacts.numbers().iter().all(|&number| number == 12));
    assert_eq!((contacts.mean(), mean_backbone(&contacts)), (12.0, 12.0));
    assert!(rattlers(&contacts).iter().all(|&rattler| !rattler));
    assert!(case.fabric(CONTACT_TOLERANCE).anisotropy < 1e-12);
    assert_eq!(case.homogeneity(2), None);
    // The first shell holds 12 spheres at distance 1, the second 6 at the square root of 2.
    let g = case.g(1.5, 30, &[]);
    let volume = case.container.volume();
    let spheres_at = |bin: usize| {
        let shell = 4.0 / 3.0 * PI * (g.edges()[bin + 1].powi(3) - g.edges()[bin].powi(3));
        g.total()[bin] * shell * 499.0 / volume
    };
    let around_one = spheres_at(19) + spheres_at(20);
    assert!((around_one - 12.0).abs() < 1e-9, "{around_one}");
    assert!((spheres_at(28) - 6.0).abs() < 1e-9);
    assert_eq!((g.bins(), g.distances()[0]), (30, 0.025));
}

#[test]
fn random_packings_are_not_crystalline() {
    let share = packed(&[0.5; 1000], "ppp").bond_order().crystal_share();
    assert!(share < 0.1, "{share}");
}

#[test]
fn homogeneity_agrees_with_its_definition() {
    for case in &cases() {
        for cells in HOMOGENEITY_CELLS {
            let logs: Vec<f64> = case
                .spheres
                .radii()
                .iter()
                .map(|radius| radius.ln())
                .collect();
            let count = logs.len() as f64;
            let mean = logs.iter().sum::<f64>() / count;
            let variance = logs.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / count;
            let mut squares = Vec::new();
            for cell in 0..cells.pow(3) {
                let cell = [cell % cells, cell / cells % cells, cell / cells / cells];
                let is_inside = |center: DVec3| {
                    (0..3).all(|axis| {
                        let edge = case.container.lengths()[axis] / cells as f64;
                        (center[axis] / edge).floor() == cell[axis] as f64
                    })
                };
                let inside = case.spheres.centers().iter().zip(&logs);
                let inside: Vec<f64> = inside
                    .filter(|(center, _)| is_inside(**center))
                    .map(|(_, &x)| x)
                    .collect();
                let n = inside.len() as f64;
                if n >= 2.0 {
                    let deviation = inside.iter().sum::<f64>() / n - mean;
                    squares.push(deviation.powi(2) * n * (count - 1.0) / variance / (count - n));
                }
            }
            let found = case.homogeneity(cells);
            if case
                .spheres
                .radii()
                .iter()
                .all(|&r| r == case.spheres.radii()[0])
            {
                assert_eq!(found, None);
            } else if squares.is_empty() {
                assert_eq!(found, None);
            } else {
                let expected = (squares.iter().sum::<f64>() / squares.len() as f64).sqrt();
                assert!(
                    (found.unwrap() - expected).abs() < 1e-9,
                    "{found:?} {expected}"
                );
            }
        }
    }
}

#[test]
fn homogeneity_tells_sorted_from_random() {
    let case = random(8000, 10.0, DVec3::new(3.0, 2.0, 4.0), "ppp", 6);
    for cells in HOMOGENEITY_CELLS {
        // 8 cells are the fewest: their mean square has a standard deviation of 0.5.
        let found = case.homogeneity(cells).unwrap();
        let tolerance = 4.0 * (0.5 / cells.pow(3) as f64).sqrt();
        assert!((found - 1.0).abs() < tolerance, "{cells}: {found}");
    }
    let (mut centers, mut radii) = case.spheres.into_parts();
    centers.sort_by(|a, b| a.x.total_cmp(&b.x));
    radii.sort_by(f64::total_cmp);
    let sorted = Case::new(centers, radii, case.container.lengths(), "ppp");
    for cells in HOMOGENEITY_CELLS {
        let found = sorted.homogeneity(cells).unwrap();
        assert!(found > 3.0, "{cells}: {found}");
    }
}

/// The number of ordered pairs by size class of either end and by bin.
fn brute_histogram(case: &Case, classes: &[usize], r_max: f64, bins: usize) -> Vec<Vec<Vec<f64>>> {
    let mut pairs = vec![vec![vec![0.0; bins]; 4]; 4];
    for i in 0..classes.len() {
        for j in (0..classes.len()).filter(|&j| j != i) {
            let distance = case.brute_vector(i, j).length();
            if distance < r_max {
                let bin = (distance / r_max * bins as f64) as usize;
                pairs[classes[i]][classes[j]][bin] += 1.0;
            }
        }
    }
    pairs
}

#[test]
fn radial_distribution_agrees_with_brute_force() {
    let (limits, bins) = ([0.3, 1.2, 2.0], 17);
    for case in cases().iter().filter(|case| case.letters() == ['p'; 3]) {
        let r_max = 0.5 * case.container.lengths().min_element();
        let g = case.g(r_max, bins, &limits);
        let radii = case.spheres.radii().iter();
        let classes: Vec<usize> = radii
            .map(|r| limits.iter().filter(|limit| **limit <= 2.0 * r).count())
            .collect();
        let members = [0, 1, 2, 3].map(|k| classes.iter().filter(|&&class| class == k).count());
        assert_eq!(g.class_counts(), members);
        let pairs = brute_histogram(case, &classes, r_max, bins);
        let shell = |bin: usize| {
            let [low, high] = [bin, bin + 1].map(|bin| r_max * bin as f64 / bins as f64);
            4.0 / 3.0 * PI * (high.powi(3) - low.powi(3)) / case.container.volume()
        };
        let assert_equals = |found: f64, counted: f64, possible: usize, bin: usize| {
            let expected = counted / (possible as f64 * shell(bin));
            assert!(
                (found - expected).abs() < 1e-9 * (1.0 + expected),
                "{found} {expected}"
            );
        };
        for a in 0..4 {
            for b in 0..4 {
                let possible = members[a] * members[b] - if a == b { members[a] } else { 0 };
                assert_eq!(g.partial(a, b).is_some(), possible > 0);
                for (bin, &found) in g.partial(a, b).unwrap_or_default().iter().enumerate() {
                    assert_equals(found, pairs[a][b][bin], possible, bin);
                }
            }
        }
        let count = classes.len();
        for (bin, &found) in g.total().iter().enumerate() {
            let counted: f64 = pairs.iter().flatten().map(|bins| bins[bin]).sum();
            assert_equals(found, counted, count * (count - 1), bin);
        }
        assert_eq!(g.partial(0, 4), None);
    }
}

#[test]
fn random_points_have_a_flat_radial_distribution() {
    let case = random(4000, 10.0, DVec3::new(3.0, 2.0, 4.0), "ppp", 7);
    let g = case.g(1.0, 10, &[0.6]);
    let counts = g.class_counts();
    for (a, b) in [(0, 0), (0, 1), (1, 1)] {
        for (bin, found) in g.partial(a, b).unwrap().iter().enumerate() {
            let shell = 4.0 / 3.0 * PI * (g.edges()[bin + 1].powi(3) - g.edges()[bin].powi(3));
            let pairs = counts[a] as f64 * counts[b] as f64 * if a == b { 0.5 } else { 1.0 };
            let expected = pairs * shell / 24.0;
            assert!(
                (found - 1.0).abs() < 5.0 / expected.sqrt(),
                "{a} {b} {bin}: {found}"
            );
        }
    }
}

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
fn unsuitable_input_gives_an_error() {
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
        assert!(message.starts_with("sphere 3 has the centre"), "{message}");
    }
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
fn extreme_spheres_are_analysed_without_a_panic() {
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

fn dense(effort: Effort) -> Case {
    let options = PackOptions::default().effort(effort);
    let packing = pack(&[0.5; 4000], &options).unwrap().packing;
    Case {
        spheres: packing.spheres,
        container: packing.container,
    }
}

#[test]
#[ignore = "prints the table of `CONTACT_TOLERANCE`"]
fn contact_numbers() {
    for effort in [PackOptions::default().effort, Effort::THOROUGH] {
        let case = dense(effort);
        for tolerance in [1e-4, 1e-3, 3e-3, 1e-2] {
            let contacts = case.contacts(tolerance);
            let count = rattlers(&contacts)
                .iter()
                .filter(|&&rattler| rattler)
                .count();
            println!(
                "{effort:?}, tolerance {tolerance}: mean {:.2}, rattlers {:.1} %",
                contacts.mean(),
                count as f64 / 40.0
            );
        }
    }
}

#[test]
#[ignore = "prints the measurement that chose `CRYSTAL_BOND`"]
fn crystalline_bonds() {
    let case = dense(PackOptions::default().effort);
    let contacts = case.contacts(0.4);
    let directions: Vec<Vec<DVec3>> = (0..4000)
        .map(|i| {
            let neighbours = contacts.of(i as u32).iter();
            neighbours
                .map(|&j| case.brute_vector(i, j as usize).normalize())
                .collect()
        })
        .collect();
    let product = |i: usize, j: usize| legendre_product(&directions[i], &directions[j], p6);
    for threshold in [0.5, 0.7] {
        let mut bonds = vec![0; 4000];
        for [i, j] in contacts
            .pairs()
            .iter()
            .map(|pair| pair.map(|id| id as usize))
        {
            if product(i, j) > threshold * (product(i, i) * product(j, j)).sqrt() {
                bonds[i] += 1;
                bonds[j] += 1;
            }
        }
        let share = bonds.iter().filter(|&&bonds| bonds >= 7).count() as f64 / 40.0;
        println!("threshold {threshold}: {share:.1} % of the spheres have 7 crystalline bonds");
    }
}
