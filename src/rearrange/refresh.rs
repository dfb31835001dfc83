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
    halo::Inflated,
    state::{State, each},
};
use crate::{
    container::frame::Point,
    machine::{parallel::Erase, trace::shared},
};

/// Spheres that need new lists because a move between two sweeps changed them.
#[derive(Default)]
pub(super) struct Outgrown {
    /// Spheres that reach beyond their inflated spheres, or that are on another size level now.
    pub stale: Vec<u32>,
    /// Spheres that are on another size level now.
    pub on_new_levels: Vec<u32>,
}

/// A sphere and its speed.
struct Motion {
    id: u32,
    sphere: Point,
    /// Mean speed since the last refresh, in radii per sweep.
    speed: f32,
}

impl Motion {
    /// Returns the skin of the outer inflated sphere, without bounds.
    fn outer_skin(&self) -> f32 {
        SKIN_BY_SPEED * self.speed.sqrt()
    }

    /// Returns the skin of the inner inflated sphere.
    fn inner_skin(&self) -> f32 {
        (INNER_SKIN_BY_SPEED * self.speed.sqrt()).clamp(SMALLEST_SKIN, LARGEST_INNER_SKIN)
    }
}

impl State {
    /// Refreshes the spheres `stale`, or all spheres where that is cheaper. Returns the number of refreshed spheres.
    pub(super) fn refresh(&mut self, stale: &[u32]) -> usize {
        let all_stale = self.halo.ranks.total(stale.len());
        if self.neighbors.has_shortlists() {
            self.refresh_shortlists(stale);
            return all_stale;
        }
        let n = self.len() as f64;
        let refreshed = if all_stale as f64 > REBUILD_SHARE * n {
            let outer = |state: &Self, id| state.new_outer_sphere(id, FIRST_SKIN);
            self.renew_inflated(outer, None::<fn(&Self, u32) -> Point>);
            self.len()
        } else {
            self.refresh_outer(stale);
            all_stale
        };
        let is_calm = (all_stale as f64) < CALM_SHARE * n;
        let calm_sweeps = self.neighbors.calm_sweeps + 1;
        self.neighbors.calm_sweeps = if is_calm { calm_sweeps } else { 0 };
        if self.neighbors.calm_sweeps >= CALM_SWEEPS {
            // Shortlists begin.
            let inner = |state: &Self, id| {
                let motion = state.motion(id, state.neighbors.outer());
                motion.sphere.inflated(motion.inner_skin())
            };
            self.renew_inflated(Self::calm_sphere, Some(inner));
        }
        refreshed
    }

    /// Returns the outer inflated sphere with which shortlists begin.
    fn calm_sphere(&self, id: u32) -> Point {
        let motion = self.motion(id, self.neighbors.outer());
        let largest = self.points.largest_skin(id);
        let skin = motion.outer_skin().clamp(CALM_SKIN, largest);
        motion.sphere.inflated(skin)
    }

    /// Gives the spheres `ids` new Verlet lists.
    fn refresh_outer(&mut self, ids: &[u32]) {
        let outer = self.new_outer(ids);
        self.neighbors.note_refresh(ids, self.sweeps as u32);
        self.replace_inflated(outer, Inflated::default());
    }

    /// Returns new outer inflated spheres.
    fn new_outer(&self, ids: &[u32]) -> Inflated {
        let spheres = each(ids.par_iter().erased().copied(), |id| {
            self.new_outer_sphere(id, LARGEST_SKIN)
        });
        Inflated {
            ids: ids.to_vec(),
            spheres,
        }
    }

    /// Gives the spheres `stale` new shortlists, and new Verlet lists where the outer inflated sphere leaves no room.
    fn refresh_shortlists(&mut self, stale: &[u32]) {
        let (inner, _) = self.neighbors.visited();
        let inflated = each(stale.par_iter().erased().copied(), |id: u32| {
            let motion = self.motion(id, inner);
            let (skin, room) = (motion.inner_skin(), self.room(&motion));
            // There is room for neither half of the skin nor another sweep.
            if room < (0.5 * skin).min(motion.speed) {
                let outer = self.outer_sphere(&motion, skin..=LARGEST_SKIN);
                (motion.sphere.inflated(skin), Some(outer))
            } else {
                (motion.sphere.inflated(skin.min(room)), None)
            }
        });
        let (outer, inner) = shared("inflated spheres", || {
            let outgrown = |(&id, &(_, outer)): (&u32, &(Point, Option<Point>))| Some((id, outer?));
            let (ids, spheres) = stale
                .par_iter()
                .zip(&inflated)
                .erased()
                .filter_map(outgrown)
                .unzip();
            let inner = Inflated {
                ids: stale.to_vec(),
                spheres: inflated
                    .par_iter()
                    .erased()
                    .map(|&(inner, _)| inner)
                    .collect(),
            };
            (Inflated { ids, spheres }, inner)
        });
        self.neighbors.note_refresh(stale, self.sweeps as u32);
        self.replace_inflated(outer, inner);
    }

