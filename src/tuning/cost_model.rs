//! What a contact search in a hierarchical grid costs (Krijgsman, Ogarko & Luding 2014, Eqs. 6–27).

use std::{f64::consts::PI, fmt, str::FromStr};

use serde::{Deserialize, Serialize};

use super::{
    TuningError,
    radius_law::{Moments, RadiusLaw, difference},
};

/// The largest overhead factor: work stays a finite number up to it, whatever the sizes.
pub const MAX_OVERHEAD: f64 = 1e15;

/// The dimension of space, d.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "u8", try_from = "u8")]
pub enum Dimension {
    /// Discs in the plane.
    Two,
    /// Spheres in space.
    #[default]
    Three,
}

impl From<Dimension> for u8 {
    fn from(dimension: Dimension) -> Self {
        match dimension {
            Dimension::Two => 2,
            Dimension::Three => 3,
        }
    }
}

impl TryFrom<u8> for Dimension {
    type Error = TuningError;

    fn try_from(number: u8) -> Result<Self, TuningError> {
        match number {
            2 => Ok(Self::Two),
            3 => Ok(Self::Three),
            _ => Err(TuningError::Dimension(number)),
        }
    }
}

impl Dimension {
    /// The volume of the unit sphere, V_d.
    pub fn unit_sphere(self) -> f64 {
        match self {
            Self::Two => PI,
            Self::Three => 4.0 / 3.0 * PI,
        }
    }

    /// Half the cells around a cell, n_c = (3^d − 1)/2.
    pub fn half_neighbourhood(self) -> f64 {
        match self {
            Self::Two => 4.0,
            Self::Three => 13.0,
        }
    }

    fn power(self, x: f64) -> f64 {
        x.powi(i32::from(u8::from(self)))
    }

    /// `∫ (2r/s + 2)^d f(r) dr` from the moments over the range.
    fn search_integral(self, moments: &Moments, cell_size: f64) -> f64 {
        let x = cell_size.recip();
        let [m0, m1, m2, m3] = *moments;
        match self {
            Self::Two => 4.0 * (m0 + x * (2.0 * m1 + x * m2)),
            Self::Three => 8.0 * (m0 + x * (3.0 * m1 + x * (3.0 * m2 + x * m3))),
        }
    }
}

/// On which levels a sphere looks for contacts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Search {
    /// All pairs once: half the surrounding cells on its own level, and all finer levels.
    #[default]
    TopDown,
    /// All pairs once: half the surrounding cells on its own level, and all coarser levels.
    BottomUp,
    /// All neighbours of every sphere, as an index is asked: the search box on each level, its own included.
    EveryLevel,
}

impl Search {
    /// Every search, in the order in which they are listed to users.
    pub const ALL: [Self; 3] = [Self::TopDown, Self::BottomUp, Self::EveryLevel];

    /// The name on the command line and in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::TopDown => "top-down",
            Self::BottomUp => "bottom-up",
            Self::EveryLevel => "every-level",
        }
    }
}

impl fmt::Display for Search {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A name that is no search.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is no search; choose top-down, bottom-up or every-level")]
pub struct ParseSearchError(String);

impl FromStr for Search {
    type Err = ParseSearchError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|search| search.name() == text)
            .ok_or_else(|| ParseSearchError(text.to_owned()))
    }
}

/// Work on one level of the grid, per sphere of the whole system and in units of one overlap test.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LevelWork {
    /// Side of the cells, s_h, in units of the smallest radius.
    pub cell_size: f64,
    /// Share of the spheres on this level, N_h/N (Eq. 9).
    pub number_share: f64,
    /// Cells of this level per sphere of the system, N^c_h/N (Eq. 10).
    pub cells_per_particle: f64,
    /// Spheres of this level per cell, m_h (Eq. 11).
    pub particles_per_cell: f64,
    /// Overlap tests that spheres of this level make, T^cd_h/N (Eqs. 23 and 25).
    pub collision_work: f64,
    /// Cells that spheres of this level open, T^ca_h/N (Eqs. 24 and 26), not yet multiplied by K.
    pub access_work: f64,
}

/// The cost of finding contacts among homogeneously placed spheres, per sphere.
///
/// The unit of work is one overlap test, that of length the smallest radius. Positions are taken as
/// independent and the system as large, so that nothing depends on the number of spheres.
#[derive(Clone, Copy, Debug)]
pub struct CostModel<'a> {
    law: &'a RadiusLaw,
    dimension: Dimension,
    /// Spheres per volume, ν/V_p.
    number_density: f64,
    overhead: f64,
    bottom: Moments,
    top: Moments,
}

impl<'a> CostModel<'a> {
    /// The model for spheres of the given sizes that fill the share `packing_fraction` (ν) of space, when opening a cell
    /// costs `overhead` (K) times as much as an overlap test.
    ///
    /// The packing fraction may exceed 1, as it does for radii that were enlarged by a Verlet distance.
    ///
    /// # Errors
    /// When the packing fraction is not positive and finite, or the overhead factor not from 0 to 10¹⁵.
    pub fn new(
        law: &'a RadiusLaw,
        dimension: Dimension,
        packing_fraction: f64,
        overhead: f64,
    ) -> Result<Self, TuningError> {
        if !(packing_fraction > 0.0 && packing_fraction.is_finite()) {
            return Err(TuningError::PackingFraction(packing_fraction));
        }
        if !(0.0..=MAX_OVERHEAD).contains(&overhead) {
            return Err(TuningError::Overhead(overhead));
        }
        let (bottom, top) = (law.below(0.0), law.below(law.size_ratio()));
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

    /// The distribution of radii.
    pub fn law(&self) -> &'a RadiusLaw {
        self.law
    }

