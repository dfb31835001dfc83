//! The memory access test (Schiava D'Albano et al., Section 8).

use crate::{
    markdown::table,
    numbers::{grouped, signed},
    page::Page,
};
use jostle::laboratory::compare::{Arrangement, MemoryAccess, measure_memory_access};

use super::{numbers::significant, outcome::Outcome};

/// Lengths of the array: from one that fits the nearest cache to one that exceeds all caches.
const LENGTHS: [usize; 6] = [1_000, 10_000, 100_000, 1_000_000, 10_000_000, 50_000_000];

/// Returns the times of cases A and B for an array.
pub fn both_cases(elements: usize) -> Outcome<[MemoryAccess; 2]> {
    Ok([
        measure_memory_access(Arrangement::A, elements)?,
        measure_memory_access(Arrangement::B, elements)?,
    ])
}

/// Returns how much longer case B takes than case A, as a share: in succession and in turn.
pub fn differences([a, b]: &[MemoryAccess; 2]) -> [f64; 2] {
    [
        b.succession_ns / a.succession_ns - 1.0,
        b.in_turn_ns / a.in_turn_ns - 1.0,
    ]
}

/// Measures and prints both cases.
pub fn report(page: &mut Page) -> Outcome {
    page.line("\n### Memory access (Schiava D'Albano et al., Section 8, Tables 1 and 2, Figs. 22 to 25)\n
Two linked paths lead through one array. In case A the first path visits the first half of the array and the second path the other half. In case
B the first path visits the even positions and the second path the odd positions. The paper does not say whether the paths are traversed in succession
or in turn. It finds \"a notable difference in the time of around 10 %\". Nanoseconds per element, by `jostle compare memory-access`:");
    let header = [
        "elements",
        "in succession: A",
        "B",
        "B over A",
        "in turn: A",
        "B",
        "B over A",
    ];
    let mut rows = Vec::new();
    let mut largest: f64 = 0.0;
    for elements in LENGTHS {
        let cases = both_cases(elements)?;
        let [a, b] = &cases;
        let changes = differences(&cases);
        largest = changes.into_iter().map(f64::abs).fold(largest, f64::max);
        let [succession, in_turn] = changes.map(|share| format!("{} %", signed(100.0 * share, 0)));
        rows.push(vec![
            grouped(elements),
            significant(a.succession_ns),
            significant(b.succession_ns),
            succession,
            significant(a.in_turn_ns),
            significant(b.in_turn_ns),
            in_turn,
        ]);
    }
    page.text(&table(&header, rows));
    page.line(format!(
        "\nIn succession, case B reads every cache line twice, and case A once. In turn, both cases read every cache line once. The times of
the cases differ by at most {:.0} % here: the next element lies near the last one, so that the processor has loaded its line before.",
        100.0 * largest
    ));
    Ok(())
}
