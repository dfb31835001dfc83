//! The constants of meshes.

/// Most triangles of a mesh: their numbers, and those of their corners, are 32-bit numbers.
pub(super) const MOST_TRIANGLES: usize = 1 << 30;

/// Range of the lengths of a mesh. Products of three lengths, and the exact predicates on them, stay far from the ends of f64, and the distance field is in f32.
pub(super) const LENGTHS: std::ops::RangeInclusive<f64> = 1e-30..=1e30;

/// Distance along each axis at which corners in a file count as one vertex, as a share of the longest length: twice the rounding
/// of single precision, in which most files are written.
pub(super) const WELD: f64 = 2.4e-7;

/// Distance at which vertices at open edges count as one, and from an edge at which a vertex counts as on it, as a share of the diagonal
/// of the bounding box: twice the rounding of six significant digits, with which many programs write text, in the worst case.
pub(super) const CRACK: f64 = 1e-5;

/// Distance of its vertices from a plane at which an opening counts as planar, as a share of its largest extent from its center. The cap
/// has the vertices of the opening, so that the surface is closed whatever this distance is.
pub(super) const PLANAR: f64 = 1e-4;

/// Area of a triangle, as a share of the square of its longest edge, below which its plane is too uncertain to reject points by
/// the distance to it.
pub(super) const SLIVER: f64 = 1e-8;

/// Sine of the angle by which the surface bends at an edge, negative at a reentrant edge, above which the edge counts as flat or
/// convex. The margin of prisms covers such a bend.
pub(super) const REENTRANT: f64 = -1e-11;

/// Angle in radians above which the triangles around a corner do not limit the directions from it.
pub(super) const MOST_BEND: f64 = 1.2;

/// Share of the height of a triangle by which the foot of a perpendicular may lie beside it. Rounding must not let a foot fall
/// between two triangles.
pub(super) const PRISM_MARGIN: f64 = 1e-7;

/// Share of the longest length by which the foot of a perpendicular may lie beside a face.
pub(super) const FOOT_MARGIN: f64 = 1e-10;

// The distance field.

/// Number of the smallest cells of the distance field.
pub(super) const CELLS: f64 = 1_048_576.0;

/// Cells along each axis in a cell of the next level.
pub(super) const COARSENING: usize = 4;

/// Most cells along an axis.
pub(super) const MOST_ALONG_AXIS: f64 = 1024.0;

/// Distance from the surface to which the cells of a level list the triangles, in sides of a cell.
pub(super) const DEPTH: f64 = 4.0;

/// Most planes near a cell that tell on which side of the surface its points lie.
pub(super) const MOST_PLANES: usize = 16;

/// Number of triangles above which a search in the tree is faster than a list.
pub(super) const LONG_LIST: usize = 512;

/// Most numbers in the lists of all cells, which are numbered in 31 bits. Cells beyond them search the tree.
pub(super) const MOST_NUMBERS: usize = 1 << 30;

/// Distance from a plane, as a share of the longest length, within which corners count as corners in this plane. The error of a
/// projection is far below the rounding of a position to a fraction of 32 bits.
pub(super) const IN_PLANE: f64 = 1e-13;

/// Error of a distance from a triangle in single precision, as a share of the longest length of the mesh. Each function of a point is
/// a sum of four products, whose terms are at most as large as the bounding box and rounded to 24 bits.
pub(super) const OUTLINE_ERROR: f64 = 2e-6;

// The largest sphere.

/// Number of cells that the search for the largest sphere divides at once.
pub(super) const SEARCH_WIDTH: usize = 128;

/// Most triangles of a mesh from whose surface spheres grow into the body.
pub(super) const MOST_SEEDS: usize = 500;

/// Number of grown spheres that move to larger ones.
pub(super) const CLIMBED: usize = 8;

/// Most steps in which a tangent sphere shrinks until no surface is inside. Near a smooth surface it needs about ten.
pub(super) const MOST_SHRINKS: usize = 64;

/// Share of the radius by which a surface may enter a tangent sphere.
pub(super) const TANGENT_MARGIN: f64 = 1e-9;

/// Most linear programs for one sphere that moves to larger ones.
pub(super) const MOST_CLIMBS: usize = 300;

/// Most steps along a segment on which all spheres are inside.
pub(super) const MOST_TRACED: usize = 1000;

/// Share of the radius below which a further step to a larger sphere is not worth its time.
pub(super) const CLIMB_END: f64 = 1e-9;

/// Most vertices of a mesh whose edges divide the integrals of volumes, which are exact then. With more vertices, divisions where the
/// integrals need them take less time.
pub(super) const MOST_BREAKS: usize = 1000;
