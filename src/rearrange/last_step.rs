//! The last step: from almost no overlap to none, exactly.
//!
//! Each rank certifies the spheres of a slab. The slabs share nothing with the regions of the loop, so that an error in these cannot hide
//! itself here. Each rank keeps the spheres with successive numbers of the caller: its share of them.
//!
//! Few spheres that fit exactly into the requested container.
//!
//! The loop works with single precision and a margin: spheres that touch walls and each other from end to end miss their container by
//! some millionths, or by a thousandth between a body and a wall. Here the worst overlap is removed again and again, in f64.

use std::ops::Range;

use bytemuck::{Pod, Zeroable};
use glam::DVec3;
use rayon::prelude::*;

use super::{
    constants::{EXACT_FIT, FINISH_MARGIN, MOST_EXACT, MOST_ROUNDS, NEARLY_EXACT},
    gaps::{Gaps, certify_gaps, missing_gap},
    state::State,
};
use crate::{
    container::{Container, frame::Steps},
    machine::{
        divided::Divided,
        parallel::Erase,
        ranks::Ranks,
        trace::{part, shared},
    },
    packing::{Certificate, ClosestPair, certify},
    spheres::Spheres,
};

/// Spheres without overlap.
pub(super) struct Finished {
    /// The share of this rank.
    pub spheres: Spheres,
    pub container: Container,
    pub certificate: Certificate,
    /// Whether the container is the requested one.
    pub fits: bool,
}

/// A sphere in the caller's unit.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub(super) struct NumberedSphere {
    /// The caller's number.
    pub number: u64,
    pub center: [f64; 3],
    pub radius: f64,
}

impl NumberedSphere {
    /// Returns center and radius.
    pub fn parts(&self) -> (DVec3, f64) {
        (self.center.into(), self.radius)
    }
}

/// The position of a sphere at the end of the loop.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
struct Position {
    /// The caller's number.
    original: u32,
    at: Steps,
}

/// The spheres of all ranks in the last step.
pub(super) struct LastStep {
    ranks: Ranks,
    /// The caller's number of the first sphere of this rank.
    first: usize,
    /// The centers of the share of this rank as fractions of the bounding box, by the caller's numbers.
    fractions: Vec<DVec3>,
    /// The share of this rank, with its radii, and its centers in the present container.
    spheres: Spheres,
    gaps: Gaps,
}

impl LastStep {
    /// Takes over the spheres at the end of the loop. `radii` holds the radii of the share of this rank, by the caller's numbers.
    pub fn new(state: State, radii: Vec<f64>, gaps: Gaps) -> Self {
        let (n, ranks) = (state.len(), state.halo.ranks.clone());
        // The lists take more memory than everything that follows.
        let (points, original, frame) = state.points.into_parts();
        drop(state.neighbors);
        let mut messages = ranks.messages();
        for id in state.halo.own.iter() {
            let original = original[id as usize];
            let at = points[id as usize].at;
            messages[ranks.rank_of(original as usize, n)].push(Position { original, at });
        }
        drop((points, original));
        let first = ranks.share(n).start;
        let mut fractions = vec![DVec3::ZERO; radii.len()];
        for Position { original, at } in ranks.send_to_each(messages) {
            fractions[original as usize - first] = frame.fraction(at);
        }
        Self {
            ranks,
            first,
            fractions,
            spheres: Spheres::new(vec![DVec3::ZERO; radii.len()], radii),
            gaps,
        }
    }

    /// Places the centers in the requested container if that is `reached` or large enough, or else in the `smallest` container. The
    /// container grows as far as rounding requires.
    ///
    /// All decisions are made in f64, on the numbers of the result.
    pub fn finish(
        mut self,
        smallest: &Container,
        requested: Option<&Container>,
        reached: bool,
    ) -> Finished {
        let smallest = smallest.scaled(1.0 + FINISH_MARGIN);
        let first = match requested {
            Some(requested) if reached || requested.lengths().x >= smallest.lengths().x => {
                requested.clone()
            }
            _ => smallest,
        };
        let exact = requested.filter(|requested| !fits(&first, requested));
        let exact = exact.filter(|requested| self.fit(&first, requested));
        let mut container = exact.cloned().unwrap_or(first);
        let smallest_radius = Divided::new(self.spheres.radii(), &self.ranks).smallest();
        let mut margin = (0.5 * self.gaps.spheres).max(0.05 * smallest_radius);
        let mut rounds = 0;
        loop {
            rounds += 1;
            self.place(&container);
            let (certificate, missing_gap) =
                part("certificate", || self.certify(&container, &mut margin));
            let missing = certificate.max_overlap.max(missing_gap);
            // No growth separates two spheres at one point. The certificate states their overlap.
            if missing == 0.0 || rounds == MOST_ROUNDS {
                return Finished {
                    spheres: self.spheres,
                    fits: requested.is_some_and(|requested| fits(&container, requested)),
                    container,
                    certificate,
                };
            }
            let shortest = container.shortest_length();
            container = container.scaled(1.0 + (missing / shortest).max(1e-12));
        }
    }

