//! Steps toward the nearest neighbor: a sphere without overlap closes a share of the gap to it.
//!
//! Raschdorf & Kolonko 2011: "If σ has no overlap, it is moved towards its nearest neighbour as the aim is a dense packing." Their sweep
//! does so at the visit of the sphere. Here, a round before each sweep visits all spheres in the order of a sweep and with its messages, so
//! that the result is the same for any number of threads and ranks. A step of at most the gap to the nearest neighbor causes no overlap with
//! any neighbor, because all of them are at least as far away.

use super::{
    interface::{Arrangement, Move},
    numbers::GapShare,
    relocation::{BlockOutcome, SweepVisit},
};
use crate::{
    container::frame::{Frame, Point, difference},
    machine::clock::Instant,
    rearrange::{constants::LONGEST_STEP, shuffled::shuffled},
};

/// The move of all spheres without overlap toward their nearest neighbors, once all spheres are in the container.
#[derive(Debug)]
pub(in crate::rearrange) struct TowardNearest {
    share: f32,
}

impl TowardNearest {
    /// Creates the move for a requested share of the gap; `None` if it is off.
    pub fn new(share: GapShare) -> Option<Self> {
        (!share.is_off()).then(|| Self {
            share: f64::from(share) as f32,
        })
    }
}

impl Move for TowardNearest {
    fn name(&self) -> &'static str {
        "toward-nearest"
    }

    fn is_due(&self, spheres: &Arrangement) -> bool {
        spheres.sweeps() > 0 && spheres.is_complete()
    }

    /// Moves all spheres without overlap. The next sweep visits all spheres, because nearly all have moved or have a neighbor that has.
    fn round(&mut self, Arrangement(state): &mut Arrangement) {
        let clock = Instant::now();
        state.activity.activate_all();
        let outcome = state.visit(self.share, |block, visit| visit.block_toward_nearest(block));
        state.refresh_stale(outcome.stale, clock);
    }
}

impl SweepVisit<'_> {
    /// Moves the members of a block that have no overlap toward their nearest neighbors.
    fn block_toward_nearest(self, block: u32) -> BlockOutcome {
        let state = self.state;
        let (inflated, lists) = state.neighbors.visited();
        let mut outcome = BlockOutcome::default();
        let seed = state.seed ^ u64::from(block);
        for id in shuffled(state.order.members(block), seed) {
            // SAFETY: the sphere is a member of the block.
            let sphere = unsafe { self.point(id) };
            // SAFETY: the other ones are its neighbors.
            let others = (lists.list(id).iter()).map(|&other| unsafe { self.point(other) });
            let frame = state.points.frame();
            let Some(step) = step_toward_nearest(sphere, others, frame, self.scale, self.factor)
            else {
                continue;
            };
            outcome.relocations += 1;
            if self.place(id, sphere, step, inflated) {
                outcome.stale.push(id);
            }
        }
        outcome
    }
}

/// Returns the step of a sphere toward the nearest one of these other spheres, by a share of the gap between them, but by at most the longest
/// step of a relocation. `None` if the sphere overlaps one of them, or if there are none. Of equally near ones, the first counts.
///
/// Radii are those at scale 1. The step is rounded toward zero, so that it does not exceed the gap.
pub(crate) fn step_toward_nearest(
    sphere: Point,
    others: impl Iterator<Item = Point>,
    frame: &Frame,
    scale: f32,
    share: f32,
) -> Option<[i64; 3]> {
    let mut least = f32::INFINITY;
    let (mut steps, mut length) = ([0.0; 3], 0.0);
    for other in others {
        let to_other = difference(sphere.at, other.at).map(|steps| steps as f32);
        let distance = frame.length_squared(to_other).sqrt();
        let gap = distance - (sphere.radius + other.radius) * scale;
        if gap < 0.0 {
            return None;
        }
        if gap < least {
            (least, steps, length) = (gap, to_other, distance);
        }
    }
    if least == f32::INFINITY {
        return None;
    }
    let wanted = (share * least).min(LONGEST_STEP * sphere.radius * scale);
    let factor = wanted / length;
    Some(steps.map(|component| (factor * component) as i64))
}

#[cfg(test)]
mod tests {
    use glam::DVec3;

    use super::*;
    use crate::{
        container::{Boundaries, Container},
        machine::{ranks::Ranks, threads::on_ranks},
        packing::{Packing, StopReason},
        rearrange::{
            Effort, PackOptions, Packer, Target,
            halo::tests::{joined, power_law},
        },
    };

    fn options() -> PackOptions {
        PackOptions::default()
            .effort(Effort::QUICK)
            .toward_nearest(0.5.try_into().unwrap())
    }

    fn finished(mut packer: Packer) -> Packing {
        while packer.sweep().is_some() {}
        packer.finish().packing
    }

