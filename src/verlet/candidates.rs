//! Candidates of a cluster, laid out for fast searches.

use super::constants::MARGIN;
use crate::{
    container::frame::{Frame, Point, Steps, difference},
    machine::lanes::{Kernel, LANES, Lanes, run},
};

/// Candidates by column. Complete columns consist of whole vectors, padded with entries that intersect no sphere.
#[derive(Debug, Default)]
pub(super) struct Candidates {
    columns: Columns,
}

/// x, y, z in steps of the frame, the bits of the radii, and the ids.
type Columns = [Vec<u32>; 5];

/// A sphere whose neighbors are searched.
#[derive(Clone, Copy, Debug)]
pub(super) struct Probe {
    pub id: u32,
    pub point: Point,
}

/// A test for intersection with one sphere.
#[derive(Clone, Copy)]
struct Reach {
    from: Point,
    /// Length of one step along each axis.
    unit: [f32; 3],
    /// Factor on the sum of two radii.
    stretch: f32,
}

impl Reach {
    /// The test of a sphere.
    fn of_sphere(frame: &Frame, from: Point) -> Self {
        Self {
            from,
            unit: frame.unit,
            stretch: 1.0 + MARGIN as f32,
        }
    }

    /// The test of a bounding sphere, which passes whenever the test of a sphere inside passes, whatever the rounding.
    fn of_bounding_sphere(frame: &Frame, from: Point) -> Self {
        Self {
            stretch: 1.0 + 2.0 * MARGIN as f32,
            ..Self::of_sphere(frame, from)
        }
    }

    /// Tests one sphere.
    fn intersects(&self, to: Point) -> bool {
        let steps = difference(self.from.at, to.at);
        let [x, y, z]: [f32; 3] = std::array::from_fn(|axis| steps[axis] as f32 * self.unit[axis]);
        let reach = (self.from.radius + to.radius) * self.stretch;
        x * x + y * y + z * z < reach * reach
    }

    /// Tests eight spheres with the same operations. Returns a bit for each.
    #[inline(always)]
    fn intersecting<L: Lanes>(&self, lanes: L, [x, y, z, radius]: [L::I32; 4]) -> u32 {
        let squared = squared_distances(lanes, self.from.at, [x, y, z], self.unit);
        let sum = lanes.add(lanes.splat(self.from.radius), lanes.bits_to_f32(radius));
        let reach = lanes.mul(sum, lanes.splat(self.stretch));
        lanes.less(squared, lanes.mul(reach, reach))
    }
}

/// Returns the squares of the distances from one position to eight others, given by axis. `unit` holds the length of a step
/// along each axis.
#[inline(always)]
pub(crate) fn squared_distances<L: Lanes>(
    lanes: L,
    from: Steps,
    to: [L::I32; 3],
    unit: [f32; 3],
) -> L::F32 {
    let square = |axis: usize| {
        let steps = lanes.sub_i32(to[axis], lanes.splat_i32(from[axis]));
        let length = lanes.mul(lanes.to_f32(steps), lanes.splat(unit[axis]));
        lanes.mul(length, length)
    };
    lanes.add(lanes.add(square(0), square(1)), square(2))
}

impl Candidates {
    pub fn clear(&mut self) {
        self.columns.iter_mut().for_each(Vec::clear);
    }

    /// Adds the spheres `ids` that may intersect `bounding`.
    pub fn add(&mut self, frame: &Frame, bounding: Point, inflated: &[Point], ids: &[u32]) {
        run(Add {
            columns: &mut self.columns,
            reach: Reach::of_bounding_sphere(frame, bounding),
            inflated,
            ids,
        });
    }

    /// Replaces the candidates by the `wider` ones that may intersect `bounding`.
    pub fn narrow(&mut self, frame: &Frame, bounding: Point, wider: &Self) {
        self.clear();
        run(Narrow {
            columns: &mut self.columns,
            reach: Reach::of_bounding_sphere(frame, bounding),
            wider: &wider.columns,
        });
        self.complete();
    }

    /// Pads the columns to whole vectors. Must follow the last [`Self::add`].
    pub fn complete(&mut self) {
        let whole = self.columns[0].len().next_multiple_of(LANES);
        // No comparison with NaN is true.
        let padding = [0, 0, 0, f32::NAN.to_bits(), u32::MAX];
        for (column, padding) in self.columns.iter_mut().zip(padding) {
            column.resize(whole, padding);
        }
    }

