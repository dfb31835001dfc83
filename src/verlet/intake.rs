//! Turns the entries of an index, as they are offered, into candidates.

use super::candidates::Candidates;
use crate::{
    frame::{Frame, Point},
    index::Entry,
    instructions::Instructions,
};

/// So many entries are collected before they are looked at.
const FULL: usize = 256;

/// Entries on their way to become the candidates of a group.
#[derive(Debug)]
pub(super) struct Intake {
    instructions: Instructions,
    points: Vec<Point>,
    ids: Vec<u32>,
}

impl Intake {
    pub fn new(instructions: Instructions) -> Self {
        Self {
            instructions,
            points: Vec::new(),
            ids: Vec::new(),
        }
    }

    /// Takes a run of entries in; now and then adds those that may intersect `hull` to the candidates.
    #[inline]
    pub fn take(&mut self, run: &[Entry], frame: &Frame, hull: Point, to: &mut Candidates) {
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
            Instructions::Avx2 => unsafe { self.convert_avx2(run, frame) },
        }
        if self.ids.len() >= FULL {
            self.hand_over(frame, hull, to);
        }
    }

    /// Adds the last ones.
    pub fn finish(&mut self, frame: &Frame, hull: Point, to: &mut Candidates) {
        self.hand_over(frame, hull, to);
        to.fill_up();
    }

    fn hand_over(&mut self, frame: &Frame, hull: Point, to: &mut Candidates) {
        to.add(frame, hull, &self.points, &self.ids);
        self.points.clear();
        self.ids.clear();
    }

    /// [`Frame::point`], or a step beside it, with the three axes and the radius in one vector.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    unsafe fn convert_avx2(&mut self, run: &[Entry], frame: &Frame) {
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
}
