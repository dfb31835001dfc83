//! Constants of the jamming stage. Lengths are in mean diameters.

/// The gap of [`JamGap::AUTO`](super::JamGap::AUTO). Gaps and contacts of jammed packings differ clearly from there on.
pub(super) const AUTO_GAP: f64 = 1e-6;

/// The largest gap that can be requested: beyond it, contacts are not told from near pairs.
pub(super) const LARGEST_GAP: f64 = 1e-3;

/// The mean overlaps under the first pressures, with the balance of the forces that each one needs. A high pressure at first relaxes soft
/// motions with few evaluations.
pub(super) const FIRST_OVERLAPS: [(f64, f64); 4] =
    [(3e-3, 0.01), (1e-3, 0.01), (3e-4, 0.01), (1e-4, 0.001)];

/// Factor of the pressure from then on, at least: 0.1 leaves more contacts missing.
pub(super) const REDUCTION: f64 = 0.2;

/// The balance that these pressures need. With 0.003, 5.96 of the 6 contacts of a sphere are found, and with 0.01, 5.90.
pub(super) const BALANCE: f64 = 1e-3;

/// The expected mean overlap under the last pressure, in parts of the requested gap: the largest overlaps are several times the mean.
pub(super) const LAST_OVERLAP: f64 = 0.12;

/// Least mean overlap, in parts of the container: it is known to a hundredth.
pub(super) const LEAST_OVERLAP: f64 = 100.0 * ROUNDING;

/// Largest share of the work that counts as done before the end.
pub(super) const ALMOST: f64 = 0.95;

/// Share of the requested gap that spheres have without overlap in a container that keeps its size.
pub(super) const ROOM: f64 = 0.9;

/// The balance of each sphere under gravity, in that of the mean.
pub(super) const EACH: f64 = 0.6;

/// The balance at the last pressure: in the mean, and of each sphere.
pub(super) const LAST_BALANCE: [f64; 2] = [1e-7, 3e-7];

/// Most times that the pressure falls again because a gap is too large after the last balance.
pub(super) const MOST_REFINEMENTS: u32 = 4;

/// Most times that the pressure falls. Of 48 beds of 60 spheres in a box of 3 × 3 diameters, 4 need more, and with half the displacement, 15.
pub(super) const MOST_TRIES: u32 = 8;

/// Displacement of a sphere along each axis before a further try, in radii, at most.
pub(super) const SHAKE: f64 = 1.0;

/// The mean overlap before a further try. Of 48 beds of 100 spheres in a periodic box of 5 × 5 diameters, none fails, and 11 with 1e-5, a
/// tenth of the displacement and half the tries; under higher loads, layers become flat again.
pub(super) const SHAKEN_OVERLAP: f64 = 3e-4;

/// Evaluations of the forces at a pressure after which less balance is enough. Motions of many spheres may need far more.
pub(super) const USUAL_EVALUATIONS: u64 = 20_000;

/// Most evaluations of the forces at a pressure.
pub(super) const MOST_EVALUATIONS: u64 = 100_000;

/// Most evaluations at the last pressure, times the number of spheres. They suffice for the last balance of some hundred spheres; more
/// spheres would need far more, as motions of many spheres hardly meet resistance.
pub(super) const LAST_WORK: u64 = 50_000_000;

/// Error of a length, in parts of the container: forces balance no better than it changes overlaps.
pub(super) const ROUNDING: f64 = 1e-15;

/// The balance that is accepted when the evaluations are used up.
pub(super) const ENOUGH: f64 = 0.01;

/// Fewest and most secants. More of them leave fewer contacts missing, but take longer than the forces of many spheres.
pub(super) const SECANTS: [usize; 2] = [5, 8];

/// The number of secants times the number of spheres, between these bounds.
pub(super) const SECANT_SPHERES: usize = 30_000;

/// Largest gap of pairs that count for the scale of displacements, in diameters.
pub(super) const SCALED: f64 = 0.05;

/// Resistance to growth, in that of the near pairs. Larger values slow the growth.
pub(super) const GROWTH_STIFFNESS: f64 = 48.0;

/// First step, in scaled displacements by a scaled force of 1.
pub(super) const FIRST_STEP: f64 = 1.0;

/// Displacement from the place of a model after which it is made anew, in roots of the mean overlap and radii: the forces by rotations of
/// pairs are some percent of the others then.
pub(super) const NEAR: f64 = 0.3;

/// Longest displacement in a step, in that displacement.
pub(super) const LONGEST_MOVE: f64 = 0.5;

/// Largest relative growth in a step, in mean overlaps.
pub(super) const LONGEST_GROWTH: f64 = 3.0;

/// Most steps with a model.
pub(super) const MOST_STEPS: u32 = 1000;

/// Most steps with a model where nothing overlaps at its place.
pub(super) const FREE_STEPS: u32 = 20;

/// The balance by a model at which it is made anew, in the requested one.
pub(super) const RELAXED: f64 = 0.7;

/// The balance by a model at which its single precision ends, in that at its place.
pub(super) const PRECISION: f64 = 1e-3;

/// Cells along each axis of the curve along which spheres are sorted.
pub(super) const CURVE_CELLS: f64 = 1024.0;

/// Share of its first slope up to which the energy may rise along a step.
pub(super) const FLATTENING: f64 = 0.9;

/// Most trials along a step.
pub(super) const MOST_TRIALS: u32 = 11;

/// Reach of the lists beyond a sphere, in diameters: this many roots of the overlap, between two bounds.
pub(super) const SKIN: f64 = 2.0;
pub(super) const SKINS: [f64; 2] = [0.01, 0.1];

/// Largest radius that counts for the skin.
pub(super) const LARGEST_SKIN: f64 = 1.0;

/// Displacement after which the lists are made anew, in skins.
pub(super) const STALE: f64 = 0.8;

/// Relative shrinkage of the container after which the lists are made anew, in skins.
pub(super) const SHRINKAGE: f64 = 0.1;

/// Distance of probes that look for further faces of a mesh, in the largest radius.
pub(super) const PROBE: f64 = 0.5;

/// Cosine of the angle between normals from which on they belong to one face.
pub(super) const SAME_FACE: f64 = 1.0 - 1e-6;

/// Most rounds that remove the last rounding error.
pub(super) const MOST_ROUNDS: u32 = 30;
