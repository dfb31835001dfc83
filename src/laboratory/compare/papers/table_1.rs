//! Table 1 of Raschdorf & Kolonko 2011: candidates per sphere, beside those of the indexes of this crate.
//!
//! The cell grid is exactly as the paper describes it.

use glam::DVec3;
use serde::{Deserialize, Serialize};

use super::{
    constants::{
        NEARLY_EQUAL, OTHER_LARGEST, PAPER_LARGEST, PAPER_SPHERES, RELATIVE_VERLET_DISTANCE,
    },
    index_comparison_options::{IndexComparison, IndexComparisonError},
    index_measurement::candidates_and_neighbors,
    paper_packings::{PaperSizes, PaperStep, diameters, pack_each},
    statistics::mean_and_spread,
};
use crate::{
    container::{Boundaries, Container},
    index::{CellGrid, IndexKind},
    laboratory::compare::{AcrossFaces, published_octree_candidates},
    packing::Packing,
    spheres::Spheres,
};

/// Row of Table 1 of Raschdorf & Kolonko 2011: one quantity of the packings with one size distribution.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Table1Row {
    /// Size distribution.
    pub sizes: PaperSizes,
    /// Boundary of each axis.
    pub boundary: Boundaries,
    /// Number of spheres.
    pub spheres: usize,
    /// Number of packings.
    pub runs: u64,
    /// Method whose candidates per sphere are counted: `grid, 27 cells`, `strict octree` and `loose octree` as the paper describes
    /// them, or an index of this crate. With a periodic axis, `, images` or `, around` follows the name of an octree; see
    /// [`AcrossFaces`]. Further rows have the number of `neighbors` per sphere, the `packing fraction`, the side of the container
    /// and the largest diameter over the smallest diameter (`s0 / d_min`, `d_max / d_min`).
    pub quantity: String,
    /// Value of the paper, if it states one.
    pub paper: Option<f64>,
    /// Mean over the packings.
    pub mean: f64,
    /// Standard deviation over the packings; 0 for one packing.
    pub spread: f64,
    /// Relative deviation of the mean from the value of the paper.
    pub deviation: Option<f64>,
    /// Reason of a deviation of more than 1 %.
    pub reason: Option<String>,
    /// Value of each packing.
    pub values: Vec<f64>,
}

/// Repeats Table 1 of Raschdorf & Kolonko 2011: counts the candidates per sphere on packings of equal spheres and of two Fuller
/// samples, and compares them with the paper.
///
/// `comparison` is usually [`IndexComparison::of_the_paper`]. `begin` is called before each packing run. All sphere counts are the
/// same on every machine.
///
/// # Errors
/// When there is no run, the Verlet distance is negative or not finite, or the spheres cannot be packed.
pub fn table_1(
    comparison: &IndexComparison,
    begin: &mut dyn FnMut(PaperStep),
) -> Result<Vec<Table1Row>, IndexComparisonError> {
    comparison.check()?;
    let quantities = quantities(comparison);
    let mut rows = Vec::new();
    for &sizes in PaperSizes::ALL {
        let mut values = vec![Vec::new(); quantities.len()];
        let mut largest = Vec::new();
        pack_each(comparison, sizes, begin, &mut |packing| {
            let [smallest, mean, largest_here] = diameters(packing);
            let default_distance = RELATIVE_VERLET_DISTANCE * mean;
            let distance = comparison.verlet_distance.unwrap_or(default_distance);
            for (values, quantity) in values.iter_mut().zip(&quantities) {
                values.push((quantity.measure)(packing, distance));
            }
            largest.push(largest_here / smallest);
        })?;
        let series = Series {
            comparison,
            sizes,
            largest: mean_and_spread(&largest).0,
        };
        let quantities = quantities.iter().zip(values);
        rows.extend(quantities.map(|(quantity, values)| series.row(quantity, values)));
    }
    Ok(rows)
}

/// Data structure that the paper measures.
#[derive(Clone, Copy, PartialEq)]
enum Method {
    Grid,
    Strict,
    Loose,
}

impl Method {
    /// Returns the candidates per sphere in Table 1.
    fn published(self, sizes: PaperSizes) -> f64 {
        let [equal, fuller] = match self {
            Self::Grid => [32.9, 9_999.0],
            Self::Strict => [2_027.6, 1_188.1],
            Self::Loose => [51.7, 31.2],
        };
        if sizes == PaperSizes::Equal {
            equal
        } else {
            fuller
        }
    }
}

/// Returns a quantity of a packing, for a Verlet distance.
type Measure = Box<dyn Fn(&Packing, f64) -> f64>;

/// Quantity of a row. The paper has a value for its methods only.
struct Quantity {
    name: String,
    method: Option<Method>,
    measure: Measure,
}

