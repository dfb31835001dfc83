//! A run of the published loop, and its options.

use std::sync::Arc;

use glam::DVec3;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

use crate::{
    container::{
        Boundaries, Container,
        frame::{Frame, Point},
    },
    index::IndexKind,
    macros::{choice, setters},
    rearrange::{Effort, GapShare, PackError, PlainSchedule, skin_for, step_toward_nearest},
    spheres::total_volume,
    verlet::VerletLists,
};

/// Excess of the container over the diameter of the largest sphere, against rounding to single precision.
const FIT_MARGIN: f64 = 1e-5;

/// A run of the packing loop of Raschdorf & Kolonko 2011, sweep by sweep.
///
/// All spheres are placed at random in a cube that is too small. A sweep visits them in the order of their numbers. A sphere with overlaps moves
/// away from its neighbors by the formula of the packing loop. One without overlap moves toward its nearest neighbor, if that is requested.
/// After the sweep the cube grows as in the packing loop, which is a common factor on all radii here. All spheres have the same Verlet
/// distance δ_V, as in the paper. Half of it, the skin, follows from the mean speed by the formula of the packing loop, and never grows.
///
/// The loop is meant for about ten thousand spheres: neighbors are far apart in memory.
///
/// # Example
/// ```
/// use jostle::laboratory::published_loop::{PublishedLoop, PublishedLoopOptions};
///
/// let mut run = PublishedLoop::new(&[0.5; 200], PublishedLoopOptions::default())?;
/// while run.sweep().is_some() {}
/// assert!(run.packing_fraction_without_overlap() > 0.55);
/// # Ok::<(), jostle::rearrange::PackError>(())
/// ```
pub struct PublishedLoop {
    options: PublishedLoopOptions,
    schedule: PlainSchedule,
    container: Container,
    frame: Frame,
    /// The spheres with radii at scale 1, and the point that pads lists.
    points: Vec<Point>,
    /// Exact radii at scale 1. The largest one is 1.
    radii: Vec<f64>,
    mean_radius: f64,
    /// Common factor of all radii.
    scale: f64,
    lists: VerletLists,
    /// Half the Verlet distance.
    skin: f64,
    /// Spheres that left their inflated spheres in the present sweep and are still to be refreshed, sorted.
    pending: Vec<u32>,
    is_over: bool,
}

/// The overlaps, relocations and refreshes of a sweep.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct PublishedSweep {
    /// Mean over the spheres of the sum of their relative overlaps, as the visits found them.
    pub mean_overlap: f64,
    /// Largest relative overlap.
    pub max_overlap: f64,
    /// Number of spheres that moved away from neighbors.
    pub relocations: u64,
    /// Number of spheres that moved toward their nearest neighbors.
    pub approaches: u64,
    /// Number of refreshed spheres.
    pub refreshes: u64,
    /// Sum of the lengths of all displacements, in the unit of the largest radius at the start.
    pub path: f64,
}

impl PublishedLoop {
    /// Places spheres of the given radii at random.
    ///
    /// # Errors
    /// [`PackError`] if there are no radii, or one is not positive and finite.
    pub fn new(radii: &[f64], options: PublishedLoopOptions) -> Result<Self, PackError> {
        let is_bad = |radius: &f64| !(*radius > 0.0 && radius.is_normal());
        if let Some(sphere) = radii.iter().position(is_bad) {
            let value = radii[sphere];
            return Err(PackError::Radius { sphere, value });
        }
        let Some(largest) = radii.iter().copied().reduce(f64::max) else {
            return Err(PackError::NoSpheres);
        };
        let radii: Vec<f64> = radii.iter().map(|radius| radius / largest).collect();
        let schedule = PlainSchedule::new(options.effort, &radii);
        let volume = total_volume(&radii);
        let side = libm::cbrt(volume / schedule.start_fraction());
        let lengths = DVec3::splat(side.max(2.0 * (1.0 + FIT_MARGIN)));
        let container = Container::cuboid(lengths, options.boundary);
        let container = container.map_err(|_| PackError::Volume(volume))?;
        let frame = container.frame();
        let mut rng = Pcg64::seed_from_u64(options.seed);
        let mut place = |&radius: &f64| {
            let radius = radius as f32;
            let at = frame.at_fraction(DVec3::from_array(rng.random()));
            let at = container.confine(&frame, at, [0; 3], radius);
            Point { at, radius }
        };
        let mut points: Vec<Point> = radii.iter().map(&mut place).collect();
        let mean_radius = radii.iter().sum::<f64>() / radii.len() as f64;
        let skin = skin_for(f64::INFINITY) * mean_radius;
        let inflated = points.iter().map(|&sphere| inflated(sphere, 1.0, skin));
        let lists = VerletLists::of_points(
            Arc::new(options.index),
            container.clone(),
            inflated.collect(),
        );
        points.push(Point::NOTHING);
        Ok(Self {
            options,
            schedule,
            container,
            frame,
            points,
            radii,
            mean_radius,
            scale: 1.0,
            lists,
            skin,
            pending: Vec::new(),
            is_over: false,
        })
    }

