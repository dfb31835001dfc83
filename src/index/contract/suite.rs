//! The whole suite.

use rand::SeedableRng;
use rand_pcg::Pcg64;

use super::{
    changes, probes, rejections,
    scene::{Scene, containers},
};
use crate::index::global_index::IndexBuilder;

/// One set of checks on an index in one container.
type Check = fn(&Scene, &mut Pcg64);

/// All sets of checks, by name.
const CHECKS: &[(&str, Check)] = &[
    ("equal spheres", probes::equal_spheres),
    ("size ratio 1000", probes::size_ratio_of_a_thousand),
    ("lists of all spheres", probes::build_for_lists_of_all),
    (
        "spheres larger than half the container",
        probes::large_spheres,
    ),
    ("no, one and two spheres", probes::few_spheres),
    ("centers on faces", probes::centers_on_faces),
    (
        "spheres that only just touch the probe",
        probes::touching_spheres,
    ),
    ("queries on several threads", probes::parallel_queries),
    ("equal centers", changes::equal_centers),
    ("sequences of changes", changes::sequences),
    ("radii beyond those of the build", changes::larger_radii),
    ("invalid entries", rejections::invalid_entries),
    ("unknown spheres", rejections::unknown_spheres),
    (
        "changed ids and wrong old entries",
        rejections::wrong_old_entries,
    ),
    ("large ids", rejections::large_ids),
    ("relocations of many spheres", changes::many_relocations),
    ("lists of a part", probes::build_for_lists_of_a_part),
];

/// Tests an index against the contract of [`GlobalIndex`](crate::index::GlobalIndex).
///
/// A brute-force search over all stored spheres decides which ids each probe must report. The containers are cubes and
/// long boxes with periodic and walled axes. The spheres are equal or of size ratios up to 1000; they include
/// coinciding centers, centers on faces and spheres larger than the container. They are inserted, relocated,
/// removed and rebuilt in random order, and invalid changes are attempted. The random numbers are the same at each call.
///
/// Takes seconds, and longer without optimization.
///
/// # Panics
/// At the first violation, with the name of the builder, the container, the set of checks and the violated condition.
pub fn assert_holds(builder: &dyn IndexBuilder) {
    for container in containers() {
        for (seed, &(name, check)) in (1..).zip(CHECKS) {
            let scene = Scene {
                builder,
                container: &container,
                name,
            };
            check(&scene, &mut Pcg64::seed_from_u64(seed));
        }
    }
}
