//! Constants of the size distributions, each with its reason.

/// Name of the preset for runs without a named distribution: a Fuller curve from 1 to 16 mm.
///
/// Its size ratio of 16 is moderate: 10 000 spheres include about five of the coarsest tenth by mass.
pub const DEFAULT_PRESET: &str = "concrete";

// Accepted parameters.

/// Smallest accepted diameter, in any unit.
///
/// Volumes of this size (1e-180) stay normal numbers in sums, products with shares and quotients.
pub(super) const SMALLEST_DIAMETER: f64 = 1e-60;

/// Largest accepted diameter, in any unit, for the reason given at [`SMALLEST_DIAMETER`].
pub(super) const LARGEST_DIAMETER: f64 = 1e60;

/// Largest accepted |α| of a power law.
///
/// At this exponent 99 % of the spheres differ from one end of the range by less than 5 % (1.05^99 > 100). Steeper laws
/// are equal spheres in practice.
pub(super) const LARGEST_POWER: f64 = 100.0;

/// Largest accepted exponent of the Fuller and the Andreasen curve.
///
/// Published grading curves have exponents from 0.22 (Andreasen) to 0.5 (Fuller). The limit rejects typing errors only.
pub(super) const LARGEST_CURVE_EXPONENT: f64 = 10.0;

/// Exponent of the Fuller curve when none is given: Fuller's parabola, as in Raschdorf & Kolonko 2011, Eq. (6).
pub(super) const FULLER_EXPONENT: f64 = 0.5;

/// Largest number of classes of a Fuller curve in classes.
///
/// At size ratio 1000, neighboring diameters then differ by 0.07 %. The continuous curve covers finer requests.
/// A stratified sample in classes costs time in proportion to this number.
pub(super) const MOST_CLASSES: usize = 10_000;

/// Accepted uniformity exponents of the Rosin–Rammler law.
///
/// The range rejects typing errors only. The test `the_widest_and_the_narrowest_laws_hold` covers both ends.
pub(super) const UNIFORMITY_EXPONENTS: std::ops::RangeInclusive<f64> = 0.05..=50.0;

/// Accepted standard deviations of ln d of the lognormal law.
///
/// Below the range all diameters agree within a few parts in a million. At its upper end, d_max is 20 decades above
/// d_min if neither is given.
pub(super) const LOGNORMAL_SIGMAS: std::ops::RangeInclusive<f64> = 1e-6..=3.0;

/// Largest accepted deviation of d10 and d90 from the lognormal law through d50, as a share of the diameter.
///
/// A larger value accepts measured distributions that are not lognormal. A smaller one refuses measured quantiles of
/// two digits.
pub(super) const LARGEST_ASYMMETRY: f64 = 0.05;

/// Largest accepted difference between 1 and the sum of shares: room for shares in percent with one decimal.
///
/// The shares are divided by their sum.
pub(super) const SHARE_SUM_TOLERANCE: f64 = 1e-3;

/// Largest difference between 1 and the sum of shares that needs no note: room for shares with six decimals.
pub(super) const UNNOTED_SHARE_SUM: f64 = 1.1e-6;

/// Largest difference of two percentages that counts as a rounding error of a cumulative sum.
pub(super) const PASSING_ROUNDING: f64 = 1e-9;

/// Largest difference between 0 or 100 % and the end of a measured mass curve: such tables are rounded to whole percent.
pub(super) const END_TOLERANCE: f64 = 1.0;

/// Largest share of the mass, in percent, that passes the smallest sieve of a measured curve and may be left out.
///
/// Standard sieve series of sand and gravel end at 0.063 or 0.125 mm, where a few percent pass. With more, the missing fine spheres
/// would change the packing fraction noticeably.
pub(super) const MOST_FINES: f64 = 10.0;

/// Smallest share of a law that must lie between its bounds.
///
/// Shares are differences of numbers near 1. From this share on, they keep about seven of their sixteen digits.
pub(super) const LEAST_SHARE_WITHIN_BOUNDS: f64 = 1e-9;

// Blends.

/// Largest number of components of a blend: files have at most that many types of spheres.
pub(super) const MOST_COMPONENTS: usize = 1000;

/// Largest number of characters of the label of a component: a line of a table or a legend shows it.
pub(super) const LONGEST_LABEL: usize = 100;

