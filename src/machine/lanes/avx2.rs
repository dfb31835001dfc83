//! Lanes for x86-64 with AVX2.

use std::{arch::x86_64::*, env, sync::LazyLock};

use super::interface::{LANES, Lanes, SET_BITS, operations};

/// Whether the machine has the instructions, and the user wants them.
static AVAILABLE: LazyLock<bool> = LazyLock::new(|| {
    is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("popcnt")
        && env::var_os("JOSTLE_DISABLE_AVX2").is_none()
});

/// Eight lanes in one register. The value proves that the machine has AVX2 and POPCNT.
#[derive(Clone, Copy, Debug)]
pub(super) struct Avx2(());

impl Avx2 {
    /// Returns the instruction set if it is available.
    #[inline]
    pub fn detect() -> Option<Self> {
        AVAILABLE.then_some(Self(()))
    }
}

/// Calls intrinsics of AVX2.
macro_rules! avx2 {
    ($call:expr) => {
        // SAFETY: a value of `Avx2` exists only on machines that have the instructions.
        unsafe { $call }
    };
}

impl Lanes for Avx2 {
    type F32 = __m256;
    type I32 = __m256i;

    operations! {
        splat(x: f32) -> __m256 = avx2!(_mm256_set1_ps(x));
        splat_i32(x: i32) -> __m256i = avx2!(_mm256_set1_epi32(x));
        add(a: __m256, b: __m256) -> __m256 = avx2!(_mm256_add_ps(a, b));
        sub(a: __m256, b: __m256) -> __m256 = avx2!(_mm256_sub_ps(a, b));
        mul(a: __m256, b: __m256) -> __m256 = avx2!(_mm256_mul_ps(a, b));
        div(a: __m256, b: __m256) -> __m256 = avx2!(_mm256_div_ps(a, b));
        sqrt(a: __m256) -> __m256 = avx2!(_mm256_sqrt_ps(a));
        max(a: __m256, b: __m256) -> __m256 = avx2!(_mm256_max_ps(a, b));
        min(a: __m256, b: __m256) -> __m256 = avx2!(_mm256_min_ps(a, b));
        sub_i32(a: __m256i, b: __m256i) -> __m256i = avx2!(_mm256_sub_epi32(a, b));
        to_f32(a: __m256i) -> __m256 = avx2!(_mm256_cvtepi32_ps(a));
        bits_to_f32(a: __m256i) -> __m256 = avx2!(_mm256_castsi256_ps(a));
        less(a: __m256, b: __m256) -> u32 = avx2!(_mm256_movemask_ps(_mm256_cmp_ps::<_CMP_LT_OQ>(a, b))) as u32;
        equal(a: __m256i, b: __m256i) -> u32 = avx2!(_mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpeq_epi32(a, b)))) as u32;
    }

    #[inline(always)]
    fn sums(self, vectors: [__m256; 4]) -> [f32; 4] {
        avx2!({
            let halves = vectors.map(|lanes| {
                _mm_add_ps(
                    _mm256_castps256_ps128(lanes),
                    _mm256_extractf128_ps::<1>(lanes),
                )
            });
            let quarters = |a, b| _mm_add_ps(_mm_movelh_ps(a, b), _mm_movehl_ps(b, a));
            let (first, last) = (
                quarters(halves[0], halves[1]),
                quarters(halves[2], halves[3]),
            );
            let sums = _mm_add_ps(
                _mm_shuffle_ps::<0b10_00_10_00>(first, last),
                _mm_shuffle_ps::<0b11_01_11_01>(first, last),
            );
            std::mem::transmute::<__m128, [f32; 4]>(sums)
        })
    }

    #[inline(always)]
    fn largest(self, a: __m256) -> f32 {
        avx2!({
            let halves = _mm_max_ps(_mm256_castps256_ps128(a), _mm256_extractf128_ps::<1>(a));
            let quarters = _mm_max_ps(halves, _mm_movehl_ps(halves, halves));
            _mm_cvtss_f32(_mm_max_ss(quarters, _mm_movehdup_ps(quarters)))
        })
    }

    #[inline(always)]
    unsafe fn transpose<T>(self, row: impl Fn(usize) -> *const T) -> [__m256i; 4] {
        avx2!({
            // The caller guarantees that the rows are readable and aligned.
            let row = |lane: usize| _mm_load_ps(row(lane).cast::<f32>());
            let rows = |lane| _mm256_set_m128(row(lane + 4), row(lane));
            let (a, b, c, d) = (rows(0), rows(1), rows(2), rows(3));
            let low_ab = _mm256_castps_pd(_mm256_unpacklo_ps(a, b));
            let high_ab = _mm256_castps_pd(_mm256_unpackhi_ps(a, b));
            let low_cd = _mm256_castps_pd(_mm256_unpacklo_ps(c, d));
            let high_cd = _mm256_castps_pd(_mm256_unpackhi_ps(c, d));
            [
                _mm256_castpd_si256(_mm256_unpacklo_pd(low_ab, low_cd)),
                _mm256_castpd_si256(_mm256_unpackhi_pd(low_ab, low_cd)),
                _mm256_castpd_si256(_mm256_unpacklo_pd(high_ab, high_cd)),
                _mm256_castpd_si256(_mm256_unpackhi_pd(high_ab, high_cd)),
            ]
        })
    }

    #[inline(always)]
    fn rows(self, [a, b, c, d]: [__m256; 4]) -> [[f32; 4]; LANES] {
        avx2!({
            let low_ab = _mm256_castps_pd(_mm256_unpacklo_ps(a, b));
            let high_ab = _mm256_castps_pd(_mm256_unpackhi_ps(a, b));
            let low_cd = _mm256_castps_pd(_mm256_unpacklo_ps(c, d));
            let high_cd = _mm256_castps_pd(_mm256_unpackhi_ps(c, d));
            let rows = [
                _mm256_unpacklo_pd(low_ab, low_cd),
                _mm256_unpackhi_pd(low_ab, low_cd),
                _mm256_unpacklo_pd(high_ab, high_cd),
                _mm256_unpackhi_pd(high_ab, high_cd),
            ];
            let mut halves = [[_mm_setzero_pd(); 4]; 2];
            for (row, rows) in rows.into_iter().enumerate() {
                halves[0][row] = _mm256_castpd256_pd128(rows);
                halves[1][row] = _mm256_extractf128_pd::<1>(rows);
            }
            std::mem::transmute::<[[__m128d; 4]; 2], [[f32; 4]; LANES]>(halves)
        })
    }

    #[inline(always)]
    unsafe fn load(self, from: *const u32) -> __m256i {
        // The caller guarantees that the integers are readable.
        avx2!(_mm256_loadu_si256(from.cast()))
    }

    #[inline(always)]
    unsafe fn compress(self, lanes: __m256i, kept: u32, to: *mut u32) -> usize {
        let order = &SET_BITS[kept as usize & 0xff];
        avx2!({
            // The table has eight bytes for every mask.
            let order = _mm256_cvtepu8_epi32(_mm_loadl_epi64(order.as_ptr().cast()));
            // The caller guarantees that the integers are writable.
            _mm256_storeu_si256(to.cast(), _mm256_permutevar8x32_epi32(lanes, order));
        });
        kept.count_ones() as usize
    }
}
