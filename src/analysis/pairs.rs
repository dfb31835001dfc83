//! Pairs of close spheres, found through a global index.

use std::ops::Range;

use glam::DVec3;
use rayon::prelude::*;

use super::{
    constants::{PROBE_MARGIN, TASK},
    error::AnalysisError,
};
use crate::{
    container::Container,
    index::{Entry, GlobalIndex, IndexBuilder, IndexKind},
    spheres::Spheres,
};

/// Returns the centres, wrapped into the container.
///
/// # Errors
/// [`AnalysisError`] if a centre or a radius is not accepted, or if there are too many spheres.
pub(super) fn checked_centers(
    spheres: &Spheres,
    container: &Container,
) -> Result<Vec<DVec3>, AnalysisError> {
    let (count, lengths) = (spheres.len(), container.lengths());
    if u32::try_from(count).is_err() {
        return Err(AnalysisError::TooManySpheres { spheres: count });
    }
    let mut centers = Vec::with_capacity(count);
    for (id, (center, radius)) in spheres.iter().enumerate() {
        if !(radius > 0.0 && radius.is_finite()) {
            return Err(AnalysisError::Radius { id, radius });
        }
        let wrapped = container.wrap(center);
        let is_inside = wrapped.cmpge(DVec3::ZERO).all() && wrapped.cmple(lengths).all();
        if !(center.is_finite() && is_inside) {
            return Err(AnalysisError::Center { id, center });
        }
        centers.push(wrapped);
    }
    Ok(centers)
}

/// Spheres in a global index, each enlarged so that close spheres intersect.
pub(super) struct Search {
    index: Box<dyn GlobalIndex>,
    entries: Vec<Entry>,
}

impl Search {
    /// Builds the index. It finds every pair whose distance is at most the sum of `reach` of both. The centres are those
    /// of [`checked_centers`].
    pub(super) fn new(
        centers: &[DVec3],
        container: &Container,
        reach: impl Fn(usize) -> f64,
    ) -> Self {
        // No minimum-image distance exceeds √3 of the longest length, so a longer reach finds no further pair.
        let longest = (2.0 * container.lengths().max_element()).min(f64::MAX);
        let entries: Vec<Entry> = centers
            .iter()
            .enumerate()
            .map(|(id, &center)| Entry {
                center,
                radius: (reach(id) * (1.0 + PROBE_MARGIN)).min(longest),
                id: id as u32,
            })
            .collect();
        let index = IndexKind::default().build(container, &entries);
        Self { index, entries }
    }

    /// Returns the ranges of spheres that one task each searches.
    pub(super) fn tasks(&self) -> impl IndexedParallelIterator<Item = Range<usize>> + use<> {
        let count = self.entries.len();
        (0..count.div_ceil(TASK))
            .into_par_iter()
            .map(move |task| task * TASK..((task + 1) * TASK).min(count))
    }

    /// Passes every other sphere within reach of sphere `id` to `visit`, in any order. Spheres out of reach may be among them.
    pub(super) fn visit(&self, id: usize, mut visit: impl FnMut(usize)) {
        let Entry { center, radius, .. } = self.entries[id];
        self.index.visit_candidates(center, radius, &mut |others| {
            for &other in others {
                if other as usize != id {
                    visit(other as usize);
                }
            }
        });
    }
}

/// For each sphere, the ids of the spheres near it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Adjacency {
    /// Start of the ids of each sphere, and the end of the last ones.
    starts: Vec<usize>,
    /// Increasing within each sphere.
    ids: Vec<u32>,
}

impl Adjacency {
    /// Returns the spheres whose gap is at most `tolerance` smaller diameters. The centres are those of [`checked_centers`].
    pub(super) fn new(
        centers: &[DVec3],
        radii: &[f64],
        container: &Container,
        tolerance: f64,
    ) -> Self {
        // The smaller diameter is at most the sum of the radii.
        let search = Search::new(centers, container, |id| radii[id] * (1.0 + tolerance));
        let is_near = |i: usize, j: usize| {
            let distance = container.displacement(centers[i], centers[j]).length();
            distance - (radii[i] + radii[j]) <= tolerance * 2.0 * radii[i].min(radii[j])
        };
        let parts: Vec<(Vec<usize>, Vec<u32>)> = search
            .tasks()
            .map(|spheres| {
                let (mut counts, mut ids) = (Vec::with_capacity(spheres.len()), Vec::new());
                for i in spheres {
                    let start = ids.len();
                    search.visit(i, |j| {
                        if is_near(i, j) {
                            ids.push(j as u32);
                        }
                    });
                    ids[start..].sort_unstable();
                    counts.push(ids.len() - start);
                }
                (counts, ids)
            })
            .collect();
        let mut adjacency = Self {
            starts: vec![0],
            ids: Vec::with_capacity(parts.iter().map(|(_, ids)| ids.len()).sum()),
        };
        let mut end = 0;
        for (counts, ids) in parts {
            adjacency.ids.extend(ids);
            for count in counts {
                end += count;
                adjacency.starts.push(end);
            }
        }
        adjacency
    }

    /// Returns the number of spheres.
    pub(super) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Returns the ids near sphere `id`, increasing.
    pub(super) fn of(&self, id: usize) -> &[u32] {
        &self.ids[self.starts[id]..self.starts[id + 1]]
    }

    /// Returns the number of (sphere, sphere) pairs, each counted in both directions.
    pub(super) fn directed(&self) -> usize {
        self.ids.len()
    }

    /// Returns all pairs with the smaller id first, in increasing order.
    pub(super) fn pairs(&self) -> Vec<[u32; 2]> {
        let mut pairs = Vec::with_capacity(self.ids.len() / 2);
        for i in 0..self.len() {
            let later = self.of(i).iter().filter(|&&j| j as usize > i);
            pairs.extend(later.map(|&j| [i as u32, j]));
        }
        pairs
    }
}
