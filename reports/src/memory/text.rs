//! The section.

use super::{
    FEW, MANY, RUNS, SPHERES,
    markdown::table,
    numbers::grouped,
    peak::{Peak, percent},
};

/// Returns the section.
pub fn section(
    presets: &[(&str, Vec<Peak>)],
    threads: &[(usize, [Peak; 2])],
    variants: &[(&str, Peak)],
) -> String {
    [
        head(),
        by_preset(presets),
        by_threads(threads),
        by_option(variants),
    ]
    .concat()
}

fn head() -> String {
    format!(
        "## Memory

Written by `cargo run --release -p reports -- memory`.

Each cell is the largest resident memory of `jostle pack` (VmHWM in `/proc`), the estimate of `PackOptions::estimated_memory`, both in MB,
and their difference. [command-line.md](../guide/command-line.md#memory) describes what the program does with the estimate. A cell shows the largest
of {RUNS} runs, because the allocator of the GNU C library keeps more or less freed memory from run to run. Runs of more than {} spheres
are single.
",
        grouped(MANY)
    )
}

fn by_preset(presets: &[(&str, Vec<Peak>)]) -> String {
    let header: Vec<String> = std::iter::once("sizes".to_owned())
        .chain(SPHERES.map(|spheres| format!("{} spheres", grouped(spheres))))
        .collect();
    let rows = presets.iter().map(|(name, peaks)| {
        let cells = peaks.iter().map(|peak| peak.describe());
        std::iter::once(format!("`{name}`")).chain(cells).collect()
    });
    let largest = presets
        .iter()
        .flat_map(|(_, peaks)| peaks)
        .map(|peak| peak.difference())
        .fold(0.0, |a: f64, b| if b.abs() > a.abs() { b } else { a });
    format!(
        "
### Memory by size distribution

On two threads, at normal effort; {} spheres at effort 0. The largest difference is {}.
{}",
        grouped(SPHERES[SPHERES.len() - 1]),
        percent(largest),
        table(&header, rows)
    )
}

fn by_threads(threads: &[(usize, [Peak; 2])]) -> String {
    let header = ["threads", &grouped(FEW), &grouped(MANY)];
    let rows = threads.iter().map(|(count, peaks)| {
        let cells = peaks.iter().map(|peak| peak.describe());
        std::iter::once(count.to_string()).chain(cells).collect()
    });
    format!(
        "
### Memory by number of threads

Equal spheres at effort 0. With {FEW} spheres, the memory is that of the program itself.
{}",
        table(&header, rows)
    )
}

fn by_option(variants: &[(&str, Peak)]) -> String {
    let rows = variants
        .iter()
        .map(|(name, peak)| vec![(*name).to_owned(), peak.describe()]);
    format!(
        "
### Memory by option

{} spheres of `concrete` on two threads, at effort 0 and with the loose octree where nothing else is stated. The estimate does not depend
on these options: it is too large for loose packings.
{}",
        grouped(MANY),
        table(&["run", "memory"], rows)
    )
}
