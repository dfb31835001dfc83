//! Shortlists: the neighbors that a sphere may soon touch.
//!
//! Visits need short lists, refreshes need lists that last. Once spheres move little, both are possible. Each sphere has a
//! second, inner inflated sphere inside the outer one of its Verlet list. The shortlist holds the neighbors whose inner
//! inflated spheres intersect its own. A sphere that leaves its inner inflated sphere picks a new shortlist from its Verlet
//! list, which costs a tenth of an index query. The dynamic pruning of pair lists in GROMACS (module nbnxm of its manual) does
//! the same for all particles at once.

use super::{VerletLists, candidates::squared_distances, lists::SymmetricLists, shard::Octet};
use crate::{
    container::frame::Point,
    machine::{
        ids::Ids,
        lanes::{Kernel, LANES, Lanes, run},
        sorted::write_sorted,
    },
};

/// The shortlist of every sphere.
pub(crate) struct Shortlists {
    /// The inner inflated spheres; one more point pads the lists.
    inner: Vec<Point>,
    lists: SymmetricLists,
}

impl Shortlists {
    /// Picks the shortlists of the spheres `ids`; the others have none. Each inner inflated sphere must lie in the outer one. One more
    /// point pads the lists: it must intersect no sphere.
    ///
    /// # Panics
    /// If the number of points is not one more than the number of spheres.
    pub fn new(lists: &VerletLists, inner: Vec<Point>, ids: &Ids) -> Self {
        assert_eq!(
            inner.len(),
            lists.inflated.len() + 1,
            "one point pads the lists"
        );
        let mut shortlists = SymmetricLists::new(inner.len() - 1);
        shortlists.rewrite(ids, |ids, visit| pick_each(lists, &inner, ids, visit));
        Self {
            inner,
            lists: shortlists,
        }
    }

    /// Returns the inner inflated spheres, and the point that pads the lists.
    #[inline]
    pub fn inner(&self) -> &[Point] {
        &self.inner
    }

    /// Returns all shortlists.
    #[inline]
    pub fn lists(&self) -> &SymmetricLists {
        &self.lists
    }

    /// Gives the spheres `moved`, which must be sorted, new inner inflated spheres and shortlists, and updates the shortlists of
    /// other spheres.
    ///
    /// These must include the spheres whose Verlet lists are new and the spheres that no longer have a Verlet list.
    pub fn refresh(&mut self, moved: &[u32], inner: &[Point], lists: &VerletLists) {
        write_sorted(&mut self.inner, moved, |sphere, k| *sphere = inner[k]);
        let inner = &self.inner;
        (self.lists).change(moved, |ids, visit| pick_each(lists, inner, ids, visit));
    }
}

/// Passes the shortlists of the spheres `ids` to `visit`.
fn pick_each(
    lists: &VerletLists,
    inner: &[Point],
    ids: &[u32],
    visit: &mut dyn FnMut(u32, &[u32]),
) {
    let mut found = Vec::new();
    for &id in ids {
        found.clear();
        run(Pick {
            inner,
            sphere: inner[id as usize],
            unit: lists.frame.unit,
            octets: lists.lists.octets(id),
            found: &mut found,
        });
        visit(id, &found);
    }
}

/// Writes the ids in `octets` whose inner inflated spheres intersect `sphere` to `found`.
struct Pick<'a> {
    /// Must contain a point for every id in `octets`.
    inner: &'a [Point],
    sphere: Point,
    /// Length of one step along each axis.
    unit: [f32; 3],
    octets: &'a [Octet],
    found: &'a mut Vec<u32>,
}

