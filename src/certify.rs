//! The independent overlap check.
//!
//! It shares no code with the indexes or the packing loop, so that a mistake there cannot hide itself here.

use std::cmp::Ordering;

use glam::DVec3;
use rayon::prelude::*;

use crate::{
    container::Container,
    packing::{Certificate, ClosestPair},
    spheres::Spheres,
};

/// Finds the largest overlap and the smallest gap in a packing.
///
/// The verdict is on the numbers as they are, in f64: the gap of two spheres is
/// `sqrt(dx² + dy² + dz²) − (r_i + r_j)` with minimum-image differences, that of a sphere and a wall is the
/// distance to the wall less the radius, that of a sphere and its own periodic image is the container's length
/// less the diameter. The overlap is the gap with its sign changed. Of equal gaps the one that comes first is
/// named: spheres before walls before images, then by position in the arrays.
///
/// Centres beyond a periodic face are wrapped first; centres beyond a wall overlap with it. A centre or radius
/// that is not finite can prove nothing: it counts as an infinite overlap, with no closest pair.
///
/// # Cost
/// O(N) for any size ratio, for spheres that overlap little: spheres are sorted into levels, one for each octave
/// of radius, with hashed cells for each level, and every sphere searches its own level and those of larger
/// spheres. Runs on rayon's threads; the result does not depend on their number.
pub fn certify(spheres: &Spheres, container: &Container) -> Certificate {
    if !spheres
        .iter()
        .all(|(center, radius)| center.is_finite() && radius.is_finite())
    {
        return Certificate {
            max_overlap: f64::INFINITY,
            min_gap: f64::NEG_INFINITY,
            closest: None,
        };
    }
    let mut best = closest_wall_or_image(spheres, container);
    if spheres.len() > 1 {
        best = closest_spheres(spheres, container, best);
    }
    Certificate {
        max_overlap: if best.gap < 0.0 { -best.gap } else { 0.0 },
        min_gap: best.gap,
        closest: best.pair,
    }
}

/// A gap and where it is.
#[derive(Clone, Copy)]
struct Closest {
    gap: f64,
    pair: Option<ClosestPair>,
}

impl Closest {
    const NOTHING: Self = Self {
        gap: f64::INFINITY,
        pair: None,
    };

    fn new(gap: f64, pair: ClosestPair) -> Self {
        Self {
            gap,
            pair: Some(pair),
        }
    }

    /// Total, so that the minimum is the same in whatever order threads deliver.
    fn min(self, other: Self) -> Self {
        let rank = |closest: &Self| match closest.pair {
            Some(ClosestPair::Spheres(i, j)) => (0, i, j),
            Some(ClosestPair::Wall(i, axis)) => (1, i, axis),
            Some(ClosestPair::Image(i, axis)) => (2, i, axis),
            None => (3, 0, 0),
        };
        let order = self
            .gap
            .partial_cmp(&other.gap)
            .unwrap_or(Ordering::Equal)
            .then_with(|| rank(&self).cmp(&rank(&other)));
        if order.is_gt() { other } else { self }
    }
}

fn closest_wall_or_image(spheres: &Spheres, container: &Container) -> Closest {
    let lengths = container.lengths();
    let mut best = Closest::NOTHING;
    for (i, (center, radius)) in spheres.iter().enumerate() {
        for axis in 0..3 {
            let found = if container.is_periodic(axis) {
                Closest::new(lengths[axis] - 2.0 * radius, ClosestPair::Image(i, axis))
            } else {
                let x = center[axis];
                Closest::new(
                    x.min(lengths[axis] - x) - radius,
                    ClosestPair::Wall(i, axis),
                )
            };
            best = best.min(found);
        }
    }
    best
}

/// The closest pair of spheres, or `best` when no pair is closer.
fn closest_spheres(spheres: &Spheres, container: &Container, mut best: Closest) -> Closest {
    let octaves = by_octave(spheres, container);
    let longest = container.lengths().max_element();
    let smallest = spheres.radii().iter().copied().fold(f64::MAX, f64::min);
    // A search with some margin finds every gap up to that margin, so the smallest gap found is the smallest
    // of all as soon as it is within the margin. Growing from a small one keeps searches local: no two spheres
    // are closer than half of a margin that was needed.
    let mut margin = (0.1 * smallest).max(1e-6 * longest).max(f64::MIN_POSITIVE);
    loop {
        let searched = margin.min(best.gap.max(0.0));
        let levels: Vec<Level> = octaves
            .iter()
            .map(|octave| Level::new(octave, margin, container))
            .collect();
        best = levels
            .iter()
            .enumerate()
            .map(|(own, level)| {
                level
                    .items
                    .par_chunks(1024)
                    .map(|chunk| {
                        chunk.iter().fold(best, |best, item| {
                            levels[..=own].iter().fold(best, |best, coarser| {
                                coarser.closest_to(item, searched, best)
                            })
                        })
                    })
                    .reduce(|| best, Closest::min)
            })
            .fold(best, Closest::min);
        if best.gap <= margin || margin >= container.lengths().element_sum() {
            return best;
        }
        margin *= 2.0;
    }
}

