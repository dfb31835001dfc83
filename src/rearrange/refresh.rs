//! Refreshes after a sweep: new inflated spheres and lists for the spheres that left their inflated spheres.
//!
//! At first spheres move so fast that every list is soon outdated, and visits use the Verlet lists themselves. Once few
//! spheres per sweep need new lists, shortlists begin, and visits use the shortlists.

use std::ops::RangeInclusive;

use rayon::prelude::*;

use super::{
    constants::{
        CALM_SHARE, CALM_SKIN, CALM_SWEEPS, FIRST_SKIN, INNER_SKIN_BY_SPEED, LARGEST_INNER_SKIN,
        LARGEST_SKIN, REBUILD_SHARE, SKIN_BY_SPEED, SKIN_GROWTH, SMALLEST_SKIN,
    },
    exchange::Outgrown,
    ranks::Change,
    state::State,
};
use crate::{
    container::frame::Point,
    machine::{sorted::write_sorted, trace::shared},
    verlet::Shortlists,
};

/// Inflated spheres that one task computes at least.
const TASK: usize = 512;

impl State {
    /// Refreshes the spheres `stale`, or all spheres where that is cheaper. Returns the number of refreshed spheres.
    pub(super) fn refresh(&mut self, stale: &[u32]) -> usize {
        let all_stale = self.total(stale.len());
        if let Some(shortlists) = self.shortlists.take() {
            self.refresh_shortlists(shortlists, stale);
            return all_stale;
        }
        let n = self.len() as f64;
        let refreshed = if all_stale as f64 > REBUILD_SHARE * n {
            self.rebuild();
            self.len()
        } else {
            let outer = self.new_inflated(stale.par_iter().copied(), LARGEST_SKIN);
            self.note_refresh(stale);
            self.replace_inflated(stale, &outer);
            all_stale
        };
        let is_calm = (all_stale as f64) < CALM_SHARE * n;
        self.calm_sweeps = if is_calm { self.calm_sweeps + 1 } else { 0 };
        if self.calm_sweeps >= CALM_SWEEPS {
            self.begin_shortlists();
        }
        refreshed
    }

    /// Rebuilds the Verlet lists and picks the first shortlists.
    fn begin_shortlists(&mut self) {
        if self.domain.is_some() {
            let change = |state: &Self, id| Change {
                id,
                outer: Some(state.calm_sphere(id)),
                inner: Some(state.sphere(id).inflated(state.calm_inner_skin(id))),
            };
            self.replace_all_on_ranks(change, true);
            return;
        }
        let inner_skins = each(self.all(), |id| self.calm_inner_skin(id));
        let outer = each(self.all(), |id| self.calm_sphere(id));
        self.replace_all_inflated(outer);
        let inflated = |id| self.sphere(id).inflated(inner_skins[id as usize]);
        let mut inner = Vec::with_capacity(self.len() + 1);
        shared("inflated spheres", || {
            inner.par_extend(self.all().map(inflated));
        });
        inner.push(Point::NOTHING);
        self.shortlists = Some(Shortlists::new(&self.lists, inner));
    }

    /// Returns the outer inflated sphere with which shortlists begin.
    fn calm_sphere(&self, id: u32) -> Point {
        let motion = self.motion(id, self.lists.inflated());
        let skin = outer_skin(&motion).clamp(CALM_SKIN, self.largest_skin(id));
        motion.sphere.inflated(skin)
    }

    /// Returns the skin of the inner inflated sphere with which shortlists begin.
    fn calm_inner_skin(&self, id: u32) -> f32 {
        inner_skin(&self.motion(id, self.lists.inflated()))
    }

    /// Gives the spheres `stale` new shortlists, and new Verlet lists where the outer inflated sphere leaves no room.
    fn refresh_shortlists(&mut self, mut shortlists: Shortlists, stale: &[u32]) {
        let new_inflated = |id: u32| {
            let motion = self.motion(id, shortlists.inner());
            let (skin, room) = (inner_skin(&motion), self.room(&motion));
            // There is room for neither half of the skin nor another sweep.
            if room < (0.5 * skin).min(motion.speed) {
                let outer = self.outer_sphere(&motion, skin..=LARGEST_SKIN);
                (motion.sphere.inflated(skin), Some(outer))
            } else {
                (motion.sphere.inflated(skin.min(room)), None)
            }
        };
        if self.domain.is_some() {
            let changes = each(stale.par_iter().copied(), |id| {
                let (inner, outer) = new_inflated(id);
                Change {
                    id,
                    outer,
                    inner: Some(inner),
                }
            });
            self.shortlists = Some(shortlists);
            self.note_refresh(stale);
            self.replace_on_ranks(&changes);
            return;
        }
        let inflated = each(stale.par_iter().copied(), new_inflated);
        let (outgrown, outer): (Vec<u32>, Vec<Point>) = shared("inflated spheres", || {
            let outgrown = |(&id, &(_, outer)): (&u32, &(Point, Option<Point>))| Some((id, outer?));
            stale.par_iter().zip(&inflated).filter_map(outgrown).unzip()
        });
        self.replace_inflated(&outgrown, &outer);
        self.note_refresh(stale);
        let inner: Vec<Point> = shared("inflated spheres", || {
            inflated.par_iter().map(|&(inner, _)| inner).collect()
        });
        shortlists.refresh(stale, &inner, &self.lists);
        self.shortlists = Some(shortlists);
    }

