//! Placement of the large spheres, and later insertion of the small ones.
//!
//! In a wide mixture, most small spheres placed at random would lie deep in large ones, and large spheres would enclose more of
//! them as they move apart. Each enclosed sphere would have to be moved out again, a few of its radii a sweep, and its lists
//! would be refreshed all the while. Therefore the container first holds the largest spheres only, which spread out
//! undisturbed. The small spheres are inserted size by size while the container grows, each at a position where its center lies in no
//! other sphere, if one is found soon. Most sweeps before the last insertion cost next to nothing, and packings are denser.

use std::sync::Arc;

use rand::{Rng, RngExt};
use rand_pcg::Pcg64;
use rayon::prelude::*;

use super::{
    interface::{Arrangement, Move},
    pending::{Pending, PendingSphere},
};
use crate::{
    container::Container,
    index::IndexBuilder,
    machine::{divided::Divided, parallel::Erase, trace::shared},
    rearrange::{
        limit::Limit,
        options::PackOptions,
        placement::{independent_positions, is_dilute, placed, separate_positions},
        points::Points,
        schedule::InsertionSchedule,
        start::Start,
        state::State,
    },
};

/// The move that inserts the pending groups of spheres when they are due.
#[derive(Debug)]
pub(in crate::rearrange) struct Insertion {
    pending: Pending,
    pub schedule: InsertionSchedule,
}

impl Insertion {
    pub fn new(pending: Pending, schedule: InsertionSchedule) -> Self {
        Self { pending, schedule }
    }

    /// Inserts all groups that are still pending.
    pub fn insert_all(&mut self, spheres: &mut Arrangement) {
        self.insert(self.schedule.groups, spheres);
    }

    /// Inserts groups until the given number of them is in the container.
    fn insert(&mut self, groups: usize, Arrangement(state): &mut Arrangement) {
        while self.schedule.groups - self.pending.groups() < groups {
            state.insert_group(&self.pending.take_group());
        }
    }
}

impl Move for Insertion {
    fn name(&self) -> &'static str {
        "insertions"
    }

    fn is_due(&self, spheres: &Arrangement) -> bool {
        !spheres.is_complete()
    }

    fn round(&mut self, spheres: &mut Arrangement) {
        self.insert(self.schedule.groups_due(spheres.sweeps()), spheres);
    }
}

impl State {
    /// Places spheres of the given radii in the empty container of `points`, at random or at the centers of the options. Where sizes
    /// differ much, small spheres at random stay pending. On one rank alone, no search for free positions outlasts the `limit`.
    pub fn place(
        radii: &Divided,
        points: Points,
        options: &PackOptions,
        index: Arc<dyn IndexBuilder>,
        limit: Limit,
        rng: &mut Pcg64,
    ) -> (Self, Pending) {
        let Split {
            spheres,
            pending,
            seed,
        } = split(radii, points.container(), options.start.as_ref(), rng);
        let wall_offset = points.wall_offset_at_start;
        let mut state = Self::empty(points, index, radii, seed, limit);
        let space = state.space(wall_offset);
        let positions = if let Some(start) = &options.start {
            start.positions(&spheres, &options.container, space)
        } else if is_dilute(radii, space.container) {
            // The position of each sphere depends on all larger ones.
            let all = spheres_of(&radii.gathered(), 0);
            let first = radii.first_own();
            separate_positions(&all, space, rng)[first..first + spheres.len()].to_vec()
        } else {
            independent_positions(&spheres, space, radii.ranks(), rng)
        };
        let placed = placed(&spheres, positions, 1.0);
        let placed = shared("placed spheres", || placed.collect());
        drop(spheres);
        state.number(placed);
        (state, pending)
    }
}

/// The spheres of a run at its start, on each rank its own ones.
pub(in crate::rearrange) struct Split {
    /// The spheres of the start.
    pub spheres: Vec<PendingSphere>,
    pub pending: Pending,
    /// Seed of all random choices after the start: positions of insertions, and the order of visits.
    pub seed: u64,
}

/// Splits spheres of the given radii into the spheres of the start and the pending spheres. Where centers are given, no sphere is pending.
pub(in crate::rearrange) fn split(
    radii: &Divided,
    container: &Container,
    start: Option<&Start>,
    rng: &mut impl Rng,
) -> Split {
    let spheres = spheres_of(radii.own(), radii.first_own());
    if start.is_some() {
        return Split {
            spheres,
            pending: Pending::default(),
            seed: rng.random(),
        };
    }
    let is_dilute = is_dilute(radii, container);
    let seed = if is_dilute { 0 } else { rng.random() };
    let (spheres, pending) = if is_dilute {
        (spheres, Pending::default())
    } else {
        Pending::split(spheres, radii.ranks())
    };
    Split {
        spheres,
        pending,
        seed,
    }
}

/// Returns spheres with successive numbers of the caller.
fn spheres_of(radii: &[f64], first: usize) -> Vec<PendingSphere> {
    let sphere = |(k, &radius): (usize, &f64)| PendingSphere {
        original: (first + k) as u32,
        radius: radius as f32,
    };
    shared("split by size", || {
        radii.par_iter().enumerate().erased().map(sphere).collect()
    })
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use glam::DVec3;
    use rand::{RngExt, SeedableRng};

    use super::*;
    use crate::{container::frame::Point, index::IndexKind, spheres::total_volume};

    #[test]
    fn present_spheres_keep_their_positions_when_others_are_inserted() {
        let mut rng = Pcg64::seed_from_u64(3);
        // From 1 to 60, mostly small.
        let radii: Vec<f64> = (0..3000)
            .map(|_| (1.0 - rng.random::<f64>() * (1.0 - 60f64.powf(-2.5))).powf(-0.4))
            .collect();
        let side = (total_volume(&radii) / 0.9).cbrt();
        let container = Container::cuboid(DVec3::splat(side), "ppw".parse().unwrap()).unwrap();
        let (mut state, mut pending) = State::place(
            &Divided::alone(&radii[..]),
            Points::new(container, 0.0),
            &PackOptions::default(),
            Arc::new(IndexKind::default()),
            Limit::default(),
            &mut rng,
        );
        let positions = |state: &State| -> HashMap<u32, Point> {
            let points = state.points.at_start().iter().copied();
            state.points.numbers().iter().copied().zip(points).collect()
        };
        let (mut inserted, mut enclosed) = (0, 0);
        while !state.is_complete() {
            state.sweep(1.9);
            state.points.grow(1.002);
            let scale = state.points.scale as f32;
            let before = positions(&state);
            state.insert_group(&pending.take_group());
            let after = positions(&state);
            assert_eq!(after.len(), state.len());
            state.neighbors.lists.assert_well_formed();
            for (original, point) in &after {
                assert_eq!(point.radius, radii[*original as usize] as f32);
                if let Some(old) = before.get(original) {
                    assert_eq!(point.at, old.at);
                    continue;
                }
                inserted += 1;
                let encloses = |other: &Point| {
                    let reach = scale * point.radius.max(other.radius);
                    state.points.frame().distance(point.at, other.at) < reach
                };
                enclosed += usize::from(before.values().any(encloses));
            }
        }
        assert_eq!(state.len(), radii.len());
        assert!(
            inserted > 2000 && enclosed < inserted / 3,
            "{enclosed} of {inserted}"
        );
    }
}
