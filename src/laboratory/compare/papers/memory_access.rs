//! The memory access test of Schiava D'Albano et al., Section 8: two paths through one array.

use std::time::Duration;

use super::constants::TRAVERSAL_TIME;
use crate::{machine::clock::Instant, macros::choice};
use serde::{Deserialize, Serialize};

/// Link at the end of a path; the paper prints −1.
const END: u32 = u32::MAX;

choice! {
    "case", "UPPERCASE";
    /// Order of the positions on the two paths through the array.
    #[strum(ascii_case_insensitive)]
    pub enum Arrangement {
        /// Case A: the first path visits the first half of the array, the second path the second half (Table 1, Fig. 22).
        A,
        /// Case B: the first path visits the even positions, the second path the odd positions (Table 2, Fig. 23).
        B,
    }
}

/// Error of an array that cannot be made.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum MemoryAccessError {
    /// The array has more positions than 32-bit links can name.
    #[error("{0} elements are too many; expected at most {END}")]
    TooLong(usize),
}

/// An array in which each position holds the next position on its path.
#[derive(Clone, Debug, PartialEq)]
pub struct LinkedPaths {
    links: Vec<u32>,
    heads: [u32; 2],
}

impl LinkedPaths {
    /// Creates the two paths through `elements` positions.
    ///
    /// # Errors
    /// When 32-bit links cannot name all positions.
    pub fn new(arrangement: Arrangement, elements: usize) -> Result<Self, MemoryAccessError> {
        let count = u32::try_from(elements).map_err(|_| MemoryAccessError::TooLong(elements))?;
        let half = count.div_ceil(2);
        let inside = |position: u32, end: u32| if position < end { position } else { END };
        let next = |position: u32| match arrangement {
            Arrangement::A if position < half => inside(position + 1, half),
            Arrangement::A => inside(position + 1, count),
            Arrangement::B => inside(position.saturating_add(2), count),
        };
        let second = match arrangement {
            Arrangement::A => half,
            Arrangement::B => 1,
        };
        Ok(Self {
            links: (0..count).map(next).collect(),
            heads: [inside(0, count), inside(second, count)],
        })
    }

    /// Returns the positions of the first or of the second path, in the order of a traversal.
    pub fn path(&self, which: usize) -> impl Iterator<Item = usize> + '_ {
        let some = |at: u32| (at != END).then_some(at);
        let head = self.heads.get(which).copied().and_then(some);
        std::iter::successors(head, move |&at| some(self.links[at as usize])).map(|at| at as usize)
    }

    /// Traverses the first path and then the second; returns the sum of all positions.
    fn traverse_in_succession(&self) -> u64 {
        (self.path(0).chain(self.path(1))).map(|at| at as u64).sum()
    }

    /// Traverses both paths at once, one position of each in turn; returns the sum of all positions.
    fn traverse_in_turn(&self) -> u64 {
        let [mut first, mut second] = self.heads;
        let mut sum = 0;
        while first != END && second != END {
            sum += u64::from(first) + u64::from(second);
            first = self.links[first as usize];
            second = self.links[second as usize];
        }
        // With an odd number of positions, the first path has one more.
        if first == END {
            sum
        } else {
            sum + u64::from(first)
        }
    }
}

/// Times of the traversal of one array.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct MemoryAccess {
    /// Number of positions in the array.
    pub elements: usize,
    /// Order of the positions on the paths.
    pub case: Arrangement,
    /// Time for each position, if the second path is traversed after the first, in nanoseconds.
    pub succession_ns: f64,
    /// Time for each position, if both paths are traversed in turn, in nanoseconds.
    pub in_turn_ns: f64,
}

/// Measures both traversals of an array. The fastest of several traversals counts.
///
/// # Errors
/// The errors of [`LinkedPaths::new`].
pub fn measure_memory_access(
    case: Arrangement,
    elements: usize,
) -> Result<MemoryAccess, MemoryAccessError> {
    let paths = LinkedPaths::new(case, elements)?;
    let nanoseconds =
        |traverse: &dyn Fn() -> u64| 1e9 * fastest(traverse).as_secs_f64() / elements.max(1) as f64;
    Ok(MemoryAccess {
        elements,
        case,
        succession_ns: nanoseconds(&|| paths.traverse_in_succession()),
        in_turn_ns: nanoseconds(&|| paths.traverse_in_turn()),
    })
}

/// Returns the shortest time of a function that is called several times.
fn fastest(traverse: &dyn Fn() -> u64) -> Duration {
    let mut fastest = Duration::MAX;
    let begin = Instant::now();
    while begin.elapsed() < TRAVERSAL_TIME {
        let start = Instant::now();
        std::hint::black_box(traverse());
        fastest = fastest.min(start.elapsed());
    }
    fastest
}

#[cfg(test)]
mod tests {
    use strum::VariantArray;

    use super::*;

    #[test]
    fn both_paths_together_visit_every_position_once() {
        for &arrangement in <Arrangement as VariantArray>::VARIANTS {
            for elements in [0, 1, 2, 3, 8, 1001] {
                let paths = LinkedPaths::new(arrangement, elements).unwrap();
                let mut visited: Vec<usize> = paths.path(0).chain(paths.path(1)).collect();
                visited.sort_unstable();
                assert_eq!(visited, (0..elements).collect::<Vec<_>>());
                let sum: u64 = (0..elements as u64).sum();
                assert_eq!(paths.traverse_in_succession(), sum);
                assert_eq!(paths.traverse_in_turn(), sum);
            }
        }
        assert_eq!(
            LinkedPaths::new(Arrangement::A, 4).unwrap().path(2).count(),
            0
        );
    }

    #[test]
    fn a_measurement_has_two_times() {
        let row = measure_memory_access(Arrangement::B, 1000).unwrap();
        assert!(row.succession_ns > 0.0 && row.in_turn_ns > 0.0);
        assert_eq!("b".parse(), Ok(Arrangement::B));
    }

    #[cfg(target_pointer_width = "64")]
    #[test]
    fn an_array_beyond_32_bits_is_refused() {
        let error = LinkedPaths::new(Arrangement::A, 1 << 32).unwrap_err();
        assert!(
            error
                .to_string()
                .starts_with("4294967296 elements are too many")
        );
    }
}
