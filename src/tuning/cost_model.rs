//! Cost of a contact search in a hierarchical grid (Krijgsman, Ogarko & Luding 2014, Eqs. 6–27).

use serde::{Deserialize, Serialize};

use super::{
    constants::{CELL_SIZE_RANGE, MAX_OVERHEAD, PACKING_FRACTION_RANGE},
    error::TuningError,
    radius_law::{Moments, RadiusLaw, difference},
    search::Search,
};
use crate::dimension::Dimension;

/// Work on one level of the grid, per sphere of the whole system and in units of one overlap test.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct LevelWork {
    /// Side of the cells, s_h, in units of the smallest radius.
    pub cell_size: f64,
    /// Share of the spheres on this level, N_h/N (Eq. 9).
    pub number_share: f64,
    /// Number of cells of this level per sphere of the system, N^c_h/N (Eq. 10).
    pub cells_per_particle: f64,
    /// Number of spheres of this level per cell, m_h (Eq. 11).
    pub particles_per_cell: f64,
    /// Number of overlap tests that spheres of this level make, T^cd_h/N (Eqs. 23 and 25).
    pub collision_work: f64,
    /// Number of cells that spheres of this level open, T^ca_h/N (Eqs. 24 and 26), not yet multiplied by K.
    pub access_work: f64,
}

/// Cost per sphere of finding all contacts among homogeneously distributed spheres.
///
/// The unit of work is one overlap test, the unit of length the smallest radius. The model takes positions as
/// independent and the system as large, so that nothing depends on the number of spheres.
#[derive(Clone, Copy, Debug)]
pub struct CostModel<'a> {
    law: &'a RadiusLaw,
    dimension: Dimension,
    /// Number of spheres per volume, ν/V_p.
    number_density: f64,
    overhead: f64,
    /// Moments up to below the smallest radius, and up to the largest.
    bottom: Moments,
    top: Moments,
}

impl<'a> CostModel<'a> {
    /// Creates the model for spheres of the given radii.
    ///
    /// The spheres fill the share `packing_fraction` (ν) of space. Opening a cell costs `overhead` (K) overlap tests. The
    /// packing fraction may exceed 1, for example for radii that include a Verlet distance.
    ///
    /// # Errors
    /// If the packing fraction is not from 10⁻²⁰⁰ to 10²⁰⁰, or the overhead factor not from 0 to [`MAX_OVERHEAD`].
    pub fn new(
        law: &'a RadiusLaw,
        dimension: Dimension,
        packing_fraction: f64,
        overhead: f64,
    ) -> Result<Self, TuningError> {
        if !PACKING_FRACTION_RANGE.contains(&packing_fraction) {
            return Err(TuningError::PackingFraction(packing_fraction));
        }
        if !(0.0..=MAX_OVERHEAD).contains(&overhead) {
            return Err(TuningError::Overhead(overhead));
        }
        let (bottom, top) = (law.moments_up_to(0.0), law.moments_up_to(law.size_ratio()));
        let mean_volume =
            dimension.unit_sphere() * difference(top, bottom)[usize::from(u8::from(dimension))];
        Ok(Self {
            law,
            dimension,
            number_density: packing_fraction / mean_volume,
            overhead,
            bottom,
            top,
        })
    }

