//! Random places for spheres.

use std::cmp::Reverse;

use glam::DVec3;
use rand::{Rng, RngExt, SeedableRng};
use rand_pcg::Pcg64;
use rayon::prelude::*;

use crate::{
    container::Container,
    container::frame::{Frame, Point, Steps, curve_key},
    index::{Entry, IndexKind},
    spheres::total_volume,
};

/// Up to this packing fraction no sphere is placed with its centre in another one, where that is possible.
const DILUTE: f64 = 0.3;

/// Places tried for each sphere of a dilute packing.
const TRIES: usize = 100;

/// Places tried for each sphere that comes in later. Most find a good one among these; with a hundred, packing fractions stay the same.
const TRIES_AMONG: u64 = 8;

/// A place is good if no overlap there is deeper than this, relative to the smaller diameter: then no centre is in another sphere.
const GOOD: f32 = 0.5;

/// A sphere that has no place yet, by the caller's number, with its radius at scale 1.
#[derive(Clone, Copy, Debug)]
pub(super) struct Newcomer {
    pub original: u32,
    pub radius: f32,
}

pub(super) fn is_dilute(radii: &[f64], container: Container) -> bool {
    total_volume(radii) <= DILUTE * container.volume()
}

/// Random places inside the walls.
pub(super) fn places_anywhere(
    spheres: &[Newcomer],
    frame: &Frame,
    rng: &mut impl Rng,
) -> Vec<Steps> {
    let anywhere = |sphere: &Newcomer| random_place(sphere.radius, frame, rng);
    spheres.iter().map(anywhere).collect()
}

/// Random places found one by one, the largest sphere first, each where its centre lies in none of those before it.
///
/// In dilute packings, small spheres that start inside a large one would only be pushed to its surface, and crowd there for good.
/// What still overlaps moves little: places stay about as independent of each other as spheres can be.
pub(super) fn places_apart(spheres: &[Newcomer], frame: &Frame, rng: &mut impl Rng) -> Vec<Steps> {
    let mut largest_first: Vec<usize> = (0..spheres.len()).collect();
    largest_first.sort_by_key(|&k| Reverse(spheres[k].radius.to_bits()));
    let mut index = IndexKind::default().build(frame.container(), &[]);
    let mut places = vec![[0; 3]; spheres.len()];
    for k in largest_first {
        let radius = spheres[k].radius;
        let mut at = random_place(radius, frame, rng);
        for _ in 1..TRIES {
            let clear_of = |other: u32| {
                let other = other as usize;
                frame.distance(at, places[other]) >= radius.max(spheres[other].radius)
            };
            let mut is_clear = true;
            index.visit_candidates(frame.center(at), radius.into(), &mut |candidates| {
                is_clear &= candidates.iter().all(|&other| clear_of(other));
            });
            if is_clear {
                break;
            }
            at = random_place(radius, frame, rng);
        }
        places[k] = at;
        let sphere = |k: u32| entry(frame, k, places[k as usize], spheres[k as usize].radius);
        index.insert(sphere(k as u32));
        index.suit(&sphere);
    }
    places
}

