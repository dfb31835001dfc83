//! The certificate: an independent check for overlap.
//!
//! The check shares no code with the indexes or the packing loop, so that an error there cannot hide itself here.

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::{
    closest::{Closest, ClosestPair},
    search::Level,
    walls::closest_wall_or_body,
};
use crate::{
    container::Container,
    machine::{parallel::Erase, trace::shared},
    spheres::Spheres,
};

/// The result of the independent check for overlap.
///
/// In JSON an infinite number is `null`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Certificate {
    /// Largest `r_i + r_j − distance` over all pairs, walls and periodic images; 0 without overlap.
    pub max_overlap: f64,
    /// Smallest `distance − r_i − r_j`, or distance to a wall minus the radius. It is negative if there is overlap, and
    /// infinite for a sphere without neighbors and walls.
    #[serde(with = "infinity_as_none")]
    pub min_gap: f64,
    /// Position of the smallest gap; absent if there is nothing to compare.
    pub closest: Option<ClosestPair>,
}

impl Certificate {
    /// Number of words of a certificate in a message.
    pub(crate) const WORDS: usize = 4;

    /// Returns the certificate of the smaller gap, of two parts of the same spheres.
    pub(crate) fn min(self, other: Self) -> Self {
        let [a, b] = [self, other].map(|certificate| Closest {
            gap: certificate.min_gap,
            pair: certificate.closest,
        });
        Self::of(a.min(b))
    }

    /// Returns this certificate with other positions of the spheres.
    pub(crate) fn renumbered(self, position: impl Fn(usize) -> usize) -> Self {
        Self {
            closest: self.closest.map(|pair| pair.renumbered(position)),
            ..self
        }
    }

    /// Returns the words of a message.
    pub(crate) fn to_words(self) -> [u64; Self::WORDS] {
        let [kind, first, second] = self.closest.map_or([0; 3], ClosestPair::to_words);
        [self.min_gap.to_bits(), kind, first, second]
    }

    /// Returns the certificate in a message.
    pub(crate) fn from_words(words: &[u64]) -> Self {
        Self::of(Closest {
            gap: f64::from_bits(words[0]),
            pair: ClosestPair::from_words([words[1], words[2], words[3]]),
        })
    }

    fn of(closest: Closest) -> Self {
        Self {
            max_overlap: if closest.gap < 0.0 { -closest.gap } else { 0.0 },
            min_gap: closest.gap,
            closest: closest.pair,
        }
    }
}

/// An infinite number as an absent one, because JSON has no infinity.
mod infinity_as_none {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub fn serialize<S: Serializer>(number: &f64, serializer: S) -> Result<S::Ok, S::Error> {
        Some(*number)
            .filter(|number| number.is_finite())
            .serialize(serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
        Ok(Option::deserialize(deserializer)?.unwrap_or(f64::INFINITY))
    }
}

/// Finds the largest overlap and the smallest gap among spheres in a container.
///
/// The result holds for the numbers as they are, in f64. The gap of two spheres is
/// `sqrt(dx² + dy² + dz²) − (r_i + r_j)` with minimum-image differences. The gap of a sphere and a wall is the distance to
/// the wall minus the radius. The gap of a sphere and its own periodic image is the container's length minus the diameter.
/// The overlap is the gap with its sign changed. Of equal gaps the first one is named: spheres before walls, bodies and images,
/// then by position in the arrays.
///
/// Centers beyond a periodic face are wrapped first; centers beyond a wall overlap it. A center or radius that is not finite
/// proves nothing: it counts as an infinite overlap, without a closest pair. So does a center beside the plane of a flat container.
///
/// # Cost
/// O(N) for any size ratio, also if many centers are nearly equal: spheres are sorted into levels, one for each octave of the
/// radius, with hashed cells for each level. A sphere searches its own level. Of two levels, one searches the other, in the
/// direction that visits fewer cells. The search takes about 60 bytes for each sphere and runs on rayon's threads; the result
/// does not depend on their number.
pub fn certify(spheres: &Spheres, container: &Container) -> Certificate {
    certify_with(spheres, container, |spheres| {
        let fixed = closest_wall_or_body(spheres, container);
        let best = fixed.min(closest_image(spheres, container));
        closest_spheres(spheres, container, 1.0, best)
    })
}

/// Returns whether an overlap is larger than `tolerance` times a diameter: that of the smaller sphere of a pair, or of the sphere at a
/// wall or body or at its own image.
///
/// Files with few digits have overlaps of about their rounding where spheres touch. [`certify`] states the largest overlap exactly;
/// this function judges it. Numbers that are not finite exceed every tolerance.
///
/// # Cost
/// That of [`certify`], and a copy of the spheres.
///
/// # Example
/// ```
/// use jostle::{Boundaries, Container, Spheres, glam::DVec3, packing::exceeds_tolerance};
///
/// let container = Container::cuboid(DVec3::splat(9.0), Boundaries::WALLS)?;
/// let centers = vec![DVec3::splat(2.0), DVec3::new(4.999999, 2.0, 2.0)];
/// let spheres = Spheres::new(centers, vec![2.0, 1.0]);
/// assert!(exceeds_tolerance(&spheres, &container, 1e-7));
/// assert!(!exceeds_tolerance(&spheres, &container, 1e-6));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn exceeds_tolerance(spheres: &Spheres, container: &Container, tolerance: f64) -> bool {
    let shrunk = |factor: f64| {
        let radii = spheres.radii().iter().map(|radius| factor * radius);
        Spheres::new(spheres.centers().to_vec(), radii.collect())
    };
    let beyond = certify_with(spheres, container, |spheres| {
        let nothing = Closest {
            gap: 0.0,
            ..Closest::NOTHING
        };
        let fixed = closest_wall_or_body(&shrunk(1.0 - 2.0 * tolerance), container);
        let best = (fixed.min(nothing)).min(closest_image(&shrunk(1.0 - tolerance), container));
        closest_spheres(spheres, container, 1.0 - 2.0 * tolerance, best)
    });
    beyond.max_overlap > 0.0
}

