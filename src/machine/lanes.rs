//! Vectors of eight lanes: what the inner loops compiled for AVX2 have in common.

use std::arch::x86_64::*;

use crate::{container::frame::Point, machine::instructions::LANES};

/// Eight points as vectors of their x, y, z and radii; steps keep their bits.
///
/// # Safety
/// All eight must be readable.
#[inline]
#[target_feature(enable = "avx2")]
pub(crate) unsafe fn transposed(point: impl Fn(usize) -> *const Point) -> [__m256; 4] {
    // SAFETY: the caller vouches for the points, which are aligned to 16 bytes.
    let row = |lane: usize| unsafe { _mm_load_ps(point(lane).cast::<f32>()) };
    let rows = |lane| _mm256_set_m128(row(lane + 4), row(lane));
    let (a, b, c, d) = (rows(0), rows(1), rows(2), rows(3));
    let xy_ab = _mm256_castps_pd(_mm256_unpacklo_ps(a, b));
    let zr_ab = _mm256_castps_pd(_mm256_unpackhi_ps(a, b));
    let xy_cd = _mm256_castps_pd(_mm256_unpacklo_ps(c, d));
    let zr_cd = _mm256_castps_pd(_mm256_unpackhi_ps(c, d));
    [
        _mm256_castpd_ps(_mm256_unpacklo_pd(xy_ab, xy_cd)),
        _mm256_castpd_ps(_mm256_unpackhi_pd(xy_ab, xy_cd)),
        _mm256_castpd_ps(_mm256_unpacklo_pd(zr_ab, zr_cd)),
        _mm256_castpd_ps(_mm256_unpackhi_pd(zr_ab, zr_cd)),
    ]
}

/// The squares of the distances from one position to eight others, whose coordinates are given by axis, like the length of a step.
#[inline]
#[target_feature(enable = "avx2")]
pub(crate) fn distances_squared(from: [__m256i; 3], to: [__m256i; 3], unit: [__m256; 3]) -> __m256 {
    let square = |axis: usize| {
        let steps = _mm256_cvtepi32_ps(_mm256_sub_epi32(to[axis], from[axis]));
        let way = _mm256_mul_ps(steps, unit[axis]);
        _mm256_mul_ps(way, way)
    };
    _mm256_add_ps(_mm256_add_ps(square(0), square(1)), square(2))
}

/// The order of lanes that brings those whose bit in `kept` is set to the front.
#[inline]
#[target_feature(enable = "avx2")]
pub(crate) fn packing_order(kept: u32) -> __m256i {
    let lanes = &PACKED[kept as usize & 0xff];
    // SAFETY: the table has eight bytes for every mask.
    unsafe { _mm256_cvtepu8_epi32(_mm_loadl_epi64(lanes.as_ptr().cast())) }
}

/// Writes the ids whose bit in `kept` is set side by side to `place`, and returns how many there are.
///
/// # Safety
/// There must be room for eight ids, whatever their number.
#[inline]
#[target_feature(enable = "avx2,popcnt")]
pub(crate) unsafe fn pack(ids: __m256i, kept: u32, place: *mut u32) -> usize {
    let packed = _mm256_permutevar8x32_epi32(ids, packing_order(kept));
    // SAFETY: the caller vouches for the place.
    unsafe { _mm256_storeu_si256(place.cast(), packed) };
    kept.count_ones() as usize
}

/// For each mask, the lanes that are set.
static PACKED: [[u8; LANES]; 1 << LANES] = {
    let mut table = [[0; LANES]; 1 << LANES];
    let mut mask = 0;
    while mask < 1 << LANES {
        let (mut lane, mut count) = (0, 0);
        while lane < LANES {
            if mask >> lane & 1 == 1 {
                table[mask][count] = lane as u8;
                count += 1;
            }
            lane += 1;
        }
        mask += 1;
    }
    table
};
