//! The regions of the ranks: the blocks that each rank visits, and the spheres that it must hold for that.

use std::ops::Range;

use super::super::{constants::REACH_MARGIN, order::Level};
use crate::container::frame::{Frame, Point, Steps};

/// A box in steps of the frame.
type Area = [Range<u64>; 3];

/// Enlarges distances, so that rounding hides no sphere.
const MARGIN: f64 = 1.0 + 1e-5;

/// The division of the bounding box among the ranks.
///
/// The box is halved again and again, across its longest axis, in proportion to the ranks on both sides. A block belongs to the rank
/// in whose part its center lies, so that the blocks of a rank form a box on each level.
#[derive(Debug, Default)]
pub(in crate::rearrange) struct Regions {
    ranks: usize,
    periodic: [bool; 3],
    /// Number of steps along each axis.
    spans: [u64; 3],
    /// Length of one step along each axis.
    unit: [f64; 3],
    levels: Vec<LevelRegions>,
}

/// The blocks of the ranks on one level.
#[derive(Debug)]
struct LevelRegions {
    /// Largest inflated radius.
    reach: f64,
    /// By rank, the box of its blocks, if it has any.
    areas: Vec<Option<Area>>,
}

impl Regions {
    /// Divides the blocks of all levels among `ranks` ranks.
    pub fn new(frame: &Frame, ranks: usize, levels: &[Level]) -> Self {
        let unit = std::array::from_fn(|axis| frame.lengths()[axis] / frame.span(axis) as f64);
        let spans: [u64; 3] = std::array::from_fn(|axis| frame.span(axis) as u64);
        let mut parts = Vec::with_capacity(ranks);
        divide(spans.map(|span| 0..span), ranks, &unit, &mut parts);
        let level = |level: &Level| LevelRegions {
            reach: f64::from(level.reach * REACH_MARGIN),
            areas: parts
                .iter()
                .map(|part| area_of_blocks(part, level.grid.blocks, spans))
                .collect(),
        };
        Self {
            ranks,
            periodic: std::array::from_fn(|axis| frame.is_periodic(axis)),
            spans,
            unit,
            levels: levels.iter().map(level).collect(),
        }
    }

    /// Returns the rank that owns spheres of a level whose inflated spheres have their center at `at`.
    pub fn owner(&self, level: u8, at: Steps) -> usize {
        let contains = |area: &Option<Area>| {
            area.as_ref().is_some_and(|area| {
                (0..3).all(|axis| area[axis].contains(&u64::from(at[axis] as u32)))
            })
        };
        let areas = &self.levels[level as usize].areas;
        areas
            .iter()
            .position(contains)
            .expect("the areas of all ranks cover the container")
    }

    /// Returns the ranks that may own a sphere of the same or of a finer level that intersects an inflated sphere.
    pub fn ranks_near(&self, level: u8, inflated: Point) -> impl Iterator<Item = usize> {
        (0..self.ranks).filter(move |&rank| self.is_near(level, inflated, rank))
    }

    /// Returns whether [`Self::ranks_near`] contains a rank.
    pub fn is_near(&self, level: u8, inflated: Point, rank: usize) -> bool {
        self.levels[level as usize..].iter().any(|level| {
            let reach = (f64::from(inflated.radius) + level.reach) * MARGIN;
            level.areas[rank]
                .as_ref()
                .is_some_and(|area| self.squared_distance(area, inflated.at) <= reach * reach)
        })
    }

    /// Returns whether no other rank than the owner `rank` is near an inflated sphere, as far as its distance from the faces of the
    /// blocks of this rank tells. Cost: O(levels), for any number of ranks.
    pub fn is_inside(&self, level: u8, inflated: Point, rank: usize) -> bool {
        self.levels[level as usize..].iter().all(|level| {
            let reach = (f64::from(inflated.radius) + level.reach) * MARGIN;
            let area = level.areas[rank].as_ref();
            area.is_some_and(|area| (0..3).all(|axis| self.depth(area, axis, inflated.at) > reach))
        })
    }

    /// Returns the distance along an axis between a position and the blocks outside of a box; below 0 outside of the box.
    fn depth(&self, area: &Area, axis: usize, at: Steps) -> f64 {
        let (at, Range { start, end }) = (u64::from(at[axis] as u32), &area[axis]);
        if !area[axis].contains(&at) {
            return -1.0;
        }
        let (reaches_start, reaches_end) = (*start == 0, *end == self.spans[axis]);
        let until_others = |steps: u64, reaches_face: bool| {
            let is_last = reaches_face && (!self.periodic[axis] || reaches_start && reaches_end);
            if is_last { u64::MAX } else { steps }
        };
        let below = until_others(at - start, reaches_start);
        let above = until_others(end - at, reaches_end);
        match below.min(above) {
            // A flat container has no length along z.
            u64::MAX => f64::INFINITY,
            steps => steps as f64 * self.unit[axis],
        }
    }

