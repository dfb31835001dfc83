//! Constants of the packing loop, each with the measurement that selected it.
//!
//! `cargo run --release -p reports -- choices` halves and doubles every choice below and writes the effect on packing fraction
//! and time to `docs/reports/choices.md`. The limits at the end follow from arithmetic and are not varied.

use std::f32::consts::SQRT_2;

// Choices: start and growth.

/// Packing fraction of the random placement, as a multiple of the estimated final packing fraction. The structure is decided
/// while the spheres are pressed against each other: a start just above the final packing fraction packs looser.
pub(super) const START_EXCESS: f64 = 1.15;

/// Like [`START_EXCESS`], as a multiple of the packing fraction at which the large spheres of a mixture fill the container.
/// 400 000 spheres of ratio 60, a quarter of the mass in the small ones, reach 0.674 with 1.06 and 0.684 with 1.10. With 1.13 they
/// take more than twice the time.
pub(super) const MIXTURE_EXCESS: f64 = 1.1;

/// Spheres of at least this share of the largest radius are the largest spheres of a mixture, if a wide gap separates them from
/// the others.
pub(super) const LARGEST: f64 = 0.25;

/// A wide gap in the sizes: the least ratio of a radius to the next smaller one.
pub(super) const WIDE_GAP: f64 = 4.0;

/// An extreme gap in the sizes. Up to ratio 60, mixtures take at most 4 times the time of equal spheres without further measures.
pub(super) const EXTREME_GAP: f64 = 64.0;

/// Largest spheres up to this number are packed alone to find the container that they need. Their packing fraction varies from
/// 0.47 to 0.73 with their number; that of more spheres is near the estimate.
pub(super) const FEW: usize = 32;

/// Largest relative growth of the container's lengths in one sweep, at normal effort.
pub(super) const NORMAL_GROWTH: f64 = 2e-4;

/// One whole step of effort divides the growth by this factor.
pub(super) const GROWTH_STEP: f64 = 5.0;

/// Share of its overlaps that a relocation clears for a sphere; above 1 is over-relaxation. Relaxation 1.8 needed far fewer
/// sweeps than 1 for the same packing fraction (10 000 equal spheres).
pub(super) const RELAXATION: f32 = 1.95;

/// Mean relative overlap below which growth slows down, in proportion to the square root of the overlap.
pub(super) const TAPER: f64 = 0.03;

/// Largest relative overlap at which the loop hands over to the exact last step, at normal effort.
pub(super) const NORMAL_TOLERANCE: f64 = 1e-4;

/// One whole step of effort divides the square of the tolerance by this factor.
pub(super) const TOLERANCE_STEP: f64 = 10.0;

/// Sweeps without progress after which a requested packing fraction counts as out of reach, at quick effort.
pub(super) const PATIENCE: f64 = 100.0;

/// One whole step of effort multiplies the patience by this factor.
pub(super) const PATIENCE_STEP: f64 = 3.0;

/// Slower growth begins where the packing fraction exceeds the requested one by this share. With 0.06, runs that begin with too little
/// effort take 1.2 to 1.5 times as many relocations as the densest packing of the same fraction. Slower growth from the start takes
/// 1.6 to 2.2 times as many, and with 0.03 some runs take 15 times as many (4000 spheres of `fuller-16`, `power-law-3` and two sizes
/// 1 and 4).
pub(super) const APPROACH_EXCESS: f64 = 0.06;

/// Like [`PATIENCE`] where the request names no effort and slower growth may follow: sweeps at the requested size before it
/// follows. Growth to that size takes 62 sweeps of all equal spheres.
pub(super) const HURRIED_PATIENCE: f64 = 20.0;

/// One whole step of effort multiplies the patience of hurried runs by this factor, as it does the sweeps of growth.
pub(super) const HURRIED_STEP: f64 = 4.0;

/// Packing fraction of 10 000 equal spheres at efforts 0, 0.25 … 2, less that at normal effort, 0.6407. The differences of the Fuller
/// mixture `fuller-16` are larger by a fifth.
pub(super) const EFFORT_GAINS: [f64; 9] = [
    -0.0169, -0.0109, -0.0063, -0.0026, 0.0, 0.0023, 0.0041, 0.0055, 0.0065,
];

