//! Columns of whole numbers in as few bits as they need.
//!
//! A block of 128 numbers is stored as its smallest number (4 bytes), the number of bits of the largest difference to it (1 byte),
//! and the differences, each with this number of bits.

use std::{
    fs::File,
    io::{self, BufReader, Read, Write},
};

use bitpacking::{BitPacker, BitPacker4x};

use crate::rearrange::BLOCK;

const _: () = assert!(BLOCK == BitPacker4x::BLOCK_LEN);

/// Bytes of one block at most: smallest number, number of bits, and differences of 32 bits.
const LARGEST_BLOCK: usize = 5 + 4 * BLOCK;

/// Writes numbers in blocks. The last block is filled up with its smallest number.
pub(super) fn write_column(
    out: &mut dyn Write,
    numbers: impl IntoIterator<Item = i32>,
) -> io::Result<()> {
    let packer = BitPacker4x::new();
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
        let bits = packer.num_bits(&differences);
        packed[..4].copy_from_slice(&smallest.to_le_bytes());
        packed[4] = bits;
        let len = packer.compress(&differences, &mut packed[5..], bits);
        out.write_all(&packed[..5 + len])?;
    }
}

/// Passes over a block.
pub(super) fn skip_block(input: &mut BufReader<File>) -> io::Result<()> {
    let mut header = [0; 5];
    input.read_exact(&mut header)?;
    let bits = header[4];
    if bits > 32 {
        return Err(io::ErrorKind::InvalidData.into());
    }
    input.seek_relative(BitPacker4x::compressed_block_size(bits) as i64)
}

/// Reads `count` numbers from the front of `input`. Returns `None` if `input` holds fewer.
pub(super) fn read_column(input: &mut &[u8], count: usize) -> Option<Vec<i32>> {
    let packer = BitPacker4x::new();
    let mut numbers = Vec::new();
    while numbers.len() < count {
        let (smallest, rest) = input.split_first_chunk()?;
        let smallest = i32::from_le_bytes(*smallest);
        let (&bits, rest) = rest.split_first()?;
        if bits > 32 {
            return None;
        }
        let (packed, rest) = rest.split_at_checked(BitPacker4x::compressed_block_size(bits))?;
        *input = rest;
        let mut differences = [0u32; BLOCK];
        packer.decompress(packed, &mut differences, bits);
        let block = differences.map(|difference| smallest.wrapping_add(difference as i32));
        numbers.extend(&block[..BLOCK.min(count - numbers.len())]);
    }
    Some(numbers)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

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
