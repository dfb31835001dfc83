//! Division of the spheres of an analysis among ranks.
//!
//! The spheres are sorted along a space-filling curve, and each rank owns a piece of it. A sphere that is near spheres of another rank
//! has a copy there.

use std::{cmp::Ordering, ops::Range, sync::Arc};

use bytemuck::{Pod, Zeroable};
use glam::DVec3;
use rayon::prelude::*;

use super::{
    constants::{PROBE_MARGIN, REGIONS, WAVE_TASK},
    ranks::Ranks,
};
use crate::{
    container::Container,
    machine::{
        communicator::Communicator,
        messages::{from_bytes, gather, send_to_each, to_bytes},
        radix_sort::{Keyed, sort_by_key},
        sample_sort::divide_by_key,
        z_order::z_order,
    },
};

/// Cells along an axis of the curve.
const CURVE_CELLS: f64 = (1 << 21) as f64;

/// A sphere in a message.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct Sphere {
    center: [f64; 3],
    radius: f64,
}

/// Returns the place of a centre on the curve.
fn place(center: DVec3, lengths: DVec3) -> u64 {
    let cell = (center / lengths * CURVE_CELLS).to_array();
    z_order(cell.map(|at| at.min(CURVE_CELLS - 1.0) as u32))
}

/// Sorts spheres along the curve.
///
/// The result does not depend on their order: spheres at one place are sorted by their numbers, and equal ones cannot be told apart.
fn sort(centers: &[DVec3], radii: &[f64], lengths: DVec3) -> (Vec<DVec3>, Vec<f64>) {
    let mut order: Vec<Keyed> = centers
        .par_iter()
        .enumerate()
        .map(|(number, &center)| Keyed {
            key: place(center, lengths),
            number: number as u32,
        })
        .collect();
    sort_by_key(&mut order);
    let numbers = |sphere: &Keyed| {
        let sphere = sphere.number as usize;
        let [x, y, z] = centers[sphere].to_array();
        [x, y, z, radii[sphere]]
    };
    let by_numbers = |a: &Keyed, b: &Keyed| {
        let pairs = numbers(a).into_iter().zip(numbers(b));
        let orders = pairs.map(|(a, b)| a.total_cmp(&b));
        orders.fold(Ordering::Equal, Ordering::then)
    };
    for at_one_place in order.chunk_by_mut(|a, b| { a.key } == { b.key }) {
        at_one_place.sort_unstable_by(by_numbers);
    }
    let sphere = |keyed: &Keyed| (centers[keyed.number as usize], radii[keyed.number as usize]);
    order.par_iter().map(sphere).unzip()
}

/// The spheres of this rank, sorted along the curve, and its part in the division.
pub(super) struct Piece {
    pub centers: Vec<DVec3>,
    pub radii: Vec<f64>,
    /// The spheres of this rank among `centers`; the others are copies. All have the order of the curve.
    pub own: Range<usize>,
    /// `None` if this process has all spheres.
    pub copies: Option<Copies>,
}

impl Piece {
    /// Sorts and divides spheres, of which each rank has any part. `tolerance` is that of [`Region::is_near`].
    pub(super) fn new(
        centers: Vec<DVec3>,
        radii: Vec<f64>,
        container: &Container,
        ranks: &Ranks,
        tolerance: f64,
    ) -> Self {
        let lengths = container.lengths();
        let (mut centers, mut radii) = sort(&centers, &radii, lengths);
        if let Some(ranks) = ranks.communicator() {
            (centers, radii) = divide(&centers, &radii, lengths, &**ranks);
        }
        let own = 0..centers.len();
        match ranks.communicator() {
            None => Self {
                centers,
                radii,
                own,
                copies: None,
            },
            Some(ranks) => Self::with_copies(centers, radii, container, ranks, tolerance),
        }
    }

    fn with_copies(
        centers: Vec<DVec3>,
        radii: Vec<f64>,
        container: &Container,
        ranks: &Arc<dyn Communicator>,
        tolerance: f64,
    ) -> Self {
        let copies = Copies::new(&centers, &radii, container, ranks, tolerance);
        let centers = centers.iter().map(DVec3::to_array).collect();
        let (centers, own) = copies.exchange(centers);
        Self {
            centers: centers.into_iter().map(DVec3::from).collect(),
            radii: copies.exchange(radii).0,
            own,
            copies: Some(copies),
        }
    }
}

/// Returns the spheres of this rank, sorted. Each rank has whole tasks of [`WAVE_TASK`] spheres, so that sums over tasks do not depend on
/// the number of ranks.
fn divide(
    centers: &[DVec3],
    radii: &[f64],
    lengths: DVec3,
    communicator: &dyn Communicator,
) -> (Vec<DVec3>, Vec<f64>) {
    let spheres = joined(centers, radii);
    let place = |sphere: &Sphere| place(sphere.center.into(), lengths);
    let received = divide_by_key(communicator, &spheres, place);
    drop(spheres);
    let (centers, radii) = parted(&received);
    drop(received);
    let (centers, radii) = sort(&centers, &radii, lengths);
    let spheres = joined(&centers, &radii);
    let counts: Vec<u64> = gather(communicator, &[spheres.len() as u64]);
    let first = counts[..communicator.rank()].iter().sum::<u64>() as usize;
    let total = counts.iter().sum::<u64>() as usize;
    let (tasks, ranks) = (total.div_ceil(WAVE_TASK), communicator.ranks());
    let mut rest = spheres.as_slice();
    let mut position = first;
    let messages = (1..=ranks)
        .map(|rank| {
            let end = (tasks * rank / ranks * WAVE_TASK).min(total);
            let (part, after) = rest.split_at(end.saturating_sub(position).min(rest.len()));
            rest = after;
            position += part.len();
            part.to_vec()
        })
        .collect();
    // The senders have successive pieces of the curve.
    parted(&send_to_each(communicator, messages))
}