    /// Refreshes the spheres whose radii were exchanged and need new lists.
    pub(super) fn refresh_outgrown(&mut self, outgrown: Outgrown) {
        let Outgrown {
            mut stale,
            mut on_new_levels,
        } = outgrown;
        // In the order in which spheres, lists and index lie in memory.
        stale.par_sort_unstable();
        self.work.refreshes += self.total(stale.len()) as u64;
        if self.shortlists.is_none() {
            let outer = self.new_inflated(stale.par_iter().copied(), LARGEST_SKIN);
            self.note_refresh(&stale);
            self.replace_inflated(&stale, &outer);
            return;
        }
        on_new_levels.par_sort_unstable();
        let outer = self.new_inflated(on_new_levels.par_iter().copied(), LARGEST_SKIN);
        // Spheres may move to another rank.
        let stale = self.named_on_ranks(&stale);
        self.replace_inflated(&on_new_levels, &outer);
        let stale: Vec<u32> = stale.into_iter().filter(|&id| self.owns(id)).collect();
        if let Some(shortlists) = self.shortlists.take() {
            self.refresh_shortlists(shortlists, &stale);
        }
    }

    /// Notes that the spheres `ids`, which must be sorted, were refreshed after this sweep.
    fn note_refresh(&mut self, ids: &[u32]) {
        let now = self.sweeps as u32;
        write_sorted(&mut self.refreshed, ids, |refreshed, _| *refreshed = now);
    }

    /// Gives the spheres `ids` new outer inflated spheres and Verlet lists.
    fn replace_inflated(&mut self, ids: &[u32], outer: &[Point]) {
        if self.domain.is_some() {
            let change = |(&id, &outer): (&u32, &Point)| Change {
                id,
                outer: Some(outer),
                inner: None,
            };
            let changes: Vec<Change> = ids.iter().zip(outer).map(change).collect();
            self.replace_on_ranks(&changes);
            return;
        }
        self.order.assign(ids, outer);
        self.lists.refresh_points(ids, outer);
    }

    /// Gives all spheres new outer inflated spheres with small skins, and new Verlet lists.
    fn rebuild(&mut self) {
        if self.domain.is_some() {
            let change = |state: &Self, id| Change {
                id,
                outer: Some(state.new_outer_sphere(id, FIRST_SKIN)),
                inner: None,
            };
            self.replace_all_on_ranks(change, false);
            return;
        }
        let outer = self.new_inflated(self.all(), FIRST_SKIN);
        self.replace_all_inflated(outer);
    }

    /// Gives all spheres of a run without ranks new outer inflated spheres and Verlet lists, and notes that they were refreshed.
    fn replace_all_inflated(&mut self, outer: Vec<Point>) {
        self.refreshed.fill(self.sweeps as u32);
        self.order.assign_all(&outer);
        self.lists.refresh_all(outer);
    }

    /// Returns a sphere with its mean speed since its last refresh, when it was at its reference position, the center of its
    /// sphere among the `inflated` ones.
    fn motion(&self, id: u32, inflated: &[Point]) -> Motion {
        let i = id as usize;
        let sphere = self.sphere(id);
        let distance = self.frame.distance(inflated[i].at, sphere.at);
        let age = (self.sweeps as u32 - self.refreshed[i]).max(1);
        Motion {
            id,
            sphere,
            speed: distance / (sphere.radius * age as f32),
        }
    }

    /// Returns the distance that a sphere may still move inside its outer inflated sphere, in radii.
    fn room(&self, motion: &Motion) -> f32 {
        let Point { at, radius } = self.lists.inflated()[motion.id as usize];
        let Motion { sphere, .. } = motion;
        (radius - self.frame.distance(at, sphere.at)) / sphere.radius - 1.0
    }

