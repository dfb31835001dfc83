//! Table 1 of Raschdorf & Kolonko 2011, beside the indexes of this crate.

use crate::page::Page;
use jostle::{
    Boundaries,
    laboratory::compare::{IndexComparison, PaperSizes, Table1Row, table_1},
};

use super::{
    markdown::table,
    numbers::{beside_paper, significant},
    outcome::Outcome,
};

/// Prints the table and the reasons for its differences from the paper.
pub fn report(page: &mut Page, comparison: &IndexComparison) -> Outcome {
    let [walls, periodic] = [Boundaries::WALLS, Boundaries::PERIODIC].map(|boundary| {
        table_1(&comparison.clone().boundary(boundary), &mut |step| {
            eprintln!(
                "Table 1: {}, boundary {boundary}, run {}",
                step.sizes, step.run
            );
        })
    });
    let (walls, periodic) = (walls?, periodic?);
    page.line(format!(
        "\n## Candidates per sphere (Raschdorf & Kolonko 2011, Table 1)\n
{} spheres in a cube, {} packings of effort `quick` per column: `jostle compare index --experiment table-1 --boundary BOUNDARY`. Each
entry is a mean ± standard deviation; the percentage is the deviation of the mean from the paper's value. A candidate is another sphere
in a node or cell that the query opens, before any distance test. δ_V is a tenth of the mean diameter, and s0 is the side of the cube.
Fuller sizes follow Eq. 6 up to 684.75, as a continuous curve and in m = 70 classes in geometric progression: the diameters are the
quantiles at the middle of each part of the number. In the paper's sample, the largest diameter is 52.7.\n
The first five rows follow the paper's description. Its grid has ⌊s0/d_max⌋ cells a side, and a query opens the 27 cells around the
sphere. Its octrees have all levels from the root on. A sphere is in the deepest node that contains its center and whose outer
boundary encloses it; the faces of the container do not count as boundaries. A query opens the nodes that the Verlet sphere
intersects. The paper does not say how a query finds candidates across a periodic face: *images* makes one query for each
image of the Verlet sphere that reaches into the container, *around* makes one query and measures periodic distances.
The other rows are the indexes of this crate.",
        comparison.spheres, comparison.runs
    ));
    let header = [
        "",
        "equal: paper",
        "walls",
        "periodic",
        "Fuller: paper",
        "walls",
        "periodic",
        "70 classes: walls",
        "periodic",
    ];
    // The rows of the periodic packings name both methods across a face.
    let names = periodic.iter().filter(|row| row.sizes == PaperSizes::Equal);
    let rows = names.map(|row| cells(&row.quantity, &walls, &periodic));
    page.text(&table(&header, rows));
    differences(page, &walls, &periodic);
    Ok(())
}

/// Returns the row of a quantity. Between walls there is one method for both methods across a face.
fn find<'a>(rows: &'a [Table1Row], sizes: PaperSizes, quantity: &str) -> Option<&'a Table1Row> {
    let named = |name: &str| {
        let mut rows = rows.iter().filter(|row| row.sizes == sizes);
        rows.find(|row| row.quantity == name)
    };
    let method = quantity.trim_end_matches(", images");
    named(quantity).or_else(|| named(method.trim_end_matches(", around")))
}

fn cells(quantity: &str, walls: &[Table1Row], periodic: &[Table1Row]) -> Vec<String> {
    let name = match quantity.parse::<jostle::IndexKind>() {
        Ok(kind) => format!("`{kind}`"),
        Err(_) => quantity.to_owned(),
    };
    let mut cells = vec![name];
    for &sizes in PaperSizes::ALL {
        let found = [walls, periodic].map(|rows| find(rows, sizes, quantity));
        if sizes != PaperSizes::FullerClasses {
            let paper = found[1].and_then(|row| row.paper);
            cells.push(paper.map_or_else(String::new, |paper| paper.to_string()));
        }
        let texts = found.map(|row| row.map_or_else(String::new, beside_paper));
        cells.extend(texts);
    }
    cells
}

fn differences(page: &mut Page, walls: &[Table1Row], periodic: &[Table1Row]) {
    let value = |rows, sizes, quantity| {
        find(rows, sizes, quantity).map_or_else(String::new, |row| significant(row.mean))
    };
    let side = |rows| value(rows, PaperSizes::Fuller, "s0 / d_min");
    let largest = |sizes| value(periodic, sizes, "d_max / d_min");
    let strict = find(periodic, PaperSizes::Fuller, "strict octree, images");
    let strict = strict.map_or(&[][..], |row| row.values.as_slice());
    let lowest = strict.iter().copied().fold(f64::INFINITY, f64::min);
    let highest = strict.iter().copied().fold(0.0, f64::max);
    page.line(format!(
        "\n### Reasons for the differences\n
In a periodic cube, with *images*, every figure of the paper is reproduced within a tenth with the continuous curve. For the strict
octree with Fuller sizes this holds for the mean over several positions of the container's corner, which `tests/integration/papers_2011.rs` takes (see
*The largest spheres*).

*Boundary.* The paper does not state the boundary. With equal spheres between walls, the octrees are also reproduced within a tenth. The
grid's 32.9 needs a periodic cube, because at a wall some of the 27 cells are missing. With Fuller sizes, walls do not reproduce the
paper. They keep the largest sphere, which is nearly as wide as the container, in the middle, where it jams before the small spheres
are dense. The mean s0 is {} there and {} in the periodic cube, and the candidates decrease with the packing fraction. The paper says of
Fig. 9 that the outer boundary of a node near the deepest level is only slightly larger than d_min. This puts its s0 just above 64 d_min
(or 128, as the paper numbers the levels, but so large a container would be nearly empty).\n
*Classes.* The paper does not give the diameters of its 70 classes. In geometric progression, the largest class of the sample is {} d_min;
the continuous curve gives {} d_min.\n
*Periodic faces.* The paper's loose octree, and its strict octree with equal spheres, lie between *images* and *around*. A strict octree
that stored the spheres across a periodic face in its root, as `strict-octree` does, would have 1.5 times the candidates of the paper.\n
*The largest spheres.* The candidates in the strict octree are mostly spheres that cross its large planes. A sphere nearly as wide as the
container excludes other spheres from much of a plane, or from none of it, depending on its position. With Fuller sizes the count
therefore differs between packings by more than a tenth: from {} to {} in these ten.\n
*Grid.* With Fuller sizes s0 < 2 d_max leaves a single cell: all N − 1 other spheres are candidates. Of the 27 cells, `grid` opens only
those near enough to the probe, and `loose-octree` skips nodes whose spheres are all too small to reach the probe.",
        side(walls),
        side(periodic),
        largest(PaperSizes::FullerClasses),
        largest(PaperSizes::Fuller),
        significant(lowest),
        significant(highest),
    ));
}