fn joined(centers: &[DVec3], radii: &[f64]) -> Vec<Sphere> {
    let spheres = centers.iter().zip(radii);
    let sphere = |(center, &radius): (&DVec3, _)| Sphere {
        center: center.to_array(),
        radius,
    };
    spheres.map(sphere).collect()
}

fn parted(spheres: &[Sphere]) -> (Vec<DVec3>, Vec<f64>) {
    let sphere = |sphere: &Sphere| (DVec3::from(sphere.center), sphere.radius);
    spheres.iter().map(sphere).unzip()
}

/// A part of the spheres of a rank.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub(super) struct Region {
    /// Bounding box of the centres.
    low: [f64; 3],
    high: [f64; 3],
    /// Largest radius.
    pub largest: f64,
}

impl Region {
    fn new(centers: &[DVec3], radii: &[f64]) -> Self {
        let low = centers.iter().copied().reduce(DVec3::min);
        let high = centers.iter().copied().reduce(DVec3::max);
        Self {
            low: low.unwrap_or_default().to_array(),
            high: high.unwrap_or_default().to_array(),
            largest: radii.iter().copied().fold(0.0, f64::max),
        }
    }

    /// Returns the distance from a box to the box of the centres, across periodic faces too.
    fn distance(&self, low: [f64; 3], high: [f64; 3], periods: DVec3) -> f64 {
        let along = |axis: usize| {
            let gap = (self.low[axis] - high[axis]).max(low[axis] - self.high[axis]);
            let extent = self.high[axis].max(high[axis]) - self.low[axis].min(low[axis]);
            gap.min(periods[axis] - extent).max(0.0)
        };
        DVec3::new(along(0), along(1), along(2)).length()
    }

    /// Returns the distance from a point to the box of the centres, across periodic faces too.
    pub(super) fn distance_to(&self, point: DVec3, periods: DVec3) -> f64 {
        self.distance(point.to_array(), point.to_array(), periods)
    }

    /// Returns whether the gap between a sphere of `other` and one of this region can be at most `tolerance` smaller diameters.
    fn is_near(&self, other: &Self, periods: DVec3, tolerance: f64) -> bool {
        let smaller = self.largest.min(other.largest);
        let reach = self.largest + other.largest + 2.0 * tolerance * smaller;
        let size = DVec3::from(self.high).max(other.high.into()).length();
        let margin = PROBE_MARGIN * (reach + size);
        self.distance(other.low, other.high, periods) <= reach + margin
    }
}

/// The spheres of this rank that others need, and the regions of this rank.
pub(super) struct Copies {
    ranks: Arc<dyn Communicator>,
    /// For each rank, the positions of its copies among the spheres of this rank, rising.
    sent: Vec<Vec<u32>>,
    pub regions: Vec<Region>,
}

impl Copies {
    fn new(
        centers: &[DVec3],
        radii: &[f64],
        container: &Container,
        ranks: &Arc<dyn Communicator>,
        tolerance: f64,
    ) -> Self {
        let periods = container.periods();
        let chunk = centers.len().div_ceil(REGIONS).max(1);
        let chunks = centers.chunks(chunk).zip(radii.chunks(chunk));
        let regions: Vec<Region> = chunks
            .map(|(centers, radii)| Region::new(centers, radii))
            .collect();
        let of_all = ranks.all_gather(bytemuck::cast_slice(&regions));
        let sent = of_all.into_par_iter().enumerate().map(|(rank, message)| {
            let others: Vec<Region> = from_bytes(&message);
            let needed = |(number, region): (usize, &Region)| {
                let near = |other: &&Region| other.is_near(region, periods, tolerance);
                let near: Vec<&Region> = others.iter().filter(near).collect();
                let spheres = number * chunk..((number + 1) * chunk).min(centers.len());
                let needed = spheres.filter(|&k| {
                    let alone = Region::new(&[centers[k]], &[radii[k]]);
                    near.iter()
                        .any(|other| other.is_near(&alone, periods, tolerance))
                });
                needed.map(|k| k as u32).collect::<Vec<u32>>()
            };
            if rank == ranks.rank() {
                return Vec::new();
            }
            regions.iter().enumerate().flat_map(needed).collect()
        });
        Self {
            sent: sent.collect(),
            regions,
            ranks: ranks.clone(),
        }
    }

    /// Returns the values of all spheres here, and the range of those of this rank, from the values of the spheres of this rank.
    pub(super) fn exchange<T: Pod>(&self, own: Vec<T>) -> (Vec<T>, Range<usize>) {
        let values = |sent: &Vec<u32>| {
            let values = sent.iter().map(|&k| own[k as usize]);
            to_bytes(&values.collect::<Vec<T>>())
        };
        let received = self
            .ranks
            .all_to_all(self.sent.iter().map(values).collect());
        let (before, after) = received.split_at(self.ranks.rank());
        let mut all: Vec<T> = before
            .iter()
            .flat_map(|message| from_bytes(message))
            .collect();
        let range = all.len()..all.len() + own.len();
        all.extend(own);
        all.extend(after.iter().flat_map(|message| from_bytes::<T>(message)));
        (all, range)
    }
}
