//! Candidates for the lists of a group of spheres, laid out for a fast scan.
//!
//! Everything here comes twice, for any machine and for those with AVX2; both find the same lists.

use crate::{
    frame::{Frame, Point, Steps, difference},
    index::Entry,
    instructions::{Instructions, LANES},
};

/// Single precision decides unless the distance of two spheres is so nearly the sum of their radii: up to a share of that sum, and
/// some steps of the frame.
const DOUBT: f32 = 2e-6;
const DOUBT_STEPS: f32 = 4.0;

/// Eight candidates side by side.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C, align(32))]
struct Eight {
    at: [[i32; LANES]; 3],
    radii: [f32; LANES],
    ids: [u32; LANES],
}

/// Spheres that may be neighbours of those in a group.
#[derive(Debug)]
pub(super) struct Candidates {
    instructions: Instructions,
    points: Vec<Point>,
    ids: Vec<u32>,
    eights: Vec<Eight>,
}

/// The sphere whose neighbours are wanted.
#[derive(Clone, Copy, Debug)]
pub(super) struct Probe {
    pub id: u32,
    pub point: Point,
}

/// What turns steps into lengths.
#[derive(Clone, Copy)]
struct Scale {
    unit: [f32; 3],
    doubt: f32,
}

impl Candidates {
    pub fn new(instructions: Instructions) -> Self {
        Self {
            instructions,
            points: Vec::new(),
            ids: Vec::new(),
            eights: Vec::new(),
        }
    }

    pub fn clear(&mut self) {
        self.points.clear();
        self.ids.clear();
    }

    /// Adds a run of candidates.
    #[inline]
    pub fn extend(&mut self, run: &[Entry], frame: &Frame) {
        match self.instructions {
            Instructions::Portable => {
                let points = run
                    .iter()
                    .map(|entry| frame.point(entry.center, entry.radius));
                self.points.extend(points);
                self.ids.extend(run.iter().map(|entry| entry.id));
            }
            // SAFETY: the machine has the instructions.
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2 => unsafe { self.extend_avx2(run, frame) },
        }
    }

    /// [`Frame::point`], or a step beside it, with the three axes and the radius in one vector.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    unsafe fn extend_avx2(&mut self, run: &[Entry], frame: &Frame) {
        use std::arch::x86_64::*;

