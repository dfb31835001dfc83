//! Sorting for bulk builds.

use rayon::prelude::*;

/// A number that stands for a sphere, behind the key it is sorted by. Packed: a pair would take 16 bytes instead of 12.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
#[repr(Rust, packed(4))]
pub(crate) struct Keyed {
    pub key: u64,
    pub number: u32,
}

/// Sorts items whose numbers rise, as fast as one thread can, or on all threads and in place.
pub(crate) fn sort_by_key(items: &mut Vec<Keyed>) {
    if rayon::current_num_threads() == 1 {
        radix_sort(items);
    } else {
        items.par_sort_unstable();
    }
}

/// A stable sort by key in time proportional to the number of items.
pub(crate) fn radix_sort(items: &mut Vec<Keyed>) {
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
            let place = &mut next[digit(item.key)];
            sorted[*place] = item;
            *place += 1;
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
