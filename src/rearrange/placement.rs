//! Random positions of spheres, at the start and for insertions.

use std::{
    cmp::Reverse,
    convert::Infallible,
    sync::atomic::{AtomicI32, AtomicU32, Ordering::Relaxed},
};

use bytemuck::{Pod, Zeroable};
use rand::{Rng, SeedableRng, TryRng};
use rand_pcg::Pcg64;
use rayon::prelude::*;

use super::{
    constants::{DILUTE, DILUTE_TRIES, FIRST_SKIN, GOOD_OVERLAP, INSERTION_TRIES},
    limit::Limit,
    moves::pending::PendingSphere,
};
use crate::{
    container::{
        Container,
        frame::{Frame, Point, Steps, curve_key},
    },
    index::{Entry, GlobalIndex, IndexBuilder, IndexKind},
    machine::{
        divided::Divided,
        parallel::Erase,
        ranks::Ranks,
        trace::{shared, task},
    },
};

/// Spheres that one task places at random.
const TASK: usize = 1 << 14;

/// A sphere with its position, but without a number along the space-filling curve.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub(super) struct Placed {
    /// With its radius at scale 1.
    pub sphere: Point,
    /// The caller's number.
    pub original: u32,
    inflated: f32,
    padding: [u32; 2],
}

impl Placed {
    /// Returns a sphere with the radius of its inflated sphere.
    pub fn new(original: u32, sphere: Point, inflated: f32) -> Self {
        Self {
            sphere,
            original,
            inflated,
            padding: [0; 2],
        }
    }

    /// Returns the inflated sphere.
    pub fn inflated(&self) -> Point {
        Point {
            radius: self.inflated,
            ..self.sphere
        }
    }

    /// Returns the position along the curve. The caller's numbers decide between equal positions.
    pub fn key(&self) -> (u64, u32) {
        (curve_key(self.sphere.at), self.original)
    }
}

/// Returns inserted spheres at their positions, with their first inflated radii.
pub(super) fn placed(
    inserted: &[PendingSphere],
    positions: Vec<Steps>,
    scale: f32,
) -> impl IndexedParallelIterator<Item = Placed> {
    inserted
        .par_iter()
        .zip(positions)
        .erased()
        .map(move |(sphere, at)| {
            let &PendingSphere { original, radius } = sphere;
            let scaled = Point {
                at,
                radius: radius * scale,
            };
            Placed::new(
                original,
                Point { at, radius },
                scaled.inflated(FIRST_SKIN).radius,
            )
        })
}

/// A random position for one of some inserted spheres.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct TriedPosition {
    key: u64,
    /// Position of the sphere among the inserted ones.
    pub sphere: u32,
    pub at: Steps,
}

/// The best position of a sphere so far. Threads change those of different spheres at the same time.
struct BestPosition {
    /// Bits of the overlap, an `f32`.
    overlap: AtomicU32,
    at: [AtomicI32; 3],
}

impl BestPosition {
    fn none() -> Self {
        Self {
            overlap: AtomicU32::new(f32::INFINITY.to_bits()),
            at: [const { AtomicI32::new(0) }; 3],
        }
    }

    fn overlap(&self) -> f32 {
        f32::from_bits(self.overlap.load(Relaxed))
    }

    fn at(&self) -> Steps {
        [0, 1, 2].map(|axis| self.at[axis].load(Relaxed))
    }

    /// Takes a position if its overlap is smaller.
    fn improve(&self, overlap: f32, at: Steps) {
        if overlap < self.overlap() {
            self.overlap.store(overlap.to_bits(), Relaxed);
            for (own, new) in self.at.iter().zip(at) {
                own.store(new, Relaxed);
            }
        }
    }
}

/// A container with the fixed-point frame of its bounding box.
#[derive(Clone, Copy)]
pub(super) struct Space<'a> {
    pub container: &'a Container,
    pub frame: &'a Frame,
    /// Distance that a sphere keeps from walls beyond its radius, at scale 1.
    pub wall_offset: f32,
    /// Once it is reached, spheres take the next best position.
    pub limit: &'a Limit,
}