/// Places for newcomers among the spheres that are `present`, as large as these are now: of some random places the first that is
/// good, or else that of the shallowest overlap. Newcomers do not mind each other.
///
/// Cost: a few queries of an index for each.
pub(super) fn places_among(
    present: &[Point],
    newcomers: &[Newcomer],
    scale: f32,
    frame: &Frame,
    seed: u64,
) -> Vec<Steps> {
    let entries: Vec<Entry> = (0..)
        .zip(present)
        .map(|(id, sphere)| entry(frame, id, sphere.at, sphere.radius))
        .collect();
    // For small probes among spheres of many sizes it is twice as fast as the loose octree.
    let index = IndexKind::Hgrid.build(frame.container(), &entries);
    drop(entries);
    let deepest_overlap = |at: Steps, radius: f32| {
        let mut deepest = 0f32;
        index.visit_candidates(frame.center(at), radius.into(), &mut |ids| {
            for &id in ids {
                let other = present[id as usize];
                let overlap = radius + other.radius - frame.distance(at, other.at);
                deepest = deepest.max(overlap / (2.0 * radius.min(other.radius)));
            }
        });
        deepest
    };
    let mut best = vec![(f32::INFINITY, [0; 3]); newcomers.len()];
    let mut seeking: Vec<u32> = (0..newcomers.len() as u32).collect();
    for round in 0..TRIES_AMONG {
        let try_place = |&k: &u32| {
            let Newcomer { original, radius } = newcomers[k as usize];
            // Numbers of its own, whatever thread draws them.
            let own = u64::from(original) * TRIES_AMONG + round;
            let mut rng = Pcg64::seed_from_u64(seed.wrapping_add(own));
            let at = random_place(radius, frame, &mut rng);
            (curve_key(at), k, at)
        };
        let mut tried: Vec<(u64, u32, Steps)> = seeking.par_iter().map(try_place).collect();
        // Places side by side read the same part of the index.
        tried.par_sort_unstable();
        let overlaps: Vec<f32> = tried
            .par_iter()
            .map(|&(_, k, at)| deepest_overlap(at, newcomers[k as usize].radius * scale))
            .collect();
        seeking.clear();
        for (&(_, k, at), overlap) in tried.iter().zip(overlaps) {
            let best = &mut best[k as usize];
            if overlap < best.0 {
                *best = (overlap, at);
            }
            if best.0 > GOOD {
                seeking.push(k);
            }
        }
    }
    best.into_iter().map(|(_, at)| at).collect()
}

fn entry(frame: &Frame, id: u32, at: Steps, radius: f32) -> Entry {
    Entry {
        center: frame.center(at),
        radius: radius.into(),
        id,
    }
}

fn random_place(radius: f32, frame: &Frame, rng: &mut impl Rng) -> Steps {
    let container = frame.container();
    let lengths = container.lengths();
    frame.at_fraction(DVec3::from_array(std::array::from_fn(|axis| {
        let margin = if container.is_periodic(axis) {
            0.0
        } else {
            (f64::from(radius) / lengths[axis]).min(0.5)
        };
        margin + rng.random::<f64>() * (1.0 - 2.0 * margin)
    })))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn newcomers_find_room_on_any_number_of_threads() {
        let container = Container::new(DVec3::splat(10.0), "pwp".parse().unwrap()).unwrap();
        let frame = Frame::new(container);
        // Scaled by a half: a large sphere that fills a tenth of the container, and some small ones.
        let mut rng = Pcg64::seed_from_u64(1);
        let present: Vec<Point> = (0..60)
            .map(|k| {
                let radius = if k == 0 { 3.0 } else { 0.4 };
                let at = random_place(radius, &frame, &mut rng);
                Point { at, radius }
            })
            .collect();
        let newcomers: Vec<Newcomer> = (0..1000)
            .map(|original| Newcomer {
                original,
                radius: if original % 2 == 0 { 0.2 } else { 1.2 },
            })
            .collect();
        let with = |threads| {
            let pool = rayon::ThreadPoolBuilder::new()
                .num_threads(threads)
                .build()
                .unwrap();
            pool.install(|| places_among(&present, &newcomers, 0.5, &frame, 7))
        };
        let places = with(1);
        assert_eq!(places, with(3));
        let mut crowded = 0;
        for (&at, newcomer) in places.iter().zip(&newcomers) {
            let wall = frame.center(at).y.min(10.0 - frame.center(at).y);
            assert!(wall >= f64::from(newcomer.radius) - 1e-6);
            let is_in = |other: &Point| {
                frame.distance(at, other.at) < (0.5 * newcomer.radius).max(other.radius)
            };
            crowded += usize::from(present.iter().any(is_in));
        }
        // By chance a sixth of all places are in some sphere; of eight tries, hardly ever all.
        assert!(crowded <= 2, "{crowded} are in another sphere");
        let mut distinct = places.clone();
        distinct.sort_unstable();
        distinct.dedup();
        assert_eq!(distinct.len(), places.len());
    }
}
