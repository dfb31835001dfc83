//! Columns of whole numbers in as few bits as they need.
//!
//! A block of 128 numbers is stored as its smallest number (4 bytes), the number of bits of the largest difference to it (1 byte),
//! and the differences, each with this number of bits. Four lanes share a block: lane `l` has the numbers `4 k + l`, one after the other,
//! in the words `4 k + l` of 32 bits, from the lowest bit on. This is the layout `BitPacker4x` of the crate `bitpacking`, whose unrolled
//! code takes long to compile.

use std::{
    fs::File,
    io::{self, BufReader, Read, Write},
};

use crate::rearrange::BLOCK;

const LANES: usize = 4;

const _: () = assert!(BLOCK == LANES * u32::BITS as usize);

/// Bytes of one block at most: smallest number, number of bits, and differences of 32 bits.
const LARGEST_BLOCK: usize = 5 + 4 * BLOCK;

/// Writes numbers in blocks. The last block is filled up with its smallest number.
pub(super) fn write_column(
    out: &mut dyn Write,
    numbers: impl IntoIterator<Item = i32>,
) -> io::Result<()> {
    let mut numbers = numbers.into_iter();
    let mut block = Vec::with_capacity(BLOCK);
    let mut packed = [0; LARGEST_BLOCK];
    loop {
        block.clear();
        block.extend(numbers.by_ref().take(BLOCK));
        let Some(&smallest) = block.iter().min() else {
            return Ok(());
        };
        let mut differences = [0; BLOCK];
        for (difference, number) in differences.iter_mut().zip(&block) {
            *difference = number.wrapping_sub(smallest) as u32;
        }
        let bits = u32::BITS
            - differences
                .iter()
                .fold(0, |all, one| all | one)
                .leading_zeros();
        packed[..4].copy_from_slice(&smallest.to_le_bytes());
        packed[4] = bits as u8;
        pack(&differences, bits, &mut packed[5..]);
        out.write_all(&packed[..5 + packed_size(bits)])?;
    }
}

/// Returns the number of bytes of a block whose differences have this number of bits.
fn packed_size(bits: u32) -> usize {
    BLOCK / 8 * bits as usize
}

/// Writes numbers of at most `bits` bits.
fn pack(numbers: &[u32; BLOCK], bits: u32, out: &mut [u8]) {
    let mut words = out.as_chunks_mut().0.as_chunks_mut::<LANES>().0.iter_mut();
    let (mut pending, mut filled) = ([0; LANES], 0);
    for row in numbers.as_chunks::<LANES>().0 {
        for (pending, &number) in pending.iter_mut().zip(row) {
            *pending |= u64::from(number) << filled;
        }
        filled += bits;
        if filled >= u32::BITS
            && let Some(words) = words.next()
        {
            *words = pending.map(|pending| (pending as u32).to_le_bytes());
            pending = pending.map(|pending| pending >> u32::BITS);
            filled -= u32::BITS;
        }
    }
}

/// Reads numbers of `bits` bits.
fn unpack(packed: &[u8], bits: u32) -> [u32; BLOCK] {
    let mut words = packed.as_chunks().0.as_chunks::<LANES>().0.iter();
    let mut numbers = [0; BLOCK];
    let (mut pending, mut filled) = ([0; LANES], 0);
    for row in numbers.as_chunks_mut::<LANES>().0 {
        if filled < bits
            && let Some(words) = words.next()
        {
            for (pending, &word) in pending.iter_mut().zip(words) {
                *pending |= u64::from(u32::from_le_bytes(word)) << filled;
            }
            filled += u32::BITS;
        }
        *row = pending.map(|pending| (pending & ((1 << bits) - 1)) as u32);
        pending = pending.map(|pending| pending >> bits);
        filled -= bits;
    }
    numbers
}

/// Passes over a block.
pub(super) fn skip_block(input: &mut BufReader<File>) -> io::Result<()> {
    let mut header = [0; 5];
    input.read_exact(&mut header)?;
    let bits = u32::from(header[4]);
    if bits > u32::BITS {
        return Err(io::ErrorKind::InvalidData.into());
    }
    input.seek_relative(packed_size(bits) as i64)
}

/// Reads `count` numbers from the front of `input`. Returns `None` if `input` holds fewer.
pub(super) fn read_column(input: &mut &[u8], count: usize) -> Option<Vec<i32>> {
    let mut numbers = Vec::new();
    while numbers.len() < count {
        let (smallest, rest) = input.split_first_chunk()?;
        let smallest = i32::from_le_bytes(*smallest);
        let (&bits, rest) = rest.split_first()?;
        let bits = u32::from(bits);
        if bits > u32::BITS {
            return None;
        }
        let (packed, rest) = rest.split_at_checked(packed_size(bits))?;
        *input = rest;
        let block = unpack(packed, bits).map(|difference| smallest.wrapping_add(difference as i32));
        numbers.extend(&block[..BLOCK.min(count - numbers.len())]);
    }
    Some(numbers)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The bytes are those of the crate `bitpacking` 0.9.3.
    #[test]
    fn four_lanes_share_a_block() {
        let numbers: Vec<i32> = (0..128).map(|i| i * i % 29).collect();
        let mut bytes = Vec::new();
        write_column(&mut bytes, numbers).unwrap();
        let expected = [
            0, 0, 0, 0, 5, 0, 26, 142, 111, 33, 95, 204, 13, 228, 52, 91, 104, 137, 22, 219, 14,
            14, 137, 22, 219, 4, 208, 112, 124, 10, 249, 98, 110, 33, 167, 217, 66, 14, 33, 167,
            217, 115, 72, 180, 216, 32, 128, 134, 227, 83, 200, 23, 115, 66, 83, 200, 23, 118, 8,
            57, 205, 155, 67, 162, 197, 3, 1, 52, 28, 115, 3, 1, 52, 22, 154, 66, 190, 182, 67,
            200, 105, 223, 28, 18, 45,
        ];
        assert_eq!(bytes, expected);
    }

    proptest! {
        #[test]
        fn columns_read_back(numbers in prop::collection::vec(any::<i32>(), 0..600), shift in 0..32) {
            let numbers: Vec<i32> = numbers.iter().map(|number| number >> shift).collect();
            let mut bytes = Vec::new();
            write_column(&mut bytes, numbers.iter().copied()).unwrap();
            prop_assert!(bytes.len() <= numbers.len().div_ceil(128) * (5 + 16 * (32 - shift as usize)));
            let mut rest = bytes.as_slice();
            prop_assert_eq!(read_column(&mut rest, numbers.len()), Some(numbers.clone()));
            prop_assert!(rest.is_empty());
            if !numbers.is_empty() {
                let mut cut = &bytes[..bytes.len() - 1];
                let found = read_column(&mut cut, numbers.len());
                prop_assert_eq!(found, None);
            }
        }
    }
}