/// Like [`certify`], without walls and bodies.
pub(crate) fn certify_spheres(spheres: &Spheres, container: &Container) -> Certificate {
    certify_with(spheres, container, |spheres| {
        closest_spheres(spheres, container, 1.0, closest_image(spheres, container))
    })
}

/// Like [`certify`], for walls and bodies only.
pub(crate) fn certify_walls(spheres: &Spheres, container: &Container) -> Certificate {
    certify_with(spheres, container, |spheres| {
        closest_wall_or_body(spheres, container)
    })
}

/// Returns the certificate of the smallest gap that `closest` finds among spheres with finite numbers, in the plane of a flat container.
fn certify_with(
    spheres: &Spheres,
    container: &Container,
    closest: impl FnOnce(&Spheres) -> Closest,
) -> Certificate {
    let is_sound = |i: usize| {
        let center = spheres.centers()[i];
        center.is_finite() && container.is_in_plane(center) && spheres.radii()[i].is_finite()
    };
    if !(0..spheres.len()).into_par_iter().erased().all(is_sound) {
        return Certificate {
            max_overlap: f64::INFINITY,
            min_gap: f64::NEG_INFINITY,
            closest: None,
        };
    }
    Certificate::of(closest(spheres))
}

/// Returns the smallest gap of a sphere to its own image.
fn closest_image(spheres: &Spheres, container: &Container) -> Closest {
    let (lengths, boundary) = (container.lengths(), container.boundary());
    let of_sphere = |best: Closest, i: usize| {
        let periodic = (0..3).filter(|&axis| boundary.is_periodic(axis));
        periodic.fold(best, |best, axis| {
            // The double of a huge radius would be infinite.
            let gap = 2.0 * (0.5 * lengths[axis] - spheres.radii()[i]);
            best.or(gap, ClosestPair::Image(i, axis))
        })
    };
    shared("images of the certificate", || {
        Closest::of_all(spheres.len(), of_sphere)
    })
}