    /// Performs one sweep, and lets the container grow. Returns `None`, and does nothing, when the overlaps are below the tolerance of the
    /// effort.
    pub fn sweep(&mut self) -> Option<PublishedSweep> {
        self.sweep_observed(&mut |_, _| ())
    }

    /// Like [`Self::sweep`]; calls `before_visit` before each visit of a sphere.
    pub fn sweep_observed(
        &mut self,
        before_visit: &mut dyn FnMut(&Self, u32),
    ) -> Option<PublishedSweep> {
        if self.is_over {
            return None;
        }
        let mut sweep = PublishedSweep::default();
        for id in 0..self.radii.len() as u32 {
            before_visit(self, id);
            if self.visit(id, &mut sweep) {
                match self.options.refresh {
                    RefreshPolicy::AtOnce => self.refresh(&[id], &mut sweep),
                    RefreshPolicy::AfterSweep => self.pending.push(id),
                }
            }
        }
        let pending = std::mem::take(&mut self.pending);
        self.refresh(&pending, &mut sweep);
        let count = self.radii.len() as f64;
        sweep.mean_overlap /= count;
        let speed = sweep.path / (count * self.mean_radius);
        self.skin = self.skin.min(skin_for(speed) * self.mean_radius);
        self.is_over = sweep.max_overlap < self.schedule.tolerance();
        if !self.is_over {
            self.scale /= self.schedule.growth(sweep.mean_overlap);
        }
        Some(sweep)
    }

    /// Moves a sphere away from its neighbors, or toward the nearest one. Returns whether the sphere left its inflated sphere.
    fn visit(&mut self, id: u32, sweep: &mut PublishedSweep) -> bool {
        let sphere = self.points[id as usize];
        let scale = self.scale as f32;
        let octets = self.lists.lists.octets(id);
        let relocation =
            (self.schedule).relocation(&self.points, sphere, octets, &self.frame, scale);
        let step = if let Some(found) = relocation {
            sweep.relocations += 1;
            sweep.mean_overlap += found.total;
            sweep.max_overlap = sweep.max_overlap.max(found.largest);
            found.step
        } else if let Some(step) = self.step_toward_nearest(id, sphere) {
            sweep.approaches += 1;
            step
        } else {
            return false;
        };
        let at = (self.container).confine(&self.frame, sphere.at, step, sphere.radius * scale);
        self.points[id as usize].at = at;
        sweep.path += f64::from(self.frame.distance(sphere.at, at));
        let inflated = self.lists.inflated[id as usize];
        self.frame.distance(inflated.at, at) > inflated.radius - sphere.radius * scale
    }

    /// Returns the step of a sphere without overlap toward its nearest neighbor; `None` if it stays.
    fn step_toward_nearest(&self, id: u32, sphere: Point) -> Option<[i64; 3]> {
        let share = self.options.toward_nearest;
        if share.is_off() {
            return None;
        }
        let others = self.lists.neighbors(id).iter();
        let others = others.map(|&other| self.points[other as usize]);
        let (scale, share) = (self.scale as f32, f64::from(share) as f32);
        step_toward_nearest(sphere, others, &self.frame, scale, share)
    }

    /// Gives spheres new inflated spheres and lists. The ids must be sorted.
    fn refresh(&mut self, ids: &[u32], sweep: &mut PublishedSweep) {
        let inflated = |&id: &u32| inflated(self.points[id as usize], self.scale, self.skin);
        let inflated: Vec<Point> = ids.iter().map(inflated).collect();
        self.lists.refresh_points(ids, &inflated);
        sweep.refreshes += ids.len() as u64;
    }

    /// Returns the spheres that overlap a sphere, are missing in its list, and left their inflated spheres in the present sweep.
    ///
    /// Before the visit of the sphere, no other overlap is missing: all other spheres are in their inflated spheres. Between two sweeps, no
    /// overlap is missing.
    ///
    /// # Panics
    /// If there is no sphere `id`.
    pub fn missed(&self, id: u32) -> Vec<u32> {
        let neighbors = self.neighbors(id);
        let is_missed = |&other: &u32| {
            other != id
                && self.distance(id, other) < self.radius(id) + self.radius(other)
                && neighbors.binary_search(&other).is_err()
        };
        self.pending.iter().copied().filter(is_missed).collect()
    }

