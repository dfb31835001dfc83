//! The constants of the containers.

/// Steps of the frame that a center keeps from a curved wall beyond its radius. Each coordinate is rounded to a whole step, and
/// the diagonal of a step is shorter than two steps.
pub(super) const WALL_STEPS: f64 = 2.0;

// Walls to which a sphere is projected: meshes, and bodies in a container.

/// Number of projections after which a sphere goes to the best position so far.
pub(super) const PROJECTIONS: usize = 12;

/// Share of the radius by which the loop keeps centers farther from walls, so that the projections into a corner end.
pub(super) const WALL_MARGIN: f64 = 1e-7;

/// Random positions that are tried before a sphere goes to the center of the largest sphere inside.
pub(super) const RANDOM_POINTS: usize = 2000;

// The largest sphere.

/// Number of cells along the longest axis at the start of the search.
pub(super) const SEARCH_CELLS: f64 = 8.0;

/// Size of the cells at the end of the search, as a share of the radius found.
pub(super) const SEARCH_END: f64 = 1e-3;

/// Length of the last steps to a larger sphere, as a share of its radius.
pub(super) const LAST_STEP: f64 = 1e-15;

/// Most steps to a larger sphere.
pub(super) const MOST_STEPS: usize = 500;

// Bodies that keep spheres out.

/// Number of cells that the search for the largest sphere between bodies divides at once. Between many equal bodies, many gaps
/// are nearly as wide as the widest one.
pub(super) const BODY_SEARCH_WIDTH: usize = 64;

/// Error of the volume of crossing bodies in each part of the integral over x, as a share of their bounding box. There are seldom more
/// than 100 parts.
pub(super) const VOLUME_ERROR: f64 = 1e-9;

/// Error of the area of a slice in each part of the integral over y, as a share of the rectangle around it. It must be far below
/// `VOLUME_ERROR`, or the integral over x takes it for a rough function.
pub(super) const AREA_ERROR: f64 = 1e-10;

/// `VOLUME_ERROR` where edges of a mesh with many vertices do not divide the integrals: there are many more parts. Around a ring of
/// 24 000 triangles, this took 0.5 s and gave an error of 5·10⁻⁷ of the bounding box.
pub(super) const FINE_MESH_VOLUME_ERROR: f64 = 1e-6;

/// `AREA_ERROR` where edges of a mesh with many vertices do not divide the integrals.
pub(super) const FINE_MESH_AREA_ERROR: f64 = 1e-7;

/// Fixed spheres in a cell of their grid, on average: a query reads about this number.
pub(super) const FIXED_PER_CELL: f64 = 2.0;

/// Largest number of cells along an axis of the grid of fixed spheres: at most 2²⁴ cells.
pub(super) const MOST_FIXED_CELLS: f64 = 256.0;

/// Points at which the share of the container outside of fixed spheres is estimated. The share decides the size of the container at
/// the start, for which an error of 0.01 does not matter.
pub(super) const SAMPLE_POINTS: u32 = 1 << 14;
