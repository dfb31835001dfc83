//! Networks of forces against networks with known forces, and against sums over all spheres.

use std::f64::consts::SQRT_2;

use glam::DVec3;
use jostle::{
    Boundary, Container, Packing, Spheres,
    analysis::{
        Analysis, AnalysisOptions, ContactTable, Contacts, ForceContacts, ForceNetwork, SphereTable,
    },
    packing::{ContactForces, WallForce},
};

use super::{Case, fcc, lattice};

fn network(packing: &Packing) -> ForceNetwork {
    ForceNetwork::new(packing).unwrap().unwrap()
}

fn wall(sphere: u32, normal: DVec3, force: f64) -> WallForce {
    WallForce {
        sphere,
        normal: normal.to_array(),
        force,
    }
}

/// Returns a crystal of equal spheres whose twelve neighbors press with the force of `force`, given the direction of the contact.
fn crystal(cells: usize, force: impl Fn(DVec3) -> f64) -> Packing {
    let case = fcc(cells);
    let pairs = case.brute_pairs(1e-6);
    let of_pairs = pairs.iter().map(|&[i, j]| {
        let vector = case.brute_vector(i as usize, j as usize);
        force(vector.normalize())
    });
    let forces = ContactForces::new(pairs.clone(), of_pairs.collect(), Vec::new()).unwrap();
    let packing = Packing::new(case.spheres, case.container);
    packing.with_forces(forces).unwrap()
}

#[test]
fn a_crystal_under_equal_forces_has_an_isotropic_stress() {
    // Each sphere has the volume 1 / √2, and half of twelve contacts with branch vectors of length 1. The pressure 1 takes the force f with
    // 6 f / 3 = 1 / √2.
    let packing = crystal(3, |_| 0.5 / SQRT_2);
    let network = network(&packing);
    let count = packing.spheres().len();
    assert_eq!((network.backbone, network.rattlers), (count, 0));
    assert_eq!((network.pairs, network.walls), (6 * count, 0));
    assert_eq!(network.mean, 12.0);
    assert_eq!(network.by_class, [[12.0]]);
    assert_eq!(network.distribution[12], 1.0);
    for (row, values) in network.stress.tensor.iter().enumerate() {
        for (column, value) in values.iter().enumerate() {
            let expected = f64::from(u8::from(row == column));
            assert!((value - expected).abs() < 1e-12, "{row}, {column}: {value}");
        }
    }
    assert!((network.stress.pressure - 1.0).abs() < 1e-12);
    assert!(network.stress.anisotropy < 1e-12);
    assert_eq!(network.maxwell.degrees_of_freedom, 3 * count - 3 + 1);
    assert_eq!(network.maxwell.excess, 3 * count as i64 + 2);
    assert!((network.forces.mean - 0.5 / SQRT_2).abs() < 1e-12);
    // All forces are in one bin, and no pair is near without force: the next neighbors are at √2.
    let filled = network
        .forces
        .density
        .iter()
        .filter(|density| **density > 0.0);
    assert_eq!(filled.count(), 1);
    assert!(network.gaps.neighbors.iter().all(|&number| number == 0.0));
    assert!(network.gaps.exponent.is_none() && network.depth.is_none());
}

#[test]
fn forces_along_an_axis_make_the_stress_anisotropic() {
    // Contacts in the plane across z bear no force: each sphere has eight contacts with n_z² = 1 / 2 and n_x² = n_y² = 1 / 4 on average.
    let packing = crystal(2, |n| if n.z.abs() > 0.1 { 1.0 } else { 0.0 });
    let network = network(&packing);
    assert_eq!(network.mean, 8.0);
    let [x, y, z] = [0, 1, 2].map(|axis| network.stress.tensor[axis][axis]);
    // Four contacts for each sphere of the volume 1 / √2.
    assert!((z - 2.0 * SQRT_2).abs() < 1e-12 && (x - SQRT_2).abs() < 1e-12);
    assert_eq!(x, y);
    // The deviator has the diagonal −1/3, −1/3, 2/3 times √2, and the mean is 4/3 √2.
    assert!((network.stress.anisotropy - 0.75).abs() < 1e-12);
    // The four neighbors without force are within any gap.
    assert!(
        network
            .gaps
            .neighbors
            .iter()
            .rev()
            .take(20)
            .all(|&number| (number - 4.0).abs() < 1e-12)
    );
}