#[derive(Clone, Copy)]
struct Item {
    center: DVec3,
    radius: f64,
    id: u32,
}

/// Spheres whose radii are within a factor of two, coarsest first; the last octave takes all the rest.
fn by_octave(spheres: &Spheres, container: &Container) -> Vec<Vec<Item>> {
    const OCTAVES: usize = 48;
    let largest = spheres.radii().iter().copied().fold(0.0, f64::max);
    let mut octaves = vec![Vec::new(); OCTAVES];
    for (id, (center, radius)) in spheres.iter().enumerate() {
        let octave = (largest / radius).log2() as usize;
        octaves[octave.min(OCTAVES - 1)].push(Item {
            center: container.wrap(center),
            radius,
            id: id as u32,
        });
    }
    octaves.retain(|octave| !octave.is_empty());
    octaves
}

/// The spheres of one octave, hashed by cell, so that memory and time do not depend on where they crowd.
struct Level<'a> {
    container: &'a Container,
    /// Lengths of the container, infinite where it is walled.
    periods: DVec3,
    max_radius: f64,
    /// Cells along each axis, each at least as wide as the largest sphere and the margin.
    cells: DVec3,
    /// Where each bucket's items start; one more entry than buckets, whose number is a power of two.
    starts: Vec<u32>,
    /// Sorted by bucket.
    items: Vec<Item>,
}

impl<'a> Level<'a> {
    fn new(octave: &[Item], margin: f64, container: &'a Container) -> Self {
        let max_radius = octave.iter().map(|item| item.radius).fold(0.0, f64::max);
        let edge = (2.0 * max_radius).max(margin);
        let lengths = container.lengths();
        let mut level = Self {
            container,
            periods: DVec3::from_array([0, 1, 2].map(|axis| {
                if container.is_periodic(axis) {
                    lengths[axis]
                } else {
                    f64::INFINITY
                }
            })),
            max_radius,
            cells: (lengths / edge).floor().max(DVec3::ONE),
            starts: vec![0; octave.len().next_power_of_two() + 1],
            items: octave.to_vec(),
        };
        let bucket_of = |level: &Self, item: &Item| {
            let [x, y, z] = [0, 1, 2].map(|axis| {
                // Rounding may carry a coordinate just below the far face into the cell beyond.
                let cell = level.cell(axis, item.center[axis]);
                cell.min(level.cells[axis] as i64 - 1)
            });
            level.bucket(x, level.row(y, z))
        };
        // A counting sort: counts become ends, and filling from the back turns ends into starts.
        for item in octave {
            let bucket = bucket_of(&level, item);
            level.starts[bucket] += 1;
        }
        let mut end = 0;
        for start in &mut level.starts {
            end += *start;
            *start = end;
        }
        for item in octave.iter().rev() {
            let bucket = bucket_of(&level, item);
            level.starts[bucket] -= 1;
            level.items[level.starts[bucket] as usize] = *item;
        }
        level
    }

    /// The cell of a coordinate; what is beyond a wall belongs to the cell at the wall.
    fn cell(&self, axis: usize, x: f64) -> i64 {
        let cells = self.cells[axis];
        let cell = (x / self.container.lengths()[axis] * cells).floor() as i64;
        if self.container.is_periodic(axis) {
            cell
        } else {
            cell.clamp(0, cells as i64 - 1)
        }
    }

    /// The cells that meet `x − reach ..= x + reach`, each once.
    fn cells_within(&self, axis: usize, x: f64, reach: f64) -> impl Iterator<Item = i64> + Clone {
        let cells = self.cells[axis] as i64;
        let reach = reach.min(self.container.lengths()[axis]);
        let low = self.cell(axis, x - reach);
        let high = self.cell(axis, x + reach).min(low + cells - 1);
        (low..=high).map(move |cell| {
            if cell < 0 {
                cell + cells
            } else if cell >= cells {
                cell - cells
            } else {
                cell
            }
        })
    }

    fn row(&self, y: i64, z: i64) -> i64 {
        let mixed = y.wrapping_mul(0x9E37_79B9_7F4A_7C15_u64 as i64) ^ z;
        mixed.wrapping_mul(0xD6E8_FEB8_6659_FD93_u64 as i64) >> 32
    }

    /// Neighbours along x share cache lines.
    fn bucket(&self, x: i64, row: i64) -> usize {
        row.wrapping_add(x) as usize & (self.starts.len() - 2)
    }