impl Quantity {
    fn new(
        name: impl Into<String>,
        method: Option<Method>,
        measure: impl Fn(&Packing, f64) -> f64 + 'static,
    ) -> Self {
        Self {
            name: name.into(),
            method,
            measure: Box::new(measure),
        }
    }
}

/// Returns the quantities of all rows.
fn quantities(comparison: &IndexComparison) -> Vec<Quantity> {
    let mut quantities = vec![Quantity::new(
        "grid, 27 cells",
        Some(Method::Grid),
        |packing, _| adjoining_cell_candidates(&packing.spheres, &packing.container),
    )];
    let is_periodic = (0..3).any(|axis| comparison.boundary.is_periodic(axis));
    let across_faces: &[(&str, AcrossFaces)] = if is_periodic {
        &[
            (", images", AcrossFaces::Images),
            (", around", AcrossFaces::Around),
        ]
    } else {
        &[("", AcrossFaces::Around)]
    };
    let octrees = [
        ("strict octree", Method::Strict, 1.0),
        ("loose octree", Method::Loose, 2.0),
    ];
    for (name, method, expansion) in octrees {
        for &(suffix, across) in across_faces {
            let name = format!("{name}{suffix}");
            let measure = move |packing: &Packing, distance| {
                let (spheres, container) = (&packing.spheres, &packing.container);
                published_octree_candidates(expansion, spheres, container, distance, across)
            };
            quantities.push(Quantity::new(name, Some(method), measure));
        }
    }
    for &kind in &comparison.indexes {
        let measure = move |packing: &Packing, distance| own_counts(kind, packing, distance)[0];
        quantities.push(Quantity::new(kind.to_string(), None, measure));
    }
    // Every index finds the same neighbors.
    quantities.push(Quantity::new("neighbors", None, |packing, distance| {
        own_counts(IndexKind::default(), packing, distance)[1]
    }));
    quantities.push(Quantity::new("packing fraction", None, |packing, _| {
        packing.packing_fraction()
    }));
    quantities.push(Quantity::new("s0 / d_min", None, |packing, _| {
        packing.container.lengths().x / diameters(packing)[0]
    }));
    quantities.push(Quantity::new("d_max / d_min", None, |packing, _| {
        let [smallest, _, largest] = diameters(packing);
        largest / smallest
    }));
    quantities
}

fn own_counts(kind: IndexKind, packing: &Packing, verlet_distance: f64) -> [f64; 2] {
    candidates_and_neighbors(kind, &packing.spheres, &packing.container, verlet_distance)
}

/// The packings of one size distribution.
struct Series<'a> {
    comparison: &'a IndexComparison,
    sizes: PaperSizes,
    /// Mean of the largest diameter over the smallest one.
    largest: f64,
}

impl Series<'_> {
    fn row(&self, quantity: &Quantity, values: Vec<f64>) -> Table1Row {
        let (mean, spread) = mean_and_spread(&values);
        let paper = quantity.method.map(|method| method.published(self.sizes));
        let deviation = paper.map(|paper| mean / paper - 1.0);
        let differs = deviation.is_some_and(|deviation| deviation.abs() > NEARLY_EQUAL);
        let method = quantity.method.filter(|_| differs);
        Table1Row {
            sizes: self.sizes,
            boundary: self.comparison.boundary,
            spheres: self.comparison.spheres,
            runs: self.comparison.runs,
            quantity: quantity.name.clone(),
            paper,
            mean,
            spread,
            deviation,
            reason: method.map(|method| self.reason(method)),
            values,
        }
    }

    /// Returns why the candidates of a method differ from those of the paper.
    fn reason(&self, method: Method) -> String {
        let Self {
            comparison, sizes, ..
        } = *self;
        if comparison.spheres != PAPER_SPHERES {
            return format!("the paper packs {PAPER_SPHERES} spheres");
        }
        if comparison.verlet_distance.is_some() {
            return "the Verlet distance is not a tenth of the mean diameter".to_owned();
        }
        let is_fuller = sizes != PaperSizes::Equal;
        if is_fuller && (self.largest / PAPER_LARGEST - 1.0).abs() > OTHER_LARGEST {
            let largest = self.largest;
            return format!(
                "the largest diameter is {largest:.1}; in the paper it is {PAPER_LARGEST}"
            );
        }
        let has_walls = comparison.boundary != Boundaries::PERIODIC;
        let reason = match method {
            _ if is_fuller && has_walls => {
                "walls jam the largest sphere before the small spheres are dense"
            }
            Method::Grid if has_walls => "at a wall some of the 27 cells are missing",
            _ if has_walls => "no candidates beyond walls; the paper does not state its boundary",
            Method::Strict if is_fuller => {
                "the candidates depend on the large spheres that cross the planes"
            }
            _ if sizes == PaperSizes::FullerClasses => {
                "the paper does not give the diameters of its 70 classes"
            }
            Method::Grid => "the packings differ",
            _ => "the paper does not say how a query crosses a periodic face",
        };
        reason.to_owned()
    }
}

