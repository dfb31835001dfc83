//! Contacts that bear force, from the walls to the core.

use serde::Serialize;

use super::{constants::MOST_CONTACT_BINS, force_contacts::ForceContacts};
use crate::packing::Packing;

/// Mean number of contacts of a sphere of the backbone against the distance of its center from the nearest wall or body.
///
/// A contact with a wall counts twice: it holds one sphere, but a contact of two spheres holds both. With this count, an isostatic packing has
/// six contacts at the walls as in its core.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ContactProfile {
    /// Middle of each bin, in the caller's unit. Bins are as wide as the mean diameter or wider.
    pub distance: Vec<f64>,
    /// Number of spheres of the backbone in each bin.
    pub spheres: Vec<usize>,
    /// Mean number of contacts of these spheres; 0 without spheres.
    pub contacts: Vec<f64>,
    /// Standard error of the mean; 0 with fewer than two spheres.
    pub standard_error: Vec<f64>,
}

impl ContactProfile {
    /// Returns the profile; `None` without walls and bodies, or without a backbone.
    pub(super) fn new(
        packing: &Packing,
        contacts: &ForceContacts,
        backbone: &[usize],
    ) -> Option<Self> {
        let (spheres, container) = (packing.spheres(), packing.container());
        let depth = |&id: &usize| {
            let center = container.wrap(spheres.centers()[id]);
            container.wall_gap(center, 0.0).max(0.0)
        };
        let depths: Vec<f64> = backbone.iter().map(depth).collect();
        let largest = depths.iter().copied().fold(0.0, f64::max);
        if !(largest > 0.0 && largest.is_finite()) {
            return None;
        }
        let diameters = backbone.iter().map(|&id| 2.0 * spheres.radii()[id]);
        let mean = diameters.sum::<f64>() / backbone.len() as f64;
        let bins = ((largest / mean) as usize).clamp(1, MOST_CONTACT_BINS);
        let width = largest / bins as f64;
        // Sums of 1, of the contacts and of their squares.
        let mut sums = vec![[0.0; 3]; bins];
        for (&id, depth) in backbone.iter().zip(depths) {
            let number = f64::from(contacts.with_spheres[id] + 2 * contacts.with_walls[id]);
            let sums = &mut sums[((depth / width) as usize).min(bins - 1)];
            for (sum, value) in sums.iter_mut().zip([1.0, number, number * number]) {
                *sum += value;
            }
        }
        let mean = |[count, sum, _]: &[f64; 3]| sum / count.max(1.0);
        let error = |sums: &[f64; 3]| {
            let [count, _, squares] = *sums;
            let variance = (squares - count * mean(sums) * mean(sums)).max(0.0);
            (variance / ((count - 1.0).max(1.0) * count.max(1.0))).sqrt()
        };
        Some(Self {
            distance: (0..bins).map(|bin| (bin as f64 + 0.5) * width).collect(),
            spheres: sums.iter().map(|[count, ..]| *count as usize).collect(),
            contacts: sums.iter().map(mean).collect(),
            standard_error: sums.iter().map(error).collect(),
        })
    }
}