        // By way of numbers that fit an `i32`, to which AVX2 converts four at a time.
        const HALF: f64 = (1u32 << 31) as f64;
        let factor = frame.per_length;
        let factor = _mm256_set_pd(1.0, factor.z, factor.y, factor.x);
        let half = _mm256_set_pd(0.0, HALF, HALF, HALF);
        let sign = _mm_set_epi32(0, i32::MIN, i32::MIN, i32::MIN);
        let len = self.points.len();
        self.points.reserve(run.len());
        self.ids.reserve(run.len());
        // SAFETY: there is room for the whole run in both, and all of it is written.
        unsafe {
            let points = self.points.as_mut_ptr().add(len);
            let ids = self.ids.as_mut_ptr().add(len);
            for (k, entry) in run.iter().enumerate() {
                let [x, y, z] = entry.center.to_array();
                let scaled = _mm256_mul_pd(_mm256_set_pd(entry.radius, z, y, x), factor);
                let at = _mm_xor_si128(_mm256_cvttpd_epi32(_mm256_sub_pd(scaled, half)), sign);
                let radius = _mm_castps_si128(_mm256_cvtpd_ps(scaled));
                _mm_store_si128(points.add(k).cast(), _mm_blend_epi32::<8>(at, radius));
                ids.add(k).write(entry.id);
            }
            self.points.set_len(len + run.len());
            self.ids.set_len(len + run.len());
        }
    }

    /// Lays out all that were added, for [`Self::scan`].
    pub fn arrange(&mut self) {
        let eights = self.ids.len().div_ceil(LANES);
        // Fills the last eight: nothing is nearer than NaN.
        let nothing = Point {
            at: [0; 3],
            radius: f32::NAN,
        };
        self.points.resize(eights * LANES, nothing);
        self.ids.resize(eights * LANES, u32::MAX);
        self.eights.resize(eights, Eight::default());
        match self.instructions {
            Instructions::Portable => self.arrange_portable(),
            // SAFETY: the machine has the instructions.
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2 => unsafe { self.arrange_avx2() },
        }
    }

    /// Eight places to fill, with what they are filled from.
    fn parts(&mut self) -> impl Iterator<Item = (&mut Eight, &[Point], &[u32])> {
        let points = self.points.chunks_exact(LANES);
        let ids = self.ids.chunks_exact(LANES);
        let parts = self.eights.iter_mut().zip(points).zip(ids);
        parts.map(|((eight, points), ids)| (eight, points, ids))
    }

    fn arrange_portable(&mut self) {
        for (eight, points, ids) in self.parts() {
            for (lane, point) in points.iter().enumerate() {
                for axis in 0..3 {
                    eight.at[axis][lane] = point.at[axis];
                }
                eight.radii[lane] = point.radius;
            }
            eight.ids.copy_from_slice(ids);
        }
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    unsafe fn arrange_avx2(&mut self) {
        use std::arch::x86_64::_mm256_store_ps;

        use crate::vectors::transposed;

        for (eight, points, ids) in self.parts() {
            // SAFETY: there are eight points; a vector fills the eight lanes of each array.
            unsafe {
                let [x, y, z, radii] = transposed(|lane| points.as_ptr().add(lane));
                for (axis, vector) in [x, y, z].into_iter().enumerate() {
                    _mm256_store_ps(eight.at[axis].as_mut_ptr().cast(), vector);
                }
                _mm256_store_ps(eight.radii.as_mut_ptr(), radii);
            }
            eight.ids.copy_from_slice(ids);
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
        let scale = Scale {
            unit: frame.unit,
            doubt: DOUBT_STEPS * frame.unit.into_iter().fold(0.0, f32::max),
        };
        match self.instructions {
            Instructions::Portable => self.scan_portable(scale, probe, exactly, found),
            // SAFETY: the machine has the instructions.
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2 => unsafe { self.scan_avx2(scale, probe, exactly, found) },
        }
    }

    fn scan_portable(
        &self,
        scale: Scale,
        probe: Probe,
        exactly: impl Fn(u32) -> bool,
        found: &mut Vec<u32>,
    ) {
        for eight in &self.eights {
            for lane in 0..LANES {
                let at: Steps = std::array::from_fn(|axis| eight.at[axis][lane]);
                let steps = difference(probe.point.at, at);
                let [x, y, z]: [f32; 3] =
                    std::array::from_fn(|axis| steps[axis] as f32 * scale.unit[axis]);
                let squared = x * x + y * y + z * z;
                let reach = eight.radii[lane] + probe.point.radius;
                let doubt = reach * DOUBT + scale.doubt;
                let (outer, inner) = (reach + doubt, (reach - doubt).max(0.0));
                let id = eight.ids[lane];
                let sure = squared < inner * inner;
                if id != probe.id && (sure || squared < outer * outer && exactly(id)) {
                    found.push(id);
                }
            }
        }
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,popcnt")]
    unsafe fn scan_avx2(
        &self,
        scale: Scale,
        probe: Probe,
        exactly: impl Fn(u32) -> bool,
        found: &mut Vec<u32>,
    ) {
        use std::arch::x86_64::*;

        use crate::vectors::pack;

        let own = probe.point.at.map(|steps| _mm256_set1_epi32(steps));
        let own_radius = _mm256_set1_ps(probe.point.radius);
        let own_id = _mm256_set1_epi32(probe.id as i32);
        let unit = scale.unit.map(|unit| _mm256_set1_ps(unit));
        let least_doubt = _mm256_set1_ps(scale.doubt);
        found.reserve(self.eights.len() * LANES);
        let mut len = 0;
        for eight in &self.eights {
            // SAFETY: arrays of eight are read, and eight ids written for which there is room.
            unsafe {
                let square = |axis: usize| {
                    let at = _mm256_load_si256(eight.at[axis].as_ptr().cast());
                    let steps = _mm256_cvtepi32_ps(_mm256_sub_epi32(at, own[axis]));
                    let way = _mm256_mul_ps(steps, unit[axis]);
                    _mm256_mul_ps(way, way)
                };
                let squared = _mm256_add_ps(_mm256_add_ps(square(0), square(1)), square(2));
                let reach = _mm256_add_ps(_mm256_load_ps(eight.radii.as_ptr()), own_radius);
                let share = _mm256_mul_ps(reach, _mm256_set1_ps(DOUBT));
                let doubt = _mm256_add_ps(share, least_doubt);
                let outer = _mm256_add_ps(reach, doubt);
                let inner = _mm256_max_ps(_mm256_sub_ps(reach, doubt), _mm256_setzero_ps());
                let ids = _mm256_load_si256(eight.ids.as_ptr().cast());
                let itself = _mm256_castsi256_ps(_mm256_cmpeq_epi32(ids, own_id));
                let within = |reach: __m256| {
                    let near = _mm256_cmp_ps::<_CMP_LT_OQ>(squared, _mm256_mul_ps(reach, reach));
                    _mm256_movemask_ps(_mm256_andnot_ps(itself, near)) as u32
                };
                let (near, mut kept) = (within(outer), within(inner));
                if near != kept {
                    for lane in 0..LANES {
                        let doubtful = (near & !kept) >> lane & 1 == 1;
                        kept |= u32::from(doubtful && exactly(eight.ids[lane])) << lane;
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

    use super::*;
    use crate::Container;

    /// Runs of candidates scanned for each of the first few, against the distances themselves.
    fn scan_all(instructions: Instructions, frame: &Frame, entries: &[Entry]) -> Vec<Vec<u32>> {
        let mut candidates = Candidates::new(instructions);
        for run in entries.chunks(7) {
            candidates.extend(run, frame);
        }
        candidates.arrange();
        let mut found = Vec::new();
        let lists = entries[..50].iter().map(|entry| {
            let probe = Probe {
                id: entry.id,
                point: frame.point(entry.center, entry.radius),
            };
            let exactly =
                |other: u32| intersect(frame.container(), entry, &entries[other as usize]);
            candidates.scan(frame, probe, exactly, &mut found);
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