    /// A sphere of radius 1 in a periodic cube of side 20, at the corner.
    #[test]
    fn a_step_closes_a_share_of_the_smallest_gap() {
        let container = Container::cuboid(DVec3::splat(20.0), Boundaries::PERIODIC).unwrap();
        let frame = container.frame();
        let point = |x: f64, y: f64, radius: f64| frame.point(DVec3::new(x, y, 0.5), radius);
        let sphere = point(0.5, 0.5, 1.0);
        let step = |others: &[Point], share: f32| {
            let others = others.iter().copied();
            let steps = step_toward_nearest(sphere, others, &frame, 1.0, share)?;
            Some(DVec3::from_array(steps.map(|step| step as f64)) / frame.per_length)
        };
        // Gaps of 0.4 across the face of the container, of 0.5, and of 0.3 to a larger sphere further away.
        let others = [point(18.1, 0.5, 1.0), point(0.5, 3.0, 1.0)];
        let larger = point(0.5, 4.8, 3.0);
        for (others, share, expected) in [
            (&others[..], 0.5, DVec3::new(-0.2, 0.0, 0.0)),
            (&others[1..], 1.0, DVec3::new(0.0, 0.5, 0.0)),
            (&[others[0], larger][..], 1.0, DVec3::new(0.0, 0.3, 0.0)),
            // A far one: the step is that of a relocation at most.
            (&[point(0.5, 8.5, 1.0)][..], 1.0, DVec3::new(0.0, 0.7, 0.0)),
        ] {
            let found = step(others, share).unwrap();
            assert!(
                found.distance(expected) < 1e-5,
                "{found}, expected {expected}"
            );
        }
        assert_eq!(step(&[], 0.5), None);
        assert_eq!(step(&[others[0], point(2.4, 0.5, 1.0)], 0.5), None);
    }

    /// In a loose packing, spheres without overlap end closer to their nearest neighbors than without the move.
    #[test]
    fn spheres_without_overlap_come_closer_to_their_nearest_neighbors() {
        for radii in [vec![0.5; 1000], power_law(1000, 8.0)] {
            let loose = options().target(Target::Fraction(0.45));
            let mean_gap = |options: &PackOptions| {
                let mut packer = Packer::new(&radii[..], options).unwrap();
                while packer.sweep().is_some() {}
                let ids = 0..radii.len() as u32;
                let gaps: Vec<f64> = ids.filter_map(|id| relative_gap(&packer, id)).collect();
                let packing = packer.finish().packing;
                assert_eq!(packing.certificate().max_overlap, 0.0);
                let provenance = packing.provenance.unwrap();
                assert_eq!(provenance.stop, StopReason::FractionReached);
                let share = f64::from(options.toward_nearest);
                assert_eq!(provenance.toward_nearest, share);
                assert!(gaps.len() > 500);
                gaps.iter().sum::<f64>() / gaps.len() as f64
            };
            let near = mean_gap(&loose);
            let far = mean_gap(&loose.toward_nearest(GapShare::OFF));
            assert!(near < 0.5 * far, "mean gap {near}, without the move {far}");
        }
    }

    /// Returns the gap of a sphere without overlap to its nearest neighbor over its radius.
    fn relative_gap(packer: &Packer, id: u32) -> Option<f64> {
        let points = &packer.state.points;
        let radius = |id: u32| f64::from(points.sphere(id).radius);
        let gap = |&other: &u32| {
            let container = points.container();
            let apart = container.displacement(points.center(id), points.center(other));
            (apart.length() - radius(id) - radius(other)) / radius(id)
        };
        let neighbors = packer.state.neighbors.of(id).iter();
        let least = neighbors.map(gap).fold(f64::INFINITY, f64::min);
        // Spheres in contact may overlap by rounding to single precision.
        (least > -1e-5 && least.is_finite()).then_some(least.max(0.0))
    }

    #[test]
    fn threads_and_ranks_make_one_packing() {
        for radii in [vec![0.5; 1500], power_law(1500, 10.0)] {
            let expected = finished(Packer::new(&radii[..], &options().threads(1)).unwrap());
            let on_threads = finished(Packer::new(&radii[..], &options().threads(3)).unwrap());
            assert_eq!(on_threads, expected);
            for ranks in [2, 3] {
                let packings = on_ranks(ranks, |thread| {
                    let ranks = Ranks::from(thread);
                    let own = radii[ranks.share(radii.len())].to_vec();
                    let builder = Packer::builder().ranks(ranks);
                    finished(builder.place(own, &options().threads(1)).unwrap())
                });
                assert_eq!(joined(packings), expected, "{ranks} ranks");
            }
        }
    }

    #[test]
    fn a_run_continues_from_a_checkpoint() {
        let radii = power_law(800, 10.0);
        let mut packer = Packer::new(&radii[..], &options()).unwrap();
        let mut checkpoints = Vec::new();
        while packer.sweep().is_some() {
            if packer.progress().unwrap().sweeps.is_multiple_of(17) {
                checkpoints.push(packer.checkpoint());
            }
        }
        let expected = packer.finish().packing;
        assert!(checkpoints.len() > 2);
        for checkpoint in checkpoints {
            assert_eq!(
                checkpoint.options().toward_nearest,
                options().toward_nearest
            );
            let continued = Packer::resume(checkpoint).unwrap();
            assert_eq!(finished(continued), expected);
        }
    }
}