/// Largest depth of inline blends in blends. It rejects texts that no person writes, before the reader runs out of stack.
pub(super) const DEEPEST_BLEND: usize = 16;

/// Sum of shares from which they are percentages. The accepted sums are near 1 and near 100.
pub(super) const PERCENT_FROM: f64 = 10.0;

/// Trial volumes on each side of the expected volume, for a component in classes: they reach half of the largest sphere.
///
/// With [`VOLUME_TRIALS`], the share of the component could differ by two of its largest spheres.
pub(super) const COMPONENT_TRIALS: i32 = 16;

// Tables.

/// Words for the pan below the sieves in tables of several languages, in place of a size. Its size counts as 0.
pub(super) const PANS: [&str; 8] = [
    "pan", "bottom", "receiver", "boden", "schale", "fond", "fondo", "bandeja",
];

/// First words of rows with the sum of a column, which are not read.
pub(super) const TOTALS: [&str; 6] = ["total", "sum", "summe", "gesamt", "somme", "suma"];

/// Units of weight in the words above a column: the column has amounts instead of shares.
pub(super) const WEIGHT_UNITS: [&str; 7] = ["g", "kg", "mg", "gram", "grams", "gramm", "lb"];

/// Parts of words above a column of passing, in the languages of common sieve sheets. The first match of these lists counts.
pub(super) const PASSING_WORDS: [&str; 10] = [
    "pass",
    "pasa",
    "finer",
    "undersiz",
    "durchgang",
    "tamisat",
    "smaller",
    "less than",
    "cdf",
    "q3(x)",
];

/// Parts of words above a column of what is retained.
pub(super) const RETAINED_WORDS: [&str; 11] = [
    "retain",
    "residue",
    "oversiz",
    "coarser",
    "refus",
    "rückstand",
    "rueckstand",
    "reten",
    "tratten",
    "larger",
    "greater",
];

/// Parts of words for cumulative columns.
pub(super) const CUMULATIVE_WORDS: [&str; 6] = ["cum", "kum", "acum", "summe", "total", "sum "];

/// Parts of words for what is retained in each class alone.
pub(super) const CLASS_WORDS: [&str; 8] = [
    "each",
    "individual",
    "single",
    "in class",
    "partial",
    "differential",
    "per sieve",
    "einzel",
];

/// Parts of words above a column of shares of the mass or the volume.
pub(super) const SHARE_WORDS: [&str; 15] = [
    "mass",
    "weight",
    "vol",
    "share",
    "anteil",
    "wt",
    "percent",
    "%",
    "fraction",
    "poids",
    "peso",
    "gewicht",
    "histogram",
    "amount",
    "proportion",
];

/// Parts of words above a column with the number of spheres in each class.
pub(super) const NUMBER_WORDS: [&str; 8] = [
    "count",
    "number",
    "no. of",
    "anzahl",
    "nombre",
    "número",
    "cantidad",
    "frequency",
];

/// Parts of words for sieves, whose number is a size.
pub(super) const SIEVE_WORDS: [&str; 6] = ["sieve", "sieb", "mesh", "screen", "tamis", "tamiz"];

/// Parts of words above a column of sizes.
pub(super) const SIZE_WORDS: [&str; 22] = [
    "size",
    "sieve",
    "sieb",
    "masche",
    "mesh",
    "opening",
    "aperture",
    "diam",
    "grain",
    "korn",
    "particle",
    "tamis",
    "taille",
    "ouverture",
    "maille",
    "tamiz",
    "abertura",
    "malla",
    "durchmesser",
    "screen",
    "radius",
    "radii",
];

// Lists of diameters.

/// Number of classes that represent a long list of diameters, about.
///
/// The classes have at most 0.2 % of the number and of the mass, less than the rounding to whole spheres in samples of usual size. The
/// cost of a stratified sample grows with this number.
pub(super) const MOST_LISTED_CLASSES: usize = 1000;

// Continuous laws.

/// Number of segments that represent the core of a smooth law.
///
/// The error of moments and shares falls with the fourth power of this number. With 2048 segments the test
/// `continuous_laws_agree_with_quadrature` finds errors below 1e-9.
pub(super) const FITTED_SEGMENTS: usize = 2048;