/// Difference of the efforts of successive [`EFFORT_GAINS`].
pub(super) const GAINS_STEP: f64 = 0.25;

/// Step from an effort that does not reach the request to the next one. It doubles the number of sweeps.
pub(super) const SLOWER: f64 = 0.5;

/// Prediction of Farr & Groot for equal spheres, less their packing fraction at normal effort.
pub(super) const PREDICTION_EXCESS: f64 = 0.003;

/// Fast sweeps at the end of a run that ends early. Without them the single worst overlap decides how far the container
/// must grow.
pub(super) const SETTLING_SWEEPS: u64 = 40;

/// Growth factor after each of the settling sweeps. After 60 sweeps, 4000 equal spheres settle to 0.559, 0.583 and 0.593 with 1.01, 1.006
/// and 1.004, f(r) ∝ r⁻³ of ratio 10 to 0.573, 0.601 and 0.626, and a Fuller mixture of ratio 50 (10 000 spheres) to 0.586, 0.653 and
/// 0.680. With 1.004 they need up to 19 sweeps more, and at most 40.
pub(super) const SETTLING_GROWTH: f64 = 1.004;

// Choices: estimate of the remaining sweeps.

/// Sweeps of slow growth at normal effort. Measured: 78 for equal spheres, 105 to 176 for mixtures of 10⁴ and 10⁵ spheres.
pub(super) const SLOW_SWEEPS: f64 = 110.0;

/// Weight of the last sweep in the smoothed decay of the largest overlap.
pub(super) const DECAY_SMOOTHING: f64 = 0.1;

// Choices: placement and insertion.

/// Up to this packing fraction, a sphere is placed with its center outside of all others where that is possible.
pub(super) const DILUTE: f64 = 0.3;

/// Positions tried for each sphere of a dilute packing.
pub(super) const DILUTE_TRIES: usize = 100;

/// Positions tried for each sphere that is inserted later. Most spheres find a good one among these; 100 tries gave the same
/// packing fractions.
pub(super) const INSERTION_TRIES: u64 = 8;

/// A position is good if no relative overlap there is deeper. At 0.5, no center lies in another sphere.
pub(super) const GOOD_OVERLAP: f32 = 0.5;

/// Spheres of at least this share of the largest radius are placed at the start.
pub(super) const LARGE: f32 = 0.125;

/// Radii of spheres that are inserted together lie within this factor.
pub(super) const GROUP_RATIO: f32 = SQRT_2;

/// All spheres are inserted by the time the container's lengths have grown by this share. With a larger share, large spheres
/// use more of the growth for themselves; with a smaller one, more overlaps are resolved at full number.
pub(super) const INSERTION_GROWTH: f64 = 0.018;

/// The same share where two or more extremely large spheres bound the start. They then clear most of their overlaps before the last small
/// spheres come: from a start at [`MIXTURE_EXCESS`], this takes 0.032. With 0.018, 2.8 million spheres of ratio 200, mass share 0.15, needed
/// more than 600 s on one thread; with 0.028 they need 69 s. Less extreme mixtures pack looser with it: 400 000 spheres of ratio 60, mass
/// share 0.2, to 0.679 instead of 0.696 (means of six seeds).
pub(super) const MIXTURE_INSERTION_GROWTH: f64 = 0.028;

/// Least number of sweeps from one inserted group to the next, in which the group spreads out. These sweeps cost little. With
/// 3 or 4 sweeps, a Fuller mixture of 10⁶ spheres packed to 0.856 instead of 0.868.
pub(super) const LEAST_INTERVAL: f64 = 20.0;

// Choices: relocation.

/// Longest displacement of a relocation, in radii. A longer one only meets new neighbors.
pub(super) const LONGEST_STEP: f32 = 0.7;

/// A displacement of at least this many radii moves a small sphere out of a large one and is shortened to this length.
/// Without it, 400 000 spheres of diameters 1 and 100 (0.3 of the volume small) packed to 0.678 instead of 0.682.
pub(super) const LEAP: f32 = 3.0;