    /// Writes the ids of all candidates that intersect the probe to `found`, except its own id.
    pub fn scan(&self, frame: &Frame, probe: Probe, found: &mut Vec<u32>) {
        found.clear();
        run(Scan {
            columns: &self.columns,
            reach: Reach::of_sphere(frame, probe.point),
            own: probe.id,
            found,
        });
    }
}

/// Reserves space for `more` candidates. A whole vector behind the candidates that were appended of the first k ends at or
/// before the place of candidate k + 8.
fn reserve(columns: &mut Columns, more: usize) {
    for column in columns {
        column.reserve(more);
    }
}

/// Appends the lanes whose bit in `kept` is set.
///
/// # Safety
/// Each column must have space for eight entries.
#[inline(always)]
unsafe fn append<L: Lanes>(lanes: L, columns: &mut Columns, entries: [L::I32; 5], kept: u32) {
    for (column, entries) in columns.iter_mut().zip(entries) {
        let len = column.len();
        // SAFETY: the caller guarantees the space; all entries before the new length are written.
        unsafe {
            let count = lanes.compress(entries, kept, column.as_mut_ptr().add(len));
            column.set_len(len + count);
        }
    }
}

/// Loads eight candidates.
///
/// # Safety
/// `k + LANES` must not exceed the length of the columns.
#[inline(always)]
unsafe fn load<L: Lanes>(lanes: L, columns: &Columns, k: usize) -> [L::I32; 5] {
    std::array::from_fn(|column| {
        // SAFETY: the columns have equal lengths, and the caller guarantees `k`.
        unsafe { lanes.load(columns[column].as_ptr().add(k)) }
    })
}

/// See [`Candidates::add`].
struct Add<'a> {
    columns: &'a mut Columns,
    reach: Reach,
    inflated: &'a [Point],
    ids: &'a [u32],
}

impl Kernel for Add<'_> {
    type Output = ();

    #[inline(always)]
    fn compute<L: Lanes>(self, lanes: L) {
        reserve(self.columns, self.ids.len());
        let (eights, rest) = self.ids.as_chunks::<LANES>();
        for ids in eights {
            // SAFETY: every point belongs to the slice. There is space for all ids, see `reserve`.
            unsafe {
                let [x, y, z, radius] =
                    lanes.transpose(|lane| &raw const self.inflated[ids[lane] as usize]);
                let kept = self.reach.intersecting(lanes, [x, y, z, radius]);
                let entries = [x, y, z, radius, lanes.load(ids.as_ptr())];
                append(lanes, self.columns, entries, kept);
            }
        }
        for &id in rest {
            let point = self.inflated[id as usize];
            if self.reach.intersects(point) {
                let [x, y, z] = point.at.map(|steps| steps as u32);
                let entry = [x, y, z, point.radius.to_bits(), id];
                for (column, field) in self.columns.iter_mut().zip(entry) {
                    column.push(field);
                }
            }
        }
    }
}

/// See [`Candidates::narrow`].
struct Narrow<'a> {
    columns: &'a mut Columns,
    reach: Reach,
    wider: &'a Columns,
}

impl Kernel for Narrow<'_> {
    type Output = ();

    #[inline(always)]
    fn compute<L: Lanes>(self, lanes: L) {
        let total = self.wider[0].len();
        reserve(self.columns, total);
        for k in (0..total).step_by(LANES) {
            // SAFETY: complete columns consist of whole vectors. There is space for all of them, see `reserve`.
            unsafe {
                let entries = load(lanes, self.wider, k);
                let [x, y, z, radius, _] = entries;
                let kept = self.reach.intersecting(lanes, [x, y, z, radius]);
                append(lanes, self.columns, entries, kept);
            }
        }
    }
}

/// See [`Candidates::scan`].
struct Scan<'a> {
    columns: &'a Columns,
    reach: Reach,
    own: u32,
    found: &'a mut Vec<u32>,
}

impl Kernel for Scan<'_> {
    type Output = ();

    #[inline(always)]
    fn compute<L: Lanes>(self, lanes: L) {
        let own = lanes.splat_i32(self.own as i32);
        let total = self.columns[0].len();
        self.found.reserve(total);
        let mut len = 0;
        for k in (0..total).step_by(LANES) {
            // SAFETY: complete columns consist of whole vectors, and there is space for all ids.
            unsafe {
                let [x, y, z, radius, ids] = load(lanes, self.columns, k);
                let others = !lanes.equal(ids, own);
                let kept = self.reach.intersecting(lanes, [x, y, z, radius]) & others;
                len += lanes.compress(ids, kept, self.found.as_mut_ptr().add(len));
            }
        }
        // SAFETY: this number of ids was written.
        unsafe { self.found.set_len(len) };
    }
}