/// Core of the Rosin–Rammler law in t = (d/d′)^n: 1e-10 of the mass lies below and exp(−45) = 3e-20 above.
pub(super) const ROSIN_RAMMLER_CORE: (f64, f64) = (1e-10, 45.0);

/// Half-width of the core of the lognormal law, in standard deviations of ln d: 1e-19 of the law lies beyond each end.
pub(super) const LOGNORMAL_CORE: f64 = 9.0;

/// Accepted standard deviations of the normal law, in units of the mean.
///
/// Below the range all diameters agree within a few parts in a million. Above it, the law between its bounds is nearly uniform.
pub(super) const NORMAL_WIDTHS: std::ops::RangeInclusive<f64> = 1e-6..=10.0;

/// Distance of the bounds of the normal law from its mean, in standard deviations: 0.27 % of the law lies beyond them.
pub(super) const NORMAL_BOUND: f64 = 3.0;

/// Smallest diameter of the core of the normal law, in units of the mean. Below it, the law is a power law to rounding.
pub(super) const SMALLEST_NORMAL_CORE: f64 = 1e-10;

/// The 90 % quantile of the standard normal law.
pub(super) const Z_90: f64 = 1.281_551_565_544_600_4;

/// The 99.9 % quantile of the standard normal law.
///
/// A lognormal law without bounds ends there: by number at the fine end and by mass at the coarse end.
pub(super) const Z_CUT: f64 = 3.090_232_306_167_813_5;

/// Bound on |k w| below which e^(kx) is 1 over the whole width w: two decades below the rounding error of `f64`.
pub(super) const FLAT: f64 = 1e-18;

/// Smallest relative distance of two segments that counts as a gap.
///
/// Ends of adjoining segments differ by rounding errors of exponential functions: 1e-14 for diameters of 1e60.
pub(super) const SMALLEST_GAP: f64 = 1e-12;

// Stratified samples.

/// Accepted error of the number curve of a stratified sample in classes, in addition to one sphere.
///
/// A larger value allows a smaller error of the mass curve. A smaller one keeps the numbers of small spheres right.
pub(super) const NUMBER_CURVE_ERROR: f64 = 0.01;

/// Trial volumes on each side of the expected volume, for a stratified sample in classes.
///
/// More trials find a slightly better mass curve and cost time in proportion.
pub(super) const VOLUME_TRIALS: i32 = 64;

/// Trial volumes for one sphere of the largest class: the step between two trials is 1/32 of its volume.
///
/// With [`VOLUME_TRIALS`] of 64, the trials reach two of the largest spheres on each side.
pub(super) const TRIALS_PER_LARGEST_SPHERE: f64 = 32.0;

/// Rounds that scale a stratified sample to the requested volume.
///
/// Each round distributes the volume that spheres at the ends of the range could not take. The loop ends earlier when
/// the volume is met.
pub(super) const VOLUME_ROUNDS: usize = 8;

/// Largest expected number of spheres of a sample by volume: the packer numbers spheres with 32 bits.
pub(super) const MOST_SPHERES: f64 = u32::MAX as f64 - 1.0;

/// Largest ratio of actual to expected draws of a random sample by volume.
///
/// In very wide laws, most of the mass is in spheres that are never drawn. The small spheres alone then need more draws
/// than any memory holds. A smaller limit refuses wide laws with few spheres, a larger one delays the error.
pub(super) const DRAWS_PER_EXPECTED_SPHERE: f64 = 1000.0;

/// Number of draws that a random sample by volume may always take: 8 MB, and 0.1 s at 0.1 µs per draw.
pub(super) const MINIMUM_DRAW_LIMIT: f64 = 1e6;

// Reports.

/// Largest error of the mass curve of a sample that counts as the requested distribution.
///
/// Repeated sieve analyses of one material differ by a few percent passing. The sample of a smaller error needs more spheres.
pub(super) const MASS_CURVE_TOLERANCE: f64 = 0.05;

/// Factor from one trial to the next larger one, in the search for a sufficient sample. The search then halves the interval.
pub(super) const SUFFICIENT_GROWTH: f64 = 1.25;

/// Ratio of the ends of the interval in which the search for a sufficient sample ends.
pub(super) const SUFFICIENT_PRECISION: f64 = 1.005;

