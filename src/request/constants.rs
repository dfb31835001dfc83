//! Constants of requests, with their reasons.

/// Number of spheres of the stratified sample from which the packing fraction of a law is predicted, and of the trial that estimates the time
/// of a run: the default number of a request. A sample takes milliseconds.
pub(super) const SAMPLE: usize = 10_000;

/// Decrease of the packing fraction by a wall, as a share of it, in units of the diameter of the spheres times the area of the walls by
/// the volume of the container. In tubes of diameter D, the area by the volume is 4/D. The packings of equal spheres in
/// `docs/reports/walls.md` lack 0.080 at D/d = 30, 0.076 at 20, 0.073 at 10, and 0.112 at 5; 0.09 lies between wide and narrow containers.
pub(super) const WALL_DEFICIT: f64 = 0.09;

/// Largest share by which walls are taken to lower the packing fraction. Beyond it the container is hardly wider than a sphere, and no
/// prediction holds.
pub(super) const MOST_WALL_DEFICIT: f64 = 0.5;

/// Packing fraction with which the search for the size of a container begins: near that of random close packing of equal spheres.
pub(super) const FIRST_FRACTION: f64 = 0.64;

/// Steps of the search for a free length. Each one divides its error by about the number of diameters between the walls.
pub(super) const FREE_LENGTH_STEPS: u32 = 3;

/// Numbers of spheres of the trials that estimate the time of a run. The first one takes a fraction of a second even at thorough effort.
pub(super) const TRIALS: [f64; 2] = [1e3, 1e4];

/// Time in seconds below which a trial says little about a run of many spheres: its lists fit into the caches, and its threads wait for each
/// other.
pub(super) const SHORT_TRIAL: f64 = 0.2;

/// Largest number of spheres that are drawn without a run: they take half a second at most. A container of more spheres than this is hardly
/// too narrow for one of them.
pub(crate) const MOST_CHECKED: f64 = 1e6;

/// Difference of the packing fraction to which a container is filled without a request from the expected one: half of all runs would miss
/// the expected one itself. Packings of some hundred spheres vary by this much.
pub(super) const FILL_MARGIN: f64 = 0.005;

/// Part of the decrease by walls that is added to this difference, because walls of small containers lower the packing fraction by more than
/// expected. Of eleven small containers with equal spheres, such as `--container cylinder:d=6,h=auto -n 500`, five were not reached without
/// it, and with it a cone alone.
pub(super) const FILL_WALL_MARGIN: f64 = 0.25;
