//! The components of a blend: their shares, their contacts and their mixing.

use serde::Serialize;

use super::{
    constants::{HOMOGENEITY_CELLS, WITHOUT_COMPONENT},
    contacts::Contacts,
    homogeneity::{cell_of, cells},
    scene::Scene,
};
use crate::packing::{PackedComponent, Packing};

/// A component of a blend in a packing.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ComponentSummary {
    /// The name of the component.
    pub label: String,
    /// The density of its spheres; absent if all components have one density.
    pub density: Option<f64>,
    /// Number of spheres.
    pub number: u64,
    /// Share of the number of all spheres with a component.
    pub number_share: f64,
    /// Share of their volume.
    pub volume_share: f64,
    /// Share of their mass.
    pub mass_share: f64,
    /// Mean number of contacts that a sphere of this component has with spheres of each component, in their order; 0 without spheres.
    pub contacts: Vec<f64>,
    /// Spatial mixing of the component with the others, for several numbers of cells.
    pub mixing: Vec<MixingIndex>,
}

/// Lacey's mixing index of a component.
///
/// The bounding box is divided into `cells_per_axis`³ equal cells, the square of this number in the plane, and a sphere belongs to the cell of its center. Of N spheres, a share p
/// belongs to the component; of the n spheres in a cell, a share x. Then s² = Σ n (x − p)² / N has the value s₀² = p (1 − p) if the
/// component is separated from the others. If components are assigned to the positions of the spheres at random, s² has the expectation
/// s_r² = p (1 − p) (K − 1) / (N − 1), where K cells have spheres. The index is (s₀² − s²) / (s₀² − s_r²): 0 for separated
/// components, 1 for random ones on average. Spheres without a component are ignored.
///
/// Large spheres leave no room for others in their cells. Where cells are not much larger than the largest sphere, the index deviates
/// from 1 for that reason alone.
///
/// # Reference
/// P. M. C. Lacey, Developments in the theory of particle mixing, J. Appl. Chem. 4 (1954) 257,
/// [doi:10.1002/jctb.5010040504](https://doi.org/10.1002/jctb.5010040504): the index, for samples of equal numbers of particles. Here
/// cells with different numbers of spheres are weighted by these numbers, and s_r² is the variance of drawing without replacement.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct MixingIndex {
    /// Number of cells along each axis.
    pub cells_per_axis: usize,
    /// The index; absent if the component has no or all spheres, or if each sphere has a cell of its own.
    pub index: Option<f64>,
}

/// Returns the group of each sphere of a packing: the position of its component, or [`WITHOUT_COMPONENT`].
pub(super) fn groups(packing: &Packing) -> Vec<u32> {
    let ids = packing.component_ids().into_iter();
    ids.map(|id| id.unwrap_or(WITHOUT_COMPONENT)).collect()
}

/// Returns the summary of each component. The groups of the scene are those of [`groups`].
pub(super) fn summaries(
    scene: &Scene,
    components: &[PackedComponent],
    contacts: &Contacts,
) -> Vec<ComponentSummary> {
    let count = components.len();
    if count == 0 {
        return Vec::new();
    }
    let own = || scene.own.clone().map(|id| (scene.groups[id] as usize, id));
    let mut numbers = vec![0_u64; count];
    for (group, _) in own() {
        if let Some(number) = numbers.get_mut(group) {
            *number += 1;
        }
    }
    let numbers = scene.ranks.totals(numbers);
    let largest = scene.largest_radius();
    // In units of the largest radius no power overflows.
    let volumes = scene.ranks.sums_in_turn(count, |volumes| {
        for (group, id) in own().filter(|(group, _)| *group < count) {
            volumes[group] += scene.dimension().power(scene.radii[id] / largest);
        }
    });
    let density = |component: &PackedComponent| component.density.unwrap_or(1.0);
    let masses = components.iter().zip(&volumes);
    let masses: Vec<f64> = masses.map(|(own, volume)| density(own) * volume).collect();
    let pairs = pairs_by_group(scene, contacts, count);
    let all: u64 = numbers.iter().sum();
    let share = |values: &[f64], k: usize| {
        let total: f64 = values.iter().sum();
        if total > 0.0 { values[k] / total } else { 0.0 }
    };
    let mixing: Vec<Vec<MixingIndex>> = HOMOGENEITY_CELLS
        .iter()
        .map(|&cells_per_axis| mixing_indexes(scene, &numbers, cells_per_axis))
        .collect();
    let summary = |(k, component): (usize, &PackedComponent)| ComponentSummary {
        label: component.label.clone(),
        density: component.density,
        number: numbers[k],
        number_share: numbers[k] as f64 / all.max(1) as f64,
        volume_share: share(&volumes, k),
        mass_share: share(&masses, k),
        contacts: (pairs[k * count..(k + 1) * count].iter())
            .map(|&pairs| pairs as f64 / numbers[k].max(1) as f64)
            .collect(),
        mixing: mixing.iter().map(|of_cells| of_cells[k]).collect(),
    };
    components.iter().enumerate().map(summary).collect()
}

/// Returns the numbers of contacts from spheres of each of `count` groups to spheres of each group, row by row.
fn pairs_by_group(scene: &Scene, contacts: &Contacts, count: usize) -> Vec<u64> {
    let mut pairs = vec![0_u64; count * count];
    for pair in contacts.pairs() {
        let [a, b] = pair.map(|id| scene.groups[id as usize] as usize);
        if a < count && b < count {
            pairs[a * count + b] += 1;
            pairs[b * count + a] += 1;
        }
    }
    scene.ranks.totals(pairs)
}

/// Returns the mixing index of each group, of which `numbers` has the numbers of spheres.
fn mixing_indexes(scene: &Scene, numbers: &[u64], cells_per_axis: usize) -> Vec<MixingIndex> {
    let count = numbers.len();
    let mut in_cells = vec![0_u64; cells(scene, cells_per_axis) * count];
    for id in scene.own.clone() {
        let group = scene.groups[id] as usize;
        if group < count {
            in_cells[cell_of(scene, cells_per_axis, scene.centers[id]) * count + group] += 1;
        }
    }
    let in_cells = scene.ranks.totals(in_cells);
    let all = numbers.iter().sum::<u64>() as f64;
    let is_used = |cell: &&[u64]| cell.iter().any(|&number| number > 0);
    let cells: Vec<&[u64]> = in_cells.chunks_exact(count).filter(is_used).collect();
    // Relative to the variance of separated components.
    let random = (cells.len() as f64 - 1.0) / (all - 1.0);
    let index = |group: usize| {
        let p = numbers[group] as f64 / all;
        let square = |cell: &&[u64]| {
            let n = cell.iter().sum::<u64>() as f64;
            let x = cell[group] as f64 / n;
            n * (x - p) * (x - p) / all
        };
        let actual = cells.iter().map(square).sum::<f64>() / (p * (1.0 - p));
        Some((1.0 - actual) / (1.0 - random)).filter(|index| index.is_finite())
    };
    (0..count)
        .map(|group| MixingIndex {
            cells_per_axis,
            index: index(group),
        })
        .collect()
}