    /// The dimension of space.
    pub fn dimension(&self) -> Dimension {
        self.dimension
    }

    /// The overhead factor K.
    pub fn overhead(&self) -> f64 {
        self.overhead
    }

    /// Spheres with radii in `(a, b]` per cell of size `2b` (Eq. 11).
    pub(super) fn particles_per_cell(&self, a: f64, b: f64) -> f64 {
        self.filling(2.0 * b, self.law.number_share(a, b))
    }

    fn filling(&self, cell_size: f64, number_share: f64) -> f64 {
        self.number_density * self.dimension.power(cell_size) * number_share
    }

    /// The mean number of cells of size `cell_sizes[j]` that a sphere of level `h` has to search, b(j, h) (Eq. 16).
    ///
    /// Levels are counted from 0. `None` when no sphere is on level `h`.
    ///
    /// # Panics
    /// When `cell_sizes` has no element `j` or `h`.
    pub fn cells_searched(&self, cell_sizes: &[f64], j: usize, h: usize) -> Option<f64> {
        let moments = difference(
            self.law.below(0.5 * cell_sizes[h]),
            self.below_level(cell_sizes, h),
        );
        (moments[0] > 0.0)
            .then(|| self.dimension.search_integral(&moments, cell_sizes[j]) / moments[0])
    }

    /// The limits `b_lower ≤ b(j, h) ≤ b_upper` that follow from the cell sizes alone (Eqs. 17 and 18), with s_0 = 2 r_min.
    ///
    /// # Panics
    /// When `cell_sizes` has no element `j` or `h`.
    pub fn cells_searched_bounds(&self, cell_sizes: &[f64], j: usize, h: usize) -> (f64, f64) {
        let below = if h == 0 { 2.0 } else { cell_sizes[h - 1] };
        let bound = |size: f64| self.dimension.power(2.0 + size / cell_sizes[j]);
        (bound(below), bound(cell_sizes[h]))
    }

    /// The work of each level, finest first.
    ///
    /// `cell_sizes` rise, and the last is at least the largest diameter. O(L²) for L levels.
    pub fn levels(&self, cell_sizes: &[f64], search: Search) -> Vec<LevelWork> {
        let moments: Vec<Moments> = (0..cell_sizes.len())
            .map(|h| {
                difference(
                    self.law.below(0.5 * cell_sizes[h]),
                    self.below_level(cell_sizes, h),
                )
            })
            .collect();
        let filling: Vec<f64> = cell_sizes
            .iter()
            .zip(&moments)
            .map(|(&size, moments)| self.filling(size, moments[0]))
            .collect();
        let half = self.dimension.half_neighbourhood();
        (0..cell_sizes.len())
            .map(|h| {
                let share = moments[h][0];
                let (own_tests, own_cells, others) = match search {
                    Search::TopDown => ((0.5 + half) * filling[h], 1.0 + half, 0..h),
                    Search::BottomUp => (
                        (0.5 + half) * filling[h],
                        1.0 + half,
                        h + 1..cell_sizes.len(),
                    ),
                    Search::EveryLevel => (0.0, 0.0, 0..cell_sizes.len()),
                };
                let (mut collision_work, mut access_work) = (share * own_tests, share * own_cells);
                for j in others {
                    let cells = self.dimension.search_integral(&moments[h], cell_sizes[j]);
                    collision_work += filling[j] * cells;
                    access_work += cells;
                }
                LevelWork {
                    cell_size: cell_sizes[h],
                    number_share: share,
                    cells_per_particle: (self.number_density * self.dimension.power(cell_sizes[h]))
                        .recip(),
                    particles_per_cell: filling[h],
                    collision_work,
                    access_work,
                }
            })
            .collect()
    }

    /// The total work T/N of Eq. 27. O(L) for L levels.
    ///
    /// `cell_sizes` rise, and the last is at least the largest diameter.
    pub fn work(&self, cell_sizes: &[f64], search: Search) -> f64 {
        let mut below = self.bottom;
        let mut work = 0.0;
        for &size in cell_sizes {
            let up_to = self.law.below(0.5 * size);
            work += self.work_of_cells(size, below, up_to, search);
            below = up_to;
        }
        work
    }

    /// The part of the total work that is spent in the cells of one level, given the moments below the level and up to its end.
    ///
    /// Summed over the searched level rather than over the searching spheres, the work of a level depends on its own two
    /// ends alone: Σ_h N_h Σ_{j<h} (m_j + K) b(j, h) = Σ_j (m_j + K) ∫_{r > s_j/2} (2r/s_j + 2)^d f(r) dr.
    pub(super) fn work_of_cells(
        &self,
        cell_size: f64,
        below: Moments,
        up_to: Moments,
        search: Search,
    ) -> f64 {
        let share = up_to[0] - below[0];
        let filling = self.filling(cell_size, share);
        let half = self.dimension.half_neighbourhood();
        let own = share * ((0.5 + half) * filling + self.overhead * (1.0 + half));
        let (own, searchers) = match search {
            Search::TopDown => (own, difference(self.top, up_to)),
            Search::BottomUp => (own, difference(below, self.bottom)),
            Search::EveryLevel => (0.0, difference(self.top, self.bottom)),
        };
        own + (filling + self.overhead) * self.dimension.search_integral(&searchers, cell_size)
    }

    fn below_level(&self, cell_sizes: &[f64], h: usize) -> Moments {
        match h {
            0 => self.bottom,
            _ => self.law.below(0.5 * cell_sizes[h - 1]),
        }
    }
}