/// Factors by which a sufficient sample may grow. The lengths of a container are rounded up to four digits, which adds up to
/// 0.3 % to the volume.
pub(super) const SUFFICIENT_ROUNDING: [f64; 4] = [1.0, 1.001, 1.002, 1.004];

/// Number of the largest spheres of a continuous law whose steps of the mass curve are computed, in the search for a sufficient
/// sample. The other steps are smaller than the last of these, which is at most 1/64.
pub(super) const COMPUTED_STEPS: usize = 64;

/// Number of points of the reported mass curve of a continuous distribution.
///
/// More points draw a smoother curve and enlarge every packing file.
pub(super) const REPORTED_POINTS: usize = 33;

/// Relative difference up to which a diameter belongs to a class.
///
/// File formats with single precision round by up to 6e-8.
pub(super) const CLASS_TOLERANCE: f64 = 1e-6;

/// Share of the mass, at the coarse end, that serves as the largest class of a continuous distribution.
///
/// A smaller share asks for more spheres until a sample counts as complete.
pub(super) const COARSEST_SHARE: f64 = 0.1;

// Files and names.

/// Version of the file format.
pub(super) const SCHEMA: u32 = 1;

/// Smallest gap between two rods, in lengths of the shorter rod. Farr & Groot (2009) fitted it to equal spheres.
pub(super) const FREE_VOLUME: f64 = 0.7654;

/// Number of rods that represent the distribution of rod lengths. It trades time for accuracy: half or twice the number
/// changes the prediction by less than 10⁻⁶ (`half_and_twice_the_rods_change_less_than_a_millionth`).
pub(super) const RODS: usize = 100_000;

// Compressible packing model.

/// Exponent of the loosening effect: de Larrard (1999).
pub(super) const LOOSENING_EXPONENT: f64 = 1.02;

/// Exponent of the wall effect: de Larrard (1999).
pub(super) const WALL_EXPONENT: f64 = 1.5;

/// Compaction index of the densest dry process, vibration with compression: de Larrard (1999). Random close packings are the densest
/// disordered ones.
pub(super) const COMPACTION_INDEX: f64 = 9.0;

/// Packing fraction of a random close packing of equal spheres by Farr & Groot (2009): the prediction of the rods for one size.
pub(super) const EQUAL_SPHERES: f64 = 0.6435;

/// Halvings of the interval that holds the inverse packing fraction: its length of at most 1 falls below the rounding error of `f64`.
pub(super) const ROOT_HALVINGS: usize = 54;

/// Number of classes of a continuous distribution for predictions: half or twice the number changes them by less than
/// 10⁻³ (`half_the_classes_change_little`).
pub(super) const VOLUME_CLASSES: usize = 128;

/// Largest number of classes for predictions. The compressible packing model takes time and memory in proportion to its square.
pub(super) const MOST_VOLUME_CLASSES: usize = 512;

// Shares of a blend.

/// Difference of two slopes at which the least squares end. The sum of the squares is convex, and its slopes are of order 1: it is then
/// within 10⁻¹² of the least.
pub(super) const LEAST_SLOPE: f64 = 1e-12;

/// Largest number of steps of the least squares. Components whose curves nearly agree need many; their shares then hardly matter.
pub(super) const LEAST_SQUARES_STEPS: usize = 1_000_000;

/// Number of rods while the densest shares are searched. A tenth of the usual number changes a prediction by less than 10⁻⁵.
pub(super) const SEARCH_RODS: usize = 10_000;

/// Largest number of components of which the densest shares are searched: the memory for their effects on each other is 8 MB.
pub(super) const MOST_SEARCHED_COMPONENTS: usize = 8;

/// Largest number of compositions from which the search for the densest shares starts, about half a second.
pub(super) const SEARCHED_COMPOSITIONS: usize = 300;

/// Largest number of steps from 0 to 1 among these compositions.
pub(super) const SEARCH_STEPS: usize = 50;

/// Last step of the search for the densest shares. Scales of concrete plants are less exact.
pub(super) const SHARE_PRECISION: f64 = 5e-4;

/// Number of sizes at which curves are compared if the target has no sieves.
pub(super) const COMPARED_SIZES: usize = 17;