/// Returns three spheres of the diameters 1, 2 and 1 in a row between two walls, a force of 3 along the row, and a sphere that nothing holds.
fn row() -> Packing {
    let container = Container::cuboid(DVec3::new(4.0, 5.0, 5.0), "wpp".parse().unwrap()).unwrap();
    let centers = [0.5, 2.0, 3.5].map(|x| DVec3::new(x, 1.0, 1.0));
    let mut centers = centers.to_vec();
    centers.push(DVec3::new(2.0, 3.5, 3.5));
    let spheres = Spheres::new(centers, vec![0.5, 1.0, 0.5, 0.5]);
    let walls = vec![wall(0, DVec3::NEG_X, 3.0), wall(2, DVec3::X, 3.0)];
    let forces = ContactForces::new(vec![[0, 1], [1, 2]], vec![3.0; 2], walls).unwrap();
    Packing::new(spheres, container)
        .with_forces(forces)
        .unwrap()
}

#[test]
fn a_row_between_walls_carries_one_force() {
    let packing = row();
    let network = network(&packing);
    assert_eq!((network.backbone, network.rattlers), (3, 1));
    assert_eq!(network.rattlers_by_class, [1, 0]);
    assert_eq!((network.pairs, network.walls), (2, 2));
    assert_eq!(network.by_class, [[0.0, 1.0], [2.0, 0.0]]);
    assert_eq!(network.distribution[2], 1.0);
    // The wall of 25 units of area carries the force 3.
    let stress = network.stress;
    assert!((stress.tensor[0][0] - 3.0 / 25.0).abs() < 1e-15);
    assert_eq!(stress.tensor[1], [0.0; 3]);
    assert!((stress.anisotropy - 3.0).abs() < 1e-12);
    // Nine coordinates and the size of the box, without translations along two axes.
    assert_eq!(network.maxwell.degrees_of_freedom, 8);
    assert_eq!(network.maxwell.excess, -4);
    // A contact with a wall counts twice: the ends have 1 + 2 contacts, and the middle one has 2.
    let depth = network.depth.unwrap();
    assert_eq!((depth.distance, depth.spheres), (vec![1.0], vec![3]));
    assert_eq!(depth.contacts, [8.0 / 3.0]);
    assert!((depth.standard_error[0] - 1.0 / 3.0).abs() < 1e-12);
}

#[test]
fn tables_have_the_forces() {
    let packing = row();
    let (spheres, container) = (packing.spheres(), packing.container());
    let contacts = Contacts::new(spheres, container, 1e-6).unwrap();
    let table = ContactTable::new(spheres, container, &contacts).unwrap();
    assert_eq!(table.of_pairs.forces, None);
    let table = table
        .with_forces(spheres, container, packing.forces().unwrap())
        .unwrap();
    assert_eq!(table.of_pairs.forces, Some(vec![3.0; 2]));
    assert_eq!(table.at_walls, [0, 2]);
    assert_eq!(table.of_walls.forces, Some(vec![3.0; 2]));
    let bearing = ForceContacts::new(&packing).unwrap();
    let of_spheres = SphereTable::new(spheres, container, &contacts).unwrap();
    assert_eq!(of_spheres.forces, None);
    let forces = of_spheres.with_forces(bearing.clone()).forces.unwrap();
    assert_eq!(forces, bearing);
    assert_eq!(
        (0..4).map(|id| bearing.of(id)).collect::<Vec<_>>(),
        [2, 2, 2, 0]
    );
    assert_eq!(bearing.is_rattler, [false, false, false, true]);
    // Without forces, neither contacts nor an analysis of the network.
    let bare = Packing::new(spheres.clone(), container.clone());
    assert_eq!(ForceContacts::new(&bare), None);
    let analysis = Analysis::new(&bare, &AnalysisOptions::default().points(0)).unwrap();
    assert_eq!(analysis.force_network, None);
    let json = serde_json::to_value(&analysis).unwrap();
    assert!(json.get("force_network").is_none());
    let analysis = Analysis::new(&packing, &AnalysisOptions::default().points(0)).unwrap();
    let json = serde_json::to_value(&analysis).unwrap();
    assert_eq!(json["force_network"]["maxwell"]["contacts"], 4);
}

#[test]
fn a_sphere_in_a_corner_has_a_row_for_each_wall() {
    // In the lower corner of a cylinder, and beside it a sphere that touches the bottom without force.
    let container = Container::cylinder(6.0, 4.0, Boundary::Wall).unwrap();
    let gap = 1e-7;
    let centers = vec![
        DVec3::new(5.0 - gap, 3.0, 1.0 + 3.0 * gap),
        DVec3::new(3.0, 3.0, 1.0),
    ];
    let packing = Packing::new(Spheres::new(centers, vec![1.0; 2]), container);
    let walls = vec![wall(0, DVec3::X, 2.0), wall(0, DVec3::NEG_Z, 5.0)];
    let packing = packing
        .with_forces(ContactForces::new(vec![[0, 1]], vec![2.0], walls).unwrap())
        .unwrap();
    let (spheres, container) = (packing.spheres(), packing.container());
    let contacts = Contacts::new(spheres, container, 1e-4).unwrap();
    let table = ContactTable::new(spheres, container, &contacts).unwrap();
    assert_eq!(table.at_walls, [0, 1]);
    let table = table
        .with_forces(spheres, container, packing.forces().unwrap())
        .unwrap();
    assert_eq!(table.at_walls, [0, 0, 1]);
    assert_eq!(table.of_walls.forces, Some(vec![2.0, 5.0, 0.0]));
    assert_eq!(
        table.of_walls.normals,
        [DVec3::X, DVec3::NEG_Z, DVec3::NEG_Z]
    );
    for (found, expected) in table.of_walls.gaps.iter().zip([gap, 3.0 * gap, 0.0]) {
        assert!(
            (found - expected).abs() < 1e-14,
            "{found} instead of {expected}"
        );
    }
    // A cylinder may rotate about its axis.
    assert_eq!(network(&packing).maxwell.degrees_of_freedom, 3 * 2 + 1 - 1);
}

