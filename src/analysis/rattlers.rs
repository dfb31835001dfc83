//! Rattlers: spheres that their contacts cannot hold.

use super::{constants::FEWEST_SUPPORTS, contacts::Contacts};

/// Returns for each sphere whether it is a rattler.
///
/// A rattler has fewer than four contacts with spheres that are no rattlers. A contact with the walls counts as one. The
/// definition is applied until no further rattler is found; the result does not depend on the order. It is a condition
/// on the number of contacts only: four contacts on one half of a sphere do not hold it either.
///
/// # Cost
/// O(N + contacts), on one thread.
///
/// # Reference
/// C. S. O'Hern, L. E. Silbert, A. J. Liu & S. R. Nagel, Jamming at zero temperature and zero applied stress: the epitome
/// of disorder, Phys. Rev. E 68 (2003) 011306,
/// [doi:10.1103/PhysRevE.68.011306](https://doi.org/10.1103/PhysRevE.68.011306).
pub fn rattlers(contacts: &Contacts) -> Vec<bool> {
    let mut supports = contacts.numbers();
    for (number, walls) in supports.iter_mut().zip(contacts.wall_contacts()) {
        *number += walls;
    }
    let mut is_rattler: Vec<bool> = supports
        .iter()
        .map(|&number| number < FEWEST_SUPPORTS)
        .collect();
    let mut pending: Vec<u32> = (0..contacts.len() as u32)
        .filter(|&id| is_rattler[id as usize])
        .collect();
    while let Some(rattler) = pending.pop() {
        for &id in contacts.of(rattler) {
            let other = id as usize;
            supports[other] -= 1;
            if supports[other] < FEWEST_SUPPORTS && !is_rattler[other] {
                is_rattler[other] = true;
                pending.push(id);
            }
        }
    }
    is_rattler
}

/// Returns the mean contact number of the spheres that are no [`rattlers`](fn@rattlers), counting their contacts with each other only.
///
/// Walls are not counted. The result is 0 if every sphere is a rattler. Frictionless jammed packings have 6 without walls
/// (O'Hern et al. 2003).
///
/// # Cost
/// O(N + contacts), on one thread.
pub fn mean_backbone(contacts: &Contacts) -> f64 {
    let is_rattler = rattlers(contacts);
    let spheres = is_rattler.iter().filter(|&&rattler| !rattler).count();
    if spheres == 0 {
        return 0.0;
    }
    let is_backbone = |pair: &&[u32; 2]| pair.iter().all(|&id| !is_rattler[id as usize]);
    let pairs = contacts.pairs().iter().filter(is_backbone).count();
    2.0 * pairs as f64 / spheres as f64
}