    /// Returns the square of the distance between a position and a box.
    fn squared_distance(&self, area: &Area, at: Steps) -> f64 {
        (0..3)
            .map(|axis| {
                let (at, Range { start, end }) = (u64::from(at[axis] as u32), &area[axis]);
                let steps = if area[axis].contains(&at) {
                    0
                } else if self.periodic[axis] {
                    let below = (*start as u32).wrapping_sub(at as u32);
                    let above = (at as u32).wrapping_sub(*end as u32);
                    u64::from(below.min(above))
                } else if at < *start {
                    start - at
                } else {
                    at - end
                };
                let length = steps as f64 * self.unit[axis];
                length * length
            })
            .sum()
    }
}

/// Divides a part of the box among ranks.
fn divide(part: Area, ranks: usize, unit: &[f64; 3], parts: &mut Vec<Area>) {
    if ranks == 1 {
        parts.push(part);
        return;
    }
    let length = |axis: usize| (part[axis].end - part[axis].start) as f64 * unit[axis];
    // The last of equal axes: there, each half of the box is a half of the space-filling curve.
    let longest = (0..3)
        .max_by(|&a, &b| length(a).total_cmp(&length(b)))
        .unwrap_or(0);
    let lower = ranks / 2;
    let Range { start, end } = part[longest];
    let cut = start + (end - start) * lower as u64 / ranks as u64;
    let (mut low, mut high) = (part.clone(), part);
    low[longest] = start..cut;
    high[longest] = cut..end;
    divide(low, lower, unit, parts);
    divide(high, ranks - lower, unit, parts);
}

/// Returns the box of the blocks whose centers lie in a part, if there are any.
fn area_of_blocks(part: &Area, blocks: [u32; 3], spans: [u64; 3]) -> Option<Area> {
    let area: Area = std::array::from_fn(|axis| {
        let (blocks, span) = (u64::from(blocks[axis]), spans[axis]);
        // The first block whose center (2 k + 1) span / (2 blocks) is not below the limit.
        let first = |limit: u64| {
            (2 * blocks * limit)
                .div_ceil(span)
                .saturating_sub(1)
                .div_ceil(2)
        };
        // The first step of a block.
        let start = |block: u64| (block * span).div_ceil(blocks);
        start(first(part[axis].start).min(blocks))..start(first(part[axis].end).min(blocks))
    });
    area.iter().all(|range| !range.is_empty()).then_some(area)
}

#[cfg(test)]
mod tests {
    use glam::DVec3;
    use rand::{RngExt, SeedableRng};
    use rand_pcg::Pcg64;

    use super::*;
    use crate::{container::Container, rearrange::order::VisitOrder};

    #[test]
    fn a_rank_knows_all_spheres_within_reach_of_its_own() {
        let mut rng = Pcg64::seed_from_u64(4);
        for (lengths, boundary) in [
            (DVec3::splat(20.0), "ppp"),
            (DVec3::new(31.0, 9.0, 14.0), "wpw"),
            (DVec3::new(3.0, 4.0, 50.0), "www"),
        ] {
            let container = Container::cuboid(lengths, boundary.parse().unwrap()).unwrap();
            let frame = container.frame();
            let reach: Vec<f32> = (0..3000)
                .map(|_| 0.9 * 10f32.powf(-rng.random::<f32>()))
                .collect();
            let inflated: Vec<Point> = reach
                .iter()
                .map(|&radius| Point {
                    at: frame.at_fraction(DVec3::from_array(rng.random())),
                    radius,
                })
                .collect();
            let order = VisitOrder::new(&frame, 5, &reach, &inflated);
            for ranks in [1, 2, 3, 7, 8] {
                let mut inside = 0;
                let regions = Regions::new(&frame, ranks, order.levels());
                let owners: Vec<usize> = (0..)
                    .zip(&inflated)
                    .map(|(id, sphere)| regions.owner(order.level(id), sphere.at))
                    .collect();
                assert!((0..ranks).all(|rank| owners.contains(&rank)), "{ranks}");
                for (i, a) in inflated.iter().enumerate().take(300) {
                    let level = order.level(i as u32);
                    let near: Vec<usize> = regions.ranks_near(level, *a).collect();
                    let owner = owners[i];
                    if regions.is_inside(level, *a, owner) {
                        inside += 1;
                        assert_eq!(near, [owner], "{boundary}, {ranks} ranks: {i}");
                    }
                    for (j, b) in inflated.iter().enumerate() {
                        let is_as_fine = order.level(j as u32) >= level;
                        let touches = frame.distance(a.at, b.at) <= a.radius + b.radius;
                        assert!(
                            !(is_as_fine && touches) || near.contains(&owners[j]),
                            "{boundary}, {ranks} ranks: {i} and {j}"
                        );
                    }
                }
                assert!(inside > 0, "{boundary}, {ranks} ranks");
            }
        }
    }
}
