//! The last step on ranks: each rank certifies the spheres of a slab.
//!
//! The slabs share nothing with the regions of the loop, so that an error in these cannot hide itself here. Each rank keeps the spheres
//! with successive numbers of the caller: its share of them.

use std::{ops::Range, sync::Arc};

use bytemuck::{Pod, Zeroable};
use glam::DVec3;
use rayon::prelude::*;

use super::{
    domain::Domain,
    record::{gather, send_to_each},
};
use crate::{
    container::{
        Container,
        frame::{Frame, Steps},
    },
    machine::communicator::Communicator,
    packing::{Certificate, certify},
    rearrange::{
        constants::{MOST_EXACT, MOST_ROUNDS},
        finish::{Finished, finish, first_container, grown},
        gaps::{Gaps, missing_gap},
        state::State,
    },
    spheres::Spheres,
};

/// The position of a sphere at the end of the loop.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
struct Position {
    /// The caller's number.
    original: u32,
    at: Steps,
}

/// A sphere at the end of the loop.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
struct Ball {
    radius: f64,
    position: Position,
}

/// The spheres of all ranks in the last step.
pub(in crate::rearrange) struct LastStep<'a> {
    communicator: Arc<dyn Communicator>,
    frame: Frame,
    /// The caller's number of the first sphere of this rank.
    first: u32,
    /// The positions of the share of this rank, by the caller's numbers.
    at: Vec<Steps>,
    /// The radii of the share.
    radii: &'a [f64],
    gaps: Gaps,
}

impl<'a> LastStep<'a> {
    /// Takes over the spheres at the end of the loop. `radii` holds the radii of the share of this rank, by the caller's numbers.
    pub fn new(domain: Domain, state: State, radii: &'a [f64], gaps: Gaps) -> Self {
        let n = state.len();
        let share = domain.share(n);
        let mut messages = vec![Vec::new(); domain.communicator.ranks()];
        for &id in &domain.own {
            let original = state.original[id as usize];
            let at = state.points[id as usize].at;
            messages[domain.rank_of(original as usize, n)].push(Position { original, at });
        }
        let (communicator, frame) = (domain.communicator, state.frame.clone());
        // The lists take more memory than everything that follows.
        drop(state);
        let positions = send_to_each(&*communicator, messages);
        Self::of_share(communicator, frame, share.start, positions, radii, gaps)
    }

    /// Sorts the positions of the share of this rank, which begins with the caller's number `first`.
    fn of_share(
        communicator: Arc<dyn Communicator>,
        frame: Frame,
        first: usize,
        positions: Vec<Position>,
        radii: &'a [f64],
        gaps: Gaps,
    ) -> Self {
        let mut at = vec![[0; 3]; radii.len()];
        for position in positions {
            at[position.original as usize - first] = position.at;
        }
        Self {
            communicator,
            frame,
            first: first as u32,
            at,
            radii,
            gaps,
        }
    }

    /// Places the spheres without overlap, as without ranks. Returns the centers of the share of this rank.
    pub fn finish(
        &self,
        smallest: &Container,
        requested: Option<&Container>,
        reached: bool,
    ) -> (Vec<DVec3>, Container, Certificate) {
        let counts: Vec<u64> = gather(&*self.communicator, &[self.radii.len() as u64]);
        if counts.iter().sum::<u64>() <= MOST_EXACT as u64 {
            return self.finish_few(smallest, requested, reached);
        }
        let smallest_radius = self.radii.iter().copied().fold(f64::MAX, f64::min);
        let smallest_radius = gather(&*self.communicator, &[smallest_radius])
            .into_iter()
            .fold(smallest_radius, f64::min);
        let mut margin = (0.5 * self.gaps.spheres).max(0.05 * smallest_radius);
        let mut container = first_container(smallest, requested, reached);
        let mut rounds = 0;
        loop {
            rounds += 1;
            let (certificate, missing_gap) = self.certify(&container, &mut margin);
            let missing = certificate.max_overlap.max(missing_gap);
            if missing == 0.0 || rounds == MOST_ROUNDS {
                let centers = self.at.par_iter().map(|&at| self.center(at, &container));
                return (centers.collect(), container, certificate);
            }
            container = grown(&container, missing);
        }
    }

    /// Places few spheres on each rank alike.
    fn finish_few(
        &self,
        smallest: &Container,
        requested: Option<&Container>,
        reached: bool,
    ) -> (Vec<DVec3>, Container, Certificate) {
        let at: Vec<Steps> = gather(&*self.communicator, &self.at);
        let radii: Vec<f64> = gather(&*self.communicator, self.radii);
        let fractions: Vec<DVec3> = at.iter().map(|&at| self.frame.fraction(at)).collect();
        let Finished {
            spheres,
            container,
            certificate,
            ..
        } = finish(&fractions, smallest, radii, self.gaps, requested, reached);
        let own = self.first as usize..self.first as usize + self.at.len();
        (spheres.centers()[own].to_vec(), container, certificate)
    }

    fn center(&self, at: Steps, container: &Container) -> DVec3 {
        container.wrap(self.frame.fraction(at) * container.lengths())
    }

