//! Shortlists: of the neighbours of a sphere, those it may soon touch.
//!
//! Visits want lists short, refreshes want them to last. Once spheres move little, both can be had: each sphere has a second, inner
//! inflated sphere within the outer one of its Verlet list, and the shortlist names the neighbours whose inner inflated spheres
//! intersect its own. A sphere that leaves its inner inflated sphere picks a new shortlist from its Verlet list, which
//! costs a tenth of a query of the index. The dynamic pruning of pair
//! lists in GROMACS (module nbnxm of its manual) does likewise for all particles at once.

use super::{Block, VerletLists, lists::SymmetricLists};
use crate::{
    container::frame::{Frame, Point, difference},
    machine::instructions::{Instructions, LANES},
};

/// The shortlist of every sphere.
pub(crate) struct Shortlists {
    /// The inner inflated spheres; one more point pads the lists.
    inner: Vec<Point>,
    lists: SymmetricLists,
    instructions: Instructions,
}

impl Shortlists {
    /// Picks all shortlists. Each inner inflated sphere must lie in the outer one; one more point must be near nothing.
    pub fn new(lists: &VerletLists, inner: Vec<Point>) -> Self {
        let mut shortlists = SymmetricLists::new(inner.len() - 1);
        let instructions = Instructions::detect();
        shortlists.rewrite(|ids, visit| pick(instructions, lists, &inner, ids, visit));
        Self {
            inner,
            lists: shortlists,
            instructions,
        }
    }

    /// The inner inflated spheres, and one more point.
    #[inline]
    pub fn inner(&self) -> &[Point] {
        &self.inner
    }

    /// The shortlist of sphere `id` in whole blocks, filled up with an id one past the last sphere.
    #[inline]
    pub fn blocks(&self, id: u32) -> &[Block] {
        self.lists.blocks(id)
    }

    /// Gives the spheres `moved` (each at most once) new inner inflated spheres and shortlists, and mends those of others.
    ///
    /// All that got new Verlet lists since must be among them.
    pub fn refresh(&mut self, moved: &[u32], inner: &[Point], lists: &VerletLists) {
        for (&id, &inner) in moved.iter().zip(inner) {
            self.inner[id as usize] = inner;
        }
        let (instructions, inner) = (self.instructions, &self.inner);
        self.lists.change(moved, |ids, visit| {
            pick(instructions, lists, inner, ids.iter().copied(), visit);
        });
    }
}

/// Hands the shortlists of the spheres `ids` to `visit`.
fn pick(
    instructions: Instructions,
    lists: &VerletLists,
    inner: &[Point],
    ids: impl Iterator<Item = u32>,
    visit: &mut dyn FnMut(u32, &[u32]),
) {
    let frame = lists.frame();
    let mut found = Vec::new();
    for id in ids {
        let me = inner[id as usize];
        let blocks = lists.blocks(id);
        found.clear();
        match instructions {
            Instructions::Portable => pick_portable(frame, inner, me, blocks, &mut found),
            // SAFETY: the machine has the instructions; lists hold ids of points, or the padding, which is one too.
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2 => unsafe { pick_avx2(frame, inner, me, blocks, &mut found) },
        }
        visit(id, &found);
    }
}

fn pick_portable(
    frame: &Frame,
    inner: &[Point],
    me: Point,
    blocks: &[Block],
    found: &mut Vec<u32>,
) {
    for &id in blocks.as_flattened() {
        let other = inner[id as usize];
        let way = difference(me.at, other.at).map(|steps| steps as f32);
        let reach = (me.radius + other.radius).max(0.0);
        if frame.length_squared(way) < reach * reach {
            found.push(id);
        }
    }
}

