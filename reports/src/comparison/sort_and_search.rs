//! Sort and search apart (Schiava D'Albano et al., Figs. 14 and 20).

use crate::{markdown::table, page::Page};
use jostle::laboratory::{
    broad_phase::BroadPhaseKind,
    compare::{Fit, Growth, Measurement, fits},
};

use super::{growth_table::find, numbers::significant};

/// A part of the detection time of a measurement in seconds.
type Part = fn(&Measurement) -> Option<f64>;

/// The parts of the detection time.
const PARTS: [(&str, Part); 3] = [
    ("sort", |row| row.sort_seconds),
    ("search", Measurement::search_seconds),
    ("both", |row| Some(row.seconds)),
];

/// The law N log N with its deviation, fitted to one part of the time of BBTS.
pub struct PartFit {
    pub name: &'static str,
    pub law: Fit,
    /// The residual of a linear law.
    pub linear_residual: f64,
}

/// Fits N log N to the parts of the time of BBTS.
pub fn bbts_fits(rows: &[Measurement]) -> Vec<PartFit> {
    let part_fit = |&(name, part): &(&'static str, Part)| {
        let points: Vec<(f64, f64)> = (rows.iter())
            .filter(|row| row.algorithm == BroadPhaseKind::Bbts)
            .filter_map(|row| Some((row.case.spheres as f64, part(row)?)))
            .collect();
        let fits = fits(&points);
        let of = |growth| fits.iter().find(|fit| fit.growth == growth);
        Some(PartFit {
            name,
            law: of(Growth::Linearithmic)?.clone(),
            linear_residual: of(Growth::Linear)?.residual,
        })
    };
    PARTS.iter().filter_map(part_fit).collect()
}

/// Prints sort and search of BBTS over the number of spheres, and of all algorithms at `spheres`.
pub fn print(page: &mut Page, figure: &str, rows: &[Measurement], spheres: usize) {
    page.line(format!(
        "\nSort and search of BBTS ({figure}), fitted by t = α N log N (Eq. 17) for ten cycles:"
    ));
    let mut bbts: Vec<&Measurement> = (rows.iter())
        .filter(|row| row.algorithm == BroadPhaseKind::Bbts)
        .collect();
    bbts.sort_by_key(|row| row.case.spheres);
    let mut header = vec!["ns per sphere and cycle".to_owned()];
    header.extend(bbts.iter().map(|row| format!("N = {}", row.case.spheres)));
    header.extend(["α, ns", "residual", "residual of a N"].map(str::to_owned));
    let fits = bbts_fits(rows);
    let cells = |&(name, part): &(&'static str, Part)| {
        let mut cells = vec![name.to_owned()];
        cells.extend(bbts.iter().map(|row| nanoseconds(row, part)));
        if let Some(fit) = fits.iter().find(|fit| fit.name == name) {
            cells.extend([
                significant(1e9 * fit.law.coefficients[0]),
                format!("{:.0} %", 100.0 * fit.law.residual),
                format!("{:.0} %", 100.0 * fit.linear_residual),
            ]);
        }
        cells
    };
    page.text(&table(&header, PARTS.iter().map(cells)));
    page.line(format!(
        "\nSort and search of the other algorithms with {spheres} spheres. NBS sorts rows and cells while it searches."
    ));
    let others = [
        BroadPhaseKind::LinkedCell,
        BroadPhaseKind::Mr,
        BroadPhaseKind::MrS,
        BroadPhaseKind::HgridTopDown,
        BroadPhaseKind::LooseOctree,
    ];
    let cells = |row: &Measurement| {
        let mut cells = vec![row.algorithm.to_string()];
        cells.extend(PARTS.map(|(_, part)| nanoseconds(row, part)));
        cells
    };
    let rows = others
        .iter()
        .filter_map(|&algorithm| find(rows, algorithm, spheres));
    page.text(&table(
        &["algorithm", "sort", "search", "both"],
        rows.map(cells),
    ));
}

fn nanoseconds(row: &Measurement, part: Part) -> String {
    part(row).map_or_else(String::new, |seconds| {
        significant(row.per_sphere_and_cycle(1e9 * seconds))
    })
}
