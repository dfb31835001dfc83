//! The operations on eight lanes.

/// Number of lanes in a vector.
pub(crate) const LANES: usize = 8;

/// The operations of one instruction set on vectors of eight lanes.
///
/// A value of this type proves that the machine has the instructions.
pub(crate) trait Lanes: Copy {
    /// Eight numbers in single precision.
    type F32: Copy;
    /// Eight integers of 32 bits.
    type I32: Copy;

    fn splat(self, x: f32) -> Self::F32;
    fn splat_i32(self, x: i32) -> Self::I32;

    fn add(self, a: Self::F32, b: Self::F32) -> Self::F32;
    fn sub(self, a: Self::F32, b: Self::F32) -> Self::F32;
    fn mul(self, a: Self::F32, b: Self::F32) -> Self::F32;
    fn div(self, a: Self::F32, b: Self::F32) -> Self::F32;
    fn sqrt(self, a: Self::F32) -> Self::F32;
    fn max(self, a: Self::F32, b: Self::F32) -> Self::F32;
    fn min(self, a: Self::F32, b: Self::F32) -> Self::F32;

    /// Returns `a − b`, wrapped around.
    fn sub_i32(self, a: Self::I32, b: Self::I32) -> Self::I32;
    /// Returns the nearest numbers in single precision.
    fn to_f32(self, a: Self::I32) -> Self::F32;
    /// Returns the numbers with these bits.
    fn bits_to_f32(self, a: Self::I32) -> Self::F32;

    /// Returns a bit for each lane in which `a < b`.
    fn less(self, a: Self::F32, b: Self::F32) -> u32;
    /// Returns a bit for each lane in which `a = b`.
    fn equal(self, a: Self::I32, b: Self::I32) -> u32;

    /// Returns the sum of the lanes of each vector, halves added to halves.
    fn sums(self, vectors: [Self::F32; 4]) -> [f32; 4];
    /// Returns the largest lane.
    fn largest(self, a: Self::F32) -> f32;

    /// Returns the first, second, third and fourth 32 bits of eight rows.
    ///
    /// # Safety
    /// Each row must be readable for 16 bytes and aligned to 16 bytes.
    unsafe fn transpose<T>(self, row: impl Fn(usize) -> *const T) -> [Self::I32; 4];

    /// Reads eight integers.
    ///
    /// # Safety
    /// `from` must be readable for 32 bytes.
    unsafe fn load(self, from: *const u32) -> Self::I32;

    /// Reads eight numbers.
    #[inline(always)]
    fn read(self, from: &[f32; LANES]) -> Self::F32 {
        // SAFETY: eight numbers are readable.
        self.bits_to_f32(unsafe { self.load(from.as_ptr().cast()) })
    }

    /// Returns the eight rows of four columns.
    fn rows(self, columns: [Self::F32; 4]) -> [[f32; 4]; LANES];

    /// Writes the lanes whose bit in `kept` is set side by side, in their order, and returns their number. What follows them
    /// up to the eighth lane is undefined.
    ///
    /// # Safety
    /// `to` must be writable for 32 bytes, whatever the number of kept lanes.
    unsafe fn compress(self, lanes: Self::I32, kept: u32, to: *mut u32) -> usize;
}

/// Declares operations that are one expression each, which is inlined into the kernel.
macro_rules! operations {
    ($($name:ident($($vector:ident: $type:ty),+) -> $result:ty = $value:expr;)+) => {
        $(
            #[inline(always)]
            fn $name(self, $($vector: $type),+) -> $result {
                $value
            }
        )+
    };
}

pub(super) use operations;

/// For each mask, the numbers of the set bits, in order.
pub(super) static SET_BITS: [[u8; LANES]; 1 << LANES] = {
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
