//! Large spheres first: who is in the container from the start, and who comes in later.
//!
//! Small spheres placed at random in a wide mixture mostly lie deep in large ones, and what large ones meet as they spread out they swallow.
//! Each would have to be pushed out again, a few of its radii a sweep, and its lists made anew all the while. So at first only
//! the largest are there, and spread out undisturbed. The others wait, and come in size by size while the container grows, each to a place
//! where its centre lies in no other sphere, if one is soon found. Most sweeps before the last have come in cost next to nothing, and
//! packings are denser.

use std::{cmp::Ordering, f32::consts::SQRT_2};

use rand::{Rng, RngExt};
use rayon::prelude::*;

use super::{
    placement::{Newcomer, is_dilute, places_among, places_anywhere, places_apart},
    refresh::FIRST_ALLOWANCE,
    state::Rearrangement,
};
use crate::{
    container::Container,
    container::frame::{Frame, Point, Steps, curve_key},
    index::IndexKind,
};

/// Spheres of at least this share of the largest radius are there from the start.
const LARGE: f32 = 0.125;

/// Spheres that come in together have radii within this factor.
const GROUP: f32 = SQRT_2;

/// The spheres that are not in the container yet.
#[derive(Debug, Default)]
pub(super) struct Waiting {
    /// The smallest first.
    spheres: Vec<Newcomer>,
    seed: u64,
}

impl Waiting {
    /// Splits spheres into those that are large and those that wait.
    fn split(spheres: Vec<Newcomer>, rng: &mut impl Rng) -> (Vec<Newcomer>, Self) {
        let radii = spheres.iter().map(|sphere| sphere.radius);
        let largest = radii.fold(0.0, f32::max);
        let (large, mut small): (Vec<Newcomer>, Vec<Newcomer>) = spheres
            .into_iter()
            .partition(|sphere| sphere.radius >= LARGE * largest);
        if small.is_empty() {
            return (large, Self::default());
        }
        small.par_sort_unstable_by(smallest_first);
        let (spheres, seed) = (small, rng.random());
        (large, Self { spheres, seed })
    }

    pub fn is_over(&self) -> bool {
        self.spheres.is_empty()
    }

    /// The number of groups still to come.
    pub fn groups(&self) -> usize {
        let mut end = self.spheres.len();
        let mut groups = 0;
        while end > 0 {
            end = self.group_start(end);
            groups += 1;
        }
        groups
    }

    /// Where the group begins that ends before `end`.
    fn group_start(&self, end: usize) -> usize {
        let largest = self.spheres[end - 1].radius;
        self.spheres[..end].partition_point(|sphere| sphere.radius * GROUP < largest)
    }

    /// The largest of those that wait.
    fn next_group(&mut self) -> Vec<Newcomer> {
        let start = self.group_start(self.spheres.len());
        self.spheres.split_off(start)
    }
}

fn smallest_first(a: &Newcomer, b: &Newcomer) -> Ordering {
    let by_radius = a.radius.total_cmp(&b.radius);
    by_radius.then(a.original.cmp(&b.original))
}

/// A sphere, its radius at scale 1, and its inflated radius.
struct Placed {
    original: u32,
    sphere: Point,
    outer: f32,
}

impl Rearrangement {
    /// Spheres of the given radii in `container`, at random; where sizes differ much, all but the largest wait.
    pub fn place(
        radii: &[f64],
        container: Container,
        kind: IndexKind,
        rng: &mut impl Rng,
        parallel: bool,
    ) -> Self {
        let frame = Frame::new(container);
        let mut spheres: Vec<Newcomer> = (0..)
            .zip(radii)
            .map(|(original, &radius)| Newcomer {
                original,
                radius: radius as f32,
            })
            .collect();
        let mut waiting = Waiting::default();
        let places = if is_dilute(radii, container) {
            places_apart(&spheres, &frame, rng)
        } else {
            (spheres, waiting) = Waiting::split(spheres, rng);
            places_anywhere(&spheres, &frame, rng)
        };
        let mut state = Self::empty(frame, kind, waiting, parallel);
        state.number(placed(&spheres, places, 1.0).collect());
        state
    }

    /// Lets the next group of those that wait come in.
    ///
    /// Cost: that of places for the group, and of new lists for all.
    pub fn admit(&mut self) {
        let scale = self.scale() as f32;
        let group = self.waiting.next_group();
        let present: Vec<Point> = (0..self.len() as u32).map(|id| self.sphere(id)).collect();
        let places = places_among(&present, &group, scale, &self.frame, self.waiting.seed);
        drop(present);
        let outer = self.new_outer(self.all(), FIRST_ALLOWANCE);
        let spheres = self.points.iter().zip(&self.original).zip(outer);
        let mut all: Vec<Placed> = spheres
            .map(|((&sphere, &original), outer)| Placed {
                original,
                sphere,
                outer: outer.radius,
            })
            .collect();
        all.extend(placed(&group, places, scale));
        self.number(all);
    }