    /// The closest of `best` and the pairs of `item` with spheres here whose gap is at most `margin`.
    fn closest_to(&self, item: &Item, margin: f64, mut best: Closest) -> Closest {
        // The surplus covers the rounding of distances and cell borders.
        let reach = (item.radius + self.max_radius + margin).max(0.0) * (1.0 + 1e-12)
            + 1e-12 * self.container.lengths().max_element();
        let [xs, ys, zs] = [0, 1, 2].map(|axis| self.cells_within(axis, item.center[axis], reach));
        for z in zs {
            for y in ys.clone() {
                let row = self.row(y, z);
                for x in xs.clone() {
                    let bucket = self.bucket(x, row);
                    let items = self.starts[bucket] as usize..self.starts[bucket + 1] as usize;
                    for other in &self.items[items] {
                        if other.id != item.id {
                            best = self.closer(item, other, best);
                        }
                    }
                }
            }
        }
        best
    }

    #[inline]
    fn closer(&self, item: &Item, other: &Item, best: Closest) -> Closest {
        let d = (item.center - other.center).abs();
        let d = d.min(self.periods - d);
        let gap = (d.x * d.x + d.y * d.y + d.z * d.z).sqrt() - (item.radius + other.radius);
        // Numbers near the end of f64's range can make it NaN.
        if gap.is_nan() || gap > best.gap {
            return best;
        }
        let (i, j) = (item.id.min(other.id), item.id.max(other.id));
        best.min(Closest::new(
            gap,
            ClosestPair::Spheres(i as usize, j as usize),
        ))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Every pair, wall and image, one after the other.
    fn brute_force(spheres: &Spheres, container: &Container) -> Certificate {
        let mut found = Vec::new();
        for (i, (a, radius)) in spheres.iter().enumerate() {
            let a = container.wrap(a);
            for (j, (b, other)) in spheres.iter().enumerate().skip(i + 1) {
                let distance = container.displacement(a, container.wrap(b)).length();
                found.push((distance - (radius + other), ClosestPair::Spheres(i, j)));
            }
        }
        for (i, (center, radius)) in spheres.iter().enumerate() {
            for axis in 0..3 {
                let (x, length) = (center[axis], container.lengths()[axis]);
                if !container.is_periodic(axis) {
                    found.push((x - radius, ClosestPair::Wall(i, axis)));
                    found.push((length - x - radius, ClosestPair::Wall(i, axis)));
                }
            }
        }
        for (i, radius) in spheres.radii().iter().enumerate() {
            for axis in (0..3).filter(|&axis| container.is_periodic(axis)) {
                let gap = container.lengths()[axis] - 2.0 * radius;
                found.push((gap, ClosestPair::Image(i, axis)));
            }
        }
        let mut best = (f64::INFINITY, None);
        for (gap, pair) in found {
            if gap < best.0 {
                best = (gap, Some(pair));
            }
        }
        Certificate {
            max_overlap: if best.0 < 0.0 { -best.0 } else { 0.0 },
            min_gap: best.0,
            closest: best.1,
        }
    }

    fn container(lengths: [f64; 3], boundary: &str) -> Container {
        Container::new(DVec3::from_array(lengths), boundary.parse().unwrap()).unwrap()
    }

    fn spheres(all: &[([f64; 3], f64)]) -> Spheres {
        Spheres::new(
            all.iter().map(|&(c, _)| DVec3::from_array(c)).collect(),
            all.iter().map(|&(_, r)| r).collect(),
        )
    }

    const BOUNDARIES: [&str; 4] = ["ppp", "www", "ppw", "wpp"];

    prop_compose! {
        /// Anything from a few spheres far apart to a heap, in boxes from cube to needle, radii up to 1:1000.
        fn case()(
            n in 0usize..120,
            stretch in prop::array::uniform3(-3.0..3.0f64),
            octaves in 0.0..10.0f64,
            size in -12.0..1.0f64,
            outside in prop::bool::ANY,
            boundary in prop::sample::select(&BOUNDARIES[..]),
        )(
            places in prop::collection::vec((prop::array::uniform3(0.0..1.0f64), 0.0..1.0f64), n),
            lengths in Just(stretch.map(f64::exp2)),
            octaves in Just(octaves),
            size in Just(size),
            outside in Just(outside),
            boundary in Just(boundary),
        ) -> (Spheres, Container) {
            let all: Vec<_> = places
                .into_iter()
                .map(|(place, share)| {
                    let spread = if outside { 3.0 * place[0] - 1.0 } else { place[0] };
                    let center = [spread * lengths[0], place[1] * lengths[1], place[2] * lengths[2]];
                    (center, (size - share * octaves).exp2())
                })
                .collect();
            (spheres(&all), container(lengths, boundary))
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]
        #[test]
        fn agrees_with_brute_force((spheres, container) in case()) {
            prop_assert_eq!(certify(&spheres, &container), brute_force(&spheres, &container));
        }
    }

    #[test]
    fn agrees_with_brute_force_on_a_lattice_of_equal_gaps() {
        // Every gap is the same, so only the order of pairs decides; spheres also sit on cell borders.
        for boundary in BOUNDARIES {
            let mut all = Vec::new();
            for i in 0..512 {
                let center = [i % 8, i / 8 % 8, i / 64].map(|x| f64::from(x) + 0.5);
                all.push((center, if i % 3 == 0 { 0.25 } else { 0.001 }));
            }
            let (spheres, container) = (spheres(&all), container([8.0; 3], boundary));
            let found = certify(&spheres, &container);
            assert_eq!(found, brute_force(&spheres, &container), "{boundary}");
        }
    }

    #[test]
    fn nothing_is_infinitely_far_and_one_sphere_meets_walls_and_itself() {
        let nothing = certify(&Spheres::default(), &container([1.0; 3], "ppp"));
        assert_eq!(nothing.min_gap, f64::INFINITY);
        assert_eq!((nothing.max_overlap, nothing.closest), (0.0, None));

        let one = spheres(&[([0.25, 1.0, 1.0], 0.125)]);
        let found = certify(&one, &container([1.0, 2.0, 2.0], "ppp"));
        assert_eq!(found.closest, Some(ClosestPair::Image(0, 0)));
        assert_eq!((found.min_gap, found.max_overlap), (0.75, 0.0));

        let found = certify(&one, &container([1.0, 2.0, 2.0], "wpp"));
        assert_eq!(found.closest, Some(ClosestPair::Wall(0, 0)));
        assert_eq!(found.min_gap, 0.125);
    }

    #[test]
    fn touching_exactly_is_no_overlap() {
        let pair = spheres(&[([0.5, 2.0, 2.0], 0.5), ([3.75, 2.0, 2.0], 0.25)]);
        let found = certify(&pair, &container([4.0; 3], "pww"));
        assert_eq!(found.closest, Some(ClosestPair::Spheres(0, 1)));
        assert_eq!((found.min_gap, found.max_overlap), (0.0, 0.0));
        assert!(found.max_overlap.is_sign_positive());
    }

    #[test]
    fn a_sphere_wider_than_the_box_overlaps_its_image() {
        let found = certify(
            &spheres(&[([0.5; 3], 0.75)]),
            &container([2.0, 1.0, 2.0], "ppp"),
        );
        assert_eq!(found.closest, Some(ClosestPair::Image(0, 1)));
        assert_eq!(found.max_overlap, 0.5);
    }

    #[test]
    fn all_centres_equal_overlap_by_the_two_largest_radii() {
        let mut all = vec![([0.5; 3], 1e-4); 2000];
        all[700].1 = 0.1;
        all[900].1 = 0.05;
        let found = certify(&spheres(&all), &container([1.0; 3], "ppp"));
        assert_eq!(found.closest, Some(ClosestPair::Spheres(700, 900)));
        assert_eq!(found.max_overlap, 0.1 + 0.05);
    }

    #[test]
    fn numbers_at_the_ends_of_the_range_are_decided_too() {
        let tiny = f64::from_bits(1);
        for boundary in BOUNDARIES {
            for length in [tiny, f64::MIN_POSITIVE, 1.0, 1e200, f64::MAX] {
                for radius in [-1.0, 0.0, tiny, 1.0, f64::MAX] {
                    let far = [0.0, -f64::MAX, f64::MAX];
                    let all = spheres(&[([0.0; 3], radius), (far, tiny), ([length; 3], radius)]);
                    let found = certify(&all, &container([length, 1.0, length], boundary));
                    assert!(found.closest.is_some() && !found.min_gap.is_nan());
                }
            }
        }
    }

    #[test]
    fn numbers_that_are_not_finite_prove_nothing() {
        for all in [([0.5, f64::NAN, 0.5], 0.1), ([0.5; 3], f64::INFINITY)] {
            let found = certify(&spheres(&[all]), &container([1.0; 3], "ppp"));
            assert_eq!(found.max_overlap, f64::INFINITY);
        }
    }

    #[test]
    fn the_number_of_threads_does_not_matter() {
        let all: Vec<_> = (0..20_000)
            .map(|i| {
                let center = [i % 20, i / 20 % 20, i / 400].map(|x| f64::from(x) + 0.5);
                (center, 0.25)
            })
            .collect();
        let (spheres, container) = (spheres(&all), container([20.0, 20.0, 50.0], "ppw"));
        let with = |threads| {
            rayon::ThreadPoolBuilder::new()
                .num_threads(threads)
                .build()
                .unwrap()
                .install(|| certify(&spheres, &container))
        };
        let one = with(1);
        assert_eq!(one.closest, Some(ClosestPair::Wall(0, 2)));
        assert_eq!(one, with(4));
    }
}
