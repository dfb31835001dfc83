//! Constants of the analysis, each with its reason.

/// Smallest gap between two rods, in lengths of the shorter rod. Farr & Groot (2009) fitted it to equal spheres.
pub(super) const FREE_VOLUME: f64 = 0.7654;

/// Number of rods that represent the distribution of rod lengths. It trades time for accuracy: half or twice the number
/// changes the prediction by less than 10⁻⁶ (`half_and_twice_the_rods_change_less_than_a_millionth`).
pub(super) const RODS: usize = 100_000;

/// Tolerance of a contact, in units of the smaller diameter: two spheres touch if their gap is at most this share of the
/// smaller diameter.
///
/// It is strict: it finds contacts of packings whose spheres touch almost exactly, such as lattices and results of discrete
/// element simulations. Packings of this library keep wider gaps. For 4000 equal spheres in
/// a periodic cube:
///
/// | tolerance | mean, normal effort | rattlers | mean, thorough effort | rattlers |
/// |---|---|---|---|---|
/// | 10⁻⁴ | 2.68 | 100 % | 4.49 | 100 % |
/// | 10⁻³ | 4.55 | 100 % | 5.42 | 12 % |
/// | 3 · 10⁻³ | 5.25 | 25 % | 5.88 | 6 % |
/// | 10⁻² | 6.12 | 4 % | 6.50 | 2 % |
///
/// To count rattlers in them, choose a tolerance between 10⁻³ and 10⁻², and state it with the result.
pub const CONTACT_TOLERANCE: f64 = 1e-4;

/// Largest accepted tolerance. Beyond it most pairs are second neighbours, and the cost is no longer that of contacts.
pub(super) const MAX_TOLERANCE: f64 = 1.0;

/// Share by which probes are enlarged, so that rounding hides no pair from the exact test. It exceeds the margin that the
/// contract of the index states, 10⁻¹².
pub(super) const PROBE_MARGIN: f64 = 1e-9;

/// Number of spheres that one task searches: enough to hide the cost of a task, few enough to balance threads.
pub(super) const TASK: usize = 256;

/// A sphere with fewer contacts cannot be held by them: in three dimensions mechanical stability needs d + 1 = 4 (O'Hern
/// et al. 2003).
pub(super) const FEWEST_SUPPORTS: u32 = 4;

/// Gap of two neighbours in the bond order, in units of the smaller diameter. For equal spheres it is the distance 1.4 d,
/// just below the second shell of fcc and hcp at 1.414 d and near the first minimum of g(r) of dense packings.
pub(super) const NEIGHBOUR_GAP: f64 = 0.4;

/// Smallest normalised product of q₆ vectors that counts as a crystalline bond. Filion et al. (2010) use 0.7 for hard
/// spheres, ten Wolde et al. (1996) 0.5 for Lennard-Jones particles. In a packing of 4000 equal spheres at φ = 0.641, 8 % of
/// the spheres have 7 products above 0.5, and 0.4 % have 7 above 0.7.
pub(super) const CRYSTAL_BOND: f64 = 0.7;

/// Smallest number of crystalline bonds of a crystal-like sphere (ten Wolde et al. 1996): more than half the 12 neighbours
/// of fcc and hcp.
pub(super) const FEWEST_CRYSTAL_BONDS: usize = 7;

/// Numbers of cells per axis at which [`homogeneity`](fn@super::homogeneity) is usually computed: halves of the container,
/// quarters and eighths separate large-scale segregation from clusters.
pub const HOMOGENEITY_CELLS: [usize; 3] = [2, 4, 8];

/// Largest number of cells per axis: two million cells take 34 MB.
pub(super) const MAX_CELLS_PER_AXIS: usize = 128;

/// Smallest number of spheres in a cell whose mean is used. A single sphere tells nothing about mixing.
pub(super) const FEWEST_IN_CELL: usize = 2;

/// Largest number of bins of a radial distribution function: with [`MAX_CLASSES`] a histogram takes at most 11 MB.
pub(super) const MAX_BINS: usize = 10_000;

/// Largest number of size classes of a radial distribution function.
pub(super) const MAX_CLASSES: usize = 16;