/// Below this share of relocated spheres, spheres without overlap become inactive.
pub(super) const INACTIVE_SHARE: f64 = 0.5;

/// Lists are prefetched this many visits ahead, and at most this many cache lines of each.
pub(super) const LISTS_AHEAD: usize = 10;
pub(super) const LIST_LINES: usize = 6;

/// The points named by a list are prefetched this many visits ahead.
pub(super) const POINTS_AHEAD: usize = 4;

/// Points are prefetched from this number of spheres on, which exceeds the cache of a core, and only where there is more
/// than one size level: points of one level are then scattered among the points of other levels.
pub(super) const PREFETCHED_SPHERES: usize = 1 << 17;

// Choices: exchanges.

/// Largest relative difference of the radii of two spheres that exchange their positions. Measured at rate 0.1, 10 000 spheres, normal
/// effort, for f(r) ∝ r⁻³ of ratio 10, f(r) ∝ r⁻³·⁵ of ratio 50, lognormal sizes of σ = 0.4, and uniform sizes from 1 to 3:
/// 0.03: 0.7606, 0.8479, 0.7031, 0.6775; 0.08: 0.7633, 0.8518, 0.7038, 0.6768; 0.12: 0.7637, 0.8512, 0.7024, 0.6754;
/// 0.3: 0.7602, 0.8499, 0.6986, 0.6719. Narrow mixtures gain from a narrow window, wide mixtures from a wide one.
pub(super) const EXCHANGE_WINDOW: f32 = 0.08;

/// Attempts that one task draws.
pub(super) const ATTEMPTS_PER_TASK: u64 = 4096;

// Choices: order of visits.

/// Number of blocks aimed at on one size level: enough to share among threads. Large blocks read fewer spheres beyond their
/// faces.
pub(super) const BLOCKS: f64 = 128.0;

/// Least number of spheres in a block, so that a block is worth a task of its own.
pub(super) const FEWEST_PER_BLOCK: f64 = 8.0;

/// Largest number of spheres in a block, so that a block fits into a cache, and a million spheres make enough blocks for many threads. On
/// one and two threads, a million spheres took the same time with 8192. Replayed on 16 threads, the visits of a million equal spheres
/// become 14.6 times faster, and 7.1 times with 8192, where only eight of 64 blocks could be visited at a time (example `scaling`).
pub(super) const MOST_PER_BLOCK: f64 = 1024.0;

/// Least number of spheres for each thread of a sweep. To wake a thread takes as long as some hundred visits.
pub(super) const SPHERES_PER_THREAD: usize = 256;

/// Polls of a thread without a block before it parks: some ten microseconds, longer than most blocks. Two threads beside two busy loops on
/// two cores, medians of three runs with threads that yield instead and with these: 300 spheres of ratio 10⁶ 0.98 s and 0.05 s, 10 000
/// of `concrete` 1.89 s and 0.70 s, 10 000 equal ones 1.40 s and 0.33 s.
pub(super) const POLLS_BEFORE_PARKING: u32 = 1 << 12;

// Choices: skins and refreshes. All skins are shares of the radius.

/// Skin of every sphere at the start, and its upper bound for spheres of at least mean size.
pub(super) const FIRST_SKIN: f32 = 0.75;

/// Smallest skin.
pub(super) const SMALLEST_SKIN: f32 = 0.02;

/// Upper bound of the skin of small spheres. Among larger spheres, twice the skin adds few neighbors; among equal spheres it
/// triples their number.
pub(super) const LARGEST_SKIN: f32 = 1.5;

/// The skin h follows from the speed v of a sphere, in radii per sweep: h = 4 √v. Visits cost more the longer the lists,
/// whose length grows with h. Refreshes occur v/h times a sweep. The sum is least for h in proportion to √v.
pub(super) const SKIN_BY_SPEED: f32 = 4.0;

/// Like [`SKIN_BY_SPEED`], for inner inflated spheres, whose refreshes cost less.
pub(super) const INNER_SKIN_BY_SPEED: f32 = 1.2;

