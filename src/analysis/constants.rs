//! Constants of the analysis, each with its reason.

/// Tolerances among which an analysis chooses, in units of the smaller diameter: two spheres touch if their gap is at most this share of
/// the smaller diameter. The smallest one suits lattices and results of discrete element simulations, and the largest one quick packings
/// of wide mixtures. Beyond 2 %, second neighbors count as contacts, too.
pub(super) const CONTACT_TOLERANCES: [f64; 8] = [
    1e-4,
    2e-4,
    5e-4,
    1e-3,
    2e-3,
    5e-3,
    1e-2,
    LARGEST_DEFAULT_TOLERANCE,
];

/// See [`CONTACT_TOLERANCES`].
pub(super) const LARGEST_DEFAULT_TOLERANCE: f64 = 2e-2;

/// Least share of the volume in spheres that are no rattlers, at which contacts hold a packing. The share rises from 0 to nearly its final
/// value between two of the [`CONTACT_TOLERANCES`].
pub(super) const HELD_SHARE: f64 = 0.5;

/// Largest number of neighbors of at least half the radius of a sphere, divided by the cube of 1 plus the tolerance. It is eight times
/// the number of such neighbors without overlap. Without this bound, time and memory would grow with the square of the number of spheres at
/// one place.
pub(super) const MOST_NEIGHBORS: f64 = 512.0;

/// Largest accepted tolerance. Beyond it most pairs are second neighbors, and the cost is no longer that of contacts.
pub(super) const MAX_TOLERANCE: f64 = 1.0;

/// Share by which searches are widened, so that rounding hides no pair from the exact test. Rounding errors of a cell number
/// are below 10⁻¹².
pub(super) const PROBE_MARGIN: f64 = 1e-9;

/// Number of spheres that one task searches: enough to hide the cost of a task, few enough to balance threads.
pub(super) const TASK: usize = 256;

/// Number of cells along each axis on the curve along which spheres are sorted: as many as [`z_order`](crate::machine::z_order) tells
/// apart.
pub(super) const CURVE_CELLS: f64 = (1 << 21) as f64;

/// Number of bounding boxes that describe where the spheres of a rank are. Their surface is close to that of the spheres, and a rank can
/// compare its boxes with those of hundreds of ranks.
pub(super) const REGIONS: usize = 256;

/// Gap of two neighbors in the bond order, in units of the smaller diameter. For equal spheres it is the distance 1.4 d,
/// just below the second shell of fcc and hcp at 1.414 d and near the first minimum of g(r) of dense packings.
pub(super) const NEIGHBOR_GAP: f64 = 0.4;

/// Smallest normalized product of q₆ vectors that counts as a crystalline bond. Filion et al. (2010) use 0.7 for hard
/// spheres, ten Wolde et al. (1996) 0.5 for Lennard-Jones particles. In a packing of 4000 equal spheres at φ = 0.641, 8 % of
/// the spheres have 7 products above 0.5, and 0.4 % have 7 above 0.7.
pub(super) const CRYSTAL_BOND: f64 = 0.7;

/// Smallest number of crystalline bonds of a crystal-like sphere (ten Wolde et al. 1996): more than half the 12 neighbors
/// of fcc and hcp.
pub(super) const FEWEST_CRYSTAL_BONDS: usize = 7;

/// Numbers of cells per axis at which [`homogeneity`](fn@super::homogeneity) is usually computed: halves of the container,
/// quarters and eighths separate large-scale segregation from clusters.
pub const HOMOGENEITY_CELLS: [usize; 3] = [2, 4, 8];

/// Group of the spheres that belong to no component of a blend: larger than any position of a component.
pub(super) const WITHOUT_COMPONENT: u32 = u32::MAX;

/// Largest number of cells per axis: two million cells take 34 MB.
pub(super) const MAX_CELLS_PER_AXIS: usize = 128;

/// Smallest number of spheres in a cell whose mean is used. A single sphere tells nothing about mixing.
pub(super) const FEWEST_IN_CELL: f64 = 2.0;

/// Largest number of bins of a radial distribution function: with [`MAX_CLASSES`] a histogram takes at most 11 MB.
pub(super) const MAX_BINS: usize = 10_000;

/// Largest number of size classes of a radial distribution function.
pub(super) const MAX_CLASSES: usize = 16;

/// Largest number of cells for each point of a cell list. More cells are mostly empty and take time and memory.
pub(super) const CELLS_PER_POINT: f64 = 2.0;

/// Cells per largest distance of the radial distribution function. The cells within reach are then a box of 5 cells, whose volume
/// is 3.5 times that of the sphere; smaller cells fit better but hold too few points each.
pub(super) const CELLS_PER_REACH: f64 = 2.0;

