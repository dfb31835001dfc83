//! Near pairs of spheres, and the order of parallel work on them.

use std::{
    ops::Range,
    sync::atomic::{AtomicBool, Ordering::Relaxed},
};

use glam::DVec3;
use rayon::prelude::*;

use super::{
    cells::{Level, to_ends},
    constants::{MOST_NEIGHBORS, TASK},
    error::AnalysisError,
    scene::Scene,
};
use crate::machine::parallel::Erase;

/// Returns the results of `work` on parts of a range of at most [`TASK`] numbers, in order. Work runs on rayon's threads; the parts do
/// not depend on the number of threads.
pub(super) fn by_task<T: Send>(
    numbers: Range<usize>,
    work: impl Fn(Range<usize>) -> T + Sync,
) -> Vec<T> {
    let start = |task: usize| numbers.start + task * TASK;
    (0..numbers.len().div_ceil(TASK))
        .into_par_iter()
        .erased()
        .map(|task| work(start(task)..start(task + 1).min(numbers.end)))
        .collect()
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
    /// Returns the spheres whose gap is at most `tolerance` smaller diameters.
    ///
    /// Each sphere searches its own level and the levels of larger spheres, in which few cells are within reach. A pair of
    /// two levels is therefore found once, and a pair of one level in both directions.
    ///
    /// # Errors
    /// [`AnalysisError::Crowded`], on all ranks, if a sphere finds more spheres than any without overlap.
    pub(super) fn new(
        scene: &Scene,
        levels: &[Level],
        tolerance: f64,
    ) -> Result<Self, AnalysisError> {
        let most = (MOST_NEIGHBORS * (1.0 + tolerance).powi(3)) as usize;
        let is_crowded = AtomicBool::new(false);
        let mut found: Vec<Vec<[u32; 2]>> = Vec::new();
        for (own, level) in levels.iter().enumerate() {
            let ids = level.grid.ids();
            let larger = &levels[own..];
            found.extend(by_task(0..ids.len(), |range| {
                let mut pairs = Vec::new();
                for &id in &ids[range] {
                    if is_crowded.load(Relaxed) {
                        break;
                    }
                    let i = id as usize;
                    let before = pairs.len();
                    for (step, other) in larger.iter().enumerate() {
                        // The smaller diameter is at most that of this sphere.
                        let reach = scene.radii[i] * (1.0 + 2.0 * tolerance) + other.largest;
                        other.grid.visit(scene.centers[i], reach, |other, _| {
                            if other != id && scene.is_near(i, other as usize, tolerance) {
                                pairs.push([id, other]);
                                if step > 0 {
                                    pairs.push([other, id]);
                                }
                            }
                        });
                    }
                    if pairs.len() - before > most {
                        is_crowded.store(true, Relaxed);
                    }
                }
                pairs
            }));
        }
        if scene.ranks.total(is_crowded.into_inner().into()) > 0 {
            return Err(AnalysisError::Crowded { most });
        }
        Ok(Self::from_directed(scene.len(), &found))
    }

    /// Sorts pairs by their first sphere, and then by their second one.
    fn from_directed(count: usize, parts: &[Vec<[u32; 2]>]) -> Self {
        let mut starts = vec![0; count + 1];
        for &[first, _] in parts.iter().flatten() {
            starts[first as usize] += 1;
        }
        to_ends(&mut starts);
        let mut ids = vec![0; starts[count]];
        for &[first, second] in parts.iter().flatten() {
            let place = &mut starts[first as usize];
            *place -= 1;
            ids[*place] = second;
        }
        let mut lists = Vec::with_capacity(count.div_ceil(TASK));
        let mut rest = ids.as_mut_slice();
        for first in (0..count).step_by(TASK) {
            let rows = first..(first + TASK).min(count);
            let (list, later) = rest.split_at_mut(starts[rows.end] - starts[first]);
            lists.push((rows, list));
            rest = later;
        }
        lists.into_par_iter().erased().for_each(|(rows, list)| {
            let first = starts[rows.start];
            for id in rows {
                list[starts[id] - first..starts[id + 1] - first].sort_unstable();
            }
        });
        Self { starts, ids }
    }

    /// Returns the pairs whose gap is at most `tolerance` smaller diameters. The tolerance is at most that of the search.
    pub(super) fn within(&self, scene: &Scene, tolerance: f64) -> Self {
        let parts = by_task(0..self.len(), |spheres| {
            let (mut counts, mut ids) = (Vec::with_capacity(spheres.len()), Vec::<u32>::new());
            for i in spheres {
                let before = ids.len();
                let near = |&&j: &&u32| scene.is_near(i, j as usize, tolerance);
                ids.extend(self.of(i).iter().filter(near));
                counts.push(ids.len() - before);
            }
            (counts, ids)
        });
        let mut near = Self {
            starts: vec![0],
            ids: Vec::new(),
        };
        let mut end = 0;
        for (counts, ids) in parts {
            near.ids.extend(ids);
            for count in counts {
                end += count;
                near.starts.push(end);
            }
        }
        near
    }

    /// Returns the number of spheres.
    pub(super) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Returns the ids near sphere `id`, increasing.
    pub(super) fn of(&self, id: usize) -> &[u32] {
        &self.ids[self.starts[id]..self.starts[id + 1]]
    }

    /// Returns the number of neighbors of each sphere of this process.
    pub(super) fn numbers(&self, scene: &Scene) -> Vec<u32> {
        let number = |id: usize| self.of(id).len() as u32;
        scene.own.clone().map(number).collect()
    }

    /// Returns the unit vectors from a sphere to its neighbors, but for those with an equal center.
    pub(super) fn directions(&self, scene: &Scene, id: usize) -> impl Iterator<Item = DVec3> {
        let direction = move |&other: &u32| scene.between(id, other as usize).try_normalize();
        self.of(id).iter().filter_map(direction)
    }

    /// Returns the number of ids near some spheres.
    pub(super) fn directed(&self, spheres: &Range<usize>) -> usize {
        self.starts[spheres.end] - self.starts[spheres.start]
    }

    /// Returns the pairs whose smaller id is one of `spheres`, with the smaller id first, in increasing order.
    pub(super) fn pairs(&self, spheres: Range<usize>) -> Vec<[u32; 2]> {
        let parts = by_task(spheres, |spheres| {
            let mut pairs = Vec::with_capacity(self.directed(&spheres));
            for i in spheres {
                let later = self.of(i).iter().filter(|&&j| j as usize > i);
                pairs.extend(later.map(|&j| [i as u32, j]));
            }
            pairs
        });
        parts.concat()
    }

    /// Returns the same pairs with `ids[i]` in place of each id `i`. Each id is one of `ids`, once.
    pub(super) fn renumbered(&self, ids: &[u32]) -> Self {
        let mut places = vec![0; ids.len()];
        for (place, &id) in (0_u32..).zip(ids) {
            places[id as usize] = place;
        }
        let parts = by_task(0..ids.len(), |spheres| {
            let mut near = Vec::new();
            for &place in &places[spheres] {
                let first = near.len();
                near.extend(self.of(place as usize).iter().map(|&i| ids[i as usize]));
                near[first..].sort_unstable();
            }
            near
        });
        let mut end = 0;
        let ends = places.iter().map(|&place| {
            end += self.of(place as usize).len();
            end
        });
        Self {
            starts: std::iter::once(0).chain(ends).collect(),
            ids: parts.concat(),
        }
    }
}