/// Returns the candidates per sphere of the grid that Raschdorf & Kolonko 2011 describe.
///
/// The grid has `⌊length/d_max⌋` cells along each axis. A query opens the cell of the sphere and all adjoining cells,
/// 27 in total, wherever the sphere lies in its cell. The [`Grid`](crate::index::Grid) of this crate opens only the cells that
/// are near enough to the probe, and also opens cells beyond the adjoining ones if the Verlet distance reaches them.
pub fn adjoining_cell_candidates(spheres: &Spheres, container: &Container) -> f64 {
    let largest = 2.0 * spheres.radii().iter().copied().fold(0.0, f64::max);
    let counts = (container.lengths() / largest).floor().max(DVec3::ONE);
    let grid = CellGrid::filling(container, counts.to_array().map(|count| count as u32));
    let mut members = vec![0_u64; grid.len() as usize];
    for &center in spheres.centers() {
        members[grid.number(grid.cell(center)) as usize] += 1;
    }
    let mut candidates = 0;
    for &center in spheres.centers() {
        let [x, y, z] = grid.cell(center);
        let [ax, ay, az] = grid.axes();
        for z in az.around(z) {
            for y in ay.around(y) {
                let row = ax.around(x).map(|x| grid.number([x, y, z]));
                candidates += row.map(|cell| members[cell as usize]).sum::<u64>();
            }
        }
    }
    candidates as f64 / spheres.len() as f64 - 1.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::container::Boundaries;

    fn reason(comparison: &IndexComparison, sizes: PaperSizes, method: Method) -> String {
        let series = Series {
            comparison,
            sizes,
            largest: if sizes == PaperSizes::Equal {
                1.0
            } else {
                52.5
            },
        };
        series.reason(method)
    }

    #[test]
    fn reasons_name_the_difference_of_the_settings_first() {
        let walls = IndexComparison::of_the_paper();
        let periodic = walls.clone().boundary(Boundaries::PERIODIC);
        for (comparison, sizes, method, words) in [
            (
                &walls,
                PaperSizes::Equal,
                Method::Grid,
                "27 cells are missing",
            ),
            (&walls, PaperSizes::Equal, Method::Loose, "beyond walls"),
            (&walls, PaperSizes::Fuller, Method::Strict, "walls jam"),
            (
                &periodic,
                PaperSizes::Equal,
                Method::Strict,
                "periodic face",
            ),
            (&periodic, PaperSizes::Fuller, Method::Strict, "planes"),
            (
                &periodic,
                PaperSizes::FullerClasses,
                Method::Loose,
                "70 classes",
            ),
            (
                &walls.clone().spheres(500),
                PaperSizes::Fuller,
                Method::Loose,
                "packs 10000 spheres",
            ),
            (
                &walls.clone().verlet_distance(0.2),
                PaperSizes::Equal,
                Method::Loose,
                "Verlet distance",
            ),
        ] {
            let found = reason(comparison, sizes, method);
            assert!(found.contains(words), "{found}");
            assert!(found.len() < 75, "{found}");
        }
        let series = Series {
            comparison: &periodic,
            sizes: PaperSizes::Fuller,
            largest: 99.8,
        };
        let found = series.reason(Method::Loose);
        assert_eq!(
            found,
            "the largest diameter is 99.8; in the paper it is 52.7"
        );
    }

    #[test]
    fn a_query_opens_27_cells_and_fewer_at_walls() {
        // One sphere in the middle of each of 5³ cells.
        let centers = (0..125).map(|i| {
            let [x, y, z] = [i % 5, i / 5 % 5, i / 25].map(f64::from);
            DVec3::new(x, y, z) + 0.5
        });
        let spheres = Spheres::new(centers.collect(), vec![0.5; 125]);
        let candidates = |boundary| {
            let container = Container::cuboid(DVec3::splat(5.0), boundary).unwrap();
            adjoining_cell_candidates(&spheres, &container)
        };
        assert_eq!(candidates(Boundaries::PERIODIC), 26.0);
        // Along an axis with walls, two of five cells have one adjoining cell instead of two: 13/5 cells on average.
        let walls = 2.6f64.powi(3) - 1.0;
        assert!((candidates(Boundaries::WALLS) - walls).abs() < 1e-12);

        let wide = Spheres::new(spheres.centers().to_vec(), vec![1.5; 125]);
        let container = Container::cuboid(DVec3::splat(5.0), Boundaries::PERIODIC).unwrap();
        assert_eq!(adjoining_cell_candidates(&wide, &container), 124.0);
    }
}
