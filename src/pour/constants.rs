//! Constants of depositions, with their reasons.

/// Increase of radii during a deposition, as a share: touching spheres end with a gap that no rounding closes, far below the tolerance of
/// contacts.
pub(super) const SLACK: f64 = 1e-9;

/// Increase of radii for the rounding of coordinates, in lengths of the vessel: a hundred units in the last place.
pub(super) const ROUNDING: f64 = 2e-14;

/// Distance, in radii, of the points around a sphere from which further faces of a mesh are found.
pub(super) const PROBE: f64 = 1e-3;

/// Number of spheres in succession that find no position, after which a vessel is full: less than about a hundredth of its surface then takes
/// a sphere.
pub(super) const MOST_REFUSED: usize = 100;

/// Number of spheres of a step.
pub(super) const BATCH: usize = 256;

/// Number of random points from which a place above the bed is chosen.
pub(super) const STARTS: usize = 10_000;

/// Number of further points, at least a radius from the sides of the bounding box.
pub(super) const MIDDLE_STARTS: usize = 100;

/// Diameter of an outlet in which centers start, in diameters of the largest sphere.
pub(super) const OUTLET: f64 = 4.0;

/// Packing fraction to which diameters are drawn for a height: above that of any poured bed of the usual sizes. The spheres that are not
/// needed are dropped.
pub(super) const DRAWN_FRACTION: f64 = 0.85;

/// Distance, in radii, of the places from which a sphere falls again in a tap: in a periodic box of 12 diameters, equal spheres with 16 falls
/// reach φ 0.603 with 4 radii, 0.599 with 2, and 0.602 with the whole box.
pub(super) const TAP: f64 = 4.0;

/// Number of taps after which the number of falls of a sphere no longer doubles: 64 falls give φ 0.605, and 16 give 0.602.
pub(super) const MOST_DOUBLINGS: u64 = 6;

/// Number of taps in succession without a denser bed, after which a fraction counts as out of reach.
pub(super) const MOST_VAIN_TAPS: u64 = 3;

/// Increase of the packing fraction from one rearrangement of a bed to the next. Spheres that fall from rearranged places lose 0.01 of it with
/// a stop angle of 40°, and 0.02 with 30°.
pub(super) const HIGHER: f64 = 0.005;

/// Increase of the packing fraction by a rearrangement, below which no higher goals are tried: else, many would follow with ever smaller
/// gains. With this one, 2000 equal spheres with a stop angle of 40° end at φ 0.624 to 0.626 after 16 rearrangements towards 0.635 and 0.66.
pub(super) const LEAST_GAIN: f64 = 0.2 * HIGHER;

/// Share of the requested packing fraction below which a rearrangement goes half the way. From 0.30, the loop misses 0.60 by 0.007.
pub(super) const LOOSE: f64 = 0.9;

/// Largest number of spheres: all of them have a number of 32 bits, with room for fixed spheres and for walls.
pub(super) const MOST_SPHERES: usize = u32::MAX as usize / 4;

/// Number of spheres of the sample from which the mean density of a blend follows.
pub(super) const DENSITY_SAMPLE: usize = 100_000;

/// Number of spheres of a trial, from which the time of a deposition is estimated.
pub(super) const TRIAL: f64 = 5000.0;

/// Packing fraction from which the width of the trial follows.
pub(super) const TRIAL_FRACTION: f64 = 0.6;

/// Memory of the program without spheres, in bytes.
pub(super) const PROCESS_BYTES: f64 = 2e7;

/// Memory of a sphere at the peak, in bytes: a million take 478 MB in all, and 489 MB with a size ratio of 50.
pub(super) const SPHERE_BYTES: f64 = 460.0;

/// Memory of a sphere in a checkpoint that is written, in bytes: a million take 107 MB.
pub(super) const CHECKPOINT_BYTES: f64 = 110.0;