#[test]
fn fixed_spheres_hold_others_and_are_no_rattlers() {
    let container = Container::cuboid(DVec3::splat(8.0), "ppp".parse().unwrap()).unwrap();
    let centers = [2.0, 3.0, 4.0, 6.5].map(|x| DVec3::new(x, 4.0, 4.0));
    let spheres = Spheres::new(
        [centers[1], centers[0], centers[2], centers[3]].to_vec(),
        vec![0.5; 4],
    );
    let forces = ContactForces::new(vec![[0, 1], [0, 2]], vec![1.0; 2], Vec::new()).unwrap();
    let packing = Packing::new(spheres, container)
        .with_fixed(3)
        .with_forces(forces)
        .unwrap();
    let network = network(&packing);
    assert_eq!((network.backbone, network.rattlers), (3, 0));
    // The fixed spheres prevent translations.
    assert_eq!(network.maxwell.degrees_of_freedom, 3 + 1);
    assert_eq!(network.mean, 4.0 / 3.0);
}

#[test]
fn small_gaps_and_stress_follow_from_all_pairs() {
    let case = Case::jittered();
    let touching = case.brute_pairs(0.04);
    // Any forces will do; every seventh pair bears none.
    let force = |k: usize| {
        if k.is_multiple_of(7) {
            0.0
        } else {
            1.0 + (k % 5) as f64
        }
    };
    let of_pairs: Vec<f64> = (0..touching.len()).map(force).collect();
    let forces = ContactForces::new(touching.clone(), of_pairs.clone(), Vec::new()).unwrap();
    let packing = Packing::new(case.spheres.clone(), case.container.clone())
        .with_forces(forces)
        .unwrap();
    let network = network(&packing);
    let mut bears = vec![false; case.spheres.len()];
    let mut stress = [[0.0; 3]; 3];
    for (&[i, j], &force) in touching
        .iter()
        .zip(&of_pairs)
        .filter(|(_, force)| **force > 0.0)
    {
        let (i, j) = (i as usize, j as usize);
        (bears[i], bears[j]) = (true, true);
        let branch = case.brute_vector(i, j);
        for (row, values) in stress.iter_mut().enumerate() {
            for (column, value) in values.iter_mut().enumerate() {
                *value += force * branch[row] * branch[column] / branch.length();
            }
        }
    }
    for (found, sum) in network
        .stress
        .tensor
        .iter()
        .flatten()
        .zip(stress.iter().flatten())
    {
        let expected = sum / case.container.volume();
        assert!((found - expected).abs() < 1e-12 * (1.0 + expected.abs()));
    }
    let backbone = bears.iter().filter(|&&bears| bears).count();
    assert_eq!(network.backbone, backbone);
    let gaps = network.gaps.relative.iter().zip(&network.gaps.neighbors);
    for (limit, found) in gaps.rev().step_by(5).take(6) {
        let near = case.brute_pairs(*limit).into_iter().filter(|pair| {
            let bears = pair.iter().all(|&id| bears[id as usize]);
            let force = touching.binary_search(pair).map_or(0.0, |k| of_pairs[k]);
            bears && force == 0.0
        });
        let expected = 2.0 * near.count() as f64 / backbone as f64;
        assert!(
            (found - expected).abs() < 1e-12,
            "{limit}: {found} instead of {expected}"
        );
    }
}

impl Case {
    /// Returns a simple cubic lattice whose spheres are shifted a little, without overlap.
    fn jittered() -> Self {
        let mut case = lattice(DVec3::splat(1.05), &[[0.5; 3]], 6);
        let mut state = 1_u64;
        let centers = case.spheres.centers().iter().map(|&center| {
            let shift = [0; 3].map(|_| {
                state = state
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1);
                ((state >> 40) as f64 / (1_u64 << 24) as f64 - 0.5) * 0.05
            });
            center + DVec3::from(shift)
        });
        let centers: Vec<DVec3> = centers.collect();
        case.spheres = Spheres::new(centers, case.spheres.radii().to_vec());
        case
    }
}