    /// Refreshes the spheres that a move changed.
    pub(super) fn refresh_outgrown(&mut self, outgrown: Outgrown) {
        let Outgrown {
            mut stale,
            mut on_new_levels,
        } = outgrown;
        // In the order in which spheres, lists and index lie in memory.
        stale.par_sort_unstable();
        self.work.refreshes += self.halo.ranks.total(stale.len()) as u64;
        if !self.neighbors.has_shortlists() {
            self.refresh_outer(&stale);
            return;
        }
        on_new_levels.par_sort_unstable();
        let outer = self.new_outer(&on_new_levels);
        // Spheres may move to another rank.
        let mut stale = self.halo.ranks.gather(stale);
        self.replace_inflated(outer, Inflated::default());
        stale.retain(|&id| self.halo.owns(id));
        stale.par_sort_unstable();
        self.refresh_shortlists(&stale);
    }

    /// Returns a sphere with its mean speed since its last refresh, when it was at its reference position, the center of its sphere among
    /// the `inflated` ones.
    fn motion(&self, id: u32, inflated: &[Point]) -> Motion {
        let sphere = self.points.sphere(id);
        let reference = inflated[id as usize].at;
        let distance = self.points.frame().distance(reference, sphere.at);
        let age = (self.sweeps as u32 - self.neighbors.refreshed[id as usize]).max(1);
        Motion {
            id,
            sphere,
            speed: distance / (sphere.radius * age as f32),
        }
    }

    /// Returns the distance that a sphere may still move inside its outer inflated sphere, in radii.
    fn room(&self, &Motion { id, sphere, .. }: &Motion) -> f32 {
        let Point { at, radius } = self.neighbors.outer()[id as usize];
        (radius - self.points.frame().distance(at, sphere.at)) / sphere.radius - 1.0
    }

    /// Returns a new outer inflated sphere with a skin of at most `largest`.
    pub(super) fn new_outer_sphere(&self, id: u32, largest: f32) -> Point {
        let motion = self.motion(id, self.neighbors.outer());
        self.outer_sphere(&motion, SMALLEST_SKIN..=largest)
    }

    /// Returns a new outer inflated sphere with a skin within `bounds`.
    fn outer_sphere(&self, motion: &Motion, bounds: RangeInclusive<f32>) -> Point {
        let inflated = self.neighbors.outer()[motion.id as usize];
        let before = inflated.radius / motion.sphere.radius - 1.0;
        let largest = self.points.largest_skin(motion.id);
        let skin = motion
            .outer_skin()
            .min(SKIN_GROWTH * before)
            .clamp(*bounds.start(), bounds.end().min(largest));
        motion.sphere.inflated(skin)
    }
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
        dimension::Dimension,
        distribution::estimated_fraction,
        index::IndexKind,
        machine::divided::Divided,
        rearrange::{
            effort::Effort, limit::Limit, mixture::Bounds, options::PackOptions, points::Points,
            schedule::Schedule,
        },
        spheres::total_volume,
    };

    impl State {
        /// Panics unless every sphere lies in its inner inflated sphere, and the inner one in the outer one.
        fn assert_inflated(&self) {
            let outer = self.neighbors.outer();
            let (inner, _) = self.neighbors.visited();
            for i in 0..self.len() {
                let point = self.points.sphere(i as u32);
                let radius = point.radius;
                let within = |reach: f32, other: Point, at| {
                    reach + self.points.frame().distance(at, other.at)
                        <= other.radius * (1.0 + 1e-6)
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
            let estimate = estimated_fraction(Dimension::Three, &divided);
            let schedule = Schedule::new(Effort::QUICK, estimate, Bounds::NONE);
            let volume = total_volume(&radii) / schedule.start_fraction;
            let boundary: Boundaries = boundary.parse().unwrap();
            let container = Container::cuboid(DVec3::splat(volume.cbrt()), boundary).unwrap();
            let index = Arc::new(IndexKind::default());
            let limit = Limit::default();
            let points = Points::new(container, 0.0);
            let options = PackOptions::default();
            let (mut state, _) = State::place(&divided, points, &options, index, limit, &mut rng);
            let mut sweeps_with_shortlists = 0;
            while sweeps_with_shortlists < 60 {
                let overlaps = state.sweep(schedule.relaxation);
                state.assert_inflated();
                state
                    .points
                    .grow(schedule.growth(overlaps.total / radii.len() as f64));
                sweeps_with_shortlists += u32::from(state.neighbors.has_shortlists());
            }
        }
    }
}