impl Space<'_> {
    fn entry(&self, id: u32, at: Steps, radius: f32) -> Entry {
        Entry {
            center: self.frame.center(at),
            radius: radius.into(),
            id,
        }
    }

    fn random_position(&self, radius: f32, rng: &mut impl Rng) -> Steps {
        let wall_radius = radius + self.wall_offset;
        let container = self.container;
        // Spheres that overlap fixed ones are left out at the end.
        if container.has_fixed() && self.limit.cuts() {
            return container.random_position_in_outer(self.frame, wall_radius, rng);
        }
        container.random_position(self.frame, wall_radius, rng)
    }

    /// Returns random positions of spheres, after some numbers of the generator.
    ///
    /// In most containers each sphere takes as many numbers as the others, so that threads can skip those of earlier spheres.
    fn positions_after(&self, numbers: u64, spheres: &[PendingSphere], rng: &Pcg64) -> Drawn {
        let draw = |numbers: u64, spheres: &[PendingSphere]| {
            let mut rng = rng.clone();
            rng.advance(numbers.into());
            let mut rng = Counted { rng, drawn: 0 };
            let spheres = spheres.iter();
            Drawn {
                positions: spheres
                    .map(|sphere| self.random_position(sphere.radius, &mut rng))
                    .collect(),
                numbers: rng.drawn,
            }
        };
        let first = draw(numbers, &spheres[..TASK.min(spheres.len())]);
        if first.positions.len() == spheres.len() {
            return first;
        }
        if first.numbers.is_multiple_of(TASK as u64) {
            let each = first.numbers / TASK as u64;
            let before = |k: usize| numbers + each * ((k + 1) * TASK) as u64;
            let parts = spheres[TASK..].par_chunks(TASK).enumerate().erased();
            let others: Vec<Drawn> = shared("random positions", || {
                parts
                    .map(|(k, part)| task(|| draw(before(k), part)))
                    .collect()
            });
            let took_each = |part: &Drawn| part.numbers == each * part.positions.len() as u64;
            if others.iter().all(took_each) {
                let mut positions = first.positions;
                positions.extend(others.into_iter().flat_map(|part| part.positions));
                return Drawn {
                    numbers: each * spheres.len() as u64,
                    positions,
                };
            }
        }
        draw(numbers, spheres)
    }

    /// Returns positions for `inserted` spheres: of some random positions the first good one, or else the one with the smallest overlap.
    /// `overlaps` returns the overlaps at some positions.
    pub fn best_positions(
        &self,
        inserted: &[PendingSphere],
        seed: u64,
        overlaps: impl Fn(&[TriedPosition]) -> Vec<f32>,
    ) -> Vec<Steps> {
        let best: Vec<BestPosition> = (0..inserted.len())
            .into_par_iter()
            .erased()
            .map(|_| BestPosition::none())
            .collect();
        let mut searching: Vec<u32> = (0..inserted.len() as u32).collect();
        for round in 0..INSERTION_TRIES {
            let tried = self.tried_positions(inserted, &searching, seed, round);
            let overlaps = overlaps(&tried);
            shared("best positions", || {
                (tried.par_iter().zip(overlaps).erased()).for_each(|(tried, overlap)| {
                    best[tried.sphere as usize].improve(overlap, tried.at);
                });
                let is_poor = |&sphere: &u32| best[sphere as usize].overlap() > GOOD_OVERLAP;
                searching = searching
                    .par_iter()
                    .erased()
                    .copied()
                    .filter(is_poor)
                    .collect();
            });
        }
        best.iter().map(BestPosition::at).collect()
    }

    /// Returns a random position for each sphere that still searches, in the order of the space-filling curve: successive
    /// queries then read the same part of the index.
    fn tried_positions(
        &self,
        inserted: &[PendingSphere],
        searching: &[u32],
        seed: u64,
        round: u64,
    ) -> Vec<TriedPosition> {
        let try_position = |&sphere: &u32| {
            let PendingSphere { original, radius } = inserted[sphere as usize];
            // A generator for each sphere and round, so that the numbers do not depend on the thread.
            let stream = u64::from(original) * INSERTION_TRIES + round;
            let mut rng = Pcg64::seed_from_u64(seed.wrapping_add(stream));
            let at = self.random_position(radius, &mut rng);
            let key = curve_key(at);
            TriedPosition { key, sphere, at }
        };
        shared("random positions", || {
            let mut tried: Vec<_> = searching.par_iter().erased().map(try_position).collect();
            tried.par_sort_unstable();
            tried
        })
    }
}

