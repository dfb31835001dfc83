//! The hierarchical grid over a sorted snapshot, Top-Down and Bottom-Up.

use glam::DVec3;

use super::{
    algorithm::{BroadPhase, OperationCounts, vec_bytes},
    cell_table::CellTable,
    constants::CELL_MARGIN,
    lattice::bounds,
    short_rows::ShortRows,
    tester::Tester,
};
use crate::{container::Container, macros::choice, spheres::Spheres};

choice! {
    "search direction", "kebab-case";
    /// Direction in which the HGrid searches between levels.
    #[derive(Default)]
    pub enum HGridSearch {
        /// Each sphere searches the levels of smaller spheres.
        #[default]
        TopDown,
        /// Each sphere searches the levels of larger spheres.
        BottomUp,
    }
}

/// How the HGrid tests two spheres for contact.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PairTest {
    /// By the distance of their centers.
    #[default]
    Distance,
    /// By their axis-aligned bounding boxes, and by the distance if the boxes overlap (Ogarko & Luding 2012, Section 2.2).
    ///
    /// The pairs found are the same.
    BoxesFirst,
}

/// Cell sizes that define no hierarchy.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SortedHGridError {
    /// The list is empty.
    #[error("the hgrid has no cell size; it needs at least one")]
    NoLevel,
    /// A cell size is not finite, or not larger than the size of the level below.
    #[error("hgrid cell size {size} on level {level} must be finite and larger than {previous}")]
    NotRising {
        /// Number of the level, from 1.
        level: usize,
        /// Rejected cell size.
        size: f64,
        /// Cell size of the level below; 0 for the first level.
        previous: f64,
    },
}

/// The hierarchical grid (HGrid) over a sorted snapshot: one grid for each level, each sphere on the lowest level whose
/// cells are at least as large as its diameter.
///
/// On its own level a sphere is tested as in the linked cell method (its own cell and 13 neighbors). On the level `j`
/// of other spheres it is tested against every sphere in the cells that a cube of half side `r + s_j / 2` around it
/// touches. [`OperationCounts`] holds the counts of the cost model of 2014: pair tests `T^cd` and cell accesses `T^ca`
/// (Eqs. 12–26), except cells outside an open or walled snapshot and levels without spheres.
///
/// Disks in a plane are spheres whose centers have the same z, in open space or in a container with walls along z. All
/// levels then have a single layer of cells: a sphere has 4 neighbor cells on its own level, and a search on another level
/// opens the cells of a square. These are the counts of the cost model in two dimensions.
///
/// The spheres of a snapshot are copied and sorted by level and cell, so that a search reads memory sequentially. The cells
/// are kept in tables whose length is proportional to the number of spheres. Both are rebuilt for each snapshot. The
/// index [`HGrid`](crate::index::HGrid) has the same levels and cells, but is changed one sphere at a time. With well chosen
/// cell sizes the cost is N for any size distribution.
///
/// Source: Ogarko & Luding, Comput. Phys. Commun. 183 (2012) 931, doi:10.1016/j.cpc.2011.12.019; Krijgsman, Ogarko &
/// Luding, Comput. Part. Mech. 1 (2014) 357, doi:10.1007/s40571-014-0020-9, Section 2.
#[derive(Clone, Debug)]
pub struct SortedHGrid {
    cell_sizes: Vec<f64>,
    search: HGridSearch,
    pair_test: PairTest,
    container: Option<Container>,
    levels: Vec<CellTable>,
    /// By position, the number of a sphere: level by level and cell by cell.
    order: Vec<u32>,
    centers: Vec<DVec3>,
    radii: Vec<f64>,
}

impl SortedHGrid {
    /// Creates an HGrid in open space with the given cell sizes `s_1 < s_2 < …`, in units of the coordinates.
    ///
    /// If spheres are wider than the last cell size, one more level has cells as wide as the largest sphere.
    ///
    /// # Errors
    /// When there is no cell size, or the sizes are not positive, finite and ascending.
    pub fn new(cell_sizes: Vec<f64>, search: HGridSearch) -> Result<Self, SortedHGridError> {
        if cell_sizes.is_empty() {
            return Err(SortedHGridError::NoLevel);
        }
        let mut previous = 0.0;
        for (below, &size) in cell_sizes.iter().enumerate() {
            if !(size > previous && size.is_finite()) {
                return Err(SortedHGridError::NotRising {
                    level: below + 1,
                    size,
                    previous,
                });
            }
            previous = size;
        }
        Ok(Self {
            cell_sizes,
            search,
            pair_test: PairTest::default(),
            container: None,
            levels: Vec::new(),
            order: Vec::new(),
            centers: Vec::new(),
            radii: Vec::new(),
        })
    }

    /// Puts the HGrid into a container: centers lie inside, and along periodic axes distances are minimum-image distances.
    ///
    /// Whole cells fill a periodic axis. They are therefore larger than requested, by up to one part in the number of cells
    /// along the axis; this matters in comparisons with the cost model if the largest cells are few. A length that is an
    /// exact multiple of the cell size has one cell less, because all cells are two millionths larger than requested, to
    /// cover rounding. Along an axis with walls, the cells extend over the centers, as in open space.
    #[must_use]
    pub fn in_container(self, container: Container) -> Self {
        Self {
            container: Some(container),
            ..self
        }
    }

    /// Tests pairs in this way.
    #[must_use]
    pub fn with_pair_test(self, pair_test: PairTest) -> Self {
        Self { pair_test, ..self }
    }