#[cfg(test)]
mod tests {
    use glam::DVec3;
    use rand::{RngExt, SeedableRng};
    use rand_pcg::Pcg64;

    use super::*;
    use crate::{Container, machine::lanes::run_portable};

    /// Half of the spheres touch exactly, on a lattice. Tiny spheres are smaller than the resolution of single precision.
    fn scene(container: &Container) -> Vec<Point> {
        let frame = container.frame();
        let mut rng = Pcg64::seed_from_u64(1);
        (0..500)
            .map(|id| {
                let share = |_| f64::from(rng.random_range(0..16)) / 16.0;
                let center = if id % 2 == 0 {
                    DVec3::from_array([0, 1, 2].map(share))
                } else {
                    DVec3::from_array(rng.random())
                };
                let radius = [0.03125, 0.0625, 1e-9, 0.2][id % 4];
                frame.point(center * container.lengths(), radius)
            })
            .collect()
    }

    #[test]
    fn every_scan_finds_all_spheres_that_intersect() {
        let lengths = DVec3::new(1.0, 2.0, 1.5);
        let container = Container::cuboid(lengths, "pwp".parse().unwrap()).unwrap();
        let frame = container.frame();
        let inflated = scene(&container);
        let mut all = Candidates::default();
        let everywhere = Point {
            at: [0; 3],
            radius: 9.0,
        };
        let ids: Vec<u32> = (0..inflated.len() as u32).collect();
        for ids in ids.chunks(37) {
            all.add(&frame, everywhere, &inflated, ids);
        }
        all.complete();
        // The distance of two spheres as a multiple of the sum of their radii.
        let relative_distance = |a: Point, b: Point| {
            let displacement = container.displacement(frame.center(a.at), frame.center(b.at));
            displacement.length() / f64::from(a.radius + b.radius)
        };
        let (mut near, mut found, mut listed) = (Candidates::default(), Vec::new(), 0);
        for (id, &point) in (0..).zip(&inflated[..50]) {
            near.narrow(&frame, point, &all);
            assert!(near.columns[0].len() < all.columns[0].len());
            near.scan(&frame, Probe { id, point }, &mut found);
            for other in (0..500).filter(|&other| other != id) {
                let distance = relative_distance(point, inflated[other as usize]);
                let is_listed = found.contains(&other);
                assert!(is_listed || distance >= 1.0, "{other} is missing from {id}");
                assert!(
                    !is_listed || distance < 1.0 + 2.0 * MARGIN,
                    "{other} in {id}"
                );
                listed += usize::from(is_listed);
            }
        }
        assert!(listed > 100);
    }

    #[test]
    fn every_instruction_set_finds_the_same_candidates() {
        let container = Container::cuboid(DVec3::ONE, "ppw".parse().unwrap()).unwrap();
        let frame = container.frame();
        let inflated = scene(&container);
        let ids: Vec<u32> = (0..inflated.len() as u32).rev().collect();
        for (id, &point) in (0..).zip(&inflated[..50]) {
            let reach = Reach::of_bounding_sphere(&frame, point);
            let wide = Point {
                radius: 2.0 * point.radius + 0.1,
                ..point
            };
            let search = |is_portable: bool| {
                let [mut wider, mut narrower] = [Columns::default(), Columns::default()];
                let mut found = Vec::new();
                macro_rules! run_as_asked {
                    ($kernel:expr) => {
                        if is_portable {
                            run_portable($kernel)
                        } else {
                            run($kernel)
                        }
                    };
                }
                run_as_asked!(Add {
                    columns: &mut wider,
                    reach: Reach::of_bounding_sphere(&frame, wide),
                    inflated: &inflated,
                    ids: &ids,
                });
                let mut all = Candidates { columns: wider };
                all.complete();
                run_as_asked!(Narrow {
                    columns: &mut narrower,
                    reach,
                    wider: &all.columns,
                });
                let mut near = Candidates { columns: narrower };
                near.complete();
                run_as_asked!(Scan {
                    columns: &near.columns,
                    reach: Reach::of_sphere(&frame, point),
                    own: id,
                    found: &mut found,
                });
                (all.columns, near.columns, found)
            };
            assert_eq!(search(true), search(false));
        }
    }
}