    /// Returns the certificate of all spheres, and by how much the requested gaps are missed.
    ///
    /// Two spheres with a gap of at most twice the `margin` are together in a slab. The margin grows until it covers the smallest gap.
    fn certify(&self, container: &Container, margin: &mut f64) -> (Certificate, f64) {
        loop {
            let (originals, spheres) = self.in_slab(container, *margin);
            let own = certify(&spheres, container).renumbered(|k| originals[k] as usize);
            let certificates = gather(&*self.communicator, &own.to_words());
            let certificate = certificates
                .chunks_exact(Certificate::WORDS)
                .map(Certificate::from_words)
                .fold(own, Certificate::min);
            let missing = missing_gap(&spheres, container, self.gaps);
            let missing = gather(&*self.communicator, &[missing])
                .into_iter()
                .fold(0.0, f64::max);
            if certificate.min_gap <= 2.0 * *margin || *margin > container.lengths().element_sum() {
                return (certificate, missing);
            }
            *margin *= 2.0;
        }
    }

    /// Returns the spheres that reach into the slab of this rank, enlarged by a margin, with the caller's numbers, which are sorted.
    fn in_slab(&self, container: &Container, margin: f64) -> (Vec<u32>, Spheres) {
        let mut messages = vec![Vec::new(); self.communicator.ranks()];
        for ((&at, &radius), original) in self.at.iter().zip(self.radii).zip(self.first..) {
            let center = self.center(at, container);
            let position = Position { original, at };
            for slab in slabs(container, center, radius + margin, messages.len()) {
                messages[slab].push(Ball { radius, position });
            }
        }
        // The senders are sorted, and so are the numbers of each.
        let balls: Vec<Ball> = send_to_each(&*self.communicator, messages);
        let centers = balls
            .par_iter()
            .map(|ball| self.center(ball.position.at, container));
        let radii = balls.iter().map(|ball| ball.radius);
        let spheres = Spheres::new(centers.collect(), radii.collect());
        (
            balls.iter().map(|ball| ball.position.original).collect(),
            spheres,
        )
    }
}

/// Returns the slabs, across the longest axis, that a sphere reaches into.
fn slabs(
    container: &Container,
    center: DVec3,
    reach: f64,
    slabs: usize,
) -> impl Iterator<Item = usize> {
    let lengths = container.lengths();
    let axis = lengths.max_position();
    let per_length = slabs as f64 / lengths[axis];
    let reach = reach * (1.0 + 1e-9) + 1e-9 * lengths[axis];
    let [first, last] = [center[axis] - reach, center[axis] + reach]
        .map(|x| (x * per_length).floor().clamp(-1e9, 1e9) as i64);
    let slabs = slabs as i64;
    let range: Range<i64> = if container.is_periodic(axis) {
        first..(last + 1).min(first + slabs)
    } else {
        first.clamp(0, slabs - 1)..last.clamp(0, slabs - 1) + 1
    };
    range.map(move |slab| slab.rem_euclid(slabs) as usize)
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_pcg::Pcg64;

    use super::*;
    use crate::machine::threads::on_ranks;

    /// Returns the certificate that some ranks find for spheres at `positions`.
    fn certified_on(
        ranks: usize,
        container: &Container,
        positions: &[Position],
        radii: &[f64],
    ) -> Certificate {
        let frame = container.frame();
        let found = on_ranks(ranks, |communicator| {
            let domain = Domain::new(communicator);
            let share = domain.share(radii.len());
            let gaps = Gaps {
                spheres: 0.0,
                walls: 0.0,
            };
            let last = LastStep::of_share(
                domain.communicator,
                frame.clone(),
                share.start,
                positions[share.clone()].to_vec(),
                &radii[share],
                gaps,
            );
            last.certify(container, &mut 0.05).0
        });
        assert!(found.iter().all(|other| *other == found[0]));
        found[0]
    }

    #[test]
    fn slabs_find_the_smallest_gap_of_all_spheres() {
        let mut rng = Pcg64::seed_from_u64(6);
        for case in 0..45 {
            let boundary = ["ppp", "wpw", "www"][case % 3].parse().unwrap();
            let container = Container::cuboid(DVec3::new(6.0, 9.0, 4.0), boundary).unwrap();
            let frame = container.frame();
            // From spheres that hardly touch to a large one that crosses several slabs.
            let largest = [0.05, 0.4, 2.5][case / 3 % 3];
            let radii: Vec<f64> = (0..30).map(|k| largest / f64::from(1 + k)).collect();
            let positions: Vec<Position> = (0..30)
                .map(|original| Position {
                    original,
                    at: frame.at_fraction(DVec3::from_array(rng.random())),
                })
                .collect();
            let centers = positions
                .iter()
                .map(|position| container.wrap(frame.fraction(position.at) * container.lengths()))
                .collect();
            let expected = certify(&Spheres::new(centers, radii.clone()), &container);
            for ranks in [1, 2, 5] {
                let found = certified_on(ranks, &container, &positions, &radii);
                assert_eq!(found, expected, "case {case}, {ranks} ranks");
            }
        }
    }
}
