//! Spheres that may be neighbours of those in a group, laid out for fast searches.
//!
//! Every search comes twice, for any machine and for those with AVX2; both find the same lists.

use crate::{
    frame::{Frame, Point, difference},
    instructions::{Instructions, LANES},
};

/// Single precision decides unless the distance of two spheres is so nearly the sum of their radii: up to a share of that sum, and
/// some steps of the frame.
const DOUBT: f32 = 2e-6;
const DOUBT_STEPS: f32 = 4.0;

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

/// Measures how near others are to a sphere.
#[derive(Clone, Copy)]
struct Ruler {
    from: Point,
    unit: [f32; 3],
    least_doubt: f32,
}

/// What single precision says about the spheres in some lanes, as a bit for each.
struct Nearness {
    /// Those that may intersect.
    near: u32,
    /// Those that do.
    sure: u32,
}

impl Ruler {
    fn new(frame: &Frame, from: Point) -> Self {
        Self {
            from,
            unit: frame.unit,
            least_doubt: DOUBT_STEPS * frame.unit.into_iter().fold(0.0, f32::max),
        }
    }

    fn measure(&self, to: Point) -> Nearness {
        let steps = difference(self.from.at, to.at);
        let [x, y, z]: [f32; 3] = std::array::from_fn(|axis| steps[axis] as f32 * self.unit[axis]);
        let squared = x * x + y * y + z * z;
        let reach = self.from.radius + to.radius;
        let doubt = reach * DOUBT + self.least_doubt;
        let (outer, inner) = (reach + doubt, (reach - doubt).max(0.0));
        Nearness {
            near: u32::from(squared < outer * outer),
            sure: u32::from(squared < inner * inner),
        }
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

    /// Adds those of some spheres that may intersect `hull`.
    pub fn add(&mut self, frame: &Frame, hull: Point, points: &[Point], ids: &[u32]) {
        let ruler = Ruler::new(frame, hull);
        match self.instructions {
            Instructions::Portable => {
                for (&point, &id) in points.iter().zip(ids) {
                    self.add_near(ruler, point, id);
                }
            }
            // SAFETY: the machine has the instructions.
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2 => unsafe { avx2::add(self, ruler, points, ids) },
        }
    }

    /// Takes those of `wider` that may intersect `hull`, instead of what was here.
    pub fn narrow(&mut self, frame: &Frame, hull: Point, wider: &Self) {
        self.clear();
        let ruler = Ruler::new(frame, hull);
        match self.instructions {
            Instructions::Portable => {
                for (point, id) in wider.iter() {
                    self.add_near(ruler, point, id);
                }
            }
            // SAFETY: the machine has the instructions.
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2 => unsafe { avx2::narrow(self, ruler, wider) },
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

    fn add_near(&mut self, ruler: Ruler, Point { at, radius }: Point, id: u32) {
        if ruler.measure(Point { at, radius }).near != 0 {
            let [x, y, z] = at.map(|steps| steps as u32);
            let fields = [x, y, z, radius.to_bits(), id];
            for (column, field) in self.columns.iter_mut().zip(fields) {
                column.push(field);
            }
        }
    }

    /// Writes to `found` the ids of all candidates that intersect the probe, itself left out. Of those that nearly touch it, `exactly`
    /// tells whether they do.
    pub fn scan(
        &self,
        frame: &Frame,
        probe: Probe,
        exactly: impl Fn(u32) -> bool,
        found: &mut Vec<u32>,
    ) {
        found.clear();
        let ruler = Ruler::new(frame, probe.point);
        match self.instructions {
            Instructions::Portable => {
                for (point, id) in self.iter() {
                    let Nearness { near, sure } = ruler.measure(point);
                    if id != probe.id && (sure != 0 || near != 0 && exactly(id)) {
                        found.push(id);
                    }
                }
            }
            // SAFETY: the machine has the instructions.
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2 => unsafe { avx2::scan(self, ruler, probe.id, exactly, found) },
        }
    }
}

/// The searches, eight candidates at a time.
#[cfg(target_arch = "x86_64")]
mod avx2 {
    use std::arch::x86_64::*;

    use super::{Candidates, DOUBT, Nearness, Ruler};
    use crate::{
        frame::Point,
        instructions::LANES,
        vectors::{distances_squared, pack, packing_order, transposed},
    };

    /// [`Ruler`] in every lane.
    struct Rulers {
        at: [__m256i; 3],
        radius: __m256,
        unit: [__m256; 3],
        least_doubt: __m256,
    }

    impl Rulers {
        #[inline]
        #[target_feature(enable = "avx2")]
        fn new(ruler: Ruler) -> Self {
            Self {
                at: ruler.from.at.map(|steps| _mm256_set1_epi32(steps)),
                radius: _mm256_set1_ps(ruler.from.radius),
                unit: ruler.unit.map(|unit| _mm256_set1_ps(unit)),
                least_doubt: _mm256_set1_ps(ruler.least_doubt),
            }
        }

        /// [`Ruler::measure`] for eight spheres: the same operations.
        #[inline]
        #[target_feature(enable = "avx2")]
        fn measure(&self, [x, y, z, radii, _]: [__m256i; 5]) -> Nearness {
            let squared = distances_squared(self.at, [x, y, z], self.unit);
            let reach = _mm256_add_ps(_mm256_castsi256_ps(radii), self.radius);
            let share = _mm256_mul_ps(reach, _mm256_set1_ps(DOUBT));
            let doubt = _mm256_add_ps(share, self.least_doubt);
            let outer = _mm256_add_ps(reach, doubt);
            let inner = _mm256_max_ps(_mm256_sub_ps(reach, doubt), _mm256_setzero_ps());
            let within = |reach: __m256| {
                let near = _mm256_cmp_ps::<_CMP_LT_OQ>(squared, _mm256_mul_ps(reach, reach));
                _mm256_movemask_ps(near) as u32
            };
            Nearness {
                near: within(outer),
                sure: within(inner),
            }
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
    pub unsafe fn add(to: &mut Candidates, ruler: Ruler, points: &[Point], ids: &[u32]) {
        let rulers = Rulers::new(ruler);
        to.reserve(ids.len());
        let wholes = points.chunks_exact(LANES).zip(ids.chunks_exact(LANES));
        for (points, ids) in wholes {
            // SAFETY: eight points and eight ids are read; there is room for all that are added, and for eight more.
            unsafe {
                let [x, y, z, radii] = transposed(|lane| points.as_ptr().add(lane))
                    .map(|lanes| _mm256_castps_si256(lanes));
                let ids = _mm256_loadu_si256(ids.as_ptr().cast());
                let eight = [x, y, z, radii, ids];
                to.push(eight, rulers.measure(eight).near);
            }
        }
        let rest = ids.len() / LANES * LANES;
        for (&point, &id) in points[rest..].iter().zip(&ids[rest..]) {
            to.add_near(ruler, point, id);
        }
    }

    #[target_feature(enable = "avx2,popcnt")]
    pub unsafe fn narrow(to: &mut Candidates, ruler: Ruler, wider: &Candidates) {
        let rulers = Rulers::new(ruler);
        let len = wider.columns[0].len();
        to.reserve(len);
        for k in (0..len).step_by(LANES) {
            // SAFETY: the wider are whole vectors; there is room for all of them, and for eight more.
            unsafe {
                let eight = wider.eight(k);
                to.push(eight, rulers.measure(eight).near);
            }
        }
    }

    #[target_feature(enable = "avx2,popcnt")]
    pub unsafe fn scan(
        from: &Candidates,
        ruler: Ruler,
        own_id: u32,
        exactly: impl Fn(u32) -> bool,
        found: &mut Vec<u32>,
    ) {
        let rulers = Rulers::new(ruler);
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
                let Nearness { near, sure } = rulers.measure(eight);
                let (near, mut kept) = (near & others, sure & others);
                if near != kept {
                    for lane in 0..LANES {
                        let doubtful = (near & !kept) >> lane & 1 == 1;
                        kept |= u32::from(doubtful && exactly(from.columns[4][k + lane])) << lane;
                    }
                }
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

    use super::{super::intake::Intake, *};
    use crate::{Container, Entry};

    /// Each of the first few spheres scans what is near it of all candidates, which come in runs.
    fn scan_all(instructions: Instructions, frame: &Frame, entries: &[Entry]) -> Vec<Vec<u32>> {
        let mut intake = Intake::new(instructions);
        let mut all = Candidates::new(instructions);
        let everywhere = Point {
            at: [0; 3],
            radius: 9.0,
        };
        for run in entries.chunks(7) {
            intake.take(run, frame, everywhere, &mut all);
        }
        intake.finish(frame, everywhere, &mut all);
        let mut near = Candidates::new(instructions);
        let mut found = Vec::new();
        let lists = entries[..50].iter().map(|entry| {
            let point = frame.point(entry.center, entry.radius);
            near.narrow(frame, point, &all);
            assert!(near.columns[0].len() < all.columns[0].len());
            let id = entry.id;
            let exactly =
                |other: u32| intersect(frame.container(), entry, &entries[other as usize]);
            near.scan(frame, Probe { id, point }, exactly, &mut found);
            found.clone()
        });
        lists.collect()
    }

    fn intersect(container: &Container, a: &Entry, b: &Entry) -> bool {
        container.displacement(a.center, b.center).length() < a.radius + b.radius
    }

    #[test]
    fn every_scan_finds_all_that_intersect() {
        let lengths = DVec3::new(1.0, 2.0, 1.5);
        let container = Container::new(lengths, "pwp".parse().unwrap()).unwrap();
        let frame = Frame::new(container);
        let mut rng = Pcg64::seed_from_u64(1);
        // Pairs on a lattice touch exactly; tiny spheres are smaller than what single precision tells apart.
        let entries: Vec<Entry> = (0..500)
            .map(|id| {
                let on_lattice = id % 2 == 0;
                let share = |_| f64::from(rng.random_range(0..16)) / 16.0;
                let center = if on_lattice {
                    DVec3::from_array([0, 1, 2].map(share))
                } else {
                    DVec3::from_array(rng.random())
                };
                let radius = [0.03125, 0.0625, 1e-9, 0.2][id as usize % 4];
                Entry {
                    center: center * lengths,
                    radius,
                    id,
                }
            })
            .collect();
        let portable = scan_all(Instructions::Portable, &frame, &entries);
        assert_eq!(portable, scan_all(Instructions::detect(), &frame, &entries));
        for (entry, list) in entries.iter().zip(&portable) {
            let expected: Vec<u32> = entries
                .iter()
                .filter(|other| other.id != entry.id && intersect(&container, entry, other))
                .map(|other| other.id)
                .collect();
            assert_eq!(*list, expected, "{entry:?}");
        }
    }
}