/// Returns whether spheres of the given radii are dilute enough for [`separate_positions`].
pub(super) fn is_dilute(radii: &Divided, container: &Container) -> bool {
    radii.volume(container.dimension()) <= DILUTE * container.volume()
}

/// Returns independent random positions inside the walls. Each of the `ranks` passes its part of the spheres.
pub(super) fn independent_positions(
    spheres: &[PendingSphere],
    space: Space,
    ranks: &Ranks,
    rng: &mut Pcg64,
) -> Vec<Steps> {
    let mut drawn = Drawn::default();
    // The spheres of earlier ranks took the first numbers.
    let place = |before: u64| {
        drawn = space.positions_after(before, spheres, rng);
        before + drawn.numbers
    };
    let numbers = ranks.in_turn(0, place);
    rng.advance(numbers.into());
    drawn.positions
}

/// Random positions.
#[derive(Default)]
struct Drawn {
    positions: Vec<Steps>,
    /// Random numbers that the positions took.
    numbers: u64,
}

/// A generator that counts the numbers it draws.
struct Counted {
    rng: Pcg64,
    drawn: u64,
}

impl TryRng for Counted {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        self.drawn += 1;
        self.rng.try_next_u32()
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        self.drawn += 1;
        self.rng.try_next_u64()
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        // One number for each eight bytes.
        self.drawn += bytes.len().div_ceil(8) as u64;
        self.rng.try_fill_bytes(bytes)
    }
}

/// Returns random positions found one by one, from the largest sphere to the smallest. If possible, no center lies in a sphere
/// that has a position already.
///
/// In a dilute packing, a small sphere that starts inside a large one would only be moved to its surface, and small spheres
/// would gather there for good. The overlaps that remain move spheres little: positions stay nearly independent of each other.
pub(super) fn separate_positions(
    spheres: &[PendingSphere],
    space: Space,
    rng: &mut impl Rng,
) -> Vec<Steps> {
    let mut largest_first: Vec<usize> = (0..spheres.len()).collect();
    largest_first.sort_by_key(|&k| Reverse(spheres[k].radius.to_bits()));
    let mut index = IndexKind::default().build(space.container, &[]);
    let mut positions = vec![[0; 3]; spheres.len()];
    for k in largest_first {
        let radius = spheres[k].radius;
        let mut at = space.random_position(radius, rng);
        for _ in 1..DILUTE_TRIES {
            if space.limit.cuts() {
                break;
            }
            let is_outside = |other: u32| {
                let other = other as usize;
                let distance = space.frame.distance(at, positions[other]);
                distance >= radius.max(spheres[other].radius)
            };
            let mut is_clear = true;
            let center = space.frame.center(at);
            index.visit_candidates(center, radius.into(), &mut |candidates| {
                is_clear &= candidates.iter().all(|&other| is_outside(other));
            });
            if is_clear {
                break;
            }
            at = space.random_position(radius, rng);
        }
        positions[k] = at;
        let sphere = |k: u32| space.entry(k, positions[k as usize], spheres[k as usize].radius);
        index
            .insert(sphere(k as u32))
            .expect("every sphere is inserted once, with finite numbers");
        index.rebuild_if_needed(&sphere);
    }
    positions
}

/// The spheres that are in the container when others are inserted.
pub(super) struct Present<'a> {
    pub space: Space<'a>,
    /// Spheres with their radii at the present scale.
    pub spheres: &'a [Point],
    pub scale: f32,
}

