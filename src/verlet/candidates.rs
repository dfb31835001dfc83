//! Spheres that may be neighbours of those in a group, laid out for fast searches.
//!
//! Every search comes twice, for any machine and for those with AVX2; both find the same lists.

use super::MARGIN;
use crate::{
    container::frame::{Frame, Point, difference},
    machine::instructions::{Instructions, LANES},
};

/// Candidates by column, filled up to whole vectors with what is near nothing.
#[derive(Debug)]
pub(super) struct Candidates {
    instructions: Instructions,
    /// x, y, z in steps of the frame, the bits of the radii, the ids.
    columns: [Vec<u32>; 5],
}

/// The sphere whose neighbours are wanted.
#[derive(Clone, Copy, Debug)]
pub(super) struct Probe {
    pub id: u32,
    pub point: Point,
}

/// Tells whom a sphere meets.
#[derive(Clone, Copy)]
struct Reach {
    from: Point,
    unit: [f32; 3],
    /// The sum of two radii is stretched by this factor.
    stretch: f32,
}

impl Reach {
    /// Of a sphere.
    fn of_sphere(frame: &Frame, from: Point) -> Self {
        Self {
            from,
            unit: frame.unit,
            stretch: 1.0 + MARGIN as f32,
        }
    }

    /// Of a hull, which must meet whom any of its spheres meets, whatever rounding does.
    fn of_hull(frame: &Frame, from: Point) -> Self {
        Self {
            stretch: 1.0 + 2.0 * MARGIN as f32,
            ..Self::of_sphere(frame, from)
        }
    }

    fn meets(&self, to: Point) -> bool {
        let steps = difference(self.from.at, to.at);
        let [x, y, z]: [f32; 3] = std::array::from_fn(|axis| steps[axis] as f32 * self.unit[axis]);
        let reach = (self.from.radius + to.radius) * self.stretch;
        x * x + y * y + z * z < reach * reach
    }
}

impl Candidates {
    pub fn new(instructions: Instructions) -> Self {
        Self {
            instructions,
            columns: Default::default(),
        }
    }

    pub fn clear(&mut self) {
        self.columns.iter_mut().for_each(Vec::clear);
    }

    /// Adds those of the spheres `ids` that may intersect `hull`.
    pub fn add(&mut self, frame: &Frame, hull: Point, inflated: &[Point], ids: &[u32]) {
        let reach = Reach::of_hull(frame, hull);
        match self.instructions {
            Instructions::Portable => {
                for &id in ids {
                    self.add_near(reach, inflated[id as usize], id);
                }
            }
            // SAFETY: the machine has the instructions.
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2 => unsafe { avx2::add(self, reach, inflated, ids) },
        }
    }

    /// Takes those of `wider` that may intersect `hull`, instead of what was here.
    pub fn narrow(&mut self, frame: &Frame, hull: Point, wider: &Self) {
        self.clear();
        let reach = Reach::of_hull(frame, hull);
        match self.instructions {
            Instructions::Portable => {
                for (point, id) in wider.iter() {
                    self.add_near(reach, point, id);
                }
            }
            // SAFETY: the machine has the instructions.
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2 => unsafe { avx2::narrow(self, reach, wider) },
        }
        self.fill_up();
    }

    /// Must follow the last [`Self::add`].
    pub fn fill_up(&mut self) {
        let whole = self.columns[0].len().next_multiple_of(LANES);
        // Nothing is nearer than NaN.
        let nothing = [0, 0, 0, f32::NAN.to_bits(), u32::MAX];
        for (column, nothing) in self.columns.iter_mut().zip(nothing) {
            column.resize(whole, nothing);
        }
    }

    fn iter(&self) -> impl Iterator<Item = (Point, u32)> {
        let [x, y, z, radii, ids] = &self.columns;
        (0..ids.len()).map(|k| {
            let point = Point {
                at: [x[k], y[k], z[k]].map(|steps| steps as i32),
                radius: f32::from_bits(radii[k]),
            };
            (point, ids[k])
        })
    }

    fn add_near(&mut self, reach: Reach, point: Point, id: u32) {
        if reach.meets(point) {
            let [x, y, z] = point.at.map(|steps| steps as u32);
            let fields = [x, y, z, point.radius.to_bits(), id];
            for (column, field) in self.columns.iter_mut().zip(fields) {
                column.push(field);
            }
        }
    }

