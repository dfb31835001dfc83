//! The fastest algorithms of each experiment, beside Table 3 of Schiava D'Albano et al.

use crate::{markdown::table, numbers::grouped, page::Page};
use jostle::laboratory::{
    broad_phase::BroadPhaseKind,
    compare::{Experiment, Measurement},
};

/// Algorithms that the contact detection paper compares.
pub const PAPER: [BroadPhaseKind; 4] = [
    BroadPhaseKind::Bbts,
    BroadPhaseKind::Mr,
    BroadPhaseKind::MrS,
    BroadPhaseKind::Nbs,
];

/// The paper's algorithms at one number of spheres, fastest first.
pub struct Order {
    pub experiment: Experiment,
    pub spheres: usize,
    pub algorithms: Vec<BroadPhaseKind>,
}

impl Order {
    /// Returns the order at the largest number of spheres with which at least `least` of the paper's algorithms were measured.
    pub fn at_largest(rows: &[Measurement], least: usize) -> Option<Self> {
        let of_paper = || rows.iter().filter(|row| PAPER.contains(&row.algorithm));
        let measured = |spheres: usize| of_paper().filter(move |row| row.case.spheres == spheres);
        let spheres = of_paper()
            .map(|row| row.case.spheres)
            .filter(|&spheres| measured(spheres).count() >= least)
            .max()?;
        let mut ranked: Vec<&Measurement> = measured(spheres).collect();
        ranked.sort_by(|a, b| a.seconds.total_cmp(&b.seconds));
        Some(Self {
            experiment: ranked[0].case.experiment,
            spheres,
            algorithms: ranked.iter().map(|row| row.algorithm).collect(),
        })
    }

    /// Returns the names, fastest first.
    pub fn names(&self) -> String {
        let names: Vec<String> = self.algorithms.iter().map(ToString::to_string).collect();
        names.join(", ")
    }
}

/// Prints the order at the largest number of spheres that all four algorithms have, and at the largest number that any has.
/// Returns the latter.
pub fn print(page: &mut Page, rows: &[Measurement]) -> Vec<Order> {
    page.line("\nThe paper's four algorithms, fastest first:\n");
    let all = Order::at_largest(rows, PAPER.len());
    let largest = Order::at_largest(rows, PAPER.len() - 1);
    let mut orders: Vec<Order> = Vec::new();
    for order in [largest, all].into_iter().flatten() {
        if orders.iter().all(|other| other.spheres != order.spheres) {
            page.line(format!(
                "- N = {}: {}",
                grouped(order.spheres),
                order.names()
            ));
            orders.push(order);
        }
    }
    orders.truncate(1);
    orders
}

/// A row of Table 3 of the paper: the experiment, its marks in the columns, and the fastest algorithm.
const TABLE_3: [(Experiment, [&str; 4], BroadPhaseKind); 4] = [
    (
        Experiment::I,
        ["yes", "yes", "no", "no"],
        BroadPhaseKind::Nbs,
    ),
    (
        Experiment::Ii,
        ["yes", "yes", "yes", "no"],
        BroadPhaseKind::Nbs,
    ),
    (
        Experiment::Iii,
        ["no", "no", "no", "no"],
        BroadPhaseKind::MrS,
    ),
    (
        Experiment::Iv,
        ["yes", "yes", "yes", "yes"],
        BroadPhaseKind::MrS,
    ),
];

/// Returns the fastest algorithm of the paper in an experiment.
pub fn fastest_of_paper(experiment: Experiment) -> Option<BroadPhaseKind> {
    let mut rows = TABLE_3.iter();
    rows.find(|(other, ..)| *other == experiment)
        .map(|&(.., fastest)| fastest)
}

/// Prints Table 3 of the paper beside the orders found here.
pub fn print_table_3(page: &mut Page, orders: &[Order]) {
    page.line("\n### Fastest algorithms (Schiava D'Albano et al., Table 3)");
    let header = [
        "experiment",
        "uniform raster",
        "elements ordered",
        "equidistant",
        "one cell",
        "fastest: paper",
        "here, fastest first",
        "N",
    ];
    let cells = |&(experiment, marks, fastest): &(Experiment, [&str; 4], BroadPhaseKind)| {
        let order = orders.iter().find(|order| order.experiment == experiment);
        let mut cells = vec![experiment.to_string()];
        cells.extend(marks.map(str::to_owned));
        cells.extend([
            fastest.to_string(),
            order.map_or_else(String::new, Order::names),
            order.map_or_else(String::new, |order| grouped(order.spheres)),
        ]);
        cells
    };
    page.text(&table(&header, TABLE_3.iter().map(cells)));
}