    /// Puts these in the place of all spheres, numbered along a space-filling curve.
    fn number(&mut self, mut placed: Vec<Placed>) {
        placed.par_sort_unstable_by_key(|placed| (curve_key(placed.sphere.at), placed.original));
        let points = placed.iter().map(|placed| placed.sphere).collect();
        let original = placed.iter().map(|placed| placed.original).collect();
        let outer = placed
            .iter()
            .map(|&Placed { sphere, outer, .. }| Point {
                radius: outer,
                ..sphere
            })
            .collect();
        drop(placed);
        self.replace_all(points, original, outer);
    }
}

/// Newcomers at their places, ready to move.
fn placed(newcomers: &[Newcomer], places: Vec<Steps>, scale: f32) -> impl Iterator<Item = Placed> {
    newcomers.iter().zip(places).map(move |(newcomer, at)| {
        let &Newcomer { original, radius } = newcomer;
        let now = Point {
            at,
            radius: radius * scale,
        };
        Placed {
            original,
            sphere: Point { at, radius },
            outer: now.inflated(FIRST_ALLOWANCE).radius,
        }
    })
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use glam::DVec3;
    use rand::{RngExt, SeedableRng};
    use rand_pcg::Pcg64;

    use super::*;
    use crate::spheres::total_volume;

    /// From 1 to 60, mostly small.
    fn wide_radii(rng: &mut Pcg64) -> Vec<f64> {
        (0..3000)
            .map(|_| (1.0 - rng.random::<f64>() * (1.0 - 60f64.powf(-2.5))).powf(-0.4))
            .collect()
    }

    #[test]
    fn each_sphere_comes_in_once_the_larger_first() {
        let mut rng = Pcg64::seed_from_u64(1);
        let radii = wide_radii(&mut rng);
        let newcomer = |original: u32| Newcomer {
            original,
            radius: radii[original as usize] as f32,
        };
        let (large, mut waiting) = Waiting::split((0..3000).map(newcomer).collect(), &mut rng);
        let mut groups = vec![large];
        let expected = waiting.groups();
        while !waiting.is_over() {
            groups.push(waiting.next_group());
        }
        assert!(expected > 3);
        assert_eq!(groups.len(), 1 + expected);
        let smallest = |group: &[Newcomer]| group.iter().map(|s| s.radius).fold(60.0, f32::min);
        let largest = |group: &[Newcomer]| group.iter().map(|s| s.radius).fold(0.0, f32::max);
        assert!(smallest(&groups[0]) >= 0.125 * largest(&groups[0]));
        for pair in groups.windows(2) {
            assert!(largest(&pair[1]) <= smallest(&pair[0]));
            assert!(largest(&pair[1]) <= 1.415 * smallest(&pair[1]));
        }
        let mut originals: Vec<u32> = groups.iter().flatten().map(|s| s.original).collect();
        originals.sort_unstable();
        assert!(originals.into_iter().eq(0..3000));
    }

    #[test]
    fn nobody_waits_where_sizes_are_alike() {
        let mut rng = Pcg64::seed_from_u64(2);
        let alike = |original| Newcomer {
            original,
            radius: 1.0 + 6.9 * original as f32 / 99.0,
        };
        let before = rng.clone();
        let (large, waiting) = Waiting::split((0..100).map(alike).collect(), &mut rng);
        assert_eq!((large.len(), waiting.groups()), (100, 0));
        assert!(rng == before);
    }

    #[test]
    fn who_is_in_stays_in_place_when_others_come_in() {
        let mut rng = Pcg64::seed_from_u64(3);
        let radii = wide_radii(&mut rng);
        let side = (total_volume(&radii) / 0.9).cbrt();
        let container = Container::new(DVec3::splat(side), "ppw".parse().unwrap()).unwrap();
        let mut state =
            Rearrangement::place(&radii, container, IndexKind::default(), &mut rng, false);
        let places = |state: &Rearrangement| -> HashMap<u32, Point> {
            let points = state.points.iter().copied();
            state.original.iter().copied().zip(points).collect()
        };
        let (mut newcomers, mut crowded) = (0, 0);
        while !state.waiting.is_over() {
            state.sweep(1.9);
            state.grow(1.002);
            let scale = state.scale() as f32;
            let before = places(&state);
            state.admit();
            let after = places(&state);
            assert_eq!(after.len(), state.len());
            state.lists.assert_well_formed();
            for (original, point) in &after {
                assert_eq!(point.radius, radii[*original as usize] as f32);
                if let Some(old) = before.get(original) {
                    assert_eq!(point.at, old.at);
                    continue;
                }
                newcomers += 1;
                let is_in = |other: &Point| {
                    let reach = scale * point.radius.max(other.radius);
                    state.frame.distance(point.at, other.at) < reach
                };
                crowded += usize::from(before.values().any(is_in));
            }
        }
        assert_eq!(state.len(), radii.len());
        assert!(
            newcomers > 2000 && crowded < newcomers / 3,
            "{crowded} of {newcomers}"
        );
    }
}
