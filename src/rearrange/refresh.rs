//! Between sweeps: new inflated spheres and lists for the spheres that have left their own.
//!
//! At first spheres move so fast that every list is soon outlived, and visits use the Verlet lists themselves. Once few spheres a
//! sweep need new lists, shortlists begin, and visits use those.

use std::ops::RangeInclusive;

use rayon::prelude::*;

use super::state::Rearrangement;
use crate::{container::frame::Point, verlet::Shortlists};

/// Allowances at the start, as shares of the radius; they may become no larger, but for spheres smaller than the mean.
pub(super) const FIRST_ALLOWANCE: f32 = 0.75;
const SMALLEST_ALLOWANCE: f32 = 0.02;

/// Those of small spheres. Among larger ones, twice the allowance brings them few neighbours more; among their like, three times as many.
const LARGEST_ALLOWANCE: f32 = 1.5;

/// What an allowance h is to the speed v of a sphere, both in radii: h = 4 √v. Visits cost the more the longer the lists,
/// whose length grows with h, and refreshes come v/h times a sweep: the sum is least where h is about as the root of v.
const ALLOWANCE_BY_SPEED: f32 = 4.0;

/// The same for inner inflated spheres, whose refreshes cost less.
const INNER_BY_SPEED: f32 = 1.2;
const LARGEST_INNER: f32 = 0.5;

/// A refresh multiplies an allowance by at most this. Speeds are highest in the first sweeps, and lists made for them would
/// be too long for all that follow.
const ALLOWANCE_GROWTH: f32 = 1.4;

/// Above this share of refreshed spheres all are refreshed, so that no list need be mended. Large allowances then do not pay, not even for
/// small spheres: most need new lists after the next sweep again.
const REFRESH_ALL_SHARE: f64 = 0.5;

/// Shortlists begin after so many sweeps on end in which less than this share of the spheres needed new Verlet lists.
const CALM_SHARE: f64 = 0.006;
const CALM_SWEEPS: u32 = 4;

/// When shortlists begin, Verlet lists made for faster spheres are made anew, with allowances of at least this: they take half the
/// memory then, and few spheres outlive them.
const CALM_ALLOWANCE: f32 = 0.5;

/// Inflated spheres worth a job of their own.
const BATCH: usize = 512;

impl Rearrangement {
    /// New inflated spheres and lists for the spheres `stale`, or for all where that is cheaper. Returns for how many.
    pub(super) fn refresh(&mut self, stale: &[u32]) -> usize {
        if let Some(mut shortlists) = self.shortlists.take() {
            self.refresh_shortlists(&mut shortlists, stale);
            self.shortlists = Some(shortlists);
            return stale.len();
        }
        let n = self.len() as f64;
        let refreshed = if stale.len() as f64 > REFRESH_ALL_SHARE * n {
            let outer = self.new_outer(self.all(), FIRST_ALLOWANCE);
            self.replace_all_outer(outer);
            self.len()
        } else {
            let outer = self.new_outer(stale.par_iter().copied(), LARGEST_ALLOWANCE);
            self.replace_outer(stale, &outer);
            self.note_refresh(stale);
            stale.len()
        };
        let is_calm = (stale.len() as f64) < CALM_SHARE * n;
        self.calm_sweeps = if is_calm { self.calm_sweeps + 1 } else { 0 };
        if self.calm_sweeps >= CALM_SWEEPS {
            self.begin_shortlists();
        }
        refreshed
    }

    fn begin_shortlists(&mut self) {
        let motion = |id| self.motion(id, self.lists.inflated());
        let inner_allowances = each(self.all(), |id| inner_allowance(&motion(id)));
        let outer = each(self.all(), |id| {
            let motion = motion(id);
            let allowance =
                outer_allowance(&motion).clamp(CALM_ALLOWANCE, self.largest_allowance(id));
            motion.sphere.inflated(allowance)
        });
        self.replace_all_outer(outer);
        let mut inner = each(self.all(), |id| {
            self.sphere(id).inflated(inner_allowances[id as usize])
        });
        inner.push(Point::NOTHING);
        self.shortlists = Some(Shortlists::new(&self.lists, inner));
    }

    fn refresh_shortlists(&mut self, shortlists: &mut Shortlists, stale: &[u32]) {
        let inflated = each(stale.par_iter().copied(), |id| {
            let motion = self.motion(id, shortlists.inner());
            let (allowance, room) = (inner_allowance(&motion), self.room(&motion));
            // Room for neither half of the allowance nor another sweep.
            if room < (0.5 * allowance).min(motion.speed) {
                let outer = self.outer_inflated(&motion, allowance..=LARGEST_ALLOWANCE);
                (motion.sphere.inflated(allowance), Some(outer))
            } else {
                (motion.sphere.inflated(allowance.min(room)), None)
            }
        });
        let (outgrown, outer): (Vec<u32>, Vec<Point>) = stale
            .iter()
            .zip(&inflated)
            .filter_map(|(&id, &(_, outer))| Some((id, outer?)))
            .unzip();
        self.replace_outer(&outgrown, &outer);
        self.note_refresh(stale);
        let inner: Vec<Point> = inflated.iter().map(|&(inner, _)| inner).collect();
        shortlists.refresh(stale, &inner, &self.lists);
    }

    fn note_refresh(&mut self, ids: &[u32]) {
        let now = self.sweeps() as u32;
        for &id in ids {
            self.refreshed[id as usize] = now;
        }
    }

