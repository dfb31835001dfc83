//! The random placement that the loop starts from.

use std::cmp::Reverse;

use glam::DVec3;
use rand::{Rng, RngExt};

use crate::frame::{Frame, Point, Steps};
use crate::{
    index::{Entry, GlobalIndex, IndexKind},
    spheres::total_volume,
};

/// Up to this packing fraction no sphere is placed with its centre in another one, where that is possible.
const DILUTE: f64 = 0.3;

/// Places tried for each sphere of a dilute packing.
const TRIES: usize = 100;

/// Spheres of the given radii at random places, inside the walls.
///
/// Dense packings begin with overlaps of all kinds. In dilute ones the small spheres that start inside a large one would only be
/// pushed to its surface, and crowd there for good; so these are placed one by one, the largest first, each where its centre lies in
/// none of those before it. What still overlaps moves little: places stay about as independent of each other as spheres
/// can be.
pub(super) fn place(radii: &[f64], frame: &Frame, rng: &mut impl Rng) -> Vec<Point> {
    if total_volume(radii) > DILUTE * frame.container().volume() {
        let anywhere = |&radius: &f64| Point {
            at: random_place(radius, frame, rng),
            radius: radius as f32,
        };
        return radii.iter().map(anywhere).collect();
    }
    let mut largest_first: Vec<u32> = (0..radii.len() as u32).collect();
    largest_first.sort_by_key(|&id| Reverse(radii[id as usize].to_bits()));
    let mut index = IndexKind::default().build(frame.container(), &[]);
    let mut points = vec![
        Point {
            at: [0; 3],
            radius: 0.0
        };
        radii.len()
    ];
    for id in largest_first {
        let radius = radii[id as usize];
        let mut at = random_place(radius, frame, rng);
        for _ in 1..TRIES {
            let clear_of = |other: u32| {
                let there = frame.center(points[other as usize].at);
                let apart = frame.container().displacement(frame.center(at), there);
                apart.length() >= radius.max(radii[other as usize])
            };
            if is_clear(&*index, frame.center(at), radius, clear_of) {
                break;
            }
            at = random_place(radius, frame, rng);
        }
        points[id as usize] = Point {
            at,
            radius: radius as f32,
        };
        let sphere = |id: u32| Entry {
            center: frame.center(points[id as usize].at),
            radius: radii[id as usize],
            id,
        };
        index.insert(sphere(id));
        index.suit(&sphere);
    }
    points
}

fn random_place(radius: f64, frame: &Frame, rng: &mut impl Rng) -> Steps {
    let container = frame.container();
    let lengths = container.lengths();
    frame.at_fraction(DVec3::from_array(std::array::from_fn(|axis| {
        let margin = if container.is_periodic(axis) {
            0.0
        } else {
            (radius / lengths[axis]).min(0.5)
        };
        margin + rng.random::<f64>() * (1.0 - 2.0 * margin)
    })))
}

/// Whether a sphere is clear of all candidates that the index offers.
fn is_clear(
    index: &dyn GlobalIndex,
    center: DVec3,
    radius: f64,
    clear_of: impl Fn(u32) -> bool,
) -> bool {
    let mut clear = true;
    index.visit_candidates(center, radius, &mut |candidates| {
        clear &= candidates.iter().all(|&other| clear_of(other));
    });
    clear
}