    /// Returns the number of spheres.
    pub fn spheres(&self) -> u32 {
        self.radii.len() as u32
    }

    /// Returns the container. Its unit is the largest radius at the start, and its size stays while the radii shrink.
    pub fn container(&self) -> &Container {
        &self.container
    }

    /// Returns the present center of a sphere.
    ///
    /// # Panics
    /// If there is no sphere `id`.
    pub fn center(&self, id: u32) -> DVec3 {
        self.frame.center(self.points[id as usize].at)
    }

    /// Returns the present radius of a sphere.
    ///
    /// # Panics
    /// If there is no sphere `id`.
    pub fn radius(&self, id: u32) -> f64 {
        self.radii[id as usize] * self.scale
    }

    /// Returns the spheres in the present list of a sphere, sorted.
    ///
    /// # Panics
    /// If there is no sphere `id`.
    pub fn neighbors(&self, id: u32) -> &[u32] {
        self.lists.neighbors(id)
    }

    /// Returns the present Verlet distance δ_V, of spheres that are refreshed now.
    pub fn verlet_distance(&self) -> f64 {
        2.0 * self.skin
    }

    fn distance(&self, a: u32, b: u32) -> f64 {
        let displacement = (self.container).displacement(self.center(a), self.center(b));
        displacement.length()
    }

    /// Returns the volume of all spheres divided by the present volume of the container. Overlaps count twice.
    pub fn packing_fraction(&self) -> f64 {
        total_volume(&self.radii) * self.scale.powi(3) / self.container.volume()
    }

    /// Returns the packing fraction in the smallest container in which no sphere overlaps another one or crosses a wall at its present
    /// relative position.
    pub fn packing_fraction_without_overlap(&self) -> f64 {
        let mut growth = 1f64;
        for id in 0..self.spheres() {
            let radius = self.radius(id);
            for &other in self.neighbors(id) {
                growth = growth.max((radius + self.radius(other)) / self.distance(id, other));
            }
            let to_walls = (self.container).growth_to_keep(self.center(id), radius, radius);
            growth = growth.max(to_walls);
        }
        self.packing_fraction() / growth.powi(3)
    }
}

/// Returns a sphere, whose radius is that at scale 1, with its present radius enlarged by a skin.
fn inflated(sphere: Point, scale: f64, skin: f64) -> Point {
    let radius = (f64::from(sphere.radius) * scale + skin) as f32;
    Point { radius, ..sphere }
}

choice! {
    "refresh policy", "kebab-case";
    /// The time at which a sphere that left its inflated sphere gets a new Verlet list.
    #[derive(Default)]
    #[non_exhaustive]
    pub enum RefreshPolicy {
        /// Directly after its relocation, as Raschdorf & Kolonko do.
        #[default]
        AtOnce,
        /// After the sweep, together with all others, as the packing loop does.
        AfterSweep,
    }
}

/// Options of a run of the published loop.
///
/// Setters change single options:
///
/// ```
/// use jostle::{Effort, laboratory::published_loop::{PublishedLoopOptions, RefreshPolicy}};
///
/// let options = PublishedLoopOptions::default()
///     .refresh(RefreshPolicy::AfterSweep)
///     .effort(Effort::QUICK);
/// assert_eq!(options.seed, 1);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct PublishedLoopOptions {
    /// The time of a refresh.
    pub refresh: RefreshPolicy,
    /// The share of the gap to its nearest neighbor by which a sphere without overlap moves at its visit. The paper does not state it.
    pub toward_nearest: GapShare,
    /// Effort, which determines growth and tolerance as in the packing loop.
    pub effort: Effort,
    /// Boundary of each axis of the cube.
    pub boundary: Boundaries,
    /// The global index behind the Verlet lists.
    pub index: IndexKind,
    /// Seed of the random positions.
    pub seed: u64,
}

impl Default for PublishedLoopOptions {
    /// The loop of the paper in a periodic cube. Spheres without overlap stay at their positions.
    fn default() -> Self {
        Self {
            refresh: RefreshPolicy::default(),
            toward_nearest: GapShare::OFF,
            effort: Effort::default(),
            boundary: Boundaries::PERIODIC,
            index: IndexKind::default(),
            seed: 1,
        }
    }
}

impl PublishedLoopOptions {
    setters! {
        /// Sets the time of a refresh.
        refresh: RefreshPolicy;
        /// Sets the share of the gap to its nearest neighbor by which a sphere without overlap moves.
        toward_nearest: GapShare;
        /// Sets the effort.
        effort: Effort;
        /// Sets the boundary of each axis of the cube.
        boundary: Boundaries;
        /// Sets the global index.
        index: IndexKind;
        /// Sets the seed of the random positions.
        seed: u64;
    }
}