    /// Writes to `found` the ids of all candidates that intersect the probe, itself left out.
    pub fn scan(&self, frame: &Frame, probe: Probe, found: &mut Vec<u32>) {
        found.clear();
        let reach = Reach::of_sphere(frame, probe.point);
        match self.instructions {
            Instructions::Portable => {
                let met = self.iter().filter(|&(point, _)| reach.meets(point));
                found.extend(met.map(|(_, id)| id).filter(|&id| id != probe.id));
            }
            // SAFETY: the machine has the instructions.
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2 => unsafe { avx2::scan(self, reach, probe.id, found) },
        }
    }
}

/// The searches, eight candidates at a time.
#[cfg(target_arch = "x86_64")]
mod avx2 {
    use std::arch::x86_64::*;

    use super::{Candidates, Reach};
    use crate::{
        container::frame::Point,
        machine::instructions::LANES,
        machine::lanes::{distances_squared, pack, packing_order, transposed},
    };

    /// [`Reach`] in every lane.
    struct Reaches {
        at: [__m256i; 3],
        radius: __m256,
        unit: [__m256; 3],
        stretch: __m256,
    }

    impl Reaches {
        #[inline]
        #[target_feature(enable = "avx2")]
        fn new(reach: Reach) -> Self {
            Self {
                at: reach.from.at.map(|steps| _mm256_set1_epi32(steps)),
                radius: _mm256_set1_ps(reach.from.radius),
                unit: reach.unit.map(|unit| _mm256_set1_ps(unit)),
                stretch: _mm256_set1_ps(reach.stretch),
            }
        }

        /// [`Reach::meets`] for eight spheres, as a bit for each: the same operations.
        #[inline]
        #[target_feature(enable = "avx2")]
        fn meets(&self, [x, y, z, radii, _]: [__m256i; 5]) -> u32 {
            let squared = distances_squared(self.at, [x, y, z], self.unit);
            let sum = _mm256_add_ps(self.radius, _mm256_castsi256_ps(radii));
            let reach = _mm256_mul_ps(sum, self.stretch);
            let met = _mm256_cmp_ps::<_CMP_LT_OQ>(squared, _mm256_mul_ps(reach, reach));
            _mm256_movemask_ps(met) as u32
        }
    }

    impl Candidates {
        /// # Safety
        /// `k + LANES` must not be beyond the end.
        #[inline]
        #[target_feature(enable = "avx2")]
        unsafe fn eight(&self, k: usize) -> [__m256i; 5] {
            // SAFETY: columns are equally long, and the caller vouches for `k`.
            let load = |column: &Vec<u32>| unsafe {
                _mm256_loadu_si256(column.as_ptr().add(k).cast::<__m256i>())
            };
            let [x, y, z, radii, ids] = &self.columns;
            [load(x), load(y), load(z), load(radii), load(ids)]
        }

        /// Makes room for so many more, and for a whole vector behind them.
        fn reserve(&mut self, more: usize) {
            for column in &mut self.columns {
                column.reserve(more + LANES);
            }
        }

        /// Adds the lanes whose bit in `kept` is set.
        ///
        /// # Safety
        /// There must be room for eight.
        #[inline]
        #[target_feature(enable = "avx2,popcnt")]
        unsafe fn push(&mut self, eight: [__m256i; 5], kept: u32) {
            let order = packing_order(kept);
            for (column, lanes) in self.columns.iter_mut().zip(eight) {
                let len = column.len();
                // SAFETY: the caller vouches for the room; what lies before the new length has been written.
                unsafe {
                    let end = column.as_mut_ptr().add(len);
                    _mm256_storeu_si256(end.cast(), _mm256_permutevar8x32_epi32(lanes, order));
                    column.set_len(len + kept.count_ones() as usize);
                }
            }
        }
    }

    #[target_feature(enable = "avx2,popcnt")]
    pub unsafe fn add(to: &mut Candidates, reach: Reach, inflated: &[Point], ids: &[u32]) {
        let reaches = Reaches::new(reach);
        to.reserve(ids.len());
        let (eights, rest) = ids.as_chunks::<LANES>();
        for ids in eights {
            // SAFETY: every point is that of a slice; there is room for all that are added, and for eight more.
            unsafe {
                let [x, y, z, radii] = transposed(|lane| &raw const inflated[ids[lane] as usize])
                    .map(|lanes| _mm256_castps_si256(lanes));
                let eight = [x, y, z, radii, _mm256_loadu_si256(ids.as_ptr().cast())];
                to.push(eight, reaches.meets(eight));
            }
        }
        for &id in rest {
            to.add_near(reach, inflated[id as usize], id);
        }
    }