    /// Moves few spheres so that they fit into the requested container. Returns whether they do. All ranks find the same positions.
    fn fit(&mut self, first: &Container, requested: &Container) -> bool {
        if self.ranks.total(self.spheres.len()) > MOST_EXACT {
            return false;
        }
        let arrays = self.fractions.iter().map(DVec3::to_array);
        let fractions: Vec<[f64; 3]> = self.ranks.gather(Vec::from_iter(arrays));
        let fractions: Vec<DVec3> = fractions.into_iter().map(DVec3::from).collect();
        let radii = self.ranks.gather(self.spheres.radii());
        let Some(fitting) = exact_fit(&fractions, &radii, first, requested, self.gaps) else {
            return false;
        };
        let own = self.first..self.first + self.spheres.len();
        self.fractions.copy_from_slice(&fitting[own]);
        true
    }

    /// Places the share of this rank in a container.
    fn place(&mut self, container: &Container) {
        let (_, radii) = std::mem::take(&mut self.spheres).into_parts();
        let center = |&fraction: &DVec3| container.wrap(fraction * container.lengths());
        let centers = shared("centers", || {
            self.fractions.par_iter().erased().map(center).collect()
        });
        self.spheres = Spheres::new(centers, radii);
    }

    /// Returns the certificate of all spheres, and by how much the requested gaps are missed.
    ///
    /// Two spheres with a gap of at most twice the `margin` are together in a slab. The margin grows until it covers the smallest gap.
    fn certify(&self, container: &Container, margin: &mut f64) -> (Certificate, f64) {
        // The copies of a slab would take more memory than the spheres.
        if self.ranks.is_alone() {
            let missing = missing_gap(&self.spheres, container, self.gaps);
            return (certify(&self.spheres, container), missing);
        }
        loop {
            let (originals, spheres) = self.in_slab(container, *margin);
            let own = certify(&spheres, container).renumbered(|k| originals[k]);
            let certificates = self.ranks.gather(&own.to_words()[..]);
            let certificate = certificates
                .chunks_exact(Certificate::WORDS)
                .map(Certificate::from_words)
                .fold(own, Certificate::min);
            let missing = missing_gap(&spheres, container, self.gaps);
            let missing = self.ranks.largest(missing);
            // Otherwise, a pair with a smaller gap may be in no slab.
            if certificate.min_gap <= 2.0 * *margin || *margin > container.lengths().element_sum() {
                return (certificate, missing);
            }
            *margin *= 2.0;
        }
    }