/// Returns the closest pair of spheres, or `best` if no pair is closer. Gaps count only a `share` of the smaller radius.
fn closest_spheres(
    spheres: &Spheres,
    container: &Container,
    share: f64,
    mut best: Closest,
) -> Closest {
    if spheres.len() < 2 {
        return best;
    }
    let longest = container.lengths().max_element();
    let radii = spheres.radii().par_iter().erased().copied();
    let smallest = shared("levels of the certificate", || {
        radii.reduce(|| f64::MAX, f64::min)
    });
    // A search with some margin finds every gap up to that margin. The smallest gap found is therefore the smallest of all
    // as soon as it is within the margin. Starting from a small margin keeps searches local: no two spheres are closer than
    // half of the last margin.
    let mut margin = (0.1 * smallest).max(1e-6 * longest).max(f64::MIN_POSITIVE);
    loop {
        let levels: Vec<Level> = (levels(spheres, container, margin, share).into_iter())
            .map(|level| level.divided(spheres, container, &mut best))
            .collect();
        let searched = margin.min(best.gap);
        for (i, coarse) in levels.iter().enumerate() {
            best = coarse.closest_within(searched, best);
            for fine in &levels[i + 1..] {
                let down = coarse.visits(fine, searched) < fine.visits(coarse, searched);
                let (from, to) = if down { (coarse, fine) } else { (fine, coarse) };
                best = from.closest_across(to, searched, best);
            }
        }
        if best.gap <= margin || margin >= container.lengths().element_sum() {
            return best;
        }
        margin *= 2.0;
    }
}

/// Returns levels of spheres whose radii lie within a factor of two, the largest first. The last level holds all smaller
/// spheres.
fn levels(spheres: &Spheres, container: &Container, margin: f64, share: f64) -> Vec<Level> {
    const LEVELS: usize = 48;
    let radii = spheres.radii().par_iter().erased().copied();
    let largest = shared("levels of the certificate", || {
        radii.reduce(|| 0.0, f64::max)
    });
    let mut ids = vec![Vec::new(); LEVELS];
    for (id, radius) in (0..).zip(spheres.radii()) {
        // The exponent in base two.
        let exponent = ((largest / radius).to_bits() >> 52 & 0x7ff) as usize;
        ids[exponent.saturating_sub(1023).min(LEVELS - 1)].push(id);
    }
    (ids.into_iter())
        .filter(|ids| !ids.is_empty())
        .map(|ids| Level::new(spheres, ids, margin, share, container))
        .collect()
}

#[cfg(test)]
mod tests {
    use glam::DVec3;
    use proptest::prelude::*;

    use super::*;

    /// Compares every pair, wall and image, one after the other.
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

    /// Returns a cuboid.
    fn container(lengths: [f64; 3], boundary: &str) -> Container {
        Container::cuboid(DVec3::from_array(lengths), boundary.parse().unwrap()).unwrap()
    }

    fn spheres(all: &[([f64; 3], f64)]) -> Spheres {
        Spheres::new(
            all.iter().map(|&(c, _)| DVec3::from_array(c)).collect(),
            all.iter().map(|&(_, r)| r).collect(),
        )
    }

    const BOUNDARIES: [&str; 4] = ["ppp", "www", "ppw", "wpp"];