    #[target_feature(enable = "avx2,popcnt")]
    pub unsafe fn narrow(to: &mut Candidates, reach: Reach, wider: &Candidates) {
        let reaches = Reaches::new(reach);
        let len = wider.columns[0].len();
        to.reserve(len);
        for k in (0..len).step_by(LANES) {
            // SAFETY: the wider are whole vectors; there is room for all of them, and for eight more.
            unsafe {
                let eight = wider.eight(k);
                to.push(eight, reaches.meets(eight));
            }
        }
    }

    #[target_feature(enable = "avx2,popcnt")]
    pub unsafe fn scan(from: &Candidates, reach: Reach, own_id: u32, found: &mut Vec<u32>) {
        let reaches = Reaches::new(reach);
        let own = _mm256_set1_epi32(own_id as i32);
        let total = from.columns[0].len();
        found.reserve(total);
        let mut len = 0;
        for k in (0..total).step_by(LANES) {
            // SAFETY: candidates are whole vectors; there is room for all ids.
            unsafe {
                let eight = from.eight(k);
                let ids = eight[4];
                let itself = _mm256_castsi256_ps(_mm256_cmpeq_epi32(ids, own));
                let others = !(_mm256_movemask_ps(itself) as u32);
                let kept = reaches.meets(eight) & others;
                len += pack(ids, kept, found.as_mut_ptr().add(len));
            }
        }
        // SAFETY: so many were written.
        unsafe { found.set_len(len) };
    }
}

#[cfg(test)]
mod tests {
    use glam::DVec3;
    use rand::{RngExt, SeedableRng};
    use rand_pcg::Pcg64;

    use super::*;
    use crate::Container;

    /// Each of the first few spheres scans what is near it of all candidates, which come in runs.
    fn scan_all(instructions: Instructions, frame: &Frame, inflated: &[Point]) -> Vec<Vec<u32>> {
        let mut all = Candidates::new(instructions);
        let everywhere = Point {
            at: [0; 3],
            radius: 9.0,
        };
        let ids: Vec<u32> = (0..inflated.len() as u32).collect();
        for ids in ids.chunks(37) {
            all.add(frame, everywhere, inflated, ids);
        }
        all.fill_up();
        let mut near = Candidates::new(instructions);
        let mut found = Vec::new();
        let lists = (0..).zip(&inflated[..50]).map(|(id, &point)| {
            near.narrow(frame, point, &all);
            assert!(near.columns[0].len() < all.columns[0].len());
            near.scan(frame, Probe { id, point }, &mut found);
            found.clone()
        });
        lists.collect()
    }

    #[test]
    fn every_scan_finds_all_that_intersect() {
        let lengths = DVec3::new(1.0, 2.0, 1.5);
        let container = Container::cuboid(lengths, "pwp".parse().unwrap()).unwrap();
        let frame = container.frame();
        let mut rng = Pcg64::seed_from_u64(1);
        // Pairs on a lattice touch exactly; tiny spheres are smaller than what single precision tells apart.
        let inflated: Vec<Point> = (0..500)
            .map(|id| {
                let on_lattice = id % 2 == 0;
                let share = |_| f64::from(rng.random_range(0..16)) / 16.0;
                let center = if on_lattice {
                    DVec3::from_array([0, 1, 2].map(share))
                } else {
                    DVec3::from_array(rng.random())
                };
                frame.point(center * lengths, [0.03125, 0.0625, 1e-9, 0.2][id % 4])
            })
            .collect();
        let portable = scan_all(Instructions::Portable, &frame, &inflated);
        assert_eq!(
            portable,
            scan_all(Instructions::detect(), &frame, &inflated)
        );
        // How far apart two spheres are, in sums of their radii.
        let apart = |a: Point, b: Point| {
            let way = container.displacement(frame.center(a.at), frame.center(b.at));
            way.length() / f64::from(a.radius + b.radius)
        };
        let mut listed = 0;
        for (id, list) in (0..).zip(&portable) {
            for other in (0..500).filter(|&other| other != id) {
                let apart = apart(inflated[id as usize], inflated[other as usize]);
                let is_listed = list.contains(&other);
                assert!(is_listed || apart >= 1.0, "{other} is missing from {id}");
                assert!(!is_listed || apart < 1.0 + 2.0 * MARGIN, "{other} in {id}");
                listed += usize::from(is_listed);
            }
        }
        assert!(listed > 100);
    }
}