    /// Returns the spheres that reach into the slab of this rank, enlarged by a margin, with the caller's numbers, which are sorted.
    fn in_slab(&self, container: &Container, margin: f64) -> (Vec<usize>, Spheres) {
        let mut messages = self.ranks.messages();
        for ((center, radius), number) in self.spheres.iter().zip(self.first..) {
            let sphere = NumberedSphere {
                number: number as u64,
                center: center.to_array(),
                radius,
            };
            for slab in slabs(container, center, radius + margin, messages.len()) {
                messages[slab].push(sphere);
            }
        }
        // The senders are sorted, and so are the numbers of each.
        let spheres: Vec<NumberedSphere> = self.ranks.send_to_each(messages);
        let numbers = spheres
            .iter()
            .map(|sphere| sphere.number as usize)
            .collect();
        let (centers, radii) = spheres.iter().map(NumberedSphere::parts).unzip();
        (numbers, Spheres::new(centers, radii))
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

/// Returns whether a container counts as the requested one: but for rounding in f64.
pub(super) fn fits(container: &Container, requested: &Container) -> bool {
    container.lengths().x <= requested.lengths().x * (1.0 + EXACT_FIT)
}

/// Returns positions in the `requested` container, as shares of its bounding box, at which spheres overlap by rounding errors only.
/// `None` if there are many spheres, if their `smallest` container is not nearly the requested one, or if none are found.
///
/// Cost: O(N) for each move. The search ends after 50 N moves that have not halved the largest overlap.
fn exact_fit(
    fractions: &[DVec3],
    radii: &[f64],
    smallest: &Container,
    requested: &Container,
    gaps: Gaps,
) -> Option<Vec<DVec3>> {
    let lengths = requested.lengths();
    if radii.len() > MOST_EXACT || smallest.lengths().x > lengths.x * (1.0 + NEARLY_EXACT) {
        return None;
    }
    let smallest_radius = radii.iter().copied().fold(f64::INFINITY, f64::min);
    let centers = fractions.iter().map(|&fraction| fraction * lengths);
    let mut spheres = Spheres::new(centers.collect(), radii.to_vec());
    let (mut least, mut rest) = (f64::INFINITY, 0);
    loop {
        let found = certify_gaps(&spheres, requested, gaps);
        if found.max_overlap < 0.5 * least {
            (least, rest) = (found.max_overlap, 50 * radii.len());
        }
        if found.max_overlap <= 0.1 * EXACT_FIT * smallest_radius {
            let centers = spheres.centers().iter();
            return Some(centers.map(|&center| requested.fractions(center)).collect());
        }
        rest = rest.checked_sub(1)?;
        spheres = separated(spheres, requested, found)?;
    }
}

/// Returns the spheres after the closest two, or the closest to a wall, have moved apart by their overlap. `None` if no direction does.
fn separated(spheres: Spheres, container: &Container, found: Certificate) -> Option<Spheres> {
    let overlap = found.max_overlap;
    let (mut centers, radii) = spheres.into_parts();
    match found.closest? {
        ClosestPair::Spheres(first, second) => {
            let way = container.displacement(centers[first], centers[second]);
            let half = 0.5 * overlap * way.try_normalize()?;
            for (sphere, way) in [(first, -half), (second, half)] {
                centers[sphere] = container.wrap(centers[sphere] + way);
            }
        }
        ClosestPair::Wall(sphere, _) | ClosestPair::Side(sphere) | ClosestPair::Body(sphere, _) => {
            let center = centers[sphere];
            // So near that no other wall is closer.
            let h = 0.25 * overlap;
            let gap = |way: DVec3| container.wall_gap(center + way, 0.0);
            let slope = |axis: DVec3| gap(h * axis) - gap(-h * axis);
            let inward = DVec3::new(slope(DVec3::X), slope(DVec3::Y), slope(DVec3::Z));
            centers[sphere] = container.wrap(center + overlap * inward.try_normalize()?);
        }
        ClosestPair::Image(..) => return None,
    }
    Some(Spheres::new(centers, radii))
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_pcg::Pcg64;

    use super::*;
    use crate::machine::threads::on_ranks;

    /// Returns the certificate that some ranks find for spheres with these centers.
    fn certified_on(
        ranks: usize,
        container: &Container,
        centers: &[DVec3],
        radii: &[f64],
    ) -> Certificate {
        let found = on_ranks(ranks, |thread| {
            let ranks = Ranks::from(thread);
            let share = ranks.share(radii.len());
            let own = (
                centers[share.clone()].to_vec(),
                radii[share.clone()].to_vec(),
            );
            let last = LastStep {
                ranks,
                first: share.start,
                fractions: Vec::new(),
                spheres: Spheres::new(own.0, own.1),
                gaps: Gaps {
                    spheres: 0.0,
                    walls: 0.0,
                },
            };
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
            // From spheres that hardly touch to a large one that crosses several slabs.
            let largest = [0.05, 0.4, 2.5][case / 3 % 3];
            let radii: Vec<f64> = (0..30).map(|k| largest / f64::from(1 + k)).collect();
            let centers: Vec<DVec3> = (0..30)
                .map(|_| container.lengths() * DVec3::from_array(rng.random()))
                .collect();
            let spheres = Spheres::new(centers.clone(), radii.clone());
            let expected = certify(&spheres, &container);
            for ranks in [1, 2, 5] {
                let found = certified_on(ranks, &container, &centers, &radii);
                assert_eq!(found, expected, "case {case}, {ranks} ranks");
            }
        }
    }
}