/// Largest number of distinct diameters that are a size class each: with more classes, a table by class does not fit on a page.
pub(super) const DISTINCT_CLASSES: usize = 6;

/// Number of classes of more diameters.
pub(super) const GEOMETRIC_CLASSES: usize = 5;

/// Relative difference of radii up to which they count as one diameter: the digits of a file with seven digits.
pub(super) const CLASS_SPREAD: f64 = 1e-6;

/// Steps of the gap distribution per factor of ten.
pub(super) const GAPS_PER_DECADE: usize = 10;

/// Factors of ten of the gap distribution below [`NEIGHBOR_GAP`]. Packings of this library have gaps above 10⁻⁶ diameters.
pub(super) const GAP_DECADES: usize = 6;

/// Largest distance of the radial distribution function of an analysis, in mean diameters. Oscillations of g(r) of random packings
/// are below 2 % beyond.
pub(super) const PAIR_DIAMETERS: f64 = 5.0;

/// Bins of the radial distribution function of an analysis: 40 for each diameter show the split second peak.
pub(super) const PAIR_BINS: usize = 200;

/// Largest number of reference spheres of the radial distribution function of an analysis. Each has about 600 pairs within 5
/// diameters of equal spheres, so that 10⁵ references give a standard error below 0.2 % in a bin beyond two diameters.
pub(super) const REFERENCES: usize = 100_000;

/// Largest number of reference spheres of a partial function: five times fewer, for up to 21 partial functions.
pub(super) const PARTIAL_REFERENCES: usize = 20_000;

/// Smallest number of reference spheres. Fewer spheres give no smooth function.
pub(super) const FEWEST_REFERENCES: usize = 30;

/// Largest number n along each axis up to which the structure factor contains all wave vectors.
pub(super) const SMALL_ORDER: i32 = 6;

/// Wave vectors in each direction of the structure factor beyond [`SMALL_ORDER`].
pub(super) const DIRECTION_STEPS: i32 = 48;

/// Largest wave number of the structure factor, in units of 2π / d: beyond the third peak of dense packings.
pub(super) const LARGEST_WAVE_NUMBER: f64 = 4.0;

/// Largest number of waves along a container. Twice this number is below the largest number of 32 bits.
pub(super) const MOST_WAVES: f64 = 1e9;

/// Largest number of bins of the structure factor: about ten in the width of the first peak.
pub(super) const WAVE_BINS: usize = 120;

/// Smallest number of wave vectors in a bin of the structure factor. Their mean has a relative standard error of 0.3.
pub(super) const FEWEST_VECTORS: usize = 12;

/// Relative difference up to which two wave vectors count as equally long: above rounding, below differences of lengths.
pub(super) const SAME_LENGTH: f64 = 1e-9;

/// Largest wave number of the straight line through small wave numbers, in units of 2π / d. Donev et al. (2005) found S(k) of equal
/// spheres linear up to about there.
pub(super) const FIT_WAVE_NUMBER: f64 = 0.4;

/// Number of spheres in one task of the structure factor. A task keeps 3 500 sums, so it must have many spheres.
pub(super) const WAVE_TASK: usize = 8192;

/// Number of random points in the bounding box. The standard error of the void share is below 0.001.
pub(super) const POINTS: usize = 500_000;

/// Largest accepted number of random points. They take about 6 GB, and the standard error of the void share is below 10⁻⁴.
pub(super) const MOST_POINTS: usize = 100_000_000;

/// Seed of the random points: the first digits of π.
pub(super) const POINT_SEED: u64 = 3_141_592_653;

/// Steps of the pore size distribution.
pub(super) const PORE_STEPS: usize = 100;

/// Distance of the core of a bed from walls, bodies and the free surface, in mean diameters: layers at a wall of a poured bed fade within
/// two diameters (`docs/reports/walls.md`).
pub(super) const BED_CORE: f64 = 3.0;

/// Largest number of columns of the free surface along an axis: all columns then take 64 MB.
pub(super) const MOST_COLUMNS: f64 = 2048.0;

/// Slices of the profile along an axis.
pub(super) const PROFILE_BINS: usize = 100;

/// Bins of the profile from the walls.
pub(super) const WALL_BINS: usize = 100;

/// Extent of the profile from the walls, in largest diameters. Layers are visible up to about four diameters.
pub(super) const WALL_DIAMETERS: f64 = 5.0;

/// Bins of the profile along the radius from random points.
pub(super) const RADIAL_BINS: usize = 25;

/// Shells of the profile along the radius from exact volumes: the layers of equal spheres at a wall are visible in a cylinder of up to
/// a hundred diameters.
pub(super) const RADIAL_SHELLS: usize = 200;

/// Nodes of the quadrature for the volume of a sphere inside a cylinder. The error is below 3 · 10⁻⁷ of the volume of the sphere, for 4000
/// random positions and cylinders of 0.01 to 1000 radii.
pub(super) const SHELL_NODES: usize = 12;