impl Present<'_> {
    /// Returns an index of the spheres by their positions in the slice.
    pub fn index(&self) -> Box<dyn GlobalIndex> {
        let entry = |(id, sphere): (usize, &Point)| {
            let Point { at, radius } = *sphere;
            self.space.entry(id as u32, at, radius)
        };
        let entries: Vec<Entry> = shared("spheres before an insertion", || {
            self.spheres
                .par_iter()
                .enumerate()
                .erased()
                .map(entry)
                .collect()
        });
        // For small probes among spheres of many sizes, it is twice as fast as the loose octree.
        IndexKind::Hgrid.build(self.space.container, &entries)
    }

    /// Returns the largest relative overlap that a sphere at some position would have.
    pub fn deepest_overlap(&self, index: &dyn GlobalIndex, at: Steps, radius: f32) -> f32 {
        let mut deepest = 0f32;
        let center = self.space.frame.center(at);
        index.visit_candidates(center, radius.into(), &mut |ids| {
            for &id in ids {
                let other = self.spheres[id as usize];
                let overlap = radius + other.radius - self.space.frame.distance(at, other.at);
                deepest = deepest.max(overlap / (2.0 * radius.min(other.radius)));
            }
        });
        deepest
    }
}

#[cfg(test)]
mod tests {
    use std::iter::once;

    use glam::DVec3;

    use super::*;
    use crate::{container::Boundary, rearrange::halo::Halo};

    #[test]
    fn inserted_spheres_find_positions_on_any_number_of_threads() {
        let container = Container::cuboid(DVec3::splat(10.0), "pwp".parse().unwrap()).unwrap();
        let frame = container.frame();
        let space = Space {
            container: &container,
            frame: &frame,
            wall_offset: 0.0,
            limit: &Limit::default(),
        };
        // At scale 0.5, a large sphere that fills a tenth of the container, and some small ones.
        let mut rng = Pcg64::seed_from_u64(1);
        let spheres: Vec<Point> = (0..60)
            .map(|k| {
                let radius = if k == 0 { 3.0 } else { 0.4 };
                let at = space.random_position(radius, &mut rng);
                Point { at, radius }
            })
            .collect();
        let inserted: Vec<PendingSphere> = (0..1000)
            .map(|original| PendingSphere {
                original,
                radius: if original % 2 == 0 { 0.2 } else { 1.2 },
            })
            .collect();
        let present = Present {
            space,
            spheres: &spheres,
            scale: 0.5,
        };
        let with = |threads| {
            let pool = rayon::ThreadPoolBuilder::new()
                .num_threads(threads)
                .build()
                .unwrap();
            pool.install(|| {
                Halo::new(Ranks::default()).positions_for(&inserted, 7, &present, |_| once(0))
            })
        };
        let positions = with(1);
        assert_eq!(positions, with(3));
        let mut enclosed = 0;
        for (&at, sphere) in positions.iter().zip(&inserted) {
            let wall = frame.center(at).y.min(10.0 - frame.center(at).y);
            assert!(wall >= f64::from(sphere.radius) - 1e-6);
            let encloses = |other: &Point| {
                frame.distance(at, other.at) < (0.5 * sphere.radius).max(other.radius)
            };
            enclosed += usize::from(spheres.iter().any(encloses));
        }
        // A random position lies in a sphere with probability 1/6; eight of them in a row hardly ever do.
        assert!(enclosed <= 2, "{enclosed} centers lie in another sphere");
        let mut distinct = positions.clone();
        distinct.sort_unstable();
        distinct.dedup();
        assert_eq!(distinct.len(), positions.len());
    }

    #[test]
    fn threads_skip_the_numbers_of_earlier_spheres() {
        let cuboid = Container::cuboid(DVec3::splat(10.0), "pwp".parse().unwrap()).unwrap();
        // Here the spheres take different numbers.
        let cylinder = Container::cylinder(10.0, 8.0, Boundary::Periodic).unwrap();
        for container in [cuboid, cylinder] {
            let frame = container.frame();
            let space = Space {
                container: &container,
                frame: &frame,
                wall_offset: 0.0,
                limit: &Limit::default(),
            };
            let spheres: Vec<PendingSphere> = (0..2 * TASK as u32 + 5)
                .map(|original| PendingSphere {
                    original,
                    radius: 0.1 + 0.2 * (original % 3) as f32,
                })
                .collect();
            let (mut one, mut many) = (Pcg64::seed_from_u64(3), Pcg64::seed_from_u64(3));
            let expected: Vec<Steps> = spheres
                .iter()
                .map(|sphere| space.random_position(sphere.radius, &mut one))
                .collect();
            let positions = independent_positions(&spheres, space, &Ranks::default(), &mut many);
            assert!(positions == expected, "{container:?}");
            assert_eq!(many, one);
        }
    }
}
