//! The Z-order curve: successive cells along the curve are near each other.

/// Returns the number along the curve of the cell with these coordinates. Only the low 21 bits of a coordinate are used.
pub(crate) fn z_order(cell: [u32; 3]) -> u64 {
    let [x, y, z] = cell.map(|coordinate| spread(u64::from(coordinate)));
    x | y << 1 | z << 2
}

/// Returns the low 21 bits with two zeros between neighboring bits.
fn spread(mut bits: u64) -> u64 {
    bits = (bits | bits << 32) & 0x001f_0000_0000_ffff;
    bits = (bits | bits << 16) & 0x001f_0000_ff00_00ff;
    bits = (bits | bits << 8) & 0x100f_00f0_0f00_f00f;
    bits = (bits | bits << 4) & 0x10c3_0c30_c30c_30c3;
    (bits | bits << 2) & 0x1249_2492_4924_9249
}

#[cfg(test)]
mod tests {
    use super::z_order;

    #[test]
    fn bits_of_the_coordinates_take_turns() {
        for cell in [[0; 3], [1, 2, 4], [5, 3, 6], [0x1f_ffff, 0, 0x15_5555]] {
            let taken = (0..63).map(|bit| u64::from(cell[bit % 3] >> (bit / 3) & 1) << bit);
            assert_eq!(z_order(cell), taken.sum::<u64>(), "{cell:?}");
        }
    }
}
