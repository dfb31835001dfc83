//! Rattlers: spheres that their contacts cannot hold.

use std::ops::Range;

use super::{contacts::Contacts, scene::Scene};

/// Returns for each sphere whether it is a rattler.
///
/// A rattler has fewer than four contacts, or three in the plane, with spheres that are no rattlers. A contact with the walls counts as one. The
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
    let mut supports = Supports::new(contacts, 0..contacts.len());
    supports.remove(contacts);
    supports.is_rattler
}

/// Returns for each sphere of a scene whether it is a rattler.
pub(super) fn rattlers_of(scene: &Scene, contacts: &Contacts) -> Vec<bool> {
    let mut supports = Supports::new(contacts, scene.own.clone());
    loop {
        supports.remove(contacts);
        let own = &supports.is_rattler[scene.own.clone()];
        let all: Vec<u8> = scene.with_copies(own.iter().map(|&is| is.into()).collect());
        let found = supports.mark(&all);
        if scene.ranks.total(found) == 0 {
            return supports.is_rattler;
        }
    }
}

/// The contacts of spheres that can still hold them.
struct Supports {
    /// Number of contacts with walls and with spheres that are not known to be rattlers. Other ranks count those of copies.
    numbers: Vec<u32>,
    is_rattler: Vec<bool>,
    /// Rattlers that still count as supports of their neighbors.
    pending: Vec<u32>,
    own: Range<usize>,
}

impl Supports {
    fn new(contacts: &Contacts, own: Range<usize>) -> Self {
        let mut numbers = contacts.numbers();
        for (number, walls) in numbers.iter_mut().zip(contacts.wall_contacts()) {
            *number += walls;
        }
        let mut is_rattler = vec![false; contacts.len()];
        for id in own.clone() {
            is_rattler[id] = numbers[id] < contacts.fewest_supports();
        }
        let pending = own.clone().filter(|&id| is_rattler[id]);
        Self {
            pending: pending.map(|id| id as u32).collect(),
            numbers,
            is_rattler,
            own,
        }
    }

    /// Lowers the numbers of the neighbors of pending rattlers. A neighbor that becomes a rattler is pending next.
    fn remove(&mut self, contacts: &Contacts) {
        while let Some(rattler) = self.pending.pop() {
            for &id in contacts.of(rattler) {
                let other = id as usize;
                if !self.own.contains(&other) {
                    continue;
                }
                self.numbers[other] -= 1;
                if self.numbers[other] < contacts.fewest_supports() && !self.is_rattler[other] {
                    self.is_rattler[other] = true;
                    self.pending.push(id);
                }
            }
        }
    }

    /// Takes over the rattlers of other ranks. Returns the number of new ones.
    fn mark(&mut self, is_rattler: &[u8]) -> usize {
        let before = self.pending.len();
        for (id, &is) in is_rattler.iter().enumerate() {
            if is == 1 && !self.is_rattler[id] {
                self.is_rattler[id] = true;
                self.pending.push(id as u32);
            }
        }
        self.pending.len() - before
    }
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
    let [spheres, pairs] = backbone(contacts, &is_rattler, 0..contacts.len());
    mean_of(spheres, pairs)
}

/// Returns the numbers of those among some spheres that are no rattlers, and of their contacts with each other, each counted at its first
/// sphere.
pub(super) fn backbone(contacts: &Contacts, is_rattler: &[bool], own: Range<usize>) -> [u64; 2] {
    let spheres = is_rattler[own].iter().filter(|&&rattler| !rattler).count();
    let is_backbone = |pair: &&[u32; 2]| pair.iter().all(|&id| !is_rattler[id as usize]);
    let pairs = contacts.pairs().iter().filter(is_backbone).count();
    [spheres as u64, pairs as u64]
}

/// Returns the mean contact number of spheres with a number of pairs; 0 without spheres.
pub(super) fn mean_of(spheres: u64, pairs: u64) -> f64 {
    if spheres == 0 {
        return 0.0;
    }
    2.0 * pairs as f64 / spheres as f64
}