/// Angle below which x − sin x is a series of three terms: their error there is below 10⁻¹³ of the value.
pub(super) const NARROW_ANGLE: f64 = 0.05;

/// Points of the mass curve of spheres without a size distribution: those of a continuous size distribution.
pub(super) const CURVE_POINTS: usize = 33;

/// Largest contact number that the distribution of contact numbers lists: twice the largest number of equal spheres.
pub(super) const LISTED_CONTACTS: usize = 24;

/// Number of points in all spheres of a profile without a formula for their parts. Each bin then has tens of thousands of them.
pub(super) const CUT_POINTS: u64 = 4_000_000;

/// Smallest number of points in a sphere of such a profile: parts of single spheres are rough, but the means over many spheres are not.
pub(super) const FEWEST_CUT_POINTS: u64 = 16;

/// Largest number of points in a sphere of such a profile.
pub(super) const MOST_CUT_POINTS: u64 = 1024;

/// Number of points in the bounding box that give the volumes of bins without a formula. The error was measured in a sphere, whose
/// slices and layers have formulas. It is below 2 % in slices with at least 0.5 % of the points, and below 1 % in such layers.
pub(super) const VOLUME_POINTS: usize = 1 << 21;

/// Largest number of groups of a profile: beyond it, the sums of all tasks take more memory than the spheres.
pub(super) const MAX_GROUPS: usize = 64;

/// Distance within which a cell is first cut by planes, in radii. In dense packings of equal spheres, most corners of a cell are not much
/// farther away.
pub(super) const FIRST_REACH: f64 = 1.5;

/// Factor from one such distance to the next. A larger one visits more spheres beyond the corners of the cell.
pub(super) const REACH_GROWTH: f64 = 1.5;

/// Depth in radii up to which the corner of a cell may be beyond a curved wall. The volume of a cell is too large by less than a tenth of
/// a percent then.
pub(super) const WALL_PRECISION: f64 = 1e-3;

/// Largest number of planes that replace a curved wall in a cell, for spheres far larger than the wall's radius of curvature.
pub(super) const MOST_WALL_PLANES: usize = 256;

/// Fewest values from which the exponent of a power law is determined: its standard error is then about 0.1.
pub(super) const FEWEST_OF_POWER_LAW: usize = 100;

/// Bins of the distribution of forces per factor of ten.
pub(super) const FORCE_BINS_PER_DECADE: usize = 8;

/// Factors of ten of the distribution of forces below [`LARGEST_FORCE`].
pub(super) const FORCE_DECADES: usize = 5;

/// Largest force of the distribution, in units of the mean force. The density decays exponentially beyond the mean.
pub(super) const LARGEST_FORCE: f64 = 10.0;

/// Largest gap of the distribution of small gaps, in units of the smaller diameter.
pub(super) const WIDEST_SMALL_GAP: f64 = 0.1;

/// Factors of ten of the distribution of small gaps below [`WIDEST_SMALL_GAP`].
pub(super) const SMALL_GAP_DECADES: usize = 6;

/// Smallest gap of the power law, in units of the largest gap of a contact that bears force.
pub(super) const RESOLVED_GAPS: f64 = 2.0;

/// Gaps in units of the smaller diameter, whose density is a power law. The contacts of a measured packing of 4000 equal spheres had gaps
/// up to 7 · 10⁻⁵. Its exponent of gaps from 2 · 10⁻⁴ to 0.005, 0.01, 0.02, 0.05 and 0.1 was 0.416, 0.420, 0.416, 0.406 and 0.410.
pub(super) const SMALL_GAPS: std::ops::Range<f64> = 1e-5..0.02;

/// Weak forces in units of the mean force, whose density is a power law. In the same packing, the exponent was 0.32, 0.25 and 0.22 up to 0.1,
/// 0.2 and 0.3 mean forces, from 520, 1200 and 1900 forces.
pub(super) const WEAK_FORCES: std::ops::Range<f64> = 1e-3..0.2;

/// Largest number of bins of the contacts against the distance from the walls.
pub(super) const MOST_CONTACT_BINS: usize = 20;

/// Largest steepness in the search for the exponent of a power law: a hundredth of the range has most of the values.
pub(super) const STEEPEST: f64 = 100.0;

/// Number of halvings in this search, after which the error of the steepness is below 10⁻¹².
pub(super) const HALVINGS: usize = 50;

/// Steepness below which mean and variance of an exponential density are series, whose next terms are below 10⁻⁹.
pub(super) const FLAT: f64 = 1e-2;

/// Distance in radii from the contact with a wall at which this wall is nearer than any other one.
pub(super) const NEAR_CONTACT: f64 = 1e-3;
