//! The constants of the broad phases, each with its reason.

/// Cells are larger than requested by this share. It exceeds the rounding of coordinates, so that spheres closer than the
/// requested size always lie in the same or in adjacent cells.
pub(super) const CELL_MARGIN: f64 = 2e-6;

/// Cell coordinates are clamped to this magnitude, so that the coordinates of neighbors do not overflow. Clamping never
/// separates adjacent cells: spheres farther away share cells, which costs time but misses no pair.
pub(super) const MAX_COORDINATE: f64 = (1 << 29) as f64;

/// A cell table has one entry per cell if there are at most this many cells per sphere.
///
/// A search takes longer where cells share entries. Grids tuned for the K of the papers have up to about this many cells
/// per sphere.
pub(super) const DENSE_CELLS_PER_SPHERE: u64 = 8;

/// Number of spheres up to which a row of cells counts as short.
///
/// A loop over each short row would end after none, one or a few spheres, which the processor cannot predict. More spheres
/// per row would be copied for little gain.
pub(super) const SHORT_ROW: u32 = 8;

/// Number of spheres that are collected from short rows before they are tested together: at least 16 rows, in 512 bytes.
/// A search among spheres of similar size then rarely interrupts its loop over rows.
pub(super) const COLLECTED_SPHERES: usize = 128;

/// NBS may have this many layers, rows and columns however few spheres there are; its arrays then take about 2 MB.
pub(super) const MIN_LAYERS: usize = 1 << 16;

/// Layers, rows and columns of NBS per sphere, at most: its memory is then proportional to the number of spheres.
pub(super) const LAYERS_PER_SPHERE: usize = 4;

/// The box of an indexed broad phase is wider than the snapshot by this share on each side: a wide margin delays the moment when a
/// sphere leaves the box and the index must be built again, a narrow one keeps the nodes of the octrees small.
pub(super) const BOX_MARGIN: f64 = 0.25;

/// Probes of an indexed broad phase are enlarged by this number of rounding errors of the coordinates. The shift into the
/// box rounds both centers by half an error along each axis, which changes a distance by less than two errors; the rest is
/// for the arithmetic of the index.
pub(super) const ROUNDING_ERRORS: f64 = 8.0;
