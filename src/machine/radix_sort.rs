//! Sorting for bulk builds.

use rayon::prelude::*;

/// The number of a sphere, sorted by a key. The packed layout takes 12 bytes, a pair would take 16.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
#[repr(Rust, packed(4))]
pub(crate) struct Keyed {
    pub key: u64,
    pub number: u32,
}

/// Sorts items by key, and items of one key by number. The numbers must be sorted.
///
/// One thread sorts in linear time with a copy of the items, several threads sort in place.
pub(crate) fn sort_by_key(items: &mut Vec<Keyed>) {
    if rayon::current_num_threads() == 1 {
        radix_sort(items);
    } else {
        items.par_sort_unstable();
    }
}

/// Sorts items by key, stably and in time proportional to their number.
pub(crate) fn radix_sort(items: &mut Vec<Keyed>) {
    // 2¹¹ counters fit into the fastest cache, and keys of up to 62 bits take six passes; wider digits would need larger
    // tables, narrower ones more passes.
    const DIGIT: u32 = 11;
    let largest = items.iter().map(|item| item.key).max().unwrap_or(0);
    let digits = (u64::BITS - largest.leading_zeros()).div_ceil(DIGIT);
    let mut sorted = vec![Keyed::default(); items.len()];
    for shift in (0..digits).map(|digit| digit * DIGIT) {
        let digit = |key: u64| (key >> shift) as usize & ((1 << DIGIT) - 1);
        let mut next = [0usize; 1 << DIGIT];
        for item in items.iter() {
            next[digit(item.key)] += 1;
        }
        let mut start = 0;
        for count in &mut next {
            start += std::mem::replace(count, start);
        }
        for &item in items.iter() {
            let position = &mut next[digit(item.key)];
            sorted[*position] = item;
            *position += 1;
        }
        std::mem::swap(items, &mut sorted);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sorts_stably() {
        let key = |i: u32| u64::from(i).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (i % 60);
        let keyed = |number| Keyed {
            key: key(number) & !7,
            number,
        };
        let mut items: Vec<Keyed> = (0..5000).map(keyed).collect();
        let mut expected = items.clone();
        expected.sort();
        radix_sort(&mut items);
        assert_eq!(items, expected);
    }
}