    prop_compose! {
        /// Generates a few spheres far apart, many that overlap, or clusters of some sizes, in boxes from cube to needle, with radii up to
        /// 1:1000.
        fn case()(
            n in 0usize..120,
            stretch in prop::array::uniform3(-3.0..3.0f64),
            octaves in 0.0..10.0f64,
            size in -12.0..1.0f64,
            outside in prop::bool::ANY,
            // Decimal digits of the width of a cluster.
            cluster in prop_oneof![Just(0.0), 1.0..18.0f64],
            boundary in prop::sample::select(&BOUNDARIES[..]),
        )(
            places in prop::collection::vec((prop::array::uniform3(0.0..1.0f64), 0.0..1.0f64), n),
            lengths in Just(stretch.map(f64::exp2)),
            octaves in Just(octaves),
            size in Just(size),
            outside in Just(outside),
            cluster in Just(cluster),
            boundary in Just(boundary),
        ) -> (Spheres, Container) {
            let all: Vec<_> = places
                .into_iter()
                .map(|(place, share)| {
                    let third = |x: f64| (3.0 * x).floor() / 3.0;
                    let (place, share) = if cluster > 0.0 {
                        let width = 10f64.powf(-cluster);
                        (place.map(|x| third(x) + width * x), third(share))
                    } else {
                        (place, share)
                    };
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
        // All gaps are equal, so that only the order of pairs decides. Some spheres lie on cell borders.
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
    fn no_sphere_has_an_infinite_gap_and_one_sphere_is_compared_with_walls_and_images() {
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
    fn all_centers_equal_overlap_by_the_two_largest_radii() {
        let mut all = vec![([0.5; 3], 1e-4); 2000];
        all[700].1 = 0.1;
        all[900].1 = 0.05;
        let found = certify(&spheres(&all), &container([1.0; 3], "ppp"));
        assert_eq!(found.closest, Some(ClosestPair::Spheres(700, 900)));
        assert_eq!(found.max_overlap, 0.1 + 0.05);
    }

    #[test]
    fn many_centers_at_one_place_take_little_time() {
        let count = 200_000;
        let begin = std::time::Instant::now();
        let whole = |i: usize, by: usize| (i * 7_919 % by) as f64;
        let place = |i: usize| [whole(i, 59), whole(i / 59, 59), whole(i / 3481, 59)];
        let radii: [fn(usize, usize) -> f64; 3] = [
            |_, _| 0.01,
            |i, count| if i < count / 2 { 0.009 } else { 0.01 },
            |i, count| 0.01 + 0.01 * (i * 7_919 % count) as f64 / count as f64,
        ];
        for width in [0.0, 1e-18, 1e-9, 1e-4] {
            for radius in radii {
                let all: Vec<_> = (0..count)
                    .map(|i| (place(i).map(|x| 0.5 + width * x), radius(i, count)))
                    .collect();
                let found = certify(&spheres(&all), &container([1.0; 3], "www"));
                let mut sorted: Vec<f64> = (0..count).map(|i| radius(i, count)).collect();
                sorted.sort_unstable_by(f64::total_cmp);
                let largest = sorted[count - 1] + sorted[count - 2];
                assert!(
                    found.max_overlap <= largest && found.max_overlap >= largest - 110.0 * width
                );
            }
        }
        // All pairs would take minutes.
        assert!(begin.elapsed().as_secs() < 60);
    }

    #[test]
    fn numbers_at_the_ends_of_the_range_give_a_result() {
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
    fn distances_whose_squares_leave_the_range_of_f64_are_certified() {
        for (length, scale) in [(10.0, 1e-170), (1e30, 1e-170), (10.0, 1e200)] {
            let pair = |distance: f64| {
                let at = |x: f64| [x, 3.0, 4.0].map(|x| x * scale);
                spheres(&[(at(1.0), 0.25 * scale), (at(1.0 + distance), 0.25 * scale)])
            };
            for boundary in BOUNDARIES {
                let container = container([length * scale; 3], boundary);
                for (distance, gap) in [(0.75, 0.25), (0.25, -0.25)] {
                    let found = certify(&pair(distance), &container);
                    assert_eq!(found.closest, Some(ClosestPair::Spheres(0, 1)));
                    let error = found.min_gap / scale - gap;
                    assert!(
                        error.abs() < 1e-12,
                        "{boundary} {scale} {distance}: {found:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn numbers_that_are_not_finite_count_as_infinite_overlap() {
        for all in [([0.5, f64::NAN, 0.5], 0.1), ([0.5; 3], f64::INFINITY)] {
            let found = certify(&spheres(&[all]), &container([1.0; 3], "ppp"));
            assert_eq!(found.max_overlap, f64::INFINITY);
        }
    }

    #[test]
    fn the_number_of_threads_does_not_matter() {
        // Thousands of pairs are equally close, within one level and between two. The certificate must name the first one.
        for radius in [0.25, 0.125] {
            let all: Vec<_> = (0..20_000)
                .map(|i| {
                    let center = [i % 20, i / 20 % 20, i / 400].map(|x| f64::from(x) + 0.5);
                    (
                        center,
                        if (i + i / 20 + i / 400) % 2 == 0 {
                            0.5 - radius
                        } else {
                            radius
                        },
                    )
                })
                .collect();
            let (spheres, container) = (spheres(&all), container([20.0, 20.0, 50.0], "ppp"));
            let with = |threads| {
                rayon::ThreadPoolBuilder::new()
                    .num_threads(threads)
                    .build()
                    .unwrap()
                    .install(|| certify(&spheres, &container))
            };
            let one = with(1);
            assert_eq!(one.closest, Some(ClosestPair::Spheres(0, 1)));
            assert_eq!(one.min_gap, 0.5);
            for threads in [2, 3, 8] {
                assert_eq!(one, with(threads), "{threads} threads");
            }
        }
    }
}
