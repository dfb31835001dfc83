//! `jostle compare memory-access`: the memory access test of Schiava D'Albano et al.

use anyhow::Result;
use clap::Args;
use strum::VariantArray;

use super::{
    constants::{EXIT_CODES, LINK_BYTES, MEMORY_ACCESS_COUNTS},
    output::OutputOptions,
    selection::distinct_or_all,
};
use crate::cli::{
    memory,
    table::{aligned, table},
    values,
    words::{rounded, signed},
};
use crate::laboratory::compare::{Arrangement, MemoryAccess, measure_memory_access};

const CASES_AND_EXAMPLES: &str = "\
Two linked paths lead through one array. In case A the first path visits the
first half of the array and the second path the other half. In case B the first
path visits the even positions and the second path the odd positions.

Examples:
  jostle compare memory-access
  jostle compare memory-access -n 1e4,1e6 -o access.csv";

/// Measure how the order of links in memory changes the time of a traversal
#[derive(Args)]
#[command(after_help = format!("{CASES_AND_EXAMPLES}\n\n{EXIT_CODES}"))]
pub struct MemoryAccessTest {
    /// Use arrays of these lengths, such as 1000,1e4 [default: 1000 to 1e7]
    #[arg(short, long, value_name = "N,…", value_delimiter = ',', value_parser = values::whole_number, allow_hyphen_values = true)]
    number: Vec<u64>,

    #[command(flatten)]
    output: OutputOptions,
}

impl MemoryAccessTest {
    /// Measures both cases for all lengths and reports the rows.
    pub fn run(self) -> Result<()> {
        self.output.check()?;
        let mut rows = Vec::new();
        for number in distinct_or_all(&self.number, &MEMORY_ACCESS_COUNTS) {
            let what = format!("an array of {number} elements");
            memory::check_work(&what, LINK_BYTES * number as f64, 1, "use fewer elements")?;
            for &case in Arrangement::VARIANTS {
                rows.push(measure_memory_access(case, usize::try_from(number)?)?);
            }
        }
        self.output.write(&rows, &rows, |rows| describe(rows))
    }
}

/// Returns one line for each length of the array, with the times of both cases.
fn describe(rows: &[MemoryAccess]) -> String {
    let pairs: Vec<[MemoryAccess; 2]> = rows
        .chunks_exact(2)
        .map(|pair| [pair[0], pair[1]])
        .collect();
    let more = |a: f64, b: f64| format!("{} %", signed(100.0 * (b / a - 1.0), 0));
    let lines = table(&pairs, |[a, b]| {
        [
            ("elements", a.elements.to_string()),
            ("succession A", rounded(a.succession_ns, 3)),
            ("B", rounded(b.succession_ns, 3)),
            ("B/A - 1", more(a.succession_ns, b.succession_ns)),
            ("in turn A", rounded(a.in_turn_ns, 3)),
            ("B", rounded(b.in_turn_ns, 3)),
            ("B/A - 1", more(a.in_turn_ns, b.in_turn_ns)),
        ]
    });
    format!(
        "{}\n
Times are in nanoseconds per element. In succession: the second path is
traversed after the first. In turn: both paths advance by one element in turn.",
        aligned(&lines)
    )
}