    /// Returns the distribution of radii.
    pub fn law(&self) -> &'a RadiusLaw {
        self.law
    }

    /// Returns the dimension of space.
    pub fn dimension(&self) -> Dimension {
        self.dimension
    }

    /// Returns the overhead factor K.
    pub fn overhead(&self) -> f64 {
        self.overhead
    }

    /// Returns the mean number of cells on level `j` that a sphere of level `h` has to search, b(j, h) (Eq. 16).
    ///
    /// Levels are counted from 0. The result is `None` if the cell sizes are invalid (see [`work`](Self::work)), if there is
    /// no level `j` or `h`, or if no sphere is on level `h`.
    pub fn cells_searched(&self, cell_sizes: &[f64], j: usize, h: usize) -> Option<f64> {
        self.check(cell_sizes).ok()?;
        let searched = *cell_sizes.get(j)?;
        let moments = *self.level_moments(cell_sizes).get(h)?;
        (moments[0] > 0.0).then(|| search_integral(self.dimension, &moments, searched) / moments[0])
    }

    /// Returns the limits `b_lower ≤ b(j, h) ≤ b_upper` that follow from the cell sizes alone (Eqs. 17 and 18, with
    /// s_0 = 2 r_min).
    ///
    /// Levels are counted from 0. The result is `None` if the cell sizes are invalid (see [`work`](Self::work)), or if there
    /// is no level `j` or `h`.
    pub fn cells_searched_bounds(
        &self,
        cell_sizes: &[f64],
        j: usize,
        h: usize,
    ) -> Option<(f64, f64)> {
        self.check(cell_sizes).ok()?;
        let (searched, size) = (*cell_sizes.get(j)?, *cell_sizes.get(h)?);
        let below = if h == 0 { 2.0 } else { cell_sizes[h - 1] };
        let bound = |size: f64| self.dimension.power(2.0 + size / searched);
        Some((bound(below), bound(size)))
    }

    /// Returns the work of each level, finest first. O(L²) for L levels.
    ///
    /// # Errors
    /// If the cell sizes are invalid (see [`work`](Self::work)).
    pub fn levels(
        &self,
        cell_sizes: &[f64],
        search: Search,
    ) -> Result<Vec<LevelWork>, TuningError> {
        self.check(cell_sizes)?;
        Ok(self.work_of_levels(cell_sizes, search))
    }

    /// Returns the total work T/N of Eq. 27. O(L) for L levels.
    ///
    /// # Errors
    /// If the cell sizes do not rise from at least 1 to at most 10³⁰, in units of the smallest radius, or if the largest cell
    /// is smaller than the largest diameter. Equal neighboring sizes are accepted.
    pub fn work(&self, cell_sizes: &[f64], search: Search) -> Result<f64, TuningError> {
        self.check(cell_sizes)?;
        Ok(self.total_work(cell_sizes, search))
    }

    /// Returns the error of cell sizes that do not rise, are out of range, or leave a sphere without a level.
    pub(super) fn check(&self, cell_sizes: &[f64]) -> Result<(), TuningError> {
        let mut smallest = *CELL_SIZE_RANGE.start();
        for (below, &value) in cell_sizes.iter().enumerate() {
            if !(smallest..=*CELL_SIZE_RANGE.end()).contains(&value) {
                let level = below + 1;
                return Err(TuningError::CellSize { level, value });
            }
            smallest = value;
        }
        let largest = cell_sizes.last().copied().unwrap_or(0.0);
        let needed = 2.0 * self.law.size_ratio();
        if largest < needed {
            return Err(TuningError::LargestCellSize { largest, needed });
        }
        Ok(())
    }

    /// Returns the work of each level like [`Self::levels`], for cell sizes that are known to be valid.
    pub(super) fn work_of_levels(&self, cell_sizes: &[f64], search: Search) -> Vec<LevelWork> {
        let moments = self.level_moments(cell_sizes);
        let per_cell: Vec<f64> = cell_sizes
            .iter()
            .zip(&moments)
            .map(|(&size, moments)| self.spheres_per_cell(size, moments[0]))
            .collect();
        let half = self.dimension.half_neighborhood();
        (0..cell_sizes.len())
            .map(|h| {
                let share = moments[h][0];
                let own = ((0.5 + half) * per_cell[h], 1.0 + half);
                let ((own_tests, own_cells), searched) = match search {
                    Search::TopDown => (own, 0..h),
                    Search::BottomUp => (own, h + 1..cell_sizes.len()),
                    Search::EveryLevel => ((0.0, 0.0), 0..cell_sizes.len()),
                };
                let (mut collision_work, mut access_work) = (share * own_tests, share * own_cells);
                for j in searched {
                    let cells = search_integral(self.dimension, &moments[h], cell_sizes[j]);
                    collision_work += per_cell[j] * cells;
                    access_work += cells;
                }
                LevelWork {
                    cell_size: cell_sizes[h],
                    number_share: share,
                    cells_per_particle: (self.number_density * self.dimension.power(cell_sizes[h]))
                        .recip(),
                    particles_per_cell: per_cell[h],
                    collision_work,
                    access_work,
                }
            })
            .collect()
    }

    /// Returns the total work like [`Self::work`], for cell sizes that are known to be valid.
    pub(super) fn total_work(&self, cell_sizes: &[f64], search: Search) -> f64 {
        let mut below = self.bottom;
        let mut work = 0.0;
        for &size in cell_sizes {
            let up_to = self.law.moments_up_to(0.5 * size);
            work += self.work_in_cells(size, below, up_to, search);
            below = up_to;
        }
        work
    }

    /// Returns the part of the total work that is done in the cells of one level. `below` and `up_to` are the moments of all
    /// radii up to the level below and up to this level.
    ///
    /// This sum runs over the searched level instead of the searching spheres. So the work of a level depends on the two
    /// ends of the level alone: Σ_h N_h Σ_{j<h} (m_j + K) b(j, h) = Σ_j (m_j + K) ∫_{r > s_j/2} (2r/s_j + 2)^d f(r) dr.
    pub(super) fn work_in_cells(
        &self,
        cell_size: f64,
        below: Moments,
        up_to: Moments,
        search: Search,
    ) -> f64 {
        let share = up_to[0] - below[0];
        let per_cell = self.spheres_per_cell(cell_size, share);
        let half = self.dimension.half_neighborhood();
        let own = share * ((0.5 + half) * per_cell + self.overhead * (1.0 + half));
        let (own, searchers) = match search {
            Search::TopDown => (own, difference(self.top, up_to)),
            Search::BottomUp => (own, difference(below, self.bottom)),
            Search::EveryLevel => (0.0, difference(self.top, self.bottom)),
        };
        own + (per_cell + self.overhead) * search_integral(self.dimension, &searchers, cell_size)
    }

    /// Returns the number of spheres per cell of size `2b`, if the cells hold the spheres with radii in `(a, b]` (Eq. 11).
    pub(super) fn spheres_per_cell_between(&self, a: f64, b: f64) -> f64 {
        self.spheres_per_cell(2.0 * b, self.law.number_share(a, b))
    }

    /// Returns the number of spheres per cell, if the cells hold the given share of all spheres.
    fn spheres_per_cell(&self, cell_size: f64, number_share: f64) -> f64 {
        self.number_density * self.dimension.power(cell_size) * number_share
    }

    /// Returns the moments of the spheres on each level.
    fn level_moments(&self, cell_sizes: &[f64]) -> Vec<Moments> {
        let mut below = self.bottom;
        cell_sizes
            .iter()
            .map(|&size| {
                let up_to = self.law.moments_up_to(0.5 * size);
                difference(up_to, std::mem::replace(&mut below, up_to))
            })
            .collect()
    }
}

/// Returns `∫ (2r/s + 2)^d f(r) dr` for cell size s, from the moments over the range of the integral.
fn search_integral(dimension: Dimension, moments: &Moments, cell_size: f64) -> f64 {
    let x = cell_size.recip();
    let [m0, m1, m2, m3] = *moments;
    match dimension {
        Dimension::Two => 4.0 * (m0 + x * (2.0 * m1 + x * m2)),
        Dimension::Three => 8.0 * (m0 + x * (3.0 * m1 + x * (3.0 * m2 + x * m3))),
    }
}