/// Upper bound of an inner skin.
pub(super) const LARGEST_INNER_SKIN: f32 = 0.5;

/// A refresh multiplies a skin by at most this factor. Speeds are highest in the first sweeps, and lists made for them would
/// be too long for all later sweeps.
pub(super) const SKIN_GROWTH: f32 = 1.4;

/// Above this share of refreshed spheres, all lists are rebuilt instead of updated. Most spheres then need new lists after
/// the next sweep as well, so that large skins do not pay.
pub(super) const REBUILD_SHARE: f64 = 0.5;

/// Shortlists begin after [`CALM_SWEEPS`] successive sweeps in which less than this share of the spheres needed new Verlet
/// lists.
pub(super) const CALM_SHARE: f64 = 0.006;

/// See [`CALM_SHARE`].
pub(super) const CALM_SWEEPS: u32 = 4;

/// Least skin of the Verlet lists that are rebuilt when shortlists begin. They take half the memory of the older lists, and
/// few spheres leave their inflated spheres.
pub(super) const CALM_SKIN: f32 = 0.5;

// Limits.

/// Radii exceed the requested ones by this share while a requested container is filled, so that spheres that just touch in
/// single precision do not overlap.
pub(super) const HOLD_MARGIN: f64 = 2e-6;

/// Distance of two spheres, as a share of the sum of their radii, at which a requested container counts as reached: positions in
/// the requested container are rounded. A sphere may touch walls: between two walls that it touches both, its position is exact.
pub(super) const PAIR_MARGIN: f64 = 1e-9;

/// Largest relative error of a product of a few numbers.
pub(super) const ROUNDING: f64 = 1e-14;

/// Most rounds of growth in the last step. A few remove what rounding leaves.
pub(super) const MOST_ROUNDS: u32 = 1000;

/// Most spheres, and largest relative excess of their container, for which a fit in f64 is tried.
pub(super) const MOST_EXACT: usize = 100;
pub(super) const NEARLY_EXACT: f64 = 2e-3;

/// Relative excess up to which a container counts as the requested one: ten times that of spheres that touch from end to end, whose
/// overlaps are rounding errors.
pub(super) const EXACT_FIT: f64 = 1e-11;

/// Growth in the exact last step beyond the computed growth, against rounding.
pub(super) const FINISH_MARGIN: f64 = 1e-11;

/// Distance at which two spheres with equal centers count, a power of two. Other centers are at least 2⁻³¹ apart, as the container is
/// longer than 2 in the unit of the loop and an axis has at most 2³² steps.
pub(super) const LEAST_DISTANCE: f32 = 1.0 / (1u64 << 40) as f32;

/// Blocks are wider than two reaches by this factor, so that rounding cannot make two blocks of one color touch.
pub(super) const BLOCK_MARGIN: f64 = 1.001;

/// Largest excess of an inflated radius over the reach of its size level, from rounding. It is far below [`BLOCK_MARGIN`].
pub(super) const REACH_MARGIN: f32 = 1.0001;

/// Least scale of the radii in a checkpoint that is accepted. Containers grow by far less than this factor in a run.
pub(super) const LEAST_SCALE: f64 = 1e-3;

/// Relative difference between sizes in a checkpoint that counts as rounding, of numbers in single precision.
pub(super) const SIZE_TOLERANCE: f64 = 1e-6;

/// Bound of all counts, and of times in seconds, in a checkpoint that is accepted, so that no sum overflows.
pub(super) const LARGEST_COUNT: u64 = 1 << 60;

/// Largest exchange rate that is accepted. Sizes begin to segregate far below it.
pub(super) const LARGEST_EXCHANGE_RATE: f64 = 10.0;

/// Spheres are numbered in 32 bits, and one number more pads lists.
pub(super) const MOST_SPHERES: u64 = u32::MAX as u64 - 1;

// Memory: peak resident memory of `jostle pack`, measured on Linux with the allocator of the GNU C library, by VmHWM in
// /proc. `docs/reports/performance.md` lists the peaks and the estimates.

