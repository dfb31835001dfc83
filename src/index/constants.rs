//! The constants of the indexes, each with its reason.
//!
//! No index changes a packing, so that each constant trades time and memory only. Where no measurement is recorded, the
//! comment names the trade-off.

/// Ids below this number are accepted however few spheres an index holds: a table of ids then takes at most 4 MiB.
pub(super) const ID_TABLE_BASE: usize = 1 << 20;

/// Each stored sphere allows ids larger by this number, hence at most 256 bytes of the table of ids.
///
/// Callers number their spheres nearly without gaps, so that the limit stops mistakes only.
pub(super) const ID_TABLE_PER_SPHERE: usize = 64;

/// Tables that are full grow by one part in this number: doubling would waste up to half of the memory, smaller parts
/// would copy the table more often.
pub(super) const GROWTH_PART: usize = 8;

/// An index needs a rebuild when it holds this many times the spheres of its last build: its cells or levels are then
/// twice as full as intended. Rebuilding at each doubling keeps the cost per insertion constant.
pub(super) const REBUILD_GROWTH: usize = 2;

/// Spheres that an index may gain beyond [`REBUILD_GROWTH`] before it needs a rebuild, so that a nearly empty index is
/// not rebuilt at every insertion.
pub(super) const REBUILD_SLACK_SPHERES: usize = 64;

/// An index needs a rebuild when its table of ids has this many slots per sphere: a full table has at most 1.5.
pub(super) const SLOTS_PER_SPHERE: usize = 2;

/// Slots or nodes that an index may hold beyond its limit per sphere before it needs a rebuild: a few kilobytes are not
/// worth one.
pub(super) const REBUILD_SLACK_SLOTS: usize = 1024;

/// Probes are enlarged by this share of the container and of their own radius. Rounding in the boundaries of cells and
/// nodes is far smaller, a few times 2⁻⁵³.
pub(super) const PROBE_MARGIN: f64 = 1e-12;

/// Greatest number of cells along one axis: the number of a cell then has at most 60 bits.
pub(super) const MAX_CELLS_PER_AXIS: f64 = (1 << 20) as f64;

/// Cells are kept in an array if there are at most this many per sphere, because an empty cell takes 8 bytes and a
/// look-up in a hash table takes longer than one in an array.
pub(super) const ARRAY_CELLS_PER_SPHERE: u64 = 2;

/// Cells that are kept in an array however few spheres there are: 512 bytes.
pub(super) const ARRAY_CELLS_BASE: u64 = 64;

/// Factor by which the grid widens its cells until they are few enough for an array: a small factor tries more sizes, a
/// large one may leave cells wider than needed.
pub(super) const CELL_WIDENING: f64 = 1.25;

/// Cost K of opening a cell of the hierarchical grid, in overlap tests, for which its levels are tuned.
///
/// The papers found 0.2 to 0.45 for their cells. Here a cell is clipped against the probe and may have to be looked up
/// in a hash table, while the spheres of one cell lie side by side in memory: fits to timed queries give 2 to 4.
pub(super) const CELL_OPENING_COST: f64 = 2.0;

/// Expansion factor of the standard loose octree, the paper's choice and the best by experience.
pub(super) const STANDARD_EXPANSION: f64 = 2.0;

/// A node accepts a sphere that crosses its outer boundary by at most this share of its side: more than the rounding of
/// the side and the center, less than any distance that matters.
pub(super) const FIT_TOLERANCE: f64 = 1e-9;

/// Deepest level of an octree. A node is then 2⁻¹⁹ of the longest side, and the three coordinates of a node and its
/// level fit into a key of 62 bits.
pub(super) const MAX_LEVEL: u32 = 19;

/// Nodes per sphere of a deep octree, at most: levels below would add nodes with few spheres each.
pub(super) const DEEP_NODES_PER_SPHERE: usize = 3;

/// Spheres per node of a shallow octree, at least: to open a node takes as long as to test several spheres.
pub(super) const SHALLOW_SPHERES_PER_NODE: usize = 10;

/// Nodes that an octree may have however few spheres it holds: one level of 64 nodes.
pub(super) const BASE_NODES: usize = 64;

/// An octree needs a rebuild when it has this many nodes per sphere: twice the number of a deep octree when built.
pub(super) const REBUILD_NODES_PER_SPHERE: usize = 2 * DEEP_NODES_PER_SPHERE;

/// Spheres in one job of a parallel build: enough to hide the cost of a job, few enough to share out 10⁵ spheres.
pub(super) const SPHERES_PER_JOB: usize = 1 << 14;

/// Spheres in one region of an octree, about: regions are built and changed on several threads, of which each takes a few, and each
/// takes some hundred bytes.
pub(super) const SPHERES_PER_REGION: u64 = 1 << 12;

/// Relocations that one task checks at least: enough to hide the cost of a task.
pub(super) const RELOCATIONS_PER_TASK: usize = 512;

/// Cache lines of a node's ids that are fetched ahead, at most: 256 ids. Nodes with more ids are read sequentially, which
/// the processor recognizes by itself.
pub(super) const PREFETCHED_LINES: usize = 16;

/// Nodes whose ids are being fetched into the cache while earlier nodes are reported: more would displace each other from
/// the cache, fewer would arrive too late.
pub(super) const PREFETCHED_NODES: usize = 4;

/// The k-d tree shifts each point by up to this share of the container, so that no two points agree in a coordinate.
/// Searches widen by the same length, which must be small compared with a radius.
#[cfg(feature = "kd-tree")]
pub(super) const POINT_SHIFT: f64 = 1.0 / (1 << 20) as f64;

/// Ids that the k-d tree collects before it reports them: one call for 32 ids costs little per id.
#[cfg(feature = "kd-tree")]
pub(super) const REPORTED_IDS: usize = 32;

/// A tree of the k-d tree is built again after this many changes per sphere, because removals leave leaves half empty.
#[cfg(feature = "kd-tree")]
pub(super) const CHANGES_PER_SPHERE: usize = 8;

/// Changes that a tree of the k-d tree accepts however few spheres it holds.
#[cfg(feature = "kd-tree")]
pub(super) const CHANGES_BASE: usize = 256;

/// A periodic axis has separate images only for probes that reach less than this share of it: just below one half, where
/// rounding cannot make two images overlap.
#[cfg(feature = "kd-tree")]
pub(super) const SEPARATE_IMAGES_REACH: f64 = 0.499;

/// Points in a leaf of `kiddo`, for the estimate of memory.
#[cfg(feature = "kd-tree")]
pub(super) const LEAF_POINTS: usize = 32;