/// The same operations in eight lanes.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,popcnt")]
unsafe fn pick_avx2(
    frame: &Frame,
    inner: &[Point],
    me: Point,
    blocks: &[Block],
    found: &mut Vec<u32>,
) {
    use std::arch::x86_64::*;

    use crate::machine::lanes::{distances_squared, pack, transposed};

    let my_at = me.at.map(|steps| _mm256_set1_epi32(steps));
    let my_radius = _mm256_set1_ps(me.radius);
    let unit = frame.unit.map(|unit| _mm256_set1_ps(unit));
    found.reserve(blocks.len() * LANES);
    let mut len = 0;
    for block in blocks {
        // SAFETY: the caller vouches for the ids; there is room for a block more.
        unsafe {
            let [x, y, z, radius] = transposed(|lane| inner.as_ptr().add(block[lane] as usize));
            let at = [x, y, z].map(|steps| _mm256_castps_si256(steps));
            let squared = distances_squared(my_at, at, unit);
            let reach = _mm256_max_ps(_mm256_add_ps(my_radius, radius), _mm256_setzero_ps());
            let near = _mm256_cmp_ps::<_CMP_LT_OQ>(squared, _mm256_mul_ps(reach, reach));
            let ids = _mm256_loadu_si256(block.as_ptr().cast());
            let kept = _mm256_movemask_ps(near) as u32;
            len += pack(ids, kept, found.as_mut_ptr().add(len));
        }
    }
    // SAFETY: so many were written.
    unsafe { found.set_len(len) };
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use glam::DVec3;
    use rand::{RngExt, SeedableRng};
    use rand_pcg::Pcg64;

    use super::*;
    use crate::{Container, IndexKind};

    const N: u32 = 3000;

    /// Spheres of several sizes at random places: outer and inner inflated spheres about them.
    struct Scene {
        frame: Frame,
        outer: Vec<Point>,
        inner: Vec<Point>,
    }

    impl Scene {
        /// A new place for a sphere.
        fn place(&mut self, id: usize, rng: &mut Pcg64) {
            let at = self.frame.at_fraction(DVec3::from_array(rng.random()));
            let radius = 0.1 * 8f32.powf(rng.random());
            self.outer[id] = Point {
                at,
                radius: 2.0 * radius,
            };
            self.inner[id] = Point { at, radius };
        }

        fn assert_exact(&self, shortlists: &Shortlists) {
            for id in 0..N {
                let me = self.inner[id as usize];
                let expected: Vec<u32> = (0..N)
                    .filter(|&other| {
                        let there = self.inner[other as usize];
                        let reach = me.radius + there.radius;
                        other != id && self.frame.distance(me.at, there.at) < reach
                    })
                    .collect();
                assert_eq!(shortlists.lists.list(id), expected, "shortlist of {id}");
            }
        }
    }

    #[test]
    fn shortlists_name_whose_inner_inflated_spheres_intersect() {
        let container =
            Container::cuboid(DVec3::new(9.0, 12.0, 7.0), "ppw".parse().unwrap()).unwrap();
        let mut rng = Pcg64::seed_from_u64(5);
        let mut scene = Scene {
            frame: container.frame(),
            outer: vec![Point::NOTHING; N as usize],
            inner: vec![Point::NOTHING; N as usize + 1],
        };
        (0..N as usize).for_each(|id| scene.place(id, &mut rng));
        let kind = Arc::new(IndexKind::default());
        let mut lists = VerletLists::of_points(kind, container, scene.outer.clone());
        let mut shortlists = Shortlists::new(&lists, scene.inner.clone());
        scene.assert_exact(&shortlists);
        for step in 0..5 {
            let moved: Vec<u32> = (step..N).step_by(7).collect();
            for &id in &moved {
                scene.place(id as usize, &mut rng);
            }
            let of = |points: &[Point]| -> Vec<Point> {
                moved.iter().map(|&id| points[id as usize]).collect()
            };
            lists.refresh_points(&moved, &of(&scene.outer));
            let inner = of(&scene.inner);
            shortlists.refresh(&moved, &inner, &lists);
            scene.assert_exact(&shortlists);
            shortlists.lists.assert_well_formed();
        }
    }

    #[test]
    fn all_instructions_pick_the_same() {
        let container = Container::cuboid(DVec3::splat(8.0), "ppp".parse().unwrap()).unwrap();
        let frame = container.frame();
        let mut rng = Pcg64::seed_from_u64(6);
        let inner: Vec<Point> = (0..200)
            .map(|_| Point {
                at: rng.random(),
                radius: rng.random_range(0.1..2.0),
            })
            .collect();
        let blocks: Vec<Block> = (0..20)
            .map(|_| std::array::from_fn(|_| rng.random_range(0..200)))
            .collect();
        for &me in &inner {
            let (mut portable, mut fastest) = (Vec::new(), Vec::new());
            pick_portable(&frame, &inner, me, &blocks, &mut portable);
            match Instructions::detect() {
                Instructions::Portable => fastest.clone_from(&portable),
                // SAFETY: the machine has the instructions, and all ids name points.
                #[cfg(target_arch = "x86_64")]
                Instructions::Avx2 => unsafe {
                    pick_avx2(&frame, &inner, me, &blocks, &mut fastest);
                },
            }
            assert!(!portable.is_empty());
            assert_eq!(portable, fastest);
        }
    }
}