/// Memory of the program without spheres, most of it the program itself: with 10 spheres, 14.6 MB in the default build, and 19.0 MB in the
/// tests' build with the feature `full`.
pub(super) const PROCESS_BYTES: f64 = 16.0e6;

/// Memory of each thread, mostly the buffers of its searches for neighbors: 10 000 equal spheres took 14.5 MB on one thread
/// and 20.6 MB on 16 threads.
pub(super) const THREAD_BYTES: f64 = 0.25e6;

/// Bytes of each sphere while a checkpoint is written: 61 of the checkpoint, and 4 of its radii in single precision.
pub(super) const CHECKPOINT_BYTES: f64 = 65.0;

/// Memory of the data of one sphere at the peak: radius, position and order (about 100 bytes), index (about 25 bytes), Verlet
/// list and shortlist (the rest). For 10⁶ spheres, the presets took 279 (fuller-2011) to 375 bytes (din-c32) at effort 0; equal
/// spheres took 284.
pub(super) const SPHERE_BYTES: f64 = 320.0;

/// Like [`SPHERE_BYTES`], for disks, which have fewer neighbors: 10⁵ equal disks took 258 bytes each at effort 0, and 10⁵ disks of the preset
/// `concrete` 276.
pub(super) const DISK_BYTES: f64 = 260.0;

/// Like [`SPHERE_BYTES`], for spheres that are packed loosely around one large sphere: lists are nearly empty. Measured on two
/// threads, with [`SPARE_BYTES`]: 180 to 240 for fuller-2011.
pub(super) const LOOSE_SPHERE_BYTES: f64 = 185.0;

/// Share of the mass in the largest sphere above which this sphere determines the container. A sphere fills π/6 of the cube
/// around it, so that the other spheres are packed loosely if they are less than 0.82 of the sphere, at packing fraction 0.95.
pub(super) const DOMINANT_SHARE: f64 = 0.55;

/// Freed memory for each sphere that the allocator keeps, for each doubling of the number of threads. For 100 000 equal
/// spheres, the whole program took 43 MB on one thread, 46 to 50 MB on two, 51 to 57 MB on four and 70 MB on 16.
pub(super) const SPARE_BYTES: f64 = 30.0;

/// Further memory of this kind, times the evenness of the sizes. On two threads, the allocator kept 11 to 36 bytes for each of
/// 100 000 spheres of a Fuller curve (fuller-16, concrete), and 80 bytes for each equal sphere.
pub(super) const EVEN_SPARE_BYTES: f64 = 65.0;

// Rate of exchanges: `docs/reports/exchange.md` compares it with other rates.

/// Attempts per sphere and sweep of [`ExchangeRate::AUTO`](super::ExchangeRate::AUTO). See `docs/reports/exchange.md`.
pub(super) const AUTO_EXCHANGE_RATE: f64 = 0.12;

/// Share of [`BreathingShare::AUTO`](super::BreathingShare::AUTO), the best of those in `moves/breathing.rs` at normal effort.
pub(super) const AUTO_BREATHING_SHARE: f64 = 0.3;

/// Largest growth of a radius without overlap in a round of breathing, in radii, before the share. Not tuned: gaps near jamming are smaller.
pub(super) const LARGEST_BREATH: f32 = 0.1;

// Fixed spheres. Only requests that are out of reach depend on these constants.

/// Number of times that stuck spheres are placed again among fixed ones, before spheres are left out.
pub(super) const MOST_REPLACEMENTS: u32 = 3;

/// Overlap, as a share of a sphere's diameter, from which a sphere counts as stuck. Spheres that only have too little room overlap
/// less.
pub(super) const STUCK_OVERLAP: f64 = 0.05;

/// Share of the spheres that are left out first where the requested container around fixed spheres is out of reach.
pub(super) const FIRST_LEFT_OUT: f64 = 0.005;

/// Steps of a coordinate in the smallest diameter, at least. With fewer steps, spheres may share a position, and no growth separates
/// them.
pub(super) const RESOLUTION: f64 = 8.0;
