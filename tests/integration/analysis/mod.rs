//! Structure analysis against brute force over all pairs and all 27 images, known lattices and random points.

mod bond_order;
mod contacts;
mod forces;
mod input;
mod mixing;
mod neighbors;
mod profiles;
mod shells;
mod summary;
#[cfg(feature = "files")]
mod tables;
mod tessellation;

use glam::DVec3;
use jostle::{
    Boundaries, Container, Effort, PackOptions, Spheres,
    analysis::{BondOrder, Contacts, Fabric, RadialDistribution, homogeneity},
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
        .container(boundary.parse::<Boundaries>().unwrap());
    let packing = pack(radii, &options).unwrap().packing;
    Case {
        spheres: packing.spheres().clone(),
        container: packing.container().clone(),
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