    /// Returns new outer inflated spheres for the spheres `ids`, with skins of at most `largest`.
    pub(super) fn new_inflated(
        &self,
        ids: impl IndexedParallelIterator<Item = u32>,
        largest: f32,
    ) -> Vec<Point> {
        each(ids, |id| self.new_outer_sphere(id, largest))
    }

    /// Returns a new outer inflated sphere with a skin of at most `largest`.
    fn new_outer_sphere(&self, id: u32, largest: f32) -> Point {
        let motion = self.motion(id, self.lists.inflated());
        self.outer_sphere(&motion, SMALLEST_SKIN..=largest)
    }

    /// Returns a new outer inflated sphere with a skin within `bounds`.
    fn outer_sphere(&self, motion: &Motion, bounds: RangeInclusive<f32>) -> Point {
        let inflated = self.lists.inflated()[motion.id as usize];
        let before = inflated.radius / motion.sphere.radius - 1.0;
        let largest = self.largest_skin(motion.id);
        let skin = outer_skin(motion)
            .min(SKIN_GROWTH * before)
            .clamp(*bounds.start(), bounds.end().min(largest));
        motion.sphere.inflated(skin)
    }
}

/// A sphere and its speed.
struct Motion {
    id: u32,
    sphere: Point,
    /// Mean speed since the last refresh, in radii per sweep.
    speed: f32,
}

/// Returns the skin of the outer inflated sphere, without bounds.
fn outer_skin(motion: &Motion) -> f32 {
    SKIN_BY_SPEED * motion.speed.sqrt()
}

/// Returns the skin of the inner inflated sphere.
fn inner_skin(motion: &Motion) -> f32 {
    (INNER_SKIN_BY_SPEED * motion.speed.sqrt()).clamp(SMALLEST_SKIN, LARGEST_INNER_SKIN)
}

/// Returns the result of `inflate` for each id, computed on all threads if there are many.
fn each<T: Send>(
    ids: impl IndexedParallelIterator<Item = u32>,
    inflate: impl Fn(u32) -> T + Sync + Send,
) -> Vec<T> {
    shared("inflated spheres", || {
        ids.with_min_len(TASK).map(inflate).collect()
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use glam::DVec3;
    use rand::{RngExt, SeedableRng};
    use rand_pcg::Pcg64;

    use super::*;
    use crate::{
        container::{Boundaries, Container},
        index::IndexKind,
        machine::divided::Divided,
        rearrange::{
            effort::Effort, estimate::estimated_fraction, limit::Limit, mixture::Bounds,
            schedule::Schedule,
        },
        spheres::total_volume,
    };

    impl State {
        /// Panics unless every sphere lies in its inner inflated sphere, and the inner one in the outer one.
        fn assert_inflated(&self) {
            let outer = self.lists.inflated();
            let inner = self.shortlists.as_ref().map_or(outer, Shortlists::inner);
            for (i, point) in self.points[..self.len()].iter().enumerate() {
                let radius = point.radius * self.scale as f32;
                let within = |reach: f32, other: Point, at| {
                    reach + self.frame.distance(at, other.at) <= other.radius * (1.0 + 1e-6)
                };
                let sweep = self.sweeps;
                assert!(within(radius, inner[i], point.at), "{sweep}: sphere {i}");
                let inner = inner[i];
                assert!(
                    within(inner.radius, outer[i], inner.at),
                    "{sweep}: inner {i}"
                );
            }
        }
    }

    #[test]
    fn spheres_stay_in_their_inflated_spheres() {
        let mut rng = Pcg64::seed_from_u64(2);
        for (boundary, ratio) in [("ppp", 1.0), ("pwp", 8.0)] {
            let radii: Vec<f64> = (0..1500)
                .map(|_| 0.5 * f64::powf(ratio, rng.random::<f64>().powi(2)))
                .collect();
            let divided = Divided::alone(&radii[..]);
            let estimate = estimated_fraction(&divided);
            let schedule = Schedule::new(Effort::QUICK, estimate, Bounds::NONE);
            let volume = total_volume(&radii) / schedule.start_fraction;
            let boundary: Boundaries = boundary.parse().unwrap();
            let container = Container::cuboid(DVec3::splat(volume.cbrt()), boundary).unwrap();
            let index = Arc::new(IndexKind::default());
            let limit = Limit::default();
            let mut state = State::place(&divided, container, 0.0, index, None, limit, &mut rng);
            let mut sweeps_with_shortlists = 0;
            while sweeps_with_shortlists < 60 {
                let overlaps = state.sweep(schedule.relaxation);
                state.assert_inflated();
                state.grow(schedule.growth(overlaps.total / radii.len() as f64));
                sweeps_with_shortlists += u32::from(state.shortlists.is_some());
            }
        }
    }
}
