//! Table 1 of Raschdorf & Kolonko 2011, beside the indexes of this crate.

use crate::page::Page;
use jostle::{IndexKind, laboratory::compare::mean_and_spread};
use strum::VariantArray;

use super::{
    markdown::table,
    numbers::{beside_paper, significant},
    packings::{Counts, Series},
};

/// Row of the table: a name, the paper's values for equal spheres and for Fuller sizes, and the value of a packing.
struct Row {
    name: String,
    paper: Option<[f64; 2]>,
    value: Box<dyn Fn(&Counts) -> f64>,
}

impl Row {
    fn new(
        name: impl Into<String>,
        paper: Option<[f64; 2]>,
        value: impl Fn(&Counts) -> f64 + 'static,
    ) -> Self {
        Self {
            name: name.into(),
            paper,
            value: Box::new(value),
        }
    }

    /// Returns the cells of the row, for the four series in the order of [`super::packings::all`].
    fn cells(&self, all: &[Series]) -> Vec<String> {
        let mut cells = vec![self.name.clone()];
        for (sizes, series) in all.chunks(2).enumerate() {
            let paper = self.paper.map(|paper| paper[sizes]);
            cells.push(paper.map_or_else(String::new, |paper| paper.to_string()));
            cells.extend(
                series
                    .iter()
                    .map(|series| beside_paper(&series.values(&self.value), paper)),
            );
        }
        cells
    }
}

/// Prints the table and the reasons for its differences from the paper.
pub fn report(page: &mut Page, all: &[Series]) {
    page.line(format!(
        "\n## Candidates per sphere (2011, Table 1)\n
{} spheres in a cube, ten packings of effort `quick` per column. Each entry is a mean ± standard deviation; the percentage is the
deviation of the mean from the paper's value. A candidate is another sphere in a node or cell that the query opens, before any
distance test. δ_V is a tenth of the mean diameter, and s0 is the side of the cube. Fuller sizes follow Eq. 6 up to 684.75: the diameters
are the quantiles at the middle of each ten-thousandth part of the number. The largest is 52.5; in the paper's sample it is 52.7.\n
The first five rows follow the paper's description. Its grid has ⌊s0/d_max⌋ cells a side, and a query opens the 27 cells around the
sphere. Its octrees have all levels from the root on. A sphere is in the deepest node that contains its center and whose outer
boundary encloses it; the faces of the container do not count as boundaries. A query opens the nodes that the Verlet sphere
intersects. The paper does not say how a query finds candidates across a periodic face: *images* makes one query for each
image of the Verlet sphere that reaches into the container, *around* makes one query and measures periodic distances.
The other rows are the indexes of this crate.",
        all[0].spheres
    ));
    let header = [
        "",
        "equal: paper",
        "walls",
        "periodic",
        "Fuller: paper",
        "walls",
        "periodic",
    ];
    page.text(&table(&header, rows().iter().map(|row| row.cells(all))));
    differences(page, all);
}

fn rows() -> Vec<Row> {
    let mut rows = vec![Row::new("grid, 27 cells", Some([32.9, 9_999.0]), |run| {
        run.grid
    })];
    let octrees = [("strict", [2_027.6, 1_188.1]), ("loose", [51.7, 31.2])];
    for (tree, (name, paper)) in octrees.into_iter().enumerate() {
        for (at, across) in ["images", "around"].into_iter().enumerate() {
            let name = format!("{name} octree, {across}");
            rows.push(Row::new(name, Some(paper), move |run| {
                run.octrees[tree][at]
            }));
        }
    }
    for (at, kind) in IndexKind::VARIANTS.iter().enumerate() {
        let name = format!("`{kind}`");
        rows.push(Row::new(name, None, move |run| run.measured[at].candidates));
    }
    rows.push(Row::new("neighbors", None, |run| run.measured[0].neighbors));
    rows.push(Row::new("packing fraction", None, |run| {
        run.packing_fraction
    }));
    rows.push(Row::new("s0 / d_min", None, |run| run.side));
    rows
}

fn differences(page: &mut Page, all: &[Series]) {
    let [.., walls, periodic] = all else { return };
    let mean_side =
        |series: &Series| significant(mean_and_spread(&series.values(|run| run.side)).0);
    let strict = periodic.values(|run| run.octrees[0][0]);
    let lowest = strict.iter().copied().fold(f64::INFINITY, f64::min);
    let highest = strict.iter().copied().fold(0.0, f64::max);
    page.line(format!(
        "\n### Reasons for the differences\n
In a periodic cube, with *images*, every figure of the paper is reproduced within a tenth. For the strict octree with Fuller sizes
this holds for the mean over several positions of the container's corner, which `tests/integration/papers_2011.rs` takes (see *The largest spheres*).

*Boundary.* The paper does not state the boundary. With equal spheres between walls, the octrees are also reproduced within a tenth. The
grid's 32.9 needs a periodic cube, because at a wall some of the 27 cells are missing. With Fuller sizes, walls do not reproduce the
paper. They keep the largest sphere, which is nearly as wide as the container, in the middle, where it jams before the small spheres
are dense. The mean s0 is {} there and {} in the periodic cube, and the candidates decrease with the packing fraction. The paper says of
Fig. 9 that the outer boundary of a node near the deepest level is only slightly larger than d_min. This puts its s0 just above 64 d_min
(or 128, as the paper numbers the levels, but so large a container would be nearly empty).\n
*Periodic faces.* The paper's loose octree, and its strict octree with equal spheres, lie between *images* and *around*. A strict octree
that stored the spheres across a periodic face in its root, as `strict-octree` does, would have 1.5 times the candidates of the paper.\n
*The largest spheres.* The candidates in the strict octree are mostly spheres that cross its large planes. A sphere nearly as wide as the
container excludes other spheres from much of a plane, or from none of it, depending on its position. With Fuller sizes the count
therefore differs between packings by more than a tenth: from {} to {} in these ten.\n
*Grid.* With Fuller sizes s0 < 2 d_max leaves a single cell: all N − 1 other spheres are candidates. Of the 27 cells, `grid` opens only
those near enough to the probe, and `loose-octree` skips nodes whose spheres are all too small to reach the probe.",
        mean_side(walls),
        mean_side(periodic),
        significant(lowest),
        significant(highest),
    ));
}