    /// Gives the spheres `ids` new outer inflated spheres and Verlet lists.
    fn replace_outer(&mut self, ids: &[u32], outer: &[Point]) {
        self.order.assign(ids, outer);
        self.lists.refresh_points(ids, outer);
    }

    /// The same for all, who count as refreshed now.
    fn replace_all_outer(&mut self, outer: Vec<Point>) {
        self.order.assign_all(&outer);
        self.lists.refresh_all(outer);
        let now = self.sweeps() as u32;
        self.refreshed.fill(now);
    }

    pub(super) fn all(&self) -> impl IndexedParallelIterator<Item = u32> + use<> {
        (0..self.len() as u32).into_par_iter()
    }

    /// Where a sphere is, and how fast it came there from its place among the `anchors`.
    fn motion(&self, id: u32, anchors: &[Point]) -> Motion {
        let i = id as usize;
        let sphere = self.sphere(id);
        let way = self.frame.distance(anchors[i].at, sphere.at);
        let age = (self.sweeps() as u32 - self.refreshed[i]).max(1);
        Motion {
            id,
            sphere,
            speed: way / (sphere.radius * age as f32),
        }
    }

    /// A sphere as large as it is now.
    pub(super) fn sphere(&self, id: u32) -> Point {
        let Point { at, radius } = self.points[id as usize];
        let radius = radius * self.scale() as f32;
        Point { at, radius }
    }

    /// How far a sphere may still go in its outer inflated sphere, in radii.
    fn room(&self, motion: &Motion) -> f32 {
        let Point { at, radius } = self.lists.inflated()[motion.id as usize];
        let Motion { sphere, .. } = motion;
        (radius - self.frame.distance(at, sphere.at)) / sphere.radius - 1.0
    }

    pub(super) fn new_outer(
        &self,
        ids: impl IndexedParallelIterator<Item = u32>,
        largest: f32,
    ) -> Vec<Point> {
        each(ids, |id| {
            let motion = self.motion(id, self.lists.inflated());
            self.outer_inflated(&motion, SMALLEST_ALLOWANCE..=largest)
        })
    }

    /// The most a sphere's allowance may become.
    pub(super) fn largest_allowance(&self, id: u32) -> f32 {
        let radius = self.points[id as usize].radius;
        (FIRST_ALLOWANCE * self.mean_radius / radius).clamp(FIRST_ALLOWANCE, LARGEST_ALLOWANCE)
    }

    fn outer_inflated(&self, motion: &Motion, bounds: RangeInclusive<f32>) -> Point {
        let anchor = self.lists.inflated()[motion.id as usize];
        let before = anchor.radius / motion.sphere.radius - 1.0;
        let largest = self.largest_allowance(motion.id);
        let allowance = outer_allowance(motion)
            .min(ALLOWANCE_GROWTH * before)
            .clamp(*bounds.start(), bounds.end().min(largest));
        motion.sphere.inflated(allowance)
    }
}

/// A sphere on its way.
struct Motion {
    id: u32,
    sphere: Point,
    /// Radii a sweep since its last refresh.
    speed: f32,
}

/// Before it is held in bounds.
fn outer_allowance(motion: &Motion) -> f32 {
    ALLOWANCE_BY_SPEED * motion.speed.sqrt()
}

fn inner_allowance(motion: &Motion) -> f32 {
    (INNER_BY_SPEED * motion.speed.sqrt()).clamp(SMALLEST_ALLOWANCE, LARGEST_INNER)
}

/// What `inflate` makes of each id, on all threads where there are many.
fn each<T: Send>(
    ids: impl IndexedParallelIterator<Item = u32>,
    inflate: impl Fn(u32) -> T + Sync + Send,
) -> Vec<T> {
    ids.with_min_len(BATCH).map(inflate).collect()
}

#[cfg(test)]
mod tests {
    use glam::DVec3;
    use rand::{RngExt, SeedableRng};
    use rand_pcg::Pcg64;

    use super::*;
    use crate::{
        container::{Boundaries, Container},
        index::IndexKind,
        rearrange::schedule::{Effort, Schedule},
        spheres::total_volume,
    };

    impl Rearrangement {
        /// Panics unless every sphere is in its inner inflated sphere, and that in the outer one.
        fn assert_inflated(&self) {
            let outer = self.lists.inflated();
            let inner = self.shortlists.as_ref().map_or(outer, Shortlists::inner);
            for (i, point) in self.points[..self.len()].iter().enumerate() {
                let radius = point.radius * self.scale() as f32;
                let within = |reach: f32, other: Point, at| {
                    reach + self.frame.distance(at, other.at) <= other.radius * (1.0 + 1e-6)
                };
                let sweep = self.sweeps();
                assert!(within(radius, inner[i], point.at), "{sweep}: sphere {i}");
                let anchor = inner[i];
                assert!(
                    within(anchor.radius, outer[i], anchor.at),
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
            let schedule = Schedule::new(Effort::QUICK, &radii);
            let volume = total_volume(&radii) / schedule.start_fraction;
            let boundary: Boundaries = boundary.parse().unwrap();
            let container = Container::new(DVec3::splat(volume.cbrt()), boundary).unwrap();
            let kind = IndexKind::default();
            let mut state = Rearrangement::place(&radii, container, kind, &mut rng, false);
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