    /// Returns the corners of the box of the cells: the container along periodic axes, and the extent of the centers along
    /// the others.
    fn space(&self, centers: &[DVec3]) -> [DVec3; 2] {
        let Some(container) = &self.container else {
            return bounds(centers);
        };
        let periods = container.periods();
        let is_periodic = periods.is_finite_mask();
        if is_periodic.all() {
            return [DVec3::ZERO, periods];
        }
        let [low, high] = bounds(centers);
        [
            DVec3::select(is_periodic, DVec3::ZERO, low),
            DVec3::select(is_periodic, periods, high),
        ]
    }

    /// Sorts the spheres into the cells of their levels.
    fn build(&mut self, snapshot: &Spheres, sizes: &[f64]) {
        let space = self.space(snapshot.centers());
        let level_of = |radius: &f64| level(sizes, *radius);
        // By level, the position of its first sphere, and the end of the last level.
        let mut starts = vec![0; sizes.len() + 1];
        for radius in snapshot.radii() {
            starts[level_of(radius) + 1] += 1;
        }
        for level in 0..sizes.len() {
            starts[level + 1] += starts[level];
        }
        let mut next = starts.clone();
        self.order.resize(snapshot.len(), 0);
        for (id, radius) in (0..).zip(snapshot.radii()) {
            let next = &mut next[level_of(radius)];
            self.order[*next] = id;
            *next += 1;
        }
        self.centers.clear();
        self.radii.clear();
        self.levels.resize_with(sizes.len(), CellTable::default);
        for (own, (table, &size)) in self.levels.iter_mut().zip(sizes).enumerate() {
            let ids = &mut self.order[starts[own]..starts[own + 1]];
            table.lay_out(size, space, self.container.as_ref(), ids.len());
            table.fill(ids.iter().copied(), snapshot.centers());
            table.renumber(ids, starts[own] as u32);
            let ids = ids.iter().map(|&id| id as usize);
            self.centers
                .extend(ids.clone().map(|id| snapshot.centers()[id]));
            self.radii.extend(ids.map(|id| snapshot.radii()[id]));
        }
    }

    /// Searches all levels and returns the counts.
    fn search<const BOXES_FIRST: bool>(
        &self,
        sizes: &[f64],
        report: &mut dyn FnMut(u32, u32),
    ) -> OperationCounts {
        let tester = &mut Tester::<BOXES_FIRST> {
            centers: &self.centers,
            radii: &self.radii,
            periods: self
                .container
                .as_ref()
                .map_or(DVec3::INFINITY, Container::periods),
            report: &mut |i, j| report(self.order[i as usize], self.order[j as usize]),
            counts: OperationCounts::default(),
            short_rows: ShortRows::new(),
        };
        for (own, table) in self.levels.iter().enumerate() {
            table.search_within(tester);
            let others = match self.search {
                HGridSearch::TopDown => 0..own,
                HGridSearch::BottomUp => own + 1..sizes.len(),
            };
            for id in table.ids() {
                let (center, radius) = (self.centers[id as usize], self.radii[id as usize]);
                for j in others.clone() {
                    let other_level = &self.levels[j];
                    if !other_level.is_empty() {
                        let reach = DVec3::splat((radius + 0.5 * sizes[j]) * (1.0 + CELL_MARGIN));
                        other_level.search_box(center - reach, center + reach, id, tester);
                    }
                }
            }
        }
        tester.counts
    }
}

/// Returns the level of insertion: the lowest whose cells are at least as large as the diameter (Eq. 3).
fn level(sizes: &[f64], radius: f64) -> usize {
    sizes.partition_point(|&size| size < 2.0 * radius)
}

impl BroadPhase for SortedHGrid {
    fn detect_in_phases(
        &mut self,
        snapshot: &Spheres,
        sorted: &mut dyn FnMut(),
        report: &mut dyn FnMut(u32, u32),
    ) -> OperationCounts {
        let mut sizes = self.cell_sizes.clone();
        let largest = 2.0 * snapshot.radii().iter().copied().fold(0.0, f64::max);
        if largest > sizes[sizes.len() - 1] {
            sizes.push(largest);
        }
        self.build(snapshot, &sizes);
        sorted();
        match self.pair_test {
            PairTest::Distance => self.search::<false>(&sizes, report),
            PairTest::BoxesFirst => self.search::<true>(&sizes, report),
        }
    }

    fn bytes(&self) -> usize {
        vec_bytes(&self.order)
            + vec_bytes(&self.centers)
            + vec_bytes(&self.radii)
            + self.levels.iter().map(CellTable::bytes).sum::<usize>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cell_sizes_must_rise() {
        let new = |sizes: &[f64]| SortedHGrid::new(sizes.to_vec(), HGridSearch::TopDown);
        assert_eq!(new(&[]).unwrap_err(), SortedHGridError::NoLevel);
        for bad in [
            &[0.0][..],
            &[1.0, 1.0],
            &[1.0, f64::NAN],
            &[1.0, f64::INFINITY],
        ] {
            let message = new(bad).unwrap_err().to_string();
            assert!(
                message.contains(&format!("level {}", bad.len())),
                "{message}"
            );
        }
        assert!(new(&[1.0, 1.5]).is_ok());
    }

    #[test]
    fn level_of_insertion_takes_an_equal_diameter() {
        assert_eq!(
            [0.4, 0.5, 0.51, 1.0].map(|r| level(&[1.0, 2.0], r)),
            [0, 0, 1, 1]
        );
    }
}