impl Kernel for Pick<'_> {
    type Output = ();

    #[inline(always)]
    fn compute<L: Lanes>(self, lanes: L) {
        let own_radius = lanes.splat(self.sphere.radius);
        self.found.reserve(self.octets.len() * LANES);
        let mut len = 0;
        for octet in self.octets {
            // SAFETY: lists hold numbers of spheres, or the padding, which has a point too (`Shard::write` and
            // `Shortlists::new` check this). There is space for one more octet.
            unsafe {
                let point = |lane: usize| self.inner.as_ptr().add(octet[lane] as usize);
                let [x, y, z, radius] = lanes.transpose(point);
                let squared = squared_distances(lanes, self.sphere.at, [x, y, z], self.unit);
                let sum = lanes.add(own_radius, lanes.bits_to_f32(radius));
                let reach = lanes.max(sum, lanes.splat(0.0));
                let kept = lanes.less(squared, lanes.mul(reach, reach));
                let ids = lanes.load(octet.as_ptr());
                len += lanes.compress(ids, kept, self.found.as_mut_ptr().add(len));
            }
        }
        // SAFETY: this number of ids was written.
        unsafe { self.found.set_len(len) };
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use glam::DVec3;
    use rand::{RngExt, SeedableRng};
    use rand_pcg::Pcg64;

    use super::*;
    use crate::{Container, IndexKind, container::frame::Frame, machine::lanes::run_portable};

    const N: u32 = 3000;

    /// Spheres of several sizes at random positions, with outer and inner inflated spheres.
    struct Scene {
        frame: Frame,
        outer: Vec<Point>,
        inner: Vec<Point>,
    }

    impl Scene {
        /// Gives a sphere a new position.
        fn move_sphere(&mut self, id: usize, rng: &mut Pcg64) {
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
    fn shortlists_hold_the_neighbors_whose_inner_inflated_spheres_intersect() {
        let container =
            Container::cuboid(DVec3::new(9.0, 12.0, 7.0), "ppw".parse().unwrap()).unwrap();
        let mut rng = Pcg64::seed_from_u64(5);
        let mut scene = Scene {
            frame: container.frame(),
            outer: vec![Point::NOTHING; N as usize],
            inner: vec![Point::NOTHING; N as usize + 1],
        };
        (0..N as usize).for_each(|id| scene.move_sphere(id, &mut rng));
        let index = Arc::new(IndexKind::default());
        let mut lists = VerletLists::of_points(index, container, scene.outer.clone());
        let mut shortlists = Shortlists::new(&lists, scene.inner.clone(), &Ids::All(N));
        scene.assert_exact(&shortlists);
        for step in 0..5 {
            let moved: Vec<u32> = (step..N).step_by(7).collect();
            for &id in &moved {
                scene.move_sphere(id as usize, &mut rng);
            }
            let of = |points: &[Point]| -> Vec<Point> {
                moved.iter().map(|&id| points[id as usize]).collect()
            };
            lists.refresh_points(&moved, &of(&scene.outer));
            let inner = of(&scene.inner);
            shortlists.refresh(&moved, &inner, &lists);
            scene.assert_exact(&shortlists);
            shortlists.lists.assert_well_formed();
            lists.assert_well_formed();
        }
    }

    #[test]
    fn every_instruction_set_picks_the_same_ids() {
        let container = Container::cuboid(DVec3::splat(8.0), "ppp".parse().unwrap()).unwrap();
        let frame = container.frame();
        let mut rng = Pcg64::seed_from_u64(6);
        let inner: Vec<Point> = (0..200)
            .map(|_| Point {
                at: rng.random(),
                radius: rng.random_range(0.1..2.0),
            })
            .collect();
        let octets: Vec<Octet> = (0..20)
            .map(|_| std::array::from_fn(|_| rng.random_range(0..200)))
            .collect();
        for &sphere in &inner {
            let (mut portable, mut fastest) = (Vec::new(), Vec::new());
            let pick = |found| Pick {
                inner: &inner,
                sphere,
                unit: frame.unit,
                octets: &octets,
                found,
            };
            run_portable(pick(&mut portable));
            run(pick(&mut fastest));
            assert!(!portable.is_empty());
            assert_eq!(portable, fastest);
        }
    }
}
