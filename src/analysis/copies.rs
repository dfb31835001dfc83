//! Copies of the spheres of other ranks.

use std::ops::Range;

use bytemuck::{Pod, Zeroable};
use glam::DVec3;
use rayon::prelude::*;

use super::constants::{PROBE_MARGIN, REGIONS};
use crate::{
    container::Container,
    machine::{
        parallel::Erase,
        ranks::{Ranks, from_bytes, to_bytes},
    },
};

/// A part of the spheres of a rank.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
pub(super) struct Region {
    /// Bounding box of the centers.
    low: DVec3,
    high: DVec3,
    /// Largest radius.
    pub largest: f64,
}

impl Region {
    fn new(centers: &[DVec3], radii: &[f64]) -> Self {
        let low = centers.iter().copied().reduce(DVec3::min);
        let high = centers.iter().copied().reduce(DVec3::max);
        Self {
            low: low.unwrap_or_default(),
            high: high.unwrap_or_default(),
            largest: radii.iter().copied().fold(0.0, f64::max),
        }
    }

    /// Returns the distance from a box to the box of the centers, across periodic faces too.
    fn distance(&self, low: DVec3, high: DVec3, periods: DVec3) -> f64 {
        let gap = (self.low - high).max(low - self.high);
        let extent = self.high.max(high) - self.low.min(low);
        gap.min(periods - extent).max(DVec3::ZERO).length()
    }

    /// Returns the distance from a point to the box of the centers, across periodic faces too.
    pub(super) fn distance_to(&self, point: DVec3, periods: DVec3) -> f64 {
        self.distance(point, point, periods)
    }

    /// Returns whether the gap between a sphere of `other` and one of this region can be at most `tolerance` smaller diameters.
    fn is_near(&self, other: &Self, periods: DVec3, tolerance: f64) -> bool {
        let smaller = self.largest.min(other.largest);
        let reach = self.largest + other.largest + 2.0 * tolerance * smaller;
        let size = self.high.max(other.high).length();
        let margin = PROBE_MARGIN * (reach + size);
        self.distance(other.low, other.high, periods) <= reach + margin
    }
}

/// The spheres of this rank that others need, and the regions of this rank.
pub(super) struct Copies {
    ranks: Ranks,
    /// For each rank, the positions of its copies among the spheres of this rank, sorted.
    sent: Vec<Vec<u32>>,
    pub regions: Vec<Region>,
}

impl Copies {
    /// Finds the spheres of this rank that can be within `tolerance` smaller diameters of spheres of others.
    pub(super) fn new(
        centers: &[DVec3],
        radii: &[f64],
        container: &Container,
        ranks: &Ranks,
        tolerance: f64,
    ) -> Self {
        let periods = container.periods();
        let chunk = centers.len().div_ceil(REGIONS).max(1);
        let chunks = centers.chunks(chunk).zip(radii.chunks(chunk));
        let regions: Vec<Region> = chunks
            .map(|(centers, radii)| Region::new(centers, radii))
            .collect();
        let of_all = ranks.all_gather(bytemuck::cast_slice(&regions));
        let sent = of_all
            .into_par_iter()
            .enumerate()
            .erased()
            .map(|(rank, message)| {
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
