//! Fig. 9 of Raschdorf & Kolonko 2011: spheres on the levels of the octrees.

use super::packings::Series;
use crate::page::Page;

/// Number of characters of a bar for all spheres.
const BAR_LENGTH: f64 = 25.0;

/// Prints the share of each level of both octrees, for the periodic series.
pub fn report(page: &mut Page, all: &[Series]) {
    page.line("\n## Spheres on the levels of the octrees (2011, Fig. 9)\n
Percentage of the spheres on each level, means over the ten periodic packings; level 0 is the root. The paper says of its figure: in the
strict octree the spheres are spread over all levels; in the loose octree they are on the last few levels. Equal spheres are on the
two deepest levels, and none on levels 0–3. With Fuller sizes hardly any sphere is on the deepest level, where only spheres near d_min
fit. This share depends on s0 alone: the smallest spheres change their level at 64 d_min, and below 64 d_min there is no such deepest level.");
    for series in all.iter().filter(|series| series.periodic) {
        page.line(format!(
            "\n```text\n{}\nlevel  {:<37}loose octree",
            series.sizes, "strict octree"
        ));
        let depths = series.runs.iter();
        let depths = depths.flat_map(|run| run.levels.iter().map(Vec::len));
        for level in 0..depths.max().unwrap_or(0) {
            let line = format!(
                "{level:5}  {:<37}{}",
                bar(series, 0, level),
                bar(series, 1, level)
            );
            page.line(line.trim_end());
        }
        page.line("```");
    }
}

/// Returns the share of the spheres on a level of one of the octrees, as a percentage and as a bar.
fn bar(series: &Series, tree: usize, level: usize) -> String {
    let counts = series.values(|run| run.levels[tree].get(level).copied().unwrap_or(0) as f64);
    let share = counts.iter().sum::<f64>() / (counts.len() * series.spheres) as f64;
    let bar = "#".repeat((BAR_LENGTH * share).round() as usize);
    format!("{:6.2} % {bar}", 100.0 * share)
}
